//! Parts of plans: what of a plan is asked for where that is not the whole of it.

use crate::domain::check::Check;
use crate::domain::plan::Subgoal;
use serde::{Deserialize, Serialize};

/// What a planner that does not write whole plans is asked for now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "part", rename_all = "snake_case")]
pub enum PlanPart {
    /// The step after this one.
    NextStep { last: LastStep },
    /// One step that makes an assertion true, to be done before the step that asserts it.
    Mending {
        step: Box<Subgoal>,
        assertion: Check,
    },
}

/// The step that ended last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastStep {
    /// What was done, in words.
    pub step: String,
    pub success: bool,
}
