//! Steering: limits, retries, withdrawn acts, replans on request, and a pause between two steps.
//!
//! Invariant: an action that is cancelled for it does not count as a failure of the plan.

use crate::agent::state::{Phase, RunHold, State};
use crate::agent::turn::Turn;
use crate::domain::condition::situation::{Baseline, Situation};
use crate::domain::experience::attempt::Stop;
use crate::domain::run::event::Event;
use crate::domain::run::steering::{Limit, Steering};
use pithead_world::ids::{ActionId, SubgoalId};

/// The operator steers; the reason if it cannot be done.
pub(super) fn steer(turn: &mut Turn<'_>, how: Steering, by: String) -> Result<(), String> {
    let state = turn.state();
    let called_off = match &how {
        Steering::Limit(limit) => {
            check_limit(state, *limit)?;
            None
        }
        Steering::Retry(id) => check_retry(state, *id)?,
        Steering::Withdraw(id) => check_withdraw(state, *id)?,
        Steering::Replan(reason) => check_replan(state, reason)?,
        Steering::PauseSoon if state.hold == RunHold::Paused => {
            return Err("the run is paused already".to_owned());
        }
        Steering::PauseSoon if state.pause_soon.is_some() => {
            return Err("a pause after this step is requested already".to_owned());
        }
        Steering::PauseSoon => None,
    };
    // The steering first, then what it calls off.
    turn.say(Event::Steered { how, by });
    if let Some(action) = called_off {
        let stop = Stop::Aborted;
        turn.say(Event::ActionCancelled { action, stop });
    }
    Ok(())
}

/// Between two steps: a pause that was asked for begins.
pub(in crate::agent) fn pause_between_steps(turn: &mut Turn<'_>) {
    let state = turn.state();
    // Only where no action is under way.
    if !matches!(state.phase, Phase::Choosing) || state.at_break {
        return;
    }
    if let Some(by) = state.pause_soon.clone() {
        turn.say(Event::Paused { by });
    }
}

/// A limit below what is used already would end the run; there is a command for that.
fn check_limit(state: &State, limit: Limit) -> Result<(), String> {
    let counters = &state.counters;
    let below = |what: &str, had: u64, given: u64| {
        let text = format!(
            "{had} {what} are used already, so a limit of {given} would end the run; abort it instead"
        );
        if given > had { Ok(()) } else { Err(text) }
    };
    let is_of_mind = matches!(limit, Limit::Calls(_) | Limit::Tokens(_) | Limit::Money(_));
    // Two answers to one question would contradict each other.
    if let (Phase::Spent { decision, .. }, true) = (&state.phase, is_of_mind) {
        return Err(format!(
            "{decision} asks for more of the budget; answer it first"
        ));
    }
    match limit {
        Limit::Ticks(n) => below("ticks", state.last_tick(), n),
        Limit::Calls(n) => below("questions", counters.calls, n),
        Limit::Tokens(Some(n)) => below("tokens", counters.tokens, n),
        Limit::Money(Some(n)) => below("millionths", counters.micros, n),
        Limit::Tokens(None) | Limit::Money(None) | Limit::Attempts(_) | Limit::Seconds(_) => Ok(()),
    }
}

/// The run is at a step of the plan, or chooses the next one.
fn check_at_plan(state: &State) -> Result<(), String> {
    match &state.phase {
        Phase::Acting(_) | Phase::Choosing => Ok(()),
        _ => Err(
            "no step of the plan is under way: the run is planning or waiting for an answer"
                .to_owned(),
        ),
    }
}

/// The action under way, unless it is being cancelled already.
fn action_under_way(state: &State) -> Option<(SubgoalId, ActionId)> {
    match &state.phase {
        Phase::Acting(attempt) if attempt.stop.is_none() => {
            Some((attempt.subgoal.id, attempt.actions.last()?.id))
        }
        _ => None, // nothing is under way, or it is being cancelled
    }
}

fn check_retry(state: &State, id: SubgoalId) -> Result<Option<ActionId>, String> {
    let subgoal = state.plan.as_ref().and_then(|plan| plan.get(id));
    let subgoal = subgoal.ok_or_else(|| format!("{id} is not a step of the current plan"))?;
    check_at_plan(state)?;
    let current = action_under_way(state).filter(|(running, _)| *running == id);
    if current.is_none()
        && let Some(frame) = state.frame.as_deref()
    {
        let baseline = Baseline::of(frame);
        let now = Situation::of(frame).since(&baseline).pursuing(subgoal);
        if !subgoal.checks.is_empty() && subgoal.checks.iter().all(|c| c.truth(&now).is_true()) {
            return Err(format!(
                "{id} is done already, so there is nothing to retry"
            ));
        }
    }
    Ok(current.map(|(_, action)| action))
}

fn check_withdraw(state: &State, id: SubgoalId) -> Result<Option<ActionId>, String> {
    if !state.is_act(id) {
        return Err(format!(
            "no operator action {id} is waiting: it is done or never existed; its effects stay, and `replan` or another action continues from there"
        ));
    }
    let is_ending =
        matches!(&state.phase, Phase::Acting(a) if a.subgoal.id == id && a.stop.is_some());
    if is_ending {
        return Err(format!("{id} is being cancelled already"));
    }
    let current = action_under_way(state).filter(|(running, _)| *running == id);
    Ok(current.map(|(_, action)| action))
}

fn check_replan(state: &State, reason: &str) -> Result<Option<ActionId>, String> {
    check_at_plan(state)?;
    if state.redirect.is_some() {
        return Err("a replan is requested already".to_owned());
    }
    if reason.trim().is_empty() {
        return Err("a replan needs a reason, which the mind will read".to_owned());
    }
    let of_plan = action_under_way(state).filter(|(running, _)| !state.is_act(*running));
    Ok(of_plan.map(|(_, action)| action))
}
