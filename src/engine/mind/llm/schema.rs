//! Schemas: the form of each role's answer, for servers that can be held to one.
//!
//! Written in the strict style that all of them take: every field required, and one branch for each
//! set of fields, so that no field is written to say nothing. Only an answer as a whole has fields that
//! may be null: servers refuse a choice at the root. The reader does not rely on them.

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
        MindRole::ReferencePlan => reference(),
        MindRole::Guardrail => constraint(),
        MindRole::RuleGenerator => rules(),
        MindRole::RuleScorer => scores(),
        MindRole::Judge => judged(),
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
    any_of(&[value.clone(), json!({"type": "null"})])
}

/// One branch for each subset of the fields that may be left out, the shortest first.
fn object_with(fields: &[(&str, Value)], optional: &[(&str, Value)]) -> Value {
    let mut sets: Vec<Vec<(&str, Value)>> = vec![fields.to_vec()];
    for field in optional {
        let with = sets
            .iter()
            .map(|set| [&set[..], std::slice::from_ref(field)].concat());
        sets.extend(with.collect::<Vec<_>>());
    }
    // An object without a field would say nothing at all.
    sets.retain(|set| !set.is_empty());
    sets.sort_by_key(Vec::len);
    let branches: Vec<Value> = sets.iter().map(|set| object(set)).collect();
    any_of(&branches)
}

fn any_of(branches: &[Value]) -> Value {
    json!({"anyOf": branches})
}

/// One branch for each set of fields that a check can have.
fn check() -> Value {
    let of = |kinds: &[&str], fields: &[(&str, Value)]| {
        let mut all = vec![("check", one_of(kinds))];
        all.extend(fields.iter().cloned());
        object(&all)
    };
    let counted = ["inv_ge", "inv_lt", "inv_delta_ge", "crafted_ge"];
    let near = |name, value| of(&["near"], &[(name, value), ("range", whole())]);
    any_of(&[
        of(&counted, &[("item", text()), ("count", whole())]),
        of(&["equipped"], &[("item", text())]),
        near("block", text()),
        near("mob", text()),
        near("at", list(&whole())),
        of(&["ypos_le", "ypos_ge"], &[("y", whole())]),
        of(&["world_time"], &[("elapsed", whole())]),
        of(&["built"], &[("blueprint", text())]),
    ])
}

/// One branch for each set of fields that a goal can have.
fn goal_of_step() -> Value {
    let counted = [("object", text()), ("count", whole())];
    let with = |more: &[(&str, Value)]| {
        let mut all = counted.to_vec();
        all.extend(more.iter().cloned());
        object(&all)
    };
    any_of(&[
        object(&counted),
        with(&[("material", text())]),
        with(&[("tool", text()), ("info", text())]),
        with(&[("info", text())]),
        object(&[("info", text())]),
        object(&[("amount", whole())]),
        object(&[("blueprint", text())]),
    ])
}

fn plan() -> Value {
    let executors = Executor::ALL.map(Executor::name);
    let step = |more: &[(&str, Value)]| {
        let mut fields = vec![
            ("subgoal_id", text()),
            ("executor_hint", one_of(&executors)),
            ("goal", goal_of_step()),
            ("needs", list(&text())),
        ];
        fields.extend(more.iter().cloned());
        object(&fields)
    };
    let told = [("checks", list(&check())), ("follows", list(&text()))];
    let asserting = step(&[("checks", list(&check())), ("asserts", list(&check()))]);
    object(&[(
        "subgoals",
        list(&any_of(&[step(&[]), step(&told), asserting])),
    )])
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
    any_of(&options)
}

fn constraint() -> Value {
    let kinds = TaskKind::ALL.map(TaskKind::name);
    let reasons = FailureReason::ALL.map(FailureReason::name);
    let pattern = object_with(
        &[],
        &[
            ("kind", one_of(&kinds)),
            ("target", text()),
            ("tool", text()),
            ("text", text()),
        ],
    );
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

fn reference() -> Value {
    let verbs = Executor::ALL.map(Executor::name);
    let step = object_with(
        &[("do", one_of(&verbs)), ("count", whole())],
        &[("object", text()), ("y", whole())],
    );
    object(&[("steps", list(&step)), ("because", text())])
}

fn rules() -> Value {
    let rule = object(&[("when", text()), ("then", check()), ("because", text())]);
    object(&[("rules", list(&rule))])
}

fn scores() -> Value {
    let share = json!({"type": "number"});
    let score = object(&[
        ("consistent", share.clone()),
        ("clear", share.clone()),
        ("feasible", share),
        ("because", text()),
    ]);
    object(&[("scores", list(&score))])
}

fn judged() -> Value {
    let step = object(&[
        ("step", text()),
        ("success", json!({"type": "boolean"})),
        ("missing", list(&remedy())),
        ("suggestion", text()),
    ]);
    object(&[("judged", list(&step))])
}

fn reflection() -> Value {
    object(&[
        ("now", text()),
        ("before", text()),
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
    let goal = object_with(
        &[("object", text()), ("count", whole())],
        &[("material", text()), ("tool", text()), ("info", text())],
    );
    let below = object(&[("goal", goal.clone()), ("before", list(&goal))]);
    object(&[
        ("goal", goal.clone()),
        ("before", list(&goal)),
        ("below", list(&below)),
    ])
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
