//! Uses: what comes of using one thing on another with the right button.
//!
//! Tables of facts; reach, hunger and age are the world's affair. Invariant: nothing is gained that
//! is not written here.

use crate::block::{self as blocks, BlockId};
use crate::item::{ItemId, ToolKind};
use crate::mob::MobKind;

/// Vessels: what is held, on what, and what is held after.
/// By name: some are blocks, some are mobs.
pub const FILLS: [(&str, &str, &str); 6] = [
    ("bucket", "water", "water_bucket"),
    ("bucket", "lava", "lava_bucket"),
    ("bucket", "cow", "milk_bucket"),
    ("bucket", "mooshroom", "milk_bucket"),
    ("bowl", "mooshroom", "mushroom_stew"),
    ("glass_bottle", "water", "potion"),
];

/// What falls out of a pumpkin when it is carved.
/// As in the game.
const CARVED_SEEDS: u32 = 4;

/// A block that a tool makes of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turned {
    pub into: BlockId,
    /// What falls out of it.
    pub spills: Option<(ItemId, u32)>,
}

/// What using a tool of this kind on a block makes of it.
#[must_use]
pub fn turned(tool: ToolKind, block: BlockId) -> Option<Turned> {
    let plain = |into| Turned { into, spills: None };
    match (tool, block) {
        (ToolKind::Hoe, blocks::GRASS_BLOCK | blocks::DIRT | blocks::GRASS_PATH) => {
            Some(plain(blocks::FARMLAND))
        }
        (ToolKind::Hoe, blocks::COARSE_DIRT) => Some(plain(blocks::DIRT)),
        (ToolKind::Shovel, blocks::GRASS_BLOCK) => Some(plain(blocks::GRASS_PATH)),
        (ToolKind::Shears, blocks::PUMPKIN) => Some(Turned {
            into: BlockId::named("carved_pumpkin")?,
            spills: ItemId::named("pumpkin_seeds").map(|seeds| (seeds, CARVED_SEEDS)),
        }),
        (ToolKind::Axe, wood) => {
            // Bark of any kind: a new wood needs no row here.
            let bark = wood.name().ends_with("_log") || wood.name().ends_with("_wood");
            let stripped = bark.then(|| format!("stripped_{}", wood.name()))?;
            BlockId::named(&stripped).map(plain)
        }
        _ => None,
    }
}

/// The blocks and tools that `into` can be made of with.
/// Searched, not listed: the rules above stay the only place.
pub fn turned_into(into: BlockId) -> impl Iterator<Item = (ToolKind, BlockId)> {
    let tools = [
        ToolKind::Axe,
        ToolKind::Shears,
        ToolKind::Hoe,
        ToolKind::Shovel,
    ];
    let pairs =
        BlockId::all().flat_map(move |block| tools.into_iter().map(move |tool| (tool, block)));
    pairs.filter(move |(tool, block)| turned(*tool, *block).is_some_and(|t| t.into == into))
}

/// What is held, on what it is used, and what that gives: vessels filled, a pumpkin carved.
pub fn yields() -> impl Iterator<Item = (ItemId, &'static str, ItemId)> {
    let carved = ["carved_pumpkin", "pumpkin_seeds"].map(|gives| ("shears", "pumpkin", gives));
    let rows = FILLS.into_iter().chain(carved);
    rows.filter_map(|(held, on, gives)| Some((ItemId::named(held)?, on, ItemId::named(gives)?)))
}

/// The colour that a dye gives, as it begins the names of what is coloured.
#[must_use]
pub fn dye_colour(item: ItemId) -> Option<&'static str> {
    item.name().strip_suffix("_dye")
}

/// The wool of a sheep that was dyed with this.
#[must_use]
pub fn dyed_wool(dye: ItemId) -> Option<ItemId> {
    ItemId::named(&format!("{}_wool", dye_colour(dye)?))
}

/// What a mob turns into when it is shorn; None: it stays what it is.
#[must_use]
pub fn shorn_into(kind: MobKind) -> Option<MobKind> {
    (kind == MobKind::Mooshroom).then_some(MobKind::Cow)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_turn_blocks_as_in_the_game() {
        let turn = |tool, block: &str| {
            turned(tool, block.parse().unwrap()).map_or("", |turned| turned.into.name())
        };
        assert_eq!(turn(ToolKind::Axe, "oak_log"), "stripped_oak_log");
        assert_eq!(turn(ToolKind::Axe, "birch_wood"), "stripped_birch_wood");
        assert_eq!(turn(ToolKind::Axe, "stripped_oak_log"), "");
        assert_eq!(turn(ToolKind::Hoe, "dirt"), "farmland");
        assert_eq!(turn(ToolKind::Shovel, "dirt"), "");
        assert_eq!(turn(ToolKind::Shears, "pumpkin"), "carved_pumpkin");
        let back: Vec<_> = turned_into("stripped_oak_log".parse().unwrap()).collect();
        assert_eq!(back, [(ToolKind::Axe, blocks::OAK_LOG)]);
    }

    #[test]
    fn every_name_of_the_table_exists() {
        for (held, on, full) in FILLS {
            assert!(ItemId::named(held).is_some() && ItemId::named(full).is_some());
            assert!(BlockId::named(on).is_some() || MobKind::named(on).is_some());
        }
    }
}
