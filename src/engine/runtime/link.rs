//! Links: how a client follows a run and speaks to it.
//!
//! The channel is a hint, the journal is the truth: a client that lags re-reads the gap by number
//! over its own connection. Invariant: a link hands out every event once, in order.

use crate::journal::{Journal, JournalError};
use crate::mind::watch::{AnswerProgress, Watch};
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::event::Recorded;
use pithead_core::domain::run::input::Input;
use pithead_world::ids::{RunId, Seq};
use pithead_world::port::Pixels;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{
    Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError, sync_channel,
};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Events on the way to a client; more are left in the journal for it to read.
const EVENTS_MAX: usize = 4096;
/// Commands on the way to the driver; an operator does not type faster than the driver reads.
/// Beyond that the sender waits.
const COMMANDS_MAX: usize = 64;
/// Events fetched from the journal in one go.
const PAGE: usize = 2048;

/// Where the driver of a run is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DriverStatus {
    Running,
    /// The run has ended; its last event says how.
    Over,
    /// The driver gave up; the run can be resumed.
    Stopped {
        // In words, for the operator.
        because: String,
    },
}

/// What a link leaves behind.
#[derive(Debug)]
pub struct Closed {
    pub status: DriverStatus,
    /// The last events, which nobody has taken yet.
    pub rest: Vec<Recorded>,
}

/// The driver does not listen any more; `Link::status` says why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the run is no longer driven")]
pub struct Gone;

/// A command and who gave it.
/// The name travels with the command: several people may command through one host.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct GivenCommand {
    pub(super) command: Command,
    pub(super) operator: String,
}

/// Whatever reaches the driver from other threads, in one order.
/// One queue for all, so commands, answers and looks have one order.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Incoming {
    Command(GivenCommand),
    /// What came of a question to a mind that thinks in its own thread.
    Thought(Input),
    /// Someone wants to see what the body sees, in so many pixels.
    Look {
        width: u32,
        height: u32,
    },
    /// The client has gone.
    Left,
}

/// The way into the driver.
pub(super) type Inbox = SyncSender<Incoming>;

/// A client's way in. The driver's own mind holds another, so going is said and not seen.
/// The inbox never closes by itself while the mind holds it.
#[derive(Debug)]
struct Door {
    inbox: Inbox,
    shared: Arc<Shared>,
}

impl Drop for Door {
    fn drop(&mut self) {
        // The flag first, then the message: whichever the driver sees is enough.
        self.shared.left.store(true, Ordering::Release);
        // If there is no room, the driver is awake and will look at the flag.
        let _ = self.inbox.try_send(Incoming::Left);
    }
}

/// What both ends see. The second owner is the client: it must learn that the driver is gone, and
/// how far the journal reaches, even when the channel was full at that moment.
/// Locks are held for a copy and never across a wait.
#[derive(Debug)]
struct Shared {
    /// The last event published.
    /// Written with `Release`, read with `Acquire`: whoever sees the number finds the
    /// event.
    head: AtomicU64,
    status: Mutex<DriverStatus>,
    /// The client has gone.
    left: AtomicBool,
    /// The last picture that was asked for; for eyes only, and no fact of the run.
    picture: Mutex<Option<Arc<Pixels>>>,
}

/// A client's end.
#[derive(Debug)]
pub struct Link {
    run: RunId,
    operator: String,
    door: Door,
    events: Receiver<Recorded>,
    shared: Arc<Shared>,
    watch: Watch,
    journal: Journal,
    /// The last event handed out.
    /// What makes sure that nothing is handed out twice.
    seen: Seq,
    /// The last event that was there before the run was driven from here.
    before: Seq,
    driver: Option<JoinHandle<()>>,
}

/// A way to give a driven run commands from another thread than its client's.
#[derive(Debug, Clone)]
pub struct Commander {
    run: RunId,
    operator: String,
    inbox: Inbox,
}

impl Commander {
    /// The run that it commands.
    #[must_use]
    pub fn run(&self) -> RunId {
        self.run
    }

    /// Hands a command to the driver, which has not carried it out when this returns.
    /// Waits while the queue is full; it fails only when the driver is gone.
    pub fn send(&self, command: Command) -> Result<(), Gone> {
        let operator = self.operator.clone();
        self.inbox
            .send(Incoming::Command(GivenCommand { command, operator }))
            .map_err(|_| Gone)
    }
}

/// What can be seen of a run beside its events.
#[derive(Debug, Clone)]
pub(super) struct Eyes {
    inbox: Inbox,
    shared: Arc<Shared>,
    watch: Watch,
}

impl Eyes {
    /// Asks for a picture; a driver that has its hands full is not pressed.
    pub(super) fn ask(&self, width: u32, height: u32) {
        // A full queue drops the request: the next look will ask again.
        let _ = self.inbox.try_send(Incoming::Look { width, height });
    }

    /// The last picture that was asked for and has come.
    pub(super) fn picture(&self) -> Option<Arc<Pixels>> {
        self.shared
            .picture
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// How far the mind is with the answer under way, if it tells.
    pub(super) fn thinking(&self) -> Option<AnswerProgress> {
        self.watch.look()
    }
}

/// The driver's end.
#[derive(Debug)]
pub(super) struct Publisher {
    /// Owned by the driver alone.
    pub(super) incoming: Receiver<Incoming>,
    /// For those whose answers come in later.
    pub(super) inbox: Inbox,
    pub(super) watch: Watch,
    events: SyncSender<Recorded>,
    shared: Arc<Shared>,
}

/// Both ends; `journal` is the client's own connection, `operator` the name its commands carry, and
/// `before` the last event that is there already.
pub(super) fn link(run: RunId, journal: Journal, operator: &str, before: Seq) -> (Publisher, Link) {
    let (inbox, incoming) = sync_channel(COMMANDS_MAX);
    let (events_out, events) = sync_channel(EVENTS_MAX);
    let shared = Arc::new(Shared {
        head: AtomicU64::new(before.0),
        status: Mutex::new(DriverStatus::Running),
        left: AtomicBool::new(false),
        picture: Mutex::new(None),
    });
    let watch = Watch::new();
    let publisher = Publisher {
        incoming,
        inbox: inbox.clone(),
        watch: watch.clone(),
        events: events_out,
        shared: Arc::clone(&shared),
    };
    let operator = operator.to_owned();
    (
        publisher,
        Link {
            run,
            operator,
            door: Door {
                inbox,
                shared: Arc::clone(&shared),
            },
            events,
            shared,
            watch,
            journal,
            seen: Seq(0),
            before,
            driver: None,
        },
    )
}

impl Publisher {
    /// Hands an event on; a full channel costs the client a look into the journal, nothing more.
    /// Never waits: a slow client must not slow the run.
    pub(super) fn publish(&self, recorded: Recorded) {
        let seq = recorded.seq;
        match self.events.try_send(recorded) {
            Ok(()) | Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => (),
        }
        // After the send: a client that sees this head finds the event in the channel, or else in the journal,
        // where it was before it was published.
        self.shared.head.store(seq.0, Ordering::Release);
    }

    /// Whether the client has gone.
    pub(super) fn is_left(&self) -> bool {
        self.shared.left.load(Ordering::Acquire)
    }

    /// Lays out what the body sees for whoever asked.
    pub(super) fn show(&self, picture: Option<Pixels>) {
        *self
            .shared
            // A poisoned lock holds a whole value all the same: it is only ever replaced.
            .picture
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = picture.map(Arc::new);
    }

    pub(super) fn set_status(&self, status: DriverStatus) {
        *self
            .shared
            .status
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = status;
    }
}

impl Drop for Publisher {
    /// A driver that broke down must not look as if it were still at work.
    fn drop(&mut self) {
        let mut status = self
            .shared
            .status
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        // Only `Running`: whatever else was set was set on purpose.
        if *status == DriverStatus::Running {
            *status = DriverStatus::Stopped {
                because: "the driver broke down; see the log".to_owned(),
            };
        }
    }
}

impl Link {
    /// The last event that was there before the run was driven from here.
    #[must_use]
    pub fn before(&self) -> Seq {
        self.before
    }

    /// The run at the other end.
    #[must_use]
    pub fn run(&self) -> RunId {
        self.run
    }

    /// The name that its commands carry.
    pub(super) fn operator(&self) -> &str {
        &self.operator
    }

    /// What can be seen of the run beside its events, for other threads.
    pub(super) fn eyes(&self) -> Eyes {
        Eyes {
            inbox: self.inbox(),
            shared: Arc::clone(&self.shared),
            watch: self.watch.clone(),
        }
    }

    /// Another way into the driver.
    pub(super) fn inbox(&self) -> Inbox {
        self.door.inbox.clone()
    }

    pub(super) fn set_driver(&mut self, driver: JoinHandle<()>) {
        self.driver = Some(driver);
    }

    /// Leaves: a run under way stops where it is, resumable, and is let go of before this returns.
    pub fn close(self) -> Closed {
        let Self {
            door,
            events,
            journal,
            // Taken apart: fields must be dropped in an order other than theirs.
            driver,
            shared,
            seen,
            ..
        } = self;
        // The last connection carries the log over into the file, and of two that close at the same moment neither is the last.
        // So this one is closed before the door tells the driver to end.
        drop(journal);
        drop(door);
        if let Some(driver) = driver {
            // A panic over there is reported by the status.
            let _ = driver.join();
        }
        let status = shared
            .status
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let unread = events.try_iter().skip_while(|fact| fact.seq <= seen);
        // What the channel had no room for is in the journal only: the rest ends before such a gap.
        // A gap would make the caller believe that it has everything.
        let next = (1..)
            .zip(unread)
            .take_while(|(n, fact)| fact.seq.0 == seen.0 + n);
        let rest = next.map(|(_, fact)| fact).collect();
        Closed { status, rest }
    }

    /// The journal as this client sees it, for what is not in the events (other runs, knowledge).
    #[must_use]
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Where the driver is.
    #[must_use]
    pub fn status(&self) -> DriverStatus {
        self.shared
            .status
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Sends a command. It becomes an event, or `CommandRefused`; it is never lost in between, since a
    /// full channel makes the caller wait.
    pub fn send(&self, command: Command) -> Result<(), Gone> {
        self.commander().send(command)
    }

    /// Another voice of the same operator, for another thread.
    #[must_use]
    pub fn commander(&self) -> Commander {
        Commander {
            run: self.run,
            operator: self.operator.clone(),
            inbox: self.inbox(),
        }
    }

    /// Asks for a picture of what the body sees; a driver that has its hands full is not pressed.
    pub fn ask_view(&self, width: u32, height: u32) {
        self.eyes().ask(width, height);
    }

    /// The last picture that was asked for and has come.
    #[must_use]
    pub fn view(&self) -> Option<Arc<Pixels>> {
        self.eyes().picture()
    }

    /// How far the mind is with the answer under way, if it tells.
    #[must_use]
    pub fn thinking(&self) -> Option<AnswerProgress> {
        self.watch.look()
    }

    /// Waits for the next event, at most `max_wait`, and returns it with all that came after it.
    /// An empty answer means that nothing happened in that time.
    pub fn recv(&mut self, max_wait: Duration) -> Result<Vec<Recorded>, JournalError> {
        // Without waiting first: something may be there already.
        let waiting = self.drain(PAGE)?;
        if !waiting.is_empty() {
            return Ok(waiting);
        }
        match self.events.recv_timeout(max_wait) {
            Ok(first) => {
                let mut out = Vec::new();
                self.accept(first, &mut out)?;
                out.extend(self.drain(PAGE)?);
                Ok(out)
            }
            // The driver may have gone between the two looks: what it left is in the journal.
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => self.drain(PAGE),
        }
    }

    /// What has come and was not handed out yet, at most about `max` events, without waiting.
    pub fn drain(&mut self, max: usize) -> Result<Vec<Recorded>, JournalError> {
        // Read before the channel is emptied: everything up to here is in one or the other.
        // Read afterwards, an event could be published in between, be in neither, and count
        // as seen.
        let head = Seq(self.shared.head.load(Ordering::Acquire));
        let mut out = Vec::new();
        while out.len() < max {
            match self.events.try_recv() {
                Ok(recorded) => self.accept(recorded, &mut out)?,
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => {
                    // The channel is empty, so what is missing up to `head` is in the
                    // journal only.
                    self.catch_up(head, max.saturating_sub(out.len()), &mut out)?;
                    break;
                }
            }
        }
        Ok(out)
    }

    /// Takes one event from the channel, after whatever the channel had no room for before it.
    fn accept(&mut self, recorded: Recorded, out: &mut Vec<Recorded>) -> Result<(), JournalError> {
        if recorded.seq <= self.seen {
            return Ok(()); // read from the journal already
        }
        // Everything before the event that did not fit into the channel.
        self.catch_up(Seq(recorded.seq.0 - 1), usize::MAX, out)?;
        self.seen = recorded.seq;
        out.push(recorded);
        Ok(())
    }

    /// Reads the journal up to `until`, at most `max` events.
    fn catch_up(
        &mut self,
        until: Seq,
        max: usize,
        out: &mut Vec<Recorded>,
    ) -> Result<(), JournalError> {
        let mut left = max;
        while self.seen < until && left > 0 {
            let missing = usize::try_from(until.0 - self.seen.0).unwrap_or(usize::MAX);
            let page = self
                .journal
                .events(self.run, self.seen, PAGE.min(missing).min(left))?;
            // The journal has less than the head says: it is being closed.
            let Some(last) = page.last() else { break };
            self.seen = last.seq;
            left -= page.len().min(left);
            out.extend(page);
        }
        Ok(())
    }
}
