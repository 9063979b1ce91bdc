//! Replans: the rest of the plan is made anew because a step fails, is forbidden, or none is left.
//!
//! Invariant: every replan is counted, and past the bound the run ends instead (Eq. 12).

use super::{ending, giving_up, lesson, step_question, study_start};
use crate::agent::turn::Turn;
use crate::agent::{drafts, similar_failures, told_cause};
use crate::domain::condition::situation::Situation;
use crate::domain::knowledge::EntryUse;
use crate::domain::mind::ask::Lesson;
use crate::domain::mind::role::MindRole;
use crate::domain::mind::study::Topic;
use crate::domain::plan::Subgoal;
use crate::domain::run::event::{Event, Then};
use crate::domain::run::outcome::Outcome;
use crate::knowledge::deadlock;
use crate::text::numbers::format_times;
use pithead_world::ids::{KnowledgeId, SubgoalId};

/// Starts a replan, or ends the run if there have been too many; false then.
pub(in crate::agent) fn start_replan(
    turn: &mut Turn<'_>,
    subgoal: SubgoalId,
    because: String,
) -> bool {
    if !giving_up::may_replan(turn.state()) {
        giving_up::replans_used_up(turn);
        // The caller must not ask for a cause: the run is over.
        return false;
    }
    turn.say(Event::ReplanStarted { subgoal, because });
    true
}

/// A step failed too often, or in a row with earlier plans: the mind is asked for the cause, in the way of the
/// system's profile.
pub(in crate::agent) fn after_repeated_failure(
    turn: &mut Turn<'_>,
    subgoal: SubgoalId,
    because: String,
) {
    if turn.config().profile.reflect {
        if let Some((subgoal, key)) = similar_failures::cases_to_recall(turn.state(), subgoal) {
            turn.say(Event::SimilarFailuresAsked { subgoal, key });
            return;
        }
        // The reflection decides whether there is a replan at all.
        step_question::ask_reflection(turn, subgoal, Vec::new());
        return;
    }
    // The replan is stated before the question about its cause, so the bound is checked
    // first.
    if !start_replan(turn, subgoal, because) {
        return;
    }
    if !turn.config().profile.asks_cause() {
        return;
    }
    if let Some(told) = told_lesson(turn, subgoal) {
        lesson::take_told_lesson(turn, subgoal, told);
    } else if turn.state().replaced_roles.contains(&MindRole::Diagnosis) {
        learn_from_diagnosis(turn, subgoal);
    } else if turn.config().profile.explain {
        step_question::ask_explanation(turn, subgoal, Vec::new());
    } else {
        step_question::ask_cause(turn, subgoal, Vec::new());
    }
}

/// What the body's report tells, in runs whose causes a model would be asked for.
fn told_lesson(turn: &Turn<'_>, subgoal: SubgoalId) -> Option<Lesson> {
    let asks = turn.state().asks_models() && !turn.config().profile.explain;
    asks.then(|| told_cause::lesson_of_report(turn.state(), subgoal))
        .flatten()
}

/// The mind gives no usable causes: what the program's own diagnosis found is the cause.
fn learn_from_diagnosis(turn: &mut Turn<'_>, subgoal: SubgoalId) {
    let node = turn.state().nodes.get(&subgoal);
    let last = node.and_then(|node| node.failures.last());
    let root_cause = last.map_or(String::new(), |failure| failure.diagnosis.summary.clone());
    let lesson = Lesson {
        root_cause,
        constraint: None,
        next_actions: Vec::new(),
        is_guess: false,
    };
    turn.say(Event::LessonLearnt { lesson });
}

/// K_tol is reached: by how many failures, in words.
pub(in crate::agent) fn times_failed(turn: &Turn<'_>, subgoal: SubgoalId) -> String {
    let node = turn.state().nodes.get(&subgoal);
    let (own, earlier) = node.map_or((0, 0), |n| (n.failures.len(), n.earlier.len()));
    let failed = format!("failed {}", format_times(own));
    match earlier {
        0 => failed,
        earlier => {
            let earlier = format_times(earlier);
            format!("{failed}, and in the same way {earlier} in earlier runs")
        }
    }
}

/// A guardrail forbids the subgoal as things stand: the plan must change, nothing was tried.
/// A guardrail that leaves the planner no way round has done harm, and is passed over.
// Both ways count against the entry: the second as harm.
pub(in crate::agent) fn because_forbidden(turn: &mut Turn<'_>, subgoal: &Subgoal, by: KnowledgeId) {
    if giving_up::leaves_no_way(turn.state(), subgoal.id, by) {
        turn.say(Event::KnowledgeUsed {
            id: by,
            how: EntryUse::Hurt,
            subgoal: Some(subgoal.id),
        });
        return;
    }
    turn.say(Event::KnowledgeUsed {
        id: by,
        how: EntryUse::Blocked,
        subgoal: Some(subgoal.id),
    });
    let because = format!("{} is forbidden by {by}", subgoal.condition);
    // No attempt was made, so no failure is counted.
    start_replan(turn, subgoal.id, because);
}

/// Every subgoal is done and the task is not: the plan was wrong as a whole.
pub(in crate::agent) fn after_dead_end(turn: &mut Turn<'_>) {
    // A replan needs a step to refer to; the last one done stands for the whole plan.
    let last = turn.state().done.last().map(|subgoal| subgoal.id);
    match last {
        Some(last) => {
            let because = "all steps are done, but the task is not".to_owned();
            if start_replan(turn, last, because) {
                learn_from_dead_end(turn, last);
            }
        }
        None => ending::end_run(turn, Outcome::Failure, "the plan is empty".to_owned()),
    }
}

/// What the plan lacked as a whole is learnt before the next one is made (Eq. 8).
fn learn_from_dead_end(turn: &mut Turn<'_>, last: SubgoalId) {
    let state = turn.state();
    let Some(frame) = state.frame.as_deref() else {
        return;
    };
    let task = &turn.config().task;
    if !turn.config().profile.distil_guardrails {
        return;
    }
    let now = Situation::of_run(frame);
    let found = deadlock::from_dead_end(task, &state.successes, &state.failed, &now);
    let drafts = found.map(|found| drafts::task_guardrail_draft(turn, 1, found));
    let drafts: Vec<_> = drafts.into_iter().collect();
    // Afterwards the replan goes on.
    let then = Then::Replan { subgoal: last };
    study_start::begin_study(turn, vec![Topic::Deadlock], drafts, then);
}
