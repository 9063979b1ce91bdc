//! Attribute: the mind names the cause of repeated failure, and the lesson binds this run (Eq. 12).
//!
//! Invariant: without a readable answer the rest is planned anew all the same.

use crate::agent::node::Node;
use crate::agent::reading::study::guardrail_fault;
use crate::agent::state::Phase;
use crate::agent::transitions::step_question::{ask_cause, ask_step_again};
use crate::agent::transitions::study_start::begin_study;
use crate::agent::turn::Turn;
use crate::agent::{drafts, reading};
use crate::domain::knowledge::{Body, Entry, Guardrail};
use crate::domain::mind::ask::Lesson;
use crate::domain::mind::role::MindRole;
use crate::domain::mind::study::Topic;
use crate::domain::run::event::{Event, Then};
use crate::knowledge::contradiction::is_contradicted;
use crate::knowledge::lifting;
use pithead_world::ids::{CallId, ExperienceId, SubgoalId};

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
    // A guess is knowledge only when the run has borne it out; see `drafts`.
    let known = lesson.constraint.clone().filter(|_| !lesson.is_guess);
    let constraint = known.and_then(|c| without_place(turn, subgoal, c));
    // What its own evidence speaks against is no knowledge either.
    let node = turn.state().nodes.get(&subgoal);
    let evidence = || node.into_iter().flat_map(Node::evidence);
    let constraint = constraint.filter(|(c, _)| !is_contradicted(c, evidence()));
    // The lesson first, the study after it, so that a crash in between loses no lesson.
    turn.say(Event::LessonLearnt { lesson });
    if !turn.config().profile.distil_guardrails {
        return;
    }
    let draft = constraint
        .map(|(constraint, evidence)| drafts::guardrail_draft(turn, 1, evidence, constraint));
    let drafts: Vec<_> = draft.into_iter().collect();
    // "None" is an answer, and a constraint that the record agrees with needs no second opinion.
    let doubted = draft_in_doubt(turn, subgoal, &drafts);
    let topics = doubted.then_some(Topic::Guardrail { subgoal });
    let topics = topics.into_iter().collect();
    begin_study(turn, topics, drafts, Then::Replan { subgoal });
}

/// Whether the record of the run speaks against what the diagnosis proposes.
fn draft_in_doubt(turn: &Turn<'_>, subgoal: SubgoalId, drafts: &[Entry]) -> bool {
    drafts.iter().any(|draft| match &draft.body {
        Body::Guardrail(made) => guardrail_fault(turn.state(), subgoal, made).is_some(),
        _ => false, // nothing else comes of a lesson
    })
}

/// The constraint as it may become an entry, with the attempts that it rests on. One on a place holds in this world
/// only: it binds the run, and becomes an entry if other places say what it was about them.
fn without_place(
    turn: &Turn<'_>,
    subgoal: SubgoalId,
    constraint: Guardrail,
) -> Option<(Guardrail, Vec<ExperienceId>)> {
    let state = turn.state();
    if constraint.forbid.region.is_none() {
        return Some((constraint, drafts::failures_of_step(turn, subgoal)));
    }
    let (failed, successes) = (state.failed.iter(), state.successes.iter());
    let (lifted, alike) = lifting::lifted(&constraint, failed, successes)?;
    Some((lifted, alike.iter().map(|e| e.id).collect()))
}
