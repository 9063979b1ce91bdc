//! Purpose: what a thing is wanted for; not every mob and block of a kind will do for each.
//!
//! Invariant: the search and whoever uses what it found ask here, so that nothing counts as found that is then refused.

use super::super::senses::{Living, Senses};
use crate::block::BlockId;
use crate::family::ItemSpec;
use crate::mob::MobKind;
use crate::space::Pos;

/// A shorn sheep has eaten after so many ticks, mostly, and the young have grown.
const WOOL_TICKS: u64 = 2_000;
const CHILDHOOD_TICKS: u64 = 24_000;

/// What is to be done with what is found.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) enum Purpose {
    /// Anything: each will do.
    #[default]
    Any,
    /// To be clicked on, fed or eaten.
    Use,
    /// To be shorn, for such wool if it matters.
    Shear { gain: Option<ItemSpec> },
    /// To be killed for this.
    Kill { gain: ItemSpec },
}

impl Purpose {
    /// Of using such a thing to get this.
    pub(crate) fn of_using(item: Option<ItemSpec>, gain: Option<ItemSpec>) -> Self {
        let item = item.and_then(ItemSpec::single);
        match item.is_some_and(|item| item.name() == "shears") {
            true => Self::Shear { gain },
            false => Self::Use,
        }
    }

    /// Shears want wool, and of the right colour; the young are of no use.
    pub(crate) fn suits_mob(self, mob: &Living) -> bool {
        match self {
            Self::Any => true,
            Self::Shear { gain } if mob.kind == MobKind::Sheep => {
                let is_right = |wool| gain.is_none_or(|gain| gain.matches(wool));
                !mob.is_baby && mob.wool.is_some_and(is_right)
            }
            // Who carries nothing yet may take it up.
            Self::Kill { gain } if mob.kind.facts().may_carry(gain) => {
                mob.held.is_none_or(|held| gain.matches(held))
            }
            Self::Use | Self::Shear { .. } | Self::Kill { .. } => !mob.is_baby,
        }
    }

    /// It is to be watched until it carries what it is wanted for.
    pub(crate) fn waits_for(self, mob: &Living) -> bool {
        matches!(self, Self::Kill { gain } if mob.kind.facts().may_carry(gain))
            && mob.held.is_none()
    }

    /// One that did not suit may do so many ticks after it was seen.
    pub(crate) fn changes_after(self) -> u64 {
        match self {
            Self::Any | Self::Use | Self::Kill { .. } => CHILDHOOD_TICKS,
            Self::Shear { .. } => WOOL_TICKS,
        }
    }

    /// A fluid is clicked on at its surface.
    pub(crate) fn suits_block(self, s: &Senses, at: Pos, block: BlockId) -> bool {
        !matches!(self, Self::Use | Self::Shear { .. })
            || !block.is_fluid()
            || s.seen.nature(at.up()).is_air()
    }
}
