//! Decide: one line per input; the work is in the file that owns the phase.

use super::state::{Phase, State};
use super::turn::Turn;
use super::{
    attribute, decompose, distil, execute, explain, finish, gate, likes, operator, planning,
    recall, recount, reflect, select, spending, steer, stops, study,
};
use crate::domain::run::event::{Event, Outcome};
use crate::domain::run::input::Input;
use pithead_world::clock::Millis;

/// What follows from an input, as facts to be recorded. Late and foreign inputs (an answer to a
/// call that is no longer open, a report of an action that was replaced) give no facts.
#[must_use]
pub fn decide(state: &State, now: Millis, input: Input) -> Vec<Event> {
    let mut turn = Turn::new(state, now);
    match input {
        Input::Started {
            times_realtime,
            operator,
        } => operator::on_started(&mut turn, times_realtime, &operator),
        Input::Woken => gate::on_time(&mut turn),
        Input::Commanded { command, operator } => operator::on(&mut turn, command, operator),
        Input::Ready(frame) => recall::on_ready(&mut turn, frame),
        Input::Framed(frame) => execute::on_frame(&mut turn, frame),
        Input::Acted {
            action,
            report,
            frame,
        } => {
            execute::on_acted(&mut turn, action, report, frame);
        }
        Input::Lost { because } => finish::on_lost(&mut turn, &because),
        Input::Answered { call, text, ms } => planning::on_answer(&mut turn, call, &text, ms),
        Input::Unanswered { call, because } => planning::on_silence(&mut turn, call, because),
        Input::Withheld { call, because } => spending::on_withheld(&mut turn, call, because),
        Input::Charged { call, spent } => planning::on_charged(&mut turn, call, spent),
        Input::Recalled { hits, knowledge } => recall::on_recalled(&mut turn, hits, knowledge),
        Input::LikesFound { subgoal, earlier } => likes::on_found(&mut turn, subgoal, earlier),
        Input::LookedUp { found } => distil::on_looked_up(&mut turn, found),
    }
    advance(&mut turn);
    turn.events
}

/// Goes on until the run waits for something from outside.
fn advance(turn: &mut Turn<'_>) {
    // Each round either says something or waits; the bound is for a fault of ours, not of the run.
    for _ in 0..ROUNDS_MAX {
        stops::look(turn);
        steer::rest(turn);
        if turn.state().at_break {
            return;
        }
        let said = turn.events.len();
        if operator::decide_as_before(turn) {
            continue;
        }
        match &turn.state().phase {
            Phase::New if turn.state().config.is_some() => turn.say(Event::WorldAsked),
            Phase::ToPlan(_) => planning::ask(turn),
            Phase::Attributing { .. } if turn.state().open.is_none() => attribute::again(turn),
            Phase::Decomposing { .. } if turn.state().open.is_none() => decompose::again(turn),
            Phase::Explaining { .. } if turn.state().open.is_none() => explain::again(turn),
            Phase::Reflecting { .. } if turn.state().open.is_none() => reflect::again(turn),
            Phase::Studying(_) if turn.state().open.is_none() => study::next(turn),
            Phase::Recounting { .. } if turn.state().open.is_none() => recount::again(turn),
            Phase::Choosing => select::next(turn),
            Phase::New
            | Phase::Opening
            | Phase::Recalling
            | Phase::Condensing { .. }
            | Phase::Planning { .. }
            | Phase::Gated { .. }
            | Phase::Acting(_)
            | Phase::Attributing { .. }
            | Phase::Decomposing { .. }
            | Phase::Explaining { .. }
            | Phase::Reflecting { .. }
            | Phase::Studying(_)
            | Phase::Recounting { .. }
            | Phase::Comparing { .. }
            | Phase::LookingUp { .. }
            | Phase::Risking { .. }
            | Phase::Ending { .. }
            | Phase::Spent { .. }
            | Phase::Ended { .. } => return,
        }
        if turn.events.len() == said {
            return;
        }
    }
    let because = format!("the loop did not come to rest within {ROUNDS_MAX} rounds");
    turn.say(Event::RunEnded {
        outcome: Outcome::Failure,
        because,
    });
}

/// A plan may hold many subgoals that are true already, each of which takes a round.
const ROUNDS_MAX: usize = 1_000;
