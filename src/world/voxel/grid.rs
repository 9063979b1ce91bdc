//! Grid: all blocks of the world, chunk by chunk, generated when first needed.
//!
//! It stores and counts edits; it knows no bodies, no light sources, no ticks. What is not loaded
//! reads as bedrock, so nobody walks into it. Invariant: same seed and same edits give the same
//! blocks and checksum, in whatever order chunks were loaded.

use super::chunk::{Chunk, Y_MAX};
use super::chunk_cache;
use super::section::cell;
use super::stages::Stages;
use super::terrain::Generator;
use super::terrain::biome::Biome;
use crate::block::{self as blocks, BlockId};
use crate::rng::hash3;
use crate::space::Pos;
use rustc_hash::FxHashMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Slots along one side of the direct-mapped table of chunks.
/// 64 chunks: the 7 × 7 that are kept around a body never share a slot.
const NEAR: i32 = 64;
/// Edits remembered for fluids and falling blocks between two of their steps.
/// Beyond this an edit is still made, but nothing flows or grows because of it.
const DISTURBED_MAX: usize = 1 << 16;
/// Salt of the checksum of edits.
/// The letters "land"; it keeps these hashes apart from those of stages.
const CHECK: u64 = 0x6C61_6E64;

/// Where chunks come from.
#[derive(Debug, Clone)]
enum Source {
    Terrain(Box<Generator>),
    /// Bedrock at 0, stone, then three dirt and grass with its top at `y`.
    Flat(i32),
    Empty,
}

/// One entry of the table in front of the map; `index` is `u32::MAX` while it is free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Slot {
    x: i32,
    z: i32,
    index: u32,
}

/// The blocks of the world.
#[derive(Debug, Clone)]
pub struct Grid {
    source: Source,
    /// Chunks are never dropped: edits live in them, and a body comes back.
    /// One that was never edited is shared with other worlds of the seed.
    chunks: Vec<Arc<Chunk>>,
    index: FxHashMap<(i32, i32), u32>,
    /// Direct-mapped in front of `index` and written only by `ensure`: lookups need no interior
    /// mutability, and a body never meets two chunks of one slot (1024 blocks apart) at once.
    near: Box<[Slot]>,
    disturbed: Vec<Pos>,
    /// The same changes with what was there, for what grows and decays.
    touched: Vec<(Pos, BlockId)>,
    /// How far what was planted has grown; absent where nature made it.
    stages: Stages,
    checksum: u64,
    /// Counts changes, never resets: others compare it to see whether anything happened.
    edits: u64,
    /// The same of blocks that shine.
    lamp_edits: u64,
}

/// Neighbouring chunks have neighbouring slots, so a body meets no collisions.
#[inline]
fn slot(x: i32, z: i32) -> usize {
    ((z & (NEAR - 1)) * NEAR + (x & (NEAR - 1))) as usize
}

impl Grid {
    /// The world of a seed; nothing is generated yet.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self::from_source(Source::Terrain(Box::new(Generator::new(seed))))
    }

    /// A test scene: endless grass whose top block is at `y`.
    #[must_use]
    pub fn flat(y: i32) -> Self {
        Self::from_source(Source::Flat(y.clamp(0, Y_MAX)))
    }

    /// A test scene: air everywhere.
    #[must_use]
    pub fn empty() -> Self {
        Self::from_source(Source::Empty)
    }

    fn from_source(source: Source) -> Self {
        let free = Slot {
            x: 0,
            z: 0,
            index: u32::MAX,
        };
        Self {
            source,
            chunks: Vec::new(),
            index: FxHashMap::default(),
            near: vec![free; (NEAR * NEAR) as usize].into_boxed_slice(),
            disturbed: Vec::new(),
            touched: Vec::new(),
            stages: Stages::default(),
            checksum: 0,
            edits: 0,
            lamp_edits: 0,
        }
    }

    /// Loads a chunk; true if it was not loaded before.
    pub fn ensure(&mut self, chunk_x: i32, chunk_z: i32) -> bool {
        let key = (chunk_x, chunk_z);
        let near = slot(chunk_x, chunk_z);
        // Loaded before: it only takes its slot back.
        if let Some(&index) = self.index.get(&key) {
            self.near[near] = Slot {
                x: chunk_x,
                z: chunk_z,
                index,
            };
            return false;
        }
        let chunk = match &self.source {
            Source::Terrain(generator) => chunk_cache::chunk(generator, chunk_x, chunk_z),
            Source::Flat(y) => Arc::new(flat_chunk(*y)),
            Source::Empty => Arc::default(),
        };
        let index = u32::try_from(self.chunks.len()).unwrap_or(u32::MAX - 1);
        self.chunks.push(chunk);
        self.index.insert(key, index);
        self.near[near] = Slot {
            x: chunk_x,
            z: chunk_z,
            index,
        };
        true
    }

    /// Loads every chunk within `chunks` chunks of the one that holds `centre`; returns the chunks
    /// that are new, in a fixed order.
    pub fn ensure_around(&mut self, centre: Pos, chunks: i32) -> Vec<(i32, i32)> {
        let (cx, cz) = (centre.x >> 4, centre.z >> 4);
        let mut fresh = Vec::new();
        for z in cz - chunks..=cz + chunks {
            for x in cx - chunks..=cx + chunks {
                if self.ensure(x, z) {
                    fresh.push((x, z));
                }
            }
        }
        fresh
    }

    #[inline]
    fn find(&self, chunk_x: i32, chunk_z: i32) -> Option<u32> {
        let near = self.near[slot(chunk_x, chunk_z)];
        // Both coordinates are compared: another chunk may sit in the slot.
        if near.x == chunk_x && near.z == chunk_z && near.index != u32::MAX {
            return Some(near.index);
        }
        self.index.get(&(chunk_x, chunk_z)).copied()
    }

    /// The chunk with these chunk coordinates, if it is loaded.
    #[inline]
    #[must_use]
    pub fn chunk(&self, chunk_x: i32, chunk_z: i32) -> Option<&Chunk> {
        self.find(chunk_x, chunk_z)
            .map(|index| &*self.chunks[index as usize])
    }

    #[inline]
    fn chunk_of(&self, x: i32, z: i32) -> Option<&Chunk> {
        self.chunk(x >> 4, z >> 4)
    }

    /// The block at a place: air above the world, bedrock below it and where nothing is loaded.
    #[inline]
    #[must_use]
    pub fn block(&self, pos: Pos) -> BlockId {
        if pos.y > Y_MAX {
            return blocks::AIR;
        }
        if pos.y < 0 {
            return blocks::BEDROCK;
        }
        match self.chunk_of(pos.x, pos.z) {
            Some(chunk) => chunk.block(pos.x, pos.y, pos.z),
            None => blocks::BEDROCK,
        }
    }

    /// As `block`, but what a vein of ore replaces may still be stone: for whoever asks only what is solid, open or
    /// wet, so that no veins are laid where nobody looks.
    #[inline]
    pub(crate) fn rock(&self, pos: Pos) -> BlockId {
        match self.chunk_of(pos.x, pos.z) {
            Some(chunk) if (0..=Y_MAX).contains(&pos.y) => chunk.rock(pos.x, pos.y, pos.z),
            _ => self.block(pos),
        }
    }

    /// False where nothing that shines was ever put anywhere near: most of the land.
    #[inline]
    pub(crate) fn may_shine(&self, pos: Pos) -> bool {
        let chunk = self.chunk_of(pos.x, pos.z);
        (0..=Y_MAX).contains(&pos.y) && chunk.is_some_and(|chunk| chunk.may_shine(pos.y))
    }

    /// The blocks of a row along x within one chunk; none where all is air or nothing is loaded.
    #[inline]
    pub(crate) fn row(&self, x: RangeInclusive<i32>, y: i32, z: i32) -> &[BlockId] {
        let (low, high) = x.into_inner();
        if low > high || !(0..=Y_MAX).contains(&y) {
            return &[];
        }
        let section = self.chunk_of(low, z).and_then(|chunk| chunk.section(y));
        // A row within a chunk is contiguous, so it is a slice and not sixteen look-ups.
        section.map_or(&[], |blocks| &blocks[cell(low, y, z)..=cell(high, y, z)])
    }

    /// Changes a block; returns what was there. Outside the world or the loaded part nothing
    /// changes.
    pub fn set(&mut self, pos: Pos, block: BlockId) -> BlockId {
        let old = self.block(pos);
        // Writing the same block is no edit, or fluids would be woken for nothing.
        if old == block || !(0..=Y_MAX).contains(&pos.y) {
            return old;
        }
        let Some(index) = self.find(pos.x >> 4, pos.z >> 4) else {
            return old;
        };
        Arc::make_mut(&mut self.chunks[index as usize]).set(pos.x, pos.y, pos.z, block);
        // XOR of what was and what is: an edit that is undone leaves the sum as it was.
        self.checksum ^= imprint(pos, old) ^ imprint(pos, block);
        self.edits += 1;
        self.lamp_edits += u64::from(old.shines() || block.shines());
        if self.disturbed.len() < DISTURBED_MAX {
            self.disturbed.push(pos);
        }
        if self.touched.len() < DISTURBED_MAX {
            self.touched.push((pos, old));
        }
        // The stage belongs to the old block, so it ends with it.
        self.stages.begin(pos, block);
        old
    }

    /// How far the plant here has grown since it was planted; None where nature put what stands
    /// here, which counts as full grown. Leaves with a stage were put there by hand.
    #[must_use]
    pub fn stage(&self, pos: Pos) -> Option<u8> {
        self.stages.get(pos)
    }

    /// Changes the stage of the plant here; a change of the block forgets it.
    pub fn set_stage(&mut self, pos: Pos, stage: Option<u8>) {
        self.stages.set(pos, stage);
    }

    /// Tells those who wait for changes that something else than the block changed here.
    pub fn touch(&mut self, pos: Pos) {
        if self.touched.len() < DISTURBED_MAX {
            self.touched.push((pos, self.block(pos)));
        }
    }

    /// True if a block has changed since `take_touched`.
    #[inline]
    #[must_use]
    pub fn is_touched(&self) -> bool {
        !self.touched.is_empty()
    }

    /// Moves the places that changed since the last call, and what was there, into `into`.
    pub fn take_touched(&mut self, into: &mut Vec<(Pos, BlockId)>) {
        into.append(&mut self.touched);
    }

    /// y of the highest solid or fluid block of a column, -1 for none; 255 where not loaded.
    #[inline]
    #[must_use]
    pub fn height(&self, x: i32, z: i32) -> i32 {
        self.chunk_of(x, z).map_or(Y_MAX, |chunk| chunk.top(x, z))
    }

    /// True if there is nothing but air and plants above: rain would fall here, zombies burn.
    #[inline]
    #[must_use]
    pub fn sky_visible(&self, pos: Pos) -> bool {
        self.chunk_of(pos.x, pos.z)
            .is_some_and(|chunk| pos.y >= chunk.top(pos.x, pos.z))
    }

    /// True if sky light comes straight down to here; leaves, glass and water let it through.
    #[inline]
    #[must_use]
    pub fn sky_lit(&self, pos: Pos) -> bool {
        self.chunk_of(pos.x, pos.z)
            .is_some_and(|chunk| pos.y > chunk.roof(pos.x, pos.z))
    }

    /// The land of a column; plains in a test scene.
    #[must_use]
    pub fn biome(&self, x: i32, z: i32) -> Biome {
        let computed = || self.generator().map(|land| land.biome(x, z));
        let loaded = self.chunk_of(x, z).map(|chunk| chunk.biome(x, z));
        loaded.or_else(computed).unwrap_or(Biome::Plains)
    }

    /// True if the column of this place is loaded.
    #[inline]
    #[must_use]
    pub fn is_loaded(&self, pos: Pos) -> bool {
        self.find(pos.x >> 4, pos.z >> 4).is_some()
    }

    /// Chunks that are loaded.
    #[must_use]
    pub fn chunks_loaded(&self) -> usize {
        self.chunks.len()
    }

    /// Blocks changed since the world began; grows with every change and never shrinks.
    #[must_use]
    pub fn edits(&self) -> u64 {
        self.edits
    }

    /// As `edits`, of blocks that shine.
    pub(crate) fn lamp_edits(&self) -> u64 {
        self.lamp_edits
    }

    /// Stands for all differences from the generated world; equal differences, equal sums.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        self.checksum ^ self.stages.checksum()
    }

    /// True if a block has changed since `take_disturbed`.
    #[inline]
    #[must_use]
    pub fn is_disturbed(&self) -> bool {
        !self.disturbed.is_empty()
    }

    /// Moves the places that changed since the last call into `into`, oldest first.
    pub fn take_disturbed(&mut self, into: &mut Vec<Pos>) {
        into.append(&mut self.disturbed);
    }

    /// What made the terrain, if the world is not a test scene.
    #[must_use]
    pub fn generator(&self) -> Option<&Generator> {
        match &self.source {
            Source::Terrain(generator) => Some(generator),
            Source::Flat(_) | Source::Empty => None,
        }
    }
}

fn imprint(pos: Pos, block: BlockId) -> u64 {
    // The row of the block in the upper bits, where the coordinates do not reach.
    hash3(CHECK ^ (u64::from(block.row()) << 40), pos.x, pos.y, pos.z)
}

fn flat_chunk(top: i32) -> Chunk {
    let mut chunk = Chunk::default();
    for y in 0..=top {
        let block = match top - y {
            // The floor comes first: a world one block high is bedrock.
            _ if y == 0 => blocks::BEDROCK,
            0 => blocks::GRASS_BLOCK,
            1..=3 => blocks::DIRT,
            _ => blocks::STONE,
        };
        for at in 0..256 {
            chunk.put(at & 15, y, at >> 4, block);
        }
    }
    chunk.settle();
    chunk
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_outside_the_loaded_world_cannot_be_walked_into() {
        let mut grid = Grid::flat(62);
        assert_eq!(grid.block(Pos::new(0, 70, 0)), blocks::BEDROCK);
        grid.ensure(0, 0);
        let at = |y| grid.block(Pos::new(0, y, 0));
        assert_eq!(
            [at(-1), at(0), at(62), at(63), at(300)],
            [
                blocks::BEDROCK,
                blocks::BEDROCK,
                blocks::GRASS_BLOCK,
                blocks::AIR,
                blocks::AIR
            ]
        );
    }

    #[test]
    fn an_edit_that_is_undone_leaves_no_trace_in_the_checksum() {
        let mut grid = Grid::flat(62);
        grid.ensure(-1, -1);
        let pos = Pos::new(-3, 62, -5);
        assert_eq!(grid.set(pos, blocks::AIR), blocks::GRASS_BLOCK);
        assert_ne!(grid.checksum(), 0);
        assert_eq!(grid.height(-3, -5), 61);
        grid.set(pos, blocks::GRASS_BLOCK);
        assert_eq!(
            (grid.checksum(), grid.edits(), grid.height(-3, -5)),
            (0, 2, 62)
        );
    }

    #[test]
    fn a_stage_counts_for_the_checksum_and_goes_with_its_block() {
        let mut grid = Grid::flat(62);
        grid.ensure(0, 0);
        let pos = Pos::new(3, 63, 5);
        grid.set(pos, blocks::WHEAT);
        let young = grid.checksum();
        grid.set_stage(pos, Some(3));
        assert_ne!(grid.checksum(), young);
        grid.set_stage(pos, Some(0));
        assert_eq!(grid.checksum(), young);
        grid.set(pos, blocks::AIR);
        assert_eq!((grid.stage(pos), grid.checksum()), (None, 0));
    }

    #[test]
    fn chunks_that_share_a_slot_are_told_apart() {
        let mut grid = Grid::empty();
        grid.ensure(1, 2);
        grid.ensure(1 + NEAR, 2 - NEAR);
        let (a, b) = (
            Pos::new(16, 5, 32),
            Pos::new(16 + NEAR * 16, 5, 32 - NEAR * 16),
        );
        grid.set(a, blocks::STONE);
        assert_eq!((grid.block(a), grid.block(b)), (blocks::STONE, blocks::AIR));
    }

    #[test]
    fn sky_is_seen_above_the_highest_block_only() {
        let mut grid = Grid::flat(10);
        grid.ensure(0, 0);
        grid.set(Pos::new(1, 20, 1), blocks::STONE);
        let seen = |y| {
            (
                grid.sky_visible(Pos::new(1, y, 1)),
                grid.sky_lit(Pos::new(1, y, 1)),
            )
        };
        assert_eq!((seen(11), seen(21)), ((false, false), (true, true)));
    }
}
