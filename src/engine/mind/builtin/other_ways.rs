//! Other ways: what gives a thing besides mining, hunting, crafting and smelting, as remembered.
//!
//! Shears on a sheep, a bucket in water, a field, a rod, a villager, a chest, an enchanting table.
//! Each is a row of the game's tables; nothing is listed here but what the going there costs.
//! The planner chooses among them by price, as among all ways.

use super::price::{RARELY_LEFT, RARELY_MET};
use super::ways::{Amount, Part};
use pithead_core::domain::plan::Executor;
use pithead_world::answers::Answers;
use pithead_world::block;
use pithead_world::enchanting::{enchanted_items, enchants_with};
use pithead_world::family::ItemSpec;
use pithead_world::farming;
use pithead_world::fishing;
use pithead_world::item::ItemId;
use pithead_world::loot;
use pithead_world::mob::MobKind;
use pithead_world::trade::{self, Trade};
use pithead_world::uses;
use std::sync::LazyLock;

/// One such way to get something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OtherWay {
    pub(super) executor: Executor,
    /// What is in the hand.
    pub(super) tool: Option<ItemSpec>,
    /// What it is done to.
    pub(super) on: Option<&'static str>,
    pub(super) parts: Vec<Part>,
    /// How deep one goes for it; none if it is looked for on the ground.
    pub(super) depth: Option<i32>,
    /// In the unit of `price`.
    pub(super) price: u64,
    /// Seconds to find the place, and for each piece.
    pub(super) seconds: (u32, u32),
}

/// Looking for an animal, a pond or a field.
/// In the unit of `price`: blocks broken by hand.
const SEARCH: u64 = 60;
/// Lava lies deep or far.
const LAVA_SEARCH: u64 = 250;
/// Just above the height up to which caves are full of it.
const LAVA_CAVES: i32 = 12;
/// An animal lays when it pleases.
const WAIT_FOR_EGG: u64 = 400;
/// A field grows while the day passes.
const GROWING: u64 = 1_500;
/// A bite takes some twenty seconds, eight blocks broken by hand.
const BITE: u64 = 160;
/// So many casts for one catch take the day.
/// Rarer catches are priced as what hardly anyone leaves.
const RARE_CASTS: f64 = 40.0;
/// Looking for a village: it may be a day's walk off or not there at all, so what is dug, hunted or
/// made anywhere else is obtained sooner, however many steps that takes. Then one chest after the other.
const VILLAGE: u64 = 1_000_000;
const CHEST: u64 = 20_000;
/// Dungeons lie hidden in the rock.
/// Still farther than a village: nobody knows where one is.
const DUNGEON: u64 = 5_000_000;
const DUNGEONS: &str = "dungeon";
/// Raising a villager by one rank takes many a trade.
const RANK: u64 = 500_000;
/// The first offer of a table takes one piece of what pays for it.
/// Ranks add up from the second.
const PAID: u32 = 1;
/// Chests and villages are looked for so long.
const FAR_SECONDS: u32 = 1_000;

impl OtherWay {
    /// It is done wherever its parts are.
    pub(super) fn is_on_the_spot(&self) -> bool {
        self.executor == Executor::Enchant
    }
}

/// The other ways that give `wanted`.
#[must_use]
pub(super) fn other_ways_to_get(wanted: ItemSpec) -> &'static [OtherWay] {
    static KNOWN: LazyLock<Answers<OtherWay>> = LazyLock::new(|| Answers::new(by_the_tables));
    KNOWN.about(wanted)
}

fn by_the_tables(wanted: ItemSpec) -> Vec<OtherWay> {
    let mut found: Vec<OtherWay> = used(wanted).collect();
    found.extend(from_animals(wanted));
    found.extend(grown(wanted));
    found.extend(fished(wanted));
    found.extend(bought(wanted));
    found.extend(looted(wanted));
    found.extend(enchanted(wanted));
    found
}

fn once(item: ItemSpec) -> Part {
    Part {
        item,
        amount: Amount::PerBatch(1),
    }
}

fn held(item: ItemSpec) -> Part {
    Part {
        item,
        amount: Amount::Held(1),
    }
}

fn used(wanted: ItemSpec) -> impl Iterator<Item = OtherWay> {
    uses::yields()
        .filter(move |(_, _, gives)| wanted.matches(*gives))
        .map(|(tool, on, _)| {
            // Tools last, vessels are used up: a filled bucket is no bucket any more.
            let lasts = tool.facts().durability.is_some();
            let part = if lasts { held } else { once };
            OtherWay {
                executor: Executor::Use,
                tool: Some(tool.into()),
                on: Some(on),
                parts: vec![part(tool.into())],
                depth: (on == block::LAVA.name()).then_some(LAVA_CAVES),
                price: search(on),
                seconds: (300, 20),
            }
        })
}

/// What looking for it costs.
fn search(on: &str) -> u64 {
    match MobKind::named(on) {
        Some(mob) if mob.facts().seldom => RARELY_MET,
        None if on == block::LAVA.name() => LAVA_SEARCH,
        _ => SEARCH,
    }
}

fn from_animals(wanted: ItemSpec) -> Vec<OtherWay> {
    let mut found = Vec::new();
    let shears = ItemId::named("shears").map(ItemSpec::Item);
    for mob in MobKind::ALL {
        let facts = mob.facts();
        if facts.sheared.iter().any(|drop| wanted.matches(drop.item)) {
            found.push(OtherWay {
                executor: Executor::Use,
                tool: shears,
                on: Some(mob.name()),
                parts: shears.map(held).into_iter().collect(),
                depth: None,
                price: search(mob.name()),
                seconds: (180, 20),
            });
        }
        if facts.lays.iter().any(|drop| wanted.matches(drop.item)) {
            found.push(OtherWay {
                executor: Executor::Use,
                tool: None,
                on: Some(mob.name()),
                parts: Vec::new(),
                depth: None,
                price: WAIT_FOR_EGG,
                seconds: (600, 450),
            });
        }
    }
    found
}

fn grown(wanted: ItemSpec) -> impl Iterator<Item = OtherWay> {
    // The plainest hoe will do.
    let hoe = ItemId::named("wooden_hoe").map(ItemSpec::Item);
    farming::crops_giving(wanted).map(move |crop| {
        let tilled = hoe.filter(|_| crop.wants_farmland()).map(held);
        OtherWay {
            executor: Executor::Grow,
            tool: None,
            on: None,
            parts: [once(crop.seed.into())].into_iter().chain(tilled).collect(),
            depth: None,
            price: GROWING,
            seconds: (900, 60),
        }
    })
}

fn fished(wanted: ItemSpec) -> Option<OtherWay> {
    let rod = ItemId::named("fishing_rod").map(ItemSpec::Item);
    let chance = fishing::chance_of(wanted);
    // Whole casts for one catch on average.
    let casts = (1.0 / chance).ceil();
    (chance > 0.0).then(|| OtherWay {
        executor: Executor::Fish,
        tool: rod,
        on: None,
        parts: rod.map(held).into_iter().collect(),
        depth: None,
        price: SEARCH + BITE * casts as u64 + if casts > RARE_CASTS { RARELY_LEFT } else { 0 },
        seconds: (180, (25.0 * casts) as u32),
    })
}

/// From villagers, for what they ask.
fn bought(wanted: ItemSpec) -> Vec<OtherWay> {
    let offers = trade::offers_for(wanted).into_iter();
    offers.map(|(_, row)| purchase(row)).collect()
}

fn purchase(row: &Trade) -> OtherWay {
    let part = |(item, count): &(ItemId, u32)| Part {
        item: (*item).into(),
        amount: Amount::PerPieces {
            count: *count,
            // A trade gives several pieces at once.
            pieces: row.get.1,
        },
    };
    OtherWay {
        executor: Executor::Trade,
        tool: None,
        on: None,
        parts: row.usual_price().iter().map(part).collect(),
        depth: None,
        price: VILLAGE + RANK * u64::from(row.level.saturating_sub(1)),
        seconds: (FAR_SECONDS, 10),
    }
}

/// Out of chests that others have filled, where it is likeliest.
fn looted(wanted: ItemSpec) -> Option<OtherWay> {
    let price = |found: &loot::LootPlace| {
        let way = if found.place == DUNGEONS {
            DUNGEON
        } else {
            VILLAGE
        };
        // The rarer in a chest, the more chests.
        way + (CHEST as f32 / found.chance) as u64
    };
    let places = loot::places_with(wanted);
    let price = places.iter().map(price).min()?;
    Some(OtherWay {
        executor: Executor::Take,
        tool: None,
        on: None,
        parts: Vec::new(),
        depth: None,
        price,
        seconds: (FAR_SECONDS, 30),
    })
}

/// What an enchanting table makes of another thing.
fn enchanted(wanted: ItemSpec) -> Option<OtherWay> {
    let mut pairs = enchanted_items().iter();
    let (plain, _) = pairs.find(|(_, made)| wanted.matches(*made))?;
    let table: ItemSpec = block::ENCHANTING_TABLE.item()?.into();
    let pay = Part {
        item: enchants_with()?.into(),
        amount: Amount::PerBatch(PAID),
    };
    Some(OtherWay {
        executor: Executor::Enchant,
        tool: None,
        on: None,
        parts: vec![once((*plain).into()), pay, held(table)],
        depth: None,
        price: SEARCH,
        seconds: (60, 20),
    })
}
