//! Telling a run a command: through the process that drives it, or into the run that nobody drives.
//!
//! Invariant: when `tell` returns, the event that the command became is in the run's journal.

use super::super::attach::{Attached, SendError, shown_name};
use super::super::open::OpenError;
use super::super::waiting_run::WaitingRun;
use super::{Operator, OperatorError};
use crate::journal::{Journal, JournalError};
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::decision::By;
use pithead_core::domain::run::event::Event;
use pithead_core::domain::run::outcome::{Outcome, aborted_by};
use pithead_world::ids::{RunId, Seq};
use std::time::Duration;

/// How the command reached the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// Through the process that drives it, which may be this one.
    Driver,
    /// Into the run, which nobody drives; it takes effect when the run is resumed.
    WaitingRun,
}

/// Between two looks into the journal: shorter than a person notices, and long beside one look.
const LOOK_EVERY: Duration = Duration::from_millis(30);
/// Looks for what came of a command. A driver takes commands between two turns, and the longest turn
/// (a frame at full pace on a busy machine) takes well under a second; nine leave room.
const LOOKS_MAX: u64 = 300;
/// Tries to reach the run. Whoever told it something a moment ago may not have left the seat yet, and
/// the run may change hands between two tries.
const TRIES_MAX: usize = 8;
/// Events read in one look.
const PAGE: usize = 1024;

/// Gives a run a command and waits until its journal holds what came of it.
pub fn send_command(
    operator: &Operator,
    run: RunId,
    command: &Command,
) -> Result<Route, OperatorError> {
    // Looked for first: telling must not make a database.
    operator.look_journal()?.run(run)?;
    let mut tries = 1;
    loop {
        // The waiting run first: it fails at once if somebody drives the run.
        match tell_waiting_run(operator, run, command) {
            Err(OperatorError::Open(OpenError::Journal(JournalError::Driven { .. }))) => (),
            done => return done.map(|()| Route::WaitingRun),
        }
        let journal = operator.look_journal()?;
        // Noted before the command is sent, so that its event cannot be missed.
        let before = journal.last_seq(run)?;
        match send_to_driver(operator, run, command) {
            Ok(()) => match wait_for_outcome(operator, &journal, (run, before), command)? {
                Waited::Confirmed => return Ok(Route::Driver),
                // What a driver has not recorded by its end it has not done, so it can be sent again.
                Waited::DriverGone if tries < TRIES_MAX => tries += 1,
                Waited::DriverGone | Waited::TooLong => {
                    return Err(OperatorError::Unconfirmed {
                        run,
                        command: command.name(),
                        waited_ms: LOOKS_MAX * u64::try_from(LOOK_EVERY.as_millis()).unwrap_or(0),
                    });
                }
            },
            Err(error) if tries == TRIES_MAX => return Err(error),
            Err(_) => tries += 1,
        }
        std::thread::park_timeout(LOOK_EVERY);
    }
}

fn tell_waiting_run(
    operator: &Operator,
    run: RunId,
    command: &Command,
) -> Result<(), OperatorError> {
    let journal = operator.open_journal()?;
    let mut waiting = WaitingRun::open(run, journal, operator.clock.clone())?;
    if matches!(command, Command::Say { .. }) {
        let because = "the run is left, and its body is not on the server; resume it first";
        return Err(OperatorError::Refused {
            because: because.to_owned(),
        });
    }
    waiting
        .obey(command.clone(), operator.name.clone())?
        .map_err(|because| OperatorError::Refused { because })
}

/// Hands the command over; the process that drives the run has it when this returns, and no more.
fn send_to_driver(operator: &Operator, run: RunId, command: &Command) -> Result<(), OperatorError> {
    if let Some(own) = operator.drives.iter().find(|own| own.run() == run) {
        return own
            .send(command.clone())
            .map_err(|gone| OperatorError::Unreachable {
                run,
                because: gone.to_string(),
            });
    }
    let mut guest = Attached::open(operator.look_journal()?, run, &operator.name)?;
    guest.send(command.clone()).map_err(|error| match error {
        SendError::Refused(because) => OperatorError::Refused { because },
        SendError::Unreachable { run, because } => OperatorError::Unreachable { run, because },
    })
}

/// How waiting for the event of a command ended.
enum Waited {
    Confirmed,
    /// Nobody drives the run any more, and the event is not there.
    DriverGone,
    TooLong,
}

fn wait_for_outcome(
    operator: &Operator,
    journal: &Journal,
    (run, mut seen): (RunId, Seq),
    command: &Command,
) -> Result<Waited, OperatorError> {
    let by = shown_name(&operator.name);
    for _ in 0..LOOKS_MAX {
        // Asked before the journal is read: a driver that is gone has written all that it will.
        let is_driven = journal.run(run)?.alive;
        if let Some(outcome) = outcome(journal, run, &mut seen, (command, &by))? {
            let refused = |because| OperatorError::Refused { because };
            return outcome.map(|()| Waited::Confirmed).map_err(refused);
        }
        if !is_driven {
            return Ok(Waited::DriverGone);
        }
        std::thread::park_timeout(LOOK_EVERY);
    }
    Ok(Waited::TooLong)
}

/// What the run has recorded about the command since `seen`; the reason if it refused.
fn outcome(
    journal: &Journal,
    run: RunId,
    seen: &mut Seq,
    (command, by): (&Command, &str),
) -> Result<Option<Result<(), String>>, JournalError> {
    loop {
        let page = journal.events(run, *seen, PAGE)?;
        let Some(last) = page.last() else {
            return Ok(None);
        };
        *seen = last.seq;
        for fact in page {
            match fact.event {
                Event::CommandRefused {
                    command: name,
                    decision,
                    because,
                } if name == command.name() && decision == decision_of(command) => {
                    return Ok(Some(Err(because)));
                }
                // The first event that fits; later ones may be about a second command.
                event if confirms(&event, command, by) => return Ok(Some(Ok(()))),
                _ => (), // the run continues meanwhile
            }
        }
    }
}

/// The question that a command answers, as a refusal names it.
fn decision_of(command: &Command) -> Option<pithead_world::ids::DecisionId> {
    match command {
        Command::Decide { decision, .. } => Some(*decision),
        _ => None, // refusals of the others name no question
    }
}

/// True if the event is what the command of this operator became. What a time-out, a policy or
/// another operator did at the same moment is no confirmation.
fn confirms(event: &Event, command: &Command, name: &str) -> bool {
    match (command, event) {
        (Command::Pause, Event::Paused { by })
        | (Command::Resume, Event::Resumed { by })
        | (Command::Step, Event::Stepped { by })
        | (Command::Act { .. }, Event::TakenOver { by, .. }) => by == name,
        (Command::Say { text }, Event::BodySpoke { text: said, by }) => text == said && by == name,
        // Of two who abort a run, one has ended it.
        (Command::Abort { reason }, Event::RunEnded { outcome, because }) => {
            *outcome == Outcome::Aborted && *because == aborted_by(name, reason)
        }
        (Command::Steer { how }, Event::Steered { how: done, by }) => how == done && by == name,
        (
            Command::SetPolicy { kind, policy },
            Event::PolicySet {
                kind: of,
                policy: set,
                by,
            },
        ) => (kind, policy) == (of, set) && by == name,
        (
            Command::SetPace { times_realtime },
            Event::PaceSet {
                times_realtime: set,
                by,
            },
        ) => times_realtime.to_bits() == set.to_bits() && by == name,
        (Command::SetBreaks { breaks }, Event::BreaksSet { breaks: set, by }) => {
            breaks == set && by == name
        }
        (
            Command::Overrule { attempt, label, .. },
            Event::LabelOverruled {
                attempt: of,
                label: set,
                by,
                ..
            },
        ) => (attempt, label) == (of, set) && by == name,
        (
            Command::Decide { decision, .. },
            Event::DecisionMade {
                decision: made, by, ..
            },
        ) => decision == made && matches!(by, By::Operator(by) if by == name),
        (Command::HoldDecision { decision }, Event::DecisionHeld { decision: held, by })
        | (
            Command::ReleaseDecision { decision },
            Event::DecisionReleased {
                decision: held, by, ..
            },
        ) => decision == held && by == name,
        _ => false, // an event about something else
    }
}
