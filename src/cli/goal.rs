//! Goals: what a person asks for in free words, as a task with checks.
//!
//! Exact words and aliases first, then names almost right, then a language model if one is the mind.
//! However it was understood beyond the plain reading stands in the task's note, which the run keeps.

use crate::cli::outcome::CommandError;
use crate::cli::output::print_stderr;
use crate::config::minds;
use pithead_core::agent::names;
use pithead_core::domain::mind::ask::{Ask, GoalAsk};
use pithead_core::domain::mind::reply;
use pithead_core::domain::mind::spending::Allowance;
use pithead_core::domain::plan::item_words;
use pithead_core::domain::plan::task::{COUNT_MAX, Task, TaskError};
use pithead_core::domain::run::budget::Budget;
use pithead_core::domain::run::event::Event;
use pithead_engine::mind::spec::MindSpec;
use pithead_engine::mind::watch::Watch;
use pithead_engine::mind::{Mind, MindQuestion};
use pithead_world::clock::Clock;
use pithead_world::ids::CallId;
use serde_json::Value;

/// Answers that may be useless before the words are given up.
const TRIES_MAX: usize = 3;
/// Letters of the words that a model is asked about.
const WORDS_MAX: usize = 500;

/// A task, and what was said about it with a mind: the first events of its run.
#[derive(Debug)]
pub(super) struct Understood {
    pub(super) task: Task,
    pub(super) talk: Vec<Event>,
}

/// The task that the words ask for; how it was understood is told. `reader` is asked where the plain reading
/// does not do and the mind is one that reads: a language model, or the recording of one.
pub(super) fn task(
    words: &str,
    mind: &str,
    budget: Budget,
    reader: impl FnOnce() -> Result<Box<dyn Mind>, CommandError>,
) -> Result<Understood, CommandError> {
    let understood = read(words, mind, budget, reader)?;
    if let Some(note) = &understood.task.note {
        print_stderr(
            pithead_core::text::clean::clean_lines(&format!("pithead: {note}")).trim_end(),
        );
    }
    Ok(understood)
}

/// The same without a word on the terminal.
pub(super) fn read(
    words: &str,
    mind: &str,
    budget: Budget,
    reader: impl FnOnce() -> Result<Box<dyn Mind>, CommandError>,
) -> Result<Understood, CommandError> {
    match names::task_from_words(words) {
        Ok(task) => Ok(Understood {
            task,
            talk: Vec::new(),
        }),
        Err(error) => match (minds::spec(mind), &error) {
            (
                Ok(MindSpec::Llm(_) | MindSpec::Recorded(_) | MindSpec::Cassette(_)),
                TaskError::UnknownItem { .. }
                | TaskError::NoItem { .. }
                | TaskError::NotAnItem { .. },
            ) => {
                let mut conversation = Conversation {
                    mind: reader()?,
                    budget,
                    talk: Vec::new(),
                };
                let task = asked(words, &error, &mut conversation)?;
                Ok(Understood {
                    task,
                    talk: conversation.talk,
                })
            }
            _ => Err(CommandError::usage(error)),
        },
    }
}

/// Questions to a mind before there is a run, kept as the events that its journal will begin with.
struct Conversation {
    mind: Box<dyn Mind>,
    budget: Budget,
    talk: Vec<Event>,
}

impl Conversation {
    /// Puts one question, within what the run may spend.
    fn ask(&mut self, ask: Ask) -> Result<String, CommandError> {
        let (clock, call) = (Clock::System, CallId(self.calls() + 1));
        let began = clock.now();
        if call.0 > self.budget.mind_calls {
            let calls = self.budget.mind_calls;
            return Err(CommandError::unavailable(format!(
                "the budget of {calls} questions to the mind is spent"
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
        self.talk.push(Event::MindAsked { call, ask });
        if let Some(spent) = reply.spent {
            self.talk.push(Event::MindCharged { call, spent });
        }
        let text = reply
            .result
            .map_err(|silence| CommandError::unavailable(silence.because()))?;
        let ms = clock.now().since(began);
        self.talk.push(Event::MindAnswered {
            call,
            text: text.clone(),
            ms,
        });
        Ok(text)
    }

    fn calls(&self) -> u64 {
        let asked = |event: &&Event| matches!(event, Event::MindAsked { .. });
        self.talk.iter().filter(asked).count() as u64
    }

    fn allowance(&self) -> Allowance {
        let spent = self.talk.iter().filter_map(|event| match event {
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

    /// The last answer was no use.
    fn reject(&mut self, fault: &str) {
        let (call, fault) = (CallId(self.calls()), fault.to_owned());
        self.talk.push(Event::AnswerRejected { call, fault });
    }
}

/// What the model takes the words for.
fn asked(words: &str, error: &TaskError, talk: &mut Conversation) -> Result<Task, CommandError> {
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
        let answer = talk.ask(Ask::Goal(ask.clone()))?;
        match understood(&answer) {
            Ok(Goal::Item(item, count, because)) => {
                let note = format!("read by {} as {count} {item}: {because}", talk.mind.name());
                return Ok(Task {
                    text: words.trim().to_owned(),
                    note: Some(note),
                    ..Task::to_have(item, count)
                });
            }
            Ok(Goal::Impossible(because)) => {
                return Err(CommandError::usage(format!(
                    "{error}; {} says: {because}",
                    talk.mind.name()
                )));
            }
            Err(fault) => {
                talk.reject(&fault);
                ask.faults.push(fault);
            }
        }
    }
    let faults = ask.faults.join("; ");
    Err(CommandError::usage(format!(
        "{error}; {} gave no readable answer: {faults}",
        talk.mind.name()
    )))
}

enum Goal {
    Item(pithead_world::family::ItemSpec, u32, String),
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
        Err(unknown) => names::nearest_item(name)
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

    fn plainly(words: &str) -> Result<Understood, CommandError> {
        task(words, "builtin:expert", Budget::default(), || {
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
    fn a_model_reads_free_words_and_is_asked_again_when_it_talks_nonsense() {
        let error = Task::parse("melt ore for me please").unwrap_err();
        let mut talk = says(vec![
            "Hm.",
            "{\"item\":\"moon\"}",
            "```json\n{\"item\":\"furnace\",\"count\":1,\"because\":\"it melts\"}\n```",
        ]);
        let task = asked("melt ore for me please", &error, &mut talk).unwrap();
        assert_eq!(task.goal.to_string(), "furnace");
        assert_eq!(
            task.note.as_deref(),
            Some("read by llm:test as 1 furnace: it melts")
        );
        let kinds: Vec<&str> = talk
            .talk
            .iter()
            .map(pithead_engine::journal::kind)
            .collect();
        let useless = ["mind.asked", "mind.answered", "mind.rejected"];
        let expected = [&useless[..], &useless[..], &useless[..2]].concat();
        assert_eq!(kinds, expected, "all of it is for the journal");
        let mut talk = says(vec!["{\"impossible\":\"melting is no item\"}"]);
        let fault = asked("melt", &error, &mut talk).unwrap_err();
        assert!(fault.to_string().contains("melting is no item"), "{fault}");
        let mut talk = says(vec!["a", "b", "c"]);
        assert!(asked("melt", &error, &mut talk).is_err());
    }

    fn says(answers: Vec<&'static str>) -> Conversation {
        Conversation {
            mind: Box::new(Says(answers)),
            budget: Budget::default(),
            talk: Vec::new(),
        }
    }
}
