//! Decide: one line per input and per phase; the work is in the file that owns the phase.
//!
//! Invariant: this is the only file that calls a phase.

use super::breakpoints;
use super::operator::{answers, commands, steering};
use super::phases::{
    attribute, compare, decompose, execute, explain, judge, lookup, planning, recall, reflect,
    rejoin, select, study, summarise,
};
use super::state::{Phase, State};
use super::transitions::ending::end_measured;
use super::transitions::{giving_up, mind_question, needs};
use super::turn::Turn;
use crate::domain::run::event::Event;
use crate::domain::run::input::Input;
use crate::domain::run::outcome::Outcome;
use pithead_world::clock::Millis;
use pithead_world::ids::CallId;

/// What follows from an input, as facts to be recorded. Late and foreign inputs (an answer to a
/// call that is no longer open, a report of an action that was replaced) give no facts.
/// Pure: time comes in as `now`, and nothing is read but state and input.
#[must_use]
pub fn decide(state: &State, now: Millis, input: Input) -> Vec<Event> {
    let mut turn = Turn::new(state, now);
    match input {
        Input::Started {
            times_realtime,
            operator,
        } => {
            commands::on_started(&mut turn, times_realtime, &operator);
            rejoin::on_started(&mut turn);
        }
        Input::Woken => answers::on_deadline(&mut turn),
        Input::Commanded { command, operator } => {
            commands::on_command(&mut turn, command, operator);
        }
        Input::Ready(frame) if rejoin::is_due(state) => rejoin::on_rejoined(&mut turn, frame),
        Input::Ready(frame) => recall::on_ready(&mut turn, frame),
        Input::Framed(frame) => execute::on_frame(&mut turn, frame),
        Input::Acted {
            action,
            report,
            frame,
        } => {
            execute::on_acted(&mut turn, action, report, frame);
        }
        Input::Reacted(reflex) => execute::on_reacted(&mut turn, reflex),
        Input::Lost { because } => execute::on_lost(&mut turn, &because),
        Input::Answered { call, text, ms } => on_answer(&mut turn, call, &text, ms),
        Input::Unanswered { call, because } => mind_question::on_silence(&mut turn, call, because),
        Input::Withheld { call, because } => giving_up::on_withheld(&mut turn, call, because),
        Input::Unavailable {
            call,
            because,
            lasting,
        } => mind_question::on_unavailable(&mut turn, call, because, lasting),
        Input::Charged { call, spent } => mind_question::on_charged(&mut turn, call, spent),
        Input::Recalled {
            hits,
            knowledge,
            options,
        } => recall::on_recalled(&mut turn, hits, knowledge, options),
        Input::SimilarFailuresFound { subgoal, earlier } => {
            compare::on_similar_failures(&mut turn, subgoal, earlier);
        }
        Input::LookedUp {
            found,
            blocked,
            sequences,
        } => lookup::on_looked_up(&mut turn, found, blocked, sequences),
    }
    // After every input, as any of them may let the run go on.
    advance(&mut turn);
    turn.events
}

/// The mind answered; only the call that is open counts, and the phase that asked reads the answer.
fn on_answer(turn: &mut Turn<'_>, call: CallId, text: &str, ms: u64) {
    // A call that was replaced can still be answered by a slow model.
    if turn.state().open_call() != Some(call) {
        // Recorded before it is read, so that a recorded run can be played with its
        // answers.
        return;
    }
    turn.say(Event::MindAnswered {
        call,
        text: text.to_owned(),
        ms,
    });
    match &turn.state().phase {
        Phase::Condensing { .. } => recall::on_answer(turn, call, text),
        Phase::Planning { .. } => planning::on_answer(turn, call, text),
        Phase::Attributing { .. } => attribute::on_answer(turn, call, text),
        Phase::Decomposing { .. } => decompose::on_answer(turn, call, text),
        Phase::Explaining { .. } => explain::on_answer(turn, call, text),
        Phase::Judging { .. } => judge::on_answer(turn, call, text),
        Phase::Reflecting { .. } => reflect::on_answer(turn, call, text),
        Phase::Studying(_) => study::on_answer(turn, call, text),
        Phase::Summarising { .. } => summarise::on_answer(turn, call, text),
        // No other phase has an open call.
        Phase::New
        | Phase::Opening
        | Phase::Recalling
        | Phase::RecallingNeeds { .. }
        | Phase::ToPlan(_)
        | Phase::Gated { .. }
        | Phase::Choosing
        | Phase::Acting(_)
        | Phase::Comparing { .. }
        | Phase::LookingUp { .. }
        | Phase::Risking { .. }
        | Phase::Ending { .. }
        | Phase::Spent { .. }
        | Phase::Ended { .. } => (),
    }
}

/// Runs phase after phase until the run waits for something from outside.
fn advance(turn: &mut Turn<'_>) {
    // Each round either states an event or waits, so only a fault of the program can reach the bound.
    for _ in 0..ROUNDS_MAX {
        breakpoints::check_breakpoints(turn);
        steering::pause_between_steps(turn);
        // Asked before each phase: the operator stops the run between phases, not in the
        // middle of one.
        if turn.state().at_break || turn.state().is_away {
            return;
        }
        // The number of events tells whether the round did anything.
        let said = turn.events.len();
        if commands::decide_as_before(turn) {
            continue;
        }
        match &turn.state().phase {
            Phase::New if turn.state().config.is_some() => turn.say(Event::WorldAsked),
            Phase::ToPlan(_) => before_plan(turn),
            Phase::Attributing { .. } if turn.state().open.is_none() => attribute::ask_again(turn),
            Phase::Decomposing { .. } if turn.state().open.is_none() => decompose::ask_again(turn),
            Phase::Explaining { .. } if turn.state().open.is_none() => explain::ask_again(turn),
            Phase::Judging { .. } if turn.state().open.is_none() => judge::ask_again(turn),
            Phase::Reflecting { .. } if turn.state().open.is_none() => reflect::ask_again(turn),
            Phase::Studying(_) if turn.state().open.is_none() => study::ask_next_topic(turn),
            Phase::Summarising { .. } if turn.state().open.is_none() => summarise::ask_again(turn),
            Phase::Choosing => select::select_step(turn),
            Phase::New
            | Phase::Opening
            | Phase::Recalling
            | Phase::RecallingNeeds { .. }
            | Phase::Condensing { .. }
            | Phase::Planning { .. }
            | Phase::Gated { .. }
            | Phase::Acting(_)
            | Phase::Attributing { .. }
            | Phase::Decomposing { .. }
            | Phase::Explaining { .. }
            | Phase::Judging { .. }
            | Phase::Reflecting { .. }
            | Phase::Studying(_)
            | Phase::Summarising { .. }
            | Phase::Comparing { .. }
            | Phase::LookingUp { .. }
            | Phase::Risking { .. }
            | Phase::Ending { .. }
            | Phase::Spent { .. }
            | Phase::Ended { .. } => return,
        }
        // Nothing was said: the phase waits for an input.
        if turn.events.len() == said {
            return;
        }
    }
    let because = format!(
        "the run did not settle within {ROUNDS_MAX} rounds, which is an error in the program"
    );
    // Ended, not panicked: a core that cannot fail records even its own faults.
    end_measured(turn, Outcome::Failure, because);
}

/// A plan is due: memory and goals come first.
fn before_plan(turn: &mut Turn<'_>) {
    if needs::asks_before_replan(turn) {
        return;
    }
    match decompose::goal_due(turn.state()) {
        Some(goal) => decompose::ask_about_goal(turn, goal),
        None => planning::ask_for_plan(turn),
    }
}

/// Rounds per input. A plan may hold many subgoals that are true already, and each of them takes a round.
/// Far above any plan (`plan_subgoals_max` is 120).
const ROUNDS_MAX: usize = 1_000;
