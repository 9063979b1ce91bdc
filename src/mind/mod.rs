//! Minds: who answers the typed questions of the loop.
//!
//! A mind may use only what the ask holds. Its answers are text and are validated by whoever asked.

pub mod builtin;
pub mod spec;

use crate::domain::ask::Ask;

/// Who answers.
pub trait Mind: Send {
    /// The name shown with every result, for example `builtin:competent (simulated planner)`.
    fn name(&self) -> String;

    /// Answers with the JSON that the ask's role calls for, or says why it cannot.
    fn answer(&mut self, ask: &Ask) -> Result<String, String>;
}
