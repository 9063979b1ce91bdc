//! Placing: putting blocks down, pouring buckets, and what falls off when its hold is gone.
//!
//! Invariant: a block is only put where one may be, against something solid, and never into a body.

use super::super::cauldron;
use super::super::controls::Outcome;
use super::super::sim::Simulation;
use super::collide::{Bounds, height_of};
use super::hands::take_one_held;
use super::{HEIGHT, REACH, WIDTH, sight};
use crate::world::block::{self as blocks, BlockId};
use crate::world::inventory::Stack;
use crate::world::item::ItemId;
use crate::world::space::{Facing, Pos};
use crate::worlds::voxel::yields::spill_drops;

const Y_MAX: i32 = 255;
/// A chain of plants or torches is at most as high as the world.
const CHAIN_MAX: i32 = 256;

/// Puts the block in hand against a side of another.
pub(in crate::worlds::voxel) fn place(sim: &mut Simulation, against: Pos, side: Facing) -> Outcome {
    let placed = sim.body.held().and_then(|item| item.facts().places);
    let Some(block) = placed.filter(|block| !block.is_fluid() && *block != blocks::FIRE) else {
        return Outcome::Refused("no block is in hand");
    };
    if sim.window.gui.is_open() {
        return Outcome::Refused("a window is open");
    }
    let [x, y, z] = side.step();
    let at = against.plus(x, y, z);
    let block = if block == blocks::TORCH && y == 0 {
        blocks::WALL_TORCH
    } else {
        block
    };
    if let Some(refusal) = refusal(sim, against, side, at, block) {
        return Outcome::Refused(refusal);
    }
    sim.grid.set(at, block);
    take_one_held(&mut sim.body.slots);
    Outcome::Done
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
    let bounds = Bounds::standing(sim.body.at, WIDTH, HEIGHT);
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
    } else if !sight::sees_side(grid, sim.body.eyes(), against, side, REACH) {
        Some("out of reach or out of sight")
    } else {
        None
    }
}

fn mob_in(sim: &Simulation, at: Pos) -> bool {
    sim.mobs.iter().any(|mob| {
        let facts = mob.kind.facts();
        let (width, height) = (f64::from(facts.width), f64::from(facts.height));
        Bounds::standing(mob.position, width, height).overlaps(at, 1.0)
    })
}

/// What keeps a block in its place.
enum Hold {
    Itself,
    /// Any full top below.
    Floor,
    /// Earth below.
    Soil,
    /// A full side beside.
    Wall,
    /// Its own kind or earth below (canes, cactus, kelp).
    Stalk,
}

fn hold_of(block: BlockId) -> Hold {
    let name = block.name();
    match block {
        blocks::WALL_TORCH | blocks::LADDER => Hold::Wall,
        blocks::TORCH | blocks::SNOW => Hold::Floor,
        blocks::SUGAR_CANE | blocks::CACTUS | blocks::BAMBOO => Hold::Stalk,
        blocks::GRASS
        | blocks::FERN
        | blocks::TALL_GRASS
        | blocks::LARGE_FERN
        | blocks::DEAD_BUSH => Hold::Soil,
        blocks::DANDELION | blocks::POPPY | blocks::WHEAT | blocks::CARROTS | blocks::POTATOES => {
            Hold::Soil
        }
        _ if name.ends_with("_sapling") || name.ends_with("_tulip") || name == "beetroots" => {
            Hold::Soil
        }
        _ if name.ends_with("_carpet")
            || name.ends_with("_pressure_plate")
            || name.ends_with("rail") =>
        {
            Hold::Floor
        }
        _ => Hold::Itself,
    }
}

fn is_soil(block: BlockId) -> bool {
    matches!(
        block,
        blocks::GRASS_BLOCK
            | blocks::DIRT
            | blocks::COARSE_DIRT
            | blocks::PODZOL
            | blocks::FARMLAND
            | blocks::SAND
            | blocks::RED_SAND
            | blocks::TERRACOTTA
            | blocks::MYCELIUM
    ) || block.name().ends_with("terracotta")
}

fn holds(sim: &Simulation, at: Pos, block: BlockId) -> bool {
    let below = sim.grid.block(at.down());
    match hold_of(block) {
        Hold::Itself => true,
        Hold::Floor => height_of(below) >= 1.0,
        Hold::Soil => is_soil(below),
        Hold::Stalk => below == block || is_soil(below),
        Hold::Wall => Facing::FLAT.into_iter().any(|side| {
            let [x, y, z] = side.step();
            height_of(sim.grid.block(at.plus(x, y, z))) >= 1.0
        }),
    }
}

/// Breaks what stood on or hung at a block that is gone, upwards and to the sides.
pub(in crate::worlds::voxel) fn drop_unsupported(sim: &mut Simulation, gone: Pos) {
    for side in Facing::FLAT {
        let [x, y, z] = side.step();
        drop_if_loose(sim, gone.plus(x, y, z));
    }
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
    sim.grid.set(at, blocks::AIR);
    spill_drops(sim, at, block, None);
    true
}

/// What was in a furnace or chest that is gone falls out.
pub(in crate::worlds::voxel) fn spill_contents(sim: &mut Simulation, at: Pos) {
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

/// Right-clicks with what is held: buckets scoop and pour.
pub(in crate::worlds::voxel) fn use_held(sim: &mut Simulation, at: Option<Pos>) -> Outcome {
    let Some(at) = at else {
        return Outcome::Refused("nothing is aimed at");
    };
    let Some(item) = sim.body.held() else {
        return Outcome::Refused("the hand is empty");
    };
    if sim.window.gui.is_open() {
        return Outcome::Refused("a window is open");
    }
    let eyes = sim.body.eyes();
    let grid = &sim.grid;
    let met = sight::first_cell(eyes, at.centre(), |pos| {
        pos == at || sight::is_handy(grid.block(pos))
    });
    if eyes.distance(at.centre()) > REACH || met != Some(at) {
        return Outcome::Refused("out of reach or out of sight");
    }
    let there = grid.block(at);
    if there == blocks::CAULDRON {
        return cauldron::use_on(sim, at, item);
    }
    let source = sim.fluids.is_source(grid, at);
    match (item.name(), there) {
        ("bucket", blocks::WATER) if source => exchange(sim, at, blocks::AIR, "water_bucket"),
        ("bucket", blocks::LAVA) if source => exchange(sim, at, blocks::AIR, "lava_bucket"),
        ("water_bucket", there) if there.is_replaceable() => {
            exchange(sim, at, blocks::WATER, "bucket")
        }
        ("lava_bucket", there) if there.is_replaceable() => {
            exchange(sim, at, blocks::LAVA, "bucket")
        }
        _ => Outcome::Refused("that has no use here"),
    }
}

/// Sets the block and swaps one held bucket for the other kind.
fn exchange(sim: &mut Simulation, at: Pos, block: BlockId, bucket: &str) -> Outcome {
    let Some(bucket) = ItemId::named(bucket) else {
        return Outcome::Refused("that has no use here");
    };
    let Some(after) = sim.body.slots.with_held_exchanged(Stack::new(bucket, 1)) else {
        return Outcome::Refused("the inventory is full");
    };
    sim.body.slots = after;
    sim.grid.set(at, block);
    Outcome::Done
}
