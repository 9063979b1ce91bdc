//! Ground: bedrock, stone, soil and the sea, before anything is dug or grown.
//!
//! Invariant: everything up to a column's height is solid, everything above is air or sea.

use super::super::chunk::Chunk;
use super::bands::Bands;
use super::biome::Biome;
use super::noise::Noise;
use super::shape::{SEA_LEVEL, TerrainColumn, TerrainRegion};
use super::{SNOW_LINE, blocks, is_bare};
use crate::block::BlockId;
use crate::rng::{Streams, hash3};
use std::cell::LazyCell;

/// Bedrock lies at 0 everywhere and thins out to this height.
const BEDROCK_TOP: i32 = 4;

/// Fills a chunk with rock, soil and sea.
pub(crate) fn fill(
    seed: u64,
    chunk: &mut Chunk,
    region: &TerrainRegion,
    chunk_x: i32,
    chunk_z: i32,
) {
    let salt = Streams(seed).salt("ground");
    let patch = Noise::new(seed, "bed", 14.0, 1);
    // Bands are the same for every chunk of the seed, so they are not stored but drawn
    // again where there are any.
    let bands = LazyCell::new(|| Bands::new(seed));
    let at = |i: i32| (chunk_x * 16 + (i & 15), chunk_z * 16 + (i >> 4));
    let heights: [i32; 256] = std::array::from_fn(|i| {
        let (x, z) = at(i as i32);
        region.column(x, z).height
    });
    let lowest = heights.iter().fold(255, |low, height| low.min(*height));
    let highest = heights.iter().fold(0, |high, height| high.max(*height));
    // Up to the lowest ground all columns are stone: whole layers are written at once.
    for y in 0..=lowest {
        chunk.put_layer(y, blocks::STONE);
    }
    for y in lowest + 1..=highest {
        chunk.put_where(y, &heights, blocks::STONE);
    }
    for (x, z) in (0..256).map(at) {
        let column = region.column(x, z);
        let h = hash3(salt, x, 0, z);
        chunk.put(x, 0, z, blocks::BEDROCK);
        for y in 1..=BEDROCK_TOP {
            // Four in five at 1, one in five at 4.
            // Eight bits of the hash for each layer, so that one hash serves the whole
            // column.
            if (h >> (8 * y) & 0xFF) as i32 * 5 < 256 * (5 - y) {
                chunk.put(x, y, z, blocks::BEDROCK);
            }
        }
        cover(chunk, column, x, z, 3 + (h & 1) as i32, &patch);
        if column.biome == Biome::Badlands {
            bands.paint(chunk, column.height, x, z);
        }
        for y in column.height + 1..=SEA_LEVEL {
            chunk.put(x, y, z, blocks::WATER);
        }
        if column.biome.facts().snowy && column.height < SEA_LEVEL {
            chunk.put(x, SEA_LEVEL, z, blocks::ICE);
        }
    }
}

/// Lays soil on the stone of one column.
fn cover(chunk: &mut Chunk, column: TerrainColumn, x: i32, z: i32, depth: i32, patch: &Noise) {
    let facts = column.biome.facts();
    let height = column.height;
    if is_bare(column, x, z) {
        if height >= SNOW_LINE {
            chunk.put(x, height + 1, z, blocks::SNOW);
        }
        return;
    }
    let (top, under) = if height < SEA_LEVEL {
        bed(column, patch.flat(x, z))
    } else {
        (facts.top, facts.under)
    };
    chunk.put(x, height, z, top);
    for y in height - depth..height {
        chunk.put(x, y, z, under);
    }
    for y in height - depth - 4..height - depth {
        chunk.put(x, y, z, facts.below);
    }
}

/// What lies on the bottom of seas and rivers, in patches.
fn bed(column: TerrainColumn, patch: f32) -> (BlockId, BlockId) {
    let facts = column.biome.facts();
    // Fourteen blocks below the surface the sea bed is that of the ocean, not of its shore.
    let deep = column.biome.is_ocean() && column.height < SEA_LEVEL - 14;
    let soil = if deep { facts.top } else { facts.bed };
    match patch {
        p if p > 0.5 => (blocks::CLAY, soil),
        p if p < -0.45 => (blocks::DIRT, blocks::DIRT),
        p if p < -0.36 && !deep => (blocks::GRAVEL, blocks::GRAVEL),
        _ => (soil, soil),
    }
}
