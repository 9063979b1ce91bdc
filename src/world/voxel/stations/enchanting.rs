//! The enchanting table: a thing is laid on it, offers appear, one is paid for with levels and lapis lazuli.
//!
//! Invariant: what is shown is what comes; the offers change only when one is taken.

use super::{stack_in, take_from};
use crate::block as blocks;
use crate::enchanting::{EnchantingOffer, OFFERS, can_lay, enchanted, offers};
use crate::feat::Feat;
use crate::inventory::Stack;
use crate::item::ItemId;
use crate::observation::Gui;
use crate::space::Pos;
use crate::voxel::controls::ControlOutcome;
use crate::voxel::grid::Grid;
use crate::voxel::sim::Simulation;

/// Puts a thing on the table that is open.
pub(super) fn lay(sim: &mut Simulation, slot: usize, is_look: bool) -> ControlOutcome {
    if sim.window.gui != Gui::EnchantingTable {
        return ControlOutcome::Refused("no enchanting table is open");
    }
    match stack_in(&sim.body.slots, slot) {
        None => return ControlOutcome::Refused("not carried"),
        Some(stack) if !is_fit(&stack) => {
            return ControlOutcome::Refused("that takes no enchantment here");
        }
        Some(_) => {}
    }
    if !is_look {
        sim.window.laid = Some(slot);
    }
    ControlOutcome::Done
}

/// Of a stack of books one is laid.
fn one_of(stack: Stack) -> Stack {
    Stack { count: 1, ..stack }
}

fn is_fit(stack: &Stack) -> bool {
    can_lay(&one_of(*stack))
}

/// What the open table shows.
pub(in crate::voxel) fn shown(sim: &Simulation) -> [Option<EnchantingOffer>; OFFERS] {
    let laid = sim
        .window
        .laid
        .filter(|_| sim.window.gui == Gui::EnchantingTable);
    let stack = laid.and_then(|slot| stack_in(&sim.body.slots, slot));
    match (stack, sim.window.at) {
        (Some(stack), Some(at)) => offers(&one_of(stack), sim.charm, shelves(&sim.grid, at)),
        _ => [None; OFFERS],
    }
}

/// Takes an offer: the nth needs the level it says and costs n levels and n lapis lazuli.
pub(super) fn enchant(sim: &mut Simulation, offer: usize, is_look: bool) -> ControlOutcome {
    let Some(taken) = shown(sim).get(offer).copied().flatten() else {
        return ControlOutcome::Refused("there is no such offer");
    };
    let price = offer as u32 + 1;
    let Some((slot, lapis)) = sim.window.laid.zip(ItemId::named("lapis_lazuli")) else {
        return ControlOutcome::Refused("nothing lies on the table");
    };
    if sim.body.experience.level < taken.level.max(price) {
        return ControlOutcome::Refused("too few levels");
    }
    if sim.body.slots.count(lapis) < price {
        return ControlOutcome::Refused("too little lapis lazuli");
    }
    let Some(stack) = stack_in(&sim.body.slots, slot) else {
        return ControlOutcome::Refused("nothing lies on the table");
    };
    let made = enchanted(one_of(stack), sim.charm, offer, taken.level);
    let mut after = sim.body.slots.clone();
    take_from(&mut after, slot, 1);
    if after.stacks[slot].is_none() {
        after.stacks[slot] = Some(made);
    } else if after.add(made).is_some() {
        return ControlOutcome::Refused("the inventory is full");
    }
    after.remove(lapis, price);
    if is_look {
        return ControlOutcome::Done;
    }
    sim.use_up(lapis, price);
    if made.item != stack.item {
        sim.use_up(stack.item, 1);
        sim.crafted.add(made.item, 1);
    }
    sim.body.slots = after;
    sim.body.experience.spend(price);
    sim.charm = sim.charms.next_u64();
    sim.window.laid = None;
    sim.feats.add(Feat::Enchanted, made.item, 1);
    ControlOutcome::Done
}

/// Bookshelves two steps off, on the table's level and one above, with air between.
fn shelves(grid: &Grid, table: Pos) -> u32 {
    let is_air = |at: Pos| grid.block(at) == blocks::AIR;
    let mut count = 0;
    let mut look = |x: i32, z: i32| {
        for y in 0..2 {
            count += u32::from(grid.block(table.plus(x, y, z)) == blocks::BOOKSHELF);
        }
    };
    for z in -1..=1 {
        for x in -1..=1 {
            let open = is_air(table.plus(x, 0, z)) && is_air(table.plus(x, 1, z));
            if (x, z) == (0, 0) || !open {
                continue;
            }
            look(x * 2, z * 2);
            if x != 0 && z != 0 {
                look(x * 2, z);
                look(x, z * 2);
            }
        }
    }
    count
}
