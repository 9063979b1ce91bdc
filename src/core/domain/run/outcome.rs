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
