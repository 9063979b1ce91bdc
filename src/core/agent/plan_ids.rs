//! Ids of subgoals over replans: a subgoal that means the same keeps its id, and with it its attempts.
//!
//! Invariant: no id is ever used for two different things in one run.

use super::state::State;
use crate::domain::plan::{Executor, Plan, Subgoal};
use pithead_world::ids::{KnowledgeId, SubgoalId};
use std::collections::BTreeMap;

/// Gives the subgoals of a proposed plan their ids in this run.
pub(super) fn keep_ids(state: &State, mut plan: Plan) -> Plan {
    // Each old step can be taken over once; a second step like it gets a new id.
    let mut free: Vec<&Subgoal> = state.open_steps().collect();
    let mut next = SubgoalId(state.counters.subgoals).next();
    let mut names: BTreeMap<SubgoalId, SubgoalId> = BTreeMap::new();
    for subgoal in &plan.subgoals {
        let id = match free.iter().position(|old| is_same_step(old, subgoal)) {
            Some(at) => free.remove(at).id,
            None => {
                let id = next;
                next = next.next();
                id
            }
        };
        names.insert(subgoal.id, id);
    }
    for subgoal in &mut plan.subgoals {
        subgoal.id = names[&subgoal.id];
        // A need for a step that is not in the plan is dropped.
        subgoal.needs = subgoal
            .needs
            .iter()
            .filter_map(|id| names.get(id).copied())
            .collect();
        subgoal.parent = subgoal.parent.and_then(|id| names.get(&id).copied());
        // Nobody can follow what was not shown.
        let is_shown = |id: &KnowledgeId| state.visible().any(|entry| entry.id == *id);
        subgoal.follows.retain(is_shown);
    }
    plan
}

fn is_same_step(old: &Subgoal, new: &Subgoal) -> bool {
    old.task_kind == new.task_kind
        && old.executor_hint == new.executor_hint
        && old.goal.object == new.goal.object
        // The count is left out: more of the same is still the same step.
        && old.goal.amount == new.goal.amount
        // Two places are two subgoals, whatever is sought there.
        && (old.executor_hint != Executor::Approach || old.checks == new.checks)
}
