//! Asks: the typed questions to a mind, and what a good answer holds.
//!
//! An ask holds everything that the mind may use. Answers travel as text (JSON) and are read and
//! validated by the phase that asked: text from a mind is untrusted, whichever mind it is.

use crate::domain::experience::Hit;
use crate::domain::experience::option::TriedOptions;
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::experience::surroundings::Surroundings;
use crate::domain::knowledge::{Entry, Guardrail, Remedy};
use crate::domain::mind::evidence::{AttemptSummary, FailedAttempt, FailedPlan, Rejected};
use crate::domain::mind::judge::JudgeAsk;
use crate::domain::mind::plan_part::PlanPart;
use crate::domain::mind::role::MindRole;
use crate::domain::mind::sequences::ReferenceAsk;
use crate::domain::mind::study::{GuardrailAsk, ReflectAsk, RulesAsk, ScoreAsk, SkillAsk};
use crate::domain::plan::form::PlanForm;
use crate::domain::plan::task::Task;
use crate::domain::plan::{Goal, Plan, Subgoal};
use crate::domain::run::outcome::Outcome;
use pithead_world::wiki::WikiPage;
use serde::{Deserialize, Serialize};

/// One question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
pub enum Ask {
    /// Answer: a `Capsule`.
    Capsule(CapsuleAsk),
    /// Answer: PlanJSON, or `{impossible}` with the reason why there is none. Also asked for replans (`done` is then not empty or `lessons` is not).
    Plan(Box<PlanAsk>),
    /// Why does this subgoal keep failing, and what would help? Answer: a `Lesson`.
    Diagnose(Box<DiagnoseAsk>),
    /// Which item do these words ask for? Answer: `{item, count, because}` or `{impossible}`.
    Goal(GoalAsk),
    /// What must be had directly before this goal (GITM)? Answer: a `TakenApart`.
    Decompose(Box<DecomposeAsk>),
    /// Which belief of the plan was wrong (DEPS)? Answer: an `Explanation`.
    Explain(Box<ExplainAsk>),
    /// What is to be remembered of these attempts? Answer: a `RunSummary`.
    Summarise(Box<SummariseAsk>),
    /// What do these successes have in common (GITM)? Answer: a `ReferenceDraft`.
    Reference(Box<ReferenceAsk>),
    /// What of this success can be used again? Answer: a `SkillDraft`.
    Skill(Box<SkillAsk>),
    /// What keeps this step from failing again? Answer: a `Guardrail`.
    Guardrail(Box<GuardrailAsk>),
    /// Which rules do these corrections show (Metagent-P)? Answer: `{rules: [RuleDraft]}`.
    Rules(Box<RulesAsk>),
    /// How good are these rules? Answer: `{scores: [Score]}`.
    Score(Box<ScoreAsk>),
    /// What is the plan caught in? Answer: a `Reflection`.
    Reflect(Box<ReflectAsk>),
    /// Which of these steps will succeed (Metagent-P)? Answer: a `JudgeReply`.
    Judge(Box<JudgeAsk>),
}

impl Ask {
    /// The mind's role in this question.
    #[must_use]
    pub fn role(&self) -> MindRole {
        match self {
            Self::Capsule(_) => MindRole::Recall,
            Self::Plan(_) => MindRole::Planner,
            Self::Diagnose(_) => MindRole::Diagnosis,
            Self::Goal(_) => MindRole::Goal,
            Self::Decompose(_) => MindRole::Decomposer,
            Self::Explain(_) => MindRole::Explainer,
            Self::Summarise(_) => MindRole::Summariser,
            Self::Reference(_) => MindRole::ReferencePlan,
            Self::Skill(_) => MindRole::Skill,
            Self::Guardrail(_) => MindRole::Guardrail,
            Self::Rules(_) => MindRole::RuleGenerator,
            Self::Score(_) => MindRole::RuleScorer,
            Self::Reflect(_) => MindRole::Reflector,
            Self::Judge(_) => MindRole::Judge,
        }
    }
}

/// Condense what was recalled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CapsuleAsk {
    pub task: Task,
    pub state: StateSummary,
    pub hits: Vec<Hit>,
    pub knowledge: Vec<Entry>,
}

/// Make a plan, or the rest of one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanAsk {
    pub task: Task,
    pub state: StateSummary,
    /// World ticks until the run's budget is spent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ticks_left: Option<u64>,
    pub capsule: Option<Capsule>,
    /// Active entries that the profile shows.
    pub knowledge: Vec<Entry>,
    /// What the ways to get things came to, in earlier runs and in this one.
    #[serde(default, skip_serializing_if = "TriedOptions::is_empty")]
    pub options: TriedOptions,
    /// What recall brought, by task and by need.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hits: Vec<Hit>,
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
    /// The plan that this one replaces, because it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<Box<FailedPlan>>,
    /// What is around the body, for minds that read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub around: Option<Surroundings>,
    /// What other roles said about it beforehand.
    #[serde(default, skip_serializing_if = "Guide::is_empty")]
    pub guide: Guide,
    /// The plan is to say what is held after each step.
    #[serde(default, skip_serializing_if = "is_off")]
    pub track: bool,
    /// How much is asked for.
    #[serde(default, skip_serializing_if = "PlanForm::is_whole")]
    pub form: PlanForm,
    /// What of the plan is asked for, where that is not the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Box<PlanPart>>,
    /// A number that differs between questions, for minds that draw lots.
    pub nonce: u64,
}

fn is_off(part: &bool) -> bool {
    !part
}

/// What a planner is told by a decomposer and an explainer, where the system has them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Guide {
    /// The goals under the task, in the order in which they are to be reached.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub goals: Vec<Goal>,
    /// Why steps of this run failed, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub explained: Vec<Explained>,
}

impl Guide {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let Self { goals, explained } = self;
        goals.is_empty() && explained.is_empty()
    }
}

/// A step that kept failing and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Explained {
    pub step: Subgoal,
    pub explanation: Explanation,
}

/// Take one goal apart by one level.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DecomposeAsk {
    pub task: Task,
    pub state: StateSummary,
    pub goal: Goal,
    /// What a wiki says of it, in systems that read one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pages: Vec<WikiPage>,
    #[serde(default)]
    pub faults: Vec<String>,
}

/// A goal with material, tool and info filled in, and the goals directly before it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TakenApart {
    pub goal: Goal,
    #[serde(default)]
    pub before: Vec<Goal>,
}

/// Find out which belief of the plan was wrong.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExplainAsk {
    pub task: Task,
    pub state: StateSummary,
    pub plan: Plan,
    pub done: Vec<Subgoal>,
    pub subgoal: Subgoal,
    /// The failed attempts, oldest first.
    pub attempts: Vec<FailedAttempt>,
    #[serde(default)]
    pub faults: Vec<String>,
}

/// Why a plan failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// What happened, in words.
    pub observed: String,
    /// What the plan took for granted and what was so instead.
    pub explanation: String,
    /// What was taken for granted and must be obtained first.
    #[serde(default)]
    pub missing: Vec<Remedy>,
    /// The step that would have to change.
    #[serde(default)]
    pub wrong_step: Option<String>,
}

/// Condense the attempts of a run that is about to end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SummariseAsk {
    pub task: Task,
    pub outcome: Outcome,
    pub because: String,
    /// The attempts, oldest first.
    pub attempts: Vec<AttemptSummary>,
    #[serde(default)]
    pub faults: Vec<String>,
}

/// A run in few words, every fact citing the attempts that show it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RunSummary {
    pub summary: String,
    #[serde(default)]
    pub facts: Vec<Cited>,
}

/// Find the cause of repeated failure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DiagnoseAsk {
    pub task: Task,
    pub state: StateSummary,
    pub subgoal: Subgoal,
    /// The failed attempts, oldest first.
    pub attempts: Vec<FailedAttempt>,
    pub knowledge: Vec<Entry>,
    /// What is around the body, for minds that read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub around: Option<Surroundings>,
    /// The steps that the run has done, in their order: whether something was used up or was never got.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub done: Vec<Subgoal>,
    /// Constraints of this run, so that nothing is concluded twice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lessons: Vec<Guardrail>,
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
    /// The constraint is tried and not known: it is proposed only if the run bears it out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_guess: bool,
}
