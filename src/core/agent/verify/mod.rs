//! The plan verifier: plays a plan forward as it declares itself, and collects notes.
//!
//! It believes what the plan declares (its checks become true) and holds it against guardrails,
//! lessons and form. The true game tables are not asked here, or nothing would ever be learnt;
//! `facts` does that for `pithead plan` alone. Invariant: it never stops at the first note.

mod counts;
pub mod facts;
mod form;
mod known;
mod layers;
mod material;
mod play;

pub use facts::{obtainable, verify_facts};
pub use known::{Known, KnownInRun, plays_what_is_used_up};
pub use layers::{ByRules, judge_by_rules};

use crate::domain::check::{Check, Truth};
use crate::domain::knowledge::pattern::{fits, forbids, overlaps};
use crate::domain::knowledge::{Body, Entry, Guardrail, Remedy, Status, TaskGuardrail};
use crate::domain::plan::note::{About, Note, Severity};
use crate::domain::plan::task::Task;
use crate::domain::plan::{Plan, Subgoal};
use pithead_world::ids::KnowledgeId;
use play::Play;

/// All notes on the plan, which is played as it declares itself.
#[must_use]
pub fn verify(plan: &Plan, known: &Known<'_>) -> Vec<Note> {
    let Known {
        task,
        state,
        knowledge,
        lessons,
        limits,
        uses,
        counts,
    } = *known;
    // Form first, then each step in order with the state that the steps before it leave.
    let mut notes = form::notes(plan, task, limits);
    // Proposed entries act on nothing, also here.
    let active: Vec<&Entry> = knowledge
        .iter()
        .filter(|e| e.status == Status::Active)
        .collect();
    let mut play = Play::new(state, uses, task);
    for subgoal in &plan.subgoals {
        notes.extend(
            active
                .iter()
                .filter_map(|entry| forbidden(entry, subgoal, &play)),
        );
        notes.extend(
            active
                .iter()
                .filter_map(|entry| against_rule(entry, subgoal, &play)),
        );
        notes.extend(
            active
                .iter()
                .flat_map(|entry| left_out_before(entry, subgoal, task, &play)),
        );
        let bound = lessons.iter().enumerate();
        // What a blueprint takes is written in it: nobody has to have seen it.
        notes.extend(material::shortages(subgoal, &play));
        if counts {
            notes.extend(counts::miscounts(subgoal, &play));
        }
        // After the questions about this step: its own effects do not help it.
        notes.extend(bound.filter_map(|(at, lesson)| constrained(at, lesson, subgoal, &play)));
        play.declare(subgoal);
    }
    let task_guardrails = active.iter().filter_map(|entry| match &entry.body {
        Body::TaskGuardrail(guardrail) if guardrail.before.is_anything() => {
            Some((entry.id, guardrail))
        }
        _ => None,
    });
    // Asked at the end, of the plan as a whole.
    for (id, guardrail) in task_guardrails.filter(|(_, g)| is_about(g, task)) {
        notes.extend(
            guardrail
                .missing
                .iter()
                .filter_map(|r| neglected((id, guardrail), r, None, &play)),
        );
    }
    notes.extend(goal_note(task, &play));
    notes
}

fn note(severity: Severity, subgoal: Option<&Subgoal>, about: About, text: String) -> Note {
    Note {
        severity,
        subgoal: subgoal.map(|s| s.id),
        about,
        text,
    }
}

fn forbidden(entry: &Entry, subgoal: &Subgoal, play: &Play<'_>) -> Option<Note> {
    let Body::Guardrail(guardrail) = &entry.body else {
        return None;
    };
    // Only what is known to be forbidden: unknown never forbids.
    let about = About::Forbidden { by: entry.id };
    let text = || format!("{}: {} ({})", subgoal.condition, guardrail.avoid, entry.id);
    play.ask(|now| forbids(guardrail, subgoal, now))
        .is_true()
        .then(|| note(Severity::Error, Some(subgoal), about, text()))
}

fn constrained(at: usize, lesson: &Guardrail, subgoal: &Subgoal, play: &Play<'_>) -> Option<Note> {
    let about = About::Constrained { constraint: at };
    let text = || {
        format!(
            "{}: {} (learned in this run)",
            subgoal.condition, lesson.avoid
        )
    };
    play.ask(|now| forbids(lesson, subgoal, now))
        .is_true()
        .then(|| note(Severity::Error, Some(subgoal), about, text()))
}

/// A rule is about the step, and what it requires is known to be false.
fn against_rule(entry: &Entry, subgoal: &Subgoal, play: &Play<'_>) -> Option<Note> {
    let Body::Rule(rule) = &entry.body else {
        return None;
    };
    let applies = play.ask(|now| rule.when.truth(&now.pursuing(subgoal)));
    let met = play.ask(|now| rule.then.truth(&now.pursuing(subgoal)));
    let about = About::RuleViolated { by: entry.id };
    let text = || {
        format!(
            "{}: {} ({})",
            subgoal.condition,
            rule.requirement(),
            entry.id
        )
    };
    // Unknown is no violation.
    (applies.is_true() && met == Truth::False)
        .then(|| note(Severity::Error, Some(subgoal), about, text()))
}

fn is_about(guardrail: &TaskGuardrail, task: &Task) -> bool {
    let text = task.text.to_lowercase();
    guardrail
        .task
        .target
        .is_none_or(|target| overlaps(target, task.goal))
        && guardrail
            .task
            .text
            .as_ref()
            .is_none_or(|part| text.contains(&part.to_lowercase()))
}

/// What a task guardrail wants to be seen to before this step, and is not.
fn left_out_before(entry: &Entry, subgoal: &Subgoal, task: &Task, play: &Play<'_>) -> Vec<Note> {
    let Body::TaskGuardrail(guardrail) = &entry.body else {
        return Vec::new();
    };
    let is_bound = !guardrail.before.is_anything()
        && fits(&guardrail.before, subgoal)
        && is_about(guardrail, task);
    let remedies = guardrail.missing.iter().filter(|_| is_bound);
    remedies
        .filter_map(|remedy| neglected((entry.id, guardrail), remedy, Some(subgoal), play))
        .collect()
}

/// Something that a task guardrail requires and no step of the plan provides, or none before `step`.
fn neglected(
    (id, guardrail): (KnowledgeId, &TaskGuardrail),
    remedy: &Remedy,
    step: Option<&Subgoal>,
    play: &Play<'_>,
) -> Option<Note> {
    let what = match remedy {
        Remedy::Have { item, count } if play.most_held(*item) < *count => format!("{count} {item}"),
        Remedy::Station { block } if !play.has_station(*block) => format!("a {block}"),
        Remedy::Tool { kind, tier } if !play.has_tool(*kind, *tier) => {
            format!("a {} of {tier:?} or better", kind.word())
        }
        Remedy::GoBelow { y } if play.lowest() > *y => format!("going down to y {y}"),
        Remedy::GoAbove { y } if play.highest() < *y => format!("going up to y {y}"),
        // Met, or only to be seen in the world.
        Remedy::Have { .. }
        | Remedy::Station { .. }
        | Remedy::Tool { .. }
        | Remedy::GoBelow { .. }
        | Remedy::GoAbove { .. }
        | Remedy::MoveAway { .. }
        | Remedy::Advice { .. } => return None,
    };
    let before = step.map_or_else(String::new, |step| format!(" before {}", step.condition));
    let text = format!(
        "the plan leaves out {what}{before}: {} ({id})",
        guardrail.deadlock
    );
    let about = About::Forbidden { by: id };
    Some(note(Severity::Error, step, about, text))
}

fn goal_note(task: &Task, play: &Play<'_>) -> Option<Note> {
    if play
        .ask(|now| Truth::from_bool(task.is_done(now)))
        .is_true()
    {
        return None;
    }
    let unmet = |check: &&Check| !play.ask(|now| check.truth(now)).is_true();
    // The first unmet check stands for all.
    let check = task.success.iter().find(unmet)?;
    // What a plan cannot declare (a time of day) is no fault of the plan.
    let severity = match play.ask(|now| check.truth(now)) {
        Truth::False => Severity::Error,
        Truth::Unknown | Truth::True => Severity::Warning,
    };
    let text = format!(
        "when the plan is done, \"{}\" does not hold",
        check.describe()
    );
    Some(note(severity, None, About::GoalNotReached, text))
}
