//! Mind: what a mob chooses to do in a tick.
//!
//! Wander, flee, hunt and strike; no paths are searched. Invariant: an idle mob draws no chance
//! and reads no blocks until its time is up.

use super::PlayerView;
use super::archery;
use super::arms;
use super::attack::{Attack, AttackKind, attack_of};
use super::mob::{ANGER_TICKS, Mob, Mood, direction};
use crate::mob::{MobKind, SpawnGroup};
use crate::rng::Rng;
use crate::space::Point;
use crate::voxel::grid::Grid;
use crate::voxel::ray::Ray;
use crate::voxel::time;

/// How far hostile mobs notice the player.
/// In blocks; the follow range of most monsters in the game.
const NOTICE: f64 = 16.0;
/// Ticks between two looks for the player.
const LOOK_EVERY: u64 = 10;
/// Who panics runs to one place after the other, each within so many blocks along x and z.
const PANIC_REACH: i64 = 5;
/// Small zombies are faster.
const SMALL_HASTE: f64 = 1.5;
/// Speeds of the mob table are blocks per second.
const TICKS_PER_SECOND: f64 = 20.0;
/// A stroll does not go down more than this.
const DROP_MAX: i32 = 2;
/// A creeper that has begun to hiss continues up to this distance.
const HISS_WITHIN: f64 = 7.0;
/// Height of the player's eyes above its feet, as mobs look for them.
const EYES: f64 = 1.5;

/// What a mob has chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Choice {
    /// The mob stays where it is; momentum from a blow still moves it.
    Stand,
    /// Walk so far in this tick.
    /// Blocks along x and z.
    Step(f64, f64),
    Strike,
    /// Let an arrow fly.
    Loose,
    /// Be gone, with a bang.
    Explode,
}

/// Chooses for one tick and changes the mood.
pub(crate) fn choose(
    mob: &mut Mob,
    grid: &Grid,
    player: &PlayerView,
    (tick, day_time): (u64, u32),
    rng: &mut Rng,
) -> Choice {
    let facts = mob.kind.facts();
    // Adding the number spreads the looks of all mobs over the ticks, so no tick pays for
    // all of them.
    if facts.hostile && (tick + mob.number).is_multiple_of(LOOK_EVERY) {
        notice(mob, grid, player, tick, day_time);
    }
    let haste = if mob.small { SMALL_HASTE } else { 1.0 };
    let pace = f64::from(facts.speed) / TICKS_PER_SECOND * haste;
    match mob.mood {
        Mood::Idle { until } if tick < until => Choice::Stand,
        Mood::Stroll { x, z, until } if tick < until => {
            if facts.group == SpawnGroup::Water || is_walkable(mob, grid, x, z) {
                Choice::Step(x * pace, z * pace)
            } else {
                mob.mood = Mood::Idle { until: tick + 20 };
                Choice::Stand
            }
        }
        Mood::Flee { x, z, until, calm } if tick < until.max(calm) => {
            let run = pace * f64::from(facts.panic);
            let is_free = facts.group == SpawnGroup::Water || is_walkable(mob, grid, x, z);
            if tick < until && is_free {
                return Choice::Step(x * run, z * run);
            }
            mob.mood = match tick < calm {
                true => panic(tick, calm, run, rng),
                false => Mood::Idle { until: tick + 20 },
            };
            Choice::Stand
        }
        Mood::Hunt { until } if tick < until && player.alive => {
            hunt(mob, grid, player, (tick, pace), rng)
        }
        Mood::Idle { .. } => {
            mob.mood = stroll(tick, rng);
            Choice::Stand
        }
        Mood::Stroll { .. } | Mood::Flee { .. } | Mood::Hunt { .. } => {
            mob.drawn = 0;
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
    let damage = match mob.kind {
        // The small ones only push.
        // A slime of size 1 touches without harm, as in the game.
        MobKind::Slime if mob.size < 2 => 0.0,
        MobKind::Slime => f32::from(mob.size),
        _ => mob.kind.facts().damage + mob.held.map_or(0.0, arms::more_by),
    };
    (damage > 0.0 && rng.chance(attack.aim)).then_some(damage)
}

fn notice(mob: &mut Mob, grid: &Grid, player: &PlayerView, tick: u64, day_time: u32) {
    let hunting = matches!(mob.mood, Mood::Hunt { .. });
    let light = || grid.sky_lit(mob.position.block()) && time::is_day(day_time);
    let calm =
        attack_of(mob.kind).is_some_and(|a| !hunting && (a.neutral || (a.night_only && light())));
    if !calm
        && player.alive
        && mob.position.distance(player.position) <= NOTICE
        && sees(grid, eyes(mob), player.position.plus(0.0, EYES, 0.0))
    {
        mob.mood = Mood::Hunt {
            until: tick + ANGER_TICKS,
        };
    }
}

fn hunt(
    mob: &mut Mob,
    grid: &Grid,
    player: &PlayerView,
    (tick, pace): (u64, f64),
    rng: &mut Rng,
) -> Choice {
    let Some(attack) = attack_of(mob.kind) else {
        return Choice::Stand;
    };
    if attack.manner == AttackKind::Shoot {
        return archery::engage(mob, grid, player, attack, (tick, pace), rng);
    }
    let away = mob.position.distance_flat(player.position);
    // Who touches reaches as far up and down as along the ground, from feet to feet.
    let level = match attack.manner {
        AttackKind::Touch => mob.position.distance(player.position) <= attack.reach,
        _ => (mob.position.y - player.position.y).abs() < attack.reach.max(2.0),
    };
    let is_seen = |mob: &Mob| sees(grid, eyes(mob), player.position.plus(0.0, EYES, 0.0));
    if attack.manner == AttackKind::Explode {
        let lit = level && away <= attack.reach && is_seen(mob);
        return hiss(
            mob,
            attack,
            lit,
            away,
            (direction(mob.position, player.position), pace),
        );
    }
    if away <= attack.reach && level {
        let ready = tick >= mob.strike_at;
        if ready && is_seen(mob) {
            mob.strike_at = tick + attack.rest;
            return Choice::Strike;
        }
        // Who throws keeps its distance, the others press on until they touch.
        if !ready && (attack.manner == AttackKind::Throw || away < 0.8) {
            return Choice::Stand;
        }
    }
    let (x, z) = direction(mob.position, player.position);
    Choice::Step(x * pace, z * pace)
}

/// A creeper near the player counts up and stands; away from it it counts down and comes on.
fn hiss(
    mob: &mut Mob,
    attack: &Attack,
    near: bool,
    away: f64,
    ((x, z), pace): ((f64, f64), f64),
) -> Choice {
    // Once lit, the fuse runs on within the wider range, so stepping back a little does not
    // stop it.
    if near || (mob.fuse > 0 && away <= HISS_WITHIN) {
        mob.fuse += 1;
        return if u64::from(mob.fuse) >= attack.rest {
            Choice::Explode
        } else {
            Choice::Stand
        };
    }
    mob.fuse = mob.fuse.saturating_sub(1);
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

/// Off to another place near by, wherever that is, at so many blocks a tick.
fn panic(tick: u64, calm: u64, speed: f64, rng: &mut Rng) -> Mood {
    let mut offset = || rng.between(-PANIC_REACH, PANIC_REACH) as f64;
    let (x, z) = (offset(), offset());
    let length = (x * x + z * z).sqrt().max(1.0);
    Mood::Flee {
        x: x / length,
        z: z / length,
        until: tick + 1 + (length / speed) as u64,
        calm,
    }
}

/// True if the next block in a direction is no cliff and no fluid.
/// Looks 0.8 blocks ahead: beyond the next edge before the feet are over it.
pub(super) fn is_walkable(mob: &Mob, grid: &Grid, x: f64, z: f64) -> bool {
    let ahead = mob.position.plus(x * 0.8, 0.0, z * 0.8).block();
    for down in 0..=DROP_MAX + 1 {
        let block = grid.rock(ahead.plus(0, -down, 0));
        if block.is_fluid() {
            return false;
        }
        if block.is_solid() {
            return true;
        }
    }
    false
}

fn eyes(mob: &Mob) -> Point {
    mob.position.plus(0.0, mob.kind.facts().eyes.into(), 0.0)
}

/// True if no opaque block lies between two points; a corner that is only brushed hides as well.
pub(crate) fn sees(grid: &Grid, from: Point, to: Point) -> bool {
    let length = from.distance(to);
    let mut ray = Ray::towards(from, to);
    loop {
        let next = ray.advance();
        if next.distance >= length {
            return true;
        }
        // What veins replace is as opaque as they are.
        if grid.rock(next.at).is_opaque() {
            return false;
        }
    }
}
