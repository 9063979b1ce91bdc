//! What grows and lies in the Overworld by itself, so that it can be gathered without building it first.
//!
//! Common knowledge of any player; where exactly it lies is for the body to find out. Of villages only the fields are
//! counted: what stands in houses belongs to someone.

use crate::block::{self as b, BlockId};
use crate::ore::best_height;

/// Where one looks for a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lie {
    /// Under the open sky.
    Surface,
    /// In any rock, high or low.
    Rock,
    /// In rock below the height of the surface.
    Deep,
}

/// Ore that lies evenly up to here is met without going down for it.
const DEEP_BELOW: i32 = 60;

const COMMON: [BlockId; 19] = [
    b::DIRT,
    b::GRASS_BLOCK,
    b::SAND,
    b::GRAVEL,
    b::GRASS,
    b::TALL_GRASS,
    b::FERN,
    b::OAK_LOG,
    b::SPRUCE_LOG,
    b::BIRCH_LOG,
    b::JUNGLE_LOG,
    b::ACACIA_LOG,
    b::DARK_OAK_LOG,
    b::OAK_LEAVES,
    b::SPRUCE_LEAVES,
    b::BIRCH_LEAVES,
    b::JUNGLE_LEAVES,
    b::ACACIA_LEAVES,
    b::DARK_OAK_LEAVES,
];

const RARE: [BlockId; 44] = [
    b::COARSE_DIRT,
    b::PODZOL,
    b::MYCELIUM,
    b::RED_SAND,
    b::SANDSTONE,
    b::RED_SANDSTONE,
    b::CLAY,
    b::ICE,
    b::PACKED_ICE,
    b::SNOW,
    b::SNOW_BLOCK,
    b::TERRACOTTA,
    b::LARGE_FERN,
    b::DEAD_BUSH,
    b::DANDELION,
    b::POPPY,
    b::BLUE_ORCHID,
    b::ALLIUM,
    b::AZURE_BLUET,
    b::RED_TULIP,
    b::ORANGE_TULIP,
    b::WHITE_TULIP,
    b::PINK_TULIP,
    b::OXEYE_DAISY,
    b::CORNFLOWER,
    b::LILY_OF_THE_VALLEY,
    b::SUNFLOWER,
    b::LILAC,
    b::ROSE_BUSH,
    b::PEONY,
    b::BROWN_MUSHROOM,
    b::RED_MUSHROOM,
    b::BROWN_MUSHROOM_BLOCK,
    b::RED_MUSHROOM_BLOCK,
    b::MUSHROOM_STEM,
    b::SUGAR_CANE,
    b::CACTUS,
    b::PUMPKIN,
    b::MELON,
    b::VINE,
    b::LILY_PAD,
    b::SEAGRASS,
    b::KELP,
    b::BAMBOO,
];

/// Stands in villages: fields and their harvest.
const VILLAGE: [BlockId; 5] = [
    b::WHEAT,
    b::CARROTS,
    b::POTATOES,
    b::BEETROOTS,
    b::HAY_BLOCK,
];

/// Borne by two kinds of land at most: where one begins there may be none of them for a day's walk.
const LOCAL: [BlockId; 21] = [
    b::ACACIA_LOG,
    b::ACACIA_LEAVES,
    b::JUNGLE_LOG,
    b::JUNGLE_LEAVES,
    b::DARK_OAK_LOG,
    b::DARK_OAK_LEAVES,
    b::MYCELIUM,
    b::RED_SAND,
    b::RED_SANDSTONE,
    b::TERRACOTTA,
    b::BLUE_ORCHID,
    b::ALLIUM,
    b::SUNFLOWER,
    b::BROWN_MUSHROOM_BLOCK,
    b::RED_MUSHROOM_BLOCK,
    b::MUSHROOM_STEM,
    b::CACTUS,
    b::MELON,
    b::VINE,
    b::LILY_PAD,
    b::BAMBOO,
];

const ROCK: [BlockId; 4] = [b::STONE, b::GRANITE, b::DIORITE, b::ANDESITE];

/// It stands in the fields of villages.
#[must_use]
pub fn is_of_fields(block: BlockId) -> bool {
    VILLAGE.contains(&block)
}

/// It stands in villages, or only where someone has put it.
#[must_use]
pub fn is_of_people(block: BlockId) -> bool {
    VILLAGE.contains(&block) || lie(block).is_none()
}

/// People have built or tilled there: seen from afar, it tells of a village.
#[must_use]
pub fn is_sign_of_people(block: BlockId) -> bool {
    let is_made = [b::GRASS_PATH, b::FARMLAND, b::GLASS].contains(&block);
    let name = block.name();
    let is_built =
        name.ends_with("_planks") || ["cut_sandstone", "smooth_sandstone"].contains(&name);
    VILLAGE.contains(&block) || is_made || is_built
}

/// Where `block` lies by itself; None if it does not.
#[must_use]
pub fn lie(block: BlockId) -> Option<Lie> {
    if [&COMMON[..], &RARE, &VILLAGE]
        .iter()
        .any(|blocks| blocks.contains(&block))
    {
        return Some(Lie::Surface);
    }
    if ROCK.contains(&block) {
        return Some(Lie::Rock);
    }
    if block == b::OBSIDIAN {
        return Some(Lie::Deep);
    }
    best_height(block).map(|y| if y < DEEP_BELOW { Lie::Deep } else { Lie::Rock })
}

/// Whether only few kinds of land bear it.
#[must_use]
pub fn is_local(block: BlockId) -> bool {
    LOCAL.contains(&block)
}

/// Whether it is met on any walk, as against searched for.
#[must_use]
pub fn is_common(block: BlockId) -> bool {
    COMMON.contains(&block) || ROCK.contains(&block)
}

/// Worth naming to the mind when it is seen: stations, ores, logs and the like.
#[must_use]
pub fn is_notable(name: &str) -> bool {
    let station = matches!(
        name,
        "crafting_table"
            | "furnace"
            | "chest"
            | "obsidian"
            | "lava"
            | "spawner"
            | "pumpkin"
            | "melon"
            | "sugar_cane"
            | "cactus"
            | "bookshelf"
            | "cobweb"
            | "enchanting_table"
            | "anvil"
            | "cauldron"
            | "hay_block"
    );
    station || name.ends_with("_ore") || name.ends_with("_log") || name.ends_with("_bed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, expected: Option<Lie>) {
        assert_eq!(lie(BlockId::named(name).unwrap()), expected, "{name}");
    }

    #[test]
    fn each_block_lies_where_players_look() {
        check("oak_log", Some(Lie::Surface));
        check("stone", Some(Lie::Rock));
        check("coal_ore", Some(Lie::Rock));
        check("iron_ore", Some(Lie::Deep));
        check("diamond_ore", Some(Lie::Deep));
        check("crafting_table", None);
        check("wheat", Some(Lie::Surface));
        check("brown_mushroom_block", Some(Lie::Surface));
        check("anvil", None);
    }
}
