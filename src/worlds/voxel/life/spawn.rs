//! Spawn: where animals and monsters appear, and when monsters go away.
//!
//! Animals come with their chunk, in herds; monsters in the dark around the player. Invariant:
//! herds follow from seed and chunk only; monsters from the stream that the step is given.

use super::mind::ATTACKS;
use super::mob::Mob;
use super::walk::is_free;
use super::{Mobs, PlayerView};
use crate::rng::{Rng, Streams, hash3};
use crate::world::block::{self as blocks};
use crate::world::mob::MobKind;
use crate::world::space::{Point, Pos};
use crate::worlds::voxel::grid::Grid;
use crate::worlds::voxel::time;

/// One chunk in so many has a herd.
const HERD_ONE_IN: u64 = 7;
/// Monsters near the player at most.
const MONSTERS_MAX: usize = 12;
/// Places tried at each turn.
const TRIES: u32 = 3;
const NEAREST: f64 = 24.0;
const FARTHEST: i32 = 64;
/// Levels above and below the player at which caves are tried.
const LEVELS: i32 = 24;
/// Monsters farther than this are gone at once, beyond `LINGER` by chance.
const GONE: f64 = 128.0;
const LINGER: f64 = 40.0;
const FADE: f64 = 0.025;

impl Mobs {
    /// Puts the herd of a chunk on its grass; call once for each chunk that is new.
    pub fn settle_chunk(&mut self, grid: &Grid, chunk_x: i32, chunk_z: i32) {
        let Some(generator) = grid.generator() else {
            return;
        };
        let salt = Streams(generator.seed()).salt("herds");
        let mut rng = Rng::new(hash3(salt, chunk_x, 0, chunk_z));
        if rng.below(HERD_ONE_IN) != 0 {
            return;
        }
        let inner = |rng: &mut Rng| 2 + rng.below(12) as i32;
        let (x, z) = (
            chunk_x * 16 + inner(&mut rng),
            chunk_z * 16 + inner(&mut rng),
        );
        let animals = generator.biome(x, z).facts().animals;
        let Some((kind, least, most)) = pick(animals, &mut rng) else {
            return;
        };
        for _ in 0..rng.between(i64::from(least), i64::from(most)) {
            let (x, z) = (
                chunk_x * 16 + inner(&mut rng),
                chunk_z * 16 + inner(&mut rng),
            );
            let feet = Pos::new(x, grid.height(x, z) + 1, z);
            if grid.block(feet.down()) == blocks::GRASS_BLOCK && fits(grid, kind, feet.floor()) {
                self.add(kind, feet.floor());
            }
        }
    }

    /// Lets monsters appear and vanish; a slow thing, done once a second.
    pub(super) fn turn_monsters(
        &mut self,
        grid: &Grid,
        player: &PlayerView,
        day_time: u32,
        rng: &mut Rng,
    ) {
        self.mobs.retain(|mob| {
            let away = mob.position.distance(player.position);
            let stays = away <= LINGER || (away <= GONE && !rng.chance(FADE));
            stays || !mob.kind.facts().hostile
        });
        let near = |mob: &&Mob| mob.kind.facts().hostile;
        if self.mobs.iter().filter(near).count() >= MONSTERS_MAX || !player.alive {
            return;
        }
        for _ in 0..TRIES {
            if let Some(feet) = dark_place(grid, player, day_time, rng) {
                let kind = monster(rng);
                if fits(grid, kind, feet.floor()) {
                    self.add(kind, feet.floor());
                }
            }
        }
    }
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

fn monster(rng: &mut Rng) -> MobKind {
    let mut roll = rng.below(u64::from(ATTACKS.iter().map(|a| a.weight).sum::<u32>())) as u32;
    for attack in &ATTACKS {
        if roll < attack.weight {
            return attack.kind;
        }
        roll -= attack.weight;
    }
    MobKind::Zombie
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
    let bears = grid.block(feet.down()).is_opaque() && grid.block(feet.down()) != blocks::BEDROCK;
    let dry = grid.block(feet) == blocks::AIR && grid.block(feet.up()) == blocks::AIR;
    let placed = (NEAREST..=f64::from(FARTHEST)).contains(&away) && bears && dry;
    (placed && time::light_at(grid, feet, day_time) <= time::DARK_MAX).then_some(feet)
}

/// The floor of the hollow that a cell lies in, a few blocks down at most.
fn floor_below(grid: &Grid, from: Pos) -> Option<Pos> {
    if grid.block(from) != blocks::AIR {
        return None;
    }
    (1..8)
        .map(|down| from.plus(0, -down, 0))
        .find(|p| grid.block(*p).is_solid())
        .map(Pos::up)
}
