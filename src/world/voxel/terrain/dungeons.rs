//! Dungeons: small rooms of mossy cobblestone in the depth, with a chest or two.
//!
//! A room lies wholly inside its chunk and opens into a cave, or it is left out. Invariant: rooms
//! and what their chests hold follow from the seed and the chunk only.

use super::super::chunk::Chunk;
use super::super::grid::Grid;
use crate::block::{self as blocks};
use crate::inventory::Stack;
use crate::loot;
use crate::rng::{Rng, Streams, hash3};
use crate::space::Pos;

/// One chunk in so many may have a dungeon, and is searched for a place at so many points.
const ONE_IN: u64 = 3;
const TRIES: u32 = 40;
/// From the floor up to the roof; three blocks of air lie between.
const HIGH: i32 = 4;
/// No room lies lower.
const CHESTS_FROM: i32 = 12;

/// A room: its middle on the floor, in the chunk, and how far its air reaches.
#[derive(Debug, Clone, Copy)]
struct Room {
    middle: [i32; 3],
    wide: i32,
    long: i32,
}

impl Room {
    /// All columns of the room and its walls, as steps from the middle.
    fn columns(self) -> impl Iterator<Item = (i32, i32)> {
        let (w, l) = (self.wide + 1, self.long + 1);
        (-l..=l).flat_map(move |dz| (-w..=w).map(move |dx| (dx, dz)))
    }

    fn is_wall(self, dx: i32, dz: i32) -> bool {
        dx.abs() > self.wide || dz.abs() > self.long
    }
}

fn stream(seed: u64, chunk_x: i32, chunk_z: i32) -> Option<Rng> {
    let mut rng = Rng::new(hash3(Streams(seed).salt("dungeons"), chunk_x, 0, chunk_z));
    (rng.below(ONE_IN) == 0).then_some(rng)
}

/// Digs the dungeon of a chunk, if there is a place for one.
pub(crate) fn dig(seed: u64, chunk: &mut Chunk, chunk_x: i32, chunk_z: i32) {
    let Some(mut rng) = stream(seed, chunk_x, chunk_z) else {
        return;
    };
    for _ in 0..TRIES {
        // Half sides of 2 or 3. With the wall and a middle at 5 to 10, the room never
        // leaves the columns 1 to 14.
        let mut side = || 2 + rng.below(2) as i32;
        let (wide, long) = (side(), side());
        let room = Room {
            middle: [
                5 + rng.below(6) as i32,
                12 + rng.below(40) as i32,
                5 + rng.below(6) as i32,
            ],
            wide,
            long,
        };
        if fits(chunk, room) {
            return furnish(chunk, room, &mut rng);
        }
    }
}

/// True if floor and roof are whole and some places of the walls are open.
fn fits(chunk: &Chunk, room: Room) -> bool {
    let [x, y, z] = room.middle;
    // A doorway is two blocks of air in the wall at floor height. None would leave the room
    // closed; many mean that it hangs in a wide cave. Most places have none and are told by their walls alone.
    let is_door = |(dx, dz): &(i32, i32)| {
        let is_air = |up: i32| chunk.block(x + dx, y + up, z + dz) == blocks::AIR;
        room.is_wall(*dx, *dz) && is_air(1) && is_air(2)
    };
    let doors = room.columns().filter(is_door).count();
    if !(1..=10).contains(&doors) {
        return false;
    }
    room.columns().all(|(dx, dz)| {
        let at = |up: i32| chunk.block(x + dx, y + up, z + dz);
        at(0).is_opaque() && at(HIGH).is_opaque() && !(1..HIGH).any(|up| at(up).is_fluid())
    })
}

fn furnish(chunk: &mut Chunk, room: Room, rng: &mut Rng) {
    let [x, y, z] = room.middle;
    for (dx, dz) in room.columns() {
        // Three of four blocks of the floor are mossy, as in the game.
        let mossy = rng.below(4) != 0;
        let floor = if mossy {
            blocks::MOSSY_COBBLESTONE
        } else {
            blocks::COBBLESTONE
        };
        chunk.put(x + dx, y, z + dz, floor);
        for up in 1..HIGH {
            if !room.is_wall(dx, dz) {
                chunk.put(x + dx, y + up, z + dz, blocks::AIR);
            // Air in a wall is a doorway and stays open.
            } else if chunk.block(x + dx, y + up, z + dz) != blocks::AIR {
                chunk.put(x + dx, y + up, z + dz, blocks::COBBLESTONE);
            }
        }
    }
    chunk.put(x, y + 1, z, blocks::SPAWNER);
    for _ in 0..1 + rng.below(2) {
        let along = rng.between(i64::from(-room.long), i64::from(room.long)) as i32;
        let side = if rng.chance(0.5) {
            room.wide
        } else {
            -room.wide
        };
        chunk.put(x + side, y + 1, z + along, blocks::CHEST);
    }
}

/// The chests of a chunk's dungeon and what is in them. Call once for each chunk that is new, as
/// for herds: a chest that is broken and placed again must not fill itself.
#[must_use]
pub fn chests(grid: &Grid, chunk_x: i32, chunk_z: i32) -> Vec<(Pos, Vec<Stack>)> {
    let (Some(generator), Some(chunk)) = (grid.generator(), grid.chunk(chunk_x, chunk_z)) else {
        return Vec::new();
    };
    let seed = generator.seed();
    if stream(seed, chunk_x, chunk_z).is_none() {
        return Vec::new();
    }
    let salt = Streams(seed).salt("loot");
    // Rooms lie between 12 and 51, so four sections hold every chest.
    let cells = (0..64).step_by(16).flat_map(|low| {
        let found = chunk.cells_of(low, blocks::CHEST).into_iter();
        found.map(move |cell| low * 256 + cell)
    });
    cells
        .filter(|cell| *cell >= CHESTS_FROM * 256)
        .map(|cell| {
            let (x, y, z) = (cell & 15, cell >> 8, cell >> 4 & 15);
            let pos = Pos::new(chunk_x * 16 + x, y, chunk_z * 16 + z);
            let mut rng = Rng::new(hash3(salt, pos.x, pos.y, pos.z));
            (pos, loot::draw("dungeon", &mut rng))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dungeons_have_moss_and_chests_with_beetroot_seeds_in_some() {
        let (mut grid, mut rooms, mut seeds) = (Grid::new(7), 0, 0);
        for i in 0..900 {
            let (x, z) = (i % 30, i / 30);
            grid.ensure(x, z);
            let found = chests(&grid, x, z);
            assert_eq!(found, chests(&grid, x, z));
            rooms += usize::from(!found.is_empty());
            let stacks = found.iter().flat_map(|(_, stacks)| stacks);
            seeds += stacks
                .filter(|stack| stack.item.name() == "beetroot_seeds")
                .count();
            for (pos, stacks) in &found {
                assert!(!stacks.is_empty() && grid.block(pos.down()).is_solid());
            }
        }
        assert!(
            (10..120).contains(&rooms) && seeds > 0,
            "{rooms} rooms, {seeds} seeds"
        );
    }
}
