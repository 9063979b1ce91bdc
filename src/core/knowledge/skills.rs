//! Skills from what was achieved (Eq. 6): one for the task, and one for each thing that was made on the way.
//!
//! A skill is a slice of a run, played on paper before it counts (`closure`): what does not come out of exactly
//! its requirements is no skill. Steps that carry over to any task become skills of one step besides.
//! Invariant: nothing is claimed that was not seen.

use super::slice::{Slice, flow_of, for_pieces, made, slice};
use crate::domain::check::Check;
use crate::domain::condition::Condition;
use crate::domain::experience::Experience;
use crate::domain::knowledge::inputs::{Flow, all_together, holding, tool_of};
use crate::domain::knowledge::{Skill, closure};
use crate::domain::plan::task::Task;
use crate::domain::plan::{Subgoal, TaskKind};
use pithead_world::counts::Counts;
use pithead_world::family::ItemSpec;
use pithead_world::ids::{ExperienceId, SubgoalId};
use pithead_world::item::ItemId;
use std::collections::{BTreeMap, BTreeSet};

/// A skill and the experiences that it rests on.
/// Experiences are cited, so that a curator can see what a skill rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct Distilled {
    pub skill: Skill,
    pub experiences: Vec<ExperienceId>,
}

/// The skills that a run shows. The first is that of the task, if the task `is_done`; then come those of what
/// was made on the way, whole and of one step.
#[must_use]
pub fn from_run(task: &Task, is_done: bool, successes: &[Experience]) -> Vec<Distilled> {
    let mut found: Vec<Distilled> = Vec::new();
    let mut add = |distilled: Option<Distilled>| {
        if let Some(new) = distilled.filter(|new| closure::replay(&new.skill).is_ok())
            // A slice of one step is its own skill of one step.
            && !found.iter().any(|d| d.skill.steps == new.skill.steps)
        {
            found.push(new);
        }
    };
    if is_done && !task.has_several_goals() {
        add(whole(
            (task.goal, task.count),
            Some(&task.success),
            successes,
        ));
    }
    let mut seen: BTreeSet<ItemSpec> = BTreeSet::from([task.goal.kind()]);
    for (at, experience) in successes.iter().enumerate() {
        let Some(object) = experience.action.goal.object else {
            continue;
        };
        let is_made = matches!(
            experience.action.task_kind,
            TaskKind::Craft | TaskKind::Smelt
        );
        let pieces = u32::try_from(made(experience)).unwrap_or(u32::MAX);
        if pieces == 0 {
            continue;
        }
        let is_mined = experience.action.task_kind == TaskKind::Mine;
        if (is_made || is_mined) && seen.insert(object.kind()) {
            let way = whole((object, pieces), None, &successes[..=at]);
            add(way.filter(|d| d.skill.steps.len() > 1));
        }
        // Crafting and smelting are the same anywhere. Where a thing is mined depends on the land, but what it takes
        // to mine it does not; what was mined by hand says so too.
        if is_made || is_mined {
            add(single(object, experience, &successes[..at]));
        }
    }
    found
}

/// The run as one skill of just these steps, for a model that has chosen them; otherwise which step would lack
/// what is left out. `kept` are their successes.
pub fn from_steps(
    task: &Task,
    steps: &[Subgoal],
    kept: &[Experience],
) -> Result<Distilled, Shortfall> {
    let start = kept.first().map(|first| &first.pre.inventory);
    if let Some(shortfall) = start.and_then(|start| first_shortfall(start, kept)) {
        return Err(shortfall);
    }
    let flow = |step: &Subgoal| {
        let own = kept.iter().find(|e| e.action.id == step.id)?;
        Some(flow_of(own, BTreeMap::new()))
    };
    let held = start.into_iter().flat_map(Counts::iter);
    let held = held.map(|(item, count)| holding(ItemSpec::Item(item), count));
    let mut skill = Skill {
        goal: task.goal,
        count: task.count,
        requires: Condition::All(held.collect()),
        steps: steps.iter().map(bare).collect(),
        success: task.success.clone(),
        effects: BTreeMap::new(),
        // A step that turned out to be done without an attempt has shown nothing.
        flows: steps
            .iter()
            .map(flow)
            .collect::<Option<_>>()
            .unwrap_or_default(),
    };
    if closure::replay(&skill).is_err() {
        skill.flows.clear();
    }
    let experiences = kept.iter().map(|e| e.id).collect();
    Ok(Distilled { skill, experiences })
}

/// A step that would not have what it used up, if only the steps before it were done again.
#[derive(Debug, Clone, PartialEq)]
pub struct Shortfall {
    pub step: SubgoalId,
    pub item: ItemId,
    pub need: u32,
    pub have: i64,
}

/// The first step that used up what was neither there at the start nor came from the successes before it. What a
/// failed attempt left behind is missing when only the successes are done again.
fn first_shortfall(start: &Counts, successes: &[Experience]) -> Option<Shortfall> {
    let mut held: BTreeMap<ItemId, i64> = start.iter().map(|(i, n)| (i, i64::from(n))).collect();
    successes.iter().find_map(|success| {
        let delta = &success.diagnosis.delta;
        let of = |item| held.get(&item).copied().unwrap_or_default();
        // Used up before it is counted as gained: a step cannot live on its own product.
        let short = delta
            .used
            .iter()
            .find(|(item, n)| of(*item) < i64::from(*n));
        let short = short.map(|(item, need)| Shortfall {
            step: success.action.id,
            item,
            need,
            have: of(item).max(0),
        });
        for (item, n) in &delta.inventory {
            *held.entry(*item).or_default() += n;
        }
        short
    })
}

/// The slice of the run that so many pieces rest on, as one skill.
fn whole(
    (goal, count): (ItemSpec, u32),
    success: Option<&[Check]>,
    successes: &[Experience],
) -> Option<Distilled> {
    let Slice { steps, requires } = slice(goal, count, successes)?;
    let experiences = steps.iter().map(|step| step.experience.id).collect();
    let (steps, flows): (Vec<Subgoal>, Vec<Flow>) = steps
        .into_iter()
        .map(|step| (for_pieces(&step.experience.action, step.count), step.flow))
        .unzip();
    let success = success.map_or_else(
        || vec![Check::InvGe { item: goal, count }],
        <[Check]>::to_vec,
    );
    let mut skill = Skill {
        goal,
        count,
        requires: all_together(requires),
        steps,
        success,
        effects: BTreeMap::new(),
        flows,
    };
    skill.effects = closure::effects(&skill).ok()?;
    Some(Distilled { skill, experiences })
}

/// One step as a skill: what went into it, and what it had that stayed, is what it requires. Things are
/// named by their family where they have one, for the kind of wood was chance.
/// What a station was made of was there before it, so it does not need the station: that it was made at one
/// was chance. Of a tool that says less: what a stone pickaxe was made of was mined with another one, and by the sighting
/// that had that other one the need is known. None then.
fn single(goal: ItemSpec, experience: &Experience, before: &[Experience]) -> Option<Distilled> {
    let mut flow = flow_of(experience, BTreeMap::new());
    let went_into = |held: &ItemSpec| {
        let makers = before
            .iter()
            .filter(|e| e.action.goal.object == Some(*held));
        let mut used = makers.flat_map(|e| e.diagnosis.delta.used.iter());
        used.any(|(item, _)| ItemSpec::Item(item).kind() == goal.kind())
    };
    let is_tool_of_itself = |held: &ItemSpec| tool_of(*held).is_some() && went_into(held);
    if flow.held.iter().any(is_tool_of_itself) {
        return None;
    }
    flow.held
        .retain(|station| station.kind() != goal.kind() && !went_into(station));
    let count = u32::try_from(made(experience)).unwrap_or(u32::MAX);
    let step = for_pieces(&experience.action, count);
    Some(Distilled {
        skill: Skill {
            goal,
            count,
            requires: all_together(flow.requirements(count)),
            success: step.checks.clone(),
            steps: vec![step],
            effects: flow.effects(goal, count),
            flows: vec![flow],
        },
        experiences: vec![experience.id],
    })
}

/// The step without what belongs to its own run.
/// Ids and reasons belong to the plan that it was taken from.
pub(super) fn bare(subgoal: &Subgoal) -> Subgoal {
    Subgoal {
        needs: Vec::new(),
        parent: None,
        rationale: None,
        follows: Vec::new(),
        asserts: Vec::new(),
        expectation: None,
        ..subgoal.clone()
    }
}

#[cfg(test)]
#[path = "skills_tests.rs"]
mod tests;
