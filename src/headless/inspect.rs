//! A run as a log of Inspect: one evaluation with one sample, whose events are the run's.
//!
//! Questions to the mind are model events with prompt and answer, attempts are spans, decisions approvals. The form is
//! version 2 of the log in JSON; Inspect itself reads, shows and filters it.

use super::spans::{CallSpan, RunSpan, RunSpans, SpanKind};
use pithead_core::domain::experience::Experience;
use pithead_core::domain::run::decision::Verdict;
use pithead_core::domain::run::outcome::Outcome;
use pithead_engine::runtime::questions::MindCall;
use pithead_world::clock::Millis;
use pithead_world::ids::Seq;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The name of the only score.
const SCORE: &str = "task";

/// The log of a run and its questions.
#[must_use]
pub fn inspect_log(run: &RunSpans, calls: &[MindCall]) -> Value {
    let id = format!("pithead-run-{}", run.run);
    let config = run.config.as_deref();
    let task = config.map_or("", |config| config.task.text.as_str());
    let mind = config.map_or("unknown", |config| config.mind.as_str());
    let usage = usage(run, mind);
    json!({
        "version": 2,
        "status": status(run),
        "eval": {
            "eval_id": id,
            "run_id": id,
            "created": time(run.from),
            "task": task,
            "task_id": id,
            "task_version": 0,
            "task_args": {},
            "dataset": {"name": "pithead", "samples": 1, "sample_ids": [id], "shuffled": false},
            "model": mind,
            "model_args": {},
            "config": {},
            "packages": {"pithead": env!("CARGO_PKG_VERSION")},
            "metadata": config.map_or(Value::Null, |config| json!({
                "system": config.profile.name,
                "seed": config.world.seed,
            })),
        },
        "plan": {"name": "plan", "steps": [], "config": {}},
        "results": {
            "total_samples": 1,
            "completed_samples": u8::from(run.outcome.is_some()),
            "scores": [{
                "name": SCORE,
                "scorer": SCORE,
                "params": {},
                "metrics": {"accuracy": {"name": "accuracy", "value": accuracy(run), "params": {}}},
            }],
        },
        "stats": {
            "started_at": time(run.from),
            "completed_at": time(run.to),
            "model_usage": usage,
        },
        "samples": [sample(run, calls, (&id, task, mind), &usage)],
    })
}

fn status(run: &RunSpans) -> &'static str {
    match run.outcome {
        None => "started",
        Some((Outcome::Aborted, _)) => "cancelled",
        // A task that failed was still evaluated.
        Some(_) => "success",
    }
}

fn accuracy(run: &RunSpans) -> f64 {
    match run.outcome {
        Some((Outcome::Success, _)) => 1.0,
        _ => 0.0,
    }
}

fn sample(
    run: &RunSpans,
    calls: &[MindCall],
    (id, task, mind): (&str, &str, &str),
    usage: &Value,
) -> Value {
    let because = run.outcome.as_ref().map(|(_, because)| because.as_str());
    let spans = run.spans.iter();
    let spans = spans.map(|span| (span.seq, events_of(run, span, calls, mind)));
    let marks = run.marks.iter().map(|mark| {
        let more = json!({"source": mark.name, "data": mark.text});
        (mark.seq, vec![event(run, "info", mark.at, more)])
    });
    let mut events: Vec<(Seq, Vec<Value>)> = spans.chain(marks).collect();
    events.sort_by_key(|(seq, _)| *seq);
    let events: Vec<Value> = events.into_iter().flat_map(|(_, events)| events).collect();
    let value = if accuracy(run) > 0.0 { "C" } else { "I" };
    json!({
        "id": id,
        "epoch": 1,
        "uuid": id,
        "input": task,
        "target": "success",
        "messages": [
            {"role": "user", "content": task},
            {"role": "assistant", "content": because.unwrap_or("the run is not over"), "model": mind},
        ],
        "output": {"model": mind, "choices": [], "completion": because.unwrap_or_default()},
        "scores": {SCORE: {"value": value, "explanation": because}},
        "metadata": {},
        "store": {},
        "events": events,
        "model_usage": usage,
        "started_at": time(run.from),
        "completed_at": time(run.to),
        "total_time": seconds(run, run.to),
        "attachments": {},
    })
}

/// The events of one span, which stand where it begins.
fn events_of(run: &RunSpans, span: &RunSpan, calls: &[MindCall], mind: &str) -> Vec<Value> {
    match &span.kind {
        SpanKind::Attempt(attempt, past) => attempt_events(
            run,
            span,
            &format!("{}-{attempt}", run.run),
            past.as_deref(),
        ),
        SpanKind::Call(call) => vec![model_event(run, span, call, calls, mind)],
        SpanKind::Decision {
            decision,
            kind,
            answer,
        } => {
            let (verdict, by) = match answer {
                Some((verdict, by)) => (Some(verdict), by.to_string()),
                None => (None, "nobody".to_owned()),
            };
            let decided = match verdict {
                Some(Verdict::Approve) => "approve",
                Some(Verdict::EditPlan(_) | Verdict::EditKnowledge(_)) => "modify",
                Some(Verdict::Veto { .. }) => "reject",
                None => "escalate",
            };
            let id = decision.to_string();
            let more = json!({
                "message": format!("{id} {}", kind.name()),
                "call": {"id": id, "function": kind.name(), "arguments": {}},
                "approver": by,
                "decision": decided,
                "explanation": verdict.map(ToString::to_string),
            });
            vec![event(run, "approval", span.to, more)]
        }
    }
}

/// An event of this kind, with what it has besides.
fn event(run: &RunSpans, kind: &str, at: Millis, more: Value) -> Value {
    let mut event = json!({
        "event": kind,
        "timestamp": time(at),
        "working_start": seconds(run, at),
    });
    if let (Some(event), Value::Object(more)) = (event.as_object_mut(), more) {
        event.extend(more);
    }
    event
}

/// Its begin, its diagnosis and its end.
fn attempt_events(
    run: &RunSpans,
    span: &RunSpan,
    id: &str,
    past: Option<&Experience>,
) -> Vec<Value> {
    let name = past.map_or_else(|| id.to_owned(), |past| past.action.label());
    let begin = json!({"id": id, "type": "attempt", "name": name, "span_id": id});
    let mut events = vec![event(run, "span_begin", span.from, begin)];
    events.extend(past.map(|past| {
        let data = json!({
            "attempt": past.attempt.to_string(),
            "success": past.diagnosis.success,
            "failure_reason": past.failure_reason().map(|reason| reason.name()),
            "summary": past.diagnosis.summary,
            "ticks": past.ticks(),
        });
        let more = json!({"source": "diagnosis", "data": data, "span_id": id});
        event(run, "info", span.to, more)
    }));
    events.push(event(
        run,
        "span_end",
        span.to,
        json!({"id": id, "span_id": id}),
    ));
    events
}

fn model_event(
    run: &RunSpans,
    span: &RunSpan,
    call: &CallSpan,
    calls: &[MindCall],
    mind: &str,
) -> Value {
    let asked = calls.iter().find(|asked| asked.call == call.call);
    let input = asked.map_or_else(Vec::new, |asked| {
        vec![
            json!({"role": "system", "content": asked.system}),
            json!({"role": "user", "content": asked.user}),
        ]
    });
    let mut replies = asked.into_iter().flat_map(|asked| &asked.replies);
    let answer = replies.find(|reply| reply.what.starts_with("answered"));
    let answer = answer.map_or("", |reply| reply.text.as_str());
    let model = call
        .spent
        .as_ref()
        .map_or(mind, |spent| spent.model.as_str());
    let message =
        json!({"role": "assistant", "content": answer, "model": model, "source": "generate"});
    let spent = call.spent.as_ref();
    let output = json!({
        "model": model,
        "choices": [{"message": message, "stop_reason": "stop"}],
        "completion": answer,
        "usage": spent.map(|spent| tokens(spent.tokens_in, spent.tokens_out)),
    });
    let more = json!({
        "model": model,
        "role": call.role.name(),
        "input": input,
        "tools": [],
        "tool_choice": "none",
        "config": {},
        "output": output,
        "error": call.fault,
        "completed": time(span.to),
        "working_time": span.to.since(span.from) as f64 / 1000.0,
    });
    event(run, "model", span.from, more)
}

fn tokens(input: u64, output: u64) -> Value {
    json!({"input_tokens": input, "output_tokens": output, "total_tokens": input + output})
}

/// Tokens by model.
fn usage(run: &RunSpans, mind: &str) -> Value {
    let mut sums: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for span in &run.spans {
        if let SpanKind::Call(CallSpan {
            spent: Some(spent), ..
        }) = &span.kind
        {
            let sum = sums.entry(&spent.model).or_default();
            *sum = (sum.0 + spent.tokens_in, sum.1 + spent.tokens_out);
        }
    }
    if sums.is_empty() {
        sums.insert(mind, (0, 0));
    }
    let sums = sums
        .into_iter()
        .map(|(model, (input, output))| (model.to_owned(), tokens(input, output)));
    Value::Object(sums.collect())
}

fn seconds(run: &RunSpans, at: Millis) -> f64 {
    (at.since(run.from) as f64) / 1000.0
}

/// A moment in the form that all programs read.
fn time(at: Millis) -> String {
    let millis = i64::try_from(at.0).unwrap_or(i64::MAX);
    // What lies outside of the calendar is its first moment.
    let at = jiff::Timestamp::from_millisecond(millis).unwrap_or_default();
    format!("{at:.3}").replace('Z', "+00:00")
}
