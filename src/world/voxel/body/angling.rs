//! Angling: the bobber of a rod from the cast to the catch.
//!
//! Waits, shares and the need for open water are those of 1.16. Invariant: at most
//! one bobber exists, and only while a rod is in the hand.

use super::super::controls::ControlOutcome;
use super::super::grid::Grid;
use super::super::learning;
use super::super::sim::Simulation;
use super::fishing_line::{Bobber, Float};
use super::held::wear_held;
use super::turn;
use crate::block as blocks;
use crate::enchanting::enchanted_with;
use crate::experience;
use crate::fishing::{self, Catch};
use crate::inventory::Stack;
use crate::item::ItemId;
use crate::rng::Rng;
use crate::space::{Point, Pos};

/// The bobber in flight: its first speed, and what each tick takes off.
const CAST_SPEED: f64 = 1.1;
const GRAVITY: f64 = 0.03;
const DRAG: f64 = 0.92;
/// Ticks until fish come, how long they nibble, how long the hook holds.
const WAIT: (i64, i64) = (100, 600);
const NIBBLE: (i64, i64) = (20, 80);
const BITE: (i64, i64) = (20, 40);
/// Each level of lure takes so much off the wait; a wait of nothing is drawn anew, so often at most.
const LURED: u32 = 100;
const REDRAWS: u32 = 16;
/// What comes up enchanted was so by this many levels.
/// As in the game, treasure is enchanted at level 30.
const CATCH_LEVELS: u32 = 30;
/// The line is no longer than this.
const LINE: f64 = 32.0;
/// The catch flies to the angler with this part of the way per tick.
const HAUL: f64 = 0.1;
const HAUL_UP: f64 = 0.08;
/// Open water reaches so far to the sides of the bobber, and from below it to above it.
const OPEN_SIDE: i32 = 2;
const OPEN_DOWN: i32 = 1;
const OPEN_UP: i32 = 2;

fn draw(chance: &mut Rng, (low, high): (i64, i64)) -> u32 {
    chance.between(low, high) as u32
}

/// Ticks until fish come to a rod with so much lure.
fn wait(chance: &mut Rng, lure: u8) -> u32 {
    let mut drawn = (0..REDRAWS).map(|_| draw(chance, WAIT));
    let less = LURED * u32::from(lure);
    // All draws were too short: fish come at once.
    drawn
        .find(|ticks| *ticks > less)
        .map_or(1, |ticks| ticks - less)
}

/// The level of an enchantment of the rod in hand.
fn rod(sim: &Simulation, enchantment: &str) -> u8 {
    let held = sim.body.slots.held();
    held.map_or(0, |stack| stack.extra.enchants.named(enchantment))
}

/// Casts, or reels in what was cast.
pub(super) fn cast_or_reel(sim: &mut Simulation) -> ControlOutcome {
    let Some(bobber) = sim.line.bobber.take() else {
        let along = turn::view(sim.body.yaw, sim.body.pitch);
        let velocity = Point::new(
            along.x * CAST_SPEED,
            along.y * CAST_SPEED,
            along.z * CAST_SPEED,
        );
        sim.line.bobber = Some(Bobber {
            at: sim.body.eyes(),
            float: Float::Flying { velocity },
        });
        return ControlOutcome::Done;
    };
    let uses = match bobber.float {
        Float::Bitten { .. } => {
            haul(sim, bobber.at);
            1
        }
        Float::Aground => 2,
        Float::Flying { .. } | Float::Waiting { .. } | Float::Nibbled { .. } => 0,
    };
    wear_held(sim, uses);
    ControlOutcome::Done
}

/// The catch as it comes up: worn, and enchanted if it is of that kind.
fn caught_stack(caught: &Catch, chance: &mut Rng) -> Stack {
    let mut stack = Stack::new(caught.item, caught.count);
    if let Some(durability) = caught.item.facts().durability {
        let lost = f64::from(caught.damage) * chance.unit();
        stack.damage = (lost * f64::from(durability)) as u32;
    }
    if caught.enchanted {
        return enchanted_with(stack, CATCH_LEVELS, true, chance);
    }
    stack
}

/// Draws what hangs on the hook and lets it fly to the angler.
fn haul(sim: &mut Simulation, at: Point) {
    let open = is_open_water(&sim.grid, at.block());
    let there = at.block();
    let generator = sim.grid.generator();
    let biome = generator.map_or("", |land| land.biome(there.x, there.z).name());
    let luck = rod(sim, "luck_of_the_sea");
    let shares = fishing::catches_at(open, biome, luck);
    let Some(caught) = pick(&shares, &mut sim.line.chance) else {
        return;
    };
    let stack = caught_stack(caught, &mut sim.line.chance);
    let to = sim.body.at;
    let (x, y, z) = (to.x - at.x, to.y - at.y, to.z - at.z);
    let far = (x * x + y * y + z * z).sqrt();
    // The root keeps far catches from flying too high.
    let velocity = Point::new(x * HAUL, y * HAUL + far.sqrt() * HAUL_UP, z * HAUL);
    // From above the surface, or the water would hold it.
    sim.dropped.fling(stack, at.plus(0.0, 0.6, 0.0), velocity);
    learning::between(sim, experience::FISHED, to.plus(0.0, 0.5, 0.0));
}

fn pick(shares: &[(&'static Catch, f64)], chance: &mut Rng) -> Option<&'static Catch> {
    let mut roll = chance.unit();
    for (caught, share) in shares {
        if roll < *share {
            return Some(caught);
        }
        roll -= share;
    }
    // Only if rounding leaves a rest of the draw.
    shares.first().map(|(caught, _)| *caught)
}

/// One tick of the bobber.
pub(in crate::voxel) fn step(sim: &mut Simulation) {
    let Some(mut bobber) = sim.line.bobber else {
        return;
    };
    let is_rod = sim.body.held().map(ItemId::name) == Some("fishing_rod");
    if !is_rod || bobber.at.distance(sim.body.at) > LINE || !sim.body.alive() {
        sim.line.bobber = None;
        return;
    }
    let lure = rod(sim, "lure");
    let rains = sim.rains_on(bobber.at.block().up());
    let chance = &mut sim.line.chance;
    bobber.float = match bobber.float {
        Float::Flying { velocity } => fly(&mut bobber.at, velocity, &sim.grid, chance, lure),
        Float::Aground => Float::Aground,
        _ if !is_wet(&sim.grid, bobber.at.block()) => Float::Flying {
            velocity: Point::default(),
        },
        Float::Waiting { ticks } => {
            // Under a roof every other tick does not count.
            let roofed = !sim.grid.sky_visible(bobber.at.block().up()) && chance.chance(0.5);
            // In the rain every fourth tick counts twice.
            let rained = rains && chance.chance(0.25);
            let passed = u32::from(!roofed) + u32::from(rained);
            match ticks {
                0 => Float::Nibbled {
                    ticks: draw(chance, NIBBLE),
                },
                ticks => Float::Waiting {
                    ticks: ticks.saturating_sub(passed),
                },
            }
        }
        Float::Nibbled { ticks: 0 } => Float::Bitten {
            ticks: draw(chance, BITE),
        },
        Float::Nibbled { ticks } => Float::Nibbled { ticks: ticks - 1 },
        Float::Bitten { ticks: 0 } => Float::Waiting {
            ticks: wait(chance, lure),
        },
        Float::Bitten { ticks } => Float::Bitten { ticks: ticks - 1 },
    };
    sim.line.bobber = Some(bobber);
}

fn is_wet(grid: &Grid, at: Pos) -> bool {
    matches!(
        grid.block(at),
        blocks::WATER | blocks::SEAGRASS | blocks::KELP
    )
}

/// Flies on for one tick; lands in water, where it floats, or on something solid.
fn fly(at: &mut Point, velocity: Point, grid: &Grid, chance: &mut Rng, lure: u8) -> Float {
    let next = at.plus(velocity.x, velocity.y, velocity.z);
    let met = super::sight::first_cell(*at, next, |pos| {
        is_wet(grid, pos) || grid.block(pos).is_solid()
    });
    match met {
        Some(pos) if is_wet(grid, pos) => {
            let surface = (0..8)
                .map(|up| pos.plus(0, up, 0))
                .find(|p| !is_wet(grid, p.up()));
            *at = surface.unwrap_or(pos).centre();
            Float::Waiting {
                ticks: wait(chance, lure),
            }
        }
        Some(_) => Float::Aground,
        None => {
            *at = next;
            Float::Flying {
                velocity: Point::new(
                    velocity.x * DRAG,
                    (velocity.y - GRAVITY) * DRAG,
                    velocity.z * DRAG,
                ),
            }
        }
    }
}

/// Five by five cells of water below, and of air above, with nothing else among them.
fn is_open_water(grid: &Grid, at: Pos) -> bool {
    let side = || -OPEN_SIDE..=OPEN_SIDE;
    (-OPEN_DOWN..=OPEN_UP).all(|dy| {
        side().all(|dz| {
            side().all(|dx| {
                let cell = at.plus(dx, dy, dz);
                if dy <= 0 {
                    is_wet(grid, cell)
                } else {
                    matches!(grid.block(cell), blocks::AIR | blocks::LILY_PAD)
                }
            })
        })
    })
}
