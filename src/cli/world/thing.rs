//! Things that `pithead world` can be asked for: the same names in all its commands.
//!
//! Invariant: an item goes before a block of the same name, and a village or trade before both.

use pithead_world::block::BlockId;
use pithead_world::family::ItemSpec;
use pithead_world::naming::UnknownName;
use pithead_world::trade::Profession;
use std::fmt;
use std::str::FromStr;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Thing {
    /// An item, or any of a family.
    Item(ItemSpec),
    /// A block that is no item, such as water.
    Block(BlockId),
    /// Where villagers live.
    Village,
    /// Villagers of this trade.
    Trade(Profession),
}

impl FromStr for Thing {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        if matches!(name, "village" | "villager") {
            return Ok(Self::Village);
        }
        if let Some(trade) = Profession::ALL.into_iter().find(|who| who.name() == name) {
            return Ok(Self::Trade(trade));
        }
        match (name.parse::<ItemSpec>(), BlockId::named(name)) {
            (Ok(item), _) => Ok(Self::Item(item)),
            (Err(_), Some(block)) => Ok(Self::Block(block)),
            (Err(unknown), None) => Err(unknown),
        }
    }
}

impl fmt::Display for Thing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Item(item) => item.fmt(f),
            Self::Block(block) => block.fmt(f),
            Self::Village => f.write_str("village"),
            Self::Trade(trade) => f.write_str(trade.name()),
        }
    }
}
