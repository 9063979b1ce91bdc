//! Coercion of plans: values whose type is wrong and whose meaning is not in doubt.

use super::{Repairs, shorthand};
use serde_json::{Map, Value};

/// Fields that hold a whole number.
const NUMBERS: [&str; 11] = [
    "count",
    "n",
    "quantity",
    "y",
    "range",
    "radius",
    "timeout_s",
    "amount",
    "value",
    "elapsed",
    "distance",
];
/// Fields that hold a list.
const LISTS: [&str; 4] = ["needs", "checks", "follows", "global_constraints"];
/// Every field of PlanJSON, for those who spell them otherwise.
const FIELDS: [&str; 32] = [
    "plan_id",
    "subgoals",
    "global_constraints",
    "subgoal_id",
    "condition",
    "task_kind",
    "executor_hint",
    "mode",
    "timeout_s",
    "checks",
    "needs",
    "parent",
    "alternatives",
    "goal",
    "rationale",
    "follows",
    "object",
    "count",
    "material",
    "tool",
    "amount",
    "info",
    "check",
    "item",
    "place",
    "range",
    "meter",
    "value",
    "window",
    "elapsed",
    "type",
    "gui",
];
/// Fields whose text is one of a few lower-case words.
const WORDS: [&str; 5] = ["task_kind", "executor_hint", "mode", "check", "type"];
/// Plans are not deeper than subgoal, goal, check, place.
const DEPTH_MAX: usize = 8;

/// Settles spellings of keys, numbers in quotes, single values for lists, and the case of words.
pub fn plan(value: &mut Value, repairs: &mut Repairs) {
    settle(value, repairs, 0);
    shorthand::expand(value, repairs);
}

fn settle(value: &mut Value, repairs: &mut Repairs, depth: usize) {
    if depth > DEPTH_MAX {
        return;
    }
    match value {
        Value::Object(fields) => {
            respell(fields, repairs);
            for (key, field) in fields.iter_mut() {
                retype(key, field, repairs);
                settle(field, repairs, depth + 1);
            }
        }
        Value::Array(items) => {
            for item in items {
                settle(item, repairs, depth + 1);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
    }
}

/// `subgoalId` and `Task Kind` as the format writes them, where that leaves no doubt.
fn respell(fields: &mut Map<String, Value>, repairs: &mut Repairs) {
    let misspelt: Vec<(String, String)> = fields
        .keys()
        .filter(|key| !FIELDS.contains(&key.as_str()))
        .map(|key| (key.clone(), snake(key)))
        // Never over a field that is there already.
        .filter(|(_, snake)| FIELDS.contains(&snake.as_str()) && !fields.contains_key(snake))
        .collect();
    for (key, snake) in misspelt {
        if let Some(value) = fields.remove(&key) {
            fields.insert(snake, value);
            repairs.note("a key in another spelling");
        }
    }
}

fn snake(key: &str) -> String {
    let mut out = String::new();
    let mut was_lower = false;
    for c in key.chars() {
        if matches!(c, ' ' | '-') {
            out.push('_');
        } else {
            if c.is_uppercase() && was_lower {
                out.push('_');
            }
            out.extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase();
    }
    out
}

fn retype(key: &str, field: &mut Value, repairs: &mut Repairs) {
    if NUMBERS.contains(&key)
        && let Value::String(text) = field
        && let Ok(number) = text.trim().parse::<i64>()
    {
        *field = Value::from(number);
        repairs.note("a number in quotes");
    } else if LISTS.contains(&key) && matches!(field, Value::String(_) | Value::Object(_)) {
        let single = std::mem::take(field);
        *field = Value::Array(vec![single]);
        repairs.note("a single value read as a list of one");
    } else if WORDS.contains(&key)
        && let Value::String(word) = field
        && word
            .chars()
            .any(|c| c.is_uppercase() || c.is_whitespace() || c == '-')
    {
        *word = word.trim().to_lowercase().replace([' ', '-'], "_");
        repairs.note("a word in another case");
    }
}
