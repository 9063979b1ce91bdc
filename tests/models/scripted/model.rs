//! A scripted model of moderate quality: rules over the text of a prompt, with slips.
//!
//! It sees what a server of language models sees, system and user text, and nothing else: what a prompt does not say,
//! it cannot know. Its slips follow from the text, so the same question gets the same answer.

use super::planner::{Planner, before};
use pithead_world::rng::Rng;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};

/// The data of a prompt, by the line that introduces it.
struct Told(Vec<(String, Value)>);

impl Told {
    fn read(user: &str) -> Self {
        let (mut found, mut last) = (Vec::new(), "");
        for line in user.lines() {
            match line.strip_prefix("<data>") {
                Some(data) => {
                    let data = data.strip_suffix("</data>").expect("data ends its line");
                    found.push((last.to_owned(), serde_json::from_str(data).unwrap()));
                }
                None if !line.trim().is_empty() => last = line,
                None => (),
            }
        }
        Self(found)
    }

    fn of(&self, start: &str) -> Option<&Value> {
        let found = self.0.iter().find(|(line, _)| line.starts_with(start));
        found.map(|(_, data)| data)
    }

    /// Something was wrong with an earlier answer.
    fn was_corrected(&self) -> bool {
        self.of("Your last answer was sent back").is_some()
            || self.of("Your earlier answers could not be used").is_some()
    }
}

/// The answer to a question, as text.
pub(super) fn answer(system: &str, user: &str, slips: f64) -> String {
    let told = Told::read(user);
    let answer = if system.starts_with("You plan for an agent") {
        plan(&told, &mut Rng::new(number_of(user)), slips)
    } else if system.starts_with("You decompose a goal") {
        told.of("The goal").map(decomposed)
    } else if system.starts_with("You find out why") {
        cause(&told)
    } else if system.starts_with("You turn a success") {
        skill(&told)
    } else if system.starts_with("You explain to a planner") {
        Some(
            json!({"observed": "It failed.", "explanation": "It was not possible there.",
            "missing": [], "wrong_step": null}),
        )
    } else if system.starts_with("You condense records") {
        Some(json!({"summary": "It was tried.", "facts": []}))
    } else {
        Some(json!({"facts": [], "constraints": [], "next_actions": []}))
    };
    answer.map_or_else(|| "I was not told enough.".to_owned(), |a| a.to_string())
}

/// A number from the text, for the slips (FNV-1a).
fn number_of(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn item_and_count(item: &Value, count: &Value) -> Option<(String, u32)> {
    let count = u32::try_from(count.as_u64()?).ok()?;
    Some((item.as_str()?.to_owned(), count))
}

fn wanted(told: &Told) -> Option<(String, u32)> {
    if let Some(part) = told.of("Plan for this goal") {
        return item_and_count(&part["goal"]["object"], &part["goal"]["count"]);
    }
    let task = told.of("The task")?;
    item_and_count(&task["item"], &task["count"])
}

fn plan(told: &Told, rng: &mut Rng, slips: f64) -> Option<Value> {
    let (item, count) = wanted(told)?;
    let held = told.of("The state now")?["held"].as_object()?.iter();
    let held = held.filter_map(|(name, n)| item_and_count(&json!(name), n));
    let mut planner = Planner::holding(held.collect::<BTreeMap<_, _>>());
    planner.need(&item, count);
    // Whoever was corrected looks twice, and short plans are easy.
    let slips = match told.was_corrected() || planner.steps.len() <= 3 {
        true => 0.0,
        false => slips,
    };
    let last = planner.steps.len().saturating_sub(1);
    let mut steps: Vec<Value> = Vec::new();
    for (at, mut step) in planner.steps.into_iter().enumerate() {
        if at < last && rng.chance(slips) {
            continue; // left out
        }
        if at < last && step.total > 1 && rng.chance(slips) {
            step.total -= 1;
        }
        let mut goal = json!({"object": step.item, "count": step.total});
        if let Some(fuel) = step.fuel {
            goal["material"] = Value::from(fuel);
        }
        push(&mut steps, step.how, &goal);
    }
    Some(json!({"subgoals": steps}))
}

fn push(steps: &mut Vec<Value>, how: &str, goal: &Value) {
    let id = format!("sg_{:03}", steps.len() + 1);
    let mut step = json!({"subgoal_id": id, "executor_hint": how, "goal": goal});
    if let Some(last) = steps.last() {
        step["needs"] = json!([last["subgoal_id"]]);
    }
    steps.push(step);
}

fn cause(told: &Told) -> Option<Value> {
    let last = told.of("Its failed attempts")?.as_array()?.last()?;
    Some(json!({"root_cause": last["summary"], "constraint": null, "next_actions": []}))
}

/// All steps of the record; after a fault those that the program chose.
fn skill(told: &Told) -> Option<Value> {
    let draft = told.of("What the program made");
    if let (true, Some(draft)) = (told.was_corrected(), draft) {
        return Some(draft.clone());
    }
    let steps = told.of("The steps that were done")?.as_array()?;
    let ids: Vec<&Value> = steps.iter().map(|step| &step["subgoal_id"]).collect();
    Some(json!({"requires": "always", "steps": ids}))
}

/// The goal, and all below it that take anything, once each.
fn decomposed(goal: &Value) -> Value {
    let first = item_and_count(&goal["object"], &goal["count"]).unwrap_or_default();
    let mut open = VecDeque::from([first]);
    let (mut all, mut seen): (Vec<Value>, Vec<String>) = (Vec::new(), Vec::new());
    while let Some((item, count)) = open.pop_front() {
        if seen.contains(&item) {
            continue;
        }
        let (how, parts) = before(&item, count);
        let named = parts.iter().map(|(n, c)| json!({"object": n, "count": c}));
        let named: Vec<Value> = named.collect();
        if !named.is_empty() || all.is_empty() {
            let goal = json!({"object": item, "count": count, "info": how});
            all.push(json!({"goal": goal, "before": named}));
        }
        seen.push(item);
        open.extend(parts.into_iter().map(|(name, n)| (name.to_owned(), n)));
    }
    let mut answer = all.remove(0);
    answer["below"] = Value::from(all);
    answer
}
