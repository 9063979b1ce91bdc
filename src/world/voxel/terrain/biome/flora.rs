//! What grows and lives in biomes: the lists that the rows of `FACTS` are put together from.
//!
//! Shares of plants are in 1/10,000 of columns. Weights and herds of animals and monsters are
//! those of 1.16.

use super::Herd;
use crate::block::{self as blocks, BlockId};
use crate::mob::MobKind;
use crate::voxel::terrain::tree::TreeKind;

type Plants = &'static [(BlockId, u32)];
type Trees = &'static [(TreeKind, u32)];
type Monsters = &'static [(MobKind, u32)];

pub(super) const FARM: &[Herd] = &[
    (MobKind::Sheep, 12, 3, 4),
    (MobKind::Pig, 10, 3, 4),
    (MobKind::Chicken, 10, 3, 4),
    (MobKind::Cow, 8, 3, 4),
];
pub(super) const PRAIRIE: &[Herd] = &[
    (MobKind::Sheep, 12, 3, 4),
    (MobKind::Pig, 10, 3, 4),
    (MobKind::Chicken, 10, 3, 4),
    (MobKind::Cow, 8, 3, 4),
    (MobKind::Horse, 5, 2, 6),
];
pub(super) const STEPPE: &[Herd] = &[
    (MobKind::Sheep, 12, 3, 4),
    (MobKind::Pig, 10, 3, 4),
    (MobKind::Chicken, 10, 3, 4),
    (MobKind::Cow, 8, 3, 4),
    (MobKind::Horse, 1, 2, 6),
    (MobKind::Llama, 8, 4, 4),
];
pub(super) const HIGHLAND: &[Herd] = &[
    (MobKind::Sheep, 12, 3, 4),
    (MobKind::Pig, 10, 3, 4),
    (MobKind::Chicken, 10, 3, 4),
    (MobKind::Cow, 8, 3, 4),
    (MobKind::Llama, 5, 4, 6),
];
pub(super) const WARREN: &[Herd] = &[
    (MobKind::Sheep, 12, 3, 4),
    (MobKind::Pig, 10, 3, 4),
    (MobKind::Chicken, 10, 3, 4),
    (MobKind::Cow, 8, 3, 4),
    (MobKind::Rabbit, 4, 2, 3),
];
pub(super) const COOPS: &[Herd] = &[
    (MobKind::Sheep, 12, 3, 4),
    (MobKind::Pig, 10, 3, 4),
    (MobKind::Chicken, 20, 3, 4),
    (MobKind::Cow, 8, 3, 4),
];
pub(super) const RABBITS: &[Herd] = &[(MobKind::Rabbit, 4, 2, 3)];
pub(super) const MOOSHROOMS: &[Herd] = &[(MobKind::Mooshroom, 8, 4, 8)];

pub(super) const SEA_LIFE: &[Herd] = &[(MobKind::Squid, 1, 1, 4), (MobKind::Cod, 10, 3, 6)];
pub(super) const WARM_LIFE: &[Herd] = &[(MobKind::Squid, 10, 2, 4)];
pub(super) const COLD_LIFE: &[Herd] = &[
    (MobKind::Squid, 3, 1, 4),
    (MobKind::Cod, 15, 3, 6),
    (MobKind::Salmon, 15, 1, 5),
];
pub(super) const RIVER_LIFE: &[Herd] = &[(MobKind::Squid, 2, 1, 4), (MobKind::Salmon, 5, 1, 5)];

pub(super) const MONSTERS: Monsters = &[
    (MobKind::Spider, 100),
    (MobKind::Zombie, 100),
    (MobKind::Skeleton, 100),
    (MobKind::Creeper, 100),
    (MobKind::Slime, 100),
    (MobKind::Enderman, 10),
    (MobKind::Witch, 5),
];
pub(super) const DESERT_MONSTERS: Monsters = &[
    (MobKind::Spider, 100),
    (MobKind::Husk, 80),
    (MobKind::Zombie, 20),
    (MobKind::Skeleton, 100),
    (MobKind::Creeper, 100),
    (MobKind::Slime, 100),
    (MobKind::Enderman, 10),
    (MobKind::Witch, 5),
];
pub(super) const SNOW_MONSTERS: Monsters = &[
    (MobKind::Spider, 100),
    (MobKind::Zombie, 100),
    (MobKind::Stray, 80),
    (MobKind::Skeleton, 20),
    (MobKind::Creeper, 100),
    (MobKind::Slime, 100),
    (MobKind::Enderman, 10),
    (MobKind::Witch, 5),
];

pub(super) const MIXED: Trees = &[
    (TreeKind::Oak, 70),
    (TreeKind::Birch, 20),
    (TreeKind::BigOak, 10),
];
pub(super) const BIRCHES: Trees = &[(TreeKind::Birch, 100)];
pub(super) const SPRUCES: Trees = &[(TreeKind::Spruce, 100)];
pub(super) const DARK_OAKS: Trees = &[
    (TreeKind::DarkOak, 66),
    (TreeKind::Oak, 16),
    (TreeKind::Birch, 12),
    (TreeKind::BrownMushroom, 3),
    (TreeKind::RedMushroom, 3),
];
pub(super) const JUNGLE_TREES: Trees = &[
    (TreeKind::Jungle, 45),
    (TreeKind::JungleBush, 30),
    (TreeKind::BigJungle, 15),
    (TreeKind::BigOak, 10),
];
pub(super) const ACACIAS: Trees = &[(TreeKind::Acacia, 80), (TreeKind::Oak, 20)];
pub(super) const SWAMP_OAKS: Trees = &[(TreeKind::SwampOak, 100)];
pub(super) const MUSHROOM_TREES: Trees =
    &[(TreeKind::BrownMushroom, 50), (TreeKind::RedMushroom, 50)];
pub(super) const MOUNTAIN_TREES: Trees = &[(TreeKind::Spruce, 66), (TreeKind::Oak, 34)];

pub(super) const SEA_FLOOR: Plants = &[(blocks::SEAGRASS, 600)];
pub(super) const RIVER_BANK: Plants = &[(blocks::GRASS, 800), (blocks::SEAGRASS, 300)];
pub(super) const MEADOW: Plants = &[
    (blocks::GRASS, 2000),
    (blocks::DANDELION, 60),
    (blocks::POPPY, 60),
    (blocks::AZURE_BLUET, 40),
    (blocks::OXEYE_DAISY, 40),
    (blocks::CORNFLOWER, 40),
    (blocks::TALL_GRASS, 100),
];
pub(super) const TULIPS: Plants = &[
    (blocks::RED_TULIP, 12),
    (blocks::ORANGE_TULIP, 12),
    (blocks::WHITE_TULIP, 12),
    (blocks::PINK_TULIP, 12),
];
pub(super) const SUNFLOWERS: Plants = &[(blocks::SUNFLOWER, 250)];
pub(super) const PUMPKINS: Plants = &[(blocks::PUMPKIN, 4)];
pub(super) const WOODLAND: Plants = &[
    (blocks::GRASS, 600),
    (blocks::DANDELION, 40),
    (blocks::POPPY, 60),
    (blocks::LILY_OF_THE_VALLEY, 30),
    (blocks::BROWN_MUSHROOM, 20),
    (blocks::RED_MUSHROOM, 10),
];
pub(super) const SHRUBS: Plants = &[
    (blocks::LILAC, 16),
    (blocks::ROSE_BUSH, 16),
    (blocks::PEONY, 16),
];
pub(super) const GARDEN: Plants = &[
    (blocks::GRASS, 400),
    (blocks::DANDELION, 160),
    (blocks::POPPY, 160),
    (blocks::ALLIUM, 160),
    (blocks::AZURE_BLUET, 160),
    (blocks::RED_TULIP, 90),
    (blocks::ORANGE_TULIP, 90),
    (blocks::WHITE_TULIP, 90),
    (blocks::PINK_TULIP, 90),
    (blocks::OXEYE_DAISY, 160),
    (blocks::CORNFLOWER, 160),
    (blocks::LILY_OF_THE_VALLEY, 160),
];
pub(super) const NEEDLE_FLOOR: Plants = &[
    (blocks::FERN, 900),
    (blocks::GRASS, 300),
    (blocks::BROWN_MUSHROOM, 40),
    (blocks::RED_MUSHROOM, 20),
    (blocks::LARGE_FERN, 150),
    (blocks::SWEET_BERRY_BUSH, 50),
    (blocks::DANDELION, 10),
    (blocks::POPPY, 10),
];
pub(super) const COLD_FLOOR: Plants = &[
    (blocks::GRASS, 60),
    (blocks::DANDELION, 8),
    (blocks::POPPY, 8),
];
pub(super) const JUNGLE_FLOOR: Plants = &[
    (blocks::GRASS, 1500),
    (blocks::FERN, 800),
    (blocks::LARGE_FERN, 150),
    (blocks::DANDELION, 20),
    (blocks::POPPY, 20),
    (blocks::MELON, 30),
    (blocks::BAMBOO, 60),
];
pub(super) const SAVANNA_FLOOR: Plants = &[
    (blocks::GRASS, 2600),
    (blocks::TALL_GRASS, 500),
    (blocks::DANDELION, 20),
    (blocks::POPPY, 20),
];
pub(super) const DRY_FLOOR: Plants = &[(blocks::CACTUS, 50), (blocks::DEAD_BUSH, 80)];
pub(super) const RED_FLOOR: Plants = &[(blocks::CACTUS, 40), (blocks::DEAD_BUSH, 200)];
pub(super) const BOG: Plants = &[
    (blocks::GRASS, 900),
    (blocks::BLUE_ORCHID, 80),
    (blocks::BROWN_MUSHROOM, 60),
    (blocks::RED_MUSHROOM, 30),
    (blocks::DEAD_BUSH, 30),
    (blocks::LILY_PAD, 900),
    (blocks::SEAGRASS, 400),
];
pub(super) const SPORES: Plants = &[(blocks::BROWN_MUSHROOM, 60), (blocks::RED_MUSHROOM, 60)];
pub(super) const MOSS: Plants = &[(blocks::GRASS, 600), (blocks::FERN, 30)];
