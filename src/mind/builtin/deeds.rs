//! Deeds: what a thing comes from besides mining, hunting, crafting and smelting, as remembered.
//!
//! Shears on a sheep, a bucket in water, a field, a rod. The tables are the game's; whoever plans
//! chooses among deeds by price as among all other ways.

use crate::domain::plan::Executor;
use crate::world::family::ItemSpec;
use crate::world::farming;
use crate::world::fishing;
use crate::world::item::ItemId;
use crate::world::mob::MobKind;
use crate::world::uses;

/// One deed by which something is got.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Deed {
    pub(super) executor: Executor,
    /// What is in the hand.
    pub(super) tool: Option<ItemSpec>,
    /// What it is done to.
    pub(super) on: Option<&'static str>,
    /// Used up for each piece.
    pub(super) uses: Vec<ItemSpec>,
    /// Has to be there and stays.
    pub(super) holds: Vec<ItemSpec>,
    /// In blocks broken by hand.
    pub(super) price: u64,
    /// Seconds to find the place, and for each piece.
    pub(super) seconds: (u32, u32),
}

/// Looking for an animal, a pond or a field.
const SEARCH: u64 = 60;
/// Lava lies deep or far.
const LAVA_SEARCH: u64 = 250;
/// An animal lays when it pleases.
const WAIT_FOR_EGG: u64 = 400;
/// A field grows while the day passes.
const GROWING: u64 = 1_500;
/// A bite takes some twenty seconds.
const BITE: u64 = 60;

/// The deeds that give `wanted`.
#[must_use]
pub(super) fn deeds(wanted: ItemSpec) -> Vec<Deed> {
    let mut found: Vec<Deed> = uses(wanted).collect();
    found.extend(from_animals(wanted));
    found.extend(grown(wanted));
    found.extend(fished(wanted));
    found
}

fn uses(wanted: ItemSpec) -> impl Iterator<Item = Deed> {
    uses::yields()
        .filter(move |(_, _, gives)| wanted.matches(*gives))
        .map(|(held, on, _)| {
            let lasts = held.facts().durability.is_some();
            Deed {
                executor: Executor::Use,
                tool: Some(held.into()),
                on: Some(on),
                uses: (!lasts).then_some(held.into()).into_iter().collect(),
                holds: lasts.then_some(held.into()).into_iter().collect(),
                price: if on == "lava" { LAVA_SEARCH } else { SEARCH },
                seconds: (300, 20),
            }
        })
}

fn from_animals(wanted: ItemSpec) -> Vec<Deed> {
    let mut found = Vec::new();
    let shears = ItemId::named("shears").map(ItemSpec::Item);
    for mob in MobKind::ALL {
        let facts = mob.facts();
        if facts.sheared.iter().any(|drop| wanted.matches(drop.item)) {
            found.push(Deed {
                executor: Executor::Use,
                tool: shears,
                on: Some(mob.name()),
                uses: Vec::new(),
                holds: shears.into_iter().collect(),
                price: SEARCH,
                seconds: (180, 20),
            });
        }
        if facts.lays.iter().any(|drop| wanted.matches(drop.item)) {
            found.push(Deed {
                executor: Executor::Use,
                tool: None,
                on: Some(mob.name()),
                uses: Vec::new(),
                holds: Vec::new(),
                price: WAIT_FOR_EGG,
                seconds: (600, 450),
            });
        }
    }
    found
}

fn grown(wanted: ItemSpec) -> Vec<Deed> {
    let crops = farming::crops_giving(wanted);
    let hoe = ItemId::named("wooden_hoe").map(ItemSpec::Item);
    crops
        .map(|crop| Deed {
            executor: Executor::Grow,
            tool: None,
            on: None,
            uses: vec![crop.seed.into()],
            holds: hoe.filter(|_| crop.wants_farmland()).into_iter().collect(),
            price: GROWING,
            seconds: (900, 60),
        })
        .collect()
}

fn fished(wanted: ItemSpec) -> Vec<Deed> {
    let rod = ItemId::named("fishing_rod").map(ItemSpec::Item);
    let chance = fishing::chance_of(wanted);
    let casts = (1.0 / chance).ceil();
    (chance > 0.0)
        .then(|| Deed {
            executor: Executor::Fish,
            tool: rod,
            on: None,
            uses: Vec::new(),
            holds: rod.into_iter().collect(),
            price: SEARCH + BITE * casts as u64,
            seconds: (180, (25.0 * casts) as u32),
        })
        .into_iter()
        .collect()
}
