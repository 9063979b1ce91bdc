//! The guest's end: the events of a run as they come into the journal, and a voice if it has one.
//!
//! A guest holds nothing of the run: its death is not even noticed. Invariant: every event is handed
//! out once, in order, but for those that are skipped at the beginning.

use super::presence::Presence;
use crate::journal::{Journal, JournalError};
use crate::mind::watch::AnswerProgress;
use crate::runtime::link::DriverStatus;
use crate::runtime::recording::Recording;
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::event::Recorded;
use pithead_world::ids::{RunId, Seq};
use pithead_world::port::Pixels;
use std::sync::Arc;
use std::time::Duration;
#[cfg(unix)]
use {
    super::lines::{GuestLine, HostLine},
    super::voice::Voice,
};

/// Looks in vain after which it is asked whether the run is driven at all.
const STATUS_EVERY: u32 = 10;
/// Events read in one go.
const PAGE: usize = 2048;

/// Why a command was not handed over.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The host does not take it from this guest.
    #[error("{0}")]
    Refused(String),
    #[error("the process that drives run {run} does not answer: {because}")]
    Unreachable { run: RunId, because: String },
}

/// What a guest is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GuestKind {
    /// It gives a command or two, and takes the seat for them if it is free.
    CommandLine,
    /// It stays, is told what concerns eyes, and commands when its operator does something.
    Console,
    /// The same, and it takes the seat at once if it is free.
    CommandingConsole,
}

/// A run followed from outside.
#[derive(Debug)]
pub struct Attached {
    journal: Journal,
    run: RunId,
    operator: String,
    kind: GuestKind,
    /// It came to command.
    is_own: bool,
    seen: Seq,
    /// The journal's mark of changes when it was last read to its end.
    mark: Option<i64>,
    status: DriverStatus,
    /// Looks in which nothing had changed.
    quiet: u32,
    #[cfg(unix)]
    voice: Option<Voice>,
}

impl Attached {
    /// Begins to follow a run; `journal` becomes the guest's own connection.
    pub fn open(journal: Journal, run: RunId, operator: &str) -> Result<Self, JournalError> {
        Self::open_as(GuestKind::CommandLine, journal, run, operator)
    }

    /// The same for a guest of some kind; a console that cannot reach the driver now tries again later.
    pub fn open_as(
        kind: GuestKind,
        journal: Journal,
        run: RunId,
        operator: &str,
    ) -> Result<Self, JournalError> {
        journal.run(run)?;
        let mut attached = Self {
            journal,
            run,
            operator: operator.to_owned(),
            kind,
            is_own: kind == GuestKind::CommandingConsole,
            seen: Seq(0),
            mark: None,
            status: DriverStatus::Running,
            quiet: 0,
            #[cfg(unix)]
            voice: None,
        };
        attached.status = attached.find_status();
        attached.enter();
        Ok(attached)
    }

    /// The run that is followed.
    #[must_use]
    pub fn run(&self) -> RunId {
        self.run
    }

    /// Whether it came to command, as the console does that began the run.
    #[must_use]
    pub fn is_own(&self) -> bool {
        self.is_own
    }

    /// What is recorded of it so far, over a connection of its own.
    pub fn recording(&self) -> Result<Recording, JournalError> {
        Recording::open(self.journal.reader()?, self.run)
    }

    /// Events up to this one are not handed out any more: what they come to is known.
    pub fn skip_to(&mut self, event: Seq) {
        self.seen = self.seen.max(event);
    }

    /// What has come into the journal since, at most `max` events.
    pub fn drain(&mut self, max: usize) -> Result<Vec<Recorded>, JournalError> {
        let mark = self.journal.changes()?;
        if self.mark == Some(mark) {
            // A process that dies changes nothing in the journal.
            self.quiet += 1;
            if self.quiet.is_multiple_of(STATUS_EVERY) {
                self.status = self.find_status();
                self.enter();
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
            Ok(_) => {
                let said = self.said_at_the_end();
                let said = said.unwrap_or_else(|| "no process drives it any more".to_owned());
                DriverStatus::Stopped {
                    because: format!("{said}; `pithead resume {}` continues it", self.run),
                }
            }
            Err(error) => DriverStatus::Stopped {
                because: error.to_string(),
            },
        }
    }

    /// Hands a command to the process that drives the run; says why if it is not taken.
    #[cfg(unix)]
    pub fn send(&mut self, command: Command) -> Result<(), SendError> {
        self.ask(&GuestLine::Command(command))
    }

    /// Asks for the right to command: it comes at once, or when whoever has it gives it.
    #[cfg(unix)]
    pub fn ask_seat(&mut self) -> Result<(), SendError> {
        self.ask(&GuestLine::AskSeat)
    }

    /// Gives the right to command to another console.
    #[cfg(unix)]
    pub fn give_seat(&mut self, to: u64) -> Result<(), SendError> {
        self.ask(&GuestLine::GiveSeat { to })
    }

    /// Has the driver let go of the run, which can be resumed.
    #[cfg(unix)]
    pub fn stop(&mut self) -> Result<(), SendError> {
        self.ask(&GuestLine::Stop)
    }

    #[cfg(unix)]
    fn ask(&mut self, line: &GuestLine) -> Result<(), SendError> {
        let run = self.run;
        let unreachable = |error: std::io::Error| SendError::Unreachable {
            run,
            because: error.to_string(),
        };
        let answer = self.exchange(line).map_err(|error| {
            self.voice = None;
            unreachable(error)
        })?;
        match answer {
            HostLine::Refused(because) => Err(SendError::Refused(because)),
            _ => Ok(()), // nothing else is an answer
        }
    }

    #[cfg(unix)]
    fn exchange(&mut self, line: &GuestLine) -> std::io::Result<HostLine> {
        if let Some(voice) = &mut self.voice {
            match voice.exchange(line) {
                // The host has let an idle guest go, which it does only between two lines.
                Err(error) if error.kind() == std::io::ErrorKind::NotConnected => (),
                answered => return answered,
            }
        }
        match self.introduce()? {
            HostLine::Refused(because) => Ok(HostLine::Refused(because)),
            _ => match &mut self.voice {
                Some(voice) => voice.exchange(line),
                None => Err(std::io::Error::from(std::io::ErrorKind::NotConnected)),
            },
        }
    }

    #[cfg(unix)]
    fn introduce(&mut self) -> std::io::Result<HostLine> {
        let Some(database) = self.journal.file() else {
            return Err(std::io::Error::from(std::io::ErrorKind::NotFound));
        };
        let is_console = self.kind != GuestKind::CommandLine;
        let (voice, answer) = Voice::open(database, self.run, &self.operator, is_console)?;
        self.voice = Some(voice);
        Ok(answer)
    }

    /// A console is told what concerns eyes, so it stays connected. Where that fails it looks on without.
    #[cfg(unix)]
    fn enter(&mut self) {
        let is_there = self.voice.as_ref().is_some_and(Voice::is_open);
        let stays = self.status == DriverStatus::Running && self.kind != GuestKind::CommandLine;
        if is_there || !stays {
            return;
        }
        let taken = self
            .introduce()
            .is_ok_and(|answer| answer == HostLine::Taken);
        if taken && self.kind == GuestKind::CommandingConsole {
            let _ = self.ask(&GuestLine::AskSeat);
            // Only whoever began with it takes it back without being asked.
            self.kind = GuestKind::Console;
        }
    }

    /// Who is at the run, if this guest is a console that reaches the driver.
    #[cfg(unix)]
    #[must_use]
    pub fn presence(&self) -> Option<Presence> {
        let voice = self.voice.as_ref().filter(|voice| voice.is_open());
        voice.and_then(|voice| voice.news().presence.clone())
    }

    /// How far the mind is with the answer under way, if it tells.
    #[cfg(unix)]
    #[must_use]
    pub fn thinking(&self) -> Option<AnswerProgress> {
        self.voice.as_ref()?.news().thinking.clone()
    }

    /// The driver waits for another program that writes to the database.
    #[cfg(unix)]
    #[must_use]
    pub fn is_waiting_for_others(&self) -> bool {
        let voice = self.voice.as_ref().filter(|voice| voice.is_open());
        voice.is_some_and(|voice| voice.news().waits)
    }

    /// Asks for a picture of what the body sees.
    #[cfg(unix)]
    pub fn ask_view(&mut self, width: u32, height: u32) {
        if let Some(voice) = &mut self.voice {
            // Nobody answers a look; the next one may be heard.
            let _ = voice.say(&GuestLine::Look { width, height });
        }
    }

    /// The last picture that was asked for and has come.
    #[cfg(unix)]
    #[must_use]
    pub fn view(&self) -> Option<Arc<Pixels>> {
        self.voice.as_ref()?.news().picture.clone()
    }

    #[cfg(unix)]
    fn said_at_the_end(&self) -> Option<String> {
        self.voice.as_ref()?.news().stopped.clone()
    }
}

/// Elsewhere a guest has neither voice nor ears.
#[cfg(not(unix))]
impl Attached {
    pub fn send(&mut self, _command: Command) -> Result<(), SendError> {
        let because = "a run in another process can only be observed on this system";
        Err(SendError::Refused(because.to_owned()))
    }

    pub fn ask_seat(&mut self) -> Result<(), SendError> {
        self.send(Command::Pause)
    }

    pub fn give_seat(&mut self, _to: u64) -> Result<(), SendError> {
        self.send(Command::Pause)
    }

    pub fn stop(&mut self) -> Result<(), SendError> {
        self.send(Command::Pause)
    }

    fn enter(&mut self) {}

    #[must_use]
    pub fn presence(&self) -> Option<Presence> {
        None
    }

    #[must_use]
    pub fn thinking(&self) -> Option<AnswerProgress> {
        None
    }

    #[must_use]
    pub fn is_waiting_for_others(&self) -> bool {
        false
    }

    pub fn ask_view(&mut self, _width: u32, _height: u32) {}

    #[must_use]
    pub fn view(&self) -> Option<Arc<Pixels>> {
        None
    }

    fn said_at_the_end(&self) -> Option<String> {
        None
    }
}
