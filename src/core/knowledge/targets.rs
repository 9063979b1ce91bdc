//! Targets: the items that an entry is about, as its steps, its pattern or its remedies name them.
//!
//! What was tried to get them is what one asks for before one decides about the entry.

use crate::domain::knowledge::{Body, Pattern, Remedy};
use crate::domain::plan::Subgoal;
use pithead_world::family::ItemSpec;
use std::collections::BTreeSet;

/// The items, each once and in order; none for a note, and for what is about no item.
#[must_use]
pub fn targets_of(body: &Body) -> Vec<ItemSpec> {
    let mut items = BTreeSet::new();
    match body {
        Body::Skill(skill) => {
            items.insert(skill.goal);
            items.extend(of_steps(&skill.steps));
        }
        Body::ReferencePlan(plan) => {
            items.insert(plan.goal);
            items.extend(of_steps(&plan.steps));
        }
        Body::Guardrail(rail) => {
            items.extend(rail.forbid.target);
            items.extend(of_remedies(&rail.recovery));
        }
        Body::TaskGuardrail(rail) => {
            let patterns: [&Pattern; 2] = [&rail.task, &rail.before];
            items.extend(patterns.iter().filter_map(|pattern| pattern.target));
            items.extend(of_remedies(&rail.missing));
        }
        Body::Rule(_) | Body::Note(_) => (),
    }
    items.into_iter().collect()
}

fn of_steps(steps: &[Subgoal]) -> impl Iterator<Item = ItemSpec> {
    steps.iter().filter_map(|step| step.goal.object)
}

fn of_remedies(remedies: &[Remedy]) -> impl Iterator<Item = ItemSpec> {
    remedies.iter().filter_map(|remedy| match remedy {
        Remedy::Have { item, .. } => Some(*item),
        Remedy::Station { .. }
        | Remedy::Tool { .. }
        | Remedy::GoBelow { .. }
        | Remedy::GoAbove { .. }
        | Remedy::MoveAway { .. }
        | Remedy::Advice { .. } => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::knowledge::ReferencePlan;
    use crate::domain::samples::{entry, subgoal};

    #[test]
    fn every_item_of_an_entry_is_named_once() {
        let plan = Body::ReferencePlan(ReferencePlan {
            goal: "torch".parse().unwrap(),
            steps: vec![subgoal(1, "coal"), subgoal(2, "stick"), subgoal(3, "coal")],
            count: 1,
            requires: crate::domain::condition::Condition::always(),
            flows: Vec::new(),
            runs: Vec::new(),
            from_successes: 5,
        });
        let names: Vec<String> = targets_of(&plan).iter().map(ToString::to_string).collect();
        assert_eq!(names.len(), 3, "{names:?}");
        assert!(!targets_of(&entry(1, 1, "stone").body).is_empty());
    }
}
