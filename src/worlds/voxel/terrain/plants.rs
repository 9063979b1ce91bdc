//! Plants: grass, flowers, cactus, cane and what else stands on single columns.
//!
//! Invariant: a plant stands on ground that bears it, in what was air (or, on a sea bed, water).

use super::super::chunk::Chunk;
use super::shape::{Column, Region, SEA_LEVEL};
use crate::rng::{Rng, Streams, hash3};
use crate::world::block::{self as blocks, BlockId};

/// One shore column in so many has sugar cane.
const CANE_ONE_IN: u64 = 12;

/// Plants every column of a chunk.
pub(crate) fn plant(seed: u64, chunk: &mut Chunk, region: &Region, chunk_x: i32, chunk_z: i32) {
    let salt = Streams(seed).salt("plants");
    for at in 0..256 {
        let (x, z) = (chunk_x * 16 + (at & 15), chunk_z * 16 + (at >> 4));
        let column = region.column(x, z);
        let mut rng = Rng::new(hash3(salt, x, 0, z));
        if column.height < SEA_LEVEL {
            plant_bed(chunk, column, x, z, &mut rng);
        } else if column.height == SEA_LEVEL && region.lowest_around(x, z) < SEA_LEVEL {
            plant_shore(chunk, region, x, z, &mut rng);
        } else {
            plant_ground(chunk, column, x, z, &mut rng);
        }
    }
}

/// The plant that a row of a biome draws for a column.
fn drawn(column: Column, rng: &mut Rng) -> Option<BlockId> {
    let mut roll = rng.below(1000) as u32;
    for (plant, share) in column.biome.facts().plants {
        if roll < *share {
            return Some(*plant);
        }
        roll -= share;
    }
    None
}

fn plant_bed(chunk: &mut Chunk, column: Column, x: i32, z: i32, rng: &mut Rng) {
    let y = column.height + 1;
    let deep = y < SEA_LEVEL && chunk.block(x, y, z) == blocks::WATER;
    if let Some(plant) = drawn(column, rng).filter(|plant| deep && *plant == blocks::SEAGRASS) {
        chunk.put(x, y, z, plant);
    }
}

fn plant_shore(chunk: &mut Chunk, region: &Region, x: i32, z: i32, rng: &mut Rng) {
    let wet = |dx, dz| region.column(x + dx, z + dz).height < SEA_LEVEL;
    let beside = wet(1, 0) || wet(-1, 0) || wet(0, 1) || wet(0, -1);
    let ground = chunk.block(x, SEA_LEVEL, z);
    let bears = matches!(ground, blocks::GRASS_BLOCK | blocks::DIRT | blocks::SAND);
    if beside && bears && rng.below(CANE_ONE_IN) == 0 {
        stack(
            chunk,
            blocks::SUGAR_CANE,
            1 + rng.below(3) as i32,
            [x, SEA_LEVEL + 1, z],
        );
    }
}

fn plant_ground(chunk: &mut Chunk, column: Column, x: i32, z: i32, rng: &mut Rng) {
    let Some(plant) = drawn(column, rng) else {
        return;
    };
    let y = column.height + 1;
    let ground = chunk.block(x, column.height, z);
    if chunk.block(x, y, z) != blocks::AIR {
        return;
    }
    match plant {
        blocks::CACTUS => {
            let free = |dx: i32, dz: i32| {
                // Beyond the chunk nothing is known, so cacti keep off its border.
                let inner = (x + dx) >> 4 == x >> 4 && (z + dz) >> 4 == z >> 4;
                inner && !chunk.block(x + dx, y, z + dz).is_solid()
            };
            if ground == blocks::SAND && free(1, 0) && free(-1, 0) && free(0, 1) && free(0, -1) {
                stack(chunk, plant, 1 + rng.below(3) as i32, [x, y, z]);
            }
        }
        blocks::DEAD_BUSH if ground == blocks::SAND => chunk.put(x, y, z, plant),
        blocks::DEAD_BUSH => {}
        _ if ground == blocks::GRASS_BLOCK => chunk.put(x, y, z, plant),
        _ => {}
    }
}

fn stack(chunk: &mut Chunk, plant: BlockId, high: i32, [x, y, z]: [i32; 3]) {
    for up in 0..high {
        if chunk.block(x, y + up, z) == blocks::AIR {
            chunk.put(x, y + up, z, plant);
        }
    }
}
