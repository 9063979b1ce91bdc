//! What sets a reflection off, and what was at fault (Metagent-P, Figure 5).
//!
//! Invariant: a stored name never changes.

use serde::{Deserialize, Serialize};

/// What the monitor saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// A step failed.
    #[default]
    Failure,
    /// A step failed, and the run has replanned so often that the plan as a whole is in doubt.
    Replans,
    /// Something that a done step had got is gone, and a later step needs it.
    GoalLost,
    /// A rule is broken as things stand, though the plan had passed: what was expected did not come about.
    Anomaly,
}

impl Trigger {
    pub const ALL: [Self; 4] = [Self::Failure, Self::Replans, Self::GoalLost, Self::Anomaly];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Failure => "failure",
            Self::Replans => "replans",
            Self::GoalLost => "goal lost",
            Self::Anomaly => "anomaly",
        }
    }
}

/// Where the fault lay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Disturbance {
    /// Night, terrain, mobs, wear, things lost: no plan could have known.
    Environment,
    /// The plan left something out.
    Reasoning,
}

impl Disturbance {
    pub const ALL: [Self; 2] = [Self::Environment, Self::Reasoning];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Environment => "environment",
            Self::Reasoning => "reasoning",
        }
    }
}
