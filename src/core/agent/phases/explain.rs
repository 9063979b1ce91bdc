//! Explain: why a step keeps failing, in words for the planner and without a constraint (DEPS).
//!
//! Takes the place of the lesson in systems that have no guardrails. Invariant: an explanation binds
//! nothing; it is shown to the planner, and the rest of the plan is made anew.

use crate::agent::reading::guidance;
use crate::agent::state::Phase;
use crate::agent::transitions::step_question::{ask_explanation, ask_step_again};
use crate::agent::turn::Turn;
use crate::domain::mind::ask::Explanation;
use crate::domain::run::event::Event;
use pithead_world::ids::CallId;

/// The last answer could not be read: ask again, or continue without an explanation.
pub(in crate::agent) fn ask_again(turn: &mut Turn<'_>) {
    let Phase::Explaining {
        subgoal, faults, ..
    } = &turn.state().phase
    else {
        return;
    };
    let (subgoal, faults) = (*subgoal, faults.clone());
    // None: the question was put once more.
    let Some(faults) = ask_step_again(turn, (subgoal, faults), ask_explanation) else {
        return;
    };
    let explanation = Explanation {
        observed: format!("the mind gave no readable explanation: {faults}"),
        explanation: String::new(),
        missing: Vec::new(),
        wrong_step: None,
    };
    turn.say(Event::FailureExplained {
        subgoal,
        explanation,
    });
}

/// The explanation came; `advance` moves on to the planner.
pub(in crate::agent) fn on_answer(turn: &mut Turn<'_>, call: CallId, text: &str) {
    let Phase::Explaining { subgoal, .. } = turn.state().phase else {
        return;
    };
    if let Some(explanation) = guidance::explanation_from_answer(turn, call, text) {
        turn.say(Event::FailureExplained {
            subgoal,
            explanation,
        });
    }
}
