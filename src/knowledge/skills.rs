//! Skills from success: closed sequences of attempts that all succeeded (Eq. 6).
//!
//! One skill for the whole task, and one for each thing that was crafted or smelted on the way,
//! which is what carries over to other tasks. Invariant: nothing is claimed that was not seen.

use crate::domain::check::Check;
use crate::domain::condition::{Condition, Predicate};
use crate::domain::experience::Experience;
use crate::domain::knowledge::Skill;
use crate::domain::plan::{Subgoal, TaskKind};
use crate::domain::task::Task;
use crate::ids::ExperienceId;
use crate::world::counts::Counts;
use crate::world::family::ItemSpec;
use crate::world::item::ItemId;
use std::collections::BTreeMap;

/// A skill and the experiences that it rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct Distilled {
    pub skill: Skill,
    pub experiences: Vec<ExperienceId>,
}

/// The skills that a run's successes show, the whole task first.
#[must_use]
pub fn from_run(task: &Task, successes: &[Experience]) -> Vec<Distilled> {
    let mut distilled: Vec<Distilled> = whole(task, successes).into_iter().collect();
    for experience in successes {
        let single = match experience.action.task_kind {
            TaskKind::Craft | TaskKind::Smelt => single(experience),
            TaskKind::Mine | TaskKind::Use | TaskKind::Combat | TaskKind::Move | TaskKind::Wait => {
                None
            }
        };
        if let Some(single) = single
            && !distilled.iter().any(|d| d.skill.steps == single.skill.steps)
        {
            distilled.push(single);
        }
    }
    distilled
}

/// The run as one skill: all steps from how it began to the task's success.
fn whole(task: &Task, successes: &[Experience]) -> Option<Distilled> {
    let (first, last) = (successes.first()?, successes.last()?);
    Some(Distilled {
        skill: Skill {
            goal: task.goal,
            count: task.count,
            requires: holding(&first.pre.inventory),
            steps: successes.iter().map(|e| bare(&e.action)).collect(),
            success: task.success.clone(),
            effects: effects(&last.post.inventory.delta(&first.pre.inventory)),
        },
        experiences: successes.iter().map(|e| e.id).collect(),
    })
}

/// One step as a skill: what it used up is what it requires.
fn single(experience: &Experience) -> Option<Distilled> {
    let goal = experience.action.goal.object?;
    let effects = effects(&experience.diagnosis.delta.inventory);
    let made = effects.iter().filter(|(item, n)| **n > 0 && overlaps(goal, **item));
    let count = u32::try_from(made.map(|(_, n)| *n).sum::<i64>()).ok()?;
    if count == 0 {
        return None;
    }
    let used = effects.iter().filter(|(_, n)| **n < 0).map(|(item, n)| {
        let count = u32::try_from(-n).unwrap_or(u32::MAX);
        Condition::Is(Predicate::Check(Check::InvGe { item: *item, count }))
    });
    Some(Distilled {
        skill: Skill {
            goal,
            count,
            requires: Condition::All(used.collect()),
            steps: vec![bare(&experience.action)],
            success: experience.action.checks.clone(),
            effects,
        },
        experiences: vec![experience.id],
    })
}

fn overlaps(goal: ItemSpec, item: ItemSpec) -> bool {
    item.members().iter().any(|member| goal.matches(*member))
}

/// The step without what belongs to its own run.
fn bare(subgoal: &Subgoal) -> Subgoal {
    Subgoal { needs: Vec::new(), parent: None, rationale: None, ..subgoal.clone() }
}

fn holding(inventory: &Counts) -> Condition {
    let held = inventory.iter().map(|(item, count)| {
        Condition::Is(Predicate::Check(Check::InvGe { item: ItemSpec::Item(item), count }))
    });
    Condition::All(held.collect())
}

fn effects(delta: &BTreeMap<ItemId, i64>) -> BTreeMap<ItemSpec, i64> {
    delta.iter().map(|(item, n)| (ItemSpec::Item(*item), *n)).collect()
}
