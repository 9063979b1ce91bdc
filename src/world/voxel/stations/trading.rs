//! Trading: the window of a villager, and one exchange in it.
//!
//! Invariant: what the villager asks leaves the slots and what it gives enters, wholly or not at all.

use crate::feat::Feat;
use crate::inventory::Slots;
use crate::observation::Gui;
use crate::voxel::controls::ControlOutcome;
use crate::voxel::learning;
use crate::voxel::sim::Simulation;
use crate::voxel::villagers::{Deal, is_rest};

/// A villager farther off has gone, and its window with it.
const LEASH: f64 = 8.0;
/// Points for the player at each exchange, and more when the villager rises in rank by it.
const POINTS: (u32, u32) = (3, 6);
const POINTS_FOR_RANK: u32 = 5;

/// Opens the window of a villager that the hand has come to.
pub(in crate::voxel) fn open(sim: &mut Simulation, mob: u64) -> ControlOutcome {
    if sim.villagers.get(mob).is_none() {
        return ControlOutcome::Refused("it does not trade");
    }
    if is_rest(sim.time_of_day()) {
        return ControlOutcome::Refused("it is asleep");
    }
    let outcome = sim.window.open(Gui::Trade, None);
    if outcome == ControlOutcome::Done {
        sim.window.mob = Some(mob);
    }
    outcome
}

/// Closes the window when its villager is dead, far or goes to sleep.
pub(in crate::voxel) fn check(sim: &mut Simulation, mob: u64) {
    let eyes = sim.body.eyes();
    let near = |at: crate::space::Point| eyes.distance(at) <= LEASH;
    let is_there = sim.mobs.get(mob).is_some_and(|mob| near(mob.position));
    if !is_there || is_rest(sim.time_of_day()) {
        sim.window.close();
    }
}

/// The slots after an exchange; None when something is lacking or there is no room.
fn exchanged(slots: &Slots, deal: &Deal) -> Result<Slots, &'static str> {
    let mut after = slots.clone();
    for (item, count) in deal.price() {
        if !after.remove(item, count) {
            return Err("the price is not carried");
        }
    }
    match after.add(deal.terms.get) {
        None => Ok(after),
        Some(_) => Err("the inventory is full"),
    }
}

pub(super) fn trade(sim: &mut Simulation, offer: usize, is_look: bool) -> ControlOutcome {
    let Some(mob) = sim.window.mob.filter(|_| sim.window.gui == Gui::Trade) else {
        return ControlOutcome::Refused("no villager's window is open");
    };
    let deal = sim
        .villagers
        .get(mob)
        .and_then(|one| one.deals().get(offer).copied());
    let Some(deal) = deal else {
        return ControlOutcome::Refused("there is no such offer");
    };
    if deal.left() == 0 {
        return ControlOutcome::Refused("that offer is used up");
    }
    let after = match exchanged(&sim.body.slots, &deal) {
        Ok(after) => after,
        Err(because) => return ControlOutcome::Refused(because),
    };
    if is_look {
        return ControlOutcome::Done;
    }
    sim.body.slots = after;
    for (item, count) in deal.price() {
        sim.use_up(item, count);
    }
    let got = deal.terms.get;
    sim.feats.add(Feat::Traded, got.item, got.count);
    let has_risen = sim.villagers.used(mob, offer);
    let at = sim
        .mobs
        .get(mob)
        .map_or(sim.body.at, |one| one.position)
        .plus(0.0, 0.5, 0.0);
    learning::between(sim, POINTS, at);
    if has_risen {
        sim.orbs.scatter(POINTS_FOR_RANK, at);
    }
    ControlOutcome::Done
}
