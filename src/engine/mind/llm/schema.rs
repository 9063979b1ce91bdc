//! Schemas: the form of each role's answer, for servers that can be held to one.
//!
//! Written in the strict style that all of them take: every field required, null where it may be
//! left out. The reader does not rely on them.

use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::mind::role::MindRole;
use pithead_core::domain::plan::{Executor, TaskKind};
use serde_json::{Map, Value, json};

/// The schema of a role's answer.
pub(super) fn schema_of_role(role: MindRole) -> Value {
    match role {
        MindRole::Planner => plan(),
        MindRole::Recall => capsule(),
        MindRole::Diagnosis => lesson(),
        MindRole::Goal => goal(),
        MindRole::Decomposer => apart(),
        MindRole::Explainer => explanation(),
        MindRole::Summariser => recount(),
        MindRole::Skill => skill(),
        MindRole::Guardrail => constraint(),
        MindRole::RuleGenerator => rules(),
        MindRole::RuleScorer => score(),
        MindRole::Reflector => reflection(),
    }
}

fn object(fields: &[(&str, Value)]) -> Value {
    let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    let fields: Map<String, Value> = fields
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()))
        .collect();
    json!({"type": "object", "properties": fields, "required": names, "additionalProperties": false})
}

fn list(items: &Value) -> Value {
    json!({"type": "array", "items": items})
}

fn text() -> Value {
    json!({"type": "string"})
}

fn whole() -> Value {
    json!({"type": "integer"})
}

fn one_of(names: &[&str]) -> Value {
    json!({"type": "string", "enum": names})
}

fn or_null(value: &Value) -> Value {
    json!({"anyOf": [value, {"type": "null"}]})
}

fn check() -> Value {
    let checks = [
        "inv_ge",
        "inv_lt",
        "inv_delta_ge",
        "crafted_ge",
        "equipped",
        "near",
        "ypos_le",
        "ypos_ge",
        "world_time",
    ];
    object(&[
        ("check", one_of(&checks)),
        ("item", or_null(&text())),
        ("count", or_null(&whole())),
        ("block", or_null(&text())),
        ("mob", or_null(&text())),
        ("at", or_null(&list(&whole()))),
        ("range", or_null(&whole())),
        ("y", or_null(&whole())),
        ("elapsed", or_null(&whole())),
    ])
}

fn plan() -> Value {
    let kinds = TaskKind::ALL.map(TaskKind::name);
    let executors = Executor::ALL.map(Executor::name);
    let check = check();
    let goal = object(&[
        ("object", or_null(&text())),
        ("count", whole()),
        ("material", or_null(&text())),
        ("tool", or_null(&text())),
        ("amount", or_null(&whole())),
    ]);
    let subgoal = object(&[
        ("subgoal_id", text()),
        ("condition", text()),
        ("task_kind", one_of(&kinds)),
        ("executor_hint", one_of(&executors)),
        ("timeout_s", whole()),
        ("goal", goal),
        ("checks", list(&check)),
        ("needs", list(&text())),
        ("rationale", or_null(&text())),
        ("follows", list(&text())),
    ]);
    object(&[
        ("plan_id", text()),
        ("subgoals", list(&subgoal)),
        ("global_constraints", list(&text())),
    ])
}

fn capsule() -> Value {
    let cited = object(&[("text", text()), ("src", list(&text()))]);
    let cited = list(&cited);
    object(&[
        ("facts", cited.clone()),
        ("constraints", cited.clone()),
        ("next_actions", cited),
    ])
}

fn remedy() -> Value {
    let of = |name: &str, fields: &[(&str, Value)]| object(&[(name, object(fields))]);
    let options = [
        of("have", &[("item", text()), ("count", whole())]),
        of("station", &[("block", text())]),
        of("tool", &[("kind", text()), ("tier", text())]),
        of("go_below", &[("y", whole())]),
        of("go_above", &[("y", whole())]),
        of("move_away", &[("blocks", whole())]),
        of("advice", &[("text", text())]),
    ];
    json!({"anyOf": options})
}

fn constraint() -> Value {
    let kinds = TaskKind::ALL.map(TaskKind::name);
    let reasons = FailureReason::ALL.map(FailureReason::name);
    let pattern = object(&[
        ("kind", or_null(&one_of(&kinds))),
        ("target", or_null(&text())),
        ("tool", or_null(&text())),
        ("text", or_null(&text())),
    ]);
    object(&[
        ("trigger", text()),
        ("forbid", pattern),
        ("avoid", text()),
        ("recovery", list(&remedy())),
        ("reason", one_of(&reasons)),
    ])
}

fn lesson() -> Value {
    object(&[
        ("root_cause", text()),
        ("constraint", or_null(&constraint())),
        ("next_actions", list(&remedy())),
    ])
}

fn skill() -> Value {
    object(&[("requires", text()), ("steps", list(&text()))])
}

fn rules() -> Value {
    let rule = object(&[("when", text()), ("then", check()), ("because", text())]);
    object(&[("rules", list(&rule))])
}

fn score() -> Value {
    let share = json!({"type": "number"});
    object(&[
        ("consistent", share.clone()),
        ("clear", share.clone()),
        ("feasible", share),
        ("because", text()),
    ])
}

fn reflection() -> Value {
    object(&[
        ("deadlock", text()),
        ("missing", list(&remedy())),
        ("next_time", list(&text())),
        ("confidence", or_null(&json!({"type": "number"}))),
    ])
}

fn goal() -> Value {
    object(&[
        ("item", or_null(&text())),
        ("count", or_null(&whole())),
        ("because", or_null(&text())),
        ("impossible", or_null(&text())),
    ])
}

fn apart() -> Value {
    let goal = object(&[
        ("object", text()),
        ("count", whole()),
        ("material", or_null(&text())),
        ("tool", or_null(&text())),
        ("info", or_null(&text())),
    ]);
    object(&[("goal", goal.clone()), ("before", list(&goal))])
}

fn explanation() -> Value {
    object(&[
        ("observed", text()),
        ("explanation", text()),
        ("missing", list(&remedy())),
        ("wrong_step", or_null(&text())),
    ])
}

fn recount() -> Value {
    let cited = object(&[("text", text()), ("src", list(&text()))]);
    object(&[("summary", text()), ("facts", list(&cited))])
}
