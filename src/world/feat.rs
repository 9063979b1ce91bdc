//! Feats: what the body has done that no count of carried things shows.
//!
//! Invariant: entries are only added, each by an action of the body.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::counts::Counts;
use crate::item::ItemId;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Feat {
    /// Bought from a villager, or sold to one.
    Traded,
    Enchanted,
    Repaired,
    /// Colour washed out in a cauldron.
    Washed,
    Dyed,
    /// Taken out of a chest.
    Looted,
}

impl Feat {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Traded => "traded",
            Self::Enchanted => "enchanted",
            Self::Repaired => "repaired",
            Self::Washed => "washed",
            Self::Dyed => "dyed",
            Self::Looted => "looted",
        }
    }
}

/// How many of each item since the reset.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Feats(BTreeMap<Feat, Counts>);

impl Feats {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn add(&mut self, feat: Feat, item: ItemId, count: u32) {
        self.0.entry(feat).or_default().add(item, count);
    }

    #[must_use]
    pub fn count(&self, feat: Feat, item: ItemId) -> u32 {
        self.0.get(&feat).map_or(0, |counts| counts.count(item))
    }

    pub fn iter(&self) -> impl Iterator<Item = (Feat, ItemId, u32)> + '_ {
        self.0
            .iter()
            .flat_map(|(feat, counts)| counts.iter().map(|(item, count)| (*feat, item, count)))
    }
}
