//! Anvil, grindstone and crafting grid: worn things mended, enchantments joined or taken off, leather dyed.
//!
//! The rules are in `world::mending`. Invariant: two things become one, and what was paid is gone.

use super::{stack_in, take_from};
use crate::block::{self as blocks, BlockId};
use crate::extra::{Colour, takes_colour};
use crate::feat::Feat;
use crate::inventory::Stack;
use crate::item::ItemId;
use crate::mending;
use crate::observation::Gui;
use crate::voxel::controls::ControlOutcome;
use crate::voxel::learning;
use crate::voxel::sim::Simulation;

/// One work in so many hundred damages an anvil.
const ANVIL_DAMAGED: f64 = 0.12;

const NOTHING_COMES: ControlOutcome = ControlOutcome::Refused("these two items cannot be combined");

/// Two different slots, and what lies in them.
fn pair(sim: &Simulation, slot: usize, with: usize) -> Option<(Stack, Stack)> {
    let slots = &sim.body.slots;
    stack_in(slots, slot)
        .zip(stack_in(slots, with))
        .filter(|_| slot != with)
}

/// Notes what was made of what; a thing with less wear than before was repaired.
fn note(sim: &mut Simulation, before: &Stack, made: &Stack, used: (ItemId, u32)) {
    if made.damage < before.damage {
        sim.feats.add(Feat::Repaired, made.item, 1);
    }
    if made.extra.enchants != before.extra.enchants && !made.extra.enchants.is_empty() {
        sim.feats.add(Feat::Enchanted, made.item, 1);
    }
    sim.use_up(used.0, used.1);
}

pub(super) fn join(
    sim: &mut Simulation,
    slot: usize,
    with: usize,
    is_look: bool,
) -> ControlOutcome {
    if sim.window.gui != Gui::Anvil {
        return ControlOutcome::Refused("no anvil is open");
    }
    let Some((left, right)) = pair(sim, slot, with) else {
        return ControlOutcome::Refused("not carried");
    };
    let Some(work) = mending::at_anvil(&left, &right) else {
        return NOTHING_COMES;
    };
    if sim.body.experience.level < work.levels {
        return ControlOutcome::Refused("too few levels");
    }
    if is_look {
        return ControlOutcome::Done;
    }
    sim.body.experience.spend(work.levels);
    take_from(&mut sim.body.slots, with, work.used);
    sim.body.slots.stacks[slot] = Some(work.made);
    note(sim, &left, &work.made, (right.item, work.used));
    wear_anvil(sim);
    ControlOutcome::Done
}

fn wear_anvil(sim: &mut Simulation) {
    let Some(at) = sim.window.at else { return };
    if !sim.luck.chance(ANVIL_DAMAGED) {
        return;
    }
    let next = match sim.grid.block(at).name() {
        "anvil" => BlockId::named("chipped_anvil"),
        "chipped_anvil" => BlockId::named("damaged_anvil"),
        _ => Some(blocks::AIR),
    };
    if let Some(next) = next {
        sim.grid.set(at, next);
    }
}

pub(super) fn grind(
    sim: &mut Simulation,
    slot: usize,
    with: Option<usize>,
    is_look: bool,
) -> ControlOutcome {
    if sim.window.gui != Gui::Grindstone {
        return ControlOutcome::Refused("no grindstone is open");
    }
    let Some(first) = stack_in(&sim.body.slots, slot) else {
        return ControlOutcome::Refused("not carried");
    };
    let second = with.and_then(|with| pair(sim, slot, with)).map(|(_, b)| b);
    if with.is_some() && second.is_none() {
        return ControlOutcome::Refused("not carried");
    }
    let Some((made, points)) = mending::at_grindstone(&first, second.as_ref()) else {
        return NOTHING_COMES;
    };
    if is_look {
        return ControlOutcome::Done;
    }
    sim.body.slots.stacks[slot] = Some(made);
    if let Some(with) = with {
        take_from(&mut sim.body.slots, with, 1);
        note(sim, &first, &made, (first.item, 1));
    }
    if points > 0 {
        let at = sim.window.at.map_or(sim.body.at, |at| at.up().floor());
        learning::between(sim, (points, points * 2 - 1), at);
    }
    ControlOutcome::Done
}

fn grid_is_open(sim: &Simulation) -> bool {
    matches!(sim.window.gui, Gui::Inventory | Gui::CraftingTable)
}

pub(super) fn mend(
    sim: &mut Simulation,
    slot: usize,
    with: usize,
    is_look: bool,
) -> ControlOutcome {
    if !grid_is_open(sim) {
        return ControlOutcome::Refused("no crafting grid is open");
    }
    let Some((first, second)) = pair(sim, slot, with) else {
        return ControlOutcome::Refused("not carried");
    };
    let Some(made) = mending::in_grid(&first, &second) else {
        return NOTHING_COMES;
    };
    if is_look {
        return ControlOutcome::Done;
    }
    sim.body.slots.stacks[slot] = Some(made);
    take_from(&mut sim.body.slots, with, 1);
    note(sim, &first, &made, (first.item, 1));
    ControlOutcome::Done
}

pub(super) fn dye(sim: &mut Simulation, slot: usize, dye: ItemId, is_look: bool) -> ControlOutcome {
    if !grid_is_open(sim) {
        return ControlOutcome::Refused("no crafting grid is open");
    }
    let Some(stack) = stack_in(&sim.body.slots, slot) else {
        return ControlOutcome::Refused("not carried");
    };
    let Some(colour) = Colour::of_dye(dye).filter(|_| takes_colour(stack.item)) else {
        return NOTHING_COMES;
    };
    if sim.body.slots.count(dye) == 0 {
        return ControlOutcome::Refused("the dye is not carried");
    }
    if is_look {
        return ControlOutcome::Done;
    }
    sim.body.slots.remove(dye, 1);
    if let Some(stack) = &mut sim.body.slots.stacks[slot] {
        stack.extra.colour = Some(stack.extra.colour.map_or(colour, |old| old.mixed(colour)));
    }
    sim.use_up(dye, 1);
    sim.feats.add(Feat::Dyed, stack.item, 1);
    ControlOutcome::Done
}
