//! Placing: putting blocks down, and what falls off when its hold is gone.
//!
//! Invariant: a block is only put where one may be, against something solid, and never into a body.

use super::super::controls::ControlOutcome;
use super::super::growth::hands as garden;
use super::super::sim::Simulation;
use super::super::yields::spill_drops;
use super::collide::{BoundingBox, height_of};
use super::held::take_one_held;
use super::{HEIGHT, REACH, WIDTH, sight};
use crate::block::{self as blocks, BlockId};
use crate::space::{Facing, Pos};

/// The highest layer in which 1.16 lets a block stand.
const Y_MAX: i32 = 255;
/// A chain of plants or torches is at most as high as the world.
const CHAIN_MAX: i32 = 256;

/// Puts the block in hand against a side of another.
pub(in crate::voxel) fn place(sim: &mut Simulation, against: Pos, side: Facing) -> ControlOutcome {
    let placed = sim.body.held().and_then(|item| item.facts().places);
    let Some(block) = placed.filter(|block| !block.is_fluid() && *block != blocks::FIRE) else {
        return ControlOutcome::Refused("no block is in hand");
    };
    if sim.window.gui.is_open() {
        return ControlOutcome::Refused("a window is open");
    }
    let [x, y, z] = side.step();
    let at = against.plus(x, y, z);
    let block = if block == blocks::TORCH && y == 0 {
        blocks::WALL_TORCH
    } else {
        block
    };
    if let Some(refusal) = refusal(sim, against, side, at, block) {
        return ControlOutcome::Refused(refusal);
    }
    sim.grid.set(at, block);
    take_one_held(&mut sim.body.slots);
    ControlOutcome::Done
}

fn refusal(
    sim: &Simulation,
    against: Pos,
    side: Facing,
    at: Pos,
    block: BlockId,
) -> Option<&'static str> {
    let grid = &sim.grid;
    let there = grid.block(at);
    let height = height_of(block);
    let bounds = BoundingBox::standing(sim.body.at, WIDTH, HEIGHT);
    // The order decides which reason is given: the plainest first, sight last because it is
    // the most costly.
    if !(0..=Y_MAX).contains(&at.y) {
        Some("outside the world")
    } else if !grid.block(against).is_solid() {
        Some("nothing solid to put it against")
    } else if !there.is_replaceable() || there == block {
        Some("something is in the way")
    } else if height > 0.0 && bounds.overlaps(at, height) {
        Some("the body is in the way")
    } else if height > 0.0 && mob_in(sim, at) {
        Some("a mob is in the way")
    } else if !holds(sim, at, block) {
        Some("it would not hold there")
    } else if !is_in_sight(sim, against, side, at) {
        Some("out of reach or out of sight")
    } else {
        None
    }
}

/// The hand is on that side, or on the snow before it, whose place the block takes.
fn is_in_sight(sim: &Simulation, against: Pos, side: Facing, at: Pos) -> bool {
    let (grid, eyes) = (&sim.grid, sim.body.eyes());
    let there = grid.block(at);
    sight::sees_side(grid, eyes, against, side, REACH)
        || there == blocks::SNOW && sight::point_of_block(grid, eyes, at, REACH).is_some()
}

fn mob_in(sim: &Simulation, at: Pos) -> bool {
    sim.mobs.iter().any(|mob| {
        let (width, height) = mob.extent(sim.mobs.tick());
        BoundingBox::standing(mob.position, width, height).overlaps(at, 1.0)
    })
}

/// True if the block stays where it is: what hangs needs a wall, what lies a floor, and plants
/// need the ground they grow on.
fn holds(sim: &Simulation, at: Pos, block: BlockId) -> bool {
    let grid = &sim.grid;
    let is_full = |p: Pos| height_of(grid.block(p)) >= 1.0;
    let name = block.name();
    let lies = ["_carpet", "_pressure_plate", "rail"]
        .iter()
        .any(|end| name.ends_with(end));
    match block {
        blocks::WALL_TORCH | blocks::LADDER => Facing::FLAT.iter().any(|f| is_full(at.side(*f))),
        blocks::TORCH | blocks::SNOW => is_full(at.down()),
        _ if lies => is_full(at.down()),
        _ => garden::can_stand(grid, at, block),
    }
}

/// Breaks what stood on or hung at a block that is gone, upwards and to the sides.
pub(in crate::voxel) fn drop_unsupported(sim: &mut Simulation, gone: Pos) {
    for side in Facing::FLAT {
        let [x, y, z] = side.step();
        drop_if_loose(sim, gone.plus(x, y, z));
    }
    // Upwards one by one: each falls only if the one below it did.
    let mut at = gone.up();
    for _ in 0..CHAIN_MAX {
        if !drop_if_loose(sim, at) {
            return;
        }
        at = at.up();
    }
}

fn drop_if_loose(sim: &mut Simulation, at: Pos) -> bool {
    let block = sim.grid.block(at);
    if block == blocks::AIR || block.is_opaque() || holds(sim, at, block) {
        return false;
    }
    let ripe = garden::is_ripe(&sim.grid, at);
    sim.grid.set(at, blocks::AIR);
    spill_drops(sim, at, block, None, ripe);
    true
}

/// What was in a furnace or chest that is gone falls out.
pub(in crate::voxel) fn spill_contents(sim: &mut Simulation, at: Pos) {
    if let Some(furnace) = sim.furnaces.remove(&at) {
        for stack in furnace.stacks() {
            sim.dropped.spill(stack, at, &mut sim.luck);
        }
    }
    if let Some(chest) = sim.chests.remove(&at) {
        for stack in chest.slots.stacks.into_iter().flatten() {
            sim.dropped.spill(stack, at, &mut sim.luck);
        }
    }
}
