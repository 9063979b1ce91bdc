//! What the world does by itself in a tick, near the body: chunks, herds, mobs, plants.
//!
//! Invariant: everything random is drawn from the simulation's own streams, in one order.

use super::arrows::Arrow;
use super::blast::{self, Broken};
use super::body::cause::Cause;
use super::body::collide::BoundingBox;
use super::body::placing::{drop_unsupported, spill_contents};
use super::body::{HEIGHT, WIDTH, harm, physics, wearing};
use super::currents::{self, Drifter};
use super::growth::GrowthEvent;
use super::life::{LifeEvent, PlayerView};
use super::sim::Simulation;
use super::terrain::{dungeons, village};
use super::{infested, learning, yields};
use crate::block as blocks;
use crate::experience;
use crate::inventory::Stack;
use crate::item::ItemId;
use crate::mob::MobKind;
use crate::space::Point;

/// Chunks kept loaded around the body in every direction: 48 blocks, as far as it can see. Making
/// chunks is what a walk costs most, so not one more.
const CHUNKS_AROUND: i32 = 3;
/// Half hearts per unit of power and nearness, normal difficulty.
const BLAST_DAMAGE: f64 = 7.0;

impl Simulation {
    /// Makes the chunks around the body; a chunk that is new gets its herds and its chests' loot.
    pub(super) fn load_chunks(&mut self) {
        self.grid.ensure_around(self.body.feet(), CHUNKS_AROUND);
        let (cx, cz) = self.chunk;
        for z in cz - CHUNKS_AROUND..=cz + CHUNKS_AROUND {
            for x in cx - CHUNKS_AROUND..=cx + CHUNKS_AROUND {
                // The set remembers for good: herds and loot come once, however often a
                // chunk is left.
                if self.settled.insert((x, z)) {
                    if let Some(chunk) = self.grid.chunk(x, z) {
                        self.springs.note(chunk, (x, z));
                    }
                    self.mobs.settle_chunk(&self.grid, x, z);
                    // Villagers are added after the herd, so that their numbers follow from
                    // the seed too.
                    for (profession, home) in village::folk(&self.grid, (x, z)) {
                        self.add_villager(profession, home);
                    }
                    let villages = village::chests(&self.grid, (x, z));
                    for (at, stacks) in dungeons::chests(&self.grid, x, z)
                        .into_iter()
                        .chain(villages)
                    {
                        let chest = self.chests.entry(at).or_default();
                        for stack in stacks {
                            let rest = chest.slots.add(stack);
                            debug_assert!(rest.is_none(), "a chest holds what the tables put in");
                        }
                    }
                }
            }
        }
    }

    /// Moves the body with the current that it is in.
    pub(super) fn drift(&mut self) {
        let body = &mut self.body;
        if body.in_fluid() {
            let bounds = BoundingBox::standing(body.at, WIDTH, HEIGHT);
            let (fluids, grid) = (&self.fluids, &self.grid);
            let by = currents::push(fluids, grid, bounds, body.velocity, Drifter::Player);
            body.velocity = body.velocity.plus(by.x, by.y, by.z);
        }
    }

    /// One tick of the fluids and of the blocks that fall; those that find no room drop as items.
    pub(super) fn let_fall(&mut self) {
        let springs = self.springs.take_near(self.body.feet());
        let loose = self.fluids.run_out(&mut self.grid, springs);
        for (from, block) in loose.into_iter().chain(self.fluids.step(&mut self.grid)) {
            self.falling.release(from, block);
        }
        for (at, block) in self.falling.step(&mut self.grid) {
            if let Some(item) = ItemId::named(block.name()) {
                self.dropped.spill(Stack::new(item, 1), at, &mut self.luck);
            }
        }
    }

    /// One tick of what flies and of the mobs, and what it does to the body and the blocks.
    pub(super) fn let_live(&mut self) {
        for hit in self.arrows.step(&self.grid, &self.body) {
            self.hurt(hit.damage, hit.by, hit.from);
        }
        let player = PlayerView {
            position: self.body.at,
            alive: self.body.alive(),
        };
        let day_time = self.time_of_day();
        // The mobs know the sky of this tick, not that of the last one.
        self.mobs.weather = self.clouds.now();
        self.mobs.drift(&self.grid, &self.fluids);
        for event in self
            .mobs
            .step(&self.grid, player, day_time, &mut self.whims)
        {
            match event {
                LifeEvent::PlayerHurt { damage, by, from } => self.hurt(damage, by, from),
                LifeEvent::Loosed {
                    by,
                    at,
                    velocity,
                    strength,
                } => self.arrows.loose(Arrow {
                    at,
                    velocity,
                    strength,
                    by,
                }),
                LifeEvent::Died {
                    at, drops, points, ..
                } => {
                    self.orbs.scatter(points, at);
                    for stack in drops {
                        self.dropped.spill(stack, at.block(), &mut self.luck);
                    }
                }
                LifeEvent::Exploded { at, power } => self.explode(at, power),
                LifeEvent::Laid { at, stack } => {
                    self.dropped.spill(stack, at.block(), &mut self.luck);
                }
                LifeEvent::Grazed { at } => {
                    // The mobs report what they did to blocks; only this function changes
                    // them.
                    self.grid.set(at, blocks::DIRT);
                }
                LifeEvent::TookBlock { at } => {
                    self.grid.set(at, blocks::AIR);
                    drop_unsupported(self, at);
                }
                LifeEvent::PutBlock { at, block } => {
                    self.grid.set(at, block);
                }
                LifeEvent::BrokeOut { at } => infested::break_out(self, at),
                LifeEvent::Born { at, .. } => learning::between(self, experience::BRED, at),
            }
        }
    }

    /// One tick of the plants.
    pub(super) fn let_grow(&mut self) {
        let (feet, day_time) = (self.body.feet(), self.time_of_day());
        self.growth.weather = self.clouds.now();
        for event in self.growth.step(&mut self.grid, feet, day_time) {
            let GrowthEvent::Withered { at, block, ripe } = event;
            yields::spill_drops(self, at, block, None, ripe);
        }
    }

    fn hurt(&mut self, damage: f32, by: MobKind, from: Point) {
        // The shield first: what it blocks neither hurts nor pushes.
        if wearing::blocks(&mut self.body, damage, from) {
            return;
        }
        let health = self.body.vitals.health;
        harm::hurt(&mut self.body, damage, Cause::Mob(by));
        // No push without damage: a hit within the short immunity does nothing.
        if self.body.vitals.health < health {
            physics::knock(&mut self.body, from);
        }
    }

    /// Breaks blocks and hurts the body, less with distance; walls shield it.
    pub(super) fn explode(&mut self, at: Point, power: f32) {
        let reach = 2.0 * f64::from(power);
        let distance = self.body.at.distance(at) / reach;
        let open = super::body::sight::is_clear(&self.grid, at, self.body.eyes());
        // One ray stands for the game's many: the body is either exposed or not.
        if distance < 1.0 && open {
            let impact = 1.0 - distance;
            let damage = (impact * impact + impact) / 2.0 * BLAST_DAMAGE * reach + 1.0;
            self.hurt(damage.floor() as f32, MobKind::Creeper, at);
        }
        for Broken { at, block, drops } in
            blast::explode(&mut self.grid, at, power, &mut self.whims)
        {
            // Before the block is forgotten: what a chest held falls out of it.
            spill_contents(self, at);
            if drops {
                yields::spill_drops(self, at, block, None, true);
            }
            infested::let_out(self, at, block, None);
            drop_unsupported(self, at);
        }
    }
}
