//! Earlier tries: failed attempts of this run at the same aim, in brief, over all its plans.
//!
//! K_tol counts the failures of one step of one plan; these are what a window over attempts looks at. Invariant:
//! a success at the aim ends the row.

use crate::domain::experience::Experience;
use crate::domain::experience::diagnosis::FailureReason;
use crate::domain::experience::recall::h_cond;
use crate::domain::plan::{Executor, Subgoal};
use crate::text::signature::Signature;
use pithead_world::family::ItemSpec;
use pithead_world::ids::AttemptId;
use pithead_world::space::Pos;
use serde::{Deserialize, Serialize};

/// What a step is after, whatever plan it is part of and however many pieces it asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Aim {
    executor: Executor,
    object: Option<ItemSpec>,
    /// Of a step without an object: what is to become true.
    condition: Option<Signature>,
}

impl Aim {
    #[must_use]
    pub fn of_step(step: &Subgoal) -> Self {
        let object = step.goal.object;
        Self {
            executor: step.executor_hint,
            object,
            condition: object.is_none().then(|| h_cond(&step.checks)),
        }
    }
}

/// One failed attempt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EarlierTry {
    pub attempt: AttemptId,
    /// Where it ended.
    pub end: Pos,
    /// Pieces of the step's object held at the end.
    pub held: u32,
    /// What the checks missed at the end, in their units; none if that cannot be measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<f64>,
    pub reason: FailureReason,
}

impl EarlierTry {
    /// None of a success.
    #[must_use]
    pub fn of_failure(experience: &Experience) -> Option<Self> {
        let object = experience.action.goal.object;
        let indicators = &experience.diagnosis.indicators;
        let missing = indicators
            .iter()
            .find(|indicator| indicator.name == MISSING_AT_END);
        Some(Self {
            attempt: experience.attempt,
            end: experience.post.position,
            held: object.map_or(0, |item| experience.post.inventory.count(item)),
            missing: missing.map(|indicator| indicator.value),
            reason: experience.diagnosis.reason?,
        })
    }
}

/// The name of the indicator, as diagnoses hold it.
pub const MISSING_AT_END: &str = "distance to true at end";
