//! Guidance: the answers of decomposer, explainer and summariser, validated as strictly as any other.
//!
//! Invariant: whatever the planner is shown later names only items that exist, and has a bounded length.

use super::{ReadAnswer, json_object, parse_typed, record_reading, shorten};
use crate::agent::names;
use crate::agent::turn::Turn;
use crate::domain::mind::ask::{Explanation, RunSummary, TakenApart};
use crate::domain::mind::reply;
use crate::domain::plan::Goal;
use crate::domain::plan::item_words;
use crate::domain::plan::task::COUNT_MAX;
use pithead_world::family::ItemSpec;
use pithead_world::ids::CallId;
use serde_json::Value;

/// Goals directly before one goal; no recipe has more than nine ingredients and a tool.
const BEFORE_MAX: usize = 16;
/// Goals further down that one answer takes apart.
const BELOW_MAX: usize = 32;
/// Remedies in one explanation.
const REMEDIES_MAX: usize = 16;
/// Facts in one summary.
const FACTS_MAX: usize = 16;

/// A goal taken apart, by one level or by all; the answer must be about the goal that was asked about, which comes first.
pub(in crate::agent) fn taken_apart_from_answer(
    turn: &mut Turn<'_>,
    call: CallId,
    text: &str,
    asked: &Goal,
) -> Option<Vec<TakenApart>> {
    record_reading(turn, call, parse_taken_apart(text, asked))
}

pub(super) fn parse_taken_apart(text: &str, asked: &Goal) -> ReadAnswer<Vec<TakenApart>> {
    let (reply, mut repairs) = json_object(text, reply::APART)?;
    repairs.extend(reply.repairs.descriptions());
    let own = reply.value.get("goal").unwrap_or(&Value::Null);
    let mut goal = Goal {
        material: optional_item(own, "material", &mut repairs),
        tool: optional_item(own, "tool", &mut repairs),
        info: optional_words(own, "info"),
        ..asked.clone()
    };
    // A goal cannot be its own material or tool.
    goal.material = goal.material.filter(|item| asked.object != Some(*item));
    goal.tool = goal.tool.filter(|item| asked.object != Some(*item));
    let before = goals_before(&reply.value, asked, &mut repairs)?;
    let mut all = vec![TakenApart { goal, before }];
    let below = goals_in(&reply.value, "below", BELOW_MAX)?;
    for (at, row) in below.iter().enumerate() {
        let place = |fault: String| format!("below[{at}].{fault}");
        let own = row.get("goal").unwrap_or(&Value::Null);
        let goal = parse_goal(own, &mut repairs).map_err(|fault| place(format!("goal.{fault}")))?;
        let before = goals_before(row, &goal, &mut repairs).map_err(place)?;
        // Said twice: the first counts.
        if all.iter().all(|known| known.goal.object != goal.object) {
            all.push(TakenApart { goal, before });
        }
    }
    if !below.is_empty() {
        add_leaves(&mut all);
    }
    Ok((all, repairs))
}

/// Goals that an answer over all levels names and does not take apart need nothing before them.
fn add_leaves(all: &mut Vec<TakenApart>) {
    let named: Vec<Goal> = all.iter().flat_map(|a| a.before.clone()).collect();
    for goal in named {
        if all.iter().all(|known| known.goal.object != goal.object) {
            let before = Vec::new();
            all.push(TakenApart { goal, before });
        }
    }
}

/// The rows of a list that may be left out.
fn goals_in<'a>(value: &'a Value, field: &str, most: usize) -> Result<&'a [Value], String> {
    let rows = match value.get(field) {
        None | Some(Value::Null) => return Ok(&[]),
        Some(Value::Array(rows)) => rows,
        Some(_) => return Err(format!("{field}: expected a list of goals")),
    };
    if rows.len() > most {
        return Err(format!(
            "{field}: {} goals, at most {most} are read",
            rows.len()
        ));
    }
    Ok(rows)
}

/// What is needed directly before a goal.
fn goals_before(
    value: &Value,
    goal: &Goal,
    repairs: &mut Vec<String>,
) -> Result<Vec<Goal>, String> {
    let mut goals = Vec::new();
    for (at, row) in goals_in(value, "before", BEFORE_MAX)?.iter().enumerate() {
        let part = parse_goal(row, repairs).map_err(|fault| format!("before[{at}].{fault}"))?;
        if part.object == goal.object {
            return Err(format!("before[{at}].object: the goal itself"));
        }
        goals.push(part);
    }
    Ok(goals)
}

fn parse_goal(row: &Value, repairs: &mut Vec<String>) -> Result<Goal, String> {
    let name = row.as_str().or_else(|| row.get("object")?.as_str());
    let name = name.ok_or("object: expected the name of an item")?;
    let object = item_named(name, repairs).ok_or_else(|| match item_words::named(name) {
        Err(unknown) => format!("object: {unknown}"),
        Ok(_) => "object: no item".to_owned(),
    })?;
    let count = match row.get("count") {
        None | Some(Value::Null) => Some(1),
        Some(count) => count.as_u64().and_then(|n| u32::try_from(n).ok()),
    };
    let count = count.filter(|n| (1..=COUNT_MAX).contains(n));
    Ok(Goal {
        object: Some(object),
        count: count
            .ok_or_else(|| format!("count: expected a whole number from 1 to {COUNT_MAX}"))?,
        material: optional_item(row, "material", repairs),
        tool: optional_item(row, "tool", repairs),
        amount: None,
        info: optional_words(row, "info"),
    })
}

fn item_named(name: &str, repairs: &mut Vec<String>) -> Option<ItemSpec> {
    if let Ok(item) = item_words::named(name) {
        return Some(item);
    }
    let (item, like) = names::nearest_item(name)?;
    repairs.push(format!("a name read as {item} (similarity {like:.2})"));
    Some(item)
}

/// Material and tool are only hints, so a word that is no item (`hand`, `none`) is dropped, not refused.
fn optional_item(goal: &Value, field: &str, repairs: &mut Vec<String>) -> Option<ItemSpec> {
    item_named(goal.get(field)?.as_str()?, repairs)
}

fn optional_words(goal: &Value, field: &str) -> Option<String> {
    let mut text = goal.get(field)?.as_str()?.trim().to_owned();
    shorten(&mut text);
    (!text.is_empty()).then_some(text)
}

/// Why a step kept failing.
pub(in crate::agent) fn explanation_from_answer(
    turn: &mut Turn<'_>,
    call: CallId,
    text: &str,
) -> Option<Explanation> {
    let read =
        parse_typed::<Explanation>(text, reply::EXPLANATION).and_then(|(mut said, repairs)| {
            if said.explanation.trim().is_empty() {
                return Err("explanation: expected a sentence, found nothing".to_owned());
            }
            shorten(&mut said.observed);
            shorten(&mut said.explanation);
            said.missing.truncate(REMEDIES_MAX);
            if let Some(step) = &mut said.wrong_step {
                shorten(step);
            }
            Ok((said, repairs))
        });
    record_reading(turn, call, read)
}

/// A summary whose facts cite attempts of this run; those that cite anything else are left out.
pub(in crate::agent) fn summary_from_answer(
    turn: &mut Turn<'_>,
    call: CallId,
    text: &str,
) -> Option<RunSummary> {
    let known: Vec<String> = turn
        .state()
        .summaries
        .iter()
        .map(|t| t.id.to_string())
        .collect();
    let read =
        parse_typed::<RunSummary>(text, reply::RECOUNT).and_then(|(mut said, mut repairs)| {
            if said.summary.trim().is_empty() {
                return Err("summary: expected a sentence, found nothing".to_owned());
            }
            shorten(&mut said.summary);
            let count = said.facts.len();
            for fact in &mut said.facts {
                shorten(&mut fact.text);
                fact.src.retain(|source| known.contains(source));
            }
            said.facts
                .retain(|fact| !fact.src.is_empty() && !fact.text.is_empty());
            said.facts.truncate(FACTS_MAX);
            if said.facts.len() < count {
                let lost = count - said.facts.len();
                repairs.push(format!("{lost} statements without a known source left out"));
            }
            Ok((said, repairs))
        });
    record_reading(turn, call, read)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::domain::samples::item as named;

    pub(in crate::agent::reading) fn asked() -> Goal {
        Goal {
            object: Some(named("stone_pickaxe")),
            count: 1,
            material: None,
            tool: None,
            amount: None,
            info: None,
        }
    }

    #[test]
    fn a_goal_is_read_with_misspelt_items_corrected_and_words_that_are_no_items_dropped() {
        let text = "Sure!\n```json\n{\"goal\":{\"object\":\"stone_pickaxe\",\"tool\":\"crafting table\",\"material\":\"hand\"},\
            \"before\":[{\"object\":\"wood\",\"count\":2},{\"object\":\"cobblestonee\",\"count\":3},\"stick\"]}\n```";
        let (all, repairs) = parse_taken_apart(text, &asked()).unwrap();
        let [apart] = &all[..] else { panic!("{all:?}") };
        assert_eq!(apart.goal.tool, Some(named("crafting_table")));
        assert_eq!(apart.goal.material, None);
        let names: Vec<String> = apart
            .before
            .iter()
            .map(|g| format!("{} {}", g.count, g.object.unwrap()))
            .collect();
        assert_eq!(names, ["2 #logs", "3 cobblestone", "1 stick"]);
        assert!(
            repairs.iter().any(|t| t.contains("cobblestone")),
            "{repairs:?}"
        );
    }

    #[test]
    fn an_answer_over_all_levels_leaves_no_goal_to_be_asked_about() {
        let text = r##"{"goal":{"object":"stone_pickaxe"},"before":[{"object":"cobblestone","count":3},{"object":"stick","count":2}],
            "below":[{"goal":{"object":"cobblestone","count":3,"tool":"wooden_pickaxe"},"before":["wooden_pickaxe"]},
                {"goal":{"object":"stick","count":4},"before":[{"object":"#planks","count":2}]},
                {"goal":{"object":"stick","count":9},"before":[]}]}"##;
        let (all, _) = parse_taken_apart(text, &asked()).unwrap();
        let told: Vec<String> = all
            .iter()
            .map(|a| format!("{}: {}", a.goal.object.unwrap(), a.before.len()))
            .collect();
        assert_eq!(
            told,
            [
                "stone_pickaxe: 2",
                "cobblestone: 1",
                "stick: 1",
                "wooden_pickaxe: 0",
                "#planks: 0"
            ]
        );
        let one_level =
            r#"{"goal":{"object":"stone_pickaxe"},"before":["cobblestone"],"below":[]}"#;
        assert_eq!(parse_taken_apart(one_level, &asked()).unwrap().0.len(), 1);
        let text =
            r#"{"goal":{},"before":[],"below":[{"goal":{"object":"stick"},"before":["stick"]}]}"#;
        let found = parse_taken_apart(text, &asked()).unwrap_err();
        assert!(found.starts_with("below[0].before[0].object: "), "{found}");
    }

    #[test]
    fn a_fault_in_a_goal_is_reported_with_its_path() {
        for (before, fault) in [
            (
                "[{\"object\":\"mystic orb\"}]",
                "before[0].object: `mystic orb`",
            ),
            ("[{\"object\":\"stick\",\"count\":0}]", "before[0].count"),
            (
                "[{\"object\":\"stick\",\"count\":\"NaN\"}]",
                "before[0].count",
            ),
            ("[{\"object\":\"stone_pickaxe\"}]", "the goal itself"),
            ("\"stick\"", "before: expected a list"),
            ("[7]", "before[0].object"),
        ] {
            let text = format!("{{\"goal\":{{}},\"before\":{before}}}");
            let found = parse_taken_apart(&text, &asked()).unwrap_err();
            assert!(found.contains(fault), "{found}");
        }
        for text in ["", "no", "[]", "{\"item\":\"stick\"}", "<think>hm"] {
            assert!(parse_taken_apart(text, &asked()).is_err(), "{text}");
        }
    }
}
