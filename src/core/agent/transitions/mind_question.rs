//! Questions to the mind: how one is put, and what becomes of one that gets no answer.
//!
//! Invariant: late and foreign answers, to a call that is no longer open, state nothing.

use crate::agent::turn::Turn;
use crate::domain::mind::ask::Ask;
use crate::domain::mind::spending::Spent;
use crate::domain::run::event::Event;
use pithead_world::ids::CallId;

/// Puts the question under the next call's id.
pub(in crate::agent) fn ask_mind(turn: &mut Turn<'_>, ask: Ask) {
    let call = CallId(turn.state().counters.calls + 1);
    // The event is the request: the driver puts the question once it is on the disk.
    turn.say(Event::MindAsked {
        call,
        ask: Box::new(ask),
    });
}

/// The mind could not answer.
pub(in crate::agent) fn on_silence(turn: &mut Turn<'_>, call: CallId, because: String) {
    if turn.state().open_call() == Some(call) {
        turn.say(Event::MindFailed { call, because });
    }
}

/// No server could be asked. The question stays open, and the driver leaves the run. A role that the program
/// can do itself is left to it, where waiting would not help.
pub(in crate::agent) fn on_unavailable(
    turn: &mut Turn<'_>,
    call: CallId,
    because: String,
    lasting: bool,
) {
    if turn.state().open_call() != Some(call) {
        return;
    }
    let role = turn.state().open_role();
    let Some(role) = role.filter(|role| lasting && role.is_distiller()) else {
        turn.say(Event::MindUnavailable { call, because });
        return;
    };
    turn.say(Event::MindFailed {
        call,
        because: because.clone(),
    });
    turn.say(Event::RoleReplaced { role, because });
}

/// The answer under way has cost something, whether or not it can be read.
pub(in crate::agent) fn on_charged(turn: &mut Turn<'_>, call: CallId, spent: Box<Spent>) {
    if turn.state().open_call() == Some(call) {
        turn.say(Event::MindCharged { call, spent });
    }
}
