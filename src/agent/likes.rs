//! Likes: failures of earlier runs count with the run's own, so that K_tol is reached across runs (Eq. 7).
//!
//! Asked once for each failure that is not yet enough by itself. Invariant: what counts is in the run's own
//! log, so a resumed or replayed run counts the same.

use super::state::{Node, Phase, State};
use super::turn::Turn;
use crate::domain::ask::Failure;
use crate::domain::event::Event;
use crate::domain::like::Like;
use crate::ids::SubgoalId;

/// Asks whether a failure was met in earlier runs; false if there is none to ask about.
pub(super) fn ask(turn: &mut Turn<'_>) -> bool {
    let Some((subgoal, like)) = open(turn.state()) else {
        return false;
    };
    turn.say(Event::LikesAsked { subgoal, like });
    true
}

/// The failure that was not compared yet, where the system learns from failures and may still replan.
fn open(state: &State) -> Option<(SubgoalId, Like)> {
    let config = state.config()?;
    let profile = &config.profile;
    let learns = profile.recall && profile.distil_guardrails && profile.k_tol > 1;
    if !learns || state.counters.replans >= config.limits.replans_max {
        return None;
    }
    let is_open = |node: &Node| node.failures.len() > node.compared;
    let (id, node) = state.nodes.iter().find(|(_, node)| is_open(node))?;
    let last = node.failures.last()?;
    let subgoal = state.plan.as_ref()?.get(*id)?;
    let reason = last.diagnosis.reason?;
    let like = Like::of(subgoal, reason, config.world.seed, last.pre.position);
    Some((*id, like))
}

/// The experience store has answered.
pub(super) fn on_found(turn: &mut Turn<'_>, subgoal: SubgoalId, earlier: Vec<Failure>) {
    if turn.state().phase == (Phase::Comparing { subgoal }) {
        turn.say(Event::LikesFound { subgoal, earlier });
    }
}
