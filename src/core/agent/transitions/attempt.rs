//! Attempts: how one begins with an order, and ends with a diagnosis.
//!
//! Invariant: every attempt that was started ends with exactly one experience.

use super::giving_up;
use crate::agent::state::Phase;
use crate::agent::turn::Turn;
use crate::agent::{executor, keep, on_the_way, relevant, stations_stay};
use crate::diagnosis::classify;
use crate::domain::experience::Experience;
use crate::domain::experience::attempt::Stop;
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::knowledge::EntryUse;
use crate::domain::plan::Subgoal;
use crate::domain::run::event::Event;
use pithead_world::action::{ActionFailure, ActionReport};
use pithead_world::ids::{ActionId, AttemptId, ExperienceId};
use pithead_world::observation::Frame;

/// Begins an attempt at the subgoal.
pub(in crate::agent) fn begin_attempt(turn: &mut Turn<'_>, subgoal: &Subgoal) {
    let attempt = AttemptId(turn.state().counters.attempts + 1);
    turn.say(Event::AttemptStarted {
        attempt,
        subgoal: subgoal.id,
    });
    let order = match turn.state().frame.as_deref() {
        // The executor turns the step into an order for the body, or says why none fits.
        Some(frame) => executor::order_for(subgoal, frame, &turn.config().task)
            .map(|order| on_the_way::with_what_is_met(order, turn.state()))
            .map(|order| stations_stay::as_the_plan_goes_on(order, subgoal, turn.state())),
        None => Err("the world has not been seen yet".to_owned()),
    };
    match order {
        Ok(order) => {
            let action = ActionId(turn.state().counters.actions + 1);
            turn.say(Event::ActionIssued {
                action,
                attempt,
                order,
                keep: keep::kept(turn.state()),
            });
        }
        // Ended as it began: also this leaves an experience with a diagnosis.
        Err(because) => end_attempt(turn, Stop::NoExecutor { because }),
    }
}

/// Why an attempt ends with its action.
pub(in crate::agent) fn stop_after(report: &ActionReport, frame: &Frame) -> Stop {
    match &report.failure {
        // Death ends the run's world whatever the action was.
        Some(ActionFailure::Died { of }) => Stop::Terminated {
            because: format!("died of {of}"),
        },
        _ if !frame.alive => Stop::Terminated {
            because: "died".to_owned(),
        },
        _ => Stop::ActionEnded,
    }
}

/// Ends the attempt under way: its diagnosis, its record, and what they mean for plan and knowledge.
/// The reason for which the action was cancelled goes before `stop`: the end of the action only follows it.
pub(in crate::agent) fn end_attempt(turn: &mut Turn<'_>, stop: Stop) {
    let state = turn.state();
    let (Phase::Acting(attempt), Some(frame)) = (&state.phase, state.frame.as_deref()) else {
        return;
    };
    let mut attempt = (**attempt).clone();
    // `get_or_insert`: a stall that cancelled the action was stated earlier and stays the
    // reason.
    attempt.stop.get_or_insert(stop);
    let post = StateSummary::from_frame(frame);
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
        tags: attempt_tags(&subgoal, &attempt.pre, outcome),
        pre: attempt.pre,
        action: subgoal.clone(),
        diagnosis,
        post,
        by_operator: turn.state().is_act(subgoal.id),
        judged: state.judgements.get(&subgoal.id).cloned().map(Box::new),
        called_off: matches!(attempt.stop, Some(Stop::Aborted | Stop::TaskDone)),
    };
    let (success, is_failure) = (experience.diagnosis.success, experience.is_failure());
    // Asked before the event: afterwards the state holds the attempt already.
    let blamed = relevant::blamed_for(&experience, turn.state());
    turn.say(Event::AttemptEnded {
        attempt: attempt.id,
        experience: Box::new(experience),
    });
    if success {
        // The event with the diagnosis comes first, so that a reader of the journal has the
        // reason before its effects.
        turn.say(Event::SubgoalDone {
            subgoal: subgoal.id,
        });
        for id in subgoal.follows.iter().copied() {
            turn.say(Event::KnowledgeUsed {
                id,
                how: EntryUse::Helped,
                subgoal: Some(subgoal.id),
            });
        }
    } else if is_failure {
        for id in blamed {
            turn.say(Event::KnowledgeUsed {
                id,
                how: EntryUse::Hurt,
                subgoal: Some(subgoal.id),
            });
        }
        giving_up::after_failure(turn, &subgoal);
    }
}

/// The tags τ by which the experience can be found.
fn attempt_tags(subgoal: &Subgoal, pre: &StateSummary, outcome: &str) -> Vec<String> {
    let mut tags = vec![
        // Kind, biome, outcome, goal: the words by which recall finds it.
        subgoal.task_kind.name().to_owned(),
        pre.biome.clone(),
        outcome.to_owned(),
    ];
    tags.extend(subgoal.goal.object.map(|object| object.to_string()));
    tags
}
