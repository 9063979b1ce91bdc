//! Goals in free words, understood as tasks with checks.
//!
//! Exact names and aliases first, then near names, then a language model if one is the mind.
//! Invariant: an interpretation beyond the plain reading is noted in the task, which the run keeps.

use crate::config::{ConfigError, blueprints, minds};
use crate::mind::spec::MindSpec;
use crate::mind::watch::Watch;
use crate::mind::{Mind, MindQuestion};
use pithead_core::agent::names;
use pithead_core::domain::mind::ask::{Ask, GoalAsk};
use pithead_core::domain::mind::reply;
use pithead_core::domain::mind::spending::Allowance;
use pithead_core::domain::plan::building;
use pithead_core::domain::plan::item_words;
use pithead_core::domain::plan::task::{COUNT_MAX, Task, TaskError};
use pithead_core::domain::run::budget::Budget;
use pithead_core::domain::run::event::Event;
use pithead_core::text::numbers::count_with_noun;
use pithead_world::clock::Clock;
use pithead_world::ids::CallId;
use serde_json::Value;

/// Unreadable answers before the words are rejected: a model that fails three times rarely recovers.
const TRIES_MAX: usize = 3;
/// Characters of the words that a model gets: a goal is a sentence, not a text.
const WORDS_MAX: usize = 500;

/// Why words gave no task.
#[derive(Debug, thiserror::Error)]
pub enum GoalError {
    /// The words name no task, as far as anybody could read them.
    #[error("{0}")]
    Unclear(String),
    /// The mind that should read them gave no answer, or may not be asked again.
    #[error("{0}")]
    NoAnswer(String),
    #[error(transparent)]
    Mind(#[from] ConfigError),
}

/// A task, and the conversation with a mind about it: the first events of its run.
#[derive(Debug)]
pub struct Understood {
    pub task: Task,
    pub events: Vec<Event>,
}

/// The task that the words ask for. `reader` is asked where the plain reading fails and the mind can read: a
/// language model, or the recording of one.
pub fn task_from_words(
    words: &str,
    mind: &str,
    budget: Budget,
    reader: impl FnOnce() -> Result<Box<dyn Mind>, ConfigError>,
) -> Result<Understood, GoalError> {
    match plain_task(words)? {
        Ok(task) => Ok(Understood {
            task,
            events: Vec::new(),
        }),
        Err(error) => match (minds::parse_mind(mind), &error) {
            (
                // Only these can read words: a simulated planner knows names alone.
                Ok(MindSpec::Llm(_) | MindSpec::Recorded(_) | MindSpec::Cassette(_)),
                TaskError::UnknownItem { .. }
                | TaskError::NoItem { .. }
                | TaskError::NotAnItem { .. },
            ) => {
                let mut conversation = Conversation {
                    mind: reader()?,
                    budget,
                    events: Vec::new(),
                };
                let task = task_from_model(words, &error, &mut conversation)?;
                Ok(Understood {
                    task,
                    events: conversation.events,
                })
            }
            _ => Err(GoalError::Unclear(error.to_string())),
        },
    }
}

/// The task that the words name plainly: an item, or a building by a blueprint of the program or of the operator. The
/// outer error is a blueprint that is there and cannot be read.
pub fn plain_task(words: &str) -> Result<Result<Task, TaskError>, GoalError> {
    let own = match building::named_building(words) {
        Some(name) => blueprints::own_blueprint(&name)
            .map_err(|error| GoalError::Unclear(error.to_string()))?,
        None => None,
    };
    Ok(match own {
        Some(own) => building::parse(words, &[own])
            .and_then(|task| task.map_or_else(|| names::task_from_words(words), Ok)),
        None => names::task_from_words(words),
    })
}

/// Questions to a mind before there is a run, kept as the events that its journal will begin with.
struct Conversation {
    mind: Box<dyn Mind>,
    /// The run's own budget: the reading is a part of it.
    budget: Budget,
    events: Vec<Event>,
}

impl Conversation {
    /// Puts one question, within what the run may spend.
    fn ask(&mut self, ask: Ask) -> Result<String, GoalError> {
        let (clock, call) = (Clock::System, CallId(self.calls() + 1));
        let began = clock.now();
        if call.0 > self.budget.mind_calls {
            let calls = self.budget.mind_calls;
            return Err(GoalError::NoAnswer(format!(
                "the budget of {} is spent",
                count_with_noun(calls, "call to the mind", "calls to the mind")
            )));
        }
        let reply = self.mind.think(&MindQuestion {
            call,
            ask: &ask,
            picture: None,
            allowance: self.allowance(),
            watch: &Watch::new(),
        });
        let ask = Box::new(ask);
        self.events.push(Event::MindAsked { call, ask });
        if let Some(spent) = reply.spent {
            self.events.push(Event::MindCharged { call, spent });
        }
        // The cost stands before this can fail: a silence may have cost too.
        let text = reply
            .result
            .map_err(|silence| GoalError::NoAnswer(silence.because().to_owned()))?;
        let ms = clock.now().since(began);
        self.events.push(Event::MindAnswered {
            call,
            text: text.clone(),
            ms,
        });
        Ok(text)
    }

    fn calls(&self) -> u64 {
        let asked = |event: &&Event| matches!(event, Event::MindAsked { .. });
        self.events.iter().filter(asked).count() as u64
    }

    fn allowance(&self) -> Allowance {
        let spent = self.events.iter().filter_map(|event| match event {
            Event::MindCharged { spent, .. } => Some(spent),
            _ => None, // nothing else costs
        });
        let (tokens, micros) = spent.fold((0_u64, 0_u64), |(tokens, micros), spent| {
            let all = spent.tokens_in.saturating_add(spent.tokens_out);
            (
                tokens.saturating_add(all),
                micros.saturating_add(spent.micros.unwrap_or(0)),
            )
        });
        Allowance {
            tokens: self.budget.tokens.map(|all| all.saturating_sub(tokens)),
            micros: self.budget.micros.map(|all| all.saturating_sub(micros)),
        }
    }

    /// Records that the last answer was not readable.
    fn reject(&mut self, fault: &str) {
        let (call, fault) = (CallId(self.calls()), fault.to_owned());
        self.events.push(Event::AnswerRejected { call, fault });
    }
}

/// The task that a model reads from the words.
fn task_from_model(
    words: &str,
    error: &TaskError,
    conversation: &mut Conversation,
) -> Result<Task, GoalError> {
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
        let answer = conversation.ask(Ask::Goal(ask.clone()))?;
        match parse_answer(&answer) {
            Ok(Goal::Item(item, count, because)) => {
                let note = format!(
                    "read by {} as {count} {item}: {because}",
                    conversation.mind.name()
                );
                return Ok(Task {
                    text: words.trim().to_owned(),
                    note: Some(note),
                    ..Task::to_have(item, count)
                });
            }
            Ok(Goal::Impossible(because)) => {
                return Err(GoalError::Unclear(format!(
                    "{error}; {} says: {because}",
                    conversation.mind.name()
                )));
            }
            Err(fault) => {
                conversation.reject(&fault);
                // Asked again with all faults so far.
                ask.faults.push(fault);
            }
        }
    }
    let faults = ask.faults.join("; ");
    Err(GoalError::Unclear(format!(
        "{error}; {} gave no readable answer: {faults}",
        conversation.mind.name()
    )))
}

enum Goal {
    Item(pithead_world::family::ItemSpec, u32, String),
    Impossible(String),
}

fn parse_answer(answer: &str) -> Result<Goal, String> {
    let reply = reply::read_reply(answer, reply::GOAL).map_err(|fault| fault.to_string())?;
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
        // A slip in a name is mended as in plans.
        Err(unknown) => names::nearest_item(name)
            .map(|(item, _)| item)
            .ok_or(unknown.to_string())?,
    };
    let count = reply.value.get("count").filter(|count| !count.is_null());
    let count = count
        // One, if nothing is said.
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

    fn plainly(words: &str) -> Result<Understood, GoalError> {
        task_from_words(words, "builtin:expert", Budget::default(), || {
            panic!("the simulated planner reads no words")
        })
    }

    #[track_caller]
    fn check(words: &str, item: &str, count: u32, note: bool) {
        let task = plainly(words).unwrap().task;
        assert_eq!(
            (task.goal.to_string().as_str(), task.count),
            (item, count),
            "{words}"
        );
        assert_eq!(task.note.is_some(), note, "{words}: {:?}", task.note);
    }

    #[test]
    fn names_are_matched_exactly_then_by_alias_then_by_similarity() {
        check("wood", "#logs", 1, false);
        check("oak wood", "oak_wood", 1, false);
        check("minecraft:oak_log", "oak_log", 1, false);
        check("Iron Pickaxe x2", "iron_pickaxe", 2, false);
        check("any log", "#logs", 1, false);
        check("get 3 craftingtables", "crafting_table", 3, true);
        check("craft an iron pickaxee", "iron_pickaxe", 1, true);
    }

    #[test]
    fn doubtful_words_are_refused_with_near_names() {
        for words in [
            "craft a pickaxe",
            "get a mystic orb",
            "craft an iron pickaks",
        ] {
            assert!(plainly(words).is_err(), "{words}");
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
    fn a_model_reads_free_words_and_is_asked_again_after_an_unreadable_answer() {
        let error = Task::parse("melt ore for me please").unwrap_err();
        let mut conversation = says(vec![
            "Hm.",
            "{\"item\":\"moon\"}",
            "```json\n{\"item\":\"furnace\",\"count\":1,\"because\":\"it melts\"}\n```",
        ]);
        let task = task_from_model("melt ore for me please", &error, &mut conversation).unwrap();
        assert_eq!(task.goal.to_string(), "furnace");
        assert_eq!(
            task.note.as_deref(),
            Some("read by llm:test as 1 furnace: it melts")
        );
        let kinds: Vec<&str> = conversation
            .events
            .iter()
            .map(crate::journal::kind)
            .collect();
        let useless = ["mind.asked", "mind.answered", "mind.rejected"];
        let expected = [&useless[..], &useless[..], &useless[..2]].concat();
        assert_eq!(
            kinds, expected,
            "the whole conversation goes into the journal"
        );
        let mut conversation = says(vec!["{\"impossible\":\"melting is no item\"}"]);
        let fault = task_from_model("melt", &error, &mut conversation).unwrap_err();
        assert!(fault.to_string().contains("melting is no item"), "{fault}");
        let mut conversation = says(vec!["a", "b", "c"]);
        assert!(task_from_model("melt", &error, &mut conversation).is_err());
    }

    fn says(answers: Vec<&'static str>) -> Conversation {
        Conversation {
            mind: Box::new(Says(answers)),
            budget: Budget::default(),
            events: Vec::new(),
        }
    }
}
