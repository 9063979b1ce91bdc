//! Stops: breakpoints are looked at after each step of the loop; one that is met pauses the run there.

use super::state::{Phase, State};
use super::turn::Turn;
use crate::domain::condition::situation::Situation;
use crate::domain::run::breakpoint::{Moment, first_met, shown};
use crate::domain::run::event::Event;
use pithead_world::observation::Frame;

/// Whose pause it is.
const BY: &str = "breakpoint";

/// Looks at what has been said since the last look.
pub(super) fn look(turn: &mut Turn<'_>) {
    let from = std::mem::replace(&mut turn.looked, turn.events.len());
    let state = turn.state();
    if state.at_break || state.is_over() || state.breaks.iter().all(|b| b.off) {
        return;
    }
    let origin = turn.origin;
    let plan = state.plan.as_ref().map_or(&[][..], |plan| &plan.subgoals);
    let met = turn.events[from..].iter().find_map(|event| {
        let moment = Moment {
            event,
            plan,
            before: origin.frame.as_deref().map(|frame| seen(origin, frame)),
            after: shown(event).map(|frame| seen(origin, frame)),
        };
        let (breakpoint, because) = first_met(&state.breaks, &moment)?;
        Some((breakpoint.on.clone(), because))
    });
    if let Some((on, because)) = met {
        turn.say(Event::BreakHit { on, because });
        turn.say(Event::Paused { by: BY.to_owned() });
        turn.looked = turn.events.len();
    }
}

/// A frame as the checks of the attempt under way see it.
fn seen<'a>(state: &'a State, frame: &'a Frame) -> Situation<'a> {
    match &state.phase {
        Phase::Acting(attempt) => Situation::of(frame)
            .since(&attempt.baseline)
            .pursuing(&attempt.subgoal),
        _ => Situation::of_run(frame), // without an attempt, things count from the start
    }
}
