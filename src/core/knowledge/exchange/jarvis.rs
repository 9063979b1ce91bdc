//! JARVIS-1's `memory.json`: for each item a plan that led to it, and what was held at its start.
//!
//! A plan becomes a skill that requires what was held. A plan that names what this world does not have
//! becomes a note, so that nothing is lost and nothing is claimed.

use super::phrases::step;
use super::{Draft, EachDraft, ExchangeFormat, ImportSource, fault, json, too_many, typed};
use crate::domain::check::Check;
use crate::domain::condition::Condition;
use crate::domain::knowledge::{Body, Imported, Skill, TextNote};
use crate::domain::plan::item_words;
use crate::domain::plan::{Subgoal, TaskKind};
use pithead_world::family::ItemSpec;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Debug, Clone, Deserialize)]
struct Memory {
    #[serde(default)]
    status: String,
    #[serde(default)]
    init_inventory: BTreeMap<String, u32>,
    plan: Vec<Step>,
}

#[derive(Debug, Clone, Deserialize)]
struct Step {
    goal: BTreeMap<String, u32>,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    text: String,
}

pub(super) fn each_draft(source: &ImportSource) -> EachDraft {
    let Value::Object(memories) = json(source)? else {
        return Err(fault(source, "", "a memory is an object of plans by item"));
    };
    too_many(source, memories.len(), super::ENTRIES_MAX)?;
    let mut drafts = Vec::new();
    for (item, value) in &memories {
        // Some keep one plan for an item, some a list.
        let plans: Vec<(String, &Value)> = match value {
            Value::Array(plans) => {
                let each = plans.iter().enumerate();
                each.map(|(at, plan)| (format!("{item}[{at}]"), plan))
                    .collect()
            }
            one => vec![(item.clone(), one)],
        };
        for (at, value) in plans {
            match typed::<Memory>(value, &at, source) {
                Ok(memory) if memory.status.is_empty() || memory.status == "success" => {
                    drafts.push(Ok(draft(item, &memory, value, source)));
                }
                Ok(_) => (), // of a failure there is nothing to learn
                Err(fault) => drafts.push(Err(fault)),
            }
        }
    }
    Ok(drafts)
}

fn draft(item: &str, memory: &Memory, value: &Value, source: &ImportSource) -> Draft {
    let skill = skill(item, memory);
    let original = serde_json::to_string(value).ok();
    let (body, original) = match skill {
        Some(skill) => (Body::Skill(skill), None),
        None => (note(item, memory), original),
    };
    Draft {
        body,
        task: format!("obtain {item}"),
        imported: Imported {
            format: ExchangeFormat::Jarvis.name().to_owned(),
            source: source.name(),
            name: item.to_owned(),
            label: None,
            original,
        },
    }
}

/// None if a name in it means nothing here.
fn skill(item: &str, memory: &Memory) -> Option<Skill> {
    let goal = item_words::named(item).ok()?;
    let mut steps = Vec::new();
    for one in &memory.plan {
        steps.extend(subgoals(one)?);
    }
    let count = memory
        .plan
        .last()?
        .goal
        .get(item)
        .copied()
        .unwrap_or(1)
        .max(1);
    let mut held = Vec::new();
    for (name, count) in &memory.init_inventory {
        let item = item_words::named(name).ok()?;
        held.push(Condition::from(Check::InvGe {
            item,
            count: *count,
        }));
    }
    Some(Skill {
        goal,
        count,
        requires: Condition::All(held),
        steps: numbered(steps),
        success: vec![Check::InvGe { item: goal, count }],
        effects: BTreeMap::from([(goal, i64::from(count))]),
        flows: Vec::new(),
    })
}

fn subgoals(one: &Step) -> Option<Vec<Subgoal>> {
    let kind = TaskKind::ALL.into_iter().find(|k| k.name() == one.kind)?;
    let each = one.goal.iter().map(|(name, count)| {
        let item: ItemSpec = item_words::named(name).ok()?;
        step(kind, item, (*count).max(1), &words(one, name, *count))
    });
    each.collect()
}

fn words(one: &Step, name: &str, count: u32) -> String {
    let text = if one.text.is_empty() { name } else { &one.text };
    format!("{} {count} {text}", one.kind)
}

pub(super) fn numbered(mut steps: Vec<Subgoal>) -> Vec<Subgoal> {
    for (n, step) in (1..).zip(&mut steps) {
        step.id = pithead_world::ids::SubgoalId(n);
    }
    steps
}

fn note(item: &str, memory: &Memory) -> Body {
    let mut text = String::new();
    for (n, one) in (1..).zip(&memory.plan) {
        let goal: Vec<String> = one.goal.iter().map(|(i, n)| format!("{n} {i}")).collect();
        text += &format!("{n}. {} {}\n", one.kind, goal.join(", "));
    }
    Body::Note(TextNote {
        name: format!("plan for {item}"),
        about: format!("a plan that led to {item}; it names what this world does not have"),
        text,
        language: None,
    })
}
