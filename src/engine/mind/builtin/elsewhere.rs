//! Elsewhere: guardrails whose trigger speaks of circumstances that do not hold where the body is.
//!
//! What forbids a step under ground asks for nothing above it. Invariant: only circumstances are looked at (place,
//! time, health), never what is carried, for that changes along the plan; at the step itself the guardrail is judged
//! in full.

use pithead_core::domain::check::{Check, Truth};
use pithead_core::domain::condition::situation::Situation;
use pithead_core::domain::condition::{Condition, Predicate};
use pithead_core::domain::experience::state_summary::StateSummary;
use pithead_core::domain::knowledge::{Body, Entry};

/// Whether the entry is a guardrail for other circumstances than these.
pub(super) fn is_for_elsewhere(entry: &Entry, state: &StateSummary) -> bool {
    match &entry.body {
        Body::Guardrail(guardrail) => cannot_hold(&guardrail.trigger, &circumstances(state)),
        Body::Skill(_)
        | Body::TaskGuardrail(_)
        | Body::Rule(_)
        | Body::ReferencePlan(_)
        | Body::Note(_) => false,
    }
}

/// What is carried is left unknown, so that no verdict rests on it.
fn circumstances(state: &StateSummary) -> Situation<'_> {
    Situation {
        position: Some(state.position.centre()),
        health: Some(state.health),
        hunger: Some(state.hunger),
        underground: Some(state.underground),
        biome: Some(&state.biome),
        time: Some(state.time),
        ..Situation::default()
    }
}

fn cannot_hold(trigger: &Condition, now: &Situation<'_>) -> bool {
    match trigger {
        Condition::All(parts) => parts.iter().any(|part| cannot_hold(part, now)),
        Condition::Any(parts) => {
            !parts.is_empty() && parts.iter().all(|part| cannot_hold(part, now))
        }
        Condition::Is(predicate) => {
            is_circumstance(predicate) && trigger.truth(now) == Truth::False
        }
        Condition::Not(part) => match &**part {
            Condition::Is(predicate) => {
                is_circumstance(predicate) && trigger.truth(now) == Truth::False
            }
            _ => false,
        },
    }
}

/// Heights are none: plans lead up and down, and say so.
fn is_circumstance(predicate: &Predicate) -> bool {
    matches!(
        predicate,
        Predicate::BiomeIn(_)
            | Predicate::HealthLt(_)
            | Predicate::HungerLt(_)
            | Predicate::Underground
            | Predicate::Check(Check::WorldTime { .. })
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_core::domain::samples::guardrail;
    use pithead_world::counts::Counts;

    fn is_elsewhere(trigger: &str, state: &StateSummary) -> bool {
        let mut entry = pithead_core::domain::samples::entry(1, 1, "#logs");
        entry.body = Body::Guardrail(pithead_core::domain::knowledge::Guardrail {
            trigger: trigger.parse().unwrap(),
            ..guardrail("#logs")
        });
        is_for_elsewhere(&entry, state)
    }

    #[test]
    fn what_holds_under_ground_asks_for_nothing_above_it() {
        let above = StateSummary::holding(Counts::default());
        let mut below = above.clone();
        below.underground = true;
        let trigger = "underground and not tool pickaxe >= wood";
        assert!(is_elsewhere(trigger, &above));
        assert!(!is_elsewhere(trigger, &below));
        assert!(is_elsewhere("not underground", &below));
        // What is carried changes along the plan, and one of two may hold.
        assert!(!is_elsewhere("not tool pickaxe >= wood", &above));
        assert!(!is_elsewhere(
            "underground or not tool pickaxe >= wood",
            &above
        ));
    }
}
