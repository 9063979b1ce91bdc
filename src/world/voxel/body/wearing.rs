//! Wearing: putting armour on and off, holding the shield up, and the wear of both.
//!
//! Invariant: a place holds at most one piece, one that is made for it; what breaks is gone.

use super::super::controls::ControlOutcome;
use super::super::enchanted;
use super::super::sim::Simulation;
use super::cause::Cause;
use super::worn::has_armour_in_its_way;
use super::{PlayerBody, turn};
use crate::armour::{self, ArmourSlot, armour_of};
use crate::inventory::Stack;
use crate::item::ItemId;
use crate::observation::Gui;
use crate::space::Point;

/// A shield is up so many ticks after the button went down.
const RAISE_TICKS: u8 = 5;
/// Blows weaker than this leave no mark on a shield.
const SHIELD_MARKS: f32 = 3.0;
/// So much harm wears each piece by one.
const HARM_PER_USE: f32 = 4.0;

/// What of a harm reaches the body; the armour in its way is worn by it.
pub(in crate::voxel) fn soften(body: &mut PlayerBody, damage: f32, cause: Cause) -> f32 {
    let left = body.worn.softened(damage, cause);
    if has_armour_in_its_way(cause) {
        body.worn.wear += ((damage / HARM_PER_USE) as u32).max(1);
    }
    left
}

/// True if a shield that is up stands between the body and where it comes from; it is worn by it.
pub(in crate::voxel) fn blocks(body: &mut PlayerBody, damage: f32, from: Point) -> bool {
    let (x, z) = turn::heading(body.yaw);
    let is_ahead = (from.x - body.at.x) * x + (from.z - body.at.z) * z > 0.0;
    let blocks = body.worn.raised >= RAISE_TICKS && is_ahead;
    if blocks && damage >= SHIELD_MARKS {
        body.worn.shield_wear += 1 + damage as u32;
    }
    blocks
}

/// Holds the shield up, or lets it down.
pub(in crate::voxel) fn raise(body: &mut PlayerBody, guards: bool) {
    let has_shield = body.worn.at(ArmourSlot::OffHand).is_some();
    body.worn.raised = if guards && has_shield {
        (body.worn.raised + 1).min(RAISE_TICKS)
    } else {
        0
    };
}

/// Takes the uses of this tick off what is worn.
pub(in crate::voxel) fn step(sim: &mut Simulation) {
    let (wear, shield_wear) = (
        std::mem::take(&mut sim.body.worn.wear),
        std::mem::take(&mut sim.body.worn.shield_wear),
    );
    if wear == 0 && shield_wear == 0 {
        return;
    }
    for place in ArmourSlot::ALL {
        let uses = if place == ArmourSlot::OffHand {
            shield_wear
        } else {
            wear
        };
        let slot = &mut sim.body.worn.places[place as usize];
        let Some(stack) = slot.as_mut().filter(|_| uses > 0) else {
            continue;
        };
        stack.damage += uses - enchanted::spared_of_armour(stack, uses, &mut sim.luck);
        let is_broken = stack
            .item
            .facts()
            .durability
            .is_some_and(|uses| stack.damage >= uses);
        if is_broken {
            *slot = None;
        }
    }
}

/// Puts a carried thing on: out of the hand where nothing is worn yet, else in the inventory window,
/// where it changes places with what is worn.
pub(in crate::voxel) fn put_on(sim: &mut Simulation, item: ItemId) -> ControlOutcome {
    let Some(armour) = armour_of(item) else {
        return ControlOutcome::Refused("it cannot be worn");
    };
    let body = &mut sim.body;
    let slot = match sim.window.gui {
        Gui::Inventory => body.slots.find(item),
        Gui::Closed if body.held() == Some(item) => Some(body.slots.selected),
        Gui::Closed => return ControlOutcome::Refused("not in hand"),
        _ => return ControlOutcome::Refused("a window is open"),
    };
    let Some(slot) = slot else {
        return ControlOutcome::Refused("not carried");
    };
    let worn = &mut body.worn.places[armour.place as usize];
    if worn.is_some() && !sim.window.gui.is_open() {
        return ControlOutcome::Refused("something is worn there");
    }
    if worn.is_some_and(is_bound) {
        return ControlOutcome::Refused("what is worn does not come off");
    }
    std::mem::swap(worn, &mut body.slots.stacks[slot]);
    ControlOutcome::Done
}

/// Takes off what is worn, in the inventory window, into a free slot.
pub(in crate::voxel) fn take_off(
    sim: &mut Simulation,
    place: armour::ArmourSlot,
) -> ControlOutcome {
    if sim.window.gui != Gui::Inventory {
        return ControlOutcome::Refused("the inventory is not open");
    }
    let body = &mut sim.body;
    let worn = &mut body.worn.places[place as usize];
    let Some(stack) = *worn else {
        return ControlOutcome::Refused("nothing is worn there");
    };
    if is_bound(stack) {
        return ControlOutcome::Refused("what is worn does not come off");
    }
    let Some(free) = body.slots.stacks.iter_mut().find(|slot| slot.is_none()) else {
        return ControlOutcome::Refused("no slot is free");
    };
    *free = worn.take();
    ControlOutcome::Done
}

fn is_bound(stack: Stack) -> bool {
    stack.extra.enchants.named("binding_curse") > 0
}
