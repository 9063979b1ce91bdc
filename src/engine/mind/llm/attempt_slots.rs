//! Slots about attempts: those of the step that failed, of the run, and of earlier runs.
//!
//! Invariant: nothing of an attempt is told twice.

use super::plan_slots::is_of_failed;
use pithead_core::domain::experience::{Experience, Hit};
use pithead_core::domain::mind::ask::PlanAsk;
use pithead_core::domain::mind::evidence::FailedAttempt;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Attempts, those that went alike as one.
pub(super) fn failures(attempts: &[FailedAttempt]) -> Vec<Value> {
    let mut told: Vec<(Value, u32)> = Vec::new();
    for attempt in attempts {
        let now = failure(attempt);
        let is_alike = |(before, _): &&mut (Value, u32)| {
            let mut before = before.clone();
            before["attempt"] = now["attempt"].clone();
            before == now
        };
        match told.last_mut().filter(is_alike) {
            Some((_, times)) => *times += 1,
            None => told.push((now, 1)),
        }
    }
    let with_times = |(mut attempt, times): (Value, u32)| {
        if times > 1 {
            attempt["times"] = Value::from(times);
        }
        attempt
    };
    told.into_iter().map(with_times).collect()
}

pub(super) fn failure(failure: &FailedAttempt) -> Value {
    let diagnosis = &failure.diagnosis;
    let (pre, end) = (&failure.pre, diagnosis.observables.coords_end.block());
    let reported = diagnosis.report.as_ref().map(ToString::to_string);
    // The summary begins with the report, where there is one, and ends with what was gained and lost.
    let reported = reported.filter(|report| !diagnosis.summary.starts_with(report.as_str()));
    let mut told = json!({
        "attempt": failure.attempt.to_string(),
        "reason": diagnosis.reason,
        "summary": diagnosis.summary,
        "body_reported": reported,
        "held_before": pre.inventory,
        "from": pre.position.to_string(),
        "to": (end != pre.position).then(|| end.to_string()),
        "broke": diagnosis.delta.blocks,
    });
    let moved = diagnosis.delta.moved.round() as i64;
    if moved > 0 {
        told["moved_blocks"] = Value::from(moved);
    }
    if failure.run.is_some() {
        told["of"] = Value::from("another run, in another world");
    }
    if let Value::Object(fields) = &mut told {
        let is_empty = |value: &Value| {
            value.is_null() || value.as_object().is_some_and(serde_json::Map::is_empty)
        };
        fields.retain(|_, value| !is_empty(value));
    }
    told
}

pub(super) fn success(experience: &Experience) -> Value {
    json!({
        "id": experience.id.to_string(),
        "step": experience.action.label(),
        "success": experience.diagnosis.success,
        "summary": experience.diagnosis.summary,
        "ticks": experience.ticks(),
    })
}

/// Hits that neither the capsule nor the plan that failed says anything of.
pub(super) fn uncited(ask: &PlanAsk) -> Vec<Hit> {
    let cited = ask.capsule.iter().flat_map(|capsule| &capsule.facts);
    let cited: BTreeSet<&String> = cited.flat_map(|fact| &fact.src).collect();
    let is_new = |hit: &&Hit| {
        !cited.contains(&hit.id.to_string()) && !is_of_failed(hit, ask.failed.as_deref())
    };
    ask.hits.iter().filter(is_new).cloned().collect()
}

pub(super) fn hits(hits: &[Hit]) -> Value {
    hits.iter().map(hit).collect()
}

fn hit(hit: &Hit) -> Value {
    let mut value =
        json!({"id": hit.id.to_string(), "success": hit.success, "summary": hit.summary});
    if let Some(reason) = hit.reason {
        value["reason"] = json!(reason);
    }
    if let Some(at) = hit.at {
        value["at"] = json!(at.to_string());
    }
    if let Some(mended) = hit.mended.as_ref().filter(|m| !m.change.is_empty()) {
        value["done_later"] = json!(mended.change);
    }
    value
}
