//! Study: what a mind is asked so that something is learnt of a run, and what it may answer.
//!
//! An answer is a draft: it is read strictly, held against what was seen, and then goes the way of all
//! knowledge, proposed, gated, active. Invariant: no answer acts by itself.

use crate::domain::check::Check;
use crate::domain::condition::Condition;
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::experience::{Experience, Hit};
use crate::domain::knowledge::{Entry, Guardrail, Remedy, Rule, Skill};
use crate::domain::mind::evidence::{AttemptSummary, FailedAttempt, Rejected};
use crate::domain::mind::reflection::{Disturbance, Trigger};
use crate::domain::mind::role::MindRole;
use crate::domain::plan::task::Task;
use crate::domain::plan::{Plan, Subgoal};
use pithead_world::counts::Counts;
use pithead_world::family::ItemSpec;
use pithead_world::ids::{ExperienceId, SubgoalId};
use pithead_world::item::ItemId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Something to be learnt, one question each.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "topic", rename_all = "snake_case")]
pub enum Topic {
    /// The run as one skill.
    Skill,
    /// What keeps this step from failing again.
    Guardrail { subgoal: SubgoalId },
    /// What the successes for this goal have in common.
    ReferencePlan { goal: ItemSpec },
    /// What the plan lacked as a whole.
    Deadlock,
    /// Rules out of the corrections between planner and verifier.
    Rules,
    /// Which of these rules are worth keeping. Older builds asked about one at a time.
    Score {
        #[serde(alias = "rule", deserialize_with = "one_or_several")]
        rules: Vec<Rule>,
    },
}

impl Topic {
    /// The role that is asked.
    #[must_use]
    pub fn role(&self) -> MindRole {
        match self {
            Self::Skill => MindRole::Skill,
            Self::Guardrail { .. } => MindRole::Guardrail,
            Self::ReferencePlan { .. } => MindRole::ReferencePlan,
            Self::Deadlock => MindRole::Reflector,
            Self::Rules => MindRole::RuleGenerator,
            Self::Score { .. } => MindRole::RuleScorer,
        }
    }
}

/// What came of a topic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Studied {
    pub topic: Topic,
    /// A model's answer was taken; else the program's own distiller stands in for it.
    pub by_mind: bool,
    pub because: String,
    /// All drafts as they stand now.
    pub drafts: Vec<Entry>,
    /// Topics that came up.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<Topic>,
}

/// A step that went well.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Worked {
    pub id: ExperienceId,
    pub step: Subgoal,
    pub held_before: Counts,
    pub changed: BTreeMap<ItemId, i64>,
    pub ticks: u64,
}

impl Worked {
    #[must_use]
    pub fn from_experience(experience: &Experience) -> Self {
        Self {
            id: experience.id,
            step: experience.action.clone(),
            held_before: experience.pre.inventory.clone(),
            changed: experience.diagnosis.delta.inventory.clone(),
            ticks: experience.ticks(),
        }
    }
}

/// Make a skill of a run that succeeded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SkillAsk {
    pub task: Task,
    pub worked: Vec<Worked>,
    /// What the program would make of it.
    pub draft: Skill,
    pub knowledge: Vec<Entry>,
    #[serde(default)]
    pub faults: Vec<String>,
}

/// A skill as it is answered; what it needs beyond this follows from the record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SkillDraft {
    pub requires: Condition,
    /// Ids of the steps that were needed, in their order.
    pub steps: Vec<String>,
}

/// Make a guardrail of a step that kept failing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GuardrailAsk {
    pub task: Task,
    pub subgoal: Subgoal,
    /// The failed attempts, oldest first.
    pub attempts: Vec<FailedAttempt>,
    pub worked: Vec<Worked>,
    /// What the diagnosis proposed.
    pub draft: Option<Guardrail>,
    pub knowledge: Vec<Entry>,
    #[serde(default)]
    pub faults: Vec<String>,
}

/// A plan that was sent back, and the one that passed in its place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanCorrection {
    pub rejected: Rejected,
    pub passed: Plan,
}

/// Draw rules out of corrections and failures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RulesAsk {
    pub task: Task,
    #[serde(rename = "talks")]
    pub corrections: Vec<PlanCorrection>,
    pub attempts: Vec<AttemptSummary>,
    pub knowledge: Vec<Entry>,
    #[serde(default)]
    pub faults: Vec<String>,
}

/// A rule as it is answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RuleDraft {
    pub when: Condition,
    pub then: Check,
    #[serde(default)]
    pub because: String,
}

/// Judge rules, all in one question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScoreAsk {
    #[serde(alias = "rule", deserialize_with = "one_or_several")]
    pub rules: Vec<Rule>,
    pub attempts: Vec<AttemptSummary>,
    #[serde(default)]
    pub faults: Vec<String>,
}

/// The three scores of a rule, each 0 to 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// It agrees with the game and with every record.
    pub consistent: f64,
    /// One knows when it applies.
    pub clear: f64,
    /// What it asks for can be seen to.
    pub feasible: f64,
    #[serde(default)]
    pub because: String,
}

/// One rule, as older builds asked about it, or a list.
fn one_or_several<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Vec<Rule>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        One(Box<Rule>),
        Several(Vec<Rule>),
    }
    Ok(match Either::deserialize(from)? {
        Either::One(rule) => vec![*rule],
        Either::Several(rules) => rules,
    })
}

/// Look back: at one step that failed, or at a plan that came to nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReflectAsk {
    pub task: Task,
    pub state: StateSummary,
    pub plan: Plan,
    pub done: Vec<Subgoal>,
    /// The step that failed; none for the plan as a whole.
    pub subgoal: Option<Subgoal>,
    /// Its failed attempts.
    pub failures: Vec<FailedAttempt>,
    /// What was tried in the run, oldest first.
    pub attempts: Vec<AttemptSummary>,
    /// What memory brought.
    pub hits: Vec<Hit>,
    /// What set it off.
    #[serde(default)]
    pub trigger: Trigger,
    /// What the monitor saw to be gone or lacking, before anything failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<Remedy>,
    #[serde(default)]
    pub faults: Vec<String>,
}

/// What the mind sees when it looks back.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Reflection {
    /// In words, what the plan is caught in.
    pub deadlock: String,
    /// T_e: the thought about what is seen now.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub now: String,
    /// T_h: the thought about what was like this before.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub before: String,
    #[serde(default)]
    pub missing: Vec<Remedy>,
    #[serde(default)]
    pub next_time: Vec<String>,
    /// How far it trusts the rest of the plan as it stands, 0 to 1.
    #[serde(default)]
    pub confidence: Option<f64>,
}

impl Reflection {
    /// What is to be done otherwise, in words.
    #[must_use]
    pub fn suggestion(&self) -> String {
        match self.next_time.is_empty() {
            true => self.deadlock.clone(),
            false => self.next_time.join(" "),
        }
    }
}

/// A reflection with what follows from it (Metagent-P).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reflected {
    pub subgoal: SubgoalId,
    pub reflection: Reflection,
    /// What set it off.
    #[serde(default)]
    pub trigger: Trigger,
    /// Whether the world or the plan's reasoning was at fault; none in records of older builds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disturbance: Option<Disturbance>,
    /// C_history: how like the plan is to one that has worked, 0 to 1; none if nothing like it is known.
    pub history: Option<f64>,
    /// C_LLM: the confidence that the mind stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<f64>,
    /// Failed cases of earlier runs that were recalled for it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cases: u32,
    /// Both together.
    pub confidence: f64,
    /// The plan stays, and the step is tried once more.
    pub keeps: bool,
    /// The steps that made what was lost are done again, and the rest of the plan stays.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub repairs: bool,
}

impl Reflected {
    /// A plan with more confidence than this is kept.
    pub const TRUST_MIN: f64 = 0.5;
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for it
fn is_zero(number: &u32) -> bool {
    *number == 0
}
