//! Biomes: what each kind of land is made of and what grows and lives there, as rows of a table.
//!
//! A new biome is a row of `FACTS` and a row of `CLIMATES`, not code. Heights are made in `shape`.

use super::trees::TreeKind;
use crate::world::block::{self as blocks, BlockId};
use crate::world::mob::MobKind;

/// A kind of land.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Biome {
    Ocean,
    River,
    Beach,
    Mountains,
    Plains,
    Forest,
    BirchForest,
    Taiga,
    Desert,
}

/// What a biome is made of.
#[derive(Debug)]
pub struct BiomeFacts {
    pub biome: Biome,
    pub name: &'static str,
    /// The uppermost block, above water.
    pub top: BlockId,
    /// The three or four blocks below it.
    pub under: BlockId,
    /// What follows below `under`, four blocks of it.
    pub below: BlockId,
    /// Kinds of tree with their share in 100.
    pub trees: &'static [(TreeKind, u32)],
    /// Trees per 4×4 columns, in 1/1000.
    pub tree_density: u32,
    /// Plants that stand on the ground, in 1/1000 of columns.
    pub plants: &'static [(BlockId, u32)],
    /// Herds: kind, weight, smallest and largest group.
    pub animals: &'static [(MobKind, u32, u32, u32)],
    /// Fit for a player to begin in.
    pub spawn: bool,
}

const FARM: &[(MobKind, u32, u32, u32)] = &[
    (MobKind::Sheep, 12, 3, 4),
    (MobKind::Pig, 10, 3, 4),
    (MobKind::Chicken, 10, 3, 4),
    (MobKind::Cow, 8, 3, 4),
];
const OAKS: &[(TreeKind, u32)] = &[(TreeKind::Oak, 100)];
const MIXED: &[(TreeKind, u32)] = &[(TreeKind::Oak, 80), (TreeKind::Birch, 20)];
const BIRCHES: &[(TreeKind, u32)] = &[(TreeKind::Birch, 100)];
const SPRUCES: &[(TreeKind, u32)] = &[(TreeKind::Spruce, 100)];
const FLOOR: &[(BlockId, u32)] = &[(blocks::SEAGRASS, 60)];

/// Grassland, from which the other rows differ.
const GRASSLAND: BiomeFacts = BiomeFacts {
    biome: Biome::Plains,
    name: "plains",
    top: blocks::GRASS_BLOCK,
    under: blocks::DIRT,
    below: blocks::STONE,
    trees: MIXED,
    tree_density: 6,
    plants: &[
        (blocks::GRASS, 200),
        (blocks::DANDELION, 6),
        (blocks::POPPY, 6),
        (blocks::AZURE_BLUET, 4),
        (blocks::OXEYE_DAISY, 4),
        (blocks::CORNFLOWER, 4),
        (blocks::PUMPKIN, 1),
    ],
    animals: FARM,
    spawn: true,
};

/// One row per biome, in the order of the enum.
pub static FACTS: [BiomeFacts; 9] = [
    BiomeFacts {
        biome: Biome::Ocean,
        name: "ocean",
        top: blocks::GRAVEL,
        under: blocks::GRAVEL,
        tree_density: 0,
        plants: FLOOR,
        animals: &[],
        spawn: false,
        ..GRASSLAND
    },
    BiomeFacts {
        biome: Biome::River,
        name: "river",
        tree_density: 10,
        plants: &[(blocks::GRASS, 80)],
        animals: &[],
        spawn: false,
        ..GRASSLAND
    },
    BiomeFacts {
        biome: Biome::Beach,
        name: "beach",
        top: blocks::SAND,
        under: blocks::SAND,
        below: blocks::SANDSTONE,
        tree_density: 0,
        plants: &[],
        animals: &[],
        spawn: false,
        ..GRASSLAND
    },
    BiomeFacts {
        biome: Biome::Mountains,
        name: "mountains",
        trees: &[(TreeKind::Spruce, 66), (TreeKind::Oak, 34)],
        tree_density: 40,
        plants: &[(blocks::GRASS, 60)],
        spawn: false,
        ..GRASSLAND
    },
    BiomeFacts {
        tree_density: 12,
        ..GRASSLAND
    },
    BiomeFacts {
        biome: Biome::Forest,
        name: "forest",
        tree_density: 560,
        plants: &[
            (blocks::GRASS, 60),
            (blocks::DANDELION, 4),
            (blocks::POPPY, 6),
            (blocks::LILY_OF_THE_VALLEY, 3),
            (blocks::BROWN_MUSHROOM, 2),
            (blocks::RED_MUSHROOM, 1),
        ],
        ..GRASSLAND
    },
    BiomeFacts {
        biome: Biome::BirchForest,
        name: "birch_forest",
        trees: BIRCHES,
        tree_density: 560,
        plants: &[
            (blocks::GRASS, 60),
            (blocks::POPPY, 4),
            (blocks::LILY_OF_THE_VALLEY, 4),
        ],
        ..GRASSLAND
    },
    BiomeFacts {
        biome: Biome::Taiga,
        name: "taiga",
        trees: SPRUCES,
        tree_density: 480,
        plants: &[
            (blocks::FERN, 90),
            (blocks::GRASS, 30),
            (blocks::BROWN_MUSHROOM, 4),
            (blocks::RED_MUSHROOM, 2),
        ],
        ..GRASSLAND
    },
    BiomeFacts {
        biome: Biome::Desert,
        name: "desert",
        top: blocks::SAND,
        under: blocks::SAND,
        below: blocks::SANDSTONE,
        trees: OAKS,
        tree_density: 0,
        plants: &[(blocks::CACTUS, 5), (blocks::DEAD_BUSH, 8)],
        animals: &[(MobKind::Rabbit, 4, 2, 3)],
        spawn: false,
    },
];

impl Biome {
    #[inline]
    #[must_use]
    pub fn facts(self) -> &'static BiomeFacts {
        &FACTS[self as usize]
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        self.facts().name
    }
}

/// Inland climates: the first row that fits decides. Columns: warmth from..to, wetness from..to,
/// variety at least.
const CLIMATES: &[([f32; 2], [f32; 2], f32, Biome)] = &[
    ([0.32, 9.0], [-9.0, 0.1], -9.0, Biome::Desert),
    ([-9.0, -0.3], [-9.0, 9.0], -9.0, Biome::Taiga),
    ([-9.0, 9.0], [0.0, 9.0], 0.28, Biome::BirchForest),
    ([-9.0, 9.0], [0.0, 9.0], -9.0, Biome::Forest),
    ([-9.0, 9.0], [-9.0, 9.0], -9.0, Biome::Plains),
];

/// The biome of dry, flat land.
pub(crate) fn inland(warmth: f32, wetness: f32, variety: f32) -> Biome {
    let fits = |range: [f32; 2], v: f32| range[0] <= v && v < range[1];
    CLIMATES
        .iter()
        .find(|(warm, wet, least, _)| {
            fits(*warm, warmth) && fits(*wet, wetness) && variety >= *least
        })
        .map_or(Biome::Plains, |row| row.3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_biome_finds_its_own_row() {
        for (i, facts) in FACTS.iter().enumerate() {
            assert_eq!(facts.biome as usize, i, "{}", facts.name);
            assert_eq!(facts.trees.iter().map(|(_, share)| share).sum::<u32>(), 100);
        }
    }
}
