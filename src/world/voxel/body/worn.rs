//! Worn: what is on the body and in the other hand, and what it keeps off.
//!
//! Invariant: a place holds at most one piece, one that is made for it; what breaks is gone.

use super::super::controls::Outcome;
use super::super::enchanted;
use super::super::sim::Simulation;
use super::{Body, Cause, turn};
use crate::armour::{self, Harm, Place, armour_of, protection, through_armour, through_protection};
use crate::inventory::Stack;
use crate::item::ItemId;
use crate::mob::MobKind;
use crate::observation::Gui;
use crate::space::Point;

/// A shield is up so many ticks after the button went down.
const RAISE_TICKS: u8 = 5;
/// Blows weaker than this leave no mark on a shield.
const SHIELD_MARKS: f32 = 3.0;
/// So much harm wears each piece by one.
const HARM_PER_USE: f32 = 4.0;

/// What is worn, by place.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Worn {
    places: [Option<Stack>; Place::ALL.len()],
    /// Uses that the next tick takes off each piece, and off the shield.
    wear: u32,
    shield_wear: u32,
    /// Ticks that the shield has been held up.
    pub(in crate::voxel) raised: u8,
}

impl Worn {
    #[must_use]
    pub fn at(&self, place: Place) -> Option<Stack> {
        self.places[place as usize]
    }

    /// All that is worn, head first.
    pub fn iter(&self) -> impl Iterator<Item = Stack> {
        self.places.iter().flatten().copied()
    }

    /// What of a harm comes through; what does not care for armour is only kept off by enchantments.
    fn softened(&self, damage: f32, cause: Cause) -> f32 {
        let (harm, is_armour_in_the_way) = nature(cause);
        let facts = || self.iter().filter_map(|stack| armour_of(stack.item));
        let mut left = damage;
        if is_armour_in_the_way {
            let points = facts().map(|armour| armour.points).sum();
            let toughness = facts().map(|armour| armour.toughness).sum();
            left = through_armour(left, points, toughness);
        }
        let Some(harm) = harm else { return left };
        let kept = self
            .iter()
            .map(|stack| protection(stack.extra.enchants, harm));
        through_protection(left, kept.sum())
    }

    /// Stands for all of it in checksums.
    pub(in crate::voxel) fn state(&self) -> (&[Option<Stack>], u64) {
        let wear = u64::from(self.wear) << 32 | u64::from(self.shield_wear);
        (&self.places, wear << 8 | u64::from(self.raised))
    }
}

/// The kind of a harm, if enchantments know it, and whether it has to get through armour.
fn nature(cause: Cause) -> (Option<Harm>, bool) {
    match cause {
        Cause::Fall => (Some(Harm::Fall), false),
        Cause::Lava => (Some(Harm::Fire), true),
        // Flames that one carries along are inside.
        Cause::Fire => (Some(Harm::Fire), false),
        Cause::Cactus => (Some(Harm::Blow), true),
        Cause::Drowning | Cause::Suffocation => (Some(Harm::Magic), false),
        Cause::Starvation | Cause::Void => (None, false),
        Cause::Mob(MobKind::Creeper) => (Some(Harm::Blast), true),
        Cause::Mob(MobKind::Skeleton | MobKind::Stray) => (Some(Harm::Shot), true),
        Cause::Mob(MobKind::Witch) => (Some(Harm::Magic), false),
        Cause::Mob(_) => (Some(Harm::Blow), true),
    }
}

/// What of a harm reaches the body; the armour in its way is worn by it.
pub(in crate::voxel) fn take(body: &mut Body, damage: f32, cause: Cause) -> f32 {
    let left = body.worn.softened(damage, cause);
    if nature(cause).1 {
        body.worn.wear += ((damage / HARM_PER_USE) as u32).max(1);
    }
    left
}

/// True if a shield that is up stands between the body and where it comes from; it is worn by it.
pub(in crate::voxel) fn blocks(body: &mut Body, damage: f32, from: Point) -> bool {
    let (x, z) = turn::heading(body.yaw);
    let is_ahead = (from.x - body.at.x) * x + (from.z - body.at.z) * z > 0.0;
    let blocks = body.worn.raised >= RAISE_TICKS && is_ahead;
    if blocks && damage >= SHIELD_MARKS {
        body.worn.shield_wear += 1 + damage as u32;
    }
    blocks
}

/// Holds the shield up, or lets it down.
pub(in crate::voxel) fn raise(body: &mut Body, guards: bool) {
    let has_shield = body.worn.at(Place::OffHand).is_some();
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
    for place in Place::ALL {
        let uses = if place == Place::OffHand {
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
pub(in crate::voxel) fn put_on(sim: &mut Simulation, item: ItemId) -> Outcome {
    let Some(armour) = armour_of(item) else {
        return Outcome::Refused("it cannot be worn");
    };
    let body = &mut sim.body;
    let slot = match sim.window.gui {
        Gui::Inventory => body.slots.find(item),
        Gui::Closed if body.held() == Some(item) => Some(body.slots.selected),
        Gui::Closed => return Outcome::Refused("not in hand"),
        _ => return Outcome::Refused("a window is open"),
    };
    let Some(slot) = slot else {
        return Outcome::Refused("not carried");
    };
    let worn = &mut body.worn.places[armour.place as usize];
    if worn.is_some() && !sim.window.gui.is_open() {
        return Outcome::Refused("something is worn there");
    }
    if worn.is_some_and(is_bound) {
        return Outcome::Refused("what is worn does not come off");
    }
    std::mem::swap(worn, &mut body.slots.stacks[slot]);
    Outcome::Done
}

/// Takes off what is worn, in the inventory window, into a free slot.
pub(in crate::voxel) fn take_off(sim: &mut Simulation, place: armour::Place) -> Outcome {
    if sim.window.gui != Gui::Inventory {
        return Outcome::Refused("the inventory is not open");
    }
    let body = &mut sim.body;
    let worn = &mut body.worn.places[place as usize];
    let Some(stack) = *worn else {
        return Outcome::Refused("nothing is worn there");
    };
    if is_bound(stack) {
        return Outcome::Refused("what is worn does not come off");
    }
    let Some(free) = body.slots.stacks.iter_mut().find(|slot| slot.is_none()) else {
        return Outcome::Refused("no slot is free");
    };
    *free = worn.take();
    Outcome::Done
}

fn is_bound(stack: Stack) -> bool {
    stack.extra.enchants.named("binding_curse") > 0
}
