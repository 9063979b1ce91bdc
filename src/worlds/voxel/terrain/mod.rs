//! Terrain: makes the chunks of a seed, each by itself.
//!
//! Invariant: a chunk depends on the seed and its coordinates only, never on what was generated
//! before; what crosses a border is computed alike from both sides.

use super::chunk::Chunk;
use crate::world::block as blocks;

/// Makes the chunks of one seed.
#[derive(Debug, Clone)]
pub struct Generator {
    seed: u64,
}

impl Generator {
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// The chunk with these chunk coordinates.
    #[must_use]
    pub fn chunk(&self, chunk_x: i32, chunk_z: i32) -> Chunk {
        let mut chunk = Chunk::default();
        let _ = (self.seed, chunk_x, chunk_z);
        for at in 0..256 {
            chunk.put(at & 15, 0, at >> 4, blocks::BEDROCK);
        }
        chunk.settle();
        chunk
    }
}
