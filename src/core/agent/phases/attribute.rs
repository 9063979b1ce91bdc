//! Attribute: the mind names the cause of repeated failure, and the lesson binds this run (Eq. 12).
//!
//! Invariant: without a readable answer the rest is planned anew all the same.

use crate::agent::state::{Node, Phase};
use crate::agent::transitions::step_question::{ask_cause, ask_step_again};
use crate::agent::transitions::study_start::begin_study;
use crate::agent::turn::Turn;
use crate::agent::{drafts, reading};
use crate::domain::mind::ask::Lesson;
use crate::domain::mind::study::Topic;
use crate::domain::run::event::{Event, Then};
use crate::knowledge::contradiction::is_contradicted;
use pithead_world::ids::CallId;

/// The last answer could not be read: ask again, or continue without a lesson.
pub(in crate::agent) fn ask_again(turn: &mut Turn<'_>) {
    let Phase::Attributing {
        subgoal, faults, ..
    } = &turn.state().phase
    else {
        return;
    };
    let (subgoal, faults) = (*subgoal, faults.clone());
    let Some(faults) = ask_step_again(turn, (subgoal, faults), ask_cause) else {
        return;
    };
    let root_cause = format!("the mind gave no readable cause: {faults}");
    let lesson = Lesson {
        root_cause,
        // Without a constraint: nothing is bound that nobody could read.
        constraint: None,
        next_actions: Vec::new(),
    };
    turn.say(Event::LessonLearnt { lesson });
}

/// The cause came: the lesson is stated, and studied before the rest is planned anew.
pub(in crate::agent) fn on_answer(turn: &mut Turn<'_>, call: CallId, text: &str) {
    let Phase::Attributing { subgoal, .. } = turn.state().phase else {
        return;
    };
    let Some(lesson) = reading::lesson_from_answer(turn, call, text) else {
        return;
    };
    // A constraint on a place holds in this world only, so it binds the run but becomes no entry.
    let constraint = lesson
        .constraint
        .clone()
        .filter(|c| c.forbid.region.is_none());
    // What its own evidence speaks against is no knowledge either.
    let node = turn.state().nodes.get(&subgoal);
    let evidence = || node.into_iter().flat_map(Node::evidence);
    let constraint = constraint.filter(|c| !is_contradicted(c, evidence()));
    // The lesson first, the study after it, so that a crash in between loses no lesson.
    turn.say(Event::LessonLearnt { lesson });
    if !turn.config().profile.distil_guardrails {
        return;
    }
    let drafts = constraint.map(|constraint| drafts::guardrail_draft(turn, 1, subgoal, constraint));
    let drafts: Vec<_> = drafts.into_iter().collect();
    let topics = vec![Topic::Guardrail { subgoal }];
    begin_study(turn, topics, drafts, Then::Replan { subgoal });
}
