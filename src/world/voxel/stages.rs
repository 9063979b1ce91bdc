//! Stages: how far single plants have grown, beside the blocks, which hold only their kind.
//!
//! Invariant: what was put somewhere begins at stage 0; what nature made has no stage and counts as
//! full grown; equal stages, equal checksum, in whatever order they came about.

use crate::block::{self as blocks, BlockId};
use crate::rng::hash3;
use crate::space::Pos;
use rustc_hash::FxHashMap;

/// Salt of the checksum.
/// The letters "stages"; it keeps these hashes apart from those of blocks at the same
/// place.
const CHECK: u64 = 0x7374_6167_6573;

/// The stages of a world.
#[derive(Debug, Clone, Default)]
pub(super) struct Stages {
    /// Only what was put or has grown since; nature's plants are absent.
    cells: FxHashMap<Pos, u8>,
    checksum: u64,
}

impl Stages {
    pub(super) fn get(&self, pos: Pos) -> Option<u8> {
        self.cells.get(&pos).copied()
    }

    /// A block was put here: it begins anew, and what was here is forgotten.
    #[inline]
    pub(super) fn begin(&mut self, pos: Pos, block: BlockId) {
        // Until the first such block is put, breaking and placing costs no look-up.
        let grows = has_stages(block);
        if grows || !self.cells.is_empty() {
            self.set(pos, grows.then_some(0));
        }
    }

    pub(super) fn set(&mut self, pos: Pos, stage: Option<u8>) {
        let old = match stage {
            Some(stage) => self.cells.insert(pos, stage),
            None => self.cells.remove(&pos),
        };
        for stage in [old, stage].into_iter().flatten() {
            // XOR, because it is its own inverse and the order of changes does not matter:
            // taking the old stage out is one operation.
            self.checksum ^= hash3(CHECK ^ u64::from(stage) << 48, pos.x, pos.y, pos.z);
        }
    }

    pub(super) fn checksum(&self) -> u64 {
        self.checksum
    }
}

/// Blocks that ripen or age; leaves, to tell those that were placed from those that grew.
fn has_stages(block: BlockId) -> bool {
    use blocks::{
        ACACIA_LEAVES, ACACIA_SAPLING, BEETROOTS, BIRCH_LEAVES, BIRCH_SAPLING, CACTUS, CARROTS,
        COCOA, DARK_OAK_LEAVES, DARK_OAK_SAPLING, JUNGLE_LEAVES, JUNGLE_SAPLING, MELON_STEM,
        OAK_LEAVES, OAK_SAPLING, POTATOES, PUMPKIN_STEM, SPRUCE_LEAVES, SPRUCE_SAPLING, SUGAR_CANE,
        SWEET_BERRY_BUSH, WHEAT,
    };
    matches!(
        block,
        WHEAT
            | CARROTS
            | POTATOES
            | BEETROOTS
            | PUMPKIN_STEM
            | MELON_STEM
            | SUGAR_CANE
            | CACTUS
            | SWEET_BERRY_BUSH
            | COCOA
            | OAK_SAPLING
            | BIRCH_SAPLING
            | SPRUCE_SAPLING
            | JUNGLE_SAPLING
            | ACACIA_SAPLING
            | DARK_OAK_SAPLING
            | OAK_LEAVES
            | BIRCH_LEAVES
            | SPRUCE_LEAVES
            | JUNGLE_LEAVES
            | ACACIA_LEAVES
            | DARK_OAK_LEAVES
    )
}
