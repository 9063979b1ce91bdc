//! Many runs at once: what ending them, or letting them go on, would come to for each.
//!
//! Each run is decided by itself and told its own reason; nothing is done here.

use super::tell::{TellError, Teller, tell};
use crate::journal::{Journal, JournalError};
use pithead_core::domain::run::command::Command;
use pithead_world::ids::RunId;
use serde::Serialize;

/// What is done with all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    Abort,
    Resume,
}

impl Deed {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Abort => "abort",
            Self::Resume => "resume",
        }
    }
}

/// What it comes to for one run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Will {
    /// The process that drives it is told.
    TellDriver,
    /// Nobody drives it: its end is written down.
    End,
    /// Nobody drives it: it is gone on with, without a console.
    GoOn,
    /// It stays as it is, for this reason.
    Stay(String),
}

/// One run and what it comes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    pub run: RunId,
    pub task: String,
    pub will: Will,
}

impl Will {
    #[must_use]
    pub fn words(&self, deed: Deed) -> String {
        match (self, deed) {
            (Self::TellDriver, Deed::Abort) => {
                "will be ended by the process that drives it".to_owned()
            }
            (Self::TellDriver, Deed::Resume) => {
                "is paused; the process that drives it resumes it".to_owned()
            }
            (Self::End, _) => "was left, and is ended".to_owned(),
            (Self::GoOn, _) => {
                "was left; resumes without a console, in its own background process".to_owned()
            }
            (Self::Stay(because), _) => format!("stays as it is: {because}"),
        }
    }

    #[must_use]
    pub fn acts(&self) -> bool {
        !matches!(self, Self::Stay(_))
    }
}

/// What the deed would come to for each of the runs; an error if one is not there.
pub fn dry_run(journal: &Journal, runs: &[RunId], deed: Deed) -> Result<Vec<Part>, JournalError> {
    let each = runs.iter().map(|run| {
        let row = journal.run(*run)?;
        let will = match (row.ended.is_some(), row.alive, deed) {
            (true, _, _) => Will::Stay(format!("it has ended ({})", row.state())),
            (false, true, Deed::Abort) => Will::TellDriver,
            (false, false, Deed::Abort) => Will::End,
            (false, true, Deed::Resume) if journal.is_paused(*run)? => Will::TellDriver,
            (false, true, Deed::Resume) => Will::Stay("it is already running".to_owned()),
            (false, false, Deed::Resume) => Will::GoOn,
        };
        Ok(Part {
            run: *run,
            task: row.task,
            will,
        })
    });
    each.collect()
}

/// Ends a run, or lets one go on that is driven and paused.
pub fn carry_out(
    teller: &Teller<'_>,
    run: RunId,
    deed: Deed,
    reason: &str,
) -> Result<(), TellError> {
    let command = match deed {
        Deed::Abort => Command::Abort {
            reason: reason.to_owned(),
        },
        Deed::Resume => Command::Resume,
    };
    tell(teller, run, command).map(|_| ())
}
