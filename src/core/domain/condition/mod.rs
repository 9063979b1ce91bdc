//! Conditions: one predicate language for triggers, preconditions and success criteria.
//!
//! Values are three-valued (see `check::Truth`). The text form is written in `words` and read in
//! `text`, its tokens are in `lexer`; the signature h_cond is in `signature`.
//! Invariant: reading what was written gives the same condition, as JSON and as text.

#[cfg(test)]
pub(crate) mod arbitrary;
mod judge;
mod lexer;
mod predicate_text;
mod signature;
pub mod situation;
pub mod text;
mod words;

use crate::domain::check::{Check, Truth};
use crate::domain::experience::diagnosis::FailureReason;
use crate::domain::plan::TaskKind;
use pithead_world::family::ItemSpec;
use pithead_world::item::{Tier, ToolKind};
use pithead_world::mob::MobKind;
use serde::{Deserialize, Serialize};

/// A condition over a `Situation`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
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
    MobNear {
        mob: MobKind,
        range: u32,
    },
    SubgoalKind(TaskKind),
    /// The subgoal is about this item (or a member of this family).
    Target(ItemSpec),
    /// A tool of the kind and at least the tier is carried.
    ToolGe {
        kind: ToolKind,
        tier: Tier,
    },
    /// The running subgoal has failed `n` times for the reason.
    AttemptsGe {
        reason: FailureReason,
        n: u32,
    },
}

impl Condition {
    /// True whatever the situation.
    #[must_use]
    pub fn always() -> Self {
        Self::All(Vec::new())
    }

    /// Both; a conjunction is extended and not nested.
    #[must_use]
    pub fn and(self, other: impl Into<Self>) -> Self {
        let other = other.into();
        match self {
            Self::All(mut parts) => {
                parts.push(other);
                Self::All(parts)
            }
            Self::Any(_) | Self::Not(_) | Self::Is(_) => Self::All(vec![self, other]),
        }
    }

    /// Either; a disjunction is extended and not nested.
    #[must_use]
    pub fn or(self, other: impl Into<Self>) -> Self {
        let other = other.into();
        match self {
            Self::Any(mut parts) => {
                parts.push(other);
                Self::Any(parts)
            }
            Self::All(_) | Self::Not(_) | Self::Is(_) => Self::Any(vec![self, other]),
        }
    }

    /// The contrary.
    #[must_use]
    #[allow(clippy::should_implement_trait)] // `!condition` would read as a boolean
    pub fn not(self) -> Self {
        Self::Not(Box::new(self))
    }
}

impl From<Predicate> for Condition {
    fn from(predicate: Predicate) -> Self {
        Self::Is(predicate)
    }
}

impl From<Check> for Condition {
    fn from(check: Check) -> Self {
        Self::Is(Predicate::Check(check))
    }
}

/// Whether everything that `part` stands for is also in `whole`; unknown when only some is.
pub(crate) fn spec_within(part: ItemSpec, whole: ItemSpec) -> Truth {
    let within = part
        .members()
        .iter()
        .filter(|item| whole.matches(**item))
        .count();
    match within {
        0 => Truth::False,
        all if all == part.members().len() => Truth::True,
        _ => Truth::Unknown,
    }
}
