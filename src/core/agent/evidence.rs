//! Evidence: what a recorded attempt was judged by, taken from the fold just before its diagnosis.
//!
//! Invariant: judged with the thresholds of its run, it gives the diagnosis that was recorded.

use super::executor;
use super::state::{Phase, State};
use super::transitions::attempt::stop_after;
use crate::domain::experience::attempt::{Attempt, Stop};
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::run::event::Event;

/// The attempt under way and the state it ended in; `last` is what ended its action or
/// its world, if that came just before its end, `state` the fold up to and with it. None if no attempt is under way.
#[must_use]
pub fn attempt_evidence(state: &State, last: Option<&Event>) -> Option<(Attempt, StateSummary)> {
    let (Phase::Acting(attempt), Some(frame)) = (&state.phase, state.frame.as_deref()) else {
        return None;
    };
    let mut attempt = (**attempt).clone();
    if attempt.stop.is_none() {
        attempt.stop = stop_of(state, &attempt, last);
    }
    Some((attempt, StateSummary::from_frame(frame)))
}

/// Why it ended, if it was not cancelled.
fn stop_of(state: &State, attempt: &Attempt, last: Option<&Event>) -> Option<Stop> {
    let (frame, config) = (state.frame.as_deref()?, state.config()?);
    match last {
        Some(Event::ActionEnded { report, frame, .. }) => Some(stop_after(report, frame)),
        Some(Event::WorldLost { because }) => Some(Stop::Terminated {
            because: because.clone(),
        }),
        // It ended as it began: no order could be given.
        _ => executor::order_for(&attempt.subgoal, frame, &config.task)
            .err()
            .map(|because| Stop::NoExecutor { because }),
    }
}
