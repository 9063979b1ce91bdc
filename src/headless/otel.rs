//! A run as OpenTelemetry: one trace in OTLP/JSON, with the attributes that the conventions for generative AI name.
//!
//! A step's attempt is a call of a tool, a question to the mind a call of a model. What was asked and answered is not
//! in it: collectors keep what they get, and the texts may quote anything. Invariant: the same run gives the same
//! trace, with the same ids.

use super::spans::{CallSpan, RunMark, RunSpan, RunSpans, SpanKind};
use pithead_core::domain::experience::Experience;
use pithead_core::domain::run::outcome::Outcome;
use pithead_world::clock::Millis;
use pithead_world::ids::{AttemptId, Seq};
use serde_json::{Value, json};

/// Kinds of spans, as numbers of the protocol.
const INTERNAL: u8 = 1;
const CLIENT: u8 = 3;
/// Codes of a status.
const OK: u8 = 1;
const ERROR: u8 = 2;

/// The trace, as the body of a request to a collector.
#[must_use]
pub fn otel_trace(run: &RunSpans) -> Value {
    let mut spans = vec![root(run)];
    spans.extend(run.spans.iter().map(|span| child(run, span)));
    json!({"resourceSpans": [{
        "resource": {"attributes": [
            text("service.name", "pithead"),
            text("service.version", env!("CARGO_PKG_VERSION")),
        ]},
        "scopeSpans": [{
            "scope": {"name": "pithead", "version": env!("CARGO_PKG_VERSION")},
            "spans": spans,
        }],
    }]})
}

fn root(run: &RunSpans) -> Value {
    let config = run.config.as_deref();
    let task = config.map_or("", |config| config.task.text.as_str());
    let mut attributes = vec![
        text("gen_ai.operation.name", "invoke_agent"),
        text("gen_ai.agent.name", "pithead"),
        text("gen_ai.agent.id", &run.run.to_string()),
        text("pithead.task", task),
    ];
    if let Some(config) = config {
        attributes.push(text("gen_ai.request.model", &config.mind));
        attributes.push(text("pithead.system", &config.profile.name));
        attributes.push(text("pithead.seed", &config.world.seed.to_string()));
    }
    let status = match &run.outcome {
        None => json!({}),
        Some((Outcome::Success, _)) => json!({"code": OK}),
        Some((_, because)) => json!({"code": ERROR, "message": because}),
    };
    if let Some((outcome, _)) = &run.outcome {
        attributes.push(text("pithead.outcome", outcome_name(*outcome)));
    }
    let events: Vec<Value> = run.marks.iter().map(event).collect();
    json!({
        "traceId": trace_id(run),
        "spanId": span_id(Seq(0)),
        "name": "invoke_agent pithead",
        "kind": INTERNAL,
        "startTimeUnixNano": nanos(run.from),
        "endTimeUnixNano": nanos(run.to),
        "attributes": attributes,
        "events": events,
        "status": status,
    })
}

/// Name, kind, attributes and status of a span.
type Parts = (String, u8, Vec<Value>, Value);

fn child(run: &RunSpans, span: &RunSpan) -> Value {
    let (name, kind, attributes, status) = match &span.kind {
        SpanKind::Attempt(attempt, past) => of_attempt(*attempt, past.as_deref()),
        SpanKind::Call(call) => of_call(run, call),
        SpanKind::Decision {
            decision,
            kind,
            answer,
        } => {
            let mut attributes = vec![
                text("pithead.decision", &decision.to_string()),
                text("pithead.gate", kind.name()),
            ];
            if let Some((verdict, by)) = answer {
                attributes.push(text("pithead.answer", &verdict.to_string()));
                attributes.push(text("pithead.by", &by.to_string()));
            }
            let name = format!("decision {}", kind.name());
            (name, INTERNAL, attributes, json!({}))
        }
    };
    json!({
        "traceId": trace_id(run),
        "spanId": span_id(span.seq),
        "parentSpanId": span_id(Seq(0)),
        "name": name,
        "kind": kind,
        "startTimeUnixNano": nanos(span.from),
        "endTimeUnixNano": nanos(span.to),
        "attributes": attributes,
        "status": status,
    })
}

fn of_attempt(attempt: AttemptId, past: Option<&Experience>) -> Parts {
    let mut attributes = vec![
        text("gen_ai.operation.name", "execute_tool"),
        text("pithead.attempt", &attempt.to_string()),
    ];
    let Some(past) = past else {
        return (
            format!("execute_tool {attempt}"),
            INTERNAL,
            attributes,
            json!({}),
        );
    };
    let tool = past.action.executor_hint.name();
    attributes.push(text("gen_ai.tool.name", tool));
    attributes.push(text("pithead.step", &past.action.id.to_string()));
    attributes.push(text("pithead.step.label", &past.action.label()));
    attributes.push(number("pithead.ticks", past.ticks()));
    let status = match past.failure_reason() {
        None => json!({"code": OK}),
        Some(reason) => {
            attributes.push(text("error.type", reason.name()));
            json!({"code": ERROR, "message": past.diagnosis.summary})
        }
    };
    (format!("execute_tool {tool}"), INTERNAL, attributes, status)
}

fn of_call(run: &RunSpans, call: &CallSpan) -> Parts {
    let mut attributes = vec![
        text("gen_ai.operation.name", "chat"),
        text("pithead.call", &call.call.to_string()),
        text("pithead.role", call.role.name()),
    ];
    let mut model = run
        .config
        .as_ref()
        .map_or("", |config| config.mind.as_str());
    if let Some(spent) = &call.spent {
        model = &spent.model;
        attributes.push(text("gen_ai.provider.name", &spent.server));
        attributes.push(text("gen_ai.response.model", model));
        attributes.push(number("gen_ai.usage.input_tokens", spent.tokens_in));
        attributes.push(number("gen_ai.usage.output_tokens", spent.tokens_out));
    }
    attributes.push(text("gen_ai.request.model", model));
    let status = match &call.fault {
        Some(because) => json!({"code": ERROR, "message": because}),
        None if call.is_answered => json!({"code": OK}),
        None => json!({}),
    };
    (format!("chat {model}"), CLIENT, attributes, status)
}

fn event(mark: &RunMark) -> Value {
    json!({
        "timeUnixNano": nanos(mark.at),
        "name": mark.name,
        "attributes": [number("pithead.event", mark.seq.0), text("pithead.text", &mark.text)],
    })
}

fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Success => "success",
        Outcome::Failure => "failure",
        Outcome::Aborted => "aborted",
    }
}

/// Sixteen bytes that name the run: when it began, and its number.
fn trace_id(run: &RunSpans) -> String {
    // A trace of zeros is none.
    format!("{:016x}{:016x}", run.from.0.max(1), run.run.0)
}

/// Eight bytes: the event that begins the span, counted from one.
fn span_id(seq: Seq) -> String {
    format!("{:016x}", seq.0.saturating_add(1))
}

/// Whole numbers of 64 bits are texts in the protocol's JSON.
fn nanos(at: Millis) -> String {
    format!("{}000000", at.0)
}

fn text(key: &str, value: &str) -> Value {
    json!({"key": key, "value": {"stringValue": value}})
}

fn number(key: &str, value: u64) -> Value {
    json!({"key": key, "value": {"intValue": value.to_string()}})
}
