//! Repeated plans: the plan that has just failed, proposed once more although nothing has changed.
//!
//! Invariant: a plan is a repetition only if the body holds what it held when that plan failed.

use super::state::State;
use crate::domain::plan::note::{About, Note, Severity};
use crate::domain::plan::{Plan, Subgoal};
use pithead_world::ids::SubgoalId;

/// The note on a plan that repeats the one it replaces. Only models are held to it: a simulated planner has one
/// plan for one state, and a step may well go better the next time.
pub(super) fn note_on(state: &State, plan: &Plan, replaces: Option<SubgoalId>) -> Option<Note> {
    let failed = replaces?;
    let is_model = !state.config()?.distillers.is_empty();
    let last = state.nodes.get(&failed)?.failures.last()?;
    let held = &state.frame.as_deref()?.inventory;
    if !is_model || *held != last.pre.inventory || !is_same(state, plan) {
        return None;
    }
    let step = state.planned(failed)?;
    let text = format!(
        "this is the plan that has just failed at \"{}\" ({}), and nothing has changed since; plan that step another \
         way, or something before it",
        step.condition, last.diagnosis.summary
    );
    Some(Note {
        severity: Severity::Error,
        subgoal: Some(failed),
        about: About::Repeated,
        text,
    })
}

/// The same steps as are left of the plan in force, whatever they are called.
fn is_same(state: &State, plan: &Plan) -> bool {
    let is_done = |step: &&Subgoal| state.nodes.get(&step.id).is_some_and(|node| node.done);
    let before = state.plan.iter().flat_map(|plan| &plan.subgoals);
    let left = before.filter(|step| !is_done(step));
    left.map(what_it_does)
        .eq(plan.subgoals.iter().map(what_it_does))
}

fn what_it_does(step: &Subgoal) -> impl PartialEq + '_ {
    (step.executor_hint, &step.goal, &step.checks, step.mode)
}
