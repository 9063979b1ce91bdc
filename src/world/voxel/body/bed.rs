//! Beds: lying down at night, and waking in the morning, or sooner when disturbed.
//!
//! Only the hour of the day jumps; nothing else in the world has passed. Invariant: `slept` never
//! decreases and changes only when a whole sleep is over.

use super::super::controls::{ControlOutcome, Controls};
use super::super::sim::Simulation;
use super::super::time;
use crate::clock::TICKS_PER_DAY;
use crate::observation::Weather;
use crate::space::{Point, Pos};

/// The hours in which one can sleep, in clear weather.
/// Ticks of the day, as in 1.16.
pub(in crate::voxel) const NIGHT: std::ops::RangeInclusive<u32> = 12_542..=23_459;
/// Ticks in bed until the night is over.
const SLEEP_TICKS: u32 = 100;
/// A bed is lain down in from so near, sideways and up or down.
const BESIDE: (f64, f64) = (3.0, 2.0);
/// Monsters this near keep one awake.
const UNSAFE: (f64, f64) = (8.0, 5.0);

/// Lies down in a bed within reach.
pub(in crate::voxel) fn lie_down(sim: &mut Simulation, at: Pos) -> ControlOutcome {
    let feet = sim.body.at;
    let within = |point: Point, (flat, high): (f64, f64)| {
        let middle = at.floor();
        (point.x - middle.x).abs() <= flat
            && (point.z - middle.z).abs() <= flat
            && (point.y - middle.y).abs() <= high
    };
    if !within(feet, BESIDE) {
        return ControlOutcome::Refused("the bed is too far away");
    }
    // In a thunderstorm one can sleep by day.
    let is_stormy = sim.weather() == Weather::Thunder;
    if !is_stormy && !NIGHT.contains(&sim.time_of_day()) {
        return ControlOutcome::Refused("the body can sleep only at night");
    }
    let watched = |mob: &super::super::life::mob::Mob| {
        mob.kind.facts().hostile && within(mob.position, UNSAFE)
    };
    if sim.mobs.iter().any(watched) {
        return ControlOutcome::Refused("there are monsters nearby");
    }
    sim.rest.asleep = Some((at, 0));
    sim.rest.health = sim.body.vitals.health;
    ControlOutcome::Done
}

/// One tick in bed; any key, a blow or the loss of the bed ends it.
pub(in crate::voxel) fn step(sim: &mut Simulation, keys: &Controls) {
    let Some((at, ticks)) = sim.rest.asleep else {
        return;
    };
    let stirs = keys.forward != 0 || keys.strafe != 0 || keys.jump || keys.attack || keys.sneak;
    // The click that lies down is the first tick of it.
    let clicks = keys.action.is_some() && ticks > 0;
    let is_hurt = sim.body.vitals.health < sim.rest.health;
    let is_gone = !sim.grid.block(at).name().ends_with("_bed");
    if stirs || clicks || is_hurt || is_gone {
        sim.rest.asleep = None;
        return;
    }
    sim.rest.asleep = Some((at, ticks + 1));
    if ticks + 1 >= SLEEP_TICKS {
        // Up to the next sunrise.
        sim.rest.slept += TICKS_PER_DAY - u64::from(time::time_of_day(sim.tick + sim.rest.slept));
        sim.rest.asleep = None;
        sim.clouds.clear();
    }
}
