//! Budgets and limits: every bound of a run has a name here and travels with the run.

use serde::{Deserialize, Serialize};

/// What a run may spend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// World ticks for the whole run.
    /// 20 ticks are a second of the world.
    pub ticks: u64,
    /// Questions to the mind for the whole run.
    pub mind_calls: u64,
    /// Tokens of language models, in and out together; none is without bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Money for language models, in millionths; none is without bound.
    /// Millionths of the currency of the price list, so that sums are exact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub micros: Option<u64>,
}

impl Budget {
    /// The whole of it `times` over: an operator who grants more grants as much again.
    /// Ticks are not granted again: the world's time belongs to the task.
    #[must_use]
    pub fn granted(self, times: u32) -> Self {
        let more = |whole: u64| whole.saturating_mul(u64::from(times));
        Self {
            ticks: self.ticks,
            mind_calls: more(self.mind_calls),
            tokens: self.tokens.map(more),
            micros: self.micros.map(more),
        }
    }
}

impl Default for Budget {
    fn default() -> Self {
        // Half an hour of play: the longest horizon of the released task suite (its Diamond group).
        Self {
            ticks: 36_000,
            mind_calls: 200,
            tokens: None,
            micros: None,
        }
    }
}

/// Bounds that keep every loop of the agent finite.
/// Each number is a bound on one loop; see `transitions::giving_up` for what happens there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// Rounds between planner and verifier before the best plan is taken as it is.
    pub verify_rounds_max: u32,
    /// Replans in one run.
    pub replans_max: u32,
    /// Unreadable replies to one question before the phase fails.
    pub mind_retries_max: u32,
    /// Vetoes of one question in a row before the phase ends.
    pub vetoes_max: u32,
    /// Subgoals in one plan.
    pub plan_subgoals_max: usize,
    /// Attempts at one subgoal over all replans.
    pub attempts_max: u32,
    /// World seconds of one attempt in place of what the plan gives it; none is what the plan says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt_seconds: Option<u32>,
    /// Times one guardrail may keep one subgoal from being begun before it is passed over.
    pub blocks_max: u32,
    /// Monitor samples kept of one attempt; older ones are thinned out.
    pub samples_max: usize,
    /// Knowledge entries shown to one question.
    pub shown_max: usize,
    /// Experiences recalled for one question.
    pub recalled_max: usize,
    /// Goals that a task is taken apart into.
    pub goals_max: usize,
    /// Questions to the planner about one goal, where it plans goal by goal (GITM). Left out where it is as set, so that
    /// events are written as they were before there was one.
    #[serde(skip_serializing_if = "is_goal_questions_max")]
    pub goal_questions_max: u32,
}

/// The number of GITM.
const GOAL_QUESTIONS_MAX: u32 = 30;

#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for it
fn is_goal_questions_max(number: &u32) -> bool {
    *number == GOAL_QUESTIONS_MAX
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            verify_rounds_max: 4,
            replans_max: 40,
            mind_retries_max: 3,
            vetoes_max: 3,
            plan_subgoals_max: 120,
            attempts_max: 12,
            attempt_seconds: None,
            blocks_max: 2,
            samples_max: 400,
            shown_max: 64,
            recalled_max: 8,
            goals_max: 24,
            goal_questions_max: GOAL_QUESTIONS_MAX,
        }
    }
}
