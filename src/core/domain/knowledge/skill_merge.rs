//! Generalising skills: two sightings of one skill become one that rests on the evidence of both.
//!
//! The steps of the leaner sighting, with what both took; an item that varies within its family becomes the
//! family. Invariant: the sum is played on paper, and one that does not come out is not taken.

use crate::domain::check::Check;
use crate::domain::condition::{Condition, Predicate};
use crate::domain::knowledge::inputs::all_together;
use crate::domain::knowledge::{Skill, closure};
use crate::domain::plan::{Subgoal, TaskKind};
use pithead_world::family::ItemSpec;

/// What both are: the item, or the family of both.
fn meet(one: ItemSpec, other: ItemSpec) -> Option<ItemSpec> {
    if one == other {
        return Some(one);
    }
    // Different items of one family meet in the family, anything else does not.
    (one.kind() == other.kind()).then(|| one.kind())
}

/// Adds what the draft has shown; false if that changes nothing, or if the two are different ways.
///
/// The steps are those of the leaner sighting: a detour belongs to its run. What each step takes comes from
/// both. A sum that does not lead to its success is not taken, and both sightings stand as they were.
pub(super) fn generalise(known: &mut Skill, draft: &Skill) -> bool {
    let Some(goal) = meet(known.goal, draft.goal) else {
        return false;
    };
    let is_seen = |skill: &Skill| skill.flows.len() == skill.steps.len();
    if !is_seen(draft) || closure::replay(draft).is_err() {
        return false;
    }
    if !is_seen(known) {
        // Of what stood there nothing was seen; if it is a way of its own it stays.
        let is_same_way = known.steps.len() == 1 || keys(known) == keys(draft);
        if is_same_way {
            known.clone_from(draft);
        }
        return is_same_way;
    }
    let lean = is_leaner(draft, known);
    let (base, other) = if lean {
        (draft, &*known)
    } else {
        (&*known, draft)
    };
    let mut sum = base.clone();
    sum.goal = goal;
    for (step, flow) in sum.steps.iter_mut().zip(&mut sum.flows) {
        let twin = (0..other.steps.len()).find(|at| key(&other.steps[*at]) == key(step));
        let Some(twin) = twin else { continue };
        flow.add(&other.flows[twin]);
        if let (Some(one), Some(two)) = (step.goal.object, other.steps[twin].goal.object)
            && let Some(both) = meet(one, two)
            && both != one
        {
            // The words of the step must name what its goal names.
            step.condition = step.condition.replace(one.name(), both.name());
            rename(step, one, both);
        }
    }
    for check in &mut sum.success {
        check.rename(base.goal, goal);
    }
    if let ([step], [flow]) = (&sum.steps[..], &sum.flows[..]) {
        let count = step.goal.count.max(1);
        let stays = parts(&base.requires)
            .into_iter()
            .filter(|part| !is_at_hand(part) && parts(&other.requires).contains(part));
        let requires = flow.requirements(count).into_iter().chain(stays);
        sum.requires = all_together(requires.collect());
        sum.effects = flow.effects(goal, count);
    } else if let Ok(effects) = closure::effects(&sum) {
        sum.effects = effects;
    }
    let is_better = closure::replay(&sum).is_ok() && sum != *known;
    if is_better {
        *known = sum;
    }
    is_better
}

/// Says what has to be at hand: that follows from the inputs.
fn is_at_hand(part: &Condition) -> bool {
    match part {
        Condition::Is(
            Predicate::Check(Check::InvGe { .. } | Check::Near { .. }) | Predicate::ToolGe { .. },
        ) => true,
        Condition::Any(parts) | Condition::All(parts) => parts.iter().all(is_at_hand),
        Condition::Is(_) | Condition::Not(_) => false,
    }
}

/// Of sightings that got as much, the one that asks for less at its start, then the one with fewer steps and
/// fewer pieces on the way: detours and belongings are of a run.
fn is_leaner(one: &Skill, other: &Skill) -> bool {
    let weight = |skill: &Skill| {
        let pieces = skill.steps.iter().map(|s| s.goal.count).sum::<u32>();
        // Of one step the smaller batch shows more.
        let asks = if skill.steps.len() == 1 {
            0
        } else {
            parts(&skill.requires).len()
        };
        (asks, skill.steps.len(), pieces)
    };
    (one.count >= other.count || one.steps.len() == 1) && weight(one) < weight(other)
}

fn keys(skill: &Skill) -> Vec<(TaskKind, Option<ItemSpec>, Option<i64>)> {
    skill.steps.iter().map(key).collect()
}

/// What a step is about, whatever its counts and words.
fn key(step: &Subgoal) -> (TaskKind, Option<ItemSpec>, Option<i64>) {
    let object = step.goal.object.map(ItemSpec::kind);
    // Steps without an object are distinguished by how far they go.
    let amount = if object.is_none() {
        // Depths a few blocks apart are the same; a chunk section is 16 high.
        step.goal.amount.map(|amount| amount / 16)
    } else {
        None
    };
    (step.task_kind, object, amount)
}

/// Says the family wherever the step said the item.
pub(crate) fn rename(step: &mut Subgoal, from: ItemSpec, to: ItemSpec) {
    step.goal.object = Some(to);
    for check in &mut step.checks {
        check.rename(from, to);
    }
}

impl Check {
    /// Asks for `to` where it asked for `from`.
    fn rename(&mut self, from: ItemSpec, to: ItemSpec) {
        match self {
            Self::InvGe { item, .. }
            | Self::InvLt { item, .. }
            | Self::InvDeltaGe { item, .. }
            | Self::CraftedGe { item, .. }
            | Self::Equipped { item }
                if *item == from =>
            {
                *item = to;
            }
            _ => (), // it names another thing, or none
        }
    }
}

pub(crate) fn parts(condition: &Condition) -> Vec<Condition> {
    match condition {
        Condition::All(parts) => parts.clone(),
        other => vec![other.clone()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::samples::seen_skill;

    fn words(skill: &Skill) -> String {
        let steps: Vec<&str> = skill.steps.iter().map(|s| s.condition.as_str()).collect();
        format!("{}: {} if {}", skill.goal, steps.join(", "), skill.requires)
    }

    #[track_caller]
    fn check(one: Skill, other: &Skill, changed: bool, expected: &str) {
        let mut both = one;
        assert_eq!(
            (generalise(&mut both, other), words(&both).as_str()),
            (changed, expected)
        );
        assert_eq!(closure::replay(&both), Ok(()));
    }

    #[test]
    fn the_kind_of_wood_becomes_a_parameter() {
        let planks = |wood: &str| {
            let (goal, log) = (format!("{wood}_planks"), "inv #logs >= 1");
            let step = format!("craft 4 {goal}");
            seen_skill(&goal, log, &[(&step, "#logs 1", "")])
        };
        check(
            planks("oak"),
            &planks("birch"),
            true,
            "#planks: craft 4 #planks if inv #logs >= 1",
        );
    }

    #[test]
    fn any_fuel_will_do_at_the_rate_of_all_sightings() {
        let smelted = |made: u32, fuel: &str, n: u32| {
            let step = format!("smelt {made} iron_ingot");
            let used = format!("iron_ore {made}, {fuel} {n}");
            let requires =
                format!("inv iron_ore >= {made} and inv {fuel} >= {n} and inv furnace >= 1");
            seen_skill("iron_ingot", &requires, &[(&step, &used, "furnace")])
        };
        let mut known = smelted(8, "coal", 1);
        assert!(generalise(&mut known, &smelted(2, "#planks", 2)));
        assert!(generalise(&mut known, &smelted(4, "coal", 1)));
        assert_eq!(
            words(&known),
            "iron_ingot: smelt 2 iron_ingot if inv iron_ore >= 2 and (inv coal >= 1 or inv #planks >= 2) \
             and (near furnace 4 or inv furnace >= 1)"
        );
        assert_eq!(known.flows[0].common().made, 14);
    }

    #[test]
    fn the_leaner_of_two_ways_stays_and_is_never_broken() {
        let furnace = ("craft 1 furnace", "cobblestone 8", "");
        let long = seen_skill(
            "furnace",
            "always",
            &[
                ("mine 3 #logs", "", ""),
                ("mine 2 dirt", "", ""),
                ("mine 8 cobblestone", "", ""),
                furnace,
            ],
        );
        let short = seen_skill(
            "furnace",
            "always",
            &[("mine 8 cobblestone", "", ""), furnace],
        );
        let lean = "furnace: mine 8 cobblestone, craft 1 furnace if always";
        check(long.clone(), &short, true, lean);
        check(short.clone(), &long, true, lean);
        let mut broken = short;
        broken.steps.remove(0);
        broken.flows.remove(0);
        let mut known = long.clone();
        assert!(!generalise(&mut known, &broken), "it lacks the cobblestone");
        assert_eq!(known, long);
    }

    #[test]
    fn another_way_to_the_same_thing_stays_apart() {
        let mut unseen = seen_skill("iron_ingot", "always", &[("smelt 1 iron_ingot", "", "")]);
        unseen.flows.clear();
        let long = seen_skill(
            "iron_ingot",
            "always",
            &[
                ("mine 3 iron_ore", "", ""),
                ("smelt 3 iron_ingot", "iron_ore 3", ""),
            ],
        );
        check(long.clone(), &unseen, false, &words(&long));
    }
}
