//! Following a run to its end without a console.

use super::Summary;
use super::lines::headline;
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_core::text::clean::clean_line;
use pithead_engine::journal::JournalError;
use pithead_engine::runtime::attach::Attached;
use pithead_engine::runtime::link::Closed;
use pithead_engine::runtime::{DriverStatus, Link};
use pithead_world::ids::Seq;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How soon an interrupt is seen: quicker than a person notices, slow enough to cost nothing.
const POLL_MS: u64 = 50;

/// How following a run ended.
#[derive(Debug, Clone, PartialEq)]
pub struct FollowEnd {
    pub summary: Summary,
    /// The driver gave up, and why; the run can be resumed.
    pub stopped: Option<String>,
    /// It was interrupted; the run can be resumed unless it ended at that moment.
    pub interrupted: bool,
    /// The reason of the breakpoint at which it was left, if it was.
    pub broke: Option<String>,
}

/// A run that can be followed: one that this process drives, or one that another does.
pub trait Followed {
    fn status(&self) -> DriverStatus;
    /// Waits for the next events, at most so long.
    fn recv(&mut self, max_wait: Duration) -> Result<Vec<Recorded>, JournalError>;
    /// The last event before this process drove it; None if another process drives it. Only the driver can
    /// resume it from a breakpoint after that.
    fn own_after(&self) -> Option<Seq>;
    /// Stops following it.
    fn close(self) -> Closed;
}

impl Followed for Link {
    fn status(&self) -> DriverStatus {
        self.status()
    }

    fn recv(&mut self, max_wait: Duration) -> Result<Vec<Recorded>, JournalError> {
        self.recv(max_wait)
    }

    fn own_after(&self) -> Option<Seq> {
        Some(self.before())
    }

    fn close(self) -> Closed {
        self.close()
    }
}

impl Followed for Attached {
    fn status(&self) -> DriverStatus {
        self.status()
    }

    fn recv(&mut self, max_wait: Duration) -> Result<Vec<Recorded>, JournalError> {
        self.recv(max_wait)
    }

    fn own_after(&self) -> Option<Seq> {
        None
    }

    fn close(self) -> Closed {
        Closed {
            status: self.status(),
            rest: Vec::new(),
        }
    }
}

/// Follows the run until it is over. `tell` gets a line for each event worth telling; when
/// `interrupt` is set, the run is left where it is and can be resumed.
pub fn follow(
    mut run: impl Followed,
    interrupt: &AtomicBool,
    mut tell: impl FnMut(&str),
) -> Result<FollowEnd, JournalError> {
    let mut summary = Summary::default();
    let mut interrupted = false;
    let mut broke;
    let mut take = |facts: Vec<Recorded>, summary: &mut Summary| {
        for fact in &facts {
            summary.apply(fact);
            if let Some(text) = headline(fact) {
                tell(&text);
            }
        }
    };
    loop {
        // The status first: what was published before it changed is then in the drain below.
        let status = run.status();
        let facts = run.recv(Duration::from_millis(POLL_MS))?;
        let quiet = facts.is_empty();
        let own = run.own_after();
        let mut new = facts
            .iter()
            .filter(|fact| own.is_some_and(|before| fact.seq > before));
        broke = new.find_map(hit);
        take(facts, &mut summary);
        if broke.is_some() {
            break;
        }
        match status {
            DriverStatus::Running => (),
            DriverStatus::Over if !quiet => (),
            DriverStatus::Stopped { .. } if !quiet => (),
            DriverStatus::Over | DriverStatus::Stopped { .. } => break,
        }
        if interrupt.load(Ordering::Relaxed) {
            interrupted = true;
            break;
        }
    }
    let closed = run.close();
    take(closed.rest, &mut summary);
    let stopped = match closed.status {
        DriverStatus::Stopped { because } if !interrupted && broke.is_none() => Some(because),
        DriverStatus::Stopped { .. } | DriverStatus::Running | DriverStatus::Over => None,
    };
    Ok(FollowEnd {
        summary,
        stopped,
        interrupted,
        broke,
    })
}

fn hit(fact: &Recorded) -> Option<String> {
    match &fact.event {
        Event::BreakHit { because, .. } => Some(clean_line(because)),
        _ => None, // nothing else stops a run without a console
    }
}
