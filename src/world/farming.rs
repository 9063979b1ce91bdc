//! Farming: what grows of what is planted, where, and what animals are fed with.
//!
//! How fast it grows is the world's affair. Invariant: every crop's seed is an item that places its plant.

use std::sync::LazyLock;

use crate::block::{self as blocks, BlockId};
use crate::drops::drops_of;
use crate::family::ItemSpec;
use crate::item::ItemId;
use crate::mob::MobKind;

/// How a plant comes to its harvest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GrowthHabit {
    /// On farmland; it ripens and is broken.
    Field,
    /// On farmland; its fruit lies beside it and the stem stays.
    Stem { fruit: BlockId },
    /// One stands on the other; all but the lowest are taken.
    Stalk,
    /// A sapling becomes a tree, which is felled.
    Tree { log: BlockId },
    /// A bush that is picked again and again.
    Bush,
    /// It hangs on a jungle log, ripens and is broken.
    Pod,
    /// In dim light others of its kind come up around it.
    Spread,
}

/// Something that can be planted.
#[derive(Debug, Clone, PartialEq)]
pub struct Crop {
    pub seed: ItemId,
    pub plant: BlockId,
    pub manner: GrowthHabit,
}

impl Crop {
    /// What a harvest may give.
    #[must_use]
    pub fn gives(&self) -> Vec<ItemId> {
        let drops = drops_of(self.harvested_block(), None);
        drops.iter().map(|drop| drop.item).collect()
    }

    /// The block that is broken at a harvest.
    #[must_use]
    pub fn harvested_block(&self) -> BlockId {
        match self.manner {
            GrowthHabit::Stem { fruit } => fruit,
            GrowthHabit::Tree { log } => log,
            GrowthHabit::Field
            | GrowthHabit::Stalk
            | GrowthHabit::Bush
            | GrowthHabit::Pod
            | GrowthHabit::Spread => self.plant,
        }
    }

    /// It has to have tilled ground.
    #[must_use]
    pub fn wants_farmland(&self) -> bool {
        matches!(self.manner, GrowthHabit::Field | GrowthHabit::Stem { .. })
    }
}

const ROWS: [(&str, GrowthHabit); 18] = [
    ("wheat_seeds", GrowthHabit::Field),
    ("carrot", GrowthHabit::Field),
    ("potato", GrowthHabit::Field),
    ("beetroot_seeds", GrowthHabit::Field),
    (
        "pumpkin_seeds",
        GrowthHabit::Stem {
            fruit: blocks::PUMPKIN,
        },
    ),
    (
        "melon_seeds",
        GrowthHabit::Stem {
            fruit: blocks::MELON,
        },
    ),
    ("sugar_cane", GrowthHabit::Stalk),
    ("cactus", GrowthHabit::Stalk),
    ("bamboo", GrowthHabit::Stalk),
    (
        "oak_sapling",
        GrowthHabit::Tree {
            log: blocks::OAK_LOG,
        },
    ),
    (
        "birch_sapling",
        GrowthHabit::Tree {
            log: blocks::BIRCH_LOG,
        },
    ),
    (
        "spruce_sapling",
        GrowthHabit::Tree {
            log: blocks::SPRUCE_LOG,
        },
    ),
    (
        "jungle_sapling",
        GrowthHabit::Tree {
            log: blocks::JUNGLE_LOG,
        },
    ),
    (
        "acacia_sapling",
        GrowthHabit::Tree {
            log: blocks::ACACIA_LOG,
        },
    ),
    ("sweet_berries", GrowthHabit::Bush),
    ("cocoa_beans", GrowthHabit::Pod),
    ("brown_mushroom", GrowthHabit::Spread),
    ("red_mushroom", GrowthHabit::Spread),
];

static CROPS: LazyLock<Vec<Crop>> = LazyLock::new(|| {
    let crop = |(seed, manner): (&str, GrowthHabit)| {
        let seed = ItemId::named(seed)?;
        let plant = seed.facts().places?;
        Some(Crop {
            seed,
            plant,
            manner,
        })
    };
    ROWS.into_iter().filter_map(crop).collect()
});

/// Everything that can be grown.
#[must_use]
pub fn crops() -> &'static [Crop] {
    &CROPS
}

/// The crops whose harvest may hold what is wanted.
pub fn crops_giving(wanted: ItemSpec) -> impl Iterator<Item = &'static Crop> {
    CROPS
        .iter()
        .filter(move |crop| crop.gives().iter().any(|item| wanted.matches(*item)))
}

/// What each kind eats before it multiplies.
const FEED: &[(MobKind, &[&str])] = &[
    (MobKind::Cow, &["wheat"]),
    (MobKind::Mooshroom, &["wheat"]),
    (MobKind::Sheep, &["wheat"]),
    (MobKind::Pig, &["carrot", "potato", "beetroot"]),
    (
        MobKind::Chicken,
        &[
            "wheat_seeds",
            "melon_seeds",
            "pumpkin_seeds",
            "beetroot_seeds",
        ],
    ),
    (MobKind::Rabbit, &["carrot", "golden_carrot", "dandelion"]),
    (MobKind::Horse, &["golden_apple", "golden_carrot"]),
    (MobKind::Llama, &["hay_block"]),
];

/// What this kind is bred with; empty for what does not multiply by feeding.
pub fn feed_of(kind: MobKind) -> impl Iterator<Item = ItemId> {
    let row = FEED.iter().find(|(eater, _)| *eater == kind);
    let names = row.map_or(&[] as &[&str], |(_, foods)| foods);
    names.iter().filter_map(|name| ItemId::named(name))
}

/// True if this kind can be bred with this item.
#[must_use]
pub fn eats(kind: MobKind, item: ItemId) -> bool {
    feed_of(kind).any(|food| food == item)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_a_crop_and_gives_something() {
        assert_eq!(CROPS.len(), ROWS.len());
        assert!(CROPS.iter().all(|crop| !crop.gives().is_empty()));
        for (_, foods) in FEED {
            assert!(foods.iter().all(|name| ItemId::named(name).is_some()));
        }
    }

    #[test]
    fn crops_are_found_by_what_they_give() {
        let seeds = |wanted: &str| -> Vec<&str> {
            crops_giving(wanted.parse().unwrap())
                .map(|crop| crop.seed.name())
                .collect()
        };
        assert_eq!(seeds("wheat"), ["wheat_seeds"]);
        assert_eq!(seeds("melon_slice"), ["melon_seeds"]);
        assert_eq!(seeds("poisonous_potato"), ["potato"]);
        assert_eq!(seeds("#logs").len(), 5);
        assert!(seeds("diamond").is_empty());
    }
}
