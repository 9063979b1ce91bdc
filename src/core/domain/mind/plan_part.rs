//! Parts of plans: what of a plan is asked for where that is not the whole of it.

use crate::domain::check::Check;
use crate::domain::plan::{Goal, Subgoal};
use pithead_world::wiki::WikiPage;
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
    /// A plan for one goal under the task (GITM).
    Goal(Box<GoalPart>),
}

/// One goal, for who plans goal by goal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GoalPart {
    pub goal: Goal,
    /// Which question on it this is, from 1.
    pub question: u32,
    /// What became of the actions for it, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub feedback: Vec<ActionFeedback>,
    /// What a wiki says of it, in systems that read one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pages: Vec<WikiPage>,
}

/// What the body reported of one action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionFeedback {
    pub action: String,
    pub success: bool,
    /// In words, with what was gained.
    pub said: String,
}

/// The step that ended last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastStep {
    /// What was done, in words.
    pub step: String,
    pub success: bool,
}
