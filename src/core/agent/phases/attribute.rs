//! Attribute: the mind names the cause of repeated failure, and the lesson binds this run (Eq. 12).
//!
//! Invariant: without a readable answer the rest is planned anew all the same.

use crate::agent::reading;
use crate::agent::state::Phase;
use crate::agent::transitions::lesson::take_lesson;
use crate::agent::transitions::step_question::{ask_cause, ask_step_again};
use crate::agent::turn::Turn;
use crate::domain::mind::ask::Lesson;
use crate::domain::mind::role::MindRole;
use crate::domain::run::event::Event;
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
    turn.say(Event::RoleReplaced {
        role: MindRole::Diagnosis,
        because: root_cause.clone(),
    });
    let lesson = Lesson {
        root_cause,
        // Without a constraint: nothing is bound that nobody could read.
        constraint: None,
        next_actions: Vec::new(),
        is_guess: false,
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
    take_lesson(turn, subgoal, lesson);
}
