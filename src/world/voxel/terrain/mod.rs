//! Terrain: makes the chunks of a seed, each by itself.
//!
//! Steps: ground, ores, caves, lakes, dungeons, trees, plants, villages. Invariant: a chunk depends on the seed and
//! its coordinates only, never on what was generated before; what crosses a border is computed
//! alike from both sides.

mod bands;
pub mod biome;
pub mod caves;
pub mod dungeons;
pub(crate) mod ground;
pub(crate) mod lakes;
pub(crate) mod noise;
pub(crate) mod ores;
pub(crate) mod plants;
pub mod shape;
pub mod spawn;
pub(crate) mod tree;
pub(crate) mod tree_shapes;
pub mod trees;
pub mod village;

use super::chunk::Chunk;
use crate::block as blocks;
use biome::Biome;
use caves::Caves;
use lakes::Lakes;
use ores::Ores;
use shape::{Landscape, TerrainColumn};
use trees::Site;

/// Above this, mountains are bare stone; snow lies still higher.
const TREE_LINE: i32 = 96;
const SNOW_LINE: i32 = 108;

/// Makes the chunks of one seed.
#[derive(Debug, Clone)]
pub struct Generator {
    seed: u64,
    land: Landscape,
    caves: Caves,
    ores: Ores,
}

impl Generator {
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            land: Landscape::new(seed),
            caves: Caves::new(seed),
            ores: Ores::new(seed),
        }
    }

    /// The chunk with these chunk coordinates.
    /// The order matters. Ores replace stone only, so they come before anything is dug.
    /// Caves come before lakes and dungeons, which ask whether a cave opens beside them.
    /// Villages come last: they level what stands in their way.
    #[must_use]
    pub fn chunk(&self, chunk_x: i32, chunk_z: i32) -> Chunk {
        let region = self.land.region(chunk_x, chunk_z);
        let mut chunk = Chunk::of_biomes(region.biomes());
        let lakes = Lakes::new(self.seed, chunk_x, chunk_z);
        let village = village::village_near(&self.land, self.seed, (chunk_x, chunk_z));
        ground::fill(self.seed, &mut chunk, &region, chunk_x, chunk_z);
        let veins = self.ores.of_chunk((chunk_x, chunk_z), &region);
        // Ores may be laid last, when somebody looks, where nothing that follows puts rock of its own: none of it asks
        // which rock it meets.
        let laid_late = village.is_none() && !lakes.have_rims();
        if !laid_late {
            chunk.leave_veins(veins.clone());
            chunk.lay_veins();
        }
        self.caves.carve(&mut chunk, &region, chunk_x, chunk_z);
        lakes.fill(&mut chunk, &region);
        lakes.springs(&mut chunk, chunk_x, chunk_z);
        dungeons::dig(self.seed, &mut chunk, chunk_x, chunk_z);
        let site = Site {
            region: &region,
            caves: &self.caves,
            lakes: &lakes,
        };
        trees::grow(self.seed, &mut chunk, &site, chunk_x, chunk_z);
        plants::plant(self.seed, &mut chunk, &region, chunk_x, chunk_z);
        if let Some(village) = &village {
            village::build(self.seed, &mut chunk, &region, village, (chunk_x, chunk_z));
        }
        chunk.settle();
        if laid_late {
            chunk.leave_veins(veins);
        }
        chunk
    }

    /// The ground of a column before caves, lakes and trees; needs no chunk.
    #[must_use]
    pub fn column(&self, x: i32, z: i32) -> TerrainColumn {
        self.land.column(x, z)
    }

    /// The village of the square of land that holds a chunk.
    #[must_use]
    pub fn village(&self, chunk_x: i32, chunk_z: i32) -> Option<village::Village> {
        village::village_of(&self.land, self.seed, (chunk_x, chunk_z))
    }

    /// The biome of a column.
    #[must_use]
    pub fn biome(&self, x: i32, z: i32) -> Biome {
        self.land.column(x, z).biome
    }

    /// The seed of the world.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }
}

/// True for columns of bare rock, high in the mountains.
fn is_bare(column: TerrainColumn, x: i32, z: i32) -> bool {
    // A ragged line looks less like a ruler's.
    // Hashed by pairs of columns, so the edge is jagged at two blocks.
    let rag = (crate::rng::hash3(0x7461_6C6C, x >> 1, 0, z >> 1) & 7) as i32;
    column.biome == Biome::Mountains && column.height + rag >= TREE_LINE
}

#[cfg(test)]
mod tests;
