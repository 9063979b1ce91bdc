//! Execute: a subgoal becomes an action; frames are watched; the attempt ends with a diagnosis.
//!
//! Frames are many and mostly change nothing, so the common case states one fact and no more.

use super::apply::truths;
use super::state::Phase;
use super::turn::Turn;
use super::{attribute, executor};
use crate::diagnosis::{classify, shelter, stall};
use crate::domain::check::Truth;
use crate::domain::condition::situation::Situation;
use crate::domain::experience::Experience;
use crate::domain::experience::attempt::{Attempt, Stop};
use crate::domain::experience::state_card::StateCard;
use crate::domain::knowledge::Use;
use crate::domain::plan::Subgoal;
use crate::domain::run::event::Event;
use pithead_world::action::{ActionFailure, ActionReport};
use pithead_world::aids::Controller;
use pithead_world::clock::TICKS_PER_SECOND;
use pithead_world::ids::{ActionId, AttemptId, ExperienceId};
use pithead_world::observation::{Frame, Pause};

/// Begins an attempt at the subgoal.
pub(super) fn begin(turn: &mut Turn<'_>, subgoal: &Subgoal) {
    let attempt = AttemptId(turn.state().counters.attempts + 1);
    turn.say(Event::AttemptStarted {
        attempt,
        subgoal: subgoal.id,
    });
    let order = match turn.state().frame.as_deref() {
        Some(frame) => executor::order(subgoal, frame),
        None => Err("nothing has been seen of the world yet".to_owned()),
    };
    match order {
        Ok(order) => {
            let action = ActionId(turn.state().counters.actions + 1);
            turn.say(Event::ActionIssued {
                action,
                attempt,
                order,
            });
        }
        Err(because) => end(turn, Stop::NoExecutor { because }),
    }
}

/// A frame came in while an action runs (or while nothing does).
pub(super) fn on_frame(turn: &mut Turn<'_>, mut frame: Box<Frame>) {
    // Only a controller that the run declares is waited with.
    let is_declared = turn.config().world.aids.controller == Controller::Table18;
    frame.pause = frame
        .pause
        .filter(|pause| is_declared || *pause != Pause::Controller);
    let stop = match &turn.state().phase {
        Phase::Acting(attempt) if attempt.stop.is_none() => stop(turn, attempt, &frame),
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
fn stop(turn: &Turn<'_>, attempt: &Attempt, frame: &Frame) -> Option<Stop> {
    let config = turn.config();
    let elapsed = frame.tick.saturating_sub(attempt.baseline.tick);
    let goal = Situation::of_run(frame);
    if config
        .task
        .success
        .iter()
        .all(|check| check.truth(&goal).is_true())
        || (all_true(&truths(attempt, frame)) && done_for(attempt, frame.tick) >= GRACE_TICKS)
    {
        Some(Stop::Done)
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

/// A script that has what it came for still picks up its table or what lies about; only one that
/// does not come to its end by itself is called off after so many ticks.
const GRACE_TICKS: u64 = 200;

/// Ticks for which all checks have been true without a break.
fn done_for(attempt: &Attempt, now: u64) -> u64 {
    let since = attempt
        .samples
        .iter()
        .rev()
        .take_while(|s| all_true(&s.truths))
        .last();
    since.map_or(0, |sample| now.saturating_sub(sample.tick))
}

/// The action ended: so does the attempt.
pub(super) fn on_acted(
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
    end(turn, stop);
}

/// Why an attempt ends with its action.
pub(super) fn stop_after(report: &ActionReport, frame: &Frame) -> Stop {
    match &report.failure {
        Some(ActionFailure::Died { of }) => Stop::Terminated {
            because: format!("died of {of}"),
        },
        _ if !frame.alive => Stop::Terminated {
            because: "died".to_owned(),
        },
        _ => Stop::ActionEnded,
    }
}

/// Ends the attempt under way: diagnose, record, and say what it means for the plan.
/// A reason that was stated when the action was called off stands before `stop`.
pub(super) fn end(turn: &mut Turn<'_>, stop: Stop) {
    let state = turn.state();
    let (Phase::Acting(attempt), Some(frame)) = (&state.phase, state.frame.as_deref()) else {
        return;
    };
    let mut attempt = (**attempt).clone();
    attempt.stop.get_or_insert(stop);
    let post = StateCard::of(frame);
    let diagnosis = classify::diagnose(&attempt, &post, &turn.config().thresholds);
    let outcome = diagnosis.reason.map_or("success", |reason| reason.name());
    let subgoal = attempt.subgoal.clone();
    let experience = Experience {
        id: ExperienceId {
            run: turn.config().run,
            n: attempt.id.0,
        },
        attempt: attempt.id,
        task: turn.config().task.text.clone(),
        at: turn.now,
        tags: tags(&subgoal, &attempt.pre, outcome),
        pre: attempt.pre,
        action: subgoal.clone(),
        diagnosis,
        post,
        by_operator: turn.state().is_act(subgoal.id),
    };
    let success = experience.diagnosis.success;
    let (by_operator, called_off) = (experience.by_operator, attempt.stop == Some(Stop::Aborted));
    let belied = super::select::belied(turn.state(), &experience);
    turn.say(Event::AttemptEnded {
        attempt: attempt.id,
        experience: Box::new(experience),
    });
    if success {
        turn.say(Event::SubgoalDone {
            subgoal: subgoal.id,
        });
        for id in super::select::matching(turn.state(), &subgoal) {
            turn.say(Event::KnowledgeUsed {
                id,
                how: Use::Helped,
                subgoal: Some(subgoal.id),
            });
        }
    } else {
        for id in belied {
            turn.say(Event::KnowledgeUsed {
                id,
                how: Use::Hurt,
                subgoal: Some(subgoal.id),
            });
        }
        if !by_operator && !called_off {
            attribute::on_failure(turn, &subgoal);
        }
    }
}

/// τ: what the experience can be found by.
fn tags(subgoal: &Subgoal, pre: &StateCard, outcome: &str) -> Vec<String> {
    let mut tags = vec![
        subgoal.task_kind.name().to_owned(),
        pre.biome.clone(),
        outcome.to_owned(),
    ];
    tags.extend(subgoal.goal.object.map(|object| object.to_string()));
    tags
}

fn all_true(truths: &[Truth]) -> bool {
    !truths.is_empty() && truths.iter().all(|truth| truth.is_true())
}
