//! Goals: what a person asks for in free words, as a task with checks.
//!
//! Exact words and aliases first, then names almost right, then a language model if one is the mind.
//! However it was understood beyond the plain reading stands in the task's note, which the run keeps.

use crate::agent::names;
use crate::app::{Fault, err};
use crate::config::minds;
use crate::domain::ask::{Ask, GoalAsk};
use crate::domain::item_words;
use crate::domain::reply;
use crate::domain::task::{COUNT_MAX, Task, TaskError};
use crate::mind::Mind;
use crate::mind::spec::MindSpec;
use crate::systems;
use serde_json::Value;

/// Answers that may be useless before the words are given up.
const TRIES_MAX: usize = 3;
/// Letters of the words that a model is asked about.
const WORDS_MAX: usize = 500;

/// The task that the words ask for; how it was understood is told.
pub(super) fn task(words: &str, mind: &str, seed: u64) -> Result<Task, Fault> {
    let task = read(words, mind, seed)?;
    if let Some(note) = &task.note {
        err(crate::headless::clean_lines(&format!("pithead: {note}")).trim_end());
    }
    Ok(task)
}

/// The task that the words ask for, without a word on the terminal.
pub(super) fn read(words: &str, mind: &str, seed: u64) -> Result<Task, Fault> {
    match names::task(words) {
        Ok(task) => Ok(task),
        Err(error) => match (minds::spec(mind), &error) {
            (
                Ok(MindSpec::Llm(_)),
                TaskError::UnknownItem { .. }
                | TaskError::NoItem { .. }
                | TaskError::NotAnItem { .. },
            ) => {
                let mut mind =
                    minds::mind(mind, seed, systems::DEFAULT, None).map_err(Fault::unavailable)?;
                asked(words, &error, mind.as_mut())
            }
            _ => Err(Fault::usage(error)),
        },
    }
}

/// What the model takes the words for.
fn asked(words: &str, error: &TaskError, mind: &mut dyn Mind) -> Result<Task, Fault> {
    let near = match error {
        TaskError::UnknownItem { nearest, .. } => {
            nearest.iter().map(|name| (*name).to_owned()).collect()
        }
        _ => Vec::new(), // the others name no item at all
    };
    let mut ask = GoalAsk {
        words: words.chars().take(WORDS_MAX).collect(),
        near,
        faults: Vec::new(),
    };
    for _ in 0..TRIES_MAX {
        let answer = mind
            .answer(&Ask::Goal(ask.clone()))
            .map_err(Fault::unavailable)?;
        match understood(&answer) {
            Ok(Goal::Item(item, count, because)) => {
                let note = format!("read by {} as {count} {item}: {because}", mind.name());
                return Ok(Task {
                    text: words.trim().to_owned(),
                    note: Some(note),
                    ..Task::to_have(item, count)
                });
            }
            Ok(Goal::Impossible(because)) => {
                return Err(Fault::usage(format!(
                    "{error}; {} says: {because}",
                    mind.name()
                )));
            }
            Err(fault) => ask.faults.push(fault),
        }
    }
    let faults = ask.faults.join("; ");
    Err(Fault::usage(format!(
        "{error}; {} gave no readable answer: {faults}",
        mind.name()
    )))
}

enum Goal {
    Item(crate::world::family::ItemSpec, u32, String),
    Impossible(String),
}

fn understood(answer: &str) -> Result<Goal, String> {
    let reply = reply::read(answer, reply::GOAL).map_err(|fault| fault.to_string())?;
    let text = |name| {
        reply
            .value
            .get(name)
            .and_then(Value::as_str)
            .filter(|text| !text.trim().is_empty())
    };
    let Some(name) = text("item") else {
        let because =
            text("impossible").ok_or("item: expected the name of an item, found nothing")?;
        return Ok(Goal::Impossible(because.to_owned()));
    };
    let item = match item_words::named(name) {
        Ok(item) => item,
        Err(unknown) => names::nearest(name)
            .map(|(item, _)| item)
            .ok_or(unknown.to_string())?,
    };
    let count = reply.value.get("count").filter(|count| !count.is_null());
    let count = count
        .map_or(Some(1), Value::as_u64)
        .and_then(|n| u32::try_from(n).ok());
    let count = count.filter(|n| (1..=COUNT_MAX).contains(n));
    let count =
        count.ok_or_else(|| format!("count: expected a whole number from 1 to {COUNT_MAX}"))?;
    Ok(Goal::Item(
        item,
        count,
        text("because").unwrap_or("").to_owned(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(words: &str, item: &str, count: u32, note: bool) {
        let task = task(words, "builtin:expert", 1).unwrap();
        assert_eq!(
            (task.goal.to_string().as_str(), task.count),
            (item, count),
            "{words}"
        );
        assert_eq!(task.note.is_some(), note, "{words}: {:?}", task.note);
    }

    #[test]
    fn names_are_read_exactly_then_by_alias_then_by_likeness() {
        check("wood", "#logs", 1, false);
        check("oak wood", "oak_wood", 1, false);
        check("minecraft:oak_log", "oak_log", 1, false);
        check("Iron Pickaxe x2", "iron_pickaxe", 2, false);
        check("any log", "#logs", 1, false);
        check("get 3 craftingtables", "crafting_table", 3, true);
        check("craft an iron pickaxee", "iron_pickaxe", 1, true);
    }

    #[test]
    fn what_is_in_doubt_is_refused_with_the_nearest() {
        for words in [
            "craft a pickaxe",
            "get a mystic orb",
            "craft an iron pickaks",
        ] {
            assert!(task(words, "builtin:expert", 1).is_err(), "{words}");
        }
    }

    /// A mind with answers of its own.
    struct Says(Vec<&'static str>);

    impl Mind for Says {
        fn name(&self) -> String {
            "llm:test".to_owned()
        }

        fn answer(&mut self, _: &Ask) -> Result<String, String> {
            Ok(self.0.remove(0).to_owned())
        }
    }

    #[test]
    fn a_model_reads_free_words_and_is_asked_again_when_it_talks_nonsense() {
        let error = Task::parse("melt ore for me please").unwrap_err();
        let mut mind = Says(vec![
            "Hm.",
            "{\"item\":\"moon\"}",
            "```json\n{\"item\":\"furnace\",\"count\":1,\"because\":\"it melts\"}\n```",
        ]);
        let task = asked("melt ore for me please", &error, &mut mind).unwrap();
        assert_eq!(task.goal.to_string(), "furnace");
        assert_eq!(
            task.note.as_deref(),
            Some("read by llm:test as 1 furnace: it melts")
        );
        let mut mind = Says(vec!["{\"impossible\":\"melting is no item\"}"]);
        let fault = asked("melt", &error, &mut mind).unwrap_err();
        assert!(fault.text.contains("melting is no item"), "{fault}");
        let mut mind = Says(vec!["a", "b", "c"]);
        assert!(asked("melt", &error, &mut mind).is_err());
    }
}
