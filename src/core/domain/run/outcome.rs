//! How a run ended.
//!
//! Apart from the events, so that questions to a mind can name it without knowing them.

use serde::{Deserialize, Serialize};

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// All success checks of the task are true.
    Success,
    Failure,
    /// The operator ended it.
    Aborted,
}

/// Why a run ended that an operator aborted, as its last event says.
#[must_use]
pub fn aborted_by(operator: &str, reason: &str) -> String {
    format!("aborted by {operator}: {reason}")
}
