//! Lessons: what a repeated failure teaches binds the new plan, and becomes knowledge where the record agrees.
//!
//! Invariant: a lesson is stated before it is studied, so that a crash in between loses none.

use super::study_start::begin_study;
use crate::agent::drafts;
use crate::agent::node::Node;
use crate::agent::reading::study::guardrail_fault;
use crate::agent::turn::Turn;
use crate::domain::knowledge::{Body, Entry, Guardrail};
use crate::domain::mind::ask::Lesson;
use crate::domain::mind::study::Topic;
use crate::domain::run::event::{Event, Then};
use crate::knowledge::contradiction::is_contradicted;
use crate::knowledge::lifting;
use pithead_world::ids::{ExperienceId, SubgoalId};

/// A lesson of the mind: what its constraint proposes goes back to a model only where the record speaks against it.
pub(in crate::agent) fn take_lesson(turn: &mut Turn<'_>, subgoal: SubgoalId, lesson: Lesson) {
    let constraint = fit_for_knowledge(turn, subgoal, &lesson);
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

/// A lesson that the body's report told: one that the record speaks against neither binds nor becomes knowledge.
pub(in crate::agent) fn take_told_lesson(
    turn: &mut Turn<'_>,
    subgoal: SubgoalId,
    mut lesson: Lesson,
) {
    let state = turn.state();
    let is_borne_out = |made: &Guardrail| guardrail_fault(state, subgoal, made).is_none();
    lesson.constraint = lesson.constraint.filter(is_borne_out);
    let constraint = fit_for_knowledge(turn, subgoal, &lesson);
    turn.say(Event::LessonLearnt { lesson });
    let drafted = constraint.filter(|_| turn.config().profile.distil_guardrails);
    if let Some((constraint, evidence)) = drafted {
        let draft = drafts::program_draft(turn, 1, Body::Guardrail(constraint), evidence);
        begin_study(turn, Vec::new(), vec![draft], Then::Replan { subgoal });
    }
}

/// The constraint of a lesson as it may become an entry.
fn fit_for_knowledge(
    turn: &Turn<'_>,
    subgoal: SubgoalId,
    lesson: &Lesson,
) -> Option<(Guardrail, Vec<ExperienceId>)> {
    // A guess is knowledge only when the run has borne it out; see `drafts`.
    let known = lesson.constraint.clone().filter(|_| !lesson.is_guess)?;
    let fit = without_place(turn, subgoal, known)?;
    // What its own evidence speaks against is no knowledge either.
    let node = turn.state().nodes.get(&subgoal);
    let evidence = node.into_iter().flat_map(Node::evidence);
    (!is_contradicted(&fit.0, evidence)).then_some(fit)
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
