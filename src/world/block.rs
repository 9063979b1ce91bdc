//! Blocks: what a cell of the world can hold, how it breaks and what it takes to harvest it.
//!
//! Invariant: a `BlockId` always names a row of the table. The questions asked millions of times per second (`is_solid`
//! and its like) read one byte of a static and touch no lock.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::Deserialize;

use crate::item::{ItemId, Tier, Tool, ToolKind};
use crate::naming::{self, named_id, table};

/// The row of the table. 16 bits, as a chunk holds one for each cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(u16);

named_id!(BlockId, "block");

/// Names for the blocks that code speaks of, by row; a test pins each to the table.
// Constants instead of look-ups by name: they are compared in the innermost loops.
macro_rules! blocks {
    ($($name:ident = $row:literal),* $(,)?) => {
        $(pub const $name: BlockId = BlockId($row);)*

        #[cfg(test)]
        const CONSTANTS: &[(&str, BlockId)] = &[$((stringify!($name), $name)),*];
    };
}

blocks! {
    AIR = 0, STONE = 1, GRANITE = 2, DIORITE = 4, ANDESITE = 6, DIRT = 9, COARSE_DIRT = 10, PODZOL = 11, GRASS_BLOCK = 8,
    MYCELIUM = 253, FARMLAND = 153, GRASS_PATH = 498, SAND = 28, RED_SAND = 29, SANDSTONE = 71, RED_SANDSTONE = 448, GRAVEL = 30,
    CLAY = 188, BEDROCK = 25, WATER = 26, LAVA = 27, ICE = 185, PACKED_ICE = 409, SNOW = 184, SNOW_BLOCK = 186, COBBLESTONE = 12,
    MOSSY_COBBLESTONE = 139, OBSIDIAN = 140, OAK_LOG = 35, OAK_LEAVES = 59, OAK_SAPLING = 19, BIRCH_LOG = 37, BIRCH_LEAVES = 61,
    BIRCH_SAPLING = 21, SPRUCE_LOG = 36, SPRUCE_LEAVES = 60, SPRUCE_SAPLING = 20, JUNGLE_LOG = 38, JUNGLE_LEAVES = 62,
    JUNGLE_SAPLING = 22, ACACIA_LOG = 39, ACACIA_LEAVES = 63, ACACIA_SAPLING = 23, DARK_OAK_LOG = 40, DARK_OAK_LEAVES = 64,
    DARK_OAK_SAPLING = 24, OAK_PLANKS = 13, COAL_ORE = 33, IRON_ORE = 32, GOLD_ORE = 31, REDSTONE_ORE = 180, LAPIS_ORE = 68,
    DIAMOND_ORE = 149, EMERALD_ORE = 269, TERRACOTTA = 407, CRAFTING_TABLE = 151, FURNACE = 154, CHEST = 147, TORCH = 141,
    WALL_TORCH = 142, LADDER = 162, FIRE = 143, GRASS = 95, TALL_GRASS = 414, FERN = 96, LARGE_FERN = 415, DEAD_BUSH = 97,
    DANDELION = 119, POPPY = 120, BLUE_ORCHID = 121, ALLIUM = 122, AZURE_BLUET = 123, RED_TULIP = 124, ORANGE_TULIP = 125,
    WHITE_TULIP = 126, PINK_TULIP = 127, OXEYE_DAISY = 128, CORNFLOWER = 129, LILY_OF_THE_VALLEY = 131, SUNFLOWER = 410,
    LILAC = 411, ROSE_BUSH = 412, PEONY = 413, BROWN_MUSHROOM = 132, RED_MUSHROOM = 133, BROWN_MUSHROOM_BLOCK = 238,
    RED_MUSHROOM_BLOCK = 239, MUSHROOM_STEM = 240, SUGAR_CANE = 189, CACTUS = 187, PUMPKIN = 192, MELON = 244, VINE = 249,
    LILY_PAD = 254, SEAGRASS = 98, KELP = 574, BAMBOO = 622, WHEAT = 152, CARROTS = 306, POTATOES = 307, BEETROOTS = 497,
    COBWEB = 94, SPAWNER = 145, TNT = 137, OAK_DOOR = 161, OAK_FENCE = 191, GLASS = 67, WHITE_WOOL = 102, WHITE_BED = 75,
    ANVIL = 326, ENCHANTING_TABLE = 259, CAULDRON = 261, BOOKSHELF = 138, COCOA = 267, SWEET_BERRY_BUSH = 682, PUMPKIN_STEM = 247,
    MELON_STEM = 248, BAMBOO_SAPLING = 621, WHITE_TERRACOTTA = 343, ORANGE_TERRACOTTA = 344, YELLOW_TERRACOTTA = 347,
    LIGHT_GRAY_TERRACOTTA = 351, BROWN_TERRACOTTA = 355, RED_TERRACOTTA = 357, RAIL = 163, HAY_BLOCK = 390,
    INFESTED_STONE = 232, INFESTED_CHISELED_STONE_BRICKS = 237,
}

/// Measures of water in a full cauldron; the measures are its stage.
pub const CAULDRON_FULL: u8 = 3;

/// What a block asks for before it drops anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Harvest {
    pub kind: ToolKind,
    /// The least tier that will do.
    pub tier: Tier,
}

#[derive(Debug, Clone, PartialEq)]
pub struct BlockFacts {
    pub name: &'static str,
    /// Negative: cannot be broken.
    /// The game's unit; ticks follow from it in `break_ticks`.
    pub hardness: f32,
    /// The kind of tool that is quick on it.
    pub tool: Option<ToolKind>,
    /// None: the bare hand suffices.
    pub harvest: Option<Harvest>,
    pub solid: bool,
    pub opaque: bool,
    pub replaceable: bool,
    pub fluid: bool,
    /// Light given off, 0 to 15.
    pub luminance: u8,
    pub falls: bool,
    /// Dropped by blocks that have no item of their own name, before `drops.json` is asked.
    pub(crate) drop: Vec<&'static str>,
}

// One character per block, in the order of blocks.json: '@' plus these bits.
/// A static of bytes, not a table of structs: the flags of all blocks fit into a kilobyte.
static FLAGS: &[u8] = include_bytes!("data/block_flags.txt");
/// Bits of a block in `FLAGS`; `flags_agree_with_what_is_known_of_blocks` holds them to the tables.
const SOLID: u8 = 1;
const OPAQUE: u8 = 2;
const FLUID: u8 = 4;
const REPLACEABLE: u8 = 8;
const FALLS: u8 = 16;
const SHINES: u8 = 32;

impl BlockId {
    /// The block of that name, with or without `minecraft:`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        BLOCKS.by_name.get(naming::without_namespace(name)).copied()
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    #[must_use]
    pub fn facts(self) -> &'static BlockFacts {
        &BLOCKS.rows[usize::from(self.0)]
    }

    /// All blocks, in the order of the game's table.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        let count = u16::try_from(FLAGS.len()).expect("the game has fewer than 65536 blocks");
        (0..count).map(Self)
    }

    /// Names that may have been meant by `name`, best first.
    #[must_use]
    pub fn nearest(name: &str) -> Vec<&'static str> {
        naming::nearest(name, BLOCKS.rows.iter().map(|row| row.name))
    }

    /// The row number, for dense tables keyed by block (palettes, chunk cells). Not for storage: names are stored.
    #[inline]
    #[must_use]
    pub const fn row(self) -> u16 {
        self.0
    }

    /// The inverse of `row`.
    #[inline]
    #[must_use]
    pub fn from_row(row: u16) -> Option<Self> {
        (usize::from(row) < FLAGS.len()).then_some(Self(row))
    }

    #[inline]
    fn has(self, flag: u8) -> bool {
        FLAGS[usize::from(self.0)] & flag != 0
    }

    /// A body collides with it.
    #[inline]
    #[must_use]
    pub fn is_solid(self) -> bool {
        self.has(SOLID)
    }

    /// It stops sight and light.
    #[inline]
    #[must_use]
    pub fn is_opaque(self) -> bool {
        self.has(OPAQUE)
    }

    #[inline]
    #[must_use]
    pub fn is_fluid(self) -> bool {
        self.has(FLUID)
    }

    /// A block can be put where it is, without breaking it first.
    #[inline]
    #[must_use]
    pub fn is_replaceable(self) -> bool {
        self.has(REPLACEABLE)
    }

    /// It falls when nothing is below it.
    #[inline]
    #[must_use]
    pub fn falls(self) -> bool {
        self.has(FALLS)
    }

    /// It gives light.
    #[inline]
    #[must_use]
    pub fn shines(self) -> bool {
        self.has(SHINES)
    }

    /// The item of the same name.
    #[must_use]
    pub fn item(self) -> Option<ItemId> {
        ItemId::named(self.name())
    }
}

/// Whether breaking `block` with `held` in hand yields its drops.
#[must_use]
pub fn can_harvest(block: BlockId, held: Option<ItemId>) -> bool {
    // Nothing asked for: any hand will do.
    let Some(harvest) = block.facts().harvest else {
        return true;
    };
    let Some(tool) = held.and_then(|item| item.facts().tool) else {
        return false;
    };
    // Cobweb is the one block that two kinds of tool harvest.
    let kind_fits = tool.kind == harvest.kind
        || (harvest.kind == ToolKind::Sword && tool.kind == ToolKind::Shears);
    kind_fits && tool.tier.level() >= harvest.tier.level()
}

/// Slower under water and off the ground, five times each, without enchantments.
/// As in the game.
const HINDERED: f64 = 5.0;
/// Hardness × 30 ticks with a tool that harvests, × 100 without.
const DIVISOR_HARVESTABLE: f64 = 30.0;
const DIVISOR_LOST: f64 = 100.0;

/// Ticks of holding the attack key until `block` breaks; 0 breaks at the first blow, None never.
#[must_use]
pub fn break_ticks(
    block: BlockId,
    held: Option<ItemId>,
    in_water: bool,
    on_ground: bool,
) -> Option<u32> {
    break_ticks_with(block, held, 0, in_water, on_ground)
}

/// As `break_ticks`, with a tool of so much efficiency.
#[must_use]
pub fn break_ticks_with(
    block: BlockId,
    held: Option<ItemId>,
    efficiency: u8,
    in_water: bool,
    on_ground: bool,
) -> Option<u32> {
    let hardness = block.facts().hardness;
    if hardness < 0.0 || block.is_fluid() || block == AIR {
        return None;
    }
    let mut speed = f64::from(mining_speed(block, held.and_then(|item| item.facts().tool)));
    // Efficiency adds level² + 1, but only to a tool that is quick on the block.
    if efficiency > 0 && speed > 1.0 {
        speed += f64::from(efficiency).powi(2) + 1.0;
    }
    if in_water {
        speed /= HINDERED;
    }
    if !on_ground {
        speed /= HINDERED;
    }
    let divisor = if can_harvest(block, held) {
        DIVISOR_HARVESTABLE
    } else {
        DIVISOR_LOST
    };
    // A hair below, because a hardness such as 0.6 is not exact in binary and must not cost one tick more.
    let ticks = f64::from(hardness) * divisor / speed - 1e-4;
    // At most 50 (obsidian) * 100 * 25: far inside u32. One blow per tick or more is instant.
    if ticks <= 1.0 {
        Some(0)
    } else {
        Some(ticks.ceil() as u32)
    }
}

fn mining_speed(block: BlockId, tool: Option<Tool>) -> f32 {
    let Some(tool) = tool else { return 1.0 };
    let facts = block.facts();
    let name = facts.name;
    let leaves = name.ends_with("_leaves");
    match tool.kind {
        ToolKind::Shears if leaves || name == "cobweb" => 15.0,
        ToolKind::Shears if name.ends_with("_wool") => 5.0,
        ToolKind::Sword if name == "cobweb" => 15.0,
        ToolKind::Sword
            if leaves
                || matches!(
                    name,
                    "pumpkin" | "carved_pumpkin" | "jack_o_lantern" | "melon" | "cocoa" | "vine"
                ) =>
        {
            1.5
        }
        ToolKind::Shears | ToolKind::Sword => 1.0,
        kind if facts.tool == Some(kind) => tool.speed,
        _ => 1.0,
    }
}

struct Blocks {
    rows: Vec<BlockFacts>,
    by_name: FxHashMap<&'static str, BlockId>,
}

static BLOCKS: LazyLock<Blocks> = LazyLock::new(build);

#[derive(Deserialize)]
struct BlockRow {
    name: String,
    hardness: f32,
    tool: Option<ToolKind>,
    harvest: Option<Tier>,
    #[serde(default)]
    light: u8,
    #[serde(default)]
    drop: Vec<String>,
}

fn build() -> Blocks {
    let rows: Vec<BlockRow> = table("blocks.json", include_str!("data/blocks.json"));
    // Flags and rows are matched by position.
    assert_eq!(
        rows.len(),
        FLAGS.len(),
        "blocks.json and block_flags.txt are derived together"
    );
    let rows: Vec<BlockFacts> = rows
        .into_iter()
        .zip(FLAGS)
        .map(|(row, flags)| facts(row, *flags))
        .collect();
    let ids = (0_u16..).map(BlockId);
    let by_name = rows.iter().map(|row| row.name).zip(ids).collect();
    Blocks { rows, by_name }
}

fn facts(row: BlockRow, flags: u8) -> BlockFacts {
    BlockFacts {
        // Table names live as long as the program; ids hand them out as &'static str.
        // Leaked once at start-up.
        name: row.name.leak(),
        hardness: row.hardness,
        tool: row.tool,
        harvest: row.harvest.map(|tier| Harvest {
            kind: row.tool.unwrap_or(ToolKind::Pickaxe),
            tier,
        }),
        solid: flags & SOLID != 0,
        opaque: flags & OPAQUE != 0,
        replaceable: flags & REPLACEABLE != 0,
        fluid: flags & FLUID != 0,
        luminance: row.light,
        falls: flags & FALLS != 0,
        drop: row.drop.into_iter().map(|name| &*name.leak()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_break(block: &str, held: &str, ticks: u32) {
        let held = ItemId::named(held);
        assert_eq!(
            break_ticks(block.parse().unwrap(), held, false, true),
            Some(ticks),
            "{block} with {held:?}"
        );
    }

    #[test]
    fn breaking_takes_as_long_as_in_the_game() {
        check_break("stone", "", 150);
        check_break("stone", "wooden_pickaxe", 23);
        check_break("stone", "stone_pickaxe", 12);
        check_break("oak_log", "", 60);
        check_break("oak_log", "stone_axe", 15);
        check_break("dirt", "", 15);
        check_break("dirt", "stick", 15);
        check_break("grass_block", "wooden_shovel", 9);
        check_break("sand", "iron_shovel", 3);
        check_break("obsidian", "diamond_pickaxe", 188);
        check_break("iron_ore", "stone_pickaxe", 23);
        check_break("iron_ore", "wooden_pickaxe", 150);
        check_break("oak_leaves", "", 6);
        check_break("oak_leaves", "shears", 0);
        check_break("oak_slab", "wooden_axe", 30);
        check_break("cobweb", "iron_sword", 8);
        check_break("grass", "", 0);
    }

    #[test]
    fn every_constant_is_the_block_it_is_called() {
        for (name, block) in CONSTANTS {
            assert_eq!(block.name(), name.to_lowercase());
        }
    }

    #[test]
    fn some_things_cannot_be_broken() {
        for block in [BEDROCK, WATER, LAVA, AIR] {
            assert_eq!(break_ticks(block, None, false, true), None, "{block}");
        }
    }

    #[test]
    fn water_and_falling_slow_the_hand_five_times_each() {
        assert_eq!(break_ticks(STONE, None, true, true), Some(750));
        assert_eq!(break_ticks(STONE, None, true, false), Some(3750));
    }

    #[test]
    fn harvest_asks_for_kind_and_tier() {
        let with = |block: BlockId, held: &str| can_harvest(block, ItemId::named(held));
        assert!(with(DIRT, ""));
        assert!(!with(STONE, ""));
        assert!(with(STONE, "golden_pickaxe"));
        assert!(!with(STONE, "diamond_axe"));
        assert!(!with(IRON_ORE, "golden_pickaxe"));
        assert!(with(IRON_ORE, "stone_pickaxe"));
        assert!(with(DIAMOND_ORE, "iron_pickaxe"));
        assert!(!with(OBSIDIAN, "iron_pickaxe"));
        assert!(with(COBWEB, "shears"));
        assert!(!with(SNOW, ""));
    }

    #[test]
    fn flags_agree_with_what_is_known_of_blocks() {
        assert!(STONE.is_solid() && STONE.is_opaque());
        assert!(OAK_LEAVES.is_solid() && !OAK_LEAVES.is_opaque());
        assert!(WATER.is_fluid() && WATER.is_replaceable() && !WATER.is_solid());
        assert!(GRAVEL.falls() && !DIRT.falls());
        assert!(REDSTONE_ORE.is_opaque());
        assert!(BlockId::all().all(|block| block.shines() == (block.facts().luminance > 0)));
        assert_eq!(
            (TORCH.facts().luminance, FURNACE.facts().luminance),
            (14, 0)
        );
        assert_eq!(BlockId::from_row(STONE.row()), Some(STONE));
        assert_eq!(BlockId::from_row(u16::MAX), None);
    }
}
