//! Forks: a new run that begins as a copy of another one up to a point, with something changed.
//!
//! Invariant: what lies before the point is the same to the bit; what is changed is said in one event.

use crate::domain::experience::thresholds::Thresholds;
use crate::domain::run::decision::{GateKind, Policy, Verdict};
use crate::text::signature::Signature;
use pithead_world::ids::{KnowledgeId, RunId, Seq};
use serde::{Deserialize, Serialize};

/// Where a forked run comes from, and what is different in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fork {
    pub from: RunId,
    /// The last event that both have.
    pub at: Seq,
    /// Entries that this run is not given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<KnowledgeId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thresholds: Option<Thresholds>,
    /// What the operator decided later on in the other run, to be decided here in the same way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<Kept>,
    /// Gates that the operator set later on in the other run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policies: Vec<(GateKind, Policy)>,
    pub by: String,
}

/// A decision that is to be made again when its question comes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    pub kind: GateKind,
    /// For knowledge: what the entry says; the same question is one about the same content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<Signature>,
    pub verdict: Verdict,
    pub by: String,
}
