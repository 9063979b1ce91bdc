//! Skills from success: closed sequences of attempts that all succeeded (Eq. 6).
//!
//! One skill for the whole task, and one for each thing that was crafted or smelted on the way,
//! which is what carries over to other tasks. Invariant: nothing is claimed that was not seen.

use crate::domain::check::Check;
use crate::domain::condition::{Condition, Predicate};
use crate::domain::experience::Experience;
use crate::domain::knowledge::Skill;
use crate::domain::plan::task::Task;
use crate::domain::plan::{Subgoal, TaskKind, label};
use pithead_world::counts::Counts;
use pithead_world::family::ItemSpec;
use pithead_world::ids::ExperienceId;
use pithead_world::item::ItemId;
use std::collections::BTreeMap;

/// A skill and the experiences that it rests on.
/// Experiences are cited, so that a curator can see what a skill rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct Distilled {
    pub skill: Skill,
    pub experiences: Vec<ExperienceId>,
}

/// The skills that a run shows, the whole task first. `done` are its finished subgoals in order,
/// those included that turned out to be done without an attempt: luck is no part of a skill.
#[must_use]
pub fn from_run(task: &Task, done: &[Subgoal], successes: &[Experience]) -> Vec<Distilled> {
    let mut distilled: Vec<Distilled> = whole(task, done, successes).into_iter().collect();
    for experience in successes {
        // Crafting and smelting have the same inputs and results anywhere; mining depends
        // on where it was done.
        let single = match experience.action.task_kind {
            TaskKind::Craft | TaskKind::Smelt => single(experience),
            TaskKind::Mine | TaskKind::Use | TaskKind::Combat | TaskKind::Move | TaskKind::Wait => {
                None
            }
        };
        if let Some(single) = single
            // A task of one step is its own single skill.
            && !distilled
                .iter()
                .any(|d| d.skill.steps == single.skill.steps)
        {
            distilled.push(single);
        }
    }
    distilled
}

/// The run as one skill: all steps from how it began to the task's success.
fn whole(task: &Task, done: &[Subgoal], successes: &[Experience]) -> Option<Distilled> {
    let (first, last) = (successes.first()?, successes.last()?);
    // A run that lived on what failed attempts had left would be a recipe that cannot be
    // repeated.
    if !is_closed(&first.pre.inventory, successes) {
        return None;
    }
    Some(Distilled {
        skill: Skill {
            goal: task.goal,
            count: task.count,
            requires: holding(&first.pre.inventory),
            steps: done.iter().map(bare).collect(),
            success: task.success.clone(),
            effects: effects(&last.post.inventory.delta(&first.pre.inventory)),
        },
        experiences: successes.iter().map(|e| e.id).collect(),
    })
}

/// Whether all that was used up was there at the start or came from the successes. What a failed
/// attempt left behind is missing when only the successes are done again.
fn is_closed(start: &Counts, successes: &[Experience]) -> bool {
    let mut held: BTreeMap<ItemId, i64> = start.iter().map(|(i, n)| (i, i64::from(n))).collect();
    successes.iter().all(|success| {
        let delta = &success.diagnosis.delta;
        let of = |item| held.get(&item).copied().unwrap_or_default();
        // Used up before it is counted as gained: a step cannot live on its own product.
        let enough = delta.used.iter().all(|(item, n)| of(item) >= i64::from(n));
        for (item, n) in &delta.inventory {
            *held.entry(*item).or_default() += n;
        }
        enough
    })
}

/// One step as a skill, for as few pieces as it shows: what went into them is what it requires. Things
/// are named by their family where they have one, for the kind of wood was chance.
fn single(experience: &Experience) -> Option<Distilled> {
    let goal = experience.action.goal.object?;
    let delta = &experience.diagnosis.delta;
    let gains = delta
        .inventory
        .iter()
        .filter(|(item, n)| **n > 0 && goal.matches(**item));
    // Several members of a family may have come, as planks of two woods.
    let made: i64 = gains.map(|(_, n)| *n).sum();
    if made == 0 {
        return None;
    }
    let mut effects: BTreeMap<ItemSpec, i64> = BTreeMap::from([(goal, made)]);
    for (item, n) in delta.used.iter() {
        // The family, so that the skill holds for any wood.
        let spec = ItemSpec::family_of(item).unwrap_or(ItemSpec::Item(item));
        *effects.entry(spec).or_default() -= i64::from(n);
    }
    // Divided by what all amounts share: four planks of one log, however many were made.
    let common = effects
        .values()
        .map(|n| n.unsigned_abs())
        .fold(0, gcd)
        .max(1);
    for n in effects.values_mut() {
        *n /= common.cast_signed();
    }
    let count = u32::try_from(effects.get(&goal).copied()?)
        .ok()
        .filter(|n| *n > 0)?;
    let used = effects.iter().filter(|(_, n)| **n < 0).map(|(item, n)| {
        let count = u32::try_from(-n).unwrap_or(u32::MAX);
        Condition::Is(Predicate::Check(Check::InvGe { item: *item, count }))
    });
    let step = for_pieces(&experience.action, goal, count);
    Some(Distilled {
        skill: Skill {
            goal,
            count,
            requires: Condition::All(used.collect()),
            success: step.checks.clone(),
            steps: vec![step],
            effects,
        },
        experiences: vec![experience.id],
    })
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The step as it would be for so many pieces.
fn for_pieces(action: &Subgoal, goal: ItemSpec, count: u32) -> Subgoal {
    let mut step = bare(action);
    step.goal.count = count;
    step.condition = label(step.executor_hint, &step.goal);
    for check in &mut step.checks {
        match check {
            Check::InvGe { item, count: n }
            | Check::InvDeltaGe { item, count: n }
            | Check::CraftedGe { item, count: n }
                // Only the amount of the product changes; a check on a station stays.
                if *item == goal =>
            {
                *n = count;
            }
            _ => (), // it asks for something else
        }
    }
    step
}

/// The step without what belongs to its own run.
/// Ids and reasons belong to the plan that it was taken from.
fn bare(subgoal: &Subgoal) -> Subgoal {
    Subgoal {
        needs: Vec::new(),
        parent: None,
        rationale: None,
        ..subgoal.clone()
    }
}

fn holding(inventory: &Counts) -> Condition {
    let held = inventory.iter().map(|(item, count)| {
        Condition::Is(Predicate::Check(Check::InvGe {
            item: ItemSpec::Item(item),
            count,
        }))
    });
    Condition::All(held.collect())
}

fn effects(delta: &BTreeMap<ItemId, i64>) -> BTreeMap<ItemSpec, i64> {
    delta
        .iter()
        .map(|(item, n)| (ItemSpec::Item(*item), *n))
        .collect()
}
