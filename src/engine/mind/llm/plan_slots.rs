//! Slots about plans: one that failed, one that was sent back, and the steps of both.
//!
//! Invariant: an author meets its own answer and its own ids.

use super::attempt_slots::failures;
use pithead_core::domain::experience::Hit;
use pithead_core::domain::experience::state_summary::StateSummary;
use pithead_core::domain::knowledge::{Body, Entry, Guardrail};
use pithead_core::domain::mind::evidence::{FailedPlan, Rejected};
use pithead_core::domain::mind::plan_part::{ActionFeedback, PlanPart};
use pithead_core::domain::mind::reply::ids_as_written;
use pithead_core::domain::plan::note::Severity;
use pithead_core::domain::plan::{Plan, Subgoal};
use pithead_world::wiki::WikiPage;
use serde_json::{Value, json};

/// Whether a guardrail that is shown says the same.
pub(super) fn is_shown(lesson: &Guardrail, knowledge: &[Entry]) -> bool {
    knowledge.iter().any(|entry| match &entry.body {
        Body::Guardrail(known) => known.trigger == lesson.trigger && known.forbid == lesson.forbid,
        _ => false, // no other kind forbids a step
    })
}

/// The last attempts of a plan that failed; the earlier ones are like them.
const FAILED_ATTEMPTS_MAX: usize = 2;

/// `now` is the state, which is told beside it: what was held before an attempt and is still held says nothing more.
pub(super) fn failed_plan(failed: &FailedPlan, now: &StateSummary) -> Value {
    let FailedPlan {
        step,
        attempts,
        cause,
        left,
    } = failed;
    let first = attempts.len().saturating_sub(FAILED_ATTEMPTS_MAX);
    let mut told = failures(&attempts[first..]);
    let held = json!(now.inventory);
    for attempt in told.iter_mut().filter_map(Value::as_object_mut) {
        attempt.retain(|name, value| name != "held_before" || *value != held);
    }
    let is_said = |attempt: &Value| {
        [&attempt["summary"], &attempt["body_reported"]]
            .iter()
            .any(|said| *said == cause)
    };
    let cause = (!told.iter().any(is_said)).then_some(cause);
    let left: Vec<String> = left.iter().map(Subgoal::label).collect();
    json!({"step": step.label(), "attempts": told, "cause": cause, "left": left})
}

/// Whether the plan that failed tells of the same attempt.
pub(super) fn is_of_failed(hit: &Hit, failed: Option<&FailedPlan>) -> bool {
    let attempts = failed.into_iter().flat_map(|failed| &failed.attempts);
    let mut own = attempts.filter(|attempt| attempt.run.is_none());
    own.any(|attempt| {
        attempt.attempt.0 == hit.id.n && hit.summary.ends_with(&attempt.diagnosis.summary)
    })
}

pub(super) fn brief(subgoal: &Subgoal) -> Value {
    let mut brief = json!({"subgoal_id": subgoal.id.to_string(), "does": subgoal.label()});
    if subgoal.condition != subgoal.label() {
        brief["condition"] = json!(subgoal.condition);
    }
    brief
}

pub(super) fn plan_with_marks(plan: &Plan, done: &[Subgoal]) -> Value {
    let step = |subgoal: &Subgoal| {
        let mut step = brief(subgoal);
        step["done"] = Value::from(done.iter().any(|d| d.id == subgoal.id));
        step
    };
    plan.subgoals.iter().map(step).collect()
}

/// A plan that was sent back: its author's own answer, and the errors alone, by its author's ids.
pub(super) fn rejected(rejected: &Rejected) -> Value {
    let ids = rejected
        .answer
        .as_deref()
        .map_or(Vec::new(), ids_as_written);
    let steps = &rejected.plan.subgoals;
    let names: Vec<(String, &String)> = match ids.len() == steps.len() {
        true => steps
            .iter()
            .map(|step| step.id.to_string())
            .zip(&ids)
            .collect(),
        false => Vec::new(),
    };
    // An id of ours in a sentence becomes its author's; in one pass, for the two may overlap.
    let by_author = |text: &str| {
        let word = |word: &str| {
            let own = names.iter().find(|(id, _)| id == word);
            own.map_or(word.to_owned(), |(_, name)| (*name).clone())
        };
        text.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_')
            .map(|part| {
                let bare = part.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_');
                word(bare) + &part[bare.len()..]
            })
            .collect::<String>()
    };
    let errors: Vec<Value> = rejected
        .notes
        .iter()
        .filter(|note| note.severity == Severity::Error)
        .map(|note| match note.subgoal {
            Some(id) => json!({"step": by_author(&id.to_string()), "error": by_author(&note.text)}),
            None => json!({"error": by_author(&note.text)}),
        })
        .collect();
    let plan = match &rejected.answer {
        Some(answer) if !names.is_empty() => Value::from(clean_answer(answer)),
        _ => rejected.plan.subgoals.iter().map(step).collect(),
    };
    json!({"plan": plan, "errors": errors})
}

/// The object within an answer; what stands around it is of no use to its author.
fn clean_answer(answer: &str) -> String {
    let (from, to) = (answer.find('{'), answer.rfind('}'));
    let inner = from.zip(to).and_then(|(from, to)| answer.get(from..=to));
    inner.unwrap_or(answer).to_owned()
}

/// The step that ended last, for who is asked step by step.
pub(super) fn last_step(part: Option<&PlanPart>) -> Value {
    match part {
        Some(PlanPart::NextStep { last }) => json!({"step": last.step, "succeeded": last.success}),
        _ => Value::Null,
    }
}

/// The assertion to be mended, and the step that asserts it.
pub(super) fn mending(part: Option<&PlanPart>) -> Value {
    match part {
        Some(PlanPart::Mending { step, assertion }) => {
            json!({"call": brief(step), "assertion": assertion.describe()})
        }
        _ => Value::Null,
    }
}

/// The goal that is planned for, with what became of the actions for it and what is to be read about it.
pub(super) fn goal_asked(part: Option<&PlanPart>) -> Value {
    let Some(PlanPart::Goal(part)) = part else {
        return Value::Null;
    };
    let told = |one: &ActionFeedback| json!({"action": one.action, "succeeded": one.success, "said": one.said});
    json!({
        "goal": part.goal,
        "question": part.question,
        "feedback": part.feedback.iter().map(told).collect::<Value>(),
        "pages": pages(&part.pages),
    })
}

/// Pages of a wiki.
pub(super) fn pages(pages: &[WikiPage]) -> Value {
    let page = |page: &WikiPage| json!({"id": page.id, "text": page.text});
    pages.iter().map(page).collect()
}

/// A step without what can be left out.
pub(super) fn step(subgoal: &Subgoal) -> Value {
    let mut value = json!(subgoal);
    if let Value::Object(fields) = &mut value {
        fields.retain(|name, _| !matches!(name.as_str(), "task_kind" | "mode" | "timeout_s"));
    }
    value
}
