//! Ways by the right button and by patience: used, turned, picked, dyed, grown, fished.
//!
//! Invariant: each way is a row of the tables of uses, farming or fishing.

use super::{Amount, Way};
use crate::block::{self as blocks, BlockId};
use crate::drops::drops_of;
use crate::farming;
use crate::fishing;
use crate::item::{ItemId, ToolKind};
use crate::mob::MobKind;
use crate::uses;

/// The ways to an item that this file knows.
pub(super) fn ways(item: ItemId) -> Vec<Way> {
    let mut ways: Vec<Way> = filled(item).chain(spilled(item)).collect();
    ways.extend(turned(item));
    ways.extend(picked(item));
    ways.extend(dyed(item));
    ways.extend(grown(item));
    ways.extend(fished(item));
    ways
}

fn filled(item: ItemId) -> impl Iterator<Item = Way> {
    let fitting = uses::FILLS
        .into_iter()
        .filter(move |(_, _, full)| *full == item.name());
    fitting.filter_map(|(held, on, _)| {
        let held = ItemId::named(held)?;
        Some(Way::Used { held, on, count: 1 })
    })
}

/// What falls out when a pumpkin is carved.
fn spilled(item: ItemId) -> Option<Way> {
    let (seeds, count) = uses::turned(ToolKind::Shears, blocks::PUMPKIN)?.spills?;
    let on = blocks::PUMPKIN.name();
    let held = ItemId::named("shears").filter(|_| seeds == item)?;
    Some(Way::Used { held, on, count })
}

/// Only what is a thing of its own: farmland gives the dirt it was made of.
fn turned(item: ItemId) -> impl Iterator<Item = Way> {
    let into = BlockId::named(item.name()).filter(|block| block.item() == Some(item));
    let gives = into.filter(|block| drops_of(*block, None).iter().any(|drop| drop.item == item));
    let pairs = gives
        .into_iter()
        .filter(|block| *block != blocks::DIRT)
        .flat_map(uses::turned_into);
    pairs.map(|(tool, block)| Way::Turned { tool, block })
}

fn picked(item: ItemId) -> Option<Way> {
    (item.name() == "sweet_berries").then_some(Way::Picked {
        block: blocks::SWEET_BERRY_BUSH,
        amount: Amount {
            chance: 1.0,
            min: 2,
            max: 3,
        },
    })
}

fn dyed(item: ItemId) -> Option<Way> {
    let dye = ItemId::all().find(|dye| uses::dyed_wool(*dye) == Some(item))?;
    let drop = MobKind::Sheep.facts().sheared.first()?;
    Some(Way::Dyed {
        mob: MobKind::Sheep,
        dye,
        amount: (*drop).into(),
    })
}

fn grown(item: ItemId) -> impl Iterator<Item = Way> {
    farming::crops_giving(item.into()).map(|crop| Way::Grown {
        seed: crop.seed,
        plant: crop.harvested_block(),
    })
}

fn fished(item: ItemId) -> impl Iterator<Item = Way> {
    fishing::shares()
        .iter()
        .filter(move |(catch, _)| catch.item == item)
        .map(|(catch, share)| Way::Fished {
            pool: catch.pool,
            share: *share,
        })
}
