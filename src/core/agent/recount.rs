//! Recount: the run summed up by the mind before it ends, where the system has that.
//!
//! Invariant: it decides nothing; how the run ends was settled before it is asked.

use super::state::{Phase, State};
use super::turn::Turn;
use super::{guidance, planning};
use crate::domain::mind::ask::{Ask, Recount, SummariseAsk};
use crate::domain::run::event::{Event, Outcome};
use pithead_world::ids::CallId;

/// Asks for the summary of a run that ends so; false if there is nothing to ask.
pub(super) fn ask(turn: &mut Turn<'_>, outcome: Outcome, because: &str) -> bool {
    let state = turn.state();
    let is_asked = matches!(state.phase, Phase::Recounting { .. });
    if !turn.config().profile.summarise || is_asked || state.told.is_empty() {
        return false;
    }
    // It is an aid, and not worth asking the operator for more budget.
    if outcome == Outcome::Aborted || state.is_spent().is_some() {
        return false;
    }
    put(turn, outcome, because.to_owned(), Vec::new());
    true
}

fn put(turn: &mut Turn<'_>, outcome: Outcome, because: String, faults: Vec<String>) {
    let state = turn.state();
    let ask = SummariseAsk {
        task: turn.config().task.clone(),
        outcome,
        because,
        attempts: state.told.clone(),
        faults,
    };
    let call = planning::next_call(state);
    turn.say(Event::MindAsked {
        call,
        ask: Box::new(Ask::Summarise(Box::new(ask))),
    });
}

/// The last answer could not be read: ask again, or end without a summary.
pub(super) fn again(turn: &mut Turn<'_>) {
    let Phase::Recounting {
        outcome,
        because,
        faults,
        ..
    } = &turn.state().phase
    else {
        return;
    };
    let (outcome, because, faults) = (*outcome, because.clone(), faults.clone());
    let retries_max = turn.config().limits.mind_retries_max as usize;
    let may_ask = faults.len() <= retries_max && turn.state().is_spent().is_none();
    if may_ask && !turn.state().is_withheld() {
        put(turn, outcome, because, faults);
    } else {
        end(turn, Recount::default());
    }
}

/// The summary came: the run ends as it was to end.
pub(super) fn on_answer(turn: &mut Turn<'_>, call: CallId, text: &str) {
    if let Some(recount) = guidance::recount(turn, call, text) {
        end(turn, recount);
    }
}

fn end(turn: &mut Turn<'_>, recount: Recount) {
    let Phase::Recounting {
        outcome, because, ..
    } = &turn.state().phase
    else {
        return;
    };
    let (outcome, because) = (*outcome, because.clone());
    turn.say(Event::RunRecounted { recount });
    turn.say(Event::RunEnded { outcome, because });
}

impl State {
    /// The question that is open by its phase was not put: it might have cost too much.
    fn is_withheld(&self) -> bool {
        matches!(self.phase, Phase::Recounting { withheld: true, .. })
    }
}
