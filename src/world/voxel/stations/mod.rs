//! Stations: the work at enchanting tables, anvils, grindstones, crafting grids and with villagers.
//!
//! Things stay in their slots until the work is done, so that a window that closes loses nothing. Invariant: every piece
//! of work takes its clicks, and what it does is done whole or not at all.

mod enchanting;
mod mending;
pub(super) mod trading;

pub(super) use enchanting::shown;

use super::controls::{ControlOutcome, HandAction};
use super::sim::Simulation;
use crate::inventory::{Slots, Stack};

/// Ticks of clicking one piece of work together.
pub(super) const WORK_TICKS: u32 = 3;

/// Continues the work; it is looked at when it begins and carried out when it ends.
pub(super) fn work(sim: &mut Simulation, action: &HandAction) -> ControlOutcome {
    let clicked = sim.window.busy.as_ref().map_or(0, |(_, ticks)| *ticks) + 1;
    if clicked < WORK_TICKS {
        // Only a look: what cannot be done is refused at the first click.
        match carry_out(sim, action, true) {
            ControlOutcome::Done => {}
            refused => return refused,
        }
        sim.window.busy = Some((action.clone(), clicked));
        return ControlOutcome::Working;
    }
    sim.window.busy = None;
    carry_out(sim, action, false)
}

fn carry_out(sim: &mut Simulation, action: &HandAction, is_look: bool) -> ControlOutcome {
    match *action {
        HandAction::Trade { offer } => trading::trade(sim, offer, is_look),
        HandAction::Lay { slot } => enchanting::lay(sim, slot, is_look),
        HandAction::Enchant { offer } => enchanting::enchant(sim, offer, is_look),
        HandAction::Join { slot, with } => mending::join(sim, slot, with, is_look),
        HandAction::Grind { slot, with } => mending::grind(sim, slot, with, is_look),
        HandAction::Mend { slot, with } => mending::mend(sim, slot, with, is_look),
        HandAction::Dye { slot, dye } => mending::dye(sim, slot, dye, is_look),
        _ => ControlOutcome::Refused("that action does not belong to a station"),
    }
}

/// What lies in a slot.
fn stack_in(slots: &Slots, slot: usize) -> Option<Stack> {
    slots.stacks.get(slot).copied().flatten()
}

/// Takes pieces out of a slot.
fn take_from(slots: &mut Slots, slot: usize, count: u32) {
    if let Some(stack) = slots.stacks.get_mut(slot) {
        *stack = stack
            .filter(|stack| stack.count > count)
            .map(|stack| Stack {
                count: stack.count - count,
                ..stack
            });
    }
}
