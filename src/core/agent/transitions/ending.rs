//! Ending: how a run gets from its decision to its end, by way of gate, study and summary.
//!
//! Invariant: what the run shows as a whole is distilled once, and the summary decides nothing.

use super::mind_question::ask_mind;
use super::operator_question::ask_operator;
use super::study_start;
use crate::agent::drafts;
use crate::agent::hold_out;
use crate::agent::state::Phase;
use crate::agent::turn::Turn;
use crate::domain::condition::situation::Situation;
use crate::domain::mind::ask::{Ask, SummariseAsk};
use crate::domain::run::decision::{GateKind, Subject};
use crate::domain::run::event::{Event, Then};
use crate::domain::run::outcome::Outcome;

/// The run is decided: ask at the last gate, distil, end.
pub(in crate::agent) fn end_run(turn: &mut Turn<'_>, outcome: Outcome, because: String) {
    // The outcome is part of the question: an operator approves success or failure, not
    // "the end".
    let subject = Subject::End {
        outcome,
        because: because.clone(),
    };
    if !ask_operator(turn, GateKind::TaskEnd, subject) {
        end_past_gate(turn, outcome, because);
    }
}

/// As `end_run`, unless the last attempt has done the task all the same.
pub(in crate::agent) fn end_unless_won(turn: &mut Turn<'_>, outcome: Outcome, because: String) {
    // The last attempt may have met the checks of the task and still failed its own.
    let won = turn.state().frame.as_deref().is_some_and(|frame| {
        let situation = Situation::of_run(frame);
        turn.config()
            .task
            .success
            .iter()
            .all(|check| check.truth(&situation).is_true())
    });
    if !won {
        end_run(turn, outcome, because);
    }
}

/// Past the gate: what the run shows as a whole is distilled once, then the run ends.
pub(in crate::agent) fn end_past_gate(turn: &mut Turn<'_>, outcome: Outcome, because: String) {
    // In this phase the run comes back from the lookup of its own last drafts; they are not made twice.
    // Ending is asked twice: first to distil, then to end.
    let distilled = matches!(turn.state().phase, Phase::LookingUp { .. });
    if !distilled {
        let (topics, drafts) = drafts::drafts_at_end(turn, outcome);
        let then = Then::End {
            outcome,
            because: because.clone(),
        };
        if study_start::begin_study(turn, topics, drafts, then) {
            return;
        }
    }
    if wants_summary(turn, outcome) {
        ask_summary(turn, outcome, because, Vec::new());
    } else {
        end_measured(turn, outcome, because);
    }
}

/// The last events of a run that came to its end by itself.
pub(in crate::agent) fn end_measured(turn: &mut Turn<'_>, outcome: Outcome, because: String) {
    if let Some(measured) = hold_out::measured(turn.state(), outcome) {
        turn.say(measured);
    }
    turn.say(Event::RunEnded { outcome, because });
}

/// Whether the mind is to sum the run up.
fn wants_summary(turn: &Turn<'_>, outcome: Outcome) -> bool {
    let state = turn.state();
    // Asked once, whatever became of the answer.
    let is_asked = matches!(state.phase, Phase::Summarising { .. });
    if !turn.config().profile.summarise || is_asked || state.summaries.is_empty() {
        return false;
    }
    // It is an aid, and not worth asking the operator for more budget.
    outcome != Outcome::Aborted && state.is_spent().is_none()
}

/// Asks for the summary of a run that ends so.
pub(in crate::agent) fn ask_summary(
    turn: &mut Turn<'_>,
    outcome: Outcome,
    because: String,
    faults: Vec<String>,
) {
    let ask = SummariseAsk {
        task: turn.config().task.clone(),
        outcome,
        because,
        attempts: turn.state().summaries.clone(),
        faults,
    };
    ask_mind(turn, Ask::Summarise(Box::new(ask)));
}
