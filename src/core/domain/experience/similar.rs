//! Likes: when two failures, of whatever run, are failures of one sort (Eq. 7).
//!
//! A failure says something about a place or about what was lacking. Of places only the same region of
//! the same world is like; what was lacking is like anywhere. Invariant: likeness is symmetric.

use crate::domain::experience::cell::Cells;
use crate::domain::experience::diagnosis::{FailType, FailureReason};
use crate::domain::experience::recall::h_cond;
use crate::domain::plan::{Subgoal, TaskKind};
use crate::text::signature::Signature;
use pithead_world::space::Pos;
use serde::{Deserialize, Serialize};

/// The sort of a failure.
/// Equality of this key is the likeness: no thresholds, and symmetric by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SimilarityKey {
    pub kind: TaskKind,
    /// h_cond of what was to become true.
    pub condition: Signature,
    pub reason: FailureReason,
    /// The large cell of Eq. 5, for failures that are a place's.
    /// Only for reasons that speak of a place, so that what is lacking is compared across
    /// worlds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<u64>,
}

impl SimilarityKey {
    /// The sort of a failure of this subgoal, begun there in the world of `seed`.
    #[must_use]
    pub fn of_failure(subgoal: &Subgoal, reason: FailureReason, seed: u64, at: Pos) -> Self {
        let region = is_of_a_place(reason).then(|| Cells::containing(seed, at).region);
        Self {
            kind: subgoal.task_kind,
            condition: h_cond(&subgoal.checks),
            reason,
            region,
        }
    }
}

/// Whether the reason speaks of where it was tried and not of how.
fn is_of_a_place(reason: FailureReason) -> bool {
    // The coarse class decides, so that a new reason cannot be forgotten.
    match reason.fail_type() {
        FailType::Navigation | FailType::Environment => true,
        FailType::Interaction | FailType::Timeout | FailType::Unknown => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::samples::subgoal;

    #[test]
    fn what_was_lacking_is_like_anywhere_and_a_bad_place_only_there() {
        let like = |n, reason, seed, x| {
            SimilarityKey::of_failure(&subgoal(n, "coal"), reason, seed, Pos { x, y: 60, z: 1 })
        };
        let tool = FailureReason::ToolMissing;
        assert_eq!(like(1, tool, 7, 0), like(2, tool, 8, 900));
        assert_ne!(like(1, tool, 7, 0), like(1, FailureReason::Timeout, 7, 0));
        let stuck = FailureReason::NavStuck;
        assert_eq!(like(1, stuck, 7, 0), like(2, stuck, 7, 100));
        assert_ne!(like(1, stuck, 7, 0), like(2, stuck, 7, 900));
        assert_ne!(like(1, stuck, 7, 0), like(2, stuck, 8, 0));
    }
}
