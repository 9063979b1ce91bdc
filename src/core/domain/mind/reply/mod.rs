//! Replies: the JSON object that a free-form answer of a model holds, read leniently.
//!
//! Only what has one reading is repaired, and every repair is reported; validating what was read is
//! the business of whoever asked. Invariant: any text gives a value or a fault, never a panic.

mod coerce;
mod find;
mod lenient;
mod shorthand;
mod steps;
#[cfg(test)]
mod tests;
mod wrapping;

pub use coerce::plan as coerce_plan;

use serde_json::Value;
use std::collections::BTreeMap;

/// Longer answers are refused before they are looked at.
pub const TEXT_MAX: usize = 1024 * 1024;
/// Characters of an answer that a fault quotes.
pub(super) const QUOTED_MAX: usize = 60;

/// What the asker looks for.
#[derive(Debug, Clone, Copy)]
pub struct ReplyShape {
    /// For example `a plan`.
    pub what: &'static str,
    /// One of these keys tells the object wanted from others.
    pub keys: &'static [&'static str],
    /// A bare list stands for the list under this key.
    pub list: Option<&'static str>,
}

/// A plan.
pub const PLAN: ReplyShape = ReplyShape {
    what: "a plan",
    keys: &["subgoals", "steps", "impossible"],
    list: Some("subgoals"),
};
/// A capsule.
pub const CAPSULE: ReplyShape = ReplyShape {
    what: "a capsule",
    keys: &["facts", "constraints", "next_actions"],
    list: None,
};
/// A lesson.
pub const LESSON: ReplyShape = ReplyShape {
    what: "a lesson",
    keys: &["root_cause"],
    list: None,
};
/// A goal.
pub const GOAL: ReplyShape = ReplyShape {
    what: "a goal",
    keys: &["item", "impossible"],
    list: None,
};

/// A goal taken apart.
pub const APART: ReplyShape = ReplyShape {
    what: "a goal taken apart",
    keys: &["before"],
    list: Some("before"),
};
/// An explanation.
pub const EXPLANATION: ReplyShape = ReplyShape {
    what: "an explanation",
    keys: &["explanation"],
    list: None,
};
/// A summary of a run.
pub const RECOUNT: ReplyShape = ReplyShape {
    what: "a summary",
    keys: &["summary"],
    list: None,
};

/// A skill.
pub const SKILL: ReplyShape = ReplyShape {
    what: "a skill",
    keys: &["steps"],
    list: None,
};
/// A reference plan.
pub const REFERENCE: ReplyShape = ReplyShape {
    what: "a reference plan",
    keys: &["steps"],
    list: Some("steps"),
};
/// A guardrail.
pub const GUARDRAIL: ReplyShape = ReplyShape {
    what: "a guardrail",
    keys: &["forbid"],
    list: None,
};
/// Rules.
pub const RULES: ReplyShape = ReplyShape {
    what: "a list of rules",
    keys: &["rules"],
    list: Some("rules"),
};
/// The scores of rules.
pub const SCORES: ReplyShape = ReplyShape {
    what: "scores",
    keys: &["scores"],
    list: Some("scores"),
};
/// Judgements on steps.
pub const JUDGED: ReplyShape = ReplyShape {
    what: "judgements",
    keys: &["judged"],
    list: Some("judged"),
};
/// A look back.
pub const REFLECTION: ReplyShape = ReplyShape {
    what: "a look back",
    keys: &["deadlock"],
    list: None,
};

/// Why an answer could not be read; it goes back to the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplyFault {
    #[error("the answer is empty; answer with one JSON object")]
    Empty,
    #[error("the answer has {0} bytes, at most {TEXT_MAX} are read")]
    TooLong(usize),
    #[error("the answer holds reasoning and nothing after it; answer with one JSON object")]
    OnlyReasoning,
    #[error("the answer declines the question (`{0}`); answer with one JSON object")]
    Refusal(String),
    #[error("the answer holds no JSON object, it begins with `{0}`; answer with one JSON object")]
    NoObject(String),
    #[error(
        "the answer holds {count} different JSON objects that could be {what}; answer with one"
    )]
    Several { count: usize, what: &'static str },
    #[error("the answer's JSON object is not {what}: it has none of the keys {}", .keys.join(", "))]
    Foreign {
        what: &'static str,
        keys: &'static [&'static str],
    },
    #[error("line {line} column {column}: {because}")]
    Syntax {
        line: usize,
        column: usize,
        because: String,
    },
}

/// A value, and what was done to the text to get it.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedReply {
    pub value: Value,
    pub repairs: Repairs,
}

/// Kinds of repair and how often each was made.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Repairs(BTreeMap<&'static str, u32>);

impl Repairs {
    fn note(&mut self, what: &'static str) {
        *self.0.entry(what).or_default() += 1;
    }

    fn merge(&mut self, other: Self) {
        for (what, times) in other.0 {
            *self.0.entry(what).or_default() += times;
        }
    }

    /// In words.
    #[must_use]
    pub fn descriptions(&self) -> Vec<String> {
        let tell = |(what, times): (&&'static str, &u32)| match times {
            1 => (*what).to_owned(),
            times => format!("{what} ({times} times)"),
        };
        self.0.iter().map(tell).collect()
    }
}

/// Finds and reads the object that is wanted.
pub fn read_reply(text: &str, wanted: ReplyShape) -> Result<ParsedReply, ReplyFault> {
    if text.len() > TEXT_MAX {
        return Err(ReplyFault::TooLong(text.len()));
    }
    let mut repairs = Repairs::default();
    let body = find::without_reasoning(text, &mut repairs)?;
    let value = find::object(body, wanted, &mut repairs)?;
    Ok(ParsedReply { value, repairs })
}

/// The ids of a plan's subgoals as its author wrote them, in order; empty if the text is no plan.
#[must_use]
pub fn ids_as_written(text: &str) -> Vec<String> {
    let Ok(reply) = read_reply(text, PLAN) else {
        return Vec::new();
    };
    let rows = ["subgoals", "steps"]
        .iter()
        .find_map(|key| reply.value.get(*key)?.as_array());
    let id = |row: &Value| {
        let id = row.get("subgoal_id").or_else(|| row.get("id"));
        id.map_or(String::new(), |id| {
            id.as_str().map_or(id.to_string(), str::to_owned)
        })
    };
    rows.into_iter().flatten().map(id).collect()
}
