//! Notes: what the verifier has to say about a plan. It collects them all and never stops early.

use crate::domain::knowledge::Remedy;
use pithead_world::family::ItemSpec;
use pithead_world::ids::{KnowledgeId, SubgoalId};
use serde::{Deserialize, Serialize};

/// One remark on a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Note {
    pub severity: Severity,
    /// The node it is about; none for the plan as a whole.
    pub subgoal: Option<SubgoalId>,
    pub about: About,
    /// One sentence for people and language models.
    pub text: String,
}

/// How bad it is. Errors go back to the planner; warnings are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    Info,
    Warning,
    Error,
}

impl Severity {
    /// The name that is shown and stored.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// What the remark is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "about", rename_all = "snake_case")]
pub enum About {
    /// The simulated state lacks something when this node's turn comes.
    MissingPrerequisite {
        item: ItemSpec,
        have: u32,
        need: u32,
    },
    WrongToolTier {
        tool: ItemSpec,
    },
    WrongQuantity {
        item: ItemSpec,
        have: u32,
        need: u32,
    },
    /// A guardrail's trigger holds in the simulated state and it forbids the node.
    Forbidden {
        by: KnowledgeId,
    },
    /// A constraint of this run forbids the node.
    Constrained {
        constraint: usize,
    },
    RuleViolated {
        by: KnowledgeId,
    },
    /// The mind judges that the node will fail, for want of these.
    JudgedToFail {
        missing: Vec<Remedy>,
    },
    UnknownItem {
        name: String,
    },
    /// The item cannot be had in this world at all.
    Unobtainable {
        item: ItemSpec,
    },
    /// The plan's success would not make the task's checks true.
    GoalNotReached,
    /// `needs`, `parent` or an order that cannot be.
    BadOrder,
    /// The plan that has just failed, once more.
    Repeated,
    Budget,
    /// A field that the format does not know; kept, and reported.
    UnknownField {
        field: String,
    },
    Empty,
}
