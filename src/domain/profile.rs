//! System profiles: which parts of the loop are on, and how. A profile is data.

use serde::{Deserialize, Serialize};

/// One way to run the loop (prompts/<system>/system.toml).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// For example `steve-evolving`.
    pub name: String,
    /// One line for `--help` and lists.
    pub about: String,
    /// K_tol: failures of one subgoal before the rest is replanned; 0 never replans.
    pub k_tol: u32,
    /// Recall experiences and knowledge before planning.
    pub recall: bool,
    /// Check plans before they run and send errors back to the planner.
    pub verify: bool,
    /// Show skills to the planner.
    pub show_skills: bool,
    /// Show guardrails to the planner, and let them refuse and block.
    pub show_guardrails: bool,
    /// Distil skills from success.
    pub distil_skills: bool,
    /// Distil guardrails from repeated failure.
    pub distil_guardrails: bool,
    pub selector: Selector,
}

/// How the next subgoal is chosen among those whose needs are met (DEPS).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Selector {
    /// In the order of the plan.
    First,
}
