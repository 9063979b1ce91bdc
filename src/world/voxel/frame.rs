//! Frames: what the body senses and remembers, written down for the loop.
//!
//! Nothing is decided here. Invariant: every list is bounded and nearest first, and nothing is in
//! a frame that the body has not sensed.

use super::nature::natures;
use super::senses::Senses;
use super::sight::{Sight, is_in_sight};
use super::sim::Simulation;
use super::time;
use crate::observation::{BlockSight, Frame, FurnaceView, Gui, MobSight};
use crate::seen::SeenCells;
use crate::smelting::COOK_TICKS;
use crate::space::Pos;

/// Mobs named in one frame.
/// Bounds on what a question to a mind and an event hold.
const MOBS_MAX: usize = 8;
/// Notable blocks named in one frame.
const NOTABLE_MAX: usize = 16;
/// Notable blocks are named within this distance.
const NOTABLE_RANGE: f64 = 48.0;
/// The furnace last used is watched from no farther off.
const FURNACE_RANGE: f64 = 16.0;

/// The frame of this tick; takes the news out of the memory.
pub(super) fn frame(
    sim: &Simulation,
    sight: &Sight,
    senses: &mut Senses,
    trail: Vec<Pos>,
) -> Frame {
    let body = sim.body();
    let feet = senses.feet();
    Frame {
        tick: sim.tick(),
        time: sim.time_of_day(),
        position: body.at,
        yaw: body.yaw,
        pitch: body.pitch,
        health: body.vitals.health,
        hunger: body.vitals.hunger as f32,
        // Below zero the body drowns; the frame shows no air.
        air: body.vitals.air.max(0) as u32,
        on_ground: body.on_ground,
        underground: !senses.sky,
        biome: sim.grid().biome(feet.x, feet.z).name().to_owned(),
        weather: sim.weather(),
        light: time::light_at(sim.grid(), body.eyes().block(), sim.time_of_day()),
        // Counts, not slots: the order of slots means nothing to the loop.
        inventory: body.counts(),
        held: body.held(),
        worn: body.worn.iter().map(|stack| stack.item).collect(),
        gui: sim.window().gui,
        pause: senses.pause,
        gui_opened: sim.window().opened,
        gui_closed: sim.window().closed,
        furnace: furnace_near(sim, sight),
        container_items: sim.container_items(),
        crafted: sim.crafted().clone(),
        feats: sim.feats().clone(),
        broken: u32::try_from(senses.broken_at.len()).unwrap_or(u32::MAX),
        experience: body.experience,
        mobs: senses
            .mobs
            .iter()
            .take(MOBS_MAX)
            .map(|mob| MobSight {
                kind: mob.kind,
                at: mob.at,
            })
            .collect(),
        notable: notable(senses, feet),
        builds: senses
            .buildings
            .iter()
            .filter_map(|building| building.sight(&senses.seen))
            .collect(),
        trail,
        // The cells that were noted since the last frame; taken, not copied, so each
        // appears once.
        seen: SeenCells(senses.seen.take_fresh()),
        alive: body.alive(),
        checksum: sim.checksum(),
    }
}

fn notable(senses: &Senses, feet: Pos) -> Vec<BlockSight> {
    let natures = natures();
    let is_notable = |block: crate::block::BlockId| natures[usize::from(block.row())].is_notable();
    let near = senses
        .seen
        .nearest(feet, NOTABLE_RANGE, NOTABLE_MAX, is_notable);
    near.into_iter()
        .map(|(at, block)| BlockSight { block, at })
        .collect()
}

/// The furnace that was used last, as long as it is open or in sight.
fn furnace_near(sim: &Simulation, sight: &Sight) -> Option<FurnaceView> {
    let (at, _) = sim.furnace_used()?;
    let body = sim.body();
    if body.feet().distance(at) > FURNACE_RANGE {
        return None;
    }
    let is_open = sim.window().gui == Gui::Furnace;
    let (eyes, middle) = (body.eyes(), at.centre());
    let is_seen = || is_in_sight(sim.grid(), eyes, middle) && sight.knows(sim, eyes, middle);
    (is_open || is_seen())
        .then(|| furnace_at(sim, at))
        .flatten()
}

/// What the furnace at a place shows.
pub(super) fn furnace_at(sim: &Simulation, at: Pos) -> Option<FurnaceView> {
    let furnace = sim.furnace(at)?;
    let count = |stack: &Option<crate::inventory::Stack>| stack.map_or(0, |stack| stack.count);
    Some(FurnaceView {
        at,
        burn: furnace.burn,
        // Never above the full time, so that shares computed from it stay within 1.
        cook: furnace.cook.min(COOK_TICKS),
        input: count(&furnace.input),
        fuel: count(&furnace.fuel),
        output: count(&furnace.output),
    })
}
