//! Many runs at once: what ending or resuming them comes to for each, and doing it.
//!
//! Invariant: each run is decided by itself; one that refuses keeps no other back.

use super::super::worlds::{NoWorld, check_server};
use super::super::{background, config_of};
use super::tell::send_command;
use super::{Operator, OperatorError};
use crate::journal::{Journal, JournalError};
use crate::mind::spec::MindSpec;
use pithead_core::domain::run::command::Command;
use pithead_world::ids::RunId;
use serde::Serialize;

/// What is done with all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BulkAction {
    Abort,
    Resume,
}

impl BulkAction {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Abort => "abort",
            Self::Resume => "resume",
        }
    }
}

/// What the action comes to for one run. The serialized names are stable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BulkEffect {
    /// The process that drives it is told.
    TellDriver,
    /// Nobody drives it: its end is written down.
    /// A run without a driver cannot be told, so the command is written into it.
    End,
    /// Nobody drives it: it is resumed without a console.
    #[serde(rename = "go_on")]
    Resume,
    /// It stays as it is, for this reason.
    Stay(String),
}

/// One run and what the action comes to for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BulkStep {
    pub run: RunId,
    pub task: String,
    #[serde(rename = "will")]
    pub effect: BulkEffect,
}

impl BulkEffect {
    /// What follows the name of the run.
    #[must_use]
    pub fn sentence(&self, action: BulkAction) -> String {
        match (self, action) {
            (Self::TellDriver, BulkAction::Abort) => {
                "will be ended by the process that drives it".to_owned()
            }
            (Self::TellDriver, BulkAction::Resume) => {
                "is paused; the process that drives it resumes it".to_owned()
            }
            (Self::End, _) => "no process drives it; its end is recorded".to_owned(),
            (Self::Resume, _) => {
                "was left; resumes without a console, in its own background process".to_owned()
            }
            (Self::Stay(because), _) => format!("stays as it is: {because}"),
        }
    }

    /// False if nothing is done with the run.
    #[must_use]
    pub fn acts(&self) -> bool {
        !matches!(self, Self::Stay(_))
    }
}

/// What the action would come to for each of the runs; an error if one is not there.
pub fn preview_bulk(
    journal: &Journal,
    runs: &[RunId],
    action: BulkAction,
) -> Result<Vec<BulkStep>, JournalError> {
    let each = runs.iter().map(|run| {
        let row = journal.run(*run)?;
        let effect = match (row.ended.is_some(), row.alive, action) {
            (true, _, _) => BulkEffect::Stay(format!("it has ended ({})", row.state())),
            (false, true, BulkAction::Abort) => BulkEffect::TellDriver,
            (false, false, BulkAction::Abort) => BulkEffect::End,
            (false, true, BulkAction::Resume) if journal.is_paused(*run)? => BulkEffect::TellDriver,
            (false, true, BulkAction::Resume) => {
                BulkEffect::Stay("it is already running".to_owned())
            }
            // Nobody could be asked in the background.
            (false, false, BulkAction::Resume) => match row.mind.parse() {
                Ok(MindSpec::Cassette(path)) => BulkEffect::Stay(format!(
                    "it wants to read {} as its mind; `pithead resume {run}` asks about it",
                    path.display()
                )),
                Ok(_) | Err(_) => resume_unasked(journal, *run),
            },
        };
        Ok(BulkStep {
            run: *run,
            task: row.task,
            effect,
        })
    });
    each.collect()
}

/// Resumed in the background, unless that would join a server which the operator has not allowed.
fn resume_unasked(journal: &Journal, run: RunId) -> BulkEffect {
    // A run whose config cannot be read says so when it is resumed.
    let world = config_of(journal, run).map(|config| config.world);
    match world.map(|world| check_server(&world)) {
        Ok(Err(NoWorld::NotAllowed { server })) => BulkEffect::Stay(format!(
            "it wants to join {server}, which is not on this machine; `pithead resume {run}` asks about it"
        )),
        Ok(Ok(()) | Err(_)) | Err(_) => BulkEffect::Resume,
    }
}

/// Does to one run what `preview_bulk` said.
pub fn carry_out_step(
    operator: &Operator,
    step: &BulkStep,
    action: BulkAction,
    reason: &str,
) -> Result<(), OperatorError> {
    match step.effect {
        BulkEffect::Stay(_) => Ok(()),
        BulkEffect::Resume => background::resume_in_background(&operator.database, step.run)
            .map_err(|because| OperatorError::Refused { because }),
        BulkEffect::TellDriver | BulkEffect::End => {
            let command = match action {
                BulkAction::Abort => Command::Abort {
                    reason: reason.to_owned(),
                },
                BulkAction::Resume => Command::Resume,
            };
            send_command(operator, step.run, &command).map(|_| ())
        }
    }
}
