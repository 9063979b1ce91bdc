//! Judge: whether a step of a plan will succeed as things will stand when its turn comes (Metagent-P).
//!
//! The lower of the verifier's two layers: it is asked about steps that no rule decides. Its word is recorded
//! with the attempt, and where the outcome was another there is something to learn. Invariant: no judgement
//! acts but by sending a plan back, a bounded number of times.

use crate::domain::experience::state_summary::StateSummary;
use crate::domain::knowledge::Remedy;
use crate::domain::plan::Subgoal;
use crate::domain::plan::task::Task;
use pithead_world::counts::Counts;
use pithead_world::ids::{KnowledgeId, SubgoalId};
use serde::{Deserialize, Serialize};

/// Which of these steps will succeed?
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JudgeAsk {
    pub task: Task,
    /// As things stand now.
    pub state: StateSummary,
    /// In the order of the plan.
    pub steps: Vec<StepToJudge>,
    /// Requirements that are known of other steps, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    #[serde(default)]
    pub faults: Vec<String>,
    /// A number that differs between questions, for minds that draw lots.
    pub nonce: u64,
}

/// A step, and what is expected when its turn comes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepToJudge {
    pub step: Subgoal,
    /// What will be held, if every step before it does what it declares.
    pub held: Counts,
    /// The height of the feet.
    pub y: i32,
}

/// The answer: one judgement for each step asked about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JudgeReply {
    pub judged: Vec<JudgedStep>,
}

/// The word on one step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JudgedStep {
    pub step: String,
    pub success: bool,
    /// What is lacking, if it is to fail for that.
    #[serde(default)]
    pub missing: Vec<Remedy>,
    #[serde(default)]
    pub suggestion: String,
}

/// What was said of a step beforehand, and by whom.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    pub subgoal: SubgoalId,
    /// It will succeed.
    pub success: bool,
    pub by: JudgedBy,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Remedy>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub suggestion: String,
}

/// The layer of the verifier that decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JudgedBy {
    Mind,
    /// Those of its rules that the step breaks, or all that it keeps.
    Rules(Vec<KnowledgeId>),
}
