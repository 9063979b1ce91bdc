//! What is known of a step from elsewhere than its own attempt: what its plan said, and what was seen of it.
//!
//! Invariant: nothing in it comes from a table of the game.

use crate::domain::experience::earlier_try::EarlierTry;
use crate::domain::knowledge::inputs::Flow;
use pithead_world::family::ItemSpec;
use pithead_world::item::ItemId;
use serde::{Deserialize, Serialize};

/// What diagnosis may hold a failed attempt against.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct StepKnowledge {
    /// What the same took when it went well, in this run or as the skills in use tell it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<Flow>,
    /// Products of the steps that it waits for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub made_for_it: Vec<ItemSpec>,
    /// Tools in hand at the end of each time that the same was gathered in this run; empty if one time had none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gathered_with: Vec<ItemId>,
    /// The latest failed attempts of this run at the same aim, oldest first; in earlier plans as well.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<EarlierTry>,
}

impl StepKnowledge {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
