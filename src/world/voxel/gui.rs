//! Windows: opening, closing, and what is clicked in them.
//!
//! Invariant: at most one window is open, its block stands and is within reach, and every opening
//! and closing is counted.

use super::body::{REACH, sight};
use super::controls::{ControlOutcome, FurnaceSlot};
use super::crafting::{self, CraftingGrid};
use super::furnace::Furnace;
use super::sim::Simulation;
use super::{learning, stations};
use crate::family::ItemSpec;
use crate::feat::Feat;
use crate::inventory::{Slots, Stack};
use crate::item::ItemId;
use crate::observation::Gui;
use crate::smelting::burn_ticks;
use crate::space::Pos;

/// Ticks of clicking a recipe together.
/// About as fast as a player clicks through a recipe.
pub const CRAFT_TICKS: u32 = 3;
/// A window closes when the body drifts farther off than this.
/// In blocks; the hand reaches 4.5, so a small push does not close a window.
const LEASH: f64 = 6.0;

pub(super) fn open_inventory(sim: &mut Simulation) -> ControlOutcome {
    sim.window.open(Gui::Inventory, None)
}

pub(super) fn open_block(sim: &mut Simulation, at: Pos) -> ControlOutcome {
    let Some(gui) = Gui::opened_by(sim.grid.block(at)) else {
        return ControlOutcome::Refused("that opens no window");
    };
    if sight::point_of_block(&sim.grid, sim.body.eyes(), at, REACH).is_none() {
        return ControlOutcome::Refused("out of reach or out of sight");
    }
    // As in the game, an opaque block on top keeps a chest shut.
    if gui == Gui::Chest && sim.grid.block(at.up()).is_opaque() {
        return ControlOutcome::Refused("a block above holds the lid down");
    }
    let outcome = sim.window.open(gui, Some(at));
    if outcome == ControlOutcome::Done && gui == Gui::Furnace {
        // Its state begins with the first look: furnaces that nobody opened have none.
        sim.furnaces.entry(at).or_default();
        sim.furnace_used = Some(at);
    } else if outcome == ControlOutcome::Done && gui == Gui::Chest {
        sim.chests.entry(at).or_default();
    }
    outcome
}

pub(super) fn close(sim: &mut Simulation) -> ControlOutcome {
    if !sim.window.gui.is_open() {
        return ControlOutcome::Refused("no window is open");
    }
    sim.window.close();
    ControlOutcome::Done
}

/// Closes the window when its block is gone or far.
pub(super) fn check(sim: &mut Simulation) {
    if let Some(mob) = sim.window.mob {
        return stations::trading::check(sim, mob);
    }
    let Some(at) = sim.window.at else { return };
    // The block is compared too: a chest may have been replaced by something else.
    let stands = Gui::opened_by(sim.grid.block(at)) == Some(sim.window.gui);
    if !stands || sim.body.eyes().distance(at.centre()) > LEASH {
        sim.window.close();
    }
}

pub(super) fn craft_once(sim: &mut Simulation, product: ItemId) -> ControlOutcome {
    let bench = match sim.window.gui {
        Gui::Inventory => CraftingGrid::TwoByTwo,
        Gui::CraftingTable => CraftingGrid::ThreeByThree,
        Gui::Closed
        | Gui::Furnace
        | Gui::Chest
        | Gui::EnchantingTable
        | Gui::Anvil
        | Gui::Grindstone
        | Gui::Trade => {
            return ControlOutcome::Refused("no crafting grid is open");
        }
    };
    let clicked = match sim.window.clicks {
        // Clicking another product begins anew.
        Some((item, ticks)) if item == product => ticks + 1,
        _ => 1,
    };
    // The recipe is looked up when the clicking starts and again when it ends, not in between.
    if clicked > 1 && clicked < CRAFT_TICKS {
        sim.window.clicks = Some((product, clicked));
        return ControlOutcome::Working;
    }
    match crafting::craft(&sim.body.slots, product, bench) {
        Err(lack) => {
            sim.window.clicks = None;
            ControlOutcome::Refused(lack.reason())
        }
        Ok(_) if clicked < CRAFT_TICKS => {
            sim.window.clicks = Some((product, clicked));
            ControlOutcome::Working
        }
        Ok((after, count)) => {
            sim.window.clicks = None;
            // What left the inventory is computed from before and after, because families
            // decide late which items are used.
            let spent = after.counts().delta(&sim.body.slots.counts());
            for (item, by) in spent.into_iter().filter(|(_, by)| *by < 0) {
                sim.use_up(item, u32::try_from(-by).unwrap_or(u32::MAX));
            }
            sim.body.slots = after;
            sim.crafted.add(product, count);
            ControlOutcome::Crafted(product, count)
        }
    }
}

fn open_furnace(sim: &mut Simulation) -> Option<(&mut Furnace, &mut Slots)> {
    let at = sim.window.at.filter(|_| sim.window.gui == Gui::Furnace)?;
    Some((sim.furnaces.get_mut(&at)?, &mut sim.body.slots))
}

pub(super) fn furnace_put(
    sim: &mut Simulation,
    slot: FurnaceSlot,
    spec: ItemSpec,
    count: u32,
) -> ControlOutcome {
    let Some((furnace, slots)) = open_furnace(sim) else {
        return ControlOutcome::Refused("no furnace is open");
    };
    let there = *furnace.slot_mut(slot);
    // A begun stack decides the kind.
    let wanted = there.map_or(spec, |stack| ItemSpec::Item(stack.item));
    if there.is_some_and(|stack| !spec.matches(stack.item)) {
        return ControlOutcome::Refused("something else is in that slot");
    }
    let Some((item, held)) = crafting::next_kind(slots, wanted) else {
        return ControlOutcome::Refused("not carried");
    };
    match slot {
        FurnaceSlot::Output => {
            return ControlOutcome::Refused("nothing can be put into the output");
        }
        FurnaceSlot::Fuel if burn_ticks(item).is_none() => {
            // Every other block in its slot is refused before anything is moved.
            return ControlOutcome::Refused("that does not burn");
        }
        FurnaceSlot::Fuel | FurnaceSlot::Input => {}
    }
    let begun = there.map_or(0, |stack| stack.count);
    let moved = count
        .min(held)
        .min(item.facts().stack_max.saturating_sub(begun));
    if moved == 0 {
        return ControlOutcome::Refused("that slot is full");
    }
    // A worn thing stays worn in there: it is moved, not counted.
    let worn = slots.find(item).and_then(|at| slots.stacks[at]);
    let like = worn.filter(|_| item.facts().stack_max == 1);
    if let (Some(at), Some(_)) = (slots.find(item), like) {
        slots.stacks[at] = None;
    } else {
        slots.remove(item, moved);
    }
    *furnace.slot_mut(slot) = Some(Stack {
        count: begun + moved,
        ..like.unwrap_or(Stack::new(item, moved))
    });
    sim.use_up(item, moved);
    ControlOutcome::Done
}

pub(super) fn furnace_take(sim: &mut Simulation, slot: FurnaceSlot) -> ControlOutcome {
    let Some((furnace, slots)) = open_furnace(sim) else {
        return ControlOutcome::Refused("no furnace is open");
    };
    let Some(stack) = furnace.slot_mut(slot).take() else {
        return ControlOutcome::Refused("that slot is empty");
    };
    // Read before the slot is emptied: taking the output credits it.
    let learnt = furnace.learnt;
    let rest = slots.add(stack);
    *furnace.slot_mut(slot) = rest;
    let moved = stack.count - rest.map_or(0, |rest| rest.count);
    if moved == 0 {
        return ControlOutcome::Refused("the inventory is full");
    }
    if slot == FurnaceSlot::Output {
        sim.crafted.add(stack.item, moved);
        if let Some(furnace) = sim.window.at.and_then(|at| sim.furnaces.get_mut(&at)) {
            // All of it is credited at once, even if some pieces stay behind for want of
            // room.
            furnace.learnt = 0;
        }
        learning::hundredths(sim, learnt);
    } else {
        // Taken back unused; what an earlier action put in is not this one's to give back.
        // Never below zero: pieces may come from before this action.
        let back = moved.min(sim.used.count(stack.item));
        sim.used.remove(stack.item, back);
    }
    ControlOutcome::Done
}

/// Which way items go between chest and inventory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChestDirection {
    Put,
    Take,
}

pub(super) fn chest_move(
    sim: &mut Simulation,
    way: ChestDirection,
    spec: ItemSpec,
    count: u32,
) -> ControlOutcome {
    // Compared afterwards: what a family took can be several kinds.
    let before = sim.body.slots.counts();
    let at = sim.window.at.filter(|_| sim.window.gui == Gui::Chest);
    let Some(chest) = at.and_then(|at| sim.chests.get_mut(&at)) else {
        return ControlOutcome::Refused("no chest is open");
    };
    let (from, to) = match way {
        ChestDirection::Put => (&mut sim.body.slots, &mut chest.slots),
        ChestDirection::Take => (&mut chest.slots, &mut sim.body.slots),
    };
    if count == 0 || from.find(spec).is_none() {
        return ControlOutcome::Refused("not there");
    }
    let mut left = count;
    // By index, because moving a stack changes the list.
    for at in 0..from.stacks.len() {
        if left > 0 && from.stacks[at].is_some_and(|stack| spec.matches(stack.item)) {
            left -= from.transfer(at, left, to);
        }
    }
    if left == count {
        return ControlOutcome::Refused("no room");
    }
    if way == ChestDirection::Take {
        for (item, by) in sim.body.slots.counts().delta(&before) {
            sim.feats
                .add(Feat::Looted, item, u32::try_from(by).unwrap_or(0));
        }
    }
    ControlOutcome::Done
}
