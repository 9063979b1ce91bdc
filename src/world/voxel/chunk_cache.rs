//! Chunk cache: chunks as the generator made them, shared by all worlds of this process.
//!
//! The episodes of an evaluation that have a seed in common begin at one place and see the same land. It knows no
//! edits. Invariant: a chunk in here never changes; whoever edits one copies it first. Since a chunk follows from its
//! seed and coordinates alone, no result depends on what is found here.

use super::chunk::Chunk;
use super::terrain::Generator;
use lru::LruCache;
use rustc_hash::FxBuildHasher;
use std::num::NonZeroUsize;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

/// Chunks that are kept after their worlds are gone, about 45 KB each. An episode sees 200 to 700.
const KEPT_MAX: NonZeroUsize = NonZeroUsize::new(2_048).expect("not zero");

/// Seed of the world, then x and z of the chunk.
type Key = (u64, i32, i32);
type Kept = LruCache<Key, Arc<Chunk>, FxBuildHasher>;

static KEPT: LazyLock<Mutex<Kept>> =
    LazyLock::new(|| Mutex::new(LruCache::with_hasher(KEPT_MAX, FxBuildHasher)));

/// A panic elsewhere leaves whole chunks behind, so a poisoned lock is as good as any.
fn kept() -> MutexGuard<'static, Kept> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The chunk with these chunk coordinates, made now if nobody has asked for it lately.
pub(super) fn chunk(generator: &Generator, chunk_x: i32, chunk_z: i32) -> Arc<Chunk> {
    let key = (generator.seed(), chunk_x, chunk_z);
    if let Some(chunk) = kept().get(&key) {
        return Arc::clone(chunk);
    }
    // Without the lock: another world may make the same chunk meanwhile, and make it the same.
    let chunk = Arc::new(generator.chunk(chunk_x, chunk_z));
    kept().put(key, Arc::clone(&chunk));
    chunk
}

/// Forgets all chunks, for benchmarks of a first visit.
pub fn clear() {
    kept().clear();
}

#[cfg(test)]
mod tests {
    use super::super::grid::Grid;
    use super::*;
    use crate::block as blocks;
    use crate::space::Pos;

    #[test]
    fn an_edit_of_one_world_is_seen_in_no_other() {
        let seed = 0x6361_6368;
        let place = Pos::new(5, 30, 5);
        let mut edited = Grid::new(seed);
        edited.ensure(0, 0);
        let before = edited.block(place);
        edited.set(place, blocks::GLASS);
        assert_eq!(edited.block(place), blocks::GLASS);
        let mut other = Grid::new(seed);
        other.ensure(0, 0);
        assert_eq!((other.block(place), other.checksum()), (before, 0));
    }

    #[test]
    fn a_world_is_given_the_chunk_that_another_has_made() {
        let generator = Generator::new(0x6361_6369);
        let first = chunk(&generator, 3, -2);
        assert!(Arc::ptr_eq(&first, &chunk(&generator, 3, -2)));
        let neighbour = chunk(&Generator::new(0x6361_636A), 3, -2);
        assert!(!Arc::ptr_eq(&first, &neighbour), "another seed, other land");
    }
}
