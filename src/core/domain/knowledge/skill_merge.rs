//! Generalising skills: what two sightings of one skill have in common becomes the better skill.
//!
//! Preconditions by intersection, steps by alignment, effects as far as both confirm them; an item that
//! varies within its family becomes the family. Invariant: nothing is added that neither has shown.

use crate::domain::check::Check;
use crate::domain::condition::{Condition, Predicate};
use crate::domain::knowledge::Skill;
use crate::domain::plan::{Subgoal, TaskKind};
use pithead_world::family::ItemSpec;
use pithead_world::smelting::burn_ticks;
use std::collections::BTreeMap;

/// Two ways to one thing of which less than this share of the steps is common stay apart.
/// At half and more the common steps are the way itself; below it they may be chance.
const COMMON_SHARE: f64 = 0.5;

/// The kind of thing that an item stands for: its family where it has one.
pub(super) fn kind_of(spec: ItemSpec) -> ItemSpec {
    match spec {
        ItemSpec::Item(item) => ItemSpec::family_of(item).unwrap_or(spec),
        ItemSpec::Family(_) => spec,
    }
}

/// What both are: the item, or the family of both.
fn meet(one: ItemSpec, other: ItemSpec) -> Option<ItemSpec> {
    if one == other {
        return Some(one);
    }
    // Different items of one family meet in the family, anything else does not.
    (kind_of(one) == kind_of(other)).then(|| kind_of(one))
}

/// Two fuels are one parameter: whatever burns does.
fn are_fuels(one: ItemSpec, other: ItemSpec) -> bool {
    let burns = |spec: ItemSpec| {
        spec.members()
            .iter()
            .all(|item| burn_ticks(*item).is_some())
    };
    burns(one) && burns(other)
}

/// Makes the skill hold for both sightings; false if it did so before, or if they are different ways.
pub(super) fn generalise(known: &mut Skill, draft: &Skill) -> bool {
    let Some(goal) = meet(known.goal, draft.goal) else {
        // Another goal or another way: the two stay apart.
        return false;
    };
    let Some(steps) = align(known, draft) else {
        return false;
    };
    let before = known.clone();
    // Only smelting burns: two fuels are exchangeable there and nowhere else.
    let smelts = steps.iter().any(|step| step.task_kind == TaskKind::Smelt);
    known.goal = goal;
    known.requires = intersect(&known.requires, &draft.requires, smelts);
    known.effects = confirmed(&known.effects, &draft.effects, smelts);
    known
        .success
        .retain(|check| draft.success.iter().any(|other| same_check(check, other)));
    if is_leaner(draft, known) {
        known.count = draft.count;
        known.success.clone_from(&draft.success);
    }
    // A single step is worth as few pieces as either sighting shows.
    if known.steps.len() == 1 {
        known.count = known.count.min(draft.count);
    }
    known.steps = steps;
    *known != before
}

/// Of sightings that got as much, the one that took fewer pieces to make on the way.
/// Fewer pieces for as much is the better knowledge: detours belong to a run.
fn is_leaner(one: &Skill, other: &Skill) -> bool {
    let pieces = |skill: &Skill| skill.steps.iter().map(|s| s.goal.count).sum::<u32>();
    one.count >= other.count && pieces(one) < pieces(other)
}

/// What a step is about, whatever its counts and words.
fn key(step: &Subgoal) -> (TaskKind, Option<ItemSpec>, Option<i64>) {
    let object = step.goal.object.map(kind_of);
    // Steps without an object are distinguished by how far they go, in steps of a chunk's height.
    let amount = if object.is_none() {
        // Depths a few blocks apart are the same; a chunk section is 16 high.
        step.goal.amount.map(|amount| amount / 16)
    } else {
        None
    };
    (step.task_kind, object, amount)
}

/// The steps that both have, in an order that both have, with the counts of the leaner of the two; none
/// if they are different ways.
fn align(known: &Skill, draft: &Skill) -> Option<Vec<Subgoal>> {
    let (a, b) = (&known.steps, &draft.steps);
    let pairs = common(a, b);
    // Against the longer: a short way must not swallow a long one.
    let longer = a.len().max(b.len());
    if (pairs.len() as f64) < COMMON_SHARE * longer as f64 {
        return None;
    }
    let leaner = is_leaner(draft, known);
    let step = |(i, j): (usize, usize)| {
        let (mut step, other) = if leaner {
            (b[j].clone(), &a[i])
        } else {
            (a[i].clone(), &b[j])
        };
        if let (Some(one), Some(two)) = (step.goal.object, other.goal.object)
            // The words of the step must name what its goal names.
            && let Some(both) = meet(one, two)
            && both != one
        {
            step.condition = step.condition.replace(one.name(), both.name());
            rename(&mut step, one, both);
        }
        step
    };
    Some(pairs.into_iter().map(step).collect())
}

/// Says the family wherever the step said the item.
fn rename(step: &mut Subgoal, from: ItemSpec, to: ItemSpec) {
    step.goal.object = Some(to);
    for check in &mut step.checks {
        match check {
            Check::InvGe { item, .. }
            | Check::InvLt { item, .. }
            | Check::InvDeltaGe { item, .. }
            | Check::CraftedGe { item, .. }
            | Check::Equipped { item }
                if *item == from =>
            {
                *item = to;
            }
            _ => (), // it names another thing, or none
        }
    }
}

/// The longest common subsequence, as pairs of places.
fn common(a: &[Subgoal], b: &[Subgoal]) -> Vec<(usize, usize)> {
    let mut lengths = vec![vec![0_usize; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            lengths[i][j] = if key(&a[i]) == key(&b[j]) {
                lengths[i + 1][j + 1] + 1
            } else {
                lengths[i + 1][j].max(lengths[i][j + 1])
            };
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < a.len() && j < b.len() {
        if key(&a[i]) == key(&b[j]) {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        // Either choice keeps the length; this one keeps the order of the known skill.
        } else if lengths[i + 1][j] >= lengths[i][j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

fn parts(condition: &Condition) -> Vec<Condition> {
    match condition {
        Condition::All(parts) => parts.clone(),
        other => vec![other.clone()],
    }
}

/// Held at the start of both, and of each as much as the one that had less.
fn intersect(known: &Condition, draft: &Condition, smelts: bool) -> Condition {
    let (ours, theirs) = (parts(known), parts(draft));
    let common = ours.into_iter().filter_map(|one| {
        let Condition::Is(Predicate::Check(Check::InvGe { item, count })) = &one else {
            return theirs.contains(&one).then_some(one);
        };
        theirs.iter().find_map(|other| match other {
            Condition::Is(Predicate::Check(Check::InvGe { item: i, count: c })) => {
                // The smaller amount was enough in one of the two.
                let both = meet(*item, *i)
                    .or_else(|| (smelts && are_fuels(*item, *i)).then_some(*item))?;
                let count = (*count).min(*c);
                Some(Condition::Is(Predicate::Check(Check::InvGe {
                    item: both,
                    count,
                })))
            }
            _ => None,
        })
    });
    let mut common: Vec<Condition> = common.collect();
    match common.len() {
        // One condition alone needs no conjunction around it.
        1 => common.remove(0),
        _ => Condition::All(common),
    }
}

/// Effects that both show, as far as both go.
fn confirmed(
    known: &BTreeMap<ItemSpec, i64>,
    draft: &BTreeMap<ItemSpec, i64>,
    smelts: bool,
) -> BTreeMap<ItemSpec, i64> {
    let mut both = BTreeMap::new();
    for (item, n) in known {
        let twin = draft.iter().find_map(|(other, m)| {
            let name = meet(*item, *other)
                .or_else(|| (smelts && *n < 0 && are_fuels(*item, *other)).then_some(*item))?;
            (n.signum() == m.signum()).then_some((name, *m))
        });
        if let Some((name, m)) = twin {
            // The smaller change is what both confirm.
            let least = if n.abs() <= m.abs() { *n } else { m };
            both.entry(name).or_insert(least);
        }
    }
    both
}

/// The same question, whatever the number it asks for.
fn same_check(one: &Check, other: &Check) -> bool {
    let subject = |check: &Check| match check {
        Check::InvGe { item, .. } | Check::CraftedGe { item, .. } => Some(kind_of(*item)),
        _ => None,
    };
    one == other
        || (std::mem::discriminant(one) == std::mem::discriminant(other)
            && subject(one).is_some()
            && subject(one) == subject(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skill(goal: &str, steps: &str, requires: &str) -> Skill {
        let step = |step: &str| {
            let (kind, rest) = step.split_once(' ').unwrap();
            let (count, object) = rest.split_once(' ').unwrap();
            format!(
                r#"{{"task_kind":"{kind}","condition":"{step}","goal":{{"object":"{object}","count":{count}}}}}"#
            )
        };
        let steps: Vec<String> = steps.split(", ").map(step).collect();
        let plan = format!(r#"{{"subgoals":[{}]}}"#, steps.join(","));
        let (plan, _) = crate::domain::plan::json::parse_plan(&plan).unwrap();
        Skill {
            goal: goal.parse().unwrap(),
            count: 1,
            requires: requires.parse().unwrap(),
            steps: plan.subgoals,
            success: Vec::new(),
            effects: BTreeMap::new(),
        }
    }

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
    }

    #[test]
    fn the_kind_of_wood_becomes_a_parameter() {
        check(
            skill("oak_planks", "craft 4 oak_planks", "inv oak_log >= 1"),
            &skill("birch_planks", "craft 4 birch_planks", "inv birch_log >= 1"),
            true,
            "#planks: craft 4 #planks if inv #logs >= 1",
        );
    }

    #[test]
    fn chance_steps_and_chance_belongings_are_left_out() {
        check(
            skill(
                "chest",
                "mine 5 #logs, mine 2 dirt, craft 8 #planks, craft 1 chest",
                "inv dirt >= 3 and inv stick >= 2",
            ),
            &skill(
                "chest",
                "mine 2 #logs, craft 8 #planks, craft 1 chest",
                "inv stick >= 1",
            ),
            true,
            "chest: mine 2 #logs, craft 8 #planks, craft 1 chest if inv stick >= 1",
        );
    }

    #[test]
    fn another_way_to_the_same_thing_stays_apart() {
        let mined = "mine 4 #logs, craft 12 #planks, craft 1 wooden_pickaxe, mine 3 iron_ore, smelt 3 iron_ingot";
        check(
            skill("iron_ingot", mined, "always"),
            &skill("iron_ingot", "smelt 1 iron_ingot", "always"),
            false,
            &format!("iron_ingot: {mined} if always"),
        );
    }

    #[test]
    fn generalising_twice_is_generalising_once() {
        let other = skill("birch_planks", "craft 4 birch_planks", "inv birch_log >= 1");
        let mut one = skill("oak_planks", "craft 4 oak_planks", "inv oak_log >= 1");
        assert!(generalise(&mut one, &other));
        assert!(!generalise(&mut one, &other));
    }
}
