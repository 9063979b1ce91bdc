//! What a broken block drops, and the other way round: which blocks drop what is wanted.
//!
//! Chances are per breaking; amounts are drawn evenly from `min..=max`, or piece by piece. Silk touch and unripe crops have questions of
//! their own, because only the world knows the enchantment and the age.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::Deserialize;

use crate::answers::Answers;
use crate::block::{BlockId, Harvest, can_harvest};
use crate::family::ItemSpec;
use crate::item::{ItemId, ToolKind};
use crate::naming::table;
use crate::rng::Rng;

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Drop {
    pub item: ItemId,
    /// Probability that this row drops at all.
    #[serde(default = "certain")]
    pub chance: f32,
    #[serde(default = "one")]
    pub min: u32,
    #[serde(default = "one")]
    pub max: u32,
    /// The chance of each piece over the least, by itself; none: every number is as likely.
    #[serde(default)]
    pub each: Option<f32>,
}

impl Drop {
    /// The mean number of pieces.
    #[must_use]
    pub fn expected(&self) -> f32 {
        let over = (self.max - self.min) as f32;
        self.chance * (self.min as f32 + over * self.each.unwrap_or(0.5))
    }

    /// How many pieces come of it, if it drops at all.
    #[must_use]
    pub fn draw(&self, rng: &mut Rng) -> u32 {
        match self.each {
            None => rng.between(self.min.into(), self.max.into()) as u32,
            Some(chance) => {
                let over = (self.min..self.max).filter(|_| rng.chance(chance.into()));
                self.min + over.count() as u32
            }
        }
    }

    pub(crate) fn certain_one(item: ItemId) -> Self {
        Self {
            item,
            chance: 1.0,
            min: 1,
            max: 1,
            each: None,
        }
    }
}

fn certain() -> f32 {
    1.0
}

fn one() -> u32 {
    1
}

/// A block that may give what is wanted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DropSource {
    pub block: BlockId,
    pub drop: Drop,
    /// What has to be in the hand; None: nothing.
    pub harvest: Option<Harvest>,
}

/// The drops of `block` broken with `held`; empty when that tool harvests nothing. Crops are taken as ripe.
#[must_use]
pub fn drops_of(block: BlockId, held: Option<ItemId>) -> &'static [Drop] {
    let row = row_of(block);
    let shears = held
        .and_then(|item| item.facts().tool)
        .is_some_and(|tool| tool.kind == ToolKind::Shears);
    match &row.shears {
        Some(sheared) if shears => sheared,
        _ if can_harvest(block, held) => &row.drops,
        _ => &[],
    }
}

/// Whether exactly one row of `drops_of` is drawn (gravel gives itself or flint) and not each by its own chance.
#[must_use]
pub fn is_exclusive(block: BlockId) -> bool {
    row_of(block).exclusive
}

/// What a tool with silk touch takes from `block`: the block itself where it would otherwise be lost or changed.
#[must_use]
pub fn silk_touch_drop(block: BlockId) -> Option<ItemId> {
    row_of(block).silk
}

/// What an unripe crop gives; None if `block` does not ripen.
#[must_use]
pub fn unripe_drop(block: BlockId) -> Option<ItemId> {
    row_of(block).unripe
}

/// The blocks that drop what `wanted` asks for, the surest and easiest first.
#[must_use]
pub fn blocks_dropping(wanted: ItemSpec) -> &'static [DropSource] {
    static KNOWN: LazyLock<Answers<DropSource>> = LazyLock::new(|| Answers::new(sources_of));
    KNOWN.about(wanted)
}

fn sources_of(wanted: ItemSpec) -> Vec<DropSource> {
    let mut blocks: Vec<BlockId> = wanted
        .members()
        .iter()
        .filter_map(|item| DROPPED_BY.get(item))
        .flatten()
        .copied()
        .collect();
    blocks.sort_unstable();
    blocks.dedup();
    let mut sources: Vec<DropSource> = blocks
        .into_iter()
        .flat_map(|block| sources_in(block, wanted))
        .collect();
    // By pieces per break, then by the tool needed, then in the order of the table.
    sources.sort_by(|a, b| {
        let ease = |source: &DropSource| source.harvest.map(|harvest| harvest.tier);
        b.drop
            .chance
            .total_cmp(&a.drop.chance)
            .then_with(|| ease(a).cmp(&ease(b)))
    });
    sources
}

/// The blocks that may drop an item, in the order of the table: plans and monitors ask all the time.
static DROPPED_BY: LazyLock<FxHashMap<ItemId, Vec<BlockId>>> = LazyLock::new(|| {
    let mut dropped_by: FxHashMap<ItemId, Vec<BlockId>> = FxHashMap::default();
    for block in BlockId::all() {
        let row = row_of(block);
        for drop in row.drops.iter().chain(row.shears.iter().flatten()) {
            dropped_by.entry(drop.item).or_default().push(block);
        }
    }
    dropped_by
});

fn sources_in(block: BlockId, wanted: ItemSpec) -> impl Iterator<Item = DropSource> {
    let row = row_of(block);
    let found = |drops: &[Drop]| drops.iter().copied().find(|drop| wanted.matches(drop.item));
    let plain = found(&row.drops).map(|drop| DropSource {
        block,
        drop,
        harvest: block.facts().harvest,
    });
    let shears = Some(Harvest {
        kind: ToolKind::Shears,
        tier: crate::item::Tier::Wood,
    });
    let sheared = row
        .shears
        .as_deref()
        .and_then(found)
        .map(|drop| DropSource {
            block,
            drop,
            harvest: shears,
        });
    plain.into_iter().chain(sheared)
}

struct Row {
    drops: Vec<Drop>,
    shears: Option<Vec<Drop>>,
    silk: Option<ItemId>,
    unripe: Option<ItemId>,
    exclusive: bool,
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(build);

fn row_of(block: BlockId) -> &'static Row {
    &ROWS[usize::from(block.row())]
}

#[derive(Deserialize)]
struct DropTable {
    drops: Vec<DropRow>,
}

#[derive(Deserialize)]
struct DropRow {
    block: BlockId,
    drops: Vec<Drop>,
    #[serde(default)]
    silk: Silk,
    shears: Option<Sheared>,
    unripe: Option<ItemId>,
    #[serde(default)]
    exclusive: bool,
}

/// What silk touch takes: the block itself, or what it passes for.
#[derive(Deserialize)]
#[serde(untagged)]
enum Silk {
    Itself(bool),
    Other(ItemId),
}

impl Default for Silk {
    fn default() -> Self {
        Self::Itself(false)
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Sheared {
    Itself(bool),
    Drops(Vec<Drop>),
}

fn build() -> Vec<Row> {
    let read: DropTable = table("drops.json", include_str!("data/drops.json"));
    let mut listed: FxHashMap<BlockId, DropRow> =
        read.drops.into_iter().map(|row| (row.block, row)).collect();
    BlockId::all()
        .map(|block| {
            listed
                .remove(&block)
                .map_or_else(|| unlisted(block), |row| listed_row(block, row))
        })
        .collect()
}

fn listed_row(block: BlockId, row: DropRow) -> Row {
    let itself = block.item();
    let shears = match row.shears {
        Some(Sheared::Itself(true)) => itself.map(|item| vec![Drop::certain_one(item)]),
        Some(Sheared::Drops(drops)) => Some(drops),
        Some(Sheared::Itself(false)) | None => None,
    };
    Row {
        drops: row.drops,
        shears,
        silk: match row.silk {
            Silk::Itself(taken) => itself.filter(|_| taken),
            Silk::Other(item) => Some(item),
        },
        unripe: row.unripe,
        exclusive: row.exclusive,
    }
}

/// A block that is not listed drops itself, or what the derived table says for blocks without an item.
fn unlisted(block: BlockId) -> Row {
    let named = block
        .facts()
        .drop
        .iter()
        .filter_map(|name| ItemId::named(name));
    let drops = block
        .item()
        .into_iter()
        .chain(named)
        .map(Drop::certain_one)
        .collect();
    Row {
        drops,
        shears: None,
        silk: None,
        unripe: None,
        exclusive: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(block: &str, held: &str) -> String {
        let drops = drops_of(block.parse().unwrap(), ItemId::named(held));
        let one = |drop: &Drop| format!("{} {}..{} {}", drop.item, drop.min, drop.max, drop.chance);
        drops.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn blocks_drop_what_they_do_in_the_game() {
        assert_eq!(written("oak_log", ""), "oak_log 1..1 1");
        assert_eq!(written("stone", ""), "");
        assert_eq!(written("stone", "wooden_pickaxe"), "cobblestone 1..1 1");
        assert_eq!(written("iron_ore", "stone_pickaxe"), "iron_ore 1..1 1");
        assert_eq!(written("redstone_ore", "iron_pickaxe"), "redstone 4..5 1");
        assert_eq!(written("gravel", ""), "gravel 1..1 0.9, flint 1..1 0.1");
        assert_eq!(
            written("oak_leaves", ""),
            "oak_sapling 1..1 0.05, stick 1..2 0.02, apple 1..1 0.005"
        );
        assert_eq!(written("oak_leaves", "shears"), "oak_leaves 1..1 1");
        assert_eq!(written("wall_torch", ""), "torch 1..1 1");
        assert_eq!(written("glass", ""), "");
        assert_eq!(written("cobweb", "iron_sword"), "string 1..1 1");
    }

    #[test]
    fn crops_and_stems_give_as_many_as_in_the_game() {
        let of = |block: &str, wanted: &str| {
            let wanted: ItemSpec = wanted.parse().unwrap();
            let drops = drops_of(block.parse().unwrap(), None);
            let drop = *drops.iter().find(|drop| wanted.matches(drop.item)).unwrap();
            let mut rng = Rng::new(1);
            let drawn: Vec<u32> = (0..4_000).map(|_| drop.draw(&mut rng)).collect();
            let mean = f64::from(drawn.iter().sum::<u32>()) / 4_000.0;
            assert!(
                (mean - f64::from(drop.expected() / drop.chance)).abs() < 0.06,
                "{block}: {mean}"
            );
            let least = *drawn.iter().min().unwrap();
            (
                least,
                *drawn.iter().max().unwrap(),
                (mean * 10.0).round() / 10.0,
            )
        };
        assert_eq!(of("wheat", "wheat_seeds"), (1, 4, 2.7));
        assert_eq!(of("carrots", "carrot"), (2, 5, 3.7));
        assert_eq!(of("potatoes", "potato"), (2, 5, 3.7));
        assert_eq!(of("beetroots", "beetroot_seeds"), (1, 4, 2.7));
        assert_eq!(of("pumpkin_stem", "pumpkin_seeds"), (0, 3, 1.6));
        assert_eq!(of("grass", "wheat_seeds"), (1, 1, 1.0));
    }

    #[test]
    fn two_of_nine_mushroom_blocks_give_a_mushroom_or_two() {
        // The game draws from -6 to 2.
        for kind in ["brown", "red"] {
            let block = format!("{kind}_mushroom_block").parse().unwrap();
            let [drop] = drops_of(block, None) else {
                panic!("{kind}");
            };
            assert!((drop.chance - 2.0 / 9.0).abs() < 1e-6, "{}", drop.chance);
            assert_eq!((drop.min, drop.max, drop.each), (1, 2, None));
        }
        assert_eq!(written("mushroom_stem", "iron_axe"), "");
    }

    #[test]
    fn sources_are_the_reverse() {
        let sources = blocks_dropping("cobblestone".parse().unwrap());
        assert_eq!(sources[0].block.name(), "stone");
        assert_eq!(
            sources[0].harvest,
            "stone".parse::<BlockId>().unwrap().facts().harvest
        );
        assert_eq!(blocks_dropping("#logs".parse().unwrap()).len(), 6);
        assert!(
            blocks_dropping("stick".parse().unwrap())
                .iter()
                .any(|source| source.block.name() == "dead_bush")
        );
        assert!(blocks_dropping("bread".parse().unwrap()).is_empty());
    }

    #[test]
    fn silk_touch_and_unripe_crops_are_asked_for_apart() {
        let block = |name: &str| name.parse::<BlockId>().unwrap();
        assert_eq!(
            silk_touch_drop(block("grass_block")),
            ItemId::named("grass_block")
        );
        assert_eq!(
            silk_touch_drop(block("infested_stone")),
            ItemId::named("stone")
        );
        assert_eq!(unripe_drop(block("wheat")), ItemId::named("wheat_seeds"));
        assert!(is_exclusive(block("gravel")));
    }
}
