//! What can be obtained at all, by the game tables alone: the closure of mining, killing, smelting, crafting, using,
//! growing, fishing, trading, looting and enchanting.
//!
//! It knows no distances, counts or skill; an item that is not in the closure is impossible, one that is in it may
//! still be hard.

use std::collections::BTreeSet;

use crate::block::{self as blocks, BlockId, can_harvest};
use crate::drops::{drops_of, silk_touch_drop};
use crate::enchant::Enchantment;
use crate::enchanting::made_of;
use crate::farming::{self, GrowthHabit};
use crate::fishing;
use crate::item::{ItemId, ToolKind};
use crate::loot;
use crate::mob::MobKind;
use crate::natural::lie;
use crate::recipe::all_recipes;
use crate::smelting::{burn_ticks, smelts_to};
use crate::trade;
use crate::uses;

/// What a world offers before anyone lays a hand on it.
#[derive(Debug, Clone, Default)]
pub struct Nature {
    pub blocks: BTreeSet<BlockId>,
    pub mobs: BTreeSet<MobKind>,
    /// Chests of dungeons and villages lie about, filled by others.
    pub chests: bool,
}

impl Nature {
    /// What the Overworld holds somewhere.
    #[must_use]
    pub fn overworld() -> Self {
        let wild = BlockId::all().filter(|block| lie(*block).is_some());
        Self {
            blocks: wild.chain([blocks::WATER, blocks::LAVA]).collect(),
            mobs: MobKind::ALL.into(),
            chests: true,
        }
    }
}

/// Every item obtainable in `nature`, whatever it takes.
#[must_use]
pub fn obtainable(nature: &Nature) -> BTreeSet<ItemId> {
    let mut have: BTreeSet<ItemId> = BTreeSet::new();
    if nature.chests {
        have.extend(loot::items());
    }
    // A closure: repeated until a round adds nothing. Everything only ever adds, so it
    // ends.
    loop {
        let before = have.len();
        have.extend(mined(nature, &have));
        have.extend(from_mobs(nature));
        have.extend(smelted(&have));
        have.extend(crafted(&have));
        have.extend(filled(nature, &have));
        have.extend(sheared(nature, &have));
        have.extend(fished(nature, &have));
        have.extend(traded(nature, &have));
        have.extend(enchanted(&have));
        if have.len() == before {
            return have;
        }
    }
}

/// Blocks that can be had before one: of nature, placed, grown, or made of others with a tool.
/// What gives a block may need another block to stand there first.
fn standing(nature: &Nature, have: &BTreeSet<ItemId>) -> BTreeSet<BlockId> {
    let placed = have.iter().filter_map(|item| item.facts().places);
    let mut standing: BTreeSet<BlockId> = nature.blocks.iter().copied().chain(placed).collect();
    let planted = farming::crops()
        .iter()
        .filter(|crop| have.contains(&crop.seed));
    let tilled = has_tool(have, ToolKind::Hoe);
    for crop in planted {
        match crop.manner {
            GrowthHabit::Stem { fruit } if tilled => drop(standing.insert(fruit)),
            GrowthHabit::Tree { log } => drop(standing.insert(log)),
            // Bone meal makes a huge one of a small one.
            GrowthHabit::Spread if has(have, "bone_meal") => {
                let huge = format!("{}_block", crop.plant.name());
                standing.extend(BlockId::named(&huge));
            }
            _ => {}
        }
    }
    // A crop comes up on tilled ground only.
    // Wild crops can be broken without a field.
    let untilled = |block: &BlockId| {
        let mut crops = farming::crops().iter();
        let field = crops.any(|crop| crop.plant == *block && crop.wants_farmland());
        field && !tilled && !nature.blocks.contains(block)
    };
    standing.retain(|block| !untilled(block));
    let tools = [
        ToolKind::Axe,
        ToolKind::Shears,
        ToolKind::Hoe,
        ToolKind::Shovel,
    ];
    let at_hand = tools.into_iter().filter(|kind| has_tool(have, *kind));
    let turned: Vec<BlockId> = at_hand
        .flat_map(|kind| standing.iter().filter_map(move |b| uses::turned(kind, *b)))
        .map(|turned| turned.into)
        .collect();
    standing.extend(turned);
    standing
}

/// Broken by hand or with any tool at hand; with silk touch once tools can be enchanted.
fn mined(nature: &Nature, have: &BTreeSet<ItemId>) -> BTreeSet<ItemId> {
    let tools = have
        .iter()
        .copied()
        .filter(|item| item.facts().tool.is_some());
    // The bare hand is one of the tools.
    let hands: Vec<Option<ItemId>> = std::iter::once(None).chain(tools.map(Some)).collect();
    let enchants = can_enchant(have);
    let mut gained = BTreeSet::new();
    for block in standing(nature, have) {
        for held in &hands {
            gained.extend(drops_of(block, *held).iter().map(|drop| drop.item));
            let silken = held.is_some_and(takes_silk_touch) && can_harvest(block, *held);
            gained.extend(silk_touch_drop(block).filter(|_| enchants && silken));
        }
    }
    if has(have, "shears") && nature.blocks.contains(&blocks::PUMPKIN) {
        let carved = uses::turned(ToolKind::Shears, blocks::PUMPKIN);
        gained.extend(
            carved
                .and_then(|turned| turned.spills)
                .map(|(seeds, _)| seeds),
        );
    }
    gained
}

fn can_enchant(have: &BTreeSet<ItemId>) -> bool {
    has(have, "enchanting_table") && has(have, "lapis_lazuli")
}

fn takes_silk_touch(item: ItemId) -> bool {
    Enchantment::named("silk_touch").is_some_and(|silk| silk.fits(item))
}

/// What an enchanting table makes another item of.
fn enchanted(have: &BTreeSet<ItemId>) -> BTreeSet<ItemId> {
    let laid = have.iter().filter(|_| can_enchant(have));
    laid.filter_map(|item| made_of(*item)).collect()
}

fn traded(nature: &Nature, have: &BTreeSet<ItemId>) -> BTreeSet<ItemId> {
    if !nature.mobs.contains(&MobKind::Villager) {
        return BTreeSet::new();
    }
    trade::bought(have).collect()
}

fn has_tool(have: &BTreeSet<ItemId>, kind: ToolKind) -> bool {
    have.iter()
        .any(|item| item.facts().tool.is_some_and(|tool| tool.kind == kind))
}

fn from_mobs(nature: &Nature) -> BTreeSet<ItemId> {
    let facts = nature.mobs.iter().map(|kind| kind.facts());
    let lies = |item: &ItemId| {
        let block = item.facts().places;
        block.is_some_and(|block| nature.blocks.contains(&block))
    };
    let left = facts.flat_map(|facts| {
        let left = facts.drops.iter().map(|row| row.drop);
        let drops = left.chain(facts.lays.iter().copied());
        let carried = facts.carries.iter().copied().filter(lies);
        drops.map(|drop| drop.item).chain(carried)
    });
    left.collect()
}

/// What shears take from the living, in the colours that sheep can be dyed.
fn sheared(nature: &Nature, have: &BTreeSet<ItemId>) -> BTreeSet<ItemId> {
    if !has(have, "shears") {
        return BTreeSet::new();
    }
    let coats = nature.mobs.iter().flat_map(|kind| &kind.facts().sheared);
    let mut gained: BTreeSet<ItemId> = coats.map(|drop| drop.item).collect();
    if nature.mobs.contains(&MobKind::Sheep) {
        gained.extend(have.iter().filter_map(|item| uses::dyed_wool(*item)));
    }
    gained
}

/// What a rod brings up where there is water.
fn fished(nature: &Nature, have: &BTreeSet<ItemId>) -> BTreeSet<ItemId> {
    if !has(have, "fishing_rod") || !nature.blocks.contains(&blocks::WATER) {
        return BTreeSet::new();
    }
    fishing::catches().iter().map(|catch| catch.item).collect()
}

fn smelted(have: &BTreeSet<ItemId>) -> BTreeSet<ItemId> {
    if !has(have, "furnace") || !have.iter().any(|item| burn_ticks(*item).is_some()) {
        return BTreeSet::new();
    }
    have.iter().filter_map(|item| smelts_to(*item)).collect()
}

fn crafted(have: &BTreeSet<ItemId>) -> BTreeSet<ItemId> {
    let table = has(have, "crafting_table");
    let possible = all_recipes().filter(|recipe| {
        // Any member of a family will do for each ingredient.
        (table || !recipe.needs_table)
            && recipe
                .ingredients
                .iter()
                .all(|(spec, _)| spec.members().iter().any(|item| have.contains(item)))
    });
    possible
        .flat_map(|recipe| recipe.product.members())
        .copied()
        .collect()
}

/// Vessels filled.
fn filled(nature: &Nature, have: &BTreeSet<ItemId>) -> BTreeSet<ItemId> {
    let there = |name: &str| {
        BlockId::named(name).is_some_and(|block| nature.blocks.contains(&block))
            || MobKind::named(name).is_some_and(|kind| nature.mobs.contains(&kind))
    };
    let possible = uses::FILLS
        .into_iter()
        .filter(|(held, on, _)| there(on) && has(have, held));
    possible
        .filter_map(|(_, _, full)| ItemId::named(full))
        .collect()
}

fn has(have: &BTreeSet<ItemId>, name: &str) -> bool {
    ItemId::named(name).is_some_and(|item| have.contains(&item))
}

#[cfg(test)]
mod tests {
    use super::*;

    // What the Overworld of 1.16 grows, lays down or lets flow by itself.
    const OVERWORLD: &str = "stone granite diorite andesite dirt grass_block coarse_dirt podzol sand red_sand sandstone \
        red_sandstone gravel clay water lava ice packed_ice snow snow_block cobblestone mossy_cobblestone obsidian \
        oak_log birch_log spruce_log jungle_log acacia_log dark_oak_log oak_leaves birch_leaves spruce_leaves \
        jungle_leaves acacia_leaves dark_oak_leaves coal_ore iron_ore gold_ore redstone_ore lapis_ore diamond_ore \
        emerald_ore terracotta grass fern tall_grass large_fern dead_bush dandelion poppy blue_orchid allium azure_bluet \
        red_tulip orange_tulip white_tulip pink_tulip oxeye_daisy cornflower lily_of_the_valley sunflower lilac rose_bush \
        peony brown_mushroom red_mushroom brown_mushroom_block red_mushroom_block mushroom_stem sugar_cane cactus \
        pumpkin melon vine lily_pad seagrass kelp bamboo cocoa cobweb sweet_berry_bush";

    fn overworld(without: &str) -> Nature {
        let blocks = OVERWORLD.split_whitespace().filter(|name| *name != without);
        Nature {
            blocks: blocks.map(|name| name.parse().unwrap()).collect(),
            mobs: MobKind::ALL.into(),
            chests: false,
        }
    }

    fn missing<'a>(have: &BTreeSet<ItemId>, wanted: &'a str) -> Vec<&'a str> {
        wanted
            .split_whitespace()
            .filter(|name| !have.contains(&name.parse().unwrap()))
            .collect()
    }

    #[test]
    fn the_overworld_gives_what_the_tasks_ask_for() {
        let have = obtainable(&overworld(""));
        let tools = "wooden_pickaxe stone_pickaxe iron_pickaxe diamond_pickaxe golden_pickaxe shears bucket compass clock";
        let made = "furnace torch bread cake painting shield red_bed glass_pane brick_stairs anvil enchanting_table \
            powered_rail hopper piston tnt bookshelf golden_apple mushroom_stew rabbit_stew pumpkin_pie firework_rocket jack_o_lantern";
        assert_eq!(missing(&have, tools), [""; 0]);
        assert_eq!(missing(&have, made), [""; 0]);
    }

    #[test]
    fn the_nether_stays_out_of_reach() {
        let have = obtainable(&overworld(""));
        assert_eq!(
            missing(&have, "netherrack quartz blaze_rod netherite_ingot"),
            ["netherrack", "quartz", "blaze_rod", "netherite_ingot"]
        );
    }

    #[test]
    fn nothing_comes_from_nothing() {
        assert!(obtainable(&Nature::default()).is_empty());
        let no_iron = Nature {
            mobs: BTreeSet::new(),
            ..overworld("iron_ore")
        };
        let have = obtainable(&no_iron);
        assert_eq!(
            missing(&have, "furnace iron_ingot iron_pickaxe diamond"),
            ["iron_ingot", "iron_pickaxe", "diamond"]
        );
    }

    #[test]
    fn villagers_chests_and_tables_give_what_nothing_else_does() {
        let alone = Nature {
            mobs: BTreeSet::new(),
            ..overworld("")
        };
        let wanted = "ender_pearl beetroot_seeds enchanted_book saddle";
        assert_eq!(
            missing(&obtainable(&alone), "ender_pearl beetroot_seeds"),
            ["ender_pearl", "beetroot_seeds"]
        );
        assert_eq!(missing(&obtainable(&Nature::overworld()), wanted), [""; 0]);
        let chests = Nature {
            chests: true,
            ..Nature::default()
        };
        assert_eq!(missing(&obtainable(&chests), "beetroot_seeds"), [""; 0]);
    }
}
