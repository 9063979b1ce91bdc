//! Budgets and limits: every bound of a run has a name here and travels with the run.

use serde::{Deserialize, Serialize};

/// What a run may spend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// World ticks for the whole run.
    pub ticks: u64,
    /// Questions to the mind for the whole run.
    pub mind_calls: u64,
}

impl Default for Budget {
    fn default() -> Self {
        // 24,000 ticks are one Minecraft day, the horizon of the paper's Iron group.
        Self { ticks: 24_000, mind_calls: 200 }
    }
}

/// Bounds that keep every loop of the agent finite.
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
    /// Times one guardrail may keep one subgoal from being begun before it is passed over.
    pub blocks_max: u32,
    /// Monitor samples kept of one attempt; older ones are thinned out.
    pub samples_max: usize,
    /// Knowledge entries shown to one question.
    pub shown_max: usize,
    /// Experiences recalled for one question.
    pub recalled_max: usize,
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
            blocks_max: 2,
            samples_max: 400,
            shown_max: 64,
            recalled_max: 8,
        }
    }
}
