//! Patterns: which subgoals a guardrail is about, and when it forbids one.
//!
//! Verifier, run-time block and backtest ask here, so that a guardrail means the same everywhere.
//! Invariant: what is not known never forbids.

use crate::domain::check::Truth;
use crate::domain::condition::situation::Situation;
use crate::domain::knowledge::{Guardrail, Pattern, Region};
use crate::domain::plan::Subgoal;
use pithead_world::family::ItemSpec;
use pithead_world::space::Pos;

/// Whether the subgoal is of the kind, target, tool and words that the pattern names. The region
/// is a matter of the situation; see `forbids`.
#[must_use]
pub fn fits(pattern: &Pattern, subgoal: &Subgoal) -> bool {
    let Pattern {
        // Destructured, so that a new part cannot be forgotten.
        kind,
        target,
        tool,
        region: _,
        text,
    } = pattern;
    let words = || subgoal.condition.to_lowercase();
    kind.is_none_or(|kind| kind == subgoal.task_kind)
        && target.is_none_or(|wide| {
            subgoal
                .goal
                .object
                .is_some_and(|narrow| within(narrow, wide))
        })
        && tool.is_none_or(|wide| subgoal.goal.tool.is_some_and(|narrow| within(narrow, wide)))
        && text
            .as_ref()
            .is_none_or(|part| words().contains(&part.to_lowercase()))
}

/// Whether all that `narrow` may be is something that `wide` asks for.
/// For bans: the step must be wholly inside what is forbidden.
#[must_use]
pub fn within(narrow: ItemSpec, wide: ItemSpec) -> bool {
    narrow == wide || narrow.members().iter().all(|item| wide.matches(*item))
}

/// Whether some item is asked for by both.
/// For advice: it is enough that they may be the same.
#[must_use]
pub fn overlaps(a: ItemSpec, b: ItemSpec) -> bool {
    a == b || a.members().iter().any(|item| b.matches(*item))
}

/// Whether a place lies in the region.
#[must_use]
pub fn contains(region: &Region, at: Pos) -> bool {
    region.centre.distance(at) <= f64::from(region.radius)
}

/// Whether the guardrail forbids the subgoal in this situation.
#[must_use]
pub fn forbids(guardrail: &Guardrail, subgoal: &Subgoal, situation: &Situation<'_>) -> Truth {
    if !fits(&guardrail.forbid, subgoal) {
        // False for sure: the pattern is about another step.
        return Truth::False;
    }
    let here = match (&guardrail.forbid.region, situation.position) {
        (None, _) => Truth::True,
        (Some(_), None) => Truth::Unknown,
        (Some(region), Some(at)) => Truth::from_bool(contains(region, at.block())),
    };
    // The trigger may ask about the step itself.
    here.and(guardrail.trigger.truth(&situation.pursuing(subgoal)))
}
