//! Crops: what is grown, and from what.
//!
//! Only what a player plants on purpose; how long it takes is the world's affair.

use super::block::BlockId;
use super::family::ItemSpec;
use super::item::ItemId;

/// Something that is planted and gives something when it has grown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crop {
    /// What is planted.
    pub seed: ItemId,
    /// The block that stands there afterwards.
    pub plant: BlockId,
    /// What is gathered when it has grown.
    pub gives: ItemId,
    /// The ground has to be tilled.
    pub tilled: bool,
}

const ROWS: [(&str, &str, &str, bool); 19] = [
    ("wheat_seeds", "wheat", "wheat", true),
    ("carrot", "carrots", "carrot", true),
    ("potato", "potatoes", "potato", true),
    ("potato", "potatoes", "poisonous_potato", true),
    ("beetroot_seeds", "beetroots", "beetroot", true),
    ("melon_seeds", "melon_stem", "melon_slice", true),
    ("pumpkin_seeds", "pumpkin_stem", "pumpkin", true),
    ("sugar_cane", "sugar_cane", "sugar_cane", false),
    ("cactus", "cactus", "cactus", false),
    ("bamboo", "bamboo", "bamboo", false),
    ("kelp", "kelp", "kelp", false),
    ("sweet_berries", "sweet_berry_bush", "sweet_berries", false),
    ("cocoa_beans", "cocoa", "cocoa_beans", false),
    ("oak_sapling", "oak_sapling", "oak_log", false),
    ("spruce_sapling", "spruce_sapling", "spruce_log", false),
    ("birch_sapling", "birch_sapling", "birch_log", false),
    ("jungle_sapling", "jungle_sapling", "jungle_log", false),
    ("acacia_sapling", "acacia_sapling", "acacia_log", false),
    ("brown_mushroom", "brown_mushroom", "brown_mushroom", false),
];

/// Every crop whose names the tables of blocks and items know.
pub fn all() -> impl Iterator<Item = Crop> {
    ROWS.into_iter().filter_map(|(seed, plant, gives, tilled)| {
        Some(Crop {
            seed: ItemId::named(seed)?,
            plant: BlockId::named(plant)?,
            gives: ItemId::named(gives)?,
            tilled,
        })
    })
}

/// The crops that give `wanted`.
pub fn giving(wanted: ItemSpec) -> impl Iterator<Item = Crop> {
    all().filter(move |crop| wanted.matches(crop.gives))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_names_things_of_the_game() {
        assert_eq!(all().count(), ROWS.len());
    }
}
