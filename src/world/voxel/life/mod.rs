//! Life: the animals and monsters of the world, and what they do to the player.
//!
//! It reads blocks and never changes them. Only mobs near the player move; the rest sleep.
//! Invariant: same blocks, same player, same stream, same mobs, to the bit; no allocation in a
//! tick in which nothing happens.

mod archery;
mod arms;
mod attack;
mod blast;
mod carry;
pub mod farm;
mod mind;
pub mod mob;
mod remains;
mod settle;
mod spawn;
mod swarm;
mod swim;
mod walk;

use super::body::collide::BoundingBox;
use super::currents::{self, Drifter};
use super::fluids::Fluids;
use super::grid::Grid;
use super::time;
use super::weather;
use crate::block::{self as blocks, BlockId};
use crate::inventory::Stack;
use crate::mob::{MobKind, SpawnGroup};
use crate::observation::Weather;
use crate::rng::{Rng, hash3, mix};
use crate::space::{Point, Pos};
use mind::Choice;
use mob::{CREDIT_TICKS, HitOutcome, Mob, Mood};

/// Mobs farther from the player than this do not move.
/// In blocks over the ground: the range of the loaded chunks.
pub const ACTIVE_WITHIN: f64 = 48.0;
/// Those within this distance are looked at between two turns.
/// A mob and the player together cannot cover these 8 blocks between two turns.
const AWAKE_WITHIN: f64 = ACTIVE_WITHIN + 8.0;
/// Ticks between two turns of burning, appearing and vanishing.
/// In ticks: once a second.
const TURN: u64 = 20;
/// Health lost per turn to the sun and to lava.
/// In half hearts.
const SUN_DAMAGE: f32 = 1.0;
const LAVA_DAMAGE: f32 = 8.0;

/// What the mobs know of the player.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlayerView {
    pub position: Point,
    pub alive: bool,
}

/// Something that the mobs did or suffered.
#[derive(Debug, Clone, PartialEq)]
pub enum LifeEvent {
    /// A mob hit the player; `from` is where it stood.
    /// Damage is in half hearts, before armour.
    PlayerHurt {
        damage: f32,
        by: MobKind,
        from: Point,
    },
    /// An archer has shot; the arrow is in the air.
    Loosed {
        by: MobKind,
        at: Point,
        /// Blocks per tick.
        velocity: Point,
        /// Harm for each block per tick of its speed, in half hearts.
        strength: f64,
    },
    /// A mob died and left something.
    Died {
        number: u64,
        kind: MobKind,
        at: Point,
        drops: Vec<Stack>,
        /// Experience for the player who killed it.
        points: u32,
    },
    /// A creeper is gone; which blocks it breaks is a question for `voxel::blast`.
    Exploded { at: Point, power: f32 },
    /// An animal left something where it stands.
    Laid { at: Point, stack: Stack },
    /// A sheep ate the grass off this block, which is dirt from now on.
    Grazed { at: Pos },
    /// A mob took up this block; it is gone from there.
    TookBlock { at: Pos },
    /// A mob put down a block that it carried.
    PutBlock { at: Pos, block: BlockId },
    /// One that was called breaks out of this infested block.
    BrokeOut { at: Pos },
    /// Two fed animals have young.
    Born { kind: MobKind, at: Point },
}

/// All mobs of the world.
#[derive(Debug, Clone, Default)]
pub struct Mobs {
    mobs: Vec<Mob>,
    /// Grows forever: a number that was used is never given again, so an old aim cannot hit
    /// a new mob.
    last_number: u64,
    tick: u64,
    /// What the sky does in the coming step.
    pub(super) weather: Weather,
    /// Edits of the grid at the last step: ground may have gone from under a sleeper.
    edits: u64,
    /// Indices of the mobs that may be near the player; good until the next turn.
    /// Only indices: the mobs stay in the order of their numbers.
    awake: Vec<u32>,
    /// The list of mobs has changed, or one of them was killed from outside.
    stale: bool,
}

impl Mobs {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts a mob into the world; returns its number.
    pub fn add(&mut self, kind: MobKind, position: Point) -> u64 {
        self.last_number += 1;
        self.mobs.push(Mob::new(self.last_number, kind, position));
        // The indices in `awake` are no longer those of the list.
        self.stale = true;
        self.last_number
    }

    /// Ticks that the mobs have lived.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// All mobs, in the order they came.
    pub fn iter(&self) -> impl Iterator<Item = &Mob> {
        self.mobs.iter()
    }

    /// The mob with this number, if it lives.
    #[must_use]
    pub fn get(&self, number: u64) -> Option<&Mob> {
        // Numbers grow along the list.
        // Nothing is ever inserted in between, and `retain` keeps the order.
        self.mobs
            .binary_search_by_key(&number, |mob| mob.number)
            .ok()
            .map(|i| &self.mobs[i])
    }

    /// The mobs within a distance of a point, nearest first.
    #[must_use]
    pub fn near(&self, point: Point, radius: f64) -> Vec<&Mob> {
        let mut near: Vec<&Mob> = self
            .mobs
            .iter()
            .filter(|mob| mob.position.distance(point) <= radius)
            .collect();
        near.sort_by(|a, b| {
            let (a_away, b_away) = (a.position.distance(point), b.position.distance(point));
            // Ties by number, so that the order is the same on every machine.
            a_away.total_cmp(&b_away).then(a.number.cmp(&b.number))
        });
        near
    }

    /// The player hits a mob from a place: damage, knock-back, and a short while in which no hit counts.
    pub fn hit(&mut self, number: u64, damage: f32, from: Point, looting: u8) -> HitOutcome {
        let tick = self.tick;
        match self.mobs.binary_search_by_key(&number, |mob| mob.number) {
            Ok(i) => {
                self.stale = true;
                let outcome = self.mobs[i].take_hit(damage, from, tick);
                // A blow that did nothing does not make a death the player's.
                if outcome != HitOutcome::Immune {
                    self.mobs[i].struck = (tick + CREDIT_TICKS, looting);
                }
                outcome
            }
            Err(_) => HitOutcome::Gone,
        }
    }

    /// Stands for all mobs, where they are and how they are.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        // XOR over the mobs: each is hashed with its number, so two that change places are
        // noticed.
        self.mobs.iter().fold(mix(self.last_number), |sum, mob| {
            let p = mob.position;
            let bits = p.x.to_bits() ^ mix(p.y.to_bits() ^ mix(p.z.to_bits()));
            sum ^ hash3(
                mix(bits) ^ mob.private_sum(),
                mob.number as i32,
                mob.health.to_bits() as i32,
                mob.kind as i32,
            )
        })
    }

    /// Lets one tick pass; `day_time` is the time of day.
    pub fn step(
        &mut self,
        grid: &Grid,
        player: PlayerView,
        day_time: u32,
        rng: &mut Rng,
    ) -> Vec<LifeEvent> {
        self.tick += 1;
        let mut events = Vec::new();
        // Any edit may have taken the ground from under a standing mob, so none may skip
        // its fall in this tick.
        let shaken = self.edits != grid.edits();
        self.edits = grid.edits();
        let turn = self.tick.is_multiple_of(TURN);
        let mut deaths = self.stale;
        if self.stale || turn {
            self.wake(player);
        }
        let clock = Clock {
            tick: self.tick,
            hour: day_time,
            weather: self.weather,
        };
        // In the order of the list: mobs draw from one stream, so the order is part of the
        // world.
        for i in &self.awake {
            let mob = &mut self.mobs[*i as usize];
            if is_active(mob, &player) {
                live(mob, grid, &player, clock, shaken, rng, &mut events);
            }
            deaths |= mob.health <= 0.0;
        }
        self.carry(grid, &player, &mut events);
        // Before the dead are buried, so that whoever a blast kills is buried in the same
        // tick.
        self.feel_blasts(&events);
        if deaths {
            self.bury(rng, &mut events);
        }
        // After the step: what is born or appears now takes its first step in the next
        // tick.
        if turn {
            self.breed(&mut events);
            let gloom = weather::hour_of_monsters(self.weather, day_time);
            self.turn_monsters(grid, &player, gloom, rng);
            self.turn_animals(grid, &player, day_time, rng);
        }
        events
    }

    /// Moves those who stand in running water or lava along with it.
    pub(super) fn drift(&mut self, grid: &Grid, fluids: &Fluids) {
        for i in &self.awake {
            let Some(mob) = self.mobs.get_mut(*i as usize) else {
                continue;
            };
            let (width, height) = mob.extent(self.tick);
            let bounds = BoundingBox::standing(mob.position, width, height);
            let by = currents::push(fluids, grid, bounds, mob.velocity, Drifter::Other);
            mob.velocity = mob.velocity.plus(by.x, by.y, by.z);
        }
    }

    fn wake(&mut self, player: PlayerView) {
        self.stale = false;
        self.awake.clear();
        let near = |mob: &Mob| mob.position.distance_flat(player.position) <= AWAKE_WITHIN;
        let indices = (0..).zip(&self.mobs).filter(|(_, mob)| near(mob));
        self.awake.extend(indices.map(|(i, _)| i));
    }

    /// Blasts hurt the other mobs around as they hurt the player.
    fn feel_blasts(&mut self, events: &[LifeEvent]) {
        for event in events {
            if let LifeEvent::Exploded { at, power } = event {
                for mob in &mut self.mobs {
                    let damage = blast::damage(*at, mob.position, *power);
                    if damage > 0.0 {
                        mob.hurt(damage);
                        self.stale = true;
                    }
                }
            }
        }
    }

    fn bury(&mut self, rng: &mut Rng, events: &mut Vec<LifeEvent>) {
        let tick = self.tick;
        let mut split = Vec::new();
        let before = self.mobs.len();
        self.mobs.retain(|mob| {
            let lives = mob.health > 0.0;
            // A creeper that went off leaves nothing.
            if !lives && !mob.is_spent() {
                let drops = mob.drops(tick, rng);
                let points = mob.points(tick, rng);
                events.push(LifeEvent::Died {
                    number: mob.number,
                    kind: mob.kind,
                    at: mob.position,
                    drops,
                    points,
                });
                // Collected first: the list cannot grow while `retain` walks through it.
                if mob.size > 1 {
                    split.push((mob.size / 2, mob.position));
                }
            }
            lives
        });
        self.stale |= self.mobs.len() != before;
        for (size, at) in split {
            // Two to four of half the size, as in the game.
            for n in 0..2 + rng.below(3) {
                let off = if n % 2 == 0 { 0.3 } else { -0.3 };
                self.add_slime(size, at.plus(off, 0.1, if n < 2 { off } else { -off }));
            }
        }
    }

    /// Puts a slime of size 1, 2 or 4 into the world.
    pub fn add_slime(&mut self, size: u8, position: Point) -> u64 {
        let number = self.add(MobKind::Slime, position);
        if let Some(slime) = self.mobs.last_mut() {
            slime.resize(size);
        }
        number
    }
}

#[inline]
fn is_active(mob: &Mob, player: &PlayerView) -> bool {
    let (x, z) = (
        mob.position.x - player.position.x,
        mob.position.z - player.position.z,
    );
    // Squares, because this runs for each awake mob in each tick.
    x * x + z * z <= ACTIVE_WITHIN * ACTIVE_WITHIN
}

/// When it is, and under which sky.
#[derive(Debug, Clone, Copy)]
struct Clock {
    tick: u64,
    hour: u32,
    weather: Weather,
}

/// One tick in the life of a mob that is awake.
fn live(
    mob: &mut Mob,
    grid: &Grid,
    player: &PlayerView,
    clock: Clock,
    shaken: bool,
    rng: &mut Rng,
    events: &mut Vec<LifeEvent>,
) {
    let tick = clock.tick;
    // The number spreads this work of all mobs over the ticks.
    if (tick + mob.number).is_multiple_of(TURN) {
        suffer(mob, grid, clock);
        farm::produce(mob, grid, tick, rng, events);
    }
    if mob.calls_at == tick && mob.health > 0.0 {
        swarm::call(mob, grid, rng, events);
    }
    let step = match mind::choose(mob, grid, player, (tick, clock.hour), rng) {
        Choice::Stand => (0.0, 0.0),
        Choice::Step(x, z) => (x, z),
        Choice::Strike => {
            if let Some(damage) = mind::strike(mob, rng) {
                events.push(LifeEvent::PlayerHurt {
                    damage,
                    by: mob.kind,
                    from: mob.position,
                });
            }
            (0.0, 0.0)
        }
        Choice::Loose => {
            events.push(archery::loose(mob, player, rng));
            (0.0, 0.0)
        }
        Choice::Explode => return explode(mob, grid, player, events),
    };
    if mob.kind.facts().group == SpawnGroup::Water {
        if !swim::swim(mob, grid, step) {
            mob.mood = Mood::Idle { until: tick + 10 };
        }
        return;
    }
    // A mob that stands on firm ground costs nothing more in this tick.
    let still = step == (0.0, 0.0) && mob.velocity == Point::default() && mob.on_ground;
    if still && !shaken {
        return;
    }
    let moved = walk::walk(mob, grid, step, tick);
    // Chickens flutter: they never take damage from a fall.
    if moved.hard_fall >= 1.0 && mob.kind != MobKind::Chicken {
        mob.hurt(moved.hard_fall.floor() as f32);
    }
    if moved.bumped {
        mob.mood = match mob.mood {
            // A hunter pushes on against the wall, who panics turns, the others think again.
            Mood::Hunt { .. } => mob.mood,
            Mood::Flee { x, z, calm, .. } => Mood::Flee {
                x,
                z,
                until: tick,
                calm,
            },
            Mood::Idle { .. } | Mood::Stroll { .. } => Mood::Idle {
                until: tick + 20 + rng.below(40),
            },
        };
    }
}

/// A creeper goes off: it is gone and leaves nothing.
fn explode(mob: &mut Mob, grid: &Grid, player: &PlayerView, events: &mut Vec<LifeEvent>) {
    // From the middle of the body to the middle of the player's.
    let at = mob.position.plus(0.0, 0.8, 0.0);
    let open = mind::sees(grid, at, player.position.plus(0.0, 0.9, 0.0));
    let damage = blast::damage(at, player.position, blast::CREEPER);
    if open && damage > 0.0 {
        events.push(LifeEvent::PlayerHurt {
            damage,
            by: mob.kind,
            from: mob.position,
        });
    }
    events.push(LifeEvent::Exploded {
        at,
        power: blast::CREEPER,
    });
    mob.spend();
}

/// Sun, lava, and air for what lives in water. Who stands in the rain does not burn.
fn suffer(mob: &mut Mob, grid: &Grid, clock: Clock) {
    let at = mob.position.block();
    // Anything but water counts as dry, also lava, which is handled first.
    let block = grid.block(at);
    let dry = block != blocks::WATER;
    let swims = mob.kind.facts().group == SpawnGroup::Water;
    let sun = || attack::burns(mob.kind) && time::is_day(clock.hour) && grid.sky_visible(at);
    let sun = || sun() && !weather::rains_on(grid, clock.weather, at);
    if block == blocks::LAVA {
        mob.hurt(LAVA_DAMAGE);
    } else if dry && (swims || sun()) {
        mob.hurt(SUN_DAMAGE);
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod variety_tests;
