//! Walk: moves a mob through the blocks.
//!
//! Boxes against full cubes, gravity, floating in water, steps of one block. Invariant: a mob that
//! stood free never ends inside a solid block.

use super::mob::Mob;
use crate::block::BlockId;
use crate::space::{Point, Pos};
use crate::voxel::chunk::Y_MAX;
use crate::voxel::grid::Grid;
use crate::voxel::section::cell;

/// Blocks per tick, gained per tick, and the share of speed kept in a fall, as for players.
/// Mobs fall by the rules of players in 1.16.
const GRAVITY: f64 = 0.08;
const DRAG: f64 = 0.98;
/// Falls are this fast at most, so that no floor is ever jumped over.
/// Below one block per tick: the check looks only at where a mob ends.
const FALL_MAX: f64 = 0.95;
/// Speed gained upwards in water per tick, and the most there is of it.
const FLOAT: f64 = 0.04;
const FLOAT_MAX: f64 = 0.12;
/// Share of the speed across that is kept: in the air, and times 0.6 on the ground, as for players.
const GRIP_GROUND: f64 = 0.546;
const GRIP_AIR: f64 = 0.91;
/// Velocity below which a mob is taken to stand.
const STILL: f64 = 0.003;
/// Boxes are this much smaller than cells when they touch.
const SKIN: f64 = 1e-7;
/// Falls up to here do not hurt.
const SAFE_FALL: f64 = 3.0;

/// What came of a move.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Moved {
    /// Something stood in the way that could not be stepped on.
    /// 0 unless the mob landed in this tick.
    pub(crate) bumped: bool,
    /// Blocks fallen beyond what is safe, at the landing.
    pub(crate) hard_fall: f64,
}

/// True if a body of this size, with its feet here, touches no solid block.
/// The skin keeps a mob that touches a wall from counting as inside it.
pub(crate) fn is_free(grid: &Grid, feet: Point, width: f64, height: f64) -> bool {
    let half = width / 2.0 - SKIN;
    let low = feet.plus(-half, SKIN, -half).block();
    let high = feet.plus(half, height - SKIN, half).block();
    let chunk_of = |at: Pos| (at.x >> 4, at.z >> 4);
    let within_heights = low.y >= 0 && high.y <= Y_MAX;
    // Most bodies stand in one chunk, which is then looked up once.
    let (x, z) = chunk_of(low);
    match grid.chunk(x, z) {
        Some(chunk) if within_heights && chunk_of(high) == (x, z) => (low.y..=high.y).all(|y| {
            let is_solid = |blocks: &[BlockId; 4096]| {
                (low.z..=high.z).any(|z| {
                    let row = cell(low.x, y, z)..=cell(high.x, y, z);
                    blocks[row].iter().any(|block| block.is_solid())
                })
            };
            chunk.with_rock(y, is_solid) != Some(true)
        }),
        _ => is_empty(low, high, |at| grid.rock(at).is_solid()),
    }
}

/// Solid cells count as full cubes; slabs and stairs are not modelled for mobs.
#[inline]
fn is_empty(low: Pos, high: Pos, is_solid: impl Fn(Pos) -> bool) -> bool {
    for y in low.y..=high.y {
        for z in low.z..=high.z {
            for x in low.x..=high.x {
                if is_solid(Pos::new(x, y, z)) {
                    return false;
                }
            }
        }
    }
    true
}

/// Moves a mob for one tick; `step` is how far it walks by itself.
pub(crate) fn walk(mob: &mut Mob, grid: &Grid, step: (f64, f64), tick: u64) -> Moved {
    let (width, height) = room_taken(mob, grid, tick);
    let wet = grid.rock(mob.position.block()).is_fluid();
    let mut moved = Moved::default();
    let (dx, dz) = (step.0 + mob.velocity.x, step.1 + mob.velocity.z);
    // One axis after the other, so that a mob slides along a wall instead of stopping at
    // it.
    for (dx, dz) in [(dx, 0.0), (0.0, dz)] {
        if dx != 0.0 || dz != 0.0 {
            moved.bumped |= !move_along(mob, grid, (dx, dz), wet, width, height);
        }
    }
    let grip = if mob.on_ground { GRIP_GROUND } else { GRIP_AIR };
    mob.velocity.x = damped(mob.velocity.x, grip);
    mob.velocity.z = damped(mob.velocity.z, grip);
    moved.hard_fall = rise_or_fall(mob, grid, wet, width, height);
    moved
}

/// How wide and high it is to the blocks around. Who grew up beside a wall takes up less until it has come out.
fn room_taken(mob: &Mob, grid: &Grid, tick: u64) -> (f64, f64) {
    let (width, height) = mob.extent(tick);
    let was_young = mob.adult_at > 0;
    if was_young && !is_free(grid, mob.position, width, height) {
        return (width / 2.0, height / 2.0);
    }
    (width, height)
}

fn damped(v: f64, grip: f64) -> f64 {
    let v = v * grip;
    if v.abs() < STILL { 0.0 } else { v }
}

/// Moves along one axis, onto a block of height one if there is room; false if the way is barred.
fn move_along(
    mob: &mut Mob,
    grid: &Grid,
    (dx, dz): (f64, f64),
    wet: bool,
    width: f64,
    height: f64,
) -> bool {
    let there = mob.position.plus(dx, 0.0, dz);
    if is_free(grid, there, width, height) {
        mob.position = there;
        return true;
    }
    // Whole blocks only: from the ground the step ends exactly on top of the next block.
    // The room above the place it leaves is checked first, or a mob would climb through the
    // edge of a roof.
    let lifted = Point::new(there.x, there.y.floor() + 1.0, there.z);
    let above = Point::new(mob.position.x, lifted.y, mob.position.z);
    if (mob.on_ground || wet)
        && is_free(grid, above, width, height)
        && is_free(grid, lifted, width, height)
    {
        mob.position = lifted;
        return true;
    }
    false
}

/// Moves up or down; returns how far beyond safety it fell if it landed now.
fn rise_or_fall(mob: &mut Mob, grid: &Grid, wet: bool, width: f64, height: f64) -> f64 {
    let speed = if wet {
        (mob.velocity.y * 0.8 + FLOAT).min(FLOAT_MAX)
    } else {
        ((mob.velocity.y - GRAVITY) * DRAG).max(-FALL_MAX)
    };
    mob.velocity.y = speed;
    let there = mob.position.plus(0.0, speed, 0.0);
    if is_free(grid, there, width, height) {
        mob.position = there;
        mob.on_ground = false;
        // A fall starts anew in water and while rising: only the way down in air hurts.
        if wet || speed > 0.0 {
            mob.fell_from = there.y;
        }
        return 0.0;
    }
    mob.velocity.y = 0.0;
    if speed > 0.0 {
        return 0.0;
    }
    // The floor is whole blocks, so landing puts the feet exactly on the next one.
    mob.position.y = there.y.floor() + 1.0;
    mob.on_ground = true;
    let fallen = mob.fell_from - mob.position.y;
    mob.fell_from = mob.position.y;
    (fallen - SAFE_FALL).max(0.0)
}
