//! Judge: the mind has said which steps of a plan will succeed, and the plan is weighed by it (Metagent-P).
//!
//! Invariant: without a readable answer the plan is weighed by the rules alone.

use crate::agent::reading::verdicts::judged_from_answer;
use crate::agent::state::Phase;
use crate::agent::transitions::mind_question::ask_mind;
use crate::agent::transitions::{adoption, giving_up, judging};
use crate::agent::turn::Turn;
use crate::domain::mind::ask::Ask;
use pithead_world::ids::CallId;

/// The last answer could not be read, or the question was not put: ask again, or go on without.
pub(in crate::agent) fn ask_again(turn: &mut Turn<'_>) {
    let Phase::Judging {
        faults, withheld, ..
    } = &turn.state().phase
    else {
        return;
    };
    let (faults, withheld) = (faults.clone(), *withheld);
    let ask = judging::question(turn.state(), faults.clone());
    match ask.filter(|_| !withheld && giving_up::may_ask_again(turn, &faults)) {
        Some(ask) => ask_mind(turn, Ask::Judge(Box::new(ask))),
        None => {
            judging::settle(turn, Vec::new());
            adoption::weigh_proposal(turn);
        }
    }
}

/// The judgements came.
pub(in crate::agent) fn on_answer(turn: &mut Turn<'_>, call: CallId, text: &str) {
    if let Some(judged) = judged_from_answer(turn, call, text) {
        judging::settle(turn, judged);
        adoption::weigh_proposal(turn);
    }
}
