//! Explain: why a step keeps failing, in words for the planner and without a constraint (DEPS).
//!
//! Takes the place of the lesson in systems that have no guardrails. Invariant: an explanation binds
//! nothing; it is shown to the planner, and the rest of the plan is made anew.

use super::state::Phase;
use super::turn::Turn;
use super::{failing, guidance};
use crate::domain::mind::ask::{Ask, ExplainAsk, Explanation};
use crate::domain::run::event::Event;
use pithead_world::ids::{CallId, SubgoalId};

/// Asks why; without what is needed to ask, the rest is planned anew all the same.
pub(super) fn ask(turn: &mut Turn<'_>, subgoal: SubgoalId, faults: Vec<String>) {
    let task = turn.config().task.clone();
    failing::ask(turn, subgoal, |step| {
        Ask::Explain(Box::new(ExplainAsk {
            task,
            state: step.card.clone(),
            plan: step.plan.clone(),
            done: step.state.done.clone(),
            subgoal: step.subgoal.clone(),
            attempts: step.evidence(),
            faults,
        }))
    });
}

/// The last answer could not be read: ask again, or go on without an explanation.
pub(super) fn again(turn: &mut Turn<'_>) {
    let Phase::Explaining {
        subgoal, faults, ..
    } = &turn.state().phase
    else {
        return;
    };
    let (subgoal, faults) = (*subgoal, faults.clone());
    let Some(told) = failing::again(turn, (subgoal, faults), ask) else {
        return;
    };
    let explanation = Explanation {
        observed: format!("the mind gave no readable explanation: {told}"),
        explanation: String::new(),
        missing: Vec::new(),
        wrong_step: None,
    };
    turn.say(Event::FailureExplained {
        subgoal,
        explanation,
    });
}

/// The explanation came; `advance` goes on to the planner.
pub(super) fn on_answer(turn: &mut Turn<'_>, call: CallId, text: &str) {
    let Phase::Explaining { subgoal, .. } = turn.state().phase else {
        return;
    };
    if let Some(explanation) = guidance::explanation(turn, call, text) {
        turn.say(Event::FailureExplained {
            subgoal,
            explanation,
        });
    }
}
