//! Tasks: what is to be achieved, as the operator said it and as checks that decide.
//!
//! Success is decided by the checks with exact items and counts, never by the words.

use crate::domain::check::Check;
use crate::domain::condition::situation::Situation;
use crate::domain::plan::{building, item_words, task_list};
use crate::text::nearest::did_you_mean;
use pithead_world::blueprint::{Blueprint, BlueprintName};
use pithead_world::family::ItemSpec;
use pithead_world::naming::UnknownName;
use serde::{Deserialize, Serialize};

/// One task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// The words of the operator, for people and for language models.
    pub text: String,
    /// What is wanted, and how many; of a task with several goals the first.
    pub goal: ItemSpec,
    pub count: u32,
    /// All of these must be true for success, or one of them, see `any`.
    pub success: Vec<Check>,
    /// The checks are alternatives (`beef or mutton`).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub any: bool,
    /// How the words were understood, where that was not plain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The operator's own blueprints that its checks name; those of the program are known by their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blueprints: Vec<Blueprint>,
}

/// Nobody carries more: 36 slots of 64.
pub const COUNT_MAX: u32 = 2304;

/// Why words are not a task.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TaskError {
    #[error("the task is empty; say for example `craft an iron pickaxe`")]
    Empty,
    #[error("the task has {bytes} bytes; it may have {TASK_BYTES_MAX}")]
    TooLong { bytes: usize },
    #[error("`{what}` in the task is not understood as an item{}", did_you_mean(.nearest))]
    UnknownItem {
        what: String,
        nearest: Vec<&'static str>,
    },
    #[error("no item is named in `{text}`; say for example `craft an iron pickaxe`")]
    NoItem { text: String },
    #[error(
        "`{verb}` is not a task on its own: a task is an item to obtain; name it, for example `kill a cow for leather`"
    )]
    NotAnItem { verb: String },
    #[error("`{given}` is no count from 1 to {COUNT_MAX}")]
    Count { given: String },
    #[error("`{text}` mixes `and` with `or`; a task asks for all of its things or for one of them")]
    Mixed { text: String },
    #[error(transparent)]
    UnknownBlueprint(#[from] UnknownName),
    #[error("the task names {goals} things; it may name {GOALS_MAX}")]
    TooMany { goals: usize },
}

/// Things that one task may ask for: each is a goal of the plan, and few runs have time for more.
pub const GOALS_MAX: usize = 8;

/// Longest task, in bytes. It stands in every question to the mind, in every row of a list and in each
/// entry that the run leaves; the longest one of the published suites has 60.
pub const TASK_BYTES_MAX: usize = 1024;

/// Verbs of getting something; they do not change what is checked.
pub(super) const VERBS: [&str; 22] = [
    "craft", "make", "obtain", "get", "mine", "collect", "gather", "smelt", "cook", "find",
    "harvest", "chop", "cut", "dig", "acquire", "fetch", "bring", "build", "have", "pick",
    "produce", "forge",
];

/// Verbs of doing something that is not had afterwards.
const DEEDS: [&str; 12] = [
    "kill", "hunt", "fight", "trade", "shear", "go", "walk", "explore", "sleep", "survive", "wash",
    "repair",
];

/// Words before the item that say nothing about it.
pub(super) const FILLERS: [&str; 15] = [
    "a", "an", "the", "some", "any", "me", "us", "up", "down", "new", "more", "please", "of", "i",
    "my",
];

/// Words that begin what is not part of the item's name.
const TAILS: [&str; 10] = [
    "with", "using", "by", "from", "near", "at", "in", "on", "out", "please",
];

const NUMBERS: [&str; 13] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
];

impl Task {
    /// Reads what an operator types: `craft an iron pickaxe`, `get 5 logs`, `iron_pickaxe x2`.
    pub fn parse(text: &str) -> Result<Self, TaskError> {
        Self::parse_by(text, |_| None)
    }

    /// As `parse`; `near` may say what words mean that name no item, and why.
    pub fn parse_by(
        text: &str,
        near: impl Fn(&str) -> Option<(ItemSpec, String)>,
    ) -> Result<Self, TaskError> {
        let text = text.trim();
        if text.len() > TASK_BYTES_MAX {
            return Err(TaskError::TooLong { bytes: text.len() });
        }
        if let Some(task) = building::parse(text, &[])? {
            return Ok(task);
        }
        if let Some(list) = task_list::parse(text)? {
            return Ok(Self {
                text: text.to_owned(),
                ..Self::to_have_several(&list.goals, list.any)
            });
        }
        let lower = plain(text);
        let (count, name) = count_and_name(&object_words(&lower)?)?;
        if name.is_empty() {
            return Err(TaskError::NoItem {
                text: text.to_owned(),
            });
        }
        let (goal, note) = match item_words::named(&name) {
            Ok(goal) => (goal, None),
            Err(unknown) => {
                let (goal, note) = near(&name).ok_or(TaskError::UnknownItem {
                    what: name,
                    nearest: unknown.nearest,
                })?;
                (goal, Some(note))
            }
        };
        Ok(Self {
            text: text.to_owned(),
            note,
            ..Self::to_have(goal, count)
        })
    }

    /// To hold this many of the item.
    #[must_use]
    pub fn to_have(goal: ItemSpec, count: u32) -> Self {
        let text = format!("obtain {count} {goal}");
        Self {
            text,
            goal,
            count,
            success: vec![Check::InvGe { item: goal, count }],
            any: false,
            note: None,
            blueprints: Vec::new(),
        }
    }

    /// To hold so many of each of these items, or with `any` of one of them.
    ///
    /// # Panics
    /// Without any goal.
    #[must_use]
    pub fn to_have_several(goals: &[(ItemSpec, u32)], any: bool) -> Self {
        let (goal, count) = goals[0];
        let words: Vec<String> = goals.iter().map(|(i, n)| format!("{n} {i}")).collect();
        let checks = goals.iter();
        let checks = checks.map(|(item, count)| Check::InvGe {
            item: *item,
            count: *count,
        });
        Self {
            text: format!("obtain {}", words.join(if any { " or " } else { " and " })),
            goal,
            count,
            success: checks.collect(),
            any,
            note: None,
            blueprints: Vec::new(),
        }
    }

    /// The blueprint of that name, as far as this task knows it.
    #[must_use]
    pub fn blueprint(&self, name: &BlueprintName) -> Option<&Blueprint> {
        Blueprint::named(name, &self.blueprints)
    }

    /// Whether the task is done as things stand; what is unknown is not done.
    #[must_use]
    pub fn is_done(&self, now: &Situation<'_>) -> bool {
        let mut checks = self.success.iter();
        let holds = |check: &Check| check.truth(now).is_true();
        if self.any {
            checks.any(holds)
        } else {
            checks.all(holds)
        }
    }

    /// Whether it asks for more than one thing, so that no single way leads to it.
    #[must_use]
    pub fn has_several_goals(&self) -> bool {
        self.success.iter().any(|check| match check {
            Check::InvGe { item, .. }
            | Check::InvDeltaGe { item, .. }
            | Check::CraftedGe { item, .. } => *item != self.goal,
            _ => false,
        })
    }
}

/// In small letters, without marks.
pub(super) fn plain(text: &str) -> String {
    text.to_lowercase()
        .replace(['.', '!', '?', ',', '"', '\''], " ")
}

/// One thing and its count, as words name it exactly; none if they do not.
pub(super) fn one_goal(text: &str) -> Option<(ItemSpec, u32)> {
    let lower = plain(text);
    let (count, name) = count_and_name(&object_words(&lower).ok()?).ok()?;
    Some((item_words::named(&name).ok()?, count))
}

/// The words that name the item and its count.
fn object_words(text: &str) -> Result<Vec<&str>, TaskError> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    while words.first().is_some_and(|word| FILLERS.contains(word)) {
        words.remove(0);
    }
    let Some(first) = words.first().copied() else {
        return Err(TaskError::Empty);
    };
    if DEEDS.contains(&first) {
        // Of `kill a cow for leather` the leather is what the body holds afterwards.
        let purpose = words.iter().position(|word| *word == "for");
        let at = purpose.ok_or_else(|| TaskError::NotAnItem {
            verb: first.to_owned(),
        })?;
        words.drain(..=at);
    } else if words.len() > 1 && VERBS.contains(&first) {
        words.remove(0);
    }
    // Of `dig down and mine iron ore` the last part says what is wanted.
    if let Some(at) = words
        .windows(2)
        .rposition(|pair| pair[0] == "and" && VERBS.contains(&pair[1]))
    {
        words.drain(..at + 2);
    }
    if let Some(at) = words.iter().position(|word| TAILS.contains(word)) {
        words.truncate(at);
    }
    Ok(words)
}

fn count_and_name(words: &[&str]) -> Result<(u32, String), TaskError> {
    let mut count = None;
    let mut name: Vec<&str> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let is_edge = name.is_empty() || at + 1 == words.len();
        match number(word)? {
            Some(found) if count.is_none() && is_edge => count = Some(found),
            Some(_) => {
                return Err(TaskError::Count {
                    given: (*word).to_owned(),
                });
            }
            None if name.is_empty() && FILLERS.contains(word) => {}
            None => name.push(word),
        }
    }
    Ok((count.unwrap_or(1), name.join(" ")))
}

/// `3`, `x3`, `3x`, `three` or `dozen`; none if the word is no number.
fn number(word: &str) -> Result<Option<u32>, TaskError> {
    let digits = word
        .trim_start_matches(['x', '×'])
        .trim_end_matches(['x', '×']);
    let value = match word {
        "dozen" => Some(12),
        "couple" | "pair" => Some(2),
        "stack" => Some(64),
        _ => NUMBERS
            .iter()
            .position(|known| *known == word)
            .map(|at| at as u32),
    };
    let value = match value {
        Some(value) => value,
        None if digits.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
            digits.parse().unwrap_or(0)
        }
        None => return Ok(None),
    };
    if (1..=COUNT_MAX).contains(&value) {
        Ok(Some(value))
    } else {
        Err(TaskError::Count {
            given: word.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, goal: &str, count: u32) {
        let task = Task::parse(text).unwrap();
        let spec: ItemSpec = goal.parse().unwrap();
        assert_eq!(
            (task.goal, task.count, task.text.as_str()),
            (spec, count, text.trim())
        );
        assert_eq!(task.success, [Check::InvGe { item: spec, count }]);
    }

    #[test]
    fn a_task_has_a_bound() {
        let text = format!("craft a torch {}", "please ".repeat(200));
        assert!(matches!(Task::parse(&text), Err(TaskError::TooLong { .. })));
    }

    #[test]
    fn what_people_type_is_understood() {
        for (text, goal, count) in [
            ("craft an iron pickaxe", "iron_pickaxe", 1),
            ("obtain a diamond", "diamond", 1),
            ("mine 3 iron ore", "iron_ore", 3),
            ("get 5 logs", "#logs", 5),
            ("collect wood", "#logs", 1),
            ("Mine three iron ores.", "iron_ore", 3),
            ("iron_pickaxe x2", "iron_pickaxe", 2),
            ("2x torch", "torch", 2),
            ("minecraft:oak_log", "oak_log", 1),
            ("make a bucket", "bucket", 1),
            ("smelt 3 iron ingots", "iron_ingot", 3),
            ("please make me a dozen torches", "torch", 12),
            ("pick up some sticks", "stick", 1),
            ("get a stack of cobblestone", "cobblestone", 64),
            ("dig down and mine diamond", "diamond", 1),
            ("mine redstone with iron pickaxe", "redstone", 1),
            ("kill cow for leather", "leather", 1),
            ("  craft flint and steel ", "flint_and_steel", 1),
            ("craft oak plank", "oak_planks", 1),
            ("wooden pick", "wooden_pickaxe", 1),
        ] {
            check(text, goal, count);
        }
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for (text, fault) in [
            (
                "",
                "the task is empty; say for example `craft an iron pickaxe`",
            ),
            (
                "craft an iron pickax",
                "`iron pickax` in the task is not understood as an item; did you mean iron_pickaxe?",
            ),
            ("mine 0 coal", "`0` is no count from 1 to 2304"),
            (
                "mine 99999999999 coal",
                "`99999999999` is no count from 1 to 2304",
            ),
            (
                "get 3",
                "no item is named in `get 3`; say for example `craft an iron pickaxe`",
            ),
        ] {
            assert_eq!(Task::parse(text).unwrap_err().to_string(), fault);
        }
        assert!(
            matches!(Task::parse("kill a cow"), Err(TaskError::NotAnItem { verb }) if verb == "kill")
        );
        let Err(TaskError::UnknownItem { what, nearest }) = Task::parse("craft a pickaxe") else {
            panic!("a pickaxe of what?")
        };
        assert_eq!((what.as_str(), nearest.len()), ("pickaxe", 3));
    }
}
