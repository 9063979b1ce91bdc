//! Fortune: how the enchantment of that name changes what blocks give, as data by block.
//!
//! Invariant: level 0 changes nothing and draws no chance.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

use crate::block::BlockId;
use crate::drops::Drop;
use crate::family::ItemSpec;
use crate::item::ItemId;
use crate::naming::table;
use crate::rng::Rng;

/// A crop tries for so many seeds more, at this chance each.
const CROP_CHANCE: f64 = 4.0 / 7.0;

struct Table {
    times: FxHashSet<BlockId>,
    more: FxHashMap<BlockId, [u32; 2]>,
    chances: FxHashMap<ItemId, [f32; 3]>,
    crops: FxHashMap<BlockId, ItemId>,
}

#[derive(Deserialize)]
struct Read {
    times: FxHashSet<BlockId>,
    more: FxHashMap<BlockId, [u32; 2]>,
    chances: BTreeMap<ItemSpec, [f32; 3]>,
    crops: FxHashMap<BlockId, ItemId>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let read: Read = table("fortune.json", include_str!("data/fortune.json"));
    // Families sort after items, so they are entered first and an item's own figures win.
    let rows = read.chances.into_iter().rev();
    let chances = rows
        .flat_map(|(spec, by_level)| spec.members().iter().map(move |item| (*item, by_level)))
        .collect();
    Table {
        times: read.times,
        more: read.more,
        chances,
        crops: read.crops,
    }
});

/// The chance of a row of drops at a level of fortune.
#[must_use]
pub fn chance(block: BlockId, drop: &Drop, level: u8) -> f64 {
    let raised = || TABLE.chances.get(&drop.item)?.get(usize::from(level) - 1);
    let is_rare = level > 0 && drop.chance < 1.0 && block.item() != Some(drop.item);
    f64::from(*if is_rare { raised() } else { None }.unwrap_or(&drop.chance))
}

/// The pieces that `count` become at a level of fortune.
#[must_use]
pub fn raised(block: BlockId, item: ItemId, count: u32, level: u8, rng: &mut Rng) -> u32 {
    if level == 0 {
        return count;
    }
    let level = u64::from(level);
    if TABLE.times.contains(&block) {
        let times = rng.below(level + 2).max(1) as u32;
        return count * times;
    }
    if let Some([most, limit]) = TABLE.more.get(&block) {
        let more = rng.below(level * u64::from(*most) + 1) as u32;
        return (count + more).min(*limit);
    }
    if TABLE.crops.get(&block) == Some(&item) {
        let more = (0..level).filter(|_| rng.chance(CROP_CHANCE)).count();
        return count + more as u32;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block as blocks;

    fn mean(block: BlockId, item: &str, count: u32, level: u8) -> f64 {
        let (mut rng, item) = (Rng::new(1), item.parse().unwrap());
        let all = (0..4_000).map(|_| raised(block, item, count, level, &mut rng));
        f64::from(all.sum::<u32>()) / 4_000.0
    }

    #[test]
    fn fortune_multiplies_ores_by_what_it_does_in_the_game() {
        let near = |got: f64, wanted: f64| assert!((got - wanted).abs() < 0.06, "{got} {wanted}");
        near(mean(blocks::DIAMOND_ORE, "diamond", 1, 1), 4.0 / 3.0);
        near(mean(blocks::DIAMOND_ORE, "diamond", 1, 3), 2.2);
        near(mean(blocks::REDSTONE_ORE, "redstone", 4, 3), 5.5);
        near(mean(blocks::CARROTS, "carrot", 2, 3), 2.0 + 12.0 / 7.0);
        near(mean(blocks::IRON_ORE, "iron_ore", 1, 3), 1.0);
    }

    #[test]
    fn gravel_gives_flint_for_sure_at_the_third_level() {
        let drop = |name: &str, chance| Drop {
            item: name.parse().unwrap(),
            chance,
            min: 1,
            max: 1,
            each: None,
        };
        assert_eq!(chance(blocks::GRAVEL, &drop("flint", 0.1), 3), 1.0);
        assert!((chance(blocks::GRAVEL, &drop("flint", 0.1), 0) - 0.1).abs() < 1e-6);
    }
}
