//! Slots: what a prompt is filled with, each part brief and capped.
//!
//! Values are plain JSON; how they are written into the prompt so that no text of theirs becomes an
//! instruction is `prompt`'s business. Invariant: a slot never grows beyond its cap.

use super::attempt_slots::{failures, hits, uncited};
use super::plan_slots::{
    failed_plan, goal_asked, is_shown, last_step, mending, pages, plan_with_marks, rejected, step,
};
use super::state_slot::{state, state_around};
use pithead_core::domain::condition::Condition;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::experience::option::OptionRecord;
use pithead_core::domain::experience::state_summary::StateSummary;
use pithead_core::domain::experience::{Experience, Hit};
use pithead_core::domain::knowledge::{Body, Entry, Guardrail, Rule};
use pithead_core::domain::mind::ask::{
    Ask, Capsule, CapsuleAsk, DecomposeAsk, DiagnoseAsk, ExplainAsk, Explained, GoalAsk, PlanAsk,
    SummariseAsk,
};
use pithead_core::domain::mind::evidence::{FailedAttempt, Rejected};
use pithead_core::domain::plan::building::built_by;
use pithead_core::domain::plan::task::Task;
use pithead_core::domain::plan::{Goal, Plan, Subgoal};
use pithead_core::text::numbers::format_times;
use pithead_world::blueprint::Blueprint;
use serde_json::{Map, Value, json};

/// A slot's name and what stands in it.
pub type Slot = (&'static str, Value);

/// Letters of JSON in a slot. What is beyond is left out, and the slot says how much that is.
const CAPS: [(&str, usize); 12] = [
    ("sequences", 40_000),
    ("failed", 8_000),
    ("skills", 12_000),
    ("guardrails", 12_000),
    ("knowledge", 16_000),
    ("hits", 8_000),
    ("attempts", 10_000),
    ("plan", 24_000),
    ("rejected", 30_000),
    ("talks", 30_000),
    ("worked", 16_000),
    ("done", 8_000),
];
/// For slots that are not in the table.
const CAP: usize = 6_000;
/// Letters of one text within a slot.
const TEXT_MAX: usize = 1_000;
/// Letters of an answer that is shown to its author.
const ANSWER_MAX: usize = 20_000;
/// Slots in which the last entries matter most.
const NEWEST: [&str; 6] = [
    "attempts",
    "failures",
    "faults",
    "vetoes",
    "lessons",
    "explained",
];

/// Where a run stands, for the prompts of roles that it has not asked.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptContext {
    pub task: Task,
    pub state: StateSummary,
    pub plan: Plan,
    pub done: Vec<Subgoal>,
    pub failures: Vec<FailedAttempt>,
    pub successes: Vec<Experience>,
    pub hits: Vec<Hit>,
    pub knowledge: Vec<Entry>,
    pub rejected: Option<Rejected>,
}

/// The slots of a question.
pub(super) fn of_ask(ask: &Ask) -> Vec<Slot> {
    let slots = match ask {
        Ask::Plan(ask) => of_plan(ask),
        Ask::Capsule(ask) => of_capsule(ask),
        Ask::Diagnose(ask) => of_diagnosis(ask),
        Ask::Goal(ask) => of_goal(ask),
        Ask::Decompose(ask) => of_decomposing(ask),
        Ask::Explain(ask) => of_explaining(ask),
        Ask::Summarise(ask) => of_summarising(ask),
        Ask::Reference(_)
        | Ask::Skill(_)
        | Ask::Guardrail(_)
        | Ask::Rules(_)
        | Ask::Score(_)
        | Ask::Reflect(_)
        | Ask::Judge(_) => super::study_slots::of_ask(ask),
    };
    capped(slots)
}

/// The labels that a reason may be; no data, but part of the form.
pub(super) fn reasons() -> String {
    FailureReason::ALL.map(FailureReason::name).join(", ")
}

fn of_plan(ask: &PlanAsk) -> Vec<Slot> {
    let done = ask.done.iter().map(Subgoal::label).collect::<Vec<_>>();
    let lessons = ask
        .lessons
        .iter()
        .filter(|lesson| !is_shown(lesson, &ask.knowledge));
    let lessons = lessons.map(guardrail).collect::<Vec<_>>();
    vec![
        ("task", task(&ask.task)),
        ("state", state_around(&ask.state, ask.around.as_ref())),
        (
            "failed",
            ask.failed
                .as_ref()
                .map_or(Value::Null, |f| failed_plan(f, &ask.state)),
        ),
        ("done", Value::from(done)),
        ("capsule", told_capsule(ask.capsule.as_ref())),
        ("hits", hits(&uncited(ask))),
        ("skills", entries(&ask.knowledge, is_demonstration)),
        (
            "guardrails",
            entries(&ask.knowledge, |e| !is_demonstration(e)),
        ),
        (
            "options",
            ask.options.iter().map(OptionRecord::describe).collect(),
        ),
        ("lessons", Value::from(lessons)),
        ("goals", ask.guide.goals.iter().map(goal).collect()),
        (
            "explained",
            ask.guide.explained.iter().map(explained).collect(),
        ),
        (
            "rejected",
            ask.rejected.as_ref().map_or(Value::Null, rejected),
        ),
        ("vetoes", json!(ask.vetoes)),
        ("faults", each_once(&ask.faults)),
        ("track", mark(ask.track)),
        ("last", last_step(ask.part.as_deref())),
        ("mending", mending(ask.part.as_deref())),
        ("goal", goal_asked(ask.part.as_deref())),
    ]
}

/// A capsule of three empty lists says nothing.
fn told_capsule(capsule: Option<&Capsule>) -> Value {
    let is_empty = |capsule: &&Capsule| {
        let Capsule {
            facts,
            constraints,
            next_actions,
        } = capsule;
        facts.is_empty() && constraints.is_empty() && next_actions.is_empty()
    };
    let told = capsule.filter(|capsule| !is_empty(capsule));
    told.map_or(Value::Null, |capsule| json!(capsule))
}

/// Each fault once, with how often it was made: a model that repeats itself is told so, not told the same again.
pub(super) fn each_once(faults: &[String]) -> Value {
    let mut told: Vec<(&String, usize)> = Vec::new();
    for fault in faults {
        match told.iter_mut().find(|(known, _)| *known == fault) {
            Some((_, times)) => *times += 1,
            None => told.push((fault, 1)),
        }
    }
    let line = |(fault, times): (&String, usize)| match times {
        1 => fault.clone(),
        more => format!("{fault} ({})", format_times(more)),
    };
    told.into_iter().map(line).collect()
}

/// A slot is text for the template, so only null is off.
fn mark(is_on: bool) -> Value {
    if is_on { json!(true) } else { Value::Null }
}

fn of_capsule(ask: &CapsuleAsk) -> Vec<Slot> {
    vec![
        ("task", task(&ask.task)),
        ("state", state(&ask.state)),
        ("hits", hits(&ask.hits)),
        ("knowledge", entries(&ask.knowledge, |_| true)),
    ]
}

fn of_diagnosis(ask: &DiagnoseAsk) -> Vec<Slot> {
    let attempts = failures(&ask.attempts);
    vec![
        ("task", task(&ask.task)),
        ("state", state_around(&ask.state, ask.around.as_ref())),
        ("subgoal", step(&ask.subgoal)),
        ("done", ask.done.iter().map(Subgoal::label).collect()),
        ("attempts", Value::from(attempts)),
        (
            "guardrails",
            entries(&ask.knowledge, |e| !is_demonstration(e)),
        ),
        ("faults", each_once(&ask.faults)),
    ]
}

fn of_goal(ask: &GoalAsk) -> Vec<Slot> {
    vec![
        ("words", json!(ask.words)),
        ("near", json!(ask.near)),
        ("faults", each_once(&ask.faults)),
    ]
}

fn of_decomposing(ask: &DecomposeAsk) -> Vec<Slot> {
    vec![
        ("task", task(&ask.task)),
        ("goal", goal(&ask.goal)),
        ("pages", pages(&ask.pages)),
        ("state", state(&ask.state)),
        ("faults", each_once(&ask.faults)),
    ]
}

fn of_explaining(ask: &ExplainAsk) -> Vec<Slot> {
    let attempts = failures(&ask.attempts);
    vec![
        ("task", task(&ask.task)),
        ("state", state(&ask.state)),
        ("plan", plan_with_marks(&ask.plan, &ask.done)),
        ("subgoal", json!(ask.subgoal)),
        ("attempts", Value::from(attempts)),
        ("faults", each_once(&ask.faults)),
    ]
}

fn of_summarising(ask: &SummariseAsk) -> Vec<Slot> {
    vec![
        ("task", task(&ask.task)),
        (
            "ended",
            json!({"outcome": ask.outcome, "because": ask.because}),
        ),
        ("attempts", json!(ask.attempts)),
        ("faults", each_once(&ask.faults)),
    ]
}

fn goal(goal: &Goal) -> Value {
    json!({"object": goal.object, "count": goal.count, "material": goal.material,
        "tool": goal.tool, "info": goal.info})
}

fn explained(explained: &Explained) -> Value {
    let Explained { step, explanation } = explained;
    json!({"step": step.label(), "observed": explanation.observed,
        "explanation": explanation.explanation, "missing": explanation.missing})
}

pub(super) fn task(task: &Task) -> Value {
    let success: Vec<String> = task.success.iter().map(|check| check.describe()).collect();
    if task.any {
        return json!({"words": task.text, "one_of": success});
    }
    let blueprints = blueprints(task);
    if !blueprints.is_empty() {
        return json!({"words": task.text, "success": success, "blueprints": blueprints});
    }
    json!({"words": task.text, "item": task.goal, "count": task.count, "success": success})
}

/// The blueprints that the task asks for, and what they take.
fn blueprints(task: &Task) -> Map<String, Value> {
    let known = built_by(task).filter_map(|name| task.blueprint(name));
    let takes = |blueprint: &Blueprint| {
        let material = blueprint.material().into_iter();
        material
            .map(|(item, count)| format!("{count} {item}"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    known
        .map(|blueprint| {
            let told = json!({"is": blueprint.about, "takes": takes(blueprint)});
            (blueprint.name.to_string(), told)
        })
        .collect()
}

pub(super) fn is_demonstration(entry: &Entry) -> bool {
    matches!(
        entry.body,
        Body::Skill(_) | Body::ReferencePlan(_) | Body::Note(_)
    )
}

pub(super) fn entries(entries: &[Entry], wanted: impl Fn(&Entry) -> bool) -> Value {
    entries.iter().filter(|e| wanted(e)).map(entry).collect()
}

pub(super) fn entry(entry: &Entry) -> Value {
    let (id, title) = (entry.id.to_string(), &entry.title);
    match &entry.body {
        Body::Skill(skill) => {
            let steps: Vec<String> = skill.steps.iter().map(Subgoal::label).collect();
            json!({"id": id, "title": title, "makes": skill.goal, "count": skill.count,
                "requires": in_words(&skill.requires), "steps": steps})
        }
        Body::ReferencePlan(plan) => {
            let steps: Vec<String> = plan.steps.iter().map(Subgoal::label).collect();
            json!({"id": id, "title": title, "makes": plan.goal, "count": plan.count,
                "requires": in_words(&plan.requires), "steps": steps, "from_successes": plan.from_successes})
        }
        Body::Guardrail(body) => {
            let mut value = guardrail(body);
            value["id"] = Value::from(id);
            value
        }
        Body::TaskGuardrail(body) => {
            let mut value = json!({"id": id, "task": body.task, "missing": body.missing, "deadlock": body.deadlock});
            if !body.before.is_anything() {
                value["before"] = json!(body.before);
            }
            value
        }
        Body::Rule(rule) => {
            json!({"id": id, "step": in_words(&rule.when), "requires": requirement_in_words(rule)})
        }
        Body::Note(note) => {
            let text: String = note.text.chars().take(NOTE_CHARS_MAX).collect();
            json!({"id": id, "title": title, "about": note.about, "text": text})
        }
    }
}

/// What a rule requires, without the letter that data may not hold.
pub(super) fn requirement_in_words(rule: &Rule) -> String {
    rule.required()
        .replace(" <= ", " at_most ")
        .replace(" < ", " below ")
}

/// A condition without the letter that data may not hold.
pub(super) fn in_words(condition: &Condition) -> String {
    condition
        .to_string()
        .replace(" <= ", " at_most ")
        .replace(" < ", " below ")
}

/// What is shown of a note: some are whole programs.
const NOTE_CHARS_MAX: usize = 2_000;

pub(super) fn guardrail(body: &Guardrail) -> Value {
    json!({"trigger": in_words(&body.trigger), "forbid": body.forbid, "avoid": body.avoid,
        "recovery": body.recovery, "reason": body.reason})
}

pub(super) fn capped(slots: Vec<Slot>) -> Vec<Slot> {
    let cap_of = |name: &str| {
        let found = CAPS.iter().find(|(known, _)| *known == name);
        found.map_or(CAP, |(_, cap)| *cap)
    };
    slots
        .into_iter()
        .map(|(name, mut value)| {
            drop_nulls(&mut value);
            shorten(
                &mut value,
                if name == "rejected" {
                    ANSWER_MAX
                } else {
                    TEXT_MAX
                },
            );
            let capped = match value {
                Value::Array(rows) => fewer(rows, cap_of(name), NEWEST.contains(&name)),
                other if size(&other) > cap_of(name) => {
                    json!({"left_out": "it is too long to be shown"})
                }
                other => other,
            };
            (name, capped)
        })
        .collect()
}

/// A field that says nothing costs tokens all the same.
fn drop_nulls(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|_, field| !field.is_null());
            fields.values_mut().for_each(drop_nulls);
        }
        Value::Array(rows) => rows.iter_mut().for_each(drop_nulls),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
    }
}

/// No text in it is long.
fn shorten(value: &mut Value, max: usize) {
    match value {
        Value::String(text) => {
            if let Some((at, _)) = text.char_indices().nth(max) {
                text.truncate(at);
                text.push('…');
            }
        }
        Value::Array(rows) => rows.iter_mut().for_each(|row| shorten(row, max)),
        Value::Object(fields) => fields.values_mut().for_each(|field| shorten(field, max)),
        Value::Null | Value::Bool(_) | Value::Number(_) => (),
    }
}

fn size(value: &Value) -> usize {
    value.to_string().len()
}

/// As many rows as the cap lets through, from the end that matters, and how many that left out.
fn fewer(mut rows: Vec<Value>, cap: usize, newest: bool) -> Value {
    if newest {
        rows.reverse();
    }
    let mut left = cap;
    let kept = rows
        .iter()
        // From the end that matters; the first row that does not fit ends the list, so that
        // no hole appears in the middle.
        .take_while(|row| {
            let row = size(row) + 1;
            let fits = row <= left;
            left = left.saturating_sub(row);
            fits
        })
        .count();
    let lost = rows.len() - kept;
    rows.truncate(kept);
    // The model is told, or it would take the part for the whole.
    if lost > 0 {
        rows.push(json!({"left_out": lost}));
    }
    if newest {
        rows.reverse();
    }
    Value::Array(rows)
}
