//! Attribute and replan: what repeated failure means, and the rest of the plan made anew (Eq. 12).

use super::state::Phase;
use super::turn::Turn;
use super::{distil, explain, failing, finish, reading, reflect, study};
use crate::domain::condition::situation::Situation;
use crate::domain::knowledge::Use;
use crate::domain::mind::ask::{Ask, DiagnoseAsk, Lesson};
use crate::domain::mind::study::Topic;
use crate::domain::plan::Subgoal;
use crate::domain::run::event::{Event, Outcome, Then};
use crate::knowledge::deadlock;
use pithead_world::ids::{CallId, KnowledgeId, SubgoalId};

/// An attempt failed: try again, replan, or give up. `select` sees to the first two.
pub(super) fn on_failure(turn: &mut Turn<'_>, subgoal: &Subgoal) {
    let attempts = turn
        .state()
        .nodes
        .get(&subgoal.id)
        .map_or(0, |node| node.attempts);
    let (k_tol, attempts_max) = (
        turn.config().profile.k_tol,
        turn.config().limits.attempts_max,
    );
    let because = if k_tol == 0 {
        format!(
            "{} failed, and this system does not replan",
            subgoal.condition
        )
    } else if attempts >= attempts_max {
        format!("{} failed {attempts} times", subgoal.condition)
    } else {
        return;
    };
    finish::unless_won(turn, Outcome::Failure, because);
}

/// K_tol is reached: ask for the cause.
pub(super) fn begin(turn: &mut Turn<'_>, subgoal: SubgoalId) {
    if turn.config().profile.reflect {
        reflect::ask(turn, subgoal, Vec::new());
        return;
    }
    let because = times(turn, subgoal);
    if !replan(turn, subgoal, because) {
        return;
    }
    if turn.config().profile.explain {
        explain::ask(turn, subgoal, Vec::new());
    } else {
        ask(turn, subgoal, Vec::new());
    }
}

fn times(turn: &Turn<'_>, subgoal: SubgoalId) -> String {
    let node = turn.state().nodes.get(&subgoal);
    let (own, earlier) = node.map_or((0, 0), |n| (n.failures.len(), n.earlier.len()));
    match (own, earlier) {
        (own, 0) => format!("failed {own} times"),
        (1, earlier) => format!("failed once, and in the same way {earlier} times in earlier runs"),
        (own, earlier) => {
            format!("failed {own} times, and in the same way {earlier} times in earlier runs")
        }
    }
}

/// A guardrail forbids the subgoal as things stand: the plan must change, nothing was tried.
/// A guardrail that leaves the planner no way round has done harm, and is passed over.
pub(super) fn blocked(turn: &mut Turn<'_>, subgoal: &Subgoal, by: KnowledgeId) {
    let times = turn
        .state()
        .blocks
        .get(&(subgoal.id, by))
        .copied()
        .unwrap_or(0);
    if times >= turn.config().limits.blocks_max {
        turn.say(Event::KnowledgeUsed {
            id: by,
            how: Use::Hurt,
            subgoal: Some(subgoal.id),
        });
        return;
    }
    turn.say(Event::KnowledgeUsed {
        id: by,
        how: Use::Blocked,
        subgoal: Some(subgoal.id),
    });
    replan(
        turn,
        subgoal.id,
        format!("{} is forbidden by {by}", subgoal.condition),
    );
}

/// Every subgoal is done and the task is not: the plan was wrong as a whole.
pub(super) fn dead_end(turn: &mut Turn<'_>) {
    let last = turn.state().done.last().map(|subgoal| subgoal.id);
    match last {
        Some(last) => {
            let because = "all subgoals are done and the task is not".to_owned();
            if replan(turn, last, because) {
                learn_from_dead_end(turn, last);
            }
        }
        None => finish::now(turn, Outcome::Failure, "the plan is empty".to_owned()),
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
    let found = deadlock::from_dead_end(task, &state.successes, &Situation::of_run(frame));
    let drafts = found.map(|found| distil::task_guardrail(turn, 1, found));
    let drafts: Vec<_> = drafts.into_iter().collect();
    let then = Then::Replan { subgoal: last };
    study::begin(turn, vec![Topic::Deadlock], drafts, then);
}

/// Starts a replan, or ends the run if there have been too many.
pub(super) fn replan(turn: &mut Turn<'_>, subgoal: SubgoalId, because: String) -> bool {
    let replans_max = turn.config().limits.replans_max;
    if turn.state().counters.replans >= replans_max {
        finish::now(
            turn,
            Outcome::Failure,
            format!("{replans_max} replans did not help"),
        );
        return false;
    }
    turn.say(Event::ReplanStarted { subgoal, because });
    true
}

fn ask(turn: &mut Turn<'_>, subgoal: SubgoalId, faults: Vec<String>) {
    let task = turn.config().task.clone();
    failing::ask(turn, subgoal, |step| {
        Ask::Diagnose(Box::new(DiagnoseAsk {
            task,
            state: step.card.clone(),
            subgoal: step.subgoal.clone(),
            attempts: step.evidence(),
            knowledge: step.state.visible().cloned().collect(),
            faults,
        }))
    });
}

/// The last answer could not be read: ask again, or go on without a lesson.
pub(super) fn again(turn: &mut Turn<'_>) {
    let Phase::Attributing {
        subgoal, faults, ..
    } = &turn.state().phase
    else {
        return;
    };
    let (subgoal, faults) = (*subgoal, faults.clone());
    let Some(told) = failing::again(turn, (subgoal, faults), ask) else {
        return;
    };
    let root_cause = format!("the mind gave no readable cause: {told}");
    let lesson = Lesson {
        root_cause,
        constraint: None,
        next_actions: Vec::new(),
    };
    turn.say(Event::LessonLearnt { lesson });
}

/// The cause came back: propose what was learnt and plan anew.
pub(super) fn on_lesson(turn: &mut Turn<'_>, call: CallId, text: &str) {
    let Phase::Attributing { subgoal, .. } = turn.state().phase else {
        return;
    };
    let Some(lesson) = reading::lesson(turn, call, text) else {
        return;
    };
    // What binds a place is true of this world only: it binds the run and goes no further.
    let constraint = lesson
        .constraint
        .clone()
        .filter(|c| c.forbid.region.is_none());
    turn.say(Event::LessonLearnt { lesson });
    if !turn.config().profile.distil_guardrails {
        return;
    }
    let drafts = constraint.map(|constraint| distil::guardrail(turn, 1, subgoal, constraint));
    let drafts: Vec<_> = drafts.into_iter().collect();
    let topics = vec![Topic::Guardrail { subgoal }];
    study::begin(turn, topics, drafts, Then::Replan { subgoal });
}
