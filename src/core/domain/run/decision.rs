//! Decisions: what the operator is asked, by which policy, and what was answered.
//!
//! A question has a stable id and is answered exactly once; the answer is durable before it is
//! acknowledged.

use crate::domain::knowledge::Body;
use crate::domain::plan::Plan;
use crate::domain::run::outcome::Outcome;
use pithead_world::clock::Millis;
use pithead_world::ids::{DecisionId, KnowledgeId, Revision, SubgoalId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a gate stands before.
/// The names are stored and typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateKind {
    Plan,
    Replan,
    Skill,
    Guardrail,
    Rule,
    ReferencePlan,
    RiskyAction,
    TaskEnd,
    /// Spending more on the mind than was allowed. Its `auto` ends the run: nobody grants money by
    /// not being asked.
    Budget,
}

impl GateKind {
    pub const ALL: [Self; 9] = [
        Self::Plan,
        Self::Replan,
        Self::Skill,
        Self::Guardrail,
        Self::Rule,
        Self::ReferencePlan,
        Self::RiskyAction,
        Self::TaskEnd,
        Self::Budget,
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::Replan => "replan",
            Self::Skill => "skill",
            Self::Guardrail => "guardrail",
            Self::Rule => "rule",
            Self::ReferencePlan => "reference_plan",
            Self::RiskyAction => "risky_action",
            Self::TaskEnd => "task_end",
            Self::Budget => "budget",
        }
    }

    /// True if the run waits for the answer. Knowledge waits in the inbox without blocking.
    /// Entries act on later runs, so nothing is lost by waiting; the others decide what
    /// this run does next.
    #[must_use]
    pub fn blocks_run(self) -> bool {
        match self {
            Self::Plan | Self::Replan | Self::RiskyAction | Self::TaskEnd | Self::Budget => true,
            Self::Skill | Self::Guardrail | Self::Rule | Self::ReferencePlan => false,
        }
    }
}

/// When the operator is asked. Text forms: `auto`, `ask`, `ask:60:approve`, `ask:60:veto`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// Approved without asking.
    Auto,
    /// Waits for ever.
    Ask,
    /// Waits so many seconds, then answers by itself.
    /// From the question on, or from when it was last released.
    AskFor { seconds: u32, then: Fallback },
}

/// The answer on time-out.
/// What silence means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fallback {
    Approve,
    Veto,
}

impl Policy {
    /// When a question asked now answers by itself, if it does.
    #[must_use]
    pub fn deadline(self, now: Millis) -> Option<Millis> {
        match self {
            Self::Auto | Self::Ask => None,
            // Wall-clock time: an operator is away in real time, not in ticks.
            Self::AskFor { seconds, .. } => Some(now.plus(u64::from(seconds) * 1000)),
        }
    }
}

impl std::fmt::Display for Policy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Ask => f.write_str("ask"),
            Self::AskFor {
                seconds,
                then: Fallback::Approve,
            } => write!(f, "ask:{seconds}:approve"),
            Self::AskFor {
                seconds,
                then: Fallback::Veto,
            } => write!(f, "ask:{seconds}:veto"),
        }
    }
}

impl std::str::FromStr for Policy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split(':').collect();
        match parts[..] {
            ["auto"] => Ok(Self::Auto),
            ["ask"] => Ok(Self::Ask),
            ["ask", seconds, then] => {
                let seconds = seconds
                    .parse()
                    .map_err(|_| format!("`{seconds}` is not a number of seconds in `{text}`"))?;
                let then = match then {
                    "approve" => Fallback::Approve,
                    "veto" => Fallback::Veto,
                    other => {
                        return Err(format!("`{other}` in `{text}` is neither approve nor veto"));
                    }
                };
                Ok(Self::AskFor { seconds, then })
            }
            _ => Err(format!(
                "`{text}` is not a gate policy; use auto, ask, ask:SECONDS:approve or ask:SECONDS:veto"
            )),
        }
    }
}

impl Serialize for Policy {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Policy {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?
            .parse()
            // Text in the journal too, so that both read the same.
            .map_err(serde::de::Error::custom)
    }
}

/// The policy of every gate; a gate not named is `auto`.
/// Ordered by kind, so that two equal sets are written alike.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Gates(pub BTreeMap<GateKind, Policy>);

impl Gates {
    /// Nobody is asked anything.
    #[must_use]
    pub fn headless() -> Self {
        Self::default()
    }

    /// The defaults under an operator's eyes (section 7 of the design).
    #[must_use]
    pub fn console() -> Self {
        // A replan is approved after a minute, or an absent operator would stop every run.
        let replan = Policy::AskFor {
            seconds: 60,
            then: Fallback::Approve,
        };
        Self(BTreeMap::from([
            (GateKind::Replan, replan),
            (GateKind::Guardrail, Policy::Ask),
            (GateKind::RiskyAction, Policy::Ask),
            (GateKind::Budget, Policy::Ask),
        ]))
    }

    #[must_use]
    pub fn of(&self, kind: GateKind) -> Policy {
        self.0.get(&kind).copied().unwrap_or(Policy::Auto)
    }
}

/// A question that waits for the operator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Question {
    pub id: DecisionId,
    pub kind: GateKind,
    /// Everything that is needed to show the question later, after a restart too.
    pub subject: Subject,
    pub policy: Policy,
    pub asked: Millis,
    /// When the policy answers by itself, if it does.
    pub deadline: Option<Millis>,
    /// Who is looking at it; its clock stands as long.
    /// Set while the question is on a screen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<String>,
}

impl Question {
    /// Someone looks at it: nothing answers by itself.
    pub fn hold(&mut self, by: &str) {
        self.deadline = None;
        self.held = Some(by.to_owned());
    }

    /// Nobody looks at it any more: its clock starts anew.
    /// Anew and in full: the operator has just looked at it.
    pub fn release(&mut self, deadline: Millis) {
        self.deadline = Some(deadline);
        self.held = None;
    }
}

/// What the question is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// The plan proposed under this revision.
    Plan(Revision),
    Knowledge(KnowledgeId),
    /// A subgoal that could cost the body dearly, and why.
    Risk {
        subgoal: SubgoalId,
        risk: String,
    },
    /// The end of the run.
    End {
        outcome: Outcome,
        because: String,
    },
    /// A budget for the mind is reached; approval grants as much again.
    Budget {
        because: String,
    },
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Approve,
    /// Approve in this changed form.
    /// The edited plan is verified before it counts.
    EditPlan(Plan),
    EditKnowledge(Body),
    /// The reason goes to the mind with its next question.
    Veto {
        reason: String,
    },
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Approve => f.write_str("approved"),
            Self::EditPlan(_) | Self::EditKnowledge(_) => f.write_str("edited"),
            Self::Veto { reason } => write!(f, "vetoed ({reason})"),
        }
    }
}

/// Who answered.
/// Policy covers gates and the policy file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    Policy,
    Timeout,
    Operator(String),
}

impl std::fmt::Display for By {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Policy => "policy",
            Self::Timeout => "time-out",
            Self::Operator(name) => name,
        })
    }
}
