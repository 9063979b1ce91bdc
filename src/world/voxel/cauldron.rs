//! Cauldrons: three measures of water, filled and emptied by buckets and bottles, which also wash dyed leather.
//!
//! The measures are the stage of the block. Invariant: water comes only from buckets, bottles and rain.

use super::body::held;
use super::controls::ControlOutcome;
use super::sim::Simulation;
use crate::block::CAULDRON_FULL as FULL;
use crate::feat::Feat;
use crate::inventory::Stack;
use crate::item::ItemId;
use crate::space::Pos;

/// Uses what is in hand on the cauldron.
pub(super) fn use_on(sim: &mut Simulation, at: Pos, item: ItemId) -> ControlOutcome {
    // No stage means empty: nature places no cauldrons with water in them.
    let level = sim.grid.stage(at).unwrap_or(0);
    let is_dyed = |stack: Stack| stack.extra.colour.is_some();
    match item.name() {
        "water_bucket" if level < FULL => exchange(sim, at, "bucket", FULL),
        "bucket" if level == FULL => exchange(sim, at, "water_bucket", 0),
        "glass_bottle" if level > 0 => exchange(sim, at, "potion", level - 1),
        "potion" if level < FULL => exchange(sim, at, "glass_bottle", level + 1),
        _ if level > 0 && sim.body.slots.held().is_some_and(is_dyed) => wash(sim, at, level - 1),
        _ if sim.body.slots.held().is_some_and(is_dyed) => {
            ControlOutcome::Refused("there is no water in it")
        }
        _ => ControlOutcome::Refused("that has no use here"),
    }
}

fn fill(sim: &mut Simulation, at: Pos, level: u8) {
    // Empty again is the absence of a stage, so that equal cauldrons have equal checksums.
    sim.grid.set_stage(at, (level > 0).then_some(level));
}

fn exchange(sim: &mut Simulation, at: Pos, vessel: &str, level: u8) -> ControlOutcome {
    let outcome = held::exchange(sim, vessel);
    // Only when the exchange has worked: a full inventory must not change the water.
    if outcome == ControlOutcome::Done {
        fill(sim, at, level);
    }
    outcome
}

fn wash(sim: &mut Simulation, at: Pos, level: u8) -> ControlOutcome {
    let selected = sim.body.slots.selected;
    let Some(held) = &mut sim.body.slots.stacks[selected] else {
        return ControlOutcome::Refused("the hand is empty");
    };
    held.extra.colour = None;
    let item = held.item;
    sim.feats.add(Feat::Washed, item, 1);
    fill(sim, at, level);
    ControlOutcome::Done
}
