//! Telling a run something from outside: in the process that drives it, or into the run that was left.
//!
//! Invariant: what was obeyed is in the run's journal before it is told to be.

use super::attach::Attached;
use super::open::OpenError;
use super::parked::Parked;
use crate::journal::{Durability, Journal, JournalError};
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::event::Event;
use pithead_world::clock::Clock;
use pithead_world::ids::{RunId, Seq};
use serde::Serialize;
use std::path::Path;
use std::time::Duration;

/// In whose name, and where.
#[derive(Debug, Clone, Copy)]
pub struct Teller<'a> {
    pub database: &'a Path,
    pub operator: &'a str,
    pub clock: &'a Clock,
}

/// Who took it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Taken {
    /// The process that drives the run.
    Driver,
    /// The process has it, and has not said yet what came of it.
    DriverSilent,
    /// The run, which nobody drives; it holds when it is gone on with.
    Left,
}

/// Why a run did not do what it was told.
#[derive(Debug, thiserror::Error)]
pub enum TellError {
    /// By the run, or by the process that drives it.
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

/// Looks for what came of a command, and the time between two.
const LOOKS: usize = 100;
const BETWEEN: Duration = Duration::from_millis(30);
/// Tries to be let in.
const SENDS: usize = 8;
/// Events read in one look.
const PAGE: usize = 1024;

/// To whoever drives the run, or into the run if nobody does.
pub fn tell(teller: &Teller<'_>, run: RunId, command: Command) -> Result<Taken, TellError> {
    let journal = Journal::open(teller.database, Durability::Full)?;
    journal.run(run)?;
    match Parked::open(run, journal, teller.clock.clone()) {
        Ok(mut parked) => {
            let told = parked.tell(command, teller.operator.to_owned())?;
            told.map_err(TellError::Refused)?;
            Ok(Taken::Left)
        }
        Err(OpenError::Journal(JournalError::Driven { .. })) => to_driver(teller, run, &command),
        Err(error) => Err(error.into()),
    }
}

fn to_driver(teller: &Teller<'_>, run: RunId, command: &Command) -> Result<Taken, TellError> {
    let journal = Journal::look(teller.database)?;
    let mut seen = journal.last_seq(run)?;
    let guest = Journal::look(teller.database)?;
    let mut guest = Attached::open(guest, run, teller.operator)?;
    send(&mut guest, command).map_err(TellError::Refused)?;
    for _ in 0..LOOKS {
        if let Some(came) = outcome(&journal, run, &mut seen, command)? {
            return came.map(|()| Taken::Driver).map_err(TellError::Refused);
        }
        std::thread::park_timeout(BETWEEN);
    }
    Ok(Taken::DriverSilent)
}

/// Whoever told it something a moment ago may not have left the seat yet.
fn send(guest: &mut Attached, command: &Command) -> Result<(), String> {
    for _ in 1..SENDS {
        if guest.send(command.clone()).is_ok() {
            return Ok(());
        }
        std::thread::park_timeout(BETWEEN);
    }
    guest.send(command.clone())
}

/// What the run has said of the command since.
fn outcome(
    journal: &Journal,
    run: RunId,
    seen: &mut Seq,
    command: &Command,
) -> Result<Option<Result<(), String>>, JournalError> {
    loop {
        let page = journal.events(run, *seen, PAGE)?;
        let Some(last) = page.last() else {
            return Ok(None);
        };
        *seen = last.seq;
        for fact in &page {
            match &fact.event {
                Event::CommandRefused {
                    command: name,
                    because,
                    ..
                } if name == command.name() => return Ok(Some(Err(because.clone()))),
                event if obeys(event, command) => return Ok(Some(Ok(()))),
                _ => (), // the run goes on meanwhile
            }
        }
    }
}

/// The event that says that the command was obeyed.
fn obeys(event: &Event, command: &Command) -> bool {
    match (command, event) {
        (Command::Steer { how }, Event::Steered { how: done, .. }) => how == done,
        (Command::Pause, Event::Paused { .. })
        | (Command::Resume, Event::Resumed { .. })
        | (Command::Step, Event::Stepped { .. })
        | (Command::Abort { .. }, Event::RunEnded { .. })
        | (Command::Act { .. }, Event::TakenOver { .. })
        | (Command::SetPolicy { .. }, Event::PolicySet { .. })
        | (Command::SetPace { .. }, Event::PaceSet { .. })
        | (Command::SetBreaks { .. }, Event::BreaksSet { .. })
        | (Command::Overrule { .. }, Event::LabelOverruled { .. }) => true,
        (Command::Decide { decision, .. }, Event::DecisionMade { decision: made, .. })
        | (Command::HoldDecision { decision }, Event::DecisionHeld { decision: made, .. })
        | (Command::ReleaseDecision { decision }, Event::DecisionReleased { decision: made, .. }) => {
            decision == made
        }
        _ => false, // an answer to something else
    }
}
