//! Experience: e = ⟨s_pre, a, D, s_post⟩ (Eq. 4), one per attempt.

pub mod attempt;
pub mod card;
pub mod cell;
pub mod diagnosis;
pub mod earlier_try;
pub mod option;
pub mod recall;
pub mod shared_options;
pub mod similar;
pub mod state_summary;
pub mod step_knowledge;
pub mod thresholds;

use crate::domain::experience::diagnosis::Diagnosis;
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::plan::Subgoal;
use pithead_world::clock::Millis;
use pithead_world::ids::{AttemptId, ExperienceId};
use serde::{Deserialize, Serialize};

/// One recorded attempt, in full: the document tier.
/// Stored once, as the event `attempt.ended`; every index of experiences is rebuilt from
/// it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Experience {
    pub id: ExperienceId,
    pub attempt: AttemptId,
    /// The task it was part of, in words.
    pub task: String,
    pub at: Millis,
    pub pre: StateSummary,
    pub action: Subgoal,
    pub diagnosis: Diagnosis,
    pub post: StateSummary,
    /// Semantic tags τ: biome, target, kind, outcome.
    /// Also part of the text that is embedded.
    pub tags: Vec<String>,
    /// Who acted: the agent, or the operator in its place.
    pub by_operator: bool,
}

/// An experience found by recall, in brief, with both parts of its score (Eq. 9).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    pub id: ExperienceId,
    /// ψ = α·cos + β·δ.
    /// α and β are the weights of the memory's settings.
    pub score: f64,
    /// -1 to 1, in practice 0 to 1.
    pub cosine: f64,
    /// δ: how far condition and place are the same, 0 to 1.
    #[serde(default)]
    pub delta: f64,
    /// The condition signatures are equal.
    pub exact: bool,
    pub success: bool,
    /// One line for people and language models.
    pub summary: String,
}
