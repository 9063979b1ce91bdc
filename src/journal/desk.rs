//! The desk: changes of the knowledge base that no run made, by an operator, an import or a rule.
//!
//! They are events like all others, in the list of run 0, which has no task, no world and no driver.
//! Whoever changes something looks and writes in one transaction, so that two programs at the same
//! database never decide on what is no longer so.

use super::append::{append, last_seq};
use super::{Journal, JournalError, knowledge};
use crate::clock::Millis;
use crate::domain::event::{Event, Recorded};
use crate::domain::knowledge::Entry;
use crate::ids::{RunId, Seq};

/// The run whose events the desk's are.
pub const DESK: RunId = RunId(0);

/// Why nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused(pub String);

impl Journal {
    /// Shows the whole base to `decide` and writes what it says, or nothing. No other program can
    /// change the base in between.
    pub fn curate(
        &mut self,
        at: Millis,
        decide: impl FnOnce(&[Entry]) -> Result<Vec<Event>, Refused>,
    ) -> Result<Result<Vec<Recorded>, Refused>, JournalError> {
        let mut bad = None;
        let done = self.write("change the knowledge base", |tx| {
            let entries = match knowledge::all(tx)? {
                Ok(entries) => entries,
                Err(error) => {
                    bad = Some(error);
                    return Ok(Ok(Vec::new()));
                }
            };
            match decide(&entries) {
                Ok(events) if events.is_empty() => Ok(Ok(Vec::new())),
                Ok(events) => {
                    let last = last_seq(tx, DESK)?.unwrap_or(Seq(0));
                    append(tx, DESK, last, at, events).map(Ok)
                }
                Err(refused) => Ok(Err(refused)),
            }
        })?;
        match bad {
            Some(error) => Err(error),
            None => Ok(done),
        }
    }
}
