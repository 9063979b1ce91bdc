//! Movement: one tick of walking, jumping, falling, swimming and climbing.
//!
//! The formulas and constants are those of the game (1.16), so speeds and jumps come out right
//! without being set. Damage is not dealt here; `fallen` says how far the body fell.

use super::super::controls::Controls;
use super::super::grid::Grid;
use super::collide::{self, BoundingBox};
use super::{EYES, HEIGHT, PlayerBody, Touching, WIDTH, turn};
use crate::block as blocks;
use crate::space::{Point, Pos};

/// Blocks per tick, gained per tick; the share of speed kept in a fall; the speed of a jump. These three
/// together clear one block and not two.
/// A jump rises 1.25 blocks.
/// Per tick: v' = (v - 0.08) × 0.98.
const GRAVITY: f64 = 0.08;
const DRAG_FALL: f64 = 0.98;
const JUMP: f64 = 0.42;
/// A held jump key jumps again after this many ticks.
/// Half a second, as in the game, while the key stays down.
const JUMP_DELAY: u8 = 10;
/// Speed that a sprinting jump adds ahead.
const SPRINT_LEAP: f64 = 0.2;
/// Share of the speed that is kept in the air, and on top of it on ordinary ground.
/// On ordinary ground the product, 0.546, is kept.
const DRAG_AIR: f64 = 0.91;
const SLIPPERY: f64 = 0.6;
/// Gains per tick: on the ground, in the air, in a fluid.
const PUSH_GROUND: f64 = 0.1;
/// Little control in the air: a jump goes where it began.
const PUSH_AIR: f64 = 0.02;
const PUSH_FLUID: f64 = 0.02;
/// Factors on the push of a walk.
const SPRINT: f64 = 1.3;
const SNEAK: f64 = 0.3;
/// Eating, drinking and a shield held up slow like this.
const CHEWING: f64 = 0.2;
/// A key held down counts for this much: the game damps its input once more.
const KEYS: f64 = 0.98;
/// Fluids: the share of speed kept per tick, how fast a still body sinks, and the push of a stroke.
const DRAG_WATER: f64 = 0.8;
const DRAG_LAVA: f64 = 0.5;
const SINK_WATER: f64 = 0.005;
const SINK_LAVA: f64 = 0.02;
const SWIM: f64 = 0.04;
/// Below this depth a jump on the bottom is a jump, not a stroke.
/// In blocks of depth.
const WADE: f64 = 0.4;
/// Lifts a swimmer who bumps into the shore over its edge.
/// Blocks per tick upwards.
const SHORE: f64 = 0.3;
/// Speed up a ladder, and the most to its sides.
const CLIMB: f64 = 0.2;
const CLIMB_SIDE: f64 = 0.15;
/// Speed given by a hit, across and up.
const KNOCK: f64 = 0.4;
/// Share of each step that a cobweb lets through, by axis.
const WEB: [f64; 3] = [0.25, 0.05, 0.25];
/// Slower than this is standing still, as in the game.
const STILL: f64 = 0.003;
/// Below this food the body cannot sprint.
/// At 6 or less, three of ten shanks.
const SPRINT_FOOD: u32 = 6;
/// A full block of fluid stands this high when none is above it.
const SURFACE: f64 = 8.0 / 9.0;

/// What the tick did, for hunger.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::voxel) struct Moved {
    pub(in crate::voxel) jumped: bool,
    /// Blocks over the ground (in water: in space).
    /// Hunger depends on how the way was made.
    pub(in crate::voxel) way: f64,
    /// The fall that ended in this tick.
    pub(in crate::voxel) landed: f64,
}

/// Moves the body for one tick.
pub(in crate::voxel) fn step(body: &mut PlayerBody, grid: &Grid, keys: &Controls) -> Moved {
    body.sneaking = keys.sneak;
    // A body that sprints goes on until something ends it, also with the key released.
    body.sprinting = sprints(body, keys);
    // The delay runs only while the key is held: a new press jumps at once.
    body.jump_delay = if keys.jump {
        body.jump_delay.saturating_sub(1)
    } else {
        0
    };
    settle(body);
    let jumped = jump(body, keys);
    let before = body.at;
    push(body, keys);
    let fall = travel(body, grid, keys);
    body.touching = touch(body, grid);
    let swims = body.touching.water > 0.0;
    let landed = account_fall(body, fall);
    let way = if swims {
        before.distance(body.at)
    } else {
        before.distance_flat(body.at)
    };
    Moved {
        jumped,
        way,
        landed,
    }
}

fn sprints(body: &PlayerBody, keys: &Controls) -> bool {
    let wants = keys.sprint || body.sprinting;
    wants
        && keys.forward > 0
        && !keys.sneak
        // A bump ends a sprint that is not held by its key.
        && !(body.bumped && !keys.jump && !keys.sprint)
        && body.hands.eating == 0
        && body.worn.raised == 0
        && body.vitals.hunger > SPRINT_FOOD
}

fn settle(body: &mut PlayerBody) {
    for v in [
        &mut body.velocity.x,
        &mut body.velocity.y,
        &mut body.velocity.z,
    ] {
        if v.abs() < STILL {
            // Speeds halve without end otherwise, and a body at rest would never be equal
            // to one at rest.
            *v = 0.0;
        }
    }
}

fn jump(body: &mut PlayerBody, keys: &Controls) -> bool {
    if !keys.jump {
        return false;
    }
    let depth = body.touching.water.max(body.touching.lava);
    if depth > 0.0 && (!body.on_ground || depth > WADE) {
        // Jumping in a fluid is a stroke upwards in every tick.
        body.velocity.y += SWIM;
        return false;
    }
    if !body.on_ground || body.jump_delay > 0 {
        return false;
    }
    body.velocity.y = JUMP;
    if body.sprinting {
        let (x, z) = turn::heading(body.yaw);
        body.velocity.x += x * SPRINT_LEAP;
        body.velocity.z += z * SPRINT_LEAP;
    }
    body.jump_delay = JUMP_DELAY;
    true
}

/// Adds what the keys push to the velocity.
fn push(body: &mut PlayerBody, keys: &Controls) {
    let mut scale = KEYS;
    if keys.sneak {
        scale *= SNEAK;
    }
    if body.hands.eating > 0 || body.worn.raised > 0 {
        scale *= CHEWING;
    }
    if body.in_fluid() && keys.sneak {
        body.velocity.y -= SWIM;
    }
    let ahead = f64::from(keys.forward.signum()) * scale;
    let right = f64::from(keys.strafe.signum()) * scale;
    // Two keys at once must not be faster than one.
    let length = (ahead * ahead + right * right).sqrt();
    if length == 0.0 {
        return;
    }
    let sprint = if body.sprinting { SPRINT } else { 1.0 };
    let gain = match (body.in_fluid(), body.on_ground) {
        (true, _) => PUSH_FLUID,
        (false, true) => PUSH_GROUND * sprint,
        (false, false) => PUSH_AIR * sprint,
        // Only lengths above one are scaled: half a key stays half a key.
    } / length.max(1.0);
    let (x, z) = turn::heading(body.yaw);
    // Facing south (z), the right hand is at west (-x).
    body.velocity.x += (x * ahead - z * right) * gain;
    body.velocity.z += (z * ahead + x * right) * gain;
}

/// Moves along the velocity, lets walls and the medium act on it; returns the height lost.
fn travel(body: &mut PlayerBody, grid: &Grid, keys: &Controls) -> f64 {
    let climbing = body.touching.climbable && !body.in_fluid();
    if climbing {
        let v = &mut body.velocity;
        v.x = v.x.clamp(-CLIMB_SIDE, CLIMB_SIDE);
        v.z = v.z.clamp(-CLIMB_SIDE, CLIMB_SIDE);
        // Sneaking holds on to a ladder.
        v.y = v.y.max(if keys.sneak { 0.0 } else { -CLIMB_SIDE });
    }
    let had_ground = body.on_ground;
    let mut wish = [body.velocity.x, body.velocity.y, body.velocity.z];
    if body.touching.web {
        (0..3).for_each(|axis| wish[axis] *= WEB[axis]);
    }
    let bounds = BoundingBox::standing(body.at, WIDTH, HEIGHT);
    // Only on the ground: in the air nothing is held back.
    if keys.sneak && body.on_ground && wish[1] <= 0.0 {
        wish = keep_from_edge(grid, bounds, wish);
    }
    let got = collide::walk(grid, bounds, wish, had_ground);
    body.at = body.at.plus(got[0], got[1], got[2]);
    body.bumped = got[0] != wish[0] || got[2] != wish[2];
    // Resting on something: it wanted down and did not get there.
    body.on_ground = wish[1] < 0.0 && got[1] != wish[1];
    stop_at_walls(body, wish, got);
    slow_down(
        body,
        grid,
        had_ground,
        climbing && (body.bumped || keys.jump),
    );
    -got[1]
}

fn stop_at_walls(body: &mut PlayerBody, wish: [f64; 3], got: [f64; 3]) {
    let v = &mut body.velocity;
    if body.touching.web {
        // A web takes all momentum in every tick.
        (v.x, v.y, v.z) = (0.0, 0.0, 0.0);
        return;
    }
    if got[0] != wish[0] {
        v.x = 0.0;
    }
    if got[1] != wish[1] {
        v.y = 0.0;
    }
    if got[2] != wish[2] {
        v.z = 0.0;
    }
}

fn slow_down(body: &mut PlayerBody, grid: &Grid, had_ground: bool, climbs: bool) {
    let (water, lava) = (body.touching.water > 0.0, body.touching.lava > 0.0);
    if water || lava {
        let (drag, sink) = if water {
            (DRAG_WATER, SINK_WATER)
        } else {
            (DRAG_LAVA, SINK_LAVA)
        };
        let v = &mut body.velocity;
        (v.x, v.y, v.z) = (v.x * drag, v.y * drag - sink, v.z * drag);
        if body.bumped {
            // The height at which the chest is free over the edge of the shore.
            let lift = body.velocity.y + EYES - 1.0;
            let over = BoundingBox::standing(body.at, WIDTH, HEIGHT).moved([
                body.velocity.x,
                lift,
                body.velocity.z,
            ]);
            if collide::is_free(grid, &over) {
                body.velocity.y = SHORE;
            }
        }
        return;
    }
    if climbs {
        body.velocity.y = CLIMB;
    }
    let drag = if had_ground {
        SLIPPERY * DRAG_AIR
    } else {
        DRAG_AIR
    };
    let v = &mut body.velocity;
    (v.x, v.y, v.z) = (v.x * drag, (v.y - GRAVITY) * DRAG_FALL, v.z * drag);
}

/// A sneaking body does not step off: the way is shortened until there is ground below.
fn keep_from_edge(grid: &Grid, bounds: BoundingBox, wish: [f64; 3]) -> [f64; 3] {
    /// Blocks; the steps of the game.
    const BIT: f64 = 0.05;
    let shorter = |v: f64| {
        if v.abs() < BIT {
            0.0
        } else {
            v - BIT.copysign(v)
        }
    };
    // 0.6 below: a step of that height down is no drop.
    let over_drop = |x: f64, z: f64| collide::is_free(grid, &bounds.moved([x, -0.6, z]));
    let [mut x, y, mut z] = wish;
    while x != 0.0 && over_drop(x, 0.0) {
        x = shorter(x);
    }
    while z != 0.0 && over_drop(0.0, z) {
        z = shorter(z);
    }
    while x != 0.0 && z != 0.0 && over_drop(x, z) {
        (x, z) = (shorter(x), shorter(z));
    }
    [x, y, z]
}

/// Fluids, ladders and webs end a fall without harm; returns the fall that ended on hard ground.
fn account_fall(body: &mut PlayerBody, fall: f64) -> f64 {
    let t = body.touching;
    if t.water > 0.0 || t.climbable || t.web {
        body.fallen = 0.0;
        return 0.0;
    }
    if t.lava > 0.0 {
        // Lava halves the fall in each tick, as in the game.
        body.fallen *= 0.5;
    }
    body.fallen = if fall > 0.0 {
        body.fallen + fall
    } else {
        body.fallen
    };
    if !body.on_ground {
        return 0.0;
    }
    // Landed: the fall is handed over once and is 0 from now on.
    std::mem::replace(&mut body.fallen, 0.0)
}

/// Pushes the body away from a hit, as the game does.
pub(in crate::voxel) fn knock(body: &mut PlayerBody, from: Point) {
    let (x, z) = (body.at.x - from.x, body.at.z - from.z);
    let away = (x * x + z * z).sqrt();
    if away < 1e-6 {
        return;
    }
    let v = &mut body.velocity;
    // Half of the old momentum stays, so that a charge is slowed but not stopped.
    (v.x, v.z) = (v.x / 2.0 + x / away * KNOCK, v.z / 2.0 + z / away * KNOCK);
    if body.on_ground {
        // The upward push is never more than that of one hit.
        v.y = (v.y / 2.0 + KNOCK).min(KNOCK);
    }
}

/// What the body is in, at its present place.
pub(in crate::voxel) fn touch(body: &PlayerBody, grid: &Grid) -> Touching {
    let bounds = BoundingBox::standing(body.at, WIDTH, HEIGHT);
    let (low, high) = bounds.cells();
    let mut touching = Touching::default();
    let eyes = body.eyes();
    let eyes_in = eyes.block();
    for y in low[1]..=high[1] {
        for z in low[2]..=high[2] {
            for x in low[0]..=high[0] {
                let pos = Pos::new(x, y, z);
                let block = grid.block(pos);
                if block == blocks::AIR {
                    continue;
                }
                if block == blocks::WATER || block == blocks::LAVA {
                    // Under more of the same fluid a cell is full to the top.
                    let full = grid.block(pos.up()) == block;
                    let surface = f64::from(y) + if full { 1.0 } else { SURFACE };
                    let depth = (surface - body.at.y).max(0.0);
                    if block == blocks::WATER {
                        touching.water = touching.water.max(depth);
                        touching.eyes_in_water |= pos == eyes_in && eyes.y < surface;
                    } else {
                        touching.lava = touching.lava.max(depth);
                    }
                } else if block == blocks::FIRE {
                    touching.fire = true;
                } else if block == blocks::COBWEB {
                    touching.web = true;
                } else if pos == eyes_in && block.is_opaque() {
                    touching.head_in_block = true;
                }
            }
        }
    }
    let feet = grid.block(body.feet());
    touching.climbable = feet == blocks::LADDER || feet == blocks::VINE;
    // A cactus hurts whoever leans on it, not only whoever is inside.
    // Full cubes stop a body before it is inside, so touching is asked with a wider box.
    touching.cactus = body.bumped && leans_on_cactus(grid, bounds);
    touching
}

fn leans_on_cactus(grid: &Grid, bounds: BoundingBox) -> bool {
    const NEAR: f64 = 0.01;
    let wide = BoundingBox {
        low: [bounds.low[0] - NEAR, bounds.low[1], bounds.low[2] - NEAR],
        high: [bounds.high[0] + NEAR, bounds.high[1], bounds.high[2] + NEAR],
    };
    let (low, high) = wide.cells();
    let mut cells = (low[1]..=high[1]).flat_map(|y| {
        (low[2]..=high[2]).flat_map(move |z| (low[0]..=high[0]).map(move |x| Pos::new(x, y, z)))
    });
    cells.any(|pos| grid.block(pos) == blocks::CACTUS)
}
