//! Experience: e = ⟨s_pre, a, D, s_post⟩ (Eq. 4), one per attempt.

pub mod attempt;
pub mod card;
pub mod cell;
pub mod circumstance;
pub mod diagnosis;
pub mod earlier_try;
pub mod mended;
pub mod option;
pub mod recall;
pub mod shared_options;
pub mod similar;
pub mod state_summary;
pub mod step_knowledge;
pub mod surroundings;
pub mod thresholds;

use crate::domain::check::Check;
use crate::domain::experience::diagnosis::{Diagnosis, FailureReason};
use crate::domain::experience::mended::Mended;
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::mind::judge::Judgement;
use crate::domain::plan::Subgoal;
use pithead_world::clock::Millis;
use pithead_world::family::ItemSpec;
use pithead_world::ids::{AttemptId, ExperienceId};
use pithead_world::item::ItemId;
use pithead_world::space::Pos;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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
    /// What was expected of it beforehand, where the system judges plans.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged: Option<Box<Judgement>>,
    /// It was ended before it was over: by the operator (a replan, a take-over, a word to stop), or because the task was
    /// done.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub called_off: bool,
}

impl Experience {
    /// The agent tried and did not succeed. What an operator did, or what was called off, is nobody's failure.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        !self.diagnosis.success && !self.by_operator && !self.called_off
    }

    /// Why it is no failure though it did not succeed, in words: it was called off, or was an operator's own act.
    #[must_use]
    pub fn no_failure(&self) -> Option<&'static str> {
        match (self.diagnosis.success, self.called_off, self.by_operator) {
            (false, true, _) => Some("called off"),
            (false, false, true) => Some("not done"),
            _ => None,
        }
    }

    /// Why the agent failed; none unless it did.
    #[must_use]
    pub fn failure_reason(&self) -> Option<FailureReason> {
        self.diagnosis.reason.filter(|_| self.is_failure())
    }

    /// Ticks that the attempt took.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.post.tick.saturating_sub(self.pre.tick)
    }
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
    /// What it was to get; none for a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<ItemSpec>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<FailureReason>,
    /// Of its diagnosis, 0 to 1; 1 for a success.
    #[serde(default = "certain")]
    pub confidence: f64,
    /// φ: what had to be true for it to be done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Check>,
    /// Where it ended; only if it was in the world of the one who asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Pos>,
    /// s_eff: what was gained and lost.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inv_delta: BTreeMap<ItemId, i64>,
    #[serde(default)]
    pub ticks: u64,
    /// The next success of the same run with the same aim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mended: Option<Mended>,
}

/// Hits of older journals do not say how certain their diagnosis was.
fn certain() -> f64 {
    1.0
}
