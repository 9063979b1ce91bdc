//! Spawn: where animals and monsters appear, and when monsters go away.
//!
//! Animals come with their chunk, in herds; monsters in the dark around the player. Invariant:
//! herds follow from seed and chunk only; monsters from the stream that the step is given.

use super::arms;
use super::mob::{Coat, Mob};
use super::walk::is_free;
use super::{Mobs, PlayerView};
use crate::block::{self as blocks};
use crate::mob::{MobKind, SpawnGroup};
use crate::rng::{Rng, Streams, hash3};
use crate::space::{Point, Pos};
use crate::voxel::grid::Grid;
use crate::voxel::terrain::Generator;
use crate::voxel::terrain::biome::Biome;
use crate::voxel::time;

/// One chunk in so many has a herd.
const HERD_ONE_IN: u64 = 7;
/// Monsters near the player at most.
/// Over all near and far; the game counts per chunk.
const MONSTERS_MAX: usize = 12;
/// Places tried at each turn.
/// Most tries find light or rock, so one would be too few.
const TRIES: u32 = 3;
/// Blocks from the player between which places are tried.
const NEAREST: f64 = 24.0;
const FARTHEST: i32 = 64;
/// Levels above and below the player at which caves are tried.
const LEVELS: i32 = 24;
/// Monsters farther than this are gone at once, beyond `LINGER` by chance.
/// In blocks, the figures of the game except the chance per second.
const GONE: f64 = 128.0;
/// The chance per turn of one second to vanish.
const LINGER: f64 = 40.0;
const FADE: f64 = 0.025;
/// One zombie of so many is small. No draw decides it: worlds of older builds stay what they were until one comes near.
const SMALL_OF: u64 = 20;
/// Of the animals of a herd but its first, one of so many is young.
const YOUNG_OF: u64 = 20;
/// With fewer of a group than this in reach, new ones may come, at most so often.
/// Animals killed for food come back slowly, or a long run would starve.
const ANIMALS_LEAST: usize = 10;
const RETURN_TICKS: u64 = 400;

impl Mobs {
    /// Puts the herd of a chunk on its grass; call once for each chunk that is new.
    pub fn settle_chunk(&mut self, grid: &Grid, chunk_x: i32, chunk_z: i32) {
        let Some(generator) = grid.generator() else {
            return;
        };
        let salt = Streams(generator.seed()).salt("herds");
        // The herd is drawn from the chunk's own stream; the player's way has no influence.
        let mut rng = Rng::new(hash3(salt, chunk_x, 0, chunk_z));
        if rng.below(HERD_ONE_IN) != 0 {
            return;
        }
        // Away from the border of the chunk, where the neighbour's ground is not loaded
        // yet.
        let inner = |rng: &mut Rng| 2 + rng.below(12) as i32;
        let column = |rng: &mut Rng| (chunk_x * 16 + inner(rng), chunk_z * 16 + inner(rng));
        let (x, z) = column(&mut rng);
        let Some((kind, least, most)) = herd_of(grid, x, z, &mut rng) else {
            return;
        };
        let first = self.last_number + 1;
        for _ in 0..rng.between(i64::from(least), i64::from(most)) {
            let (x, z) = column(&mut rng);
            self.put_animal(grid, kind, (x, z), &mut rng);
        }
        self.make_some_young(first, salt);
    }

    /// Makes a few of a new herd young, but not its first; no draw of the herd's decides it.
    fn make_some_young(&mut self, first: u64, salt: u64) {
        let tick = self.tick;
        let new = self.mobs.iter_mut().filter(|mob| mob.number > first);
        for mob in new.filter(|mob| mob.kind.facts().group == SpawnGroup::Animal) {
            let at = mob.position.block();
            if hash3(salt, at.x, at.y, at.z).is_multiple_of(YOUNG_OF) {
                mob.be_born(tick);
            }
        }
    }

    /// Puts an animal on the ground, or into the water, of a column, if it can live there.
    fn put_animal(&mut self, grid: &Grid, kind: MobKind, (x, z): (i32, i32), rng: &mut Rng) {
        let top = Pos::new(x, grid.height(x, z), z);
        // Swimmers in the uppermost water, the others on the ground.
        let feet = if kind.facts().group == SpawnGroup::Water {
            top.down()
        } else {
            top.up()
        };
        let home = match grid.rock(feet.down()) {
            blocks::GRASS_BLOCK | blocks::MYCELIUM => feet == top.up(),
            // Rabbits live in deserts too.
            blocks::SAND => feet == top.up() && kind == MobKind::Rabbit,
            _ => feet == top.down() && grid.rock(feet) == blocks::WATER,
        };
        if home && fits(grid, kind, feet.floor()) {
            self.add(kind, feet.floor());
            // Drawn for sheep only: other herds must not depend on how many draws a coat
            // takes.
            if let (MobKind::Sheep, Some(sheep)) = (kind, self.mobs.last_mut()) {
                sheep.coat = Coat::draw(rng);
            }
        }
    }

    /// Lets a few animals come where there are hardly any; a very slow thing.
    pub(super) fn turn_animals(
        &mut self,
        grid: &Grid,
        player: &PlayerView,
        day_time: u32,
        rng: &mut Rng,
    ) {
        if !self.tick.is_multiple_of(RETURN_TICKS) || !player.alive {
            return;
        }
        let far = i64::from(FARTHEST);
        let middle = player.position.block();
        let (x, z) = (
            middle.x + rng.between(-far, far) as i32,
            middle.z + rng.between(-far, far) as i32,
        );
        let feet = Pos::new(x, grid.height(x, z) + 1, z);
        // Animals come in the light, monsters in the dark.
        let lit = time::light_at(grid, feet, day_time) > time::DARK_MAX;
        if !lit || feet.floor().distance_flat(player.position) < NEAREST || !grid.is_loaded(feet) {
            return;
        }
        let Some((kind, least, most)) = herd_of(grid, x, z, rng) else {
            return;
        };
        let alike = |mob: &&Mob| {
            mob.kind.facts().group == kind.facts().group
                && mob.position.distance_flat(player.position) < GONE
        };
        if self.mobs.iter().filter(alike).count() >= ANIMALS_LEAST {
            return;
        }
        let first = self.last_number + 1;
        for _ in 0..rng.between(i64::from(least), i64::from(most)) {
            let (x, z) = (x + rng.between(-3, 3) as i32, z + rng.between(-3, 3) as i32);
            if grid.is_loaded(Pos::new(x, 0, z)) {
                self.put_animal(grid, kind, (x, z), rng);
            }
        }
        self.make_some_young(first, self.tick);
    }

    /// Lets monsters appear and vanish; a slow thing, done once a second.
    pub(super) fn turn_monsters(
        &mut self,
        grid: &Grid,
        player: &PlayerView,
        day_time: u32,
        rng: &mut Rng,
    ) {
        let before = self.mobs.len();
        self.mobs.retain(|mob| {
            let away = mob.position.distance(player.position);
            let fades = away > GONE || (away > LINGER && rng.chance(FADE));
            let facts = mob.kind.facts();
            // What swims stays as long as the player could meet it again.
            // Animals of the land never vanish.
            let is_kept = mob.carries_block();
            !(fades && facts.hostile && !is_kept || away > GONE && facts.group == SpawnGroup::Water)
        });
        self.stale |= self.mobs.len() != before;
        let near = |mob: &&Mob| mob.kind.facts().hostile && !mob.carries_block();
        if self.mobs.iter().filter(near).count() >= MONSTERS_MAX || !player.alive {
            return;
        }
        for _ in 0..TRIES {
            let Some(feet) = dark_place(grid, player, day_time, rng) else {
                continue;
            };
            let Some(kind) = monster(grid, feet, rng) else {
                continue;
            };
            if fits(grid, kind, feet.floor()) {
                let number = self.add(kind, feet.floor());
                let Some(mob) = self.mobs.last_mut() else {
                    continue;
                };
                match kind {
                    // 1, 2 or 4 in turn.
                    MobKind::Slime => mob.resize(1 << (number % 3)),
                    MobKind::Zombie | MobKind::Husk | MobKind::Drowned => {
                        mob.small = number.is_multiple_of(SMALL_OF);
                        mob.held = arms::of(kind, number, feet);
                    }
                    _ => {}
                }
            }
        }
    }
}

/// A herd that lives on this column, or in its water.
fn herd_of(grid: &Grid, x: i32, z: i32, rng: &mut Rng) -> Option<(MobKind, u32, u32)> {
    let facts = grid.generator().map(|_| grid.biome(x, z).facts())?;
    let wet = grid.rock(Pos::new(x, grid.height(x, z), z)) == blocks::WATER;
    pick(if wet { facts.swimmers } else { facts.animals }, rng)
}

fn pick(rows: &[(MobKind, u32, u32, u32)], rng: &mut Rng) -> Option<(MobKind, u32, u32)> {
    let total: u32 = rows.iter().map(|row| row.1).sum();
    let mut roll = rng.below(u64::from(total)) as u32;
    for (kind, weight, least, most) in rows {
        if roll < *weight {
            return Some((*kind, *least, *most));
        }
        roll -= weight;
    }
    None
}

/// The monster that a biome draws for a dark place; slimes are choosier than the dark.
fn monster(grid: &Grid, feet: Pos, rng: &mut Rng) -> Option<MobKind> {
    let generator = grid.generator();
    let biome = grid.biome(feet.x, feet.z);
    let rows = biome.facts().monsters;
    let total: u32 = rows.iter().map(|row| row.1).sum();
    let mut roll = rng.below(u64::from(total)) as u32;
    let (kind, _) = rows.iter().find(|(_, weight)| {
        let here = roll < *weight;
        roll = roll.saturating_sub(*weight);
        here
    })?;
    // The draw is spent: slimes make other monsters no more frequent elsewhere.
    if *kind == MobKind::Slime && !slimy(generator.map_or(0, Generator::seed), biome, feet) {
        return None;
    }
    Some(*kind)
}

/// Slimes come at the surface of swamps, and deep in one chunk of ten.
fn slimy(seed: u64, biome: Biome, feet: Pos) -> bool {
    let chunk = hash3(Streams(seed).salt("slimes"), feet.x >> 4, 0, feet.z >> 4);
    // As in the game, swamps between 50 and 69, and slime chunks below 40.
    (biome == Biome::Swamp && (50..70).contains(&feet.y))
        || (feet.y < 40 && chunk.is_multiple_of(10))
}

fn fits(grid: &Grid, kind: MobKind, feet: Point) -> bool {
    let facts = kind.facts();
    is_free(grid, feet, f64::from(facts.width), f64::from(facts.height))
}

/// A dark floor at a fair distance, half the time at the surface; most tries find none.
fn dark_place(grid: &Grid, player: &PlayerView, day_time: u32, rng: &mut Rng) -> Option<Pos> {
    let far = i64::from(FARTHEST);
    let middle = player.position.block();
    let (x, z) = (
        middle.x + rng.between(-far, far) as i32,
        middle.z + rng.between(-far, far) as i32,
    );
    // Half of the tries go to caves near the player's height.
    let surface = rng.chance(0.5);
    let level = middle.y + rng.between(i64::from(-LEVELS), i64::from(LEVELS)) as i32;
    let top = Pos::new(x, grid.height(x, z) + 1, z);
    if !grid.is_loaded(top) {
        return None;
    }
    let feet = if surface {
        top
    } else {
        floor_below(grid, Pos::new(x, level.clamp(5, 250), z))?
    };
    let away = feet.floor().distance(player.position);
    // Not on bedrock, so that nothing appears under the world.
    let bears = grid.rock(feet.down()).is_opaque() && grid.rock(feet.down()) != blocks::BEDROCK;
    let free = |pos| !grid.rock(pos).is_solid() && !grid.rock(pos).is_fluid();
    let dry = free(feet) && free(feet.up());
    let placed = (NEAREST..=f64::from(FARTHEST)).contains(&away) && bears && dry;
    // Light is the most costly question, so it comes last.
    (placed && time::light_at(grid, feet, day_time) <= time::DARK_MAX).then_some(feet)
}

/// The floor of the hollow that a cell lies in, a few blocks down at most.
fn floor_below(grid: &Grid, from: Pos) -> Option<Pos> {
    if grid.rock(from) != blocks::AIR {
        return None;
    }
    // Seven cells: a hollow that is deeper is looked at from another try.
    (1..8)
        .map(|down| from.plus(0, -down, 0))
        .find(|p| grid.rock(*p).is_solid())
        .map(Pos::up)
}
