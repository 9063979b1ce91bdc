//! Breakpoints: what makes a run, or the playing of its recording, stop and wait for the operator.
//!
//! They name things by what they are and never by their place in a plan, so they survive replans. The
//! text form is the stored form. When an event meets one, `breakpoint_match` says.

use crate::domain::condition::Condition;
use crate::domain::experience::diagnosis::FailureReason;
use crate::text::glob::Glob;
use crate::text::nearest::nearest_names;
use pithead_world::ids::KnowledgeId;
use pithead_world::naming::UnknownName;
use serde::{Deserialize, Serialize};

/// Breakpoints of one run; each is looked at for each event.
/// Every event is compared with each, so their number is bounded.
pub const BREAKPOINTS_MAX: usize = 64;

/// A phase of the loop, as something to stop at its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoopPhase {
    Recall,
    Decompose,
    Plan,
    Verify,
    Gate,
    Select,
    Execute,
    Diagnose,
    Replan,
    Distil,
}

impl LoopPhase {
    pub const ALL: [Self; 10] = [
        Self::Recall,
        Self::Decompose,
        Self::Plan,
        Self::Verify,
        Self::Gate,
        Self::Select,
        Self::Execute,
        Self::Diagnose,
        Self::Replan,
        Self::Distil,
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Recall => "recall",
            Self::Decompose => "decompose",
            Self::Plan => "plan",
            Self::Verify => "verify",
            Self::Gate => "gate",
            Self::Select => "select",
            Self::Execute => "execute",
            Self::Diagnose => "diagnose",
            Self::Replan => "replan",
            Self::Distil => "distill",
        }
    }
}

/// What to stop at.
#[derive(Debug, Clone)]
pub enum BreakOn {
    Phase(LoopPhase),
    /// An attempt at a subgoal whose words fit the pattern (`mine *iron*`).
    Subgoal(Glob),
    /// An attempt fails for the reason.
    Reason(FailureReason),
    /// A guardrail keeps something from being planned or run; any, or the one named.
    Guardrail(Option<KnowledgeId>),
    /// The condition becomes true.
    Check(Condition),
    /// World time reaches the tick.
    Tick(u64),
}

// Globs and conditions have no equality of their own; their text decides.
impl PartialEq for BreakOn {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

/// A breakpoint; one that is off stays in the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Breakpoint {
    pub on: BreakOn,
    /// Off is stored, so that a breakpoint can be switched on again without typing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub off: bool,
}

/// Why a text is no breakpoint.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BadBreakpoint {
    #[error(
        "`{given}` is no breakpoint; write phase NAME, subgoal PATTERN, reason NAME, guardrail [ID], check CONDITION or tick N"
    )]
    Kind { given: String },
    #[error(transparent)]
    Name(#[from] UnknownName),
    #[error("`{given}` is no {wanted}: {because}")]
    Value {
        wanted: &'static str,
        given: String,
        because: String,
    },
}

impl std::fmt::Display for BreakOn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Phase(stage) => write!(f, "phase {}", stage.name()),
            Self::Subgoal(pattern) => write!(f, "subgoal {pattern}"),
            Self::Reason(reason) => write!(f, "reason {}", reason.name()),
            Self::Guardrail(None) => f.write_str("guardrail"),
            Self::Guardrail(Some(id)) => write!(f, "guardrail {id}"),
            Self::Check(condition) => write!(f, "check {condition}"),
            Self::Tick(tick) => write!(f, "tick {tick}"),
        }
    }
}

impl std::str::FromStr for BreakOn {
    type Err = BadBreakpoint;

    fn from_str(text: &str) -> Result<Self, BadBreakpoint> {
        let text = text.trim();
        let (kind, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        let value = |wanted, because: String| BadBreakpoint::Value {
            wanted,
            given: rest.to_owned(),
            because,
        };
        let unknown = |what, names: Vec<&'static str>| UnknownName {
            what,
            given: rest.to_owned(),
            nearest: nearest_names(rest, names.into_iter()),
        };
        match kind {
            "phase" => {
                let named = LoopPhase::ALL
                    .into_iter()
                    .find(|stage| stage.name() == rest);
                let names = || LoopPhase::ALL.map(LoopPhase::name).to_vec();
                Ok(Self::Phase(named.ok_or_else(|| unknown("phase", names()))?))
            }
            "subgoal" => {
                let pattern = rest
                    .parse()
                    .map_err(|because| value("pattern of subgoals", because))?;
                Ok(Self::Subgoal(pattern))
            }
            "reason" => {
                let names = FailureReason::ALL.map(FailureReason::name).join(", ");
                let named = FailureReason::named(rest);
                let because = || value("failure reason", format!("there are {names}"));
                Ok(Self::Reason(named.ok_or_else(because)?))
            }
            "guardrail" if rest.is_empty() => Ok(Self::Guardrail(None)),
            "guardrail" => {
                let id = rest.parse().map_err(|because| value("entry", because))?;
                Ok(Self::Guardrail(Some(id)))
            }
            "check" => {
                let condition = rest.parse().map_err(
                    |fault: crate::domain::condition::text::ConditionError| {
                        value("condition", fault.to_string())
                    },
                )?;
                Ok(Self::Check(condition))
            }
            "tick" => {
                // Numbers are typed as they are shown.
                let digits = rest.replace([',', '_'], "");
                let tick = digits
                    .parse()
                    .map_err(|_| value("tick", "it is a whole number of ticks".to_owned()))?;
                Ok(Self::Tick(tick))
            }
            _ => Err(BadBreakpoint::Kind {
                given: text.to_owned(),
            }),
        }
    }
}

impl Serialize for BreakOn {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for BreakOn {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

impl Breakpoint {
    #[must_use]
    pub fn new(on: BreakOn) -> Self {
        Self { on, off: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_breakpoint_reads_as_it_is_written() {
        for text in [
            "phase plan",
            "phase distill",
            "subgoal mine *iron*",
            "reason NAV_STUCK",
            "guardrail",
            "guardrail k1.2",
            "check inv iron_ore >= 3 and underground",
            "tick 3400",
        ] {
            let read: BreakOn = text.parse().unwrap();
            let again: BreakOn = read.to_string().parse().unwrap();
            assert_eq!(read, again, "{text}");
            let json = serde_json::to_string(&Breakpoint::new(read.clone())).unwrap();
            assert_eq!(
                serde_json::from_str::<Breakpoint>(&json).unwrap().on,
                read,
                "{json}"
            );
        }
    }

    #[test]
    fn a_bad_breakpoint_says_what_would_do() {
        for (text, told) in [
            ("", "phase NAME"),
            ("when it rains", "check CONDITION"),
            ("phase plam", "plan"),
            ("reason NAV_STUK", "NAV_STUCK"),
            ("subgoal", "1 to 200"),
            ("subgoal [", "pattern"),
            ("tick soon", "whole number"),
            ("check inv", "condition"),
            ("guardrail 7", "entry"),
        ] {
            let error = text.parse::<BreakOn>().unwrap_err().to_string();
            assert!(error.contains(told), "{text}: {error}");
        }
    }
}
