//! Shorthand: plans that say less than the format, or say it shorter, where that has one reading.
//!
//! Invariant: whatever has two readings stays as it is, and is refused where it is read.

use super::Repairs;
use super::steps::{check_of_condition, settle_step};
use crate::domain::plan::item_words;
use crate::domain::plan::{Executor, TaskKind};
use pithead_world::mob::MobKind;
use serde_json::{Map, Value, json};

/// Plans are not deeper than subgoal, goal, check, place.
const DEPTH_MAX: usize = 8;
/// Checks that are written as a word and its values.
const CHECKS: [&str; 10] = [
    "inv_ge",
    "inv_lt",
    "inv_delta_ge",
    "crafted_ge",
    "equipped",
    "near",
    "ypos_le",
    "ypos_ge",
    "world_time",
    "built",
];
/// The longest attempt that a plan may ask for.
const TIMEOUT_MAX_S: i64 = 3_600;

/// Writes a plan out in full.
pub(super) fn expand(plan: &mut Value, repairs: &mut Repairs) {
    drop_nulls(plan, 0);
    let Value::Object(fields) = plan else { return };
    if !fields.contains_key("subgoals")
        && let Some(steps) = fields.remove("steps")
    {
        fields.insert("subgoals".to_owned(), steps);
        repairs.note("`steps` read as `subgoals`");
    }
    let Some(Value::Array(rows)) = fields.get_mut("subgoals") else {
        return;
    };
    for row in rows {
        settle_step(row, repairs);
        if let Value::Object(step) = row {
            expand_step(step, repairs);
        }
    }
}

/// A field that is null is one that was left out: forms that require every field have no other way.
fn drop_nulls(value: &mut Value, depth: usize) {
    match value {
        _ if depth > DEPTH_MAX => (),
        Value::Object(fields) => {
            fields.retain(|_, field| !field.is_null());
            fields
                .values_mut()
                .for_each(|field| drop_nulls(field, depth + 1));
        }
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| drop_nulls(item, depth + 1)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
    }
}

fn expand_step(step: &mut Map<String, Value>, repairs: &mut Repairs) {
    for name in ["subgoal_id", "id", "parent"] {
        if let Some(id) = step.get_mut(name) {
            number_as_id(id, repairs);
        }
    }
    if let Some(Value::Array(needs)) = step.get_mut("needs") {
        needs.iter_mut().for_each(|id| number_as_id(id, repairs));
    }
    complete_kind(step);
    if let Some(Value::String(words)) = step.get("goal")
        && let Some(goal) = goal_of_text(words)
    {
        step.insert("goal".to_owned(), goal);
        repairs.note("a goal written as text");
    }
    if let Some(Value::Array(checks)) = step.get_mut("checks") {
        for check in checks {
            if let Some(full) = full_check(check) {
                *check = full;
                repairs.note("a check written shorter");
            }
        }
    }
    name_the_mob(step, repairs);
    limit_time(step, repairs);
}

fn number_as_id(id: &mut Value, repairs: &mut Repairs) {
    if let Some(number) = id.as_u64() {
        *id = Value::from(format!("sg_{number:03}"));
        repairs.note("a number read as the id of a subgoal");
    }
}

/// The hint tells the kind; a hint in the place of the kind tells both.
fn complete_kind(step: &mut Map<String, Value>) {
    let executor = |name: Option<&Value>| {
        let name = name.and_then(Value::as_str)?;
        Executor::ALL.into_iter().find(|known| known.name() == name)
    };
    let is_kind = |name: &Value| TaskKind::ALL.iter().any(|kind| *name == kind.name());
    let (kind, hint) = (step.get("task_kind"), step.get("executor_hint"));
    let meant = match (kind, executor(hint)) {
        (None, Some(meant)) => meant,
        (Some(kind), None) if hint.is_none() && !is_kind(kind) => match executor(Some(kind)) {
            Some(meant) => meant,
            None => return,
        },
        _ => return,
    };
    step.insert("task_kind".to_owned(), Value::from(meant.kind().name()));
    step.insert("executor_hint".to_owned(), Value::from(meant.name()));
}

/// `oak_log`, `3 oak_log` or `oak_log x3`.
pub(super) fn goal_of_text(words: &str) -> Option<Value> {
    let words = words.trim();
    let (first, rest) = words.split_once(' ').unwrap_or((words, ""));
    if let Ok(count) = first.parse::<u32>() {
        return Some(json!({"object": rest.trim(), "count": count}));
    }
    if let Some((name, last)) = words.rsplit_once(' ')
        && let Ok(count) = last.trim_start_matches(['x', '×']).parse::<u32>()
    {
        return Some(json!({"object": name.trim(), "count": count}));
    }
    item_words::named(words).ok()?;
    Some(json!({"object": words, "count": 1}))
}

/// What else is done about living things than fighting them.
const ABOUT_MOBS: [&str; 3] = ["breed", "explore", "approach"];

/// A mob is no item: as the goal of a fight it is whom to fight, and what it drops stands in the check.
fn name_the_mob(step: &mut Map<String, Value>, repairs: &mut Repairs) {
    let is_fight = step.get("task_kind").is_some_and(|kind| kind == "combat")
        || step
            .get("executor_hint")
            .and_then(Value::as_str)
            .is_some_and(|hint| ABOUT_MOBS.contains(&hint));
    let dropped = step.get("checks").and_then(Value::as_array);
    let dropped = dropped.and_then(|checks| checks.iter().find_map(|check| check.get("item")));
    let dropped = dropped.cloned();
    let Some(Value::Object(goal)) = step.get_mut("goal").filter(|_| is_fight) else {
        return;
    };
    let Some(name) = goal.get("object").and_then(Value::as_str) else {
        return;
    };
    let name = name.to_lowercase();
    if item_words::named(&name).is_ok() || MobKind::named(&name).is_none() {
        return;
    }
    goal.remove("object");
    goal.insert("info".to_owned(), Value::from(name));
    if let Some(item) = dropped {
        goal.insert("object".to_owned(), item);
    }
    repairs.note("a mob read as whom it is about");
}

/// The check in the form of the format; none if it is so already, or is nothing that is known.
fn full_check(check: &Value) -> Option<Value> {
    match check {
        Value::String(text) => check_of_words(text).or_else(|| check_of_condition(text)),
        Value::Object(fields) if fields.len() == 1 => {
            let (kind, inner) = fields.iter().next()?;
            let kind = known_check(kind)?;
            match inner {
                Value::Object(inner) => {
                    let mut full = inner.clone();
                    full.insert("check".to_owned(), Value::from(kind));
                    Some(Value::Object(full))
                }
                Value::Number(n) => check_of_words(&format!("{kind} {n}")),
                Value::String(text) => check_of_words(&format!("{kind} {text}")),
                Value::Array(parts) => {
                    let parts: Vec<String> = parts.iter().map(plain_text).collect();
                    check_of_words(&format!("{kind} {}", parts.join(" ")))
                }
                Value::Null | Value::Bool(_) => None,
            }
        }
        _ => None,
    }
}

fn plain_text(value: &Value) -> String {
    value.as_str().map_or(value.to_string(), str::to_owned)
}

fn known_check(word: &str) -> Option<&'static str> {
    CHECKS.into_iter().find(|kind| *kind == word)
}

/// `inv_ge #logs 1`, `near crafting_table 4`, `ypos_le 16`.
fn check_of_words(text: &str) -> Option<Value> {
    let parts: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ',' | '=' | '>'))
        .filter(|part| !part.is_empty())
        .collect();
    let (kind, values) = parts.split_first()?;
    let kind = known_check(kind)?;
    let number = |text: &str| text.parse::<i64>().ok();
    Some(match (kind, values) {
        ("inv_ge" | "inv_lt" | "inv_delta_ge" | "crafted_ge", [item, count]) => {
            json!({"check": kind, "item": item, "count": number(count)?})
        }
        ("inv_ge" | "inv_delta_ge" | "crafted_ge", [item]) => {
            json!({"check": kind, "item": item, "count": 1})
        }
        ("equipped", [item]) => json!({"check": kind, "item": item}),
        ("built", [name]) => json!({"check": kind, "blueprint": name}),
        ("near", [thing]) => json!({"check": kind, "target": thing}),
        ("near", [thing, range]) => {
            json!({"check": kind, "target": thing, "range": number(range)?})
        }
        ("ypos_le" | "ypos_ge", [y]) => json!({"check": kind, "y": number(y)?}),
        ("world_time", [ticks] | ["elapsed", ticks]) => {
            json!({"check": kind, "elapsed": number(ticks)?})
        }
        _ => return None, // another number of values has no one reading
    })
}

/// A time-out below the least is none; one above the most is the most.
fn limit_time(step: &mut Map<String, Value>, repairs: &mut Repairs) {
    let Some(seconds) = step.get("timeout_s").and_then(Value::as_i64) else {
        return;
    };
    if seconds < 1 {
        step.remove("timeout_s");
    } else if seconds > TIMEOUT_MAX_S {
        step.insert("timeout_s".to_owned(), Value::from(TIMEOUT_MAX_S));
    } else {
        return;
    }
    repairs.note("a time-out out of range set to what is allowed");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shorter_forms_are_written_out() {
        let mut plan = json!({"plan_id": null, "steps": [
            {"subgoal_id": 1, "executor_hint": "mine", "goal": "3 #logs", "checks": ["inv_ge #logs 3"], "needs": null},
            {"subgoal_id": 2, "task_kind": "dig_down", "goal": {"amount": 12, "count": 1}, "checks": [{"ypos_le": 12}],
             "needs": [1], "timeout_s": 99999},
            {"subgoal_id": 3, "task_kind": "combat", "goal": {"object": "zombie", "count": 1},
             "checks": [{"inv_delta_ge": {"item": "rotten_flesh", "count": 1}}], "timeout_s": 0},
        ]});
        let mut repairs = Repairs::default();
        expand(&mut plan, &mut repairs);
        let expected = json!({"subgoals": [
            {"subgoal_id": "sg_001", "executor_hint": "mine", "goal": {"object": "#logs", "count": 3},
             "checks": [{"check": "inv_ge", "item": "#logs", "count": 3}], "task_kind": "mine"},
            {"subgoal_id": "sg_002", "task_kind": "move", "goal": {"amount": 12, "count": 1},
             "checks": [{"check": "ypos_le", "y": 12}], "needs": ["sg_001"], "timeout_s": 3600, "executor_hint": "dig_down"},
            {"subgoal_id": "sg_003", "task_kind": "combat",
             "goal": {"count": 1, "info": "zombie", "object": "rotten_flesh"},
             "checks": [{"item": "rotten_flesh", "count": 1, "check": "inv_delta_ge"}]},
        ]});
        assert_eq!(plan, expected);
        let told = repairs.descriptions();
        assert!(
            told.iter().all(|repair| !repair.contains("null")),
            "{told:?}"
        );
    }

    #[test]
    fn what_has_no_one_reading_stays() {
        for check in [
            "inv_lt #logs",
            "near",
            "have a nice day",
            "inv_ge oak log 3",
        ] {
            assert_eq!(check_of_words(check), None, "{check}");
        }
        assert_eq!(goal_of_text("make me happy"), None);
    }
}
