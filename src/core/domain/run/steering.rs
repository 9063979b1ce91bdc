//! Steering: how an operator changes the course of a run that continues, without a question being asked.
//!
//! Each is recorded as it was given (`run.steered`), so that a replayed or resumed run takes the same course.

use crate::domain::mind::spending::money;
use crate::domain::run::budget::{Budget, Limits};
use crate::domain::run::command::Command;
use crate::domain::run::{saying, take_over};
use pithead_world::ids::SubgoalId;
use serde::{Deserialize, Serialize};

/// One change of course.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Steering {
    /// Another bound from now on.
    Limit(Limit),
    /// A node of the plan is tried next, whatever became of it.
    Retry(SubgoalId),
    /// An act that waits, or is under way, is not to be done.
    Withdraw(SubgoalId),
    /// The rest is planned anew, for this reason.
    Replan(String),
    /// The run is paused when the attempt under way has ended.
    PauseSoon,
}

/// A bound and its new value; none is without bound, or what the plan says.
/// Names and values are stored with the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// World ticks of the whole run.
    Ticks(u64),
    /// Questions to the mind.
    Calls(u64),
    Tokens(Option<u64>),
    /// Millionths.
    Money(Option<u64>),
    /// Attempts at one subgoal over all replans.
    Attempts(u32),
    /// World seconds of one attempt, in place of what the plan gives it.
    Seconds(Option<u32>),
}

/// Names of limits with an example each, for help and completion.
pub const LIMITS: [(&str, &str); 6] = [
    ("ticks 24000", "world ticks of the whole run"),
    ("calls 300", "questions to the mind, in the whole run"),
    (
        "tokens 500000",
        "tokens of language models; none is without bound",
    ),
    (
        "money 1.5",
        "money for language models; none is without bound",
    ),
    ("attempts 20", "attempts at one step, over all replans"),
    (
        "seconds 240",
        "world seconds of one attempt; none is what the plan says",
    ),
];

/// Longest time of one attempt: a whole day of the world and more.
const SECONDS_MAX: u32 = 86_400;
/// Longest reason.
/// Bytes; it goes into a prompt.
const REASON_MAX: usize = 500;

impl Limit {
    /// The bound from now on. What was granted until now stays granted.
    pub fn set(self, budget: &mut Budget, limits: &mut Limits, grants: &mut u32) {
        // The grants become part of the budget, so that "as much again" counts from the new
        // bound.
        *budget = budget.granted(std::mem::take(grants) + 1);
        match self {
            Self::Ticks(ticks) => budget.ticks = ticks,
            Self::Calls(calls) => budget.mind_calls = calls,
            Self::Tokens(tokens) => budget.tokens = tokens,
            Self::Money(micros) => budget.micros = micros,
            Self::Attempts(attempts) => limits.attempts_max = attempts,
            Self::Seconds(seconds) => limits.attempt_seconds = seconds,
        }
    }
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let or_none = |value: Option<String>| value.unwrap_or_else(|| "none".to_owned());
        match self {
            Self::Ticks(n) => write!(f, "ticks {n}"),
            Self::Calls(n) => write!(f, "calls {n}"),
            Self::Tokens(n) => write!(f, "tokens {}", or_none(n.map(|n| n.to_string()))),
            Self::Money(n) => write!(f, "money {}", or_none(n.map(money))),
            Self::Attempts(n) => write!(f, "attempts {n}"),
            Self::Seconds(n) => write!(f, "seconds {}", or_none(n.map(|n| n.to_string()))),
        }
    }
}

impl std::str::FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
        let value = value.trim().replace([',', '_'], "");
        let whole = || {
            let read = value.parse::<u64>();
            read.map_err(|_| {
                format!(
                    "`{name}` wants a whole number, for example {}",
                    example(name)
                )
            })
        };
        let small = || whole().map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        // `none` is accepted only where no limit makes sense.
        let is_none = value == "none";
        match name {
            "ticks" => whole().map(Self::Ticks),
            "calls" => whole().map(Self::Calls),
            "tokens" if is_none => Ok(Self::Tokens(None)),
            "tokens" => whole().map(|n| Self::Tokens(Some(n))),
            "money" if is_none => Ok(Self::Money(None)),
            "money" => micros(&value).map(|n| Self::Money(Some(n))),
            "attempts" => match small()? {
                // Zero attempts would end the run in a roundabout way.
                0 => Err("at least one attempt; `replan` or `abort` gives a step up".to_owned()),
                n => Ok(Self::Attempts(n)),
            },
            "seconds" if is_none => Ok(Self::Seconds(None)),
            "seconds" => match small()? {
                n @ 1..=SECONDS_MAX => Ok(Self::Seconds(Some(n))),
                _ => Err(format!("give 1 to {SECONDS_MAX} seconds")),
            },
            _ => {
                let names = LIMITS.map(|(example, _)| example).join(", ");
                Err(format!("`{text}` is no limit; write for example {names}"))
            }
        }
    }
}

fn example(name: &str) -> &'static str {
    // The table of help is also the source of the example.
    let known = LIMITS.iter().find(|(text, _)| text.starts_with(name));
    known.map_or("ticks 24000", |(text, _)| text)
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked to be of the range
fn micros(text: &str) -> Result<u64, String> {
    match text.parse::<f64>() {
        // Millionths, rounded: what is typed has few digits.
        Ok(money) if (0.0..1e12).contains(&money) => Ok((money * 1e6).round() as u64),
        _ => Err(format!("`{text}` is no amount of money, for example 1.5")),
    }
}

impl std::fmt::Display for Steering {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Limit(limit) => write!(f, "limit {limit}"),
            Self::Retry(id) => write!(f, "retry {id}"),
            Self::Withdraw(id) => write!(f, "withdraw {id}"),
            Self::Replan(reason) => write!(f, "replan {reason}"),
            Self::PauseSoon => f.write_str("pause soon"),
        }
    }
}

/// What a run can be told in words, each with what it does.
/// Help, completion and errors are made of this table.
pub const WORDS: [(&str, &str); 10] = [
    ("pause", "stop world time at once"),
    ("pause soon", "pause when the current attempt has ended"),
    ("resume", "continue"),
    (
        "limit LIMIT VALUE",
        "set a limit: ticks, calls, tokens, money, attempts, seconds",
    ),
    (
        "retry STEP",
        "try a step of the plan next, for example sg_9",
    ),
    (
        "withdraw STEP",
        "withdraw an operator action that waits or runs",
    ),
    (
        "replan REASON",
        "have the rest planned again; the mind gets the reason",
    ),
    (
        "act WORDS",
        "act for the agent, for example act mine oak_log 3",
    ),
    (
        "act say TEXT",
        "have the body say a line in the chat of its server; asks first",
    ),
    ("abort REASON", "end the run"),
];

/// Reads what an operator tells a run.
pub fn parse_steering(text: &str) -> Result<Command, String> {
    let text = text.trim();
    let (verb, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    let reason = || match rest.len() {
        0 => Err(format!("`{verb}` needs a reason; others will read it")),
        1..=REASON_MAX => Ok(rest.to_owned()),
        _ => Err(format!("give a reason of at most {REASON_MAX} bytes")),
    };
    let step = || {
        if rest.is_empty() {
            return Err(format!("`{verb}` needs a step, for example {verb} sg_9"));
        }
        let id = rest.parse::<SubgoalId>();
        id.map_err(|_| format!("`{rest}` is no step of a plan; steps read sg_9"))
    };
    let how = match (verb, rest) {
        ("pause", "") => return Ok(Command::Pause),
        ("pause", "soon") => Steering::PauseSoon,
        ("resume", "") => return Ok(Command::Resume),
        ("limit", _) => Steering::Limit(rest.parse()?),
        ("retry", _) => Steering::Retry(step()?),
        ("withdraw", _) => Steering::Withdraw(step()?),
        ("replan", _) => Steering::Replan(reason()?),
        ("act", _) => {
            if let Some(text) = saying::saying_in(rest) {
                return Ok(Command::Say { text: text? });
            }
            // Parsed once here so that a mistake is reported before anything is sent.
            take_over::parse_operator_action(rest).map_err(|fault| fault.to_string())?;
            let words = rest.to_owned();
            return Ok(Command::Act { words });
        }
        ("abort", _) => return Ok(Command::Abort { reason: reason()? }),
        _ => {
            let words = WORDS.map(|(words, _)| words).join(", ");
            return Err(format!(
                "`{text}` is no command for a run; the commands are {words}"
            ));
        }
    };
    Ok(Command::Steer { how })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_reads_as_it_is_written() {
        for text in [
            "limit ticks 24000",
            "limit calls 300",
            "limit tokens none",
            "limit money 1.50",
            "limit attempts 20",
            "limit seconds 240",
            "limit seconds none",
            "retry sg_9",
            "withdraw sg_12",
            "replan the cave is flooded",
            "pause soon",
        ] {
            let Ok(Command::Steer { how }) = parse_steering(text) else {
                panic!("{text}: {:?}", parse_steering(text))
            };
            assert_eq!(how.to_string(), text);
            let json = serde_json::to_string(&how).unwrap();
            assert_eq!(
                serde_json::from_str::<Steering>(&json).unwrap(),
                how,
                "{json}"
            );
        }
        assert_eq!(parse_steering(" pause "), Ok(Command::Pause));
        assert_eq!(
            parse_steering("limit ticks 24,000"),
            parse_steering("limit ticks 24000")
        );
    }

    #[test]
    fn what_cannot_be_told_is_answered_with_what_can() {
        for (text, word) in [
            ("", "pause soon"),
            ("dance", "replan REASON"),
            ("pause later", "pause soon"),
            ("limit", "ticks 24000"),
            ("limit ticks many", "whole number"),
            ("limit patience 3", "attempts 20"),
            ("limit attempts 0", "at least one"),
            ("limit seconds 0", "86400"),
            ("limit money -1", "1.5"),
            ("retry iron", "`iron` is no step of a plan"),
            ("withdraw", "`withdraw` needs a step"),
            ("replan", "reason"),
            ("abort", "reason"),
            ("act fly", "fly"),
        ] {
            let fault = parse_steering(text).unwrap_err();
            assert!(fault.contains(word), "{text}: {fault}");
        }
    }

    #[test]
    fn a_limit_stands_beside_what_was_granted() {
        let (mut budget, mut limits) = (Budget::default(), Limits::default());
        (budget.mind_calls, budget.tokens) = (10, Some(100));
        let mut grants = 2;
        Limit::Calls(40).set(&mut budget, &mut limits, &mut grants);
        assert_eq!(
            (budget.mind_calls, budget.tokens, grants),
            (40, Some(300), 0)
        );
        Limit::Attempts(3).set(&mut budget, &mut limits, &mut grants);
        assert_eq!((limits.attempts_max, budget.mind_calls), (3, 40));
    }
}
