//! Breakpoints: checked after each round of the loop; the first one that is met pauses the run there.
//!
//! Invariant: every event is checked once, and none after the run is over.

use super::state::{Phase, State};
use super::turn::Turn;
use crate::domain::condition::situation::Situation;
use crate::domain::run::breakpoint_match::{EventInContext, first_met, shown};
use crate::domain::run::event::Event;
use pithead_world::observation::Frame;

/// The name under which a breakpoint pauses the run; consoles tell it from an operator's pause.
const BY: &str = "breakpoint";

/// Checks the events stated since the last call.
pub(super) fn check_breakpoints(turn: &mut Turn<'_>) {
    // Marked as looked at also where nothing is checked, so that a breakpoint set later
    // does not fire for the past.
    let from = std::mem::replace(&mut turn.looked, turn.events.len());
    let state = turn.state();
    if state.at_break || state.is_over() || state.breaks.iter().all(|b| b.off) {
        return;
    }
    let origin = turn.origin;
    let plan = state.plan.as_ref().map_or(&[][..], |plan| &plan.subgoals);
    let met = turn.events[from..].iter().find_map(|event| {
        let moment = EventInContext {
            event,
            plan,
            before: origin
                .frame
                .as_deref()
                .map(|frame| situation_at(origin, frame)),
            after: shown(event).map(|frame| situation_at(origin, frame)),
        };
        let (breakpoint, because) = first_met(&state.breaks, &moment)?;
        Some((breakpoint.on.clone(), because))
    });
    if let Some((on, because)) = met {
        // The reason first, then the pause that follows from it.
        turn.say(Event::BreakHit { on, because });
        turn.say(Event::Paused { by: BY.to_owned() });
        // These two events meet no breakpoint themselves.
        turn.looked = turn.events.len();
    }
}

/// The frame in the situation of the attempt under way, if there is one.
fn situation_at<'a>(state: &'a State, frame: &'a Frame) -> Situation<'a> {
    match &state.phase {
        Phase::Acting(attempt) => Situation::of(frame)
            .since(&attempt.baseline)
            .pursuing(&attempt.subgoal),
        _ => Situation::of_run(frame), // without an attempt, things count from the start
    }
}
