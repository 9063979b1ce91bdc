//! Tasks: what is to be achieved, as the operator said it and as checks that decide.
//!
//! Success is decided by the checks with exact items and counts, never by the words.

use super::check::Check;
use crate::world::family::ItemSpec;
use serde::{Deserialize, Serialize};

/// One task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// The words of the operator, for people and for language models.
    pub text: String,
    /// What is wanted, and how many.
    pub goal: ItemSpec,
    pub count: u32,
    /// All of these must be true for success.
    pub success: Vec<Check>,
}
