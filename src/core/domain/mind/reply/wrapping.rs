//! Wrappings: objects that models put around the one that was asked for.

use super::{ReplyShape, TEXT_MAX, lenient};
use serde_json::{Map, Value};

/// Wrappings within wrappings.
const LAYERS_MAX: usize = 8;
/// Keys under which the answer itself stands.
const COVERS: [&str; 16] = [
    "plan",
    "capsule",
    "lesson",
    "goal",
    "answer",
    "result",
    "response",
    "output",
    "final",
    "final_answer",
    "data",
    "json",
    "arguments",
    "parameters",
    "input",
    "function",
];

/// The object wanted, taken out of what is around it, and what was done; none if it is another.
pub(super) fn unwrap(value: Value, wanted: ReplyShape) -> Option<(Value, Vec<&'static str>)> {
    let mut value = value;
    let mut done = Vec::new();
    for _ in 0..LAYERS_MAX {
        match value {
            Value::Object(fields) if is_wanted(&fields, wanted) => {
                return Some((Value::Object(fields), done));
            }
            Value::Object(fields) => {
                let (inner, how) = uncover(fields)?;
                done.push(how);
                value = inner;
            }
            Value::Array(items) => {
                let (inner, how) = of_list(items, wanted)?;
                done.push(how);
                value = inner;
            }
            Value::String(text) => {
                value = reread(&text)?;
                done.push("JSON within a text read");
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => return None,
        }
    }
    None
}

fn is_wanted(fields: &Map<String, Value>, wanted: ReplyShape) -> bool {
    wanted.keys.iter().any(|key| fields.contains_key(*key))
}

/// What stands under the one covering key there is, or in a call of a tool.
fn uncover(mut fields: Map<String, Value>) -> Option<(Value, &'static str)> {
    for key in ["tool_calls", "tool_call", "function_call"] {
        if let Some(call) = fields.remove(key) {
            return Some((call, "a tool call read as the answer"));
        }
    }
    let is_call = fields.contains_key("name") || fields.contains_key("type");
    if fields.get("type").is_some_and(|t| t == "text") {
        return Some((fields.remove("text")?, "a content part read as the answer"));
    }
    let covers: Vec<&str> = COVERS
        .into_iter()
        .filter(|key| fields.get(*key).is_some_and(is_cover))
        .collect();
    // Exactly one: with two covers it is not clear which holds the answer.
    let [key] = covers[..] else { return None };
    let how = if is_call {
        "a tool call read as the answer"
    } else {
        "the answer taken out of an object around it"
    };
    Some((fields.remove(key)?, how))
}

fn is_cover(value: &Value) -> bool {
    match value {
        Value::Object(_) | Value::Array(_) => true,
        Value::String(text) => text.trim_start().starts_with(['{', '[']),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn of_list(mut items: Vec<Value>, wanted: ReplyShape) -> Option<(Value, &'static str)> {
    if let [Value::Object(fields)] = &items[..]
        && (is_wanted(fields, wanted) || !is_step(fields))
    {
        return Some((items.remove(0), "the answer taken out of a list around it"));
    }
    let list = wanted.list?;
    let all_steps = !items.is_empty()
        && items
            .iter()
            .all(|item| matches!(item, Value::Object(fields) if is_step(fields)));
    all_steps.then(|| {
        let fields = Map::from_iter([(list.to_owned(), Value::Array(items))]);
        (
            Value::Object(fields),
            "a bare list read as the list asked for",
        )
    })
}

fn is_step(fields: &Map<String, Value>) -> bool {
    const NAMES: [&str; 3] = ["task_kind", "subgoal_id", "executor_hint"];
    NAMES.iter().any(|name| fields.contains_key(*name))
}

fn reread(text: &str) -> Option<Value> {
    let text = text.trim();
    // The bound is checked before a text is parsed a second time.
    if text.len() > TEXT_MAX || !text.starts_with(['{', '[']) {
        return None;
    }
    let read = lenient::read_value(text, 0).ok()?;
    text[read.end..].trim().is_empty().then_some(read.value)
}
