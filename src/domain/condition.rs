//! Conditions: one predicate language for triggers, preconditions and success criteria.
//!
//! Values are three-valued (see `check::Truth`). The text form, the reading of it and the
//! signature h_cond are in the files below this one.

use super::check::Check;
use super::diagnosis::FailureReason;
use super::plan::TaskKind;
use crate::world::family::ItemSpec;
use crate::world::item::{Tier, ToolKind};
use crate::world::mob::MobKind;
use serde::{Deserialize, Serialize};

/// A condition over a `Situation`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// True if all are; `All([])` is always true.
    All(Vec<Condition>),
    /// True if any is; `Any([])` is never true.
    Any(Vec<Condition>),
    Not(Box<Condition>),
    Is(Predicate),
}

/// One predicate.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Predicate {
    Check(Check),
    BiomeIn(Vec<String>),
    /// Health below, in half hearts.
    HealthLt(u32),
    /// Food below, in points.
    HungerLt(u32),
    Holding(ItemSpec),
    OnGround,
    Underground,
    MobNear { mob: MobKind, range: u32 },
    SubgoalKind(TaskKind),
    /// The subgoal is about this item (or a member of this family).
    Target(ItemSpec),
    /// A tool of the kind and at least the tier is carried.
    ToolGe { kind: ToolKind, tier: Tier },
    /// The running subgoal has failed `n` times for the reason.
    AttemptsGe { reason: FailureReason, n: u32 },
}
