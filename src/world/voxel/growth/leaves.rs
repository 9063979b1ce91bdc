//! Leaves: which of them hang from a log.

use super::LEAF_REACH;
use crate::block::{self as blocks, BlockId};
use crate::space::{Facing, Pos};
use crate::voxel::grid::Grid;
pub(super) use crate::voxel::terrain::spawn::is_log;
use rustc_hash::FxHashSet;

pub(super) fn is_leaves(block: BlockId) -> bool {
    matches!(
        block,
        blocks::OAK_LEAVES
            | blocks::BIRCH_LEAVES
            | blocks::SPRUCE_LEAVES
            | blocks::JUNGLE_LEAVES
            | blocks::ACACIA_LEAVES
            | blocks::DARK_OAK_LEAVES
    )
}

/// Leaves that someone put there by hand stay for ever.
pub(super) fn may_wither(grid: &Grid, at: Pos) -> bool {
    is_leaves(grid.block(at)) && grid.stage(at).is_none()
}

/// True if a log can be reached through leaves in six steps.
pub(super) fn hang(grid: &Grid, from: Pos) -> bool {
    let mut seen = FxHashSet::default();
    let (mut edge, mut next) = (vec![from], Vec::new());
    for _ in 0..LEAF_REACH {
        for at in edge.drain(..) {
            for side in Facing::ALL {
                let to = at.side(side);
                let block = grid.block(to);
                if is_log(block) {
                    return true;
                }
                if is_leaves(block) && seen.insert(to) {
                    next.push(to);
                }
            }
        }
        std::mem::swap(&mut edge, &mut next);
    }
    false
}
