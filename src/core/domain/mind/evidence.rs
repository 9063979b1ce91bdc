//! What a mind is shown of a run: attempts, and plans that were sent back.
//!
//! Used by all kinds of questions, and so apart from them.

use crate::domain::experience::diagnosis::{Diagnosis, FailureReason};
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::plan::Plan;
use crate::domain::plan::note::Note;
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
}

/// A plan that did not pass.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rejected {
    pub plan: Plan,
    pub notes: Vec<Note>,
}
