//! What a selector saw of a step that it could have taken.

use crate::domain::horizon::Horizon;
use pithead_world::ids::SubgoalId;
use serde::{Deserialize, Serialize};

/// A step that could have been selected, and what was predicted of it (DEPS).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ComparedStep {
    pub subgoal: SubgoalId,
    pub horizon: Horizon,
    /// softmax(-μ) over the candidates, 0 to 1.
    pub probability: f64,
}
