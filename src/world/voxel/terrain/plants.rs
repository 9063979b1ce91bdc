//! Plants: grass, flowers, cactus, cane and what else stands on single columns.
//!
//! Invariant: a plant stands on ground that bears it, in what was air (or, on a sea bed, water).

use super::super::chunk::Chunk;
use super::shape::{SEA_LEVEL, TerrainColumn, TerrainRegion};
use crate::block::{self as blocks, BlockId};
use crate::rng::{Rng, Streams, hash3};

/// One shore column in so many has sugar cane.
const CANE_ONE_IN: u64 = 12;
/// Trees stand so high over the ground at most, where snow falls.
/// `snow_over` looks for the top of a column from here downwards.
const CROWNS: i32 = 16;

/// Plants every column of a chunk.
pub(crate) fn plant(
    seed: u64,
    chunk: &mut Chunk,
    region: &TerrainRegion,
    chunk_x: i32,
    chunk_z: i32,
) {
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
        if column.biome.facts().snowy {
            snow_over(chunk, column, x, z);
        }
    }
}

/// The plant that a row of a biome draws for a column.
fn draw_plant(column: TerrainColumn, rng: &mut Rng) -> Option<BlockId> {
    // One draw per column, compared with the running rest of the shares.
    let mut roll = rng.below(10_000) as u32;
    for (plant, share) in column.biome.facts().plants.iter().copied().flatten() {
        if roll < *share {
            return Some(*plant);
        }
        roll -= share;
    }
    None
}

fn plant_bed(chunk: &mut Chunk, column: TerrainColumn, x: i32, z: i32, rng: &mut Rng) {
    // Columns under the sea. Lily pads lie on the surface, seagrass in the lowest block of
    // water.
    let y = column.height + 1;
    match draw_plant(column, rng) {
        // One block of water must remain above seagrass, or it would break the surface.
        Some(blocks::SEAGRASS) if y < SEA_LEVEL && chunk.block(x, y, z) == blocks::WATER => {
            chunk.put(x, y, z, blocks::SEAGRASS);
        }
        Some(blocks::LILY_PAD) => {
            let free = chunk.block(x, SEA_LEVEL + 1, z) == blocks::AIR;
            if free && chunk.block(x, SEA_LEVEL, z) == blocks::WATER {
                chunk.put(x, SEA_LEVEL + 1, z, blocks::LILY_PAD);
            }
        }
        _ => {}
    }
}

fn plant_shore(chunk: &mut Chunk, region: &TerrainRegion, x: i32, z: i32, rng: &mut Rng) {
    // Sugar cane needs water beside its ground, at the same height.
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

fn plant_ground(chunk: &mut Chunk, column: TerrainColumn, x: i32, z: i32, rng: &mut Rng) {
    let Some(plant) = draw_plant(column, rng) else {
        return;
    };
    let y = column.height + 1;
    let ground = chunk.block(x, column.height, z);
    if chunk.block(x, y, z) != blocks::AIR {
        return;
    }
    let sandy = matches!(ground, blocks::SAND | blocks::RED_SAND);
    let grassy = ground == blocks::GRASS_BLOCK;
    match plant {
        blocks::CACTUS if sandy => {
            let free = |dx: i32, dz: i32| {
                // Beyond the chunk nothing is known, so cacti keep off its border.
                let inner = (x + dx) >> 4 == x >> 4 && (z + dz) >> 4 == z >> 4;
                inner && !chunk.block(x + dx, y, z + dz).is_solid()
            };
            if free(1, 0) && free(-1, 0) && free(0, 1) && free(0, -1) {
                stack(chunk, plant, 1 + rng.below(3) as i32, [x, y, z]);
            }
        }
        // Bamboo, as cactus and cane, is several blocks of one kind on top of each other.
        blocks::BAMBOO if grassy => stack(chunk, plant, 4 + rng.below(8) as i32, [x, y, z]),
        blocks::DEAD_BUSH if sandy || ground == blocks::DIRT => chunk.put(x, y, z, plant),
        blocks::BROWN_MUSHROOM | blocks::RED_MUSHROOM if ground == blocks::MYCELIUM => {
            chunk.put(x, y, z, plant);
        }
        blocks::CACTUS | blocks::DEAD_BUSH | blocks::LILY_PAD | blocks::SEAGRASS => {}
        _ if grassy => chunk.put(x, y, z, plant),
        _ => {}
    }
}

/// Snow on what lies open: ground, leaves, not ice or plants.
fn snow_over(chunk: &mut Chunk, column: TerrainColumn, x: i32, z: i32) {
    let from = column.height.max(SEA_LEVEL);
    let highest = (from..=from + CROWNS)
        .rev()
        .find(|y| chunk.block(x, *y, z) != blocks::AIR);
    let Some(y) = highest else { return };
    let block = chunk.block(x, y, z);
    if block.is_solid() && block != blocks::ICE {
        chunk.put(x, y + 1, z, blocks::SNOW);
    }
}

fn stack(chunk: &mut Chunk, plant: BlockId, high: i32, [x, y, z]: [i32; 3]) {
    for up in 0..high {
        if chunk.block(x, y + up, z) == blocks::AIR {
            chunk.put(x, y + up, z, plant);
        }
    }
}
