//! Steps in other words: hint, goal and needs under names that models give them, where those leave one reading.
//!
//! Invariant: a step that says the same twice in different ways stays as it is, and is refused where it is read.

use super::Repairs;
use crate::domain::condition::{Condition, Predicate};
use crate::domain::plan::{Executor, item_words};
use serde_json::{Map, Value, json};

/// Fields under which the hint stands.
const HINTS: [&str; 8] = [
    "how", "do", "action", "executor", "verb", "type", "kind", "hint",
];
/// Verbs that mean one of the executors and no other.
const VERBS: [(&str, Executor); 14] = [
    ("gather", Executor::Mine),
    ("collect", Executor::Mine),
    ("chop", Executor::Mine),
    ("make", Executor::Craft),
    ("cook", Executor::Smelt),
    ("kill", Executor::Attack),
    ("fight", Executor::Attack),
    ("hunt", Executor::Attack),
    ("find", Executor::Explore),
    ("search", Executor::Explore),
    ("goto", Executor::Approach),
    ("go_to", Executor::Approach),
    ("navigate", Executor::Approach),
    ("dig", Executor::DigDown),
];
/// Fields of a goal, and the names that models give them.
const GOAL_FIELDS: [(&str, &[&str]); 7] = [
    ("object", &["object", "item", "target", "name"]),
    ("count", &["count", "quantity", "number", "n"]),
    ("material", &["material", "fuel", "dye"]),
    ("tool", &["tool"]),
    ("amount", &["amount", "y", "height", "ticks"]),
    ("info", &["info", "mob", "entity", "on"]),
    ("blueprint", &["blueprint"]),
];
/// Words for no need at all.
const NOTHING: [&str; 4] = ["", "none", "null", "[]"];

/// Writes one row of a plan as a step of the format.
pub(super) fn settle_step(row: &mut Value, repairs: &mut Repairs) {
    if let Value::String(words) = row
        && let Some(step) = step_of_words(words)
    {
        *row = step;
        repairs.note("a step written as text");
    }
    let Value::Object(step) = row else { return };
    find_hint(step, repairs);
    gather_goal(step, repairs);
    if let Some(goal) = step.get_mut("goal") {
        settle_goal(goal, repairs);
    }
    settle_needs(step, repairs);
}

/// `mine 3 #logs`, `craft crafting_table`.
fn step_of_words(words: &str) -> Option<Value> {
    let (verb, rest) = words.trim().split_once(' ')?;
    let executor = executor_of(verb)?;
    let goal = super::shorthand::goal_of_text(rest)?;
    Some(json!({"executor_hint": executor.name(), "goal": goal}))
}

fn executor_of(word: &str) -> Option<Executor> {
    let word = word.trim().to_lowercase().replace([' ', '-'], "_");
    let known = Executor::ALL.into_iter().find(|e| e.name() == word);
    known.or_else(|| {
        let other = VERBS.into_iter().find(|(verb, _)| *verb == word);
        other.map(|(_, executor)| executor)
    })
}

/// The hint under another name, in other words, or as the key of the goal: `{"mine": {"object": ...}}`.
fn find_hint(step: &mut Map<String, Value>, repairs: &mut Repairs) {
    if let Some(Value::String(word)) = step.get("executor_hint") {
        // What is not known here at all is told where the plan is read.
        if let Some(executor) = executor_of(word).filter(|executor| executor.name() != word) {
            step.insert("executor_hint".to_owned(), Value::from(executor.name()));
            repairs.note("another word for what is done");
        }
        return;
    }
    if step.contains_key("task_kind") {
        return;
    }
    let names_one = |key: &&String| {
        let value = step.get(*key).and_then(Value::as_str);
        HINTS.contains(&key.to_lowercase().as_str()) && value.and_then(executor_of).is_some()
    };
    let named: Vec<String> = step.keys().filter(names_one).cloned().collect();
    if let [key] = &named[..] {
        let word = step.remove(key);
        let executor = word.as_ref().and_then(Value::as_str).and_then(executor_of);
        if let Some(executor) = executor {
            step.insert("executor_hint".to_owned(), Value::from(executor.name()));
            repairs.note("what is done, under another name");
        }
        return;
    }
    if named.is_empty() && !take_key_as_hint(step, repairs) {
        let inner = step.get_mut("goal").and_then(Value::as_object_mut);
        let moved = inner.and_then(|goal| {
            let keys: Vec<String> = goal.keys().cloned().collect();
            let [key] = &keys[..] else { return None };
            let executor = executor_of(key).filter(|_| goal[key].is_object())?;
            Some((executor, goal.remove(key)?))
        });
        if let Some((executor, goal)) = moved {
            step.insert("executor_hint".to_owned(), Value::from(executor.name()));
            step.insert("goal".to_owned(), goal);
            repairs.note("what is done, as the key of its goal");
        }
    }
}

fn take_key_as_hint(step: &mut Map<String, Value>, repairs: &mut Repairs) -> bool {
    let is_goal = |key: &&String| {
        let holds = matches!(step[*key], Value::Object(_) | Value::String(_));
        holds && Executor::ALL.iter().any(|e| e.name() == key.as_str())
    };
    let keys: Vec<String> = step.keys().filter(is_goal).cloned().collect();
    let [key] = &keys[..] else { return false };
    if step.contains_key("goal") {
        return false;
    }
    if let Some(goal) = step.remove(key) {
        step.insert("executor_hint".to_owned(), Value::from(key.as_str()));
        step.insert("goal".to_owned(), goal);
        repairs.note("what is done, as the key of its goal");
    }
    true
}

/// The fields of a goal that stand in the step itself.
fn gather_goal(step: &mut Map<String, Value>, repairs: &mut Repairs) {
    if let Some(goal) = step.remove("GOAL").or_else(|| step.remove("Goal")) {
        step.entry("goal").or_insert(goal);
    }
    if step.contains_key("goal") {
        return;
    }
    let names = GOAL_FIELDS.iter().flat_map(|(_, names)| names.iter());
    let own: Vec<&str> = names
        .copied()
        .filter(|name| step.contains_key(*name))
        .collect();
    if own.is_empty() {
        return;
    }
    let goal: Map<String, Value> = own
        .into_iter()
        .filter_map(|name| Some((name.to_owned(), step.remove(name)?)))
        .collect();
    step.insert("goal".to_owned(), Value::Object(goal));
    repairs.note("a goal written into its step");
}

/// The fields of a goal by their own names.
fn settle_goal(goal: &mut Value, repairs: &mut Repairs) {
    if let Value::Array(goals) = goal
        && goals.len() == 1
    {
        *goal = goals.remove(0);
        repairs.note("a goal in a list of one");
    }
    let Value::Object(fields) = goal else { return };
    for cover in ["ITEMS", "items", "Items"] {
        if let Some(Value::Object(inner)) = fields.get(cover).cloned()
            && fields.len() == 1
        {
            *fields = inner;
            repairs.note("a goal in an object around it");
        }
    }
    if let Some((item, count)) = only_pair(fields) {
        *fields = Map::from_iter([
            ("object".to_owned(), Value::from(item)),
            ("count".to_owned(), count),
        ]);
        repairs.note("an item as the key of its count");
        return;
    }
    for (field, names) in GOAL_FIELDS {
        let given: Vec<&str> = names
            .iter()
            .copied()
            .filter(|n| fields.contains_key(*n))
            .collect();
        // Two names of one field may mean two things.
        if let [name] = given[..]
            && name != field
            && let Some(value) = fields.remove(name)
        {
            fields.insert(field.to_owned(), value);
            repairs.note("a field of a goal under another name");
        }
    }
}

/// `{"#logs": 3}`.
fn only_pair(fields: &Map<String, Value>) -> Option<(String, Value)> {
    let (item, count) = fields.iter().next().filter(|_| fields.len() == 1)?;
    let is_pair = count.is_u64() && item_words::named(item).is_ok();
    is_pair.then(|| (item.clone(), count.clone()))
}

/// Needs in one text, and needs for nothing.
fn settle_needs(step: &mut Map<String, Value>, repairs: &mut Repairs) {
    let Some(Value::Array(needs)) = step.get_mut("needs") else {
        return;
    };
    let split = |need: &Value| match need.as_str() {
        Some(text) => text
            .split(',')
            .map(str::trim)
            .filter(|name| !NOTHING.contains(&name.to_lowercase().as_str()))
            .map(Value::from)
            .collect(),
        None => vec![need.clone()],
    };
    let settled: Vec<Value> = needs.iter().flat_map(split).collect();
    if settled != *needs {
        *needs = settled;
        repairs.note("needs written as one text");
    }
}

/// A check in the words of conditions: `inv #planks >= 4`, or `#planks >= 4`.
pub(super) fn check_of_condition(text: &str) -> Option<Value> {
    let read = |text: &str| match text.parse::<Condition>().ok()? {
        Condition::Is(Predicate::Check(check)) => serde_json::to_value(check).ok(),
        _ => None, // several at once, or nothing that a check can say
    };
    read(text).or_else(|| read(&format!("inv {text}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(row: Value, expected: &Value) {
        let mut row = row;
        settle_step(&mut row, &mut Repairs::default());
        assert_eq!(row, *expected);
    }

    #[test]
    fn steps_are_read_under_other_names() {
        let logs = json!({"executor_hint": "mine", "goal": {"object": "#logs", "count": 3}});
        check(json!("mine 3 #logs"), &logs);
        check(json!({"mine": {"object": "#logs", "count": 3}}), &logs);
        check(
            json!({"goal": {"mine": {"object": "#logs", "count": 3}}}),
            &logs,
        );
        check(
            json!({"HOW": "mine", "GOAL": {"object": "#logs", "count": 3}}),
            &logs,
        );
        check(
            json!({"do": "collect", "item": "#logs", "quantity": 3}),
            &logs,
        );
        check(
            json!({"executor_hint": "gather", "goal": {"#logs": 3}}),
            &logs,
        );
        check(
            json!({"executor_hint": "mine", "goal": [{"ITEMS": {"object": "#logs", "count": 3}}]}),
            &logs,
        );
        let dig =
            json!({"executor_hint": "dig_down", "goal": {"amount": 12}, "needs": ["sg_1", "sg_2"]});
        check(
            json!({"action": "dig down", "goal": {"y": 12}, "needs": ["sg_1, sg_2"]}),
            &dig,
        );
        let alone = json!({"executor_hint": "mine", "goal": {"object": "coal"}, "needs": []});
        check(
            json!({"executor_hint": "mine", "goal": {"item": "coal"}, "needs": ["none"]}),
            &alone,
        );
    }

    #[test]
    fn what_has_two_readings_stays() {
        for row in [
            json!({"do": "mine", "action": "craft", "goal": {"object": "stick"}}),
            json!({"mine": {"object": "coal"}, "craft": {"object": "stick"}}),
            json!({"executor_hint": "mine", "goal": {"object": "coal", "item": "stick"}}),
            json!({"task_kind": "move", "action": "walk", "goal": {"info": "there"}}),
            json!("look around"),
        ] {
            check(row.clone(), &row);
        }
    }

    #[test]
    fn checks_are_read_in_the_words_of_conditions() {
        let planks = json!({"check": "inv_ge", "item": "#planks", "count": 4});
        assert_eq!(check_of_condition("inv #planks >= 4"), Some(planks.clone()));
        assert_eq!(check_of_condition("#planks >= 4"), Some(planks));
        assert_eq!(check_of_condition("have a nice day"), None);
    }
}
