//! What a mind is shown of a run: attempts, and plans that were sent back.
//!
//! Used by all kinds of questions, and so apart from them.

use crate::domain::experience::diagnosis::{Diagnosis, FailureReason};
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::plan::note::Note;
use crate::domain::plan::{Plan, Subgoal};
use pithead_world::ids::{AttemptId, ExperienceId, RunId};
use serde::{Deserialize, Serialize};

/// An attempt in brief.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttemptSummary {
    pub id: ExperienceId,
    pub step: String,
    pub success: bool,
    pub reason: Option<FailureReason>,
    pub summary: String,
}

/// One failed attempt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FailedAttempt {
    pub attempt: AttemptId,
    /// The earlier run that it is of; none for the run that asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    pub pre: StateSummary,
    pub diagnosis: Diagnosis,
    /// Of a failed case that was reflected on: what was suggested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
}

/// A plan that did not pass.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rejected {
    pub plan: Plan,
    pub notes: Vec<Note>,
    /// The answer that the plan was read from, where a model gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
}

/// The plan that failed, for whoever makes the next one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FailedPlan {
    /// The step at which it failed.
    pub step: Subgoal,
    /// The attempts at it, oldest first.
    pub attempts: Vec<FailedAttempt>,
    /// The cause that was found, in words; empty if nobody looked for one.
    pub cause: String,
    /// What was left of the plan, that step first.
    pub left: Vec<Subgoal>,
}
