//! Contradiction: what a mind concluded from failures, and the same failures speak against.
//!
//! Such a lesson binds its run and becomes no entry. Invariant: only what all of its attempts say counts against it.

use super::post_mortem::lost_tool;
use crate::domain::knowledge::{Guardrail, Remedy};
use crate::domain::mind::evidence::FailedAttempt;

/// Whether the failures that a lesson rests on speak against it: it calls a height wrong, and in each of them the
/// tool broke or was none.
#[must_use]
pub fn is_contradicted<'a>(
    lesson: &Guardrail,
    mut evidence: impl Iterator<Item = &'a FailedAttempt>,
) -> bool {
    let is_height =
        |remedy: &Remedy| matches!(remedy, Remedy::GoBelow { .. } | Remedy::GoAbove { .. });
    lesson.recovery.iter().any(is_height) && evidence.all(|failure| lost_tool(&failure.diagnosis))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::experience::state_summary::StateSummary;
    use crate::domain::samples::{diagnosis, guardrail};
    use pithead_world::counts::Counts;
    use pithead_world::ids::AttemptId;

    fn search(changes: &[(&str, i64)]) -> FailedAttempt {
        let mut found = diagnosis(false);
        let changes = changes.iter();
        found.delta.inventory = changes
            .map(|(item, n)| (item.parse().unwrap(), *n))
            .collect();
        FailedAttempt {
            suggestion: None,
            attempt: AttemptId(1),
            run: None,
            pre: StateSummary::holding(Counts::default()),
            diagnosis: found,
        }
    }

    #[test]
    fn a_search_whose_tool_broke_says_nothing_of_the_height() {
        let mut lesson = guardrail("diamond");
        lesson.recovery = vec![Remedy::GoBelow { y: 12 }];
        let worn = search(&[("stone_pickaxe", -2), ("cobblestone", 90)]);
        let sound = search(&[("cobblestone", 90)]);
        assert!(is_contradicted(&lesson, [&worn, &worn].into_iter()));
        assert!(!is_contradicted(&lesson, [&worn, &sound].into_iter()));
        // Other remedies are not about the place.
        lesson.recovery = vec![Remedy::MoveAway { blocks: 64 }];
        assert!(!is_contradicted(&lesson, [&worn].into_iter()));
    }
}
