//! Explain: why a step keeps failing, in words for the planner and without a constraint (DEPS).
//!
//! Takes the place of the lesson in systems that have no guardrails. Invariant: an explanation binds
//! nothing; it is shown to the planner, and the rest of the plan is made anew.

use super::state::Phase;
use super::turn::Turn;
use super::{guidance, planning, reading, spending};
use crate::domain::ask::{Ask, ExplainAsk, Explanation};
use crate::domain::event::Event;
use crate::domain::state_card::StateCard;
use crate::ids::{CallId, SubgoalId};

/// Asks why; without what is needed to ask, the rest is planned anew all the same.
pub(super) fn ask(turn: &mut Turn<'_>, subgoal: SubgoalId, faults: Vec<String>) {
    if let Some(because) = turn.state().is_spent() {
        spending::reached(turn, because);
        return;
    }
    let state = turn.state();
    let (Some(frame), Some(node)) = (state.frame.as_deref(), state.nodes.get(&subgoal)) else {
        return;
    };
    let Some(plan) = &state.plan else { return };
    let Some(step) = plan.get(subgoal) else {
        return;
    };
    let ask = ExplainAsk {
        task: turn.config().task.clone(),
        state: StateCard::of(frame),
        plan: plan.clone(),
        done: state.done.clone(),
        subgoal: step.clone(),
        attempts: node.failures.clone(),
        faults,
    };
    let call = planning::next_call(state);
    turn.say(Event::MindAsked {
        call,
        ask: Box::new(Ask::Explain(Box::new(ask))),
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
    if faults.len() <= turn.config().limits.mind_retries_max as usize {
        ask(turn, subgoal, faults);
        return;
    }
    let explanation = Explanation {
        observed: format!(
            "the mind gave no readable explanation: {}",
            reading::told(&faults)
        ),
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
