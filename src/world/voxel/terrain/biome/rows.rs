//! The table of biomes: one row each, in the order of the enum.
//!
//! Rows say only how they differ from grassland; the lists stand in `flora`.

use super::{Biome, BiomeFacts, COMMON, Relief, flora};
use crate::block as blocks;

/// Grassland, from which the other rows differ.
const GRASSLAND: BiomeFacts = BiomeFacts {
    biome: Biome::Plains,
    name: "plains",
    top: blocks::GRASS_BLOCK,
    under: blocks::DIRT,
    below: blocks::STONE,
    bed: blocks::SAND,
    trees: flora::MIXED,
    tree_density: 6,
    plants: &[flora::MEADOW, flora::TULIPS, flora::PUMPKINS],
    animals: flora::PRAIRIE,
    swimmers: &[],
    monsters: flora::MONSTERS,
    snowy: false,
    relief: COMMON,
    spawn: true,
};

/// One row per biome.
pub static FACTS: [BiomeFacts; 24] = [
    BiomeFacts {
        biome: Biome::Ocean,
        name: "ocean",
        top: blocks::GRAVEL,
        under: blocks::GRAVEL,
        bed: blocks::SAND,
        tree_density: 0,
        plants: &[flora::SEA_FLOOR],
        animals: &[],
        swimmers: flora::SEA_LIFE,
        spawn: false,
        ..GRASSLAND
    },
    BiomeFacts {
        biome: Biome::WarmOcean,
        name: "warm_ocean",
        top: blocks::SAND,
        under: blocks::SAND,
        bed: blocks::SAND,
        tree_density: 0,
        plants: &[flora::SEA_FLOOR],
        animals: &[],
        swimmers: flora::WARM_LIFE,
        spawn: false,
        ..GRASSLAND
    },
    BiomeFacts {
        biome: Biome::ColdOcean,
        name: "cold_ocean",
        top: blocks::GRAVEL,
        under: blocks::GRAVEL,
        bed: blocks::GRAVEL,
        tree_density: 0,
        plants: &[flora::SEA_FLOOR],
        animals: &[],
        swimmers: flora::COLD_LIFE,
        spawn: false,
        ..GRASSLAND
    },
    BiomeFacts {
        biome: Biome::FrozenOcean,
        name: "frozen_ocean",
        top: blocks::GRAVEL,
        under: blocks::GRAVEL,
        bed: blocks::GRAVEL,
        tree_density: 0,
        plants: &[],
        animals: &[],
        swimmers: flora::COLD_LIFE,
        snowy: true,
        spawn: false,
        ..GRASSLAND
    },
    BiomeFacts {
        biome: Biome::River,
        name: "river",
        tree_density: 10,
        plants: &[flora::RIVER_BANK],
        animals: &[],
        swimmers: flora::RIVER_LIFE,
        spawn: false,
        ..GRASSLAND
    },
    BiomeFacts {
        biome: Biome::FrozenRiver,
        name: "frozen_river",
        tree_density: 0,
        plants: &[],
        animals: &[],
        swimmers: flora::RIVER_LIFE,
        monsters: flora::SNOW_MONSTERS,
        snowy: true,
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
        biome: Biome::SnowyBeach,
        name: "snowy_beach",
        top: blocks::SAND,
        under: blocks::SAND,
        below: blocks::SANDSTONE,
        tree_density: 0,
        plants: &[],
        animals: &[],
        snowy: true,
        spawn: false,
        ..GRASSLAND
    },
    BiomeFacts {
        biome: Biome::Mountains,
        name: "mountains",
        trees: flora::MOUNTAIN_TREES,
        tree_density: 40,
        plants: &[flora::MOSS],
        animals: flora::HIGHLAND,
        spawn: false,
        ..GRASSLAND
    },
    BiomeFacts {
        biome: Biome::MushroomFields,
        name: "mushroom_fields",
        top: blocks::MYCELIUM,
        trees: flora::MUSHROOM_TREES,
        tree_density: 60,
        plants: &[flora::SPORES],
        animals: flora::MOOSHROOMS,
        monsters: &[],
        spawn: false,
        ..GRASSLAND
    },
    BiomeFacts {
        biome: Biome::Plains,
        name: "plains",
        tree_density: 12,
        ..GRASSLAND
    },
    BiomeFacts {
        biome: Biome::SunflowerPlains,
        name: "sunflower_plains",
        tree_density: 12,
        plants: &[
            flora::MEADOW,
            flora::TULIPS,
            flora::SUNFLOWERS,
            flora::PUMPKINS,
        ],
        ..GRASSLAND
    },
    BiomeFacts {
        biome: Biome::Forest,
        name: "forest",
        tree_density: 560,
        plants: &[flora::WOODLAND, flora::SHRUBS, flora::PUMPKINS],
        animals: flora::FARM,
        ..GRASSLAND
    },
    BiomeFacts {
        biome: Biome::FlowerForest,
        name: "flower_forest",
        tree_density: 260,
        plants: &[flora::GARDEN, flora::SHRUBS],
        animals: flora::WARREN,
        ..GRASSLAND
    },
    BiomeFacts {
        biome: Biome::BirchForest,
        name: "birch_forest",
        trees: flora::BIRCHES,
        tree_density: 560,
        plants: &[flora::WOODLAND, flora::SHRUBS, flora::PUMPKINS],
        animals: flora::FARM,
        ..GRASSLAND
    },
    BiomeFacts {
        biome: Biome::DarkForest,
        name: "dark_forest",
        trees: flora::DARK_OAKS,
        tree_density: 640,
        plants: &[flora::WOODLAND, flora::SHRUBS],
        animals: flora::FARM,
        ..GRASSLAND
    },
    BiomeFacts {
        biome: Biome::Taiga,
        name: "taiga",
        trees: flora::SPRUCES,
        tree_density: 480,
        plants: &[flora::NEEDLE_FLOOR, flora::PUMPKINS],
        animals: flora::WARREN,
        ..GRASSLAND
    },
    BiomeFacts {
        biome: Biome::SnowyTundra,
        name: "snowy_tundra",
        trees: flora::SPRUCES,
        tree_density: 8,
        plants: &[flora::COLD_FLOOR],
        animals: flora::RABBITS,
        monsters: flora::SNOW_MONSTERS,
        snowy: true,
        relief: Relief {
            hills: 0.6,
            ..COMMON
        },
        spawn: false,
        ..GRASSLAND
    },
    BiomeFacts {
        biome: Biome::SnowyTaiga,
        name: "snowy_taiga",
        trees: flora::SPRUCES,
        tree_density: 420,
        plants: &[flora::NEEDLE_FLOOR],
        animals: flora::WARREN,
        monsters: flora::SNOW_MONSTERS,
        snowy: true,
        spawn: false,
        ..GRASSLAND
    },
    BiomeFacts {
        biome: Biome::Jungle,
        name: "jungle",
        trees: flora::JUNGLE_TREES,
        tree_density: 760,
        plants: &[flora::JUNGLE_FLOOR],
        animals: flora::COOPS,
        relief: Relief {
            hills: 1.5,
            ..COMMON
        },
        spawn: false,
        ..GRASSLAND
    },
    BiomeFacts {
        biome: Biome::Savanna,
        name: "savanna",
        trees: flora::ACACIAS,
        tree_density: 90,
        plants: &[flora::SAVANNA_FLOOR],
        animals: flora::STEPPE,
        relief: Relief {
            hills: 0.5,
            level: 72.0,
            pull: 0.4,
            ..COMMON
        },
        spawn: false,
        ..GRASSLAND
    },
    BiomeFacts {
        biome: Biome::Desert,
        name: "desert",
        top: blocks::SAND,
        under: blocks::SAND,
        below: blocks::SANDSTONE,
        bed: blocks::SAND,
        tree_density: 0,
        plants: &[flora::DRY_FLOOR],
        animals: flora::RABBITS,
        monsters: flora::DESERT_MONSTERS,
        relief: Relief {
            hills: 0.8,
            ..COMMON
        },
        spawn: false,
        ..GRASSLAND
    },
    BiomeFacts {
        biome: Biome::Badlands,
        name: "badlands",
        top: blocks::RED_SAND,
        under: blocks::RED_SAND,
        below: blocks::RED_SANDSTONE,
        bed: blocks::RED_SAND,
        tree_density: 0,
        plants: &[flora::RED_FLOOR],
        animals: &[],
        relief: Relief {
            hills: 0.5,
            level: 68.0,
            pull: 0.5,
            mesas: 34.0,
        },
        spawn: false,
        ..GRASSLAND
    },
    BiomeFacts {
        biome: Biome::Swamp,
        name: "swamp",
        trees: flora::SWAMP_OAKS,
        tree_density: 120,
        plants: &[flora::BOG],
        animals: flora::FARM,
        bed: blocks::DIRT,
        relief: Relief {
            hills: 0.25,
            level: 61.2,
            pull: 0.9,
            ..COMMON
        },
        spawn: false,
        ..GRASSLAND
    },
];
