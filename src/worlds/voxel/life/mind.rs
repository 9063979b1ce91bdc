//! Mind: what a mob chooses to do in a tick.
//!
//! Wander, flee, hunt and strike; no paths are searched. Invariant: an idle mob draws no chance
//! and reads no blocks until its time is up.

use super::PlayerView;
use super::mob::{ANGER_TICKS, Mob, Mood, direction};
use crate::rng::Rng;
use crate::world::mob::MobKind;
use crate::world::space::Point;
use crate::worlds::voxel::grid::Grid;
use crate::worlds::voxel::time;

/// How far hostile mobs notice the player.
const NOTICE: f64 = 16.0;
/// Ticks between two looks for the player.
const LOOK_EVERY: u64 = 10;
/// Running, against a plain walk.
const RUN: f64 = 1.3;
const TICKS_PER_SECOND: f64 = 20.0;
/// A stroll does not go down more than this.
const DROP_MAX: i32 = 2;
/// Height of eyes above feet, good enough for all.
const EYES: f64 = 1.5;

/// How a hostile kind attacks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Attack {
    pub(crate) kind: MobKind,
    /// Share among the monsters that appear.
    pub(crate) weight: u32,
    /// From how far, middle to middle over the ground.
    reach: f64,
    /// Ticks between two strikes.
    rest: u64,
    /// Strikes that hit, of 1.
    aim: f64,
    burns_by_day: bool,
    /// Leaves the player alone in the light.
    night_only: bool,
}

/// One row per hostile kind that lives here.
pub(crate) const ATTACKS: [Attack; 3] = [
    Attack {
        kind: MobKind::Zombie,
        weight: 70,
        reach: 1.45,
        rest: 20,
        aim: 1.0,
        burns_by_day: true,
        night_only: false,
    },
    Attack {
        kind: MobKind::Skeleton,
        weight: 15,
        reach: 12.0,
        rest: 40,
        aim: 0.4,
        burns_by_day: true,
        night_only: false,
    },
    Attack {
        kind: MobKind::Spider,
        weight: 15,
        reach: 1.7,
        rest: 20,
        aim: 1.0,
        burns_by_day: false,
        night_only: true,
    },
];

fn attack_of(kind: MobKind) -> Option<&'static Attack> {
    ATTACKS.iter().find(|attack| attack.kind == kind)
}

/// True if the kind burns under the open sky by day.
pub(crate) fn burns(kind: MobKind) -> bool {
    attack_of(kind).is_some_and(|attack| attack.burns_by_day)
}

/// What a mob has chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Choice {
    Stand,
    /// Walk so far in this tick.
    Step(f64, f64),
    Strike,
}

/// Chooses for one tick and changes the mood.
pub(crate) fn choose(
    mob: &mut Mob,
    grid: &Grid,
    player: &PlayerView,
    (tick, day_time): (u64, u32),
    rng: &mut Rng,
) -> Choice {
    if mob.kind.facts().hostile && (tick + mob.number).is_multiple_of(LOOK_EVERY) {
        notice(mob, grid, player, tick, day_time);
    }
    let pace = f64::from(mob.kind.facts().speed) / TICKS_PER_SECOND;
    match mob.mood {
        Mood::Idle { until } if tick < until => Choice::Stand,
        Mood::Stroll { x, z, until } if tick < until => {
            if is_walkable(mob, grid, x, z) {
                Choice::Step(x * pace, z * pace)
            } else {
                mob.mood = Mood::Idle { until: tick + 20 };
                Choice::Stand
            }
        }
        Mood::Flee { x, z, until } if tick < until => Choice::Step(x * pace * RUN, z * pace * RUN),
        Mood::Hunt { until } if tick < until && player.alive => hunt(mob, grid, player, tick, pace),
        Mood::Idle { .. } => {
            mob.mood = stroll(tick, rng);
            Choice::Stand
        }
        Mood::Stroll { .. } | Mood::Flee { .. } | Mood::Hunt { .. } => {
            mob.mood = Mood::Idle {
                until: tick + 40 + rng.below(160),
            };
            Choice::Stand
        }
    }
}

/// Whether a strike hits, and how hard.
pub(crate) fn strike(mob: &Mob, rng: &mut Rng) -> Option<f32> {
    let attack = attack_of(mob.kind)?;
    rng.chance(attack.aim).then_some(mob.kind.facts().damage)
}

fn notice(mob: &mut Mob, grid: &Grid, player: &PlayerView, tick: u64, day_time: u32) {
    let calm = attack_of(mob.kind).is_some_and(|a| a.night_only)
        && !matches!(mob.mood, Mood::Hunt { .. })
        && grid.sky_lit(mob.position.block())
        && time::is_day(day_time);
    if !calm
        && player.alive
        && mob.position.distance(player.position) <= NOTICE
        && sees(
            grid,
            mob.position.plus(0.0, EYES, 0.0),
            player.position.plus(0.0, EYES, 0.0),
        )
    {
        mob.mood = Mood::Hunt {
            until: tick + ANGER_TICKS,
        };
    }
}

fn hunt(mob: &mut Mob, grid: &Grid, player: &PlayerView, tick: u64, pace: f64) -> Choice {
    let Some(attack) = attack_of(mob.kind) else {
        return Choice::Stand;
    };
    let away = mob.position.distance_flat(player.position);
    let level = (mob.position.y - player.position.y).abs() < attack.reach.max(2.0);
    let eyes = |p: Point| p.plus(0.0, EYES, 0.0);
    if away <= attack.reach && level {
        let ready = tick >= mob.strike_at;
        if ready && sees(grid, eyes(mob.position), eyes(player.position)) {
            mob.strike_at = tick + attack.rest;
            return Choice::Strike;
        }
        // Archers keep their distance, the others press on until they touch.
        if !ready && (attack.reach > 4.0 || away < 0.8) {
            return Choice::Stand;
        }
    }
    let (x, z) = direction(mob.position, player.position);
    Choice::Step(x * pace, z * pace)
}

fn stroll(tick: u64, rng: &mut Rng) -> Mood {
    let (x, z) = (rng.between(-8, 8) as f64, rng.between(-8, 8) as f64);
    let length = (x * x + z * z).sqrt();
    if length < 1.0 {
        return Mood::Idle { until: tick + 60 };
    }
    Mood::Stroll {
        x: x / length,
        z: z / length,
        until: tick + 20 + rng.below(60),
    }
}

/// True if the next block in a direction is no cliff and no fluid.
fn is_walkable(mob: &Mob, grid: &Grid, x: f64, z: f64) -> bool {
    let ahead = mob.position.plus(x * 0.8, 0.0, z * 0.8).block();
    for down in 0..=DROP_MAX + 1 {
        let block = grid.block(ahead.plus(0, -down, 0));
        if block.is_fluid() {
            return false;
        }
        if block.is_solid() {
            return true;
        }
    }
    false
}

/// True if no opaque block lies between two points.
pub(crate) fn sees(grid: &Grid, from: Point, to: Point) -> bool {
    let length = from.distance(to);
    let steps = (length * 2.0).ceil().max(1.0);
    let (dx, dy, dz) = (
        (to.x - from.x) / steps,
        (to.y - from.y) / steps,
        (to.z - from.z) / steps,
    );
    (1..steps as i32).all(|i| {
        let i = f64::from(i);
        !grid
            .block(from.plus(dx * i, dy * i, dz * i).block())
            .is_opaque()
    })
}
