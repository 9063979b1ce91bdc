//! System profiles: which parts of the loop are on, and how. A profile is data.

use serde::{Deserialize, Serialize};

/// One way to run the loop (prompts/<system>/system.toml).
/// A misspelt field in a system file is an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// For example `steve-evolving`.
    pub name: String,
    /// One line for `--help` and lists.
    pub about: String,
    /// K_tol: failures of one subgoal before the rest is replanned; 0 never replans.
    /// Failures of other runs count too, see `similar_failures`.
    pub k_tol: u32,
    /// Recall experiences and knowledge before planning.
    pub recall: bool,
    /// Check plans before they run and send errors back to the planner.
    /// Without it the first plan is taken as it is.
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
    /// Take the task apart into a tree of goals before planning (GITM).
    #[serde(default, skip_serializing_if = "is_off")]
    pub decompose: bool,
    /// Ask why a step keeps failing in place of a lesson: words for the planner, no constraint (DEPS).
    #[serde(default, skip_serializing_if = "is_off")]
    pub explain: bool,
    /// Have the run summed up by the mind before it ends.
    #[serde(default, skip_serializing_if = "is_off")]
    pub summarise: bool,
    /// Learn rules from what the verifier sent back, and let rules refuse plans (Metagent-P).
    #[serde(default, skip_serializing_if = "is_off")]
    pub learn_rules: bool,
    /// Look back at each step that failed, and replan only if the plan is not trusted (Metagent-P).
    #[serde(default, skip_serializing_if = "is_off")]
    pub reflect: bool,
}

/// What a system does not have is left out of its record, as in records from before it existed.
/// Old journals then read as the same profile.
fn is_off(part: &bool) -> bool {
    !part
}

/// How the next subgoal is chosen among those whose needs are met (DEPS).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Selector {
    /// In the order of the plan.
    First,
    /// By lot, from the world's seed.
    Random,
    /// The one whose words are most like what is seen and held (DEPS).
    Similarity,
    /// The one that the plan allows the least time.
    Horizon,
}
