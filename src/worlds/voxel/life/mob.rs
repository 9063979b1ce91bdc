//! Mob: one living thing, what it is up to, and what a hit does to it.
//!
//! Movement is in `walk`, choices are in `mind`. Invariant: a mob whose health is 0 does nothing
//! more and is taken away by the next step.

use crate::rng::Rng;
use crate::world::inventory::Stack;
use crate::world::mob::MobKind;
use crate::world::space::Point;

/// Ticks after a hit in which no other hit counts.
pub const HURT_TICKS: u64 = 10;
/// Ticks that an animal runs from what hit it.
const FLEE_TICKS: u64 = 100;
/// Ticks that a hostile mob stays angry without seeing the player.
pub(crate) const ANGER_TICKS: u64 = 100;
const KNOCK_ACROSS: f64 = 0.4;
const KNOCK_UP: f64 = 0.36;

/// One living thing.
#[derive(Debug, Clone, PartialEq)]
pub struct Mob {
    /// Unique in its world, never used again.
    pub number: u64,
    pub kind: MobKind,
    /// The middle of its feet.
    pub position: Point,
    /// Blocks per tick, from falls and knocks; its own steps come on top.
    pub velocity: Point,
    pub health: f32,
    pub on_ground: bool,
    pub(crate) mood: Mood,
    /// Until this tick hits do not count.
    pub(crate) hurt_until: u64,
    /// From this tick on it can strike again.
    pub(crate) strike_at: u64,
    /// y from which it has been falling.
    pub(crate) fell_from: f64,
}

/// What a mob is up to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Mood {
    /// Stands until a tick.
    Idle { until: u64 },
    /// Walks in a direction (unit length) until a tick.
    Stroll { x: f64, z: f64, until: u64 },
    /// Runs in a direction until a tick.
    Flee { x: f64, z: f64, until: u64 },
    /// After the player until a tick.
    Hunt { until: u64 },
}

/// What came of a hit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum HitOutcome {
    /// Hurt; the health that is left.
    Hurt { health: f32 },
    /// Dead; what it leaves comes as an event of the next step.
    Killed,
    /// Hit too shortly before.
    Immune,
    /// There is no such mob.
    Gone,
}

impl Mob {
    pub(crate) fn new(number: u64, kind: MobKind, position: Point) -> Self {
        Self {
            number,
            kind,
            position,
            velocity: Point::default(),
            health: kind.facts().health,
            on_ground: false,
            mood: Mood::Idle { until: 0 },
            hurt_until: 0,
            strike_at: 0,
            fell_from: position.y,
        }
    }

    /// Takes a hit that comes from a place.
    pub(crate) fn take_hit(&mut self, damage: f32, from: Point, tick: u64) -> HitOutcome {
        if tick < self.hurt_until || self.health <= 0.0 {
            return HitOutcome::Immune;
        }
        let (x, z) = direction(from, self.position);
        self.hurt_until = tick + HURT_TICKS;
        self.velocity = Point::new(x * KNOCK_ACROSS, KNOCK_UP, z * KNOCK_ACROSS);
        self.on_ground = false;
        self.mood = if self.kind.facts().hostile {
            Mood::Hunt {
                until: tick + ANGER_TICKS,
            }
        } else {
            Mood::Flee {
                x,
                z,
                until: tick + FLEE_TICKS,
            }
        };
        self.hurt(damage)
    }

    /// Loses health without anybody hitting it.
    pub(crate) fn hurt(&mut self, damage: f32) -> HitOutcome {
        self.health = (self.health - damage).max(0.0);
        if self.health > 0.0 {
            HitOutcome::Hurt {
                health: self.health,
            }
        } else {
            HitOutcome::Killed
        }
    }

    /// What it leaves behind.
    pub(crate) fn drops(&self, rng: &mut Rng) -> Vec<Stack> {
        let mut left = Vec::new();
        for drop in &self.kind.facts().drops {
            if rng.chance(f64::from(drop.chance)) {
                let count = rng.between(i64::from(drop.min), i64::from(drop.max)) as u32;
                if count > 0 {
                    left.push(Stack::new(drop.item, count));
                }
            }
        }
        left
    }
}

/// The direction over the ground from one place to another, of unit length; 0 if they are one.
pub(crate) fn direction(from: Point, to: Point) -> (f64, f64) {
    let (x, z) = (to.x - from.x, to.z - from.z);
    let length = (x * x + z * z).sqrt();
    if length < 1e-6 {
        (0.0, 0.0)
    } else {
        (x / length, z / length)
    }
}
