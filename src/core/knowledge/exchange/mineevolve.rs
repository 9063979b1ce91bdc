//! MineEvolve's `skills.json` and `remedies.json`: tuples of type, context, content, verification,
//! confidence and evidence, mostly in words.
//!
//! What can be read as conditions and steps becomes a skill or a guardrail, the rest a note with the
//! same words. Their eleven labels become ours; the original label is kept.

use super::jarvis::numbered;
use super::phrases::{condition, parse_step_words, step};
use super::{
    Draft, EachDraft, ExchangeFormat, ImportFault, ImportSource, fault, json, too_many, typed,
};
use crate::domain::check::Check;
use crate::domain::condition::Condition;
use crate::domain::experience::diagnosis::FailureReason;
use crate::domain::knowledge::{Body, Guardrail, Imported, Pattern, Remedy, Skill, TextNote};
use crate::domain::plan::item_words;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Their labels, and what they are here. `NONE` is a success.
const LABELS: [(&str, Option<FailureReason>); 11] = [
    ("NONE", None),
    ("NAV_STUCK", Some(FailureReason::NavStuck)),
    ("TARGET_UNREACHABLE", Some(FailureReason::PathUnreachable)),
    ("GUI_FAIL", Some(FailureReason::GuiBlocked)),
    ("MISSING_ITEM", Some(FailureReason::ToolMissing)),
    // Ours is for anything that a recipe or a furnace lacks.
    ("RECIPE_FAIL", Some(FailureReason::ToolMissing)),
    ("SMELT_FAIL", Some(FailureReason::ToolMissing)),
    // The same failure over many steps: nothing that was watched for ever came.
    ("DEADLOCK", Some(FailureReason::MonitorNeverTrue)),
    ("MOB_KILLED", Some(FailureReason::EnvTerminated)),
    ("TIMEOUT", Some(FailureReason::Timeout)),
    ("UNKNOWN", Some(FailureReason::Unknown)),
];

#[derive(Deserialize)]
struct Entry {
    #[serde(default)]
    knowledge_id: String,
    #[serde(rename = "type")]
    kind: String,
    /// Trigger context.
    #[serde(default)]
    c: Vec<String>,
    /// Content.
    u: Content,
    /// Verification, or applicability.
    #[serde(default)]
    phi: Verification,
    #[serde(default)]
    failure_type: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Content {
    preconditions: Vec<String>,
    steps: Vec<String>,
    observed_effects: Vec<String>,
    task_goal: String,
    risk_pattern: String,
    repair_action: Vec<String>,
    scope: String,
    category: String,
    current_subgoal: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Verification {
    verification: Option<Verify>,
    applicability: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Verify {
    #[serde(rename = "type")]
    kind: String,
    item: String,
    n: u32,
}

pub(super) fn each_draft(source: &ImportSource) -> EachDraft {
    // Both files have the same form.
    let Value::Array(items) = json(source)? else {
        return Err(fault(source, "", "skills and remedies are a list"));
    };
    too_many(source, items.len(), super::ENTRIES_MAX)?;
    let each = items.iter().enumerate();
    Ok(each
        .map(|(at, value)| draft(value, &format!("[{at}]"), source))
        .collect())
}

fn draft(value: &Value, at: &str, source: &ImportSource) -> Result<Draft, ImportFault> {
    let entry: Entry = typed(value, at, source)?;
    let label = entry
        .failure_type
        .clone()
        .unwrap_or_else(|| "NONE".to_owned());
    let Some((_, reason)) = LABELS.iter().find(|(known, _)| *known == label) else {
        return Err(fault(
            source,
            &format!("{at}.failure_type"),
            format!("`{label}` is none of the eleven labels"),
        ));
    };
    let body = match entry.kind.as_str() {
        "skill" if entry.u.steps.is_empty() => {
            return Err(fault(
                source,
                &format!("{at}.u.steps"),
                "a skill needs steps",
            ));
        }
        "skill" => skill(&entry).map_or_else(|| skill_note(&entry), Body::Skill),
        "remedy" if entry.u.repair_action.is_empty() => {
            return Err(fault(
                source,
                &format!("{at}.u.repair_action"),
                "a remedy needs a repair action",
            ));
        }
        "remedy" => {
            let reason = reason.unwrap_or(FailureReason::Unknown);
            guardrail(&entry, reason).map_or_else(|| remedy_note(&entry), Body::Guardrail)
        }
        other => {
            return Err(fault(
                source,
                &format!("{at}.type"),
                format!("`{other}` is neither skill nor remedy"),
            ));
        }
    };
    Ok(Draft {
        body,
        task: entry.u.task_goal.clone(),
        imported: Imported {
            format: ExchangeFormat::MineEvolve.name().to_owned(),
            source: source.name(),
            name: entry.knowledge_id,
            label: Some(label),
            // Kept whole, since not all of its fields have a place here.
            original: serde_json::to_string(value).ok(),
        },
    })
}

fn skill(entry: &Entry) -> Option<Skill> {
    let verify = entry.phi.verification.as_ref()?;
    if verify.kind != "inv_ge" {
        return None;
    }
    let (goal, count) = (item_words::named(&verify.item).ok()?, verify.n.max(1));
    let requires: Option<Vec<Condition>> = entry
        .u
        .preconditions
        // One precondition that is not understood makes it a note: a skill that needs less
        // than was said would fail.
        .iter()
        .map(|words| condition(words))
        .collect();
    let steps = entry.u.steps.iter().map(|words| {
        let (kind, item, count) = parse_step_words(words)?;
        step(kind, item, count, words)
    });
    Some(Skill {
        goal,
        count,
        requires: Condition::All(requires?),
        steps: numbered(steps.collect::<Option<_>>()?),
        success: vec![Check::InvGe { item: goal, count }],
        effects: BTreeMap::from([(goal, i64::from(count))]),
        flows: Vec::new(),
    })
}

/// Only if every word of when it applies is understood: what is left out would make it forbid more.
fn guardrail(entry: &Entry, reason: FailureReason) -> Option<Guardrail> {
    let (kind, target, _) = parse_step_words(&entry.u.current_subgoal)?;
    let is_label = |words: &&String| LABELS.iter().any(|(label, _)| words.trim() == *label);
    let said = entry.c.iter().chain(&entry.phi.applicability);
    let parts: Vec<Condition> = said
        .filter(|words| !is_label(words))
        .map(|words| condition(words))
        .collect::<Option<_>>()?;
    // Without a trigger it would forbid the step at all times.
    if parts.is_empty() {
        return None;
    }
    Some(Guardrail {
        trigger: Condition::All(parts),
        forbid: Pattern {
            kind: Some(kind),
            target: Some(target),
            ..Pattern::default()
        },
        avoid: entry.u.risk_pattern.clone(),
        recovery: entry
            .u
            .repair_action
            .iter()
            .map(|words| repair(words))
            .collect(),
        reason,
    })
}

fn repair(words: &str) -> Remedy {
    // A repair that names an item can be checked; any other is advice.
    match parse_step_words(words) {
        Some((_, item, count)) => Remedy::Have { item, count },
        None => Remedy::Advice {
            text: words.to_owned(),
        },
    }
}

fn skill_note(entry: &Entry) -> Body {
    let u = &entry.u;
    let about = lines("when", &entry.c) + &lines("needs", &u.preconditions);
    let text = lines("step", &u.steps) + &lines("effect", &u.observed_effects);
    note(entry, &format!("how to {}", u.task_goal), about, text)
}

fn remedy_note(entry: &Entry) -> Body {
    let u = &entry.u;
    let about = lines("when", &entry.c) + &lines("applies", &entry.phi.applicability);
    let mut text = format!("risk: {}\n", u.risk_pattern) + &lines("repair", &u.repair_action);
    text += &format!("scope: {}\ncategory: {}\n", u.scope, u.category);
    note(
        entry,
        &format!("remedy for {}", u.current_subgoal),
        about,
        text,
    )
}

fn note(entry: &Entry, name: &str, about: String, text: String) -> Body {
    let id = &entry.knowledge_id;
    Body::Note(TextNote {
        name: format!("{} ({id})", name.trim()),
        about,
        text,
        language: None,
    })
}

fn lines(head: &str, words: &[String]) -> String {
    words
        .iter()
        .map(|line| format!("{head}: {line}\n"))
        .collect()
}
