//! The thing in hand: worn by work, used up, exchanged for another.
//!
//! Invariant: what is refused changes nothing.

use super::super::controls::ControlOutcome;
use super::super::enchanted;
use super::super::sim::Simulation;
use crate::inventory::{Slots, Stack};
use crate::item::{ItemId, ToolKind};

/// Wears the tool in hand: digging tools `dug`, swords `cut` uses.
/// Tools wear twice from blows, swords twice from digging; the caller knows which it was.
pub(super) fn wear(sim: &mut Simulation, as_tool: u32, as_sword: u32) {
    let Some(tool) = sim.body.held().and_then(|item| item.facts().tool) else {
        return;
    };
    let uses = if tool.kind == ToolKind::Sword {
        as_sword
    } else {
        as_tool
    };
    wear_held(sim, uses);
}

/// Takes so many uses off what is in hand, but for those that its enchantment spares.
pub(super) fn wear_held(sim: &mut Simulation, uses: u32) {
    let selected = sim.body.slots.selected;
    // Drawn before the wear, from the stream of drops.
    let spared = sim
        .body
        .slots
        .held()
        .map_or(0, |stack| enchanted::spared(&stack, uses, &mut sim.luck));
    sim.body.slots.wear(selected, uses - spared);
}

/// Takes one piece from the slot in hand.
pub(in crate::voxel) fn take_one_held(slots: &mut Slots) {
    let slot = &mut slots.stacks[slots.selected];
    *slot = slot.filter(|stack| stack.count > 1).map(|stack| Stack {
        count: stack.count - 1,
        ..stack
    });
}

/// Swaps one of what is held for another thing.
pub(in crate::voxel) fn exchange(sim: &mut Simulation, after: &str) -> ControlOutcome {
    let Some(gained) = ItemId::named(after) else {
        return ControlOutcome::Refused("that has no use here");
    };
    // A copy with the exchange made, or nothing: a full inventory changes nothing.
    match sim.body.slots.with_held_exchanged(Stack::new(gained, 1)) {
        None => ControlOutcome::Refused("the inventory is full"),
        Some(after) => {
            sim.body.slots = after;
            ControlOutcome::Done
        }
    }
}
