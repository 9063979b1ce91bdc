//! Execute: the frames of the attempt under way are watched until its action ends or is cancelled.
//!
//! Most frames change nothing but the record, so they are noted without a copy of the state.

use crate::agent::apply::check_truths;
use crate::agent::state::Phase;
use crate::agent::transitions::attempt::{end_attempt, stop_after};
use crate::agent::transitions::loss::lose_world;
use crate::agent::turn::Turn;
use crate::diagnosis::{shelter, stall};
use crate::domain::check::Truth;
use crate::domain::condition::situation::Situation;
use crate::domain::experience::attempt::{Attempt, Stop};
use crate::domain::run::event::Event;
use pithead_world::action::ActionReport;
use pithead_world::aids::Controller;
use pithead_world::clock::TICKS_PER_SECOND;
use pithead_world::ids::ActionId;
use pithead_world::observation::{Frame, Pause};
use pithead_world::port::Reflex;

/// A frame came in while an action runs (or while nothing does).
pub(in crate::agent) fn on_frame(turn: &mut Turn<'_>, mut frame: Box<Frame>) {
    // A pause of a controller counts only if the run declares that controller.
    let is_declared = turn.config().world.aids.controller == Controller::Table18;
    frame.pause = frame
        .pause
        .filter(|pause| is_declared || *pause != Pause::Controller);
    let stop = match &turn.state().phase {
        Phase::Acting(attempt) if attempt.stop.is_none() => stop_at_frame(turn, attempt, &frame),
        _ => None,
    };
    let running = match &turn.state().phase {
        Phase::Acting(attempt) => attempt.actions.last().map(|deed| deed.id),
        _ => None,
    };
    match (stop, running) {
        (Some(stop), Some(action)) => {
            turn.say(Event::FrameSeen { frame });
            turn.say(Event::ActionCancelled { action, stop });
        }
        _ => turn.note(Event::FrameSeen { frame }),
    }
}

/// Whether the attempt should be stopped at this frame, and why.
fn stop_at_frame(turn: &Turn<'_>, attempt: &Attempt, frame: &Frame) -> Option<Stop> {
    let config = turn.config();
    let elapsed = frame.tick.saturating_sub(attempt.baseline.tick);
    let goal = Situation::of_run(frame);
    let mut success = config.task.success.iter();
    let is_task_done = success.all(|check| check.truth(&goal).is_true());
    let is_step_done = all_true(&check_truths(attempt, frame));
    if is_step_done && (is_task_done || ticks_done(attempt, frame.tick) >= GRACE_TICKS) {
        Some(Stop::Done)
    } else if is_task_done {
        Some(Stop::TaskDone)
    } else if frame.tick >= config.budget.ticks {
        Some(Stop::BudgetSpent)
    } else if elapsed.saturating_sub(shelter::idle_ticks(attempt))
        >= u64::from(attempt.subgoal.timeout_s) * TICKS_PER_SECOND
    {
        Some(Stop::TimedOut)
    } else if let stall::Stall::Stalled { seen, .. } = stall::watch(attempt, &config.thresholds) {
        Some(Stop::Stalled { seen })
    } else {
        None
    }
}

/// Ticks for which a script may continue after its checks are true: it still picks up its table or what lies
/// about. One that does not end by itself is cancelled then.
const GRACE_TICKS: u64 = 200;

/// Ticks for which all checks have been true without a break.
fn ticks_done(attempt: &Attempt, now: u64) -> u64 {
    let since = attempt
        .samples
        .iter()
        .rev()
        .take_while(|s| all_true(&s.truths))
        .last();
    since.map_or(0, |sample| now.saturating_sub(sample.tick))
}

/// The action ended, and the attempt with it.
pub(in crate::agent) fn on_acted(
    turn: &mut Turn<'_>,
    action: ActionId,
    report: ActionReport,
    frame: Box<Frame>,
) {
    let open = match &turn.state().phase {
        Phase::Acting(attempt) => attempt.actions.last().map(|deed| deed.id),
        _ => None,
    };
    if open != Some(action) {
        return;
    }
    let stop = stop_after(&report, &frame);
    turn.say(Event::ActionEnded {
        action,
        report,
        frame,
    });
    end_attempt(turn, stop);
}

/// The body did something by itself, while nothing was ordered.
pub(in crate::agent) fn on_reacted(turn: &mut Turn<'_>, reflex: Reflex) {
    if !turn.state().is_over() {
        turn.note(Event::BodyReacted { reflex });
    }
}

/// The world is gone.
pub(in crate::agent) fn on_lost(turn: &mut Turn<'_>, because: &str) {
    // Said again if it cannot be joined again.
    if !turn.state().is_over() {
        lose_world(turn, because);
    }
}

fn all_true(truths: &[Truth]) -> bool {
    !truths.is_empty() && truths.iter().all(|truth| truth.is_true())
}
