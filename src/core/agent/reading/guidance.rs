//! Guidance: reading what decomposer, explainer and summariser said, as strictly as any answer.
//!
//! Invariant: what is shown to the planner later names items that exist and is of bounded length.

use super::{Read, cut, object, settled, typed};
use crate::agent::names;
use crate::agent::turn::Turn;
use crate::domain::mind::ask::{Explanation, Recount, TakenApart};
use crate::domain::mind::reply;
use crate::domain::plan::Goal;
use crate::domain::plan::item_words;
use crate::domain::plan::task::COUNT_MAX;
use pithead_world::family::ItemSpec;
use pithead_world::ids::CallId;
use serde_json::Value;

/// Goals directly before one goal.
const BEFORE_MAX: usize = 16;
/// Remedies in one explanation.
const REMEDIES_MAX: usize = 16;
/// Facts in one summary.
const FACTS_MAX: usize = 16;

/// A goal taken apart; the answer must be about the goal that was asked about.
pub(in crate::agent) fn apart(
    turn: &mut Turn<'_>,
    call: CallId,
    text: &str,
    asked: &Goal,
) -> Option<TakenApart> {
    settled(turn, call, read_apart(text, asked))
}

fn read_apart(text: &str, asked: &Goal) -> Read<TakenApart> {
    let (reply, mut told) = object(text, reply::APART)?;
    told.extend(reply.repairs.told());
    let own = reply.value.get("goal").unwrap_or(&Value::Null);
    let mut goal = Goal {
        material: detail(own, "material", &mut told),
        tool: detail(own, "tool", &mut told),
        info: words(own, "info"),
        ..asked.clone()
    };
    // A goal cannot be its own material or tool.
    goal.material = goal.material.filter(|item| asked.object != Some(*item));
    goal.tool = goal.tool.filter(|item| asked.object != Some(*item));
    let before = match reply.value.get("before") {
        None | Some(Value::Null) => &Vec::new(),
        Some(Value::Array(rows)) => rows,
        Some(_) => return Err("before: expected a list of goals".to_owned()),
    };
    if before.len() > BEFORE_MAX {
        return Err(format!(
            "before: {} goals, at most {BEFORE_MAX} are read",
            before.len()
        ));
    }
    let mut goals = Vec::new();
    for (at, row) in before.iter().enumerate() {
        let part = goal_of(row, &mut told).map_err(|fault| format!("before[{at}].{fault}"))?;
        if part.object == asked.object {
            return Err(format!("before[{at}].object: the goal itself"));
        }
        goals.push(part);
    }
    let apart = TakenApart {
        goal,
        before: goals,
    };
    Ok((apart, told))
}

fn goal_of(row: &Value, told: &mut Vec<String>) -> Result<Goal, String> {
    let name = row.as_str().or_else(|| row.get("object")?.as_str());
    let name = name.ok_or("object: expected the name of an item")?;
    let object = item(name, told).ok_or_else(|| match item_words::named(name) {
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
        material: detail(row, "material", told),
        tool: detail(row, "tool", told),
        amount: None,
        info: words(row, "info"),
    })
}

fn item(name: &str, told: &mut Vec<String>) -> Option<ItemSpec> {
    if let Ok(item) = item_words::named(name) {
        return Some(item);
    }
    let (item, like) = names::nearest(name)?;
    told.push(format!("a name taken for {item} (likeness {like:.2})"));
    Some(item)
}

/// Material and tool only help; what is no item (`hand`, `none`) is left out.
fn detail(goal: &Value, field: &str, told: &mut Vec<String>) -> Option<ItemSpec> {
    item(goal.get(field)?.as_str()?, told)
}

fn words(goal: &Value, field: &str) -> Option<String> {
    let mut text = goal.get(field)?.as_str()?.trim().to_owned();
    cut(&mut text);
    (!text.is_empty()).then_some(text)
}

/// Why a step kept failing.
pub(in crate::agent) fn explanation(
    turn: &mut Turn<'_>,
    call: CallId,
    text: &str,
) -> Option<Explanation> {
    let read = typed::<Explanation>(text, reply::EXPLANATION).and_then(|(mut said, told)| {
        if said.explanation.trim().is_empty() {
            return Err("explanation: expected a sentence, found nothing".to_owned());
        }
        cut(&mut said.observed);
        cut(&mut said.explanation);
        said.missing.truncate(REMEDIES_MAX);
        if let Some(step) = &mut said.wrong_step {
            cut(step);
        }
        Ok((said, told))
    });
    settled(turn, call, read)
}

/// A summary whose facts cite attempts of this run; those that cite anything else are left out.
pub(in crate::agent) fn recount(turn: &mut Turn<'_>, call: CallId, text: &str) -> Option<Recount> {
    let known: Vec<String> = turn.state().told.iter().map(|t| t.id.to_string()).collect();
    let read = typed::<Recount>(text, reply::RECOUNT).and_then(|(mut said, mut told)| {
        if said.summary.trim().is_empty() {
            return Err("summary: expected a sentence, found nothing".to_owned());
        }
        cut(&mut said.summary);
        let count = said.facts.len();
        for fact in &mut said.facts {
            cut(&mut fact.text);
            fact.src.retain(|source| known.contains(source));
        }
        said.facts
            .retain(|fact| !fact.src.is_empty() && !fact.text.is_empty());
        said.facts.truncate(FACTS_MAX);
        if said.facts.len() < count {
            let lost = count - said.facts.len();
            told.push(format!("{lost} statements without a known source left out"));
        }
        Ok((said, told))
    });
    settled(turn, call, read)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::samples::item as named;

    fn asked() -> Goal {
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
    fn a_goal_is_read_with_near_names_and_without_tools_that_are_none() {
        let text = "Sure!\n```json\n{\"goal\":{\"object\":\"stone_pickaxe\",\"tool\":\"crafting table\",\"material\":\"hand\"},\
            \"before\":[{\"object\":\"wood\",\"count\":2},{\"object\":\"cobblestonee\",\"count\":3},\"stick\"]}\n```";
        let (apart, told) = read_apart(text, &asked()).unwrap();
        assert_eq!(apart.goal.tool, Some(named("crafting_table")));
        assert_eq!(apart.goal.material, None);
        let names: Vec<String> = apart
            .before
            .iter()
            .map(|g| format!("{} {}", g.count, g.object.unwrap()))
            .collect();
        assert_eq!(names, ["2 #logs", "3 cobblestone", "1 stick"]);
        assert!(told.iter().any(|t| t.contains("cobblestone")), "{told:?}");
    }

    #[test]
    fn what_cannot_be_a_goal_is_told_with_its_place() {
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
            let found = read_apart(&text, &asked()).unwrap_err();
            assert!(found.contains(fault), "{found}");
        }
        for text in ["", "no", "[]", "{\"item\":\"stick\"}", "<think>hm"] {
            assert!(read_apart(text, &asked()).is_err(), "{text}");
        }
    }
}
