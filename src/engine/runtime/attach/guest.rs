//! The guest's end: the events of a run as they come into the journal, and a voice if it has one.
//!
//! A guest holds nothing of the run: its death is not even noticed. Invariant: every event is handed
//! out once, in order.

use crate::journal::{Journal, JournalError};
use crate::runtime::link::DriverStatus;
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::event::Recorded;
use pithead_world::ids::{RunId, Seq};
use std::time::Duration;
#[cfg(unix)]
use {
    super::door::knock,
    super::lines::{Hello, LINE_BYTES_MAX, Reply, SCHEMA, SentCommand},
    std::io::{BufRead, BufReader, Read, Write},
    std::os::unix::net::UnixStream,
};

/// Looks in vain after which it is asked whether the run is driven at all.
const STATUS_EVERY: u32 = 10;
/// Events read in one go.
const PAGE: usize = 2048;

/// A host that does not answer for so long is no help any more.
#[cfg(unix)]
const ANSWER_MAX: Duration = Duration::from_secs(2);

/// Why a command was not handed over.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The host does not take it from this guest.
    #[error("{0}")]
    Refused(String),
    #[error("the process that drives run {run} does not answer: {because}")]
    Unreachable { run: RunId, because: String },
}

/// A run followed from outside.
#[derive(Debug)]
pub struct Attached {
    journal: Journal,
    run: RunId,
    operator: String,
    seen: Seq,
    /// The journal's mark of changes when it was last read to its end.
    mark: Option<i64>,
    status: DriverStatus,
    /// Looks in which nothing had changed.
    quiet: u32,
    #[cfg(unix)]
    voice: Option<BufReader<UnixStream>>,
}

impl Attached {
    /// Begins to follow a run; `journal` becomes the guest's own connection.
    pub fn open(journal: Journal, run: RunId, operator: &str) -> Result<Self, JournalError> {
        journal.run(run)?;
        Ok(Self {
            journal,
            run,
            operator: operator.to_owned(),
            seen: Seq(0),
            mark: None,
            status: DriverStatus::Running,
            quiet: 0,
            #[cfg(unix)]
            voice: None,
        })
    }

    /// The run that is followed.
    #[must_use]
    pub fn run(&self) -> RunId {
        self.run
    }

    /// What has come into the journal since, at most `max` events.
    pub fn drain(&mut self, max: usize) -> Result<Vec<Recorded>, JournalError> {
        let mark = self.journal.changes()?;
        if self.mark == Some(mark) {
            // A process that dies changes nothing in the journal.
            self.quiet += 1;
            if self.quiet.is_multiple_of(STATUS_EVERY) {
                self.status = self.find_status();
            }
            return Ok(Vec::new());
        }
        let events = self.journal.events(self.run, self.seen, max)?;
        if let Some(last) = events.last() {
            self.seen = last.seq;
        }
        // A full page: there is more behind it under the same mark.
        self.mark = (events.len() < max).then_some(mark);
        if self.mark.is_some() {
            self.status = self.find_status();
        }
        Ok(events)
    }

    /// Waits for the next events, at most `max_wait`; the journal has no bell, so it is looked at again
    /// and again.
    pub fn recv(&mut self, max_wait: Duration) -> Result<Vec<Recorded>, JournalError> {
        let waiting = self.drain(PAGE)?;
        if !waiting.is_empty() {
            return Ok(waiting);
        }
        std::thread::park_timeout(max_wait);
        self.drain(PAGE)
    }

    /// Where the driver was when the journal was last read to its end.
    #[must_use]
    pub fn status(&self) -> DriverStatus {
        self.status.clone()
    }

    /// Where the driver is, as far as it can be seen from outside.
    fn find_status(&self) -> DriverStatus {
        match self.journal.run(self.run) {
            Ok(row) if row.ended.is_some() => DriverStatus::Over,
            Ok(row) if row.alive => DriverStatus::Running,
            Ok(_) => DriverStatus::Stopped {
                because: format!(
                    "it is no longer driven by any process; `pithead resume {}` continues it",
                    self.run
                ),
            },
            Err(error) => DriverStatus::Stopped {
                because: error.to_string(),
            },
        }
    }

    /// Hands a command to the process that drives the run; says why if it is not taken.
    #[cfg(unix)]
    pub fn send(&mut self, command: Command) -> Result<(), SendError> {
        let reply = self.ask(command).map_err(|error| {
            self.voice = None;
            SendError::Unreachable {
                run: self.run,
                because: error.to_string(),
            }
        });
        match reply? {
            Reply::Taken => Ok(()),
            Reply::Refused(because) => Err(SendError::Refused(because)),
        }
    }

    /// Elsewhere a guest has no voice.
    #[cfg(not(unix))]
    pub fn send(&mut self, _command: Command) -> Result<(), SendError> {
        let because = "a run in another process can only be observed on this system";
        Err(SendError::Refused(because.to_owned()))
    }

    #[cfg(unix)]
    fn ask(&mut self, command: Command) -> std::io::Result<Reply> {
        let ask = SentCommand { command };
        if self.voice.is_some() {
            match exchange_line(self.voice.as_mut(), &ask) {
                // The host has let an idle guest go, which it does only between two lines.
                Err(error) if error.kind() == std::io::ErrorKind::NotConnected => (),
                answered => return answered,
            }
        }
        match self.introduce()? {
            Reply::Taken => exchange_line(self.voice.as_mut(), &ask),
            refused => Ok(refused),
        }
    }

    #[cfg(unix)]
    fn introduce(&mut self) -> std::io::Result<Reply> {
        let Some(database) = self.journal.file() else {
            return Err(std::io::Error::from(std::io::ErrorKind::NotFound));
        };
        let stream = knock(database, self.run)?;
        stream.set_read_timeout(Some(ANSWER_MAX))?;
        stream.set_write_timeout(Some(ANSWER_MAX))?;
        self.voice = Some(BufReader::new(stream));
        let hello = Hello {
            schema: SCHEMA,
            operator: self.operator.clone(),
        };
        exchange_line(self.voice.as_mut(), &hello)
    }
}

/// One line out, one line back.
#[cfg(unix)]
fn exchange_line(
    voice: Option<&mut BufReader<UnixStream>>,
    what: &impl serde::Serialize,
) -> std::io::Result<Reply> {
    let gone = || std::io::Error::from(std::io::ErrorKind::NotConnected);
    let voice = voice.ok_or_else(gone)?;
    let line = serde_json::to_string(what)? + "\n";
    voice
        .get_mut()
        .write_all(line.as_bytes())
        .map_err(|error| {
            let has_gone = error.kind() == std::io::ErrorKind::BrokenPipe;
            if has_gone { gone() } else { error }
        })?;
    let mut answer = String::new();
    voice.take(LINE_BYTES_MAX).read_line(&mut answer)?;
    if answer.is_empty() {
        return Err(gone());
    }
    Ok(serde_json::from_str(&answer)?)
}
