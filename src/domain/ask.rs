//! Asks: the typed questions to a mind, and what a good answer holds.
//!
//! An ask holds everything that the mind may use. Answers travel as text (JSON) and are read and
//! validated by the phase that asked: text from a mind is untrusted, whichever mind it is.

use super::diagnosis::Diagnosis;
use super::experience::Hit;
use super::knowledge::{Entry, Guardrail, Remedy};
use super::note::Note;
use super::plan::{Plan, Subgoal};
use super::state_card::StateCard;
use super::task::Task;
use crate::ids::AttemptId;
use serde::{Deserialize, Serialize};

/// One question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
pub enum Ask {
    /// Answer: a `Capsule`.
    Capsule(CapsuleAsk),
    /// Answer: PlanJSON. Also asked for replans (`done` is then not empty or `lessons` is not).
    Plan(Box<PlanAsk>),
    /// Why does this subgoal keep failing, and what would help? Answer: a `Lesson`.
    Diagnose(Box<DiagnoseAsk>),
    /// Which item do these words ask for? Answer: `{item, count, because}` or `{impossible}`.
    Goal(GoalAsk),
}

impl Ask {
    /// The mind's role in this question.
    #[must_use]
    pub fn role(&self) -> &'static str {
        match self {
            Self::Capsule(_) => "recall",
            Self::Plan(_) => "planner",
            Self::Diagnose(_) => "diagnosis",
            Self::Goal(_) => "goal",
        }
    }
}

/// Condense what was recalled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CapsuleAsk {
    pub task: Task,
    pub state: StateCard,
    pub hits: Vec<Hit>,
    pub knowledge: Vec<Entry>,
}

/// Make a plan, or the rest of one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanAsk {
    pub task: Task,
    pub state: StateCard,
    pub capsule: Option<Capsule>,
    /// Active entries that the profile shows.
    pub knowledge: Vec<Entry>,
    /// Constraints of this run (k_new of Eq. 12), oldest first.
    pub lessons: Vec<Guardrail>,
    /// The plan sent back, with the verifier's notes on it.
    pub rejected: Option<Rejected>,
    /// Why the operator vetoed the last proposals, oldest first.
    pub vetoes: Vec<String>,
    /// What could not be read of earlier answers to this question, oldest first.
    #[serde(default)]
    pub faults: Vec<String>,
    /// Subgoals that are finished; the new plan must not repeat them.
    pub done: Vec<Subgoal>,
    /// A number that differs between questions, for minds that draw lots.
    pub nonce: u64,
}

/// A plan that did not pass.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rejected {
    pub plan: Plan,
    pub notes: Vec<Note>,
}

/// Find the cause of repeated failure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DiagnoseAsk {
    pub task: Task,
    pub state: StateCard,
    pub subgoal: Subgoal,
    /// The failed attempts, oldest first.
    pub attempts: Vec<Failure>,
    pub knowledge: Vec<Entry>,
    #[serde(default)]
    pub faults: Vec<String>,
}

/// Read a task in free words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoalAsk {
    pub words: String,
    /// Names that look like the words.
    pub near: Vec<String>,
    #[serde(default)]
    pub faults: Vec<String>,
}

/// One failed attempt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    pub attempt: AttemptId,
    pub pre: StateCard,
    pub diagnosis: Diagnosis,
}

/// {facts, constraints, next_actions}, every item citing what it rests on.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Capsule {
    #[serde(default)]
    pub facts: Vec<Cited>,
    #[serde(default)]
    pub constraints: Vec<Cited>,
    #[serde(default)]
    pub next_actions: Vec<Cited>,
}

/// A statement and the ids of its sources.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cited {
    pub text: String,
    pub src: Vec<String>,
}

/// What the mind makes of repeated failure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Lesson {
    /// In words.
    pub root_cause: String,
    /// k_new of Eq. 12: binds this run once its replan is approved; proposed to the knowledge
    /// base besides.
    pub constraint: Option<Guardrail>,
    /// What to do next.
    #[serde(default)]
    pub next_actions: Vec<Remedy>,
}
