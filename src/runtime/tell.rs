//! Telling: a command for a run, given to whoever drives it, or written into it where nobody does.
//!
//! Invariant: what is told to have come of it stands in the journal.

use super::attach::Attached;
use super::open::OpenError;
use super::parked::Parked;
use crate::clock::Clock;
use crate::domain::command::Command;
use crate::domain::event::{Event, Recorded};
use crate::ids::{RunId, Seq};
use crate::journal::{Durability, Journal, JournalError};
use std::path::Path;
use std::time::Duration;

/// How often, and how many times, the journal is looked at for what came of a command. A run that waits
/// for its mind still answers its operator, so this is for slow disks.
const LOOK_EVERY: Duration = Duration::from_millis(20);
const LOOKS: u32 = 250;
/// Refusals of other commands that may stand before the answer.
const ANSWERS_MAX: usize = 16;

/// In whose name, and where.
#[derive(Debug, Clone, Copy)]
pub struct Teller<'a> {
    pub database: &'a Path,
    pub operator: &'a str,
    pub clock: &'a Clock,
}

/// Why nothing came of it.
#[derive(Debug, thiserror::Error)]
pub enum TellError {
    /// The run, or the process that drives it, does not take the command.
    #[error("{0}")]
    Refused(String),
    #[error(transparent)]
    Open(#[from] OpenError),
}

impl From<JournalError> for TellError {
    fn from(error: JournalError) -> Self {
        Self::Open(error.into())
    }
}

impl Teller<'_> {
    /// Gives a run a command; the event that came of it, or none if the run has it and says nothing yet.
    pub fn tell(&self, run: RunId, command: Command) -> Result<Option<Recorded>, TellError> {
        let journal = Journal::look(self.database)?;
        let before = Seq(journal.run(run)?.events);
        let (name, kind) = (command.name(), comes_of(&command));
        self.hand_over(run, command)?;
        for _ in 0..LOOKS {
            let facts = journal.picked(run, before, &[kind, "command.refused"], ANSWERS_MAX)?;
            for fact in facts {
                match fact.event {
                    Event::CommandRefused {
                        command, because, ..
                    } if command == name => return Err(TellError::Refused(because)),
                    Event::CommandRefused { .. } => (),
                    _ => return Ok(Some(fact)),
                }
            }
            std::thread::park_timeout(LOOK_EVERY);
        }
        Ok(None)
    }

    fn hand_over(&self, run: RunId, command: Command) -> Result<(), TellError> {
        let journal = Journal::open(self.database, Durability::Full)?;
        match Parked::open(run, journal, self.clock.clone()) {
            Ok(mut parked) => parked
                .tell(command, self.operator.to_owned())?
                .map_err(TellError::Refused),
            Err(OpenError::Journal(JournalError::Driven { .. })) => {
                let journal = Journal::look(self.database)?;
                let mut guest = Attached::open(journal, run, self.operator)?;
                guest.send(command).map_err(TellError::Refused)
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// The stored name of the event that an obeyed command becomes.
fn comes_of(command: &Command) -> &'static str {
    match command {
        Command::Pause => "run.paused",
        Command::Resume => "run.resumed",
        Command::Step => "run.stepped",
        Command::Abort { .. } => "run.ended",
        Command::Decide { .. } => "decision.made",
        Command::HoldDecision { .. } => "decision.held",
        Command::ReleaseDecision { .. } => "decision.released",
        Command::Overrule { .. } => "label.overruled",
        Command::Act { .. } => "run.taken_over",
        Command::SetPolicy { .. } => "policy.set",
        Command::SetPace { .. } => "pace.set",
        Command::SetBreaks { .. } => "breaks.set",
    }
}
