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
    let last = state.nodes.get(&failed)?.failures.last()?;
    let held = &state.frame.as_deref()?.inventory;
    if !state.asks_models() || *held != last.pre.inventory || !is_same(state, plan) {
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
    let left = state.open_steps();
    left.map(what_it_does)
        .eq(plan.subgoals.iter().map(what_it_does))
}

fn what_it_does(step: &Subgoal) -> impl PartialEq + '_ {
    (step.executor_hint, &step.goal, &step.checks, step.mode)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::mind::evidence::FailedAttempt;
    use crate::domain::mind::role::MindRole;
    use crate::domain::samples;
    use pithead_world::ids::AttemptId;

    fn plan(target: &str) -> Plan {
        Plan {
            subgoals: vec![samples::subgoal(1, target)],
            ..Plan::default()
        }
    }

    /// A run of models whose one step has failed, with what it held then.
    fn state() -> State {
        let mut state = State::new();
        let mut config = samples::config();
        config.distillers = vec![MindRole::Skill];
        state.config = Some(Box::new(config));
        let frame = samples::frame(400, 2);
        let failed = samples::experience(1, 1, "stone", false);
        let mut pre = failed.pre;
        pre.inventory = frame.inventory.clone();
        let failure = FailedAttempt {
            suggestion: None,
            attempt: AttemptId(1),
            run: None,
            pre,
            diagnosis: failed.diagnosis,
        };
        let node = state.nodes.entry(SubgoalId(1)).or_default();
        node.failures.push(failure);
        state.plan = Some(plan("stone"));
        state.frame = Some(frame);
        state
    }

    #[test]
    fn the_plan_that_failed_is_refused_until_something_has_changed() {
        let is_refused = |state: &State, target: &str| {
            note_on(state, &plan(target), Some(SubgoalId(1))).is_some()
        };
        let now = state();
        assert!(is_refused(&now, "stone"));
        assert!(!is_refused(&now, "oak_log"));
        assert!(
            note_on(&now, &plan("stone"), None).is_none(),
            "a first plan"
        );
        let mut richer = state();
        let held = &mut richer.frame.as_mut().unwrap().inventory;
        held.add("stick".parse().unwrap(), 1);
        assert!(!is_refused(&richer, "stone"));
        let mut program = state();
        program.config.as_mut().unwrap().distillers.clear();
        assert!(!is_refused(&program, "stone"));
    }
}
