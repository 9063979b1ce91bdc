//! The form of a plan: size, order, executors and times, whatever it is about.

use super::note;
use crate::agent::executor;
use crate::domain::plan::note::{About, Note, Severity};
use crate::domain::plan::task::Task;
use crate::domain::plan::{Plan, Subgoal};
use crate::domain::run::budget::Limits;
use pithead_world::ids::SubgoalId;

/// A day of the world: no single step may take longer.
/// 24,000 ticks.
const TIMEOUT_MAX_S: u32 = 1_200;

pub(super) fn notes(plan: &Plan, task: &Task, limits: &Limits) -> Vec<Note> {
    let mut notes = Vec::new();
    if plan.subgoals.is_empty() {
        notes.push(note(
            Severity::Error,
            None,
            About::Empty,
            "the plan has no subgoals".to_owned(),
        ));
    }
    let (count, most) = (plan.subgoals.len(), limits.plan_subgoals_max);
    if count > most {
        let text = format!("{count} subgoals are more than the {most} allowed");
        notes.push(note(Severity::Error, None, About::Budget, text));
    }
    for (at, subgoal) in plan.subgoals.iter().enumerate() {
        notes.extend(order_notes(plan, at, subgoal));
        notes.extend(kind_note(subgoal));
        notes.extend(target_note(subgoal, task));
        notes.extend(time_note(subgoal));
        if subgoal.checks.is_empty() {
            let text = format!(
                "\"{}\" has no check, so it can never be done",
                subgoal.condition
            );
            notes.push(note(Severity::Error, Some(subgoal), About::Budget, text));
        }
    }
    notes
}

fn order_notes(plan: &Plan, at: usize, subgoal: &Subgoal) -> Vec<Note> {
    let position = |id: SubgoalId| plan.subgoals.iter().position(|s| s.id == id);
    let mut faults: Vec<String> = Vec::new();
    // Twice in the plan means that one of the two can never be referred to.
    if plan.subgoals[..at].iter().any(|s| s.id == subgoal.id) {
        faults.push(format!("{} is used twice", subgoal.id));
    }
    for need in &subgoal.needs {
        match position(*need) {
            None => faults.push(format!(
                "{} needs {need}, which is not in the plan",
                subgoal.id
            )),
            Some(other) if other == at => faults.push(format!("{} needs itself", subgoal.id)),
            // In a circle one edge at least points forward, so this finds circles as well.
            Some(other) if other > at => {
                faults.push(format!("{} needs {need}, which comes later", subgoal.id));
            }
            Some(_) => {}
        }
    }
    if let Some(parent) = subgoal
        .parent
        .filter(|p| *p == subgoal.id || position(*p).is_none())
    {
        faults.push(format!(
            "the parent {parent} of {} is not in the plan",
            subgoal.id
        ));
    }
    faults
        .into_iter()
        .map(|text| note(Severity::Error, Some(subgoal), About::BadOrder, text))
        .collect()
}

/// Found before the step is tried: it would fail at once, and cost a replan.
fn target_note(subgoal: &Subgoal, task: &Task) -> Option<Note> {
    let text = executor::missing_target(subgoal, task)?;
    let about = About::UnknownField {
        field: "goal".to_owned(),
    };
    Some(note(Severity::Error, Some(subgoal), about, text))
}

/// A warning: the plan may still work.
fn kind_note(subgoal: &Subgoal) -> Option<Note> {
    let fits = subgoal.executor_hint.kind() == subgoal.task_kind;
    let (kind, executor) = (subgoal.task_kind.name(), subgoal.executor_hint);
    let text = format!(
        "\"{}\" is of kind {kind}, which {executor:?} does not carry out",
        subgoal.condition
    );
    let about = About::UnknownField {
        field: "executor_hint".to_owned(),
    };
    (!fits).then(|| note(Severity::Warning, Some(subgoal), about, text))
}

fn time_note(subgoal: &Subgoal) -> Option<Note> {
    let text = match subgoal.timeout_s {
        0 => format!("\"{}\" is given no time", subgoal.condition),
        s if s > TIMEOUT_MAX_S => {
            format!(
                "\"{}\" is given {s} s, more than {TIMEOUT_MAX_S} s",
                subgoal.condition
            )
        }
        _ => return None,
    };
    let severity = if subgoal.timeout_s == 0 {
        Severity::Error
    } else {
        Severity::Warning
    };
    Some(note(severity, Some(subgoal), About::Budget, text))
}
