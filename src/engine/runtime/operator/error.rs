//! Why nothing came of what an operator wanted: kinds for callers, and a hint for people.

use super::super::open::OpenError;
use crate::journal::{JournalError, Refused};
use pithead_core::domain::plan::note::Severity;
use pithead_core::knowledge::lint::Remark;
use pithead_world::ids::{KnowledgeId, RunId};
use std::path::PathBuf;

/// Nothing was changed, except where `Unconfirmed` says that it is not known.
#[derive(Debug, thiserror::Error)]
pub enum OperatorError {
    /// The run, or the entry as it is now, does not allow it.
    #[error("{because}")]
    Refused { because: String },
    /// Lint found errors in what the entry says, or would say.
    #[error("{id} has errors: {}", first_error(.remarks))]
    Lint {
        id: KnowledgeId,
        remarks: Vec<Remark>,
    },
    #[error("{id} is not in the database")]
    NoEntry { id: KnowledgeId },
    /// Another process drives the run and could not be reached.
    #[error("the process that drives run {run} does not answer: {because}")]
    Unreachable { run: RunId, because: String },
    /// The process has the command, and its journal has not shown what came of it.
    #[error(
        "run {run} was given `{command}` and has not confirmed it within {waited_ms} ms; it may still be carried out"
    )]
    Unconfirmed {
        run: RunId,
        command: &'static str,
        waited_ms: u64,
    },
    #[error("{}: {because}", path.display())]
    Rules { path: PathBuf, because: String },
    #[error(transparent)]
    Open(#[from] OpenError),
}

impl OperatorError {
    /// What a person may do about it, if there is something.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Lint { .. } => Some("edit the entry first".to_owned()),
            Self::NoEntry { .. } => Some("`pithead kb list` lists the entries".to_owned()),
            Self::Unreachable { run, .. } => Some(format!("`pithead watch {run}` follows it")),
            Self::Unconfirmed { run, .. } => {
                Some(format!("`pithead show {run}` shows whether it was"))
            }
            Self::Rules { .. } => Some("the file was left as it is".to_owned()),
            // These say what to do in their own words.
            Self::Refused { .. } | Self::Open(_) => None,
        }
    }
}

impl From<JournalError> for OperatorError {
    fn from(error: JournalError) -> Self {
        Self::Open(error.into())
    }
}

impl From<Refused> for OperatorError {
    fn from(Refused(because): Refused) -> Self {
        Self::Refused { because }
    }
}

fn first_error(remarks: &[Remark]) -> String {
    let error = remarks.iter().find(|r| r.severity == Severity::Error);
    error.map_or_else(String::new, |error| match error.path.as_str() {
        "" => error.message.clone(),
        path => format!("{path}: {}", error.message),
    })
}
