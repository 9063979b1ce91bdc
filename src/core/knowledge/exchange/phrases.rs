//! Phrases: the few forms of words in other programs' knowledge that have one meaning here.
//!
//! Invariant: a phrase is understood wholly or not at all.

use crate::domain::condition::Condition;
use crate::domain::plan::json;
use crate::domain::plan::task::Task;
use crate::domain::plan::{Subgoal, TaskKind};
use pithead_world::family::ItemSpec;
use serde_json::json;

/// A step of a plan, with all that PlanJSON fills in.
/// Through the reader of plans, so that defaults and checks are those of any plan.
pub(super) fn step(kind: TaskKind, item: ItemSpec, count: u32, words: &str) -> Option<Subgoal> {
    let plan = json!({"subgoals": [{
        "task_kind": kind.name(), "condition": words, "goal": {"object": item, "count": count},
    }]});
    let (plan, _) = json::plan_from_value(&plan).ok()?;
    plan.subgoals.into_iter().next()
}

/// Words that begin what does not belong to a step's item.
/// The earliest of them cuts the text.
const TAILS: [&str; 8] = [
    " until ", " from ", " using ", " with ", " in ", " on ", " (", ",",
];

/// `craft oak_planks from oak_log (1 -> 4)` → to craft oak_planks.
pub(super) fn parse_step_words(words: &str) -> Option<(TaskKind, ItemSpec, u32)> {
    let words = words.trim();
    let cut = TAILS.iter().filter_map(|tail| words.find(tail)).min();
    let core = &words[..cut.unwrap_or(words.len())];
    let kind = match core.split_whitespace().next()?.to_lowercase().as_str() {
        "craft" | "make" => TaskKind::Craft,
        "smelt" | "cook" => TaskKind::Smelt,
        "mine" | "chop" | "collect" | "gather" | "dig" => TaskKind::Mine,
        _ => return None, // other verbs may mean several things
    };
    let task = Task::parse(core).ok()?;
    Some((kind, task.goal, task.count))
}

/// A state in words, such as `inventory has >= 2 stick` or `inventory missing crafting_table`.
pub(super) fn condition(words: &str) -> Option<Condition> {
    let lower = words.trim().trim_end_matches('.').to_lowercase();
    // Rewritten in the condition language and parsed by its own parser: one grammar, not
    // two.
    let text = if let Some(rest) = lower.strip_prefix("inventory has ") {
        held(rest)?
    } else if let Some(item) = lower.strip_prefix("inventory missing ") {
        format!("inv {} < 1", one_item(item)?)
    } else if let Some(item) = lower
        .strip_prefix("no ")
        .and_then(|rest| rest.strip_suffix(" in inventory"))
    {
        format!("inv {} < 1", one_item(item)?)
    } else if let Some(rest) = lower.strip_prefix("ypos ").or(lower.strip_prefix("y ")) {
        height(rest)?
    } else if lower.starts_with("health < ") || lower.starts_with("hunger < ") {
        lower
    } else {
        return None;
    };
    text.parse().ok()
}

fn held(rest: &str) -> Option<String> {
    if let Some(item) = rest.strip_prefix("no ") {
        return Some(format!("inv {} < 1", one_item(item)?));
    }
    let rest = rest.strip_prefix("at least ").or(rest.strip_prefix(">= "));
    let (count, item) = rest?.split_once(' ')?;
    let count: u32 = count.parse().ok()?;
    Some(format!("inv {} >= {count}", one_item(item)?))
}

fn height(rest: &str) -> Option<String> {
    let (sign, number) = rest.split_once(' ')?;
    let y: i32 = number.parse().ok()?;
    match sign {
        "<=" => Some(format!("y <= {y}")),
        ">=" => Some(format!("y >= {y}")),
        // Heights are whole blocks, so below y means at most y - 1.
        "<" => Some(format!("y <= {}", y.checked_sub(1)?)),
        ">" => Some(format!("y >= {}", y.checked_add(1)?)),
        _ => None,
    }
}

/// An item by its name; more words are more than an item.
/// Better not understood than understood as another item.
fn one_item(words: &str) -> Option<ItemSpec> {
    let name = words.trim();
    (!name.contains(' '))
        .then(|| crate::domain::plan::item_words::named(name).ok())
        .flatten()
}
