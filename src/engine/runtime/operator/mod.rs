//! What an operator does: answer a question, change an entry, save a rule, tell a run a command, end
//! or resume many runs. The console and the command line are callers and have no second way.
//!
//! Invariant: durable before acknowledged. Each function returns only after the journal holds the
//! event, and says with a typed error why it does not.

pub mod answer;
pub mod bulk;
pub mod curate;
pub mod distil_anew;
mod error;
pub mod import;
pub mod rules;
pub mod tell;
#[cfg(test)]
mod tests;
pub mod triage;

pub use error::OperatorError;

use super::link::Commander;
use crate::journal::{Durability, Journal, JournalError};
use pithead_world::clock::Clock;
use std::path::PathBuf;

/// Who acts, and on which database. A copy may go to another thread.
#[derive(Debug, Clone)]
pub struct Operator {
    pub database: PathBuf,
    pub name: String,
    pub clock: Clock,
    /// The runs that this process drives, if it drives any: their seat is taken by this operator, so
    /// that the socket would refuse them a second voice.
    pub drives: Vec<Commander>,
}

impl Operator {
    /// An operator who drives no run in this process.
    #[must_use]
    pub fn new(database: impl Into<PathBuf>, name: impl Into<String>, clock: Clock) -> Self {
        Self {
            database: database.into(),
            name: name.into(),
            clock,
            drives: Vec::new(),
        }
    }

    /// Opened for writing. Whoever calls has looked first: an operator never makes a database.
    fn open_journal(&self) -> Result<Journal, JournalError> {
        Journal::open(&self.database, Durability::Full)
    }

    fn look_journal(&self) -> Result<Journal, JournalError> {
        Journal::look(&self.database)
    }
}
