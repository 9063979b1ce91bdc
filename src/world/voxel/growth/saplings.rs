//! Saplings: how they become trees, alone or four together; mushrooms likewise.
//!
//! Invariant: a tree grows only where its whole trunk has room, so nothing solid is lost.

use super::turn::{Next, Turn};
use crate::block::{self as blocks, BlockId};
use crate::rng::Rng;
use crate::space::Pos;
use crate::voxel::chunk::Y_MAX;
use crate::voxel::grid::Grid;
use crate::voxel::terrain::tree::{Tree, TreeKind};
use crate::voxel::terrain::tree_shapes::{self, Part};

/// What grows of a sapling alone, and of four in a square.
/// None where a sapling does not grow in that number: dark oak needs four.
const TREES: [(BlockId, Option<TreeKind>, Option<TreeKind>); 6] = [
    (blocks::OAK_SAPLING, Some(TreeKind::Oak), None),
    (blocks::BIRCH_SAPLING, Some(TreeKind::Birch), None),
    (blocks::SPRUCE_SAPLING, Some(TreeKind::Spruce), None),
    (
        blocks::JUNGLE_SAPLING,
        Some(TreeKind::Jungle),
        Some(TreeKind::BigJungle),
    ),
    (blocks::ACACIA_SAPLING, Some(TreeKind::Acacia), None),
    (blocks::DARK_OAK_SAPLING, None, Some(TreeKind::DarkOak)),
];

pub(super) fn is_sapling(block: BlockId) -> bool {
    TREES.iter().any(|(sapling, ..)| *sapling == block)
}

/// One turn in seven it grows: first a little, then into a tree.
pub(super) fn tick(turn: &mut Turn<'_>, block: BlockId) -> Next {
    if turn.rng.below(7) != 0 || !turn.is_lit() {
        // The draw comes first, so the light is looked at only in one turn of seven.
        return Next::Again;
    }
    grow_on(turn.grid, turn.at, block, &mut turn.rng);
    // The block itself tells whether it grew: a tree replaces it.
    if turn.grid.block(turn.at) == block {
        Next::Again
    } else {
        Next::Done
    }
}

/// One step of a sapling; true if it is a tree now.
pub(super) fn grow_on(grid: &mut Grid, at: Pos, block: BlockId, rng: &mut Rng) -> bool {
    // Two stages, as in the game: the second growth makes the tree.
    if grid.stage(at) == Some(0) {
        grid.set_stage(at, Some(1));
        return false;
    }
    let Some((_, alone, together)) = TREES.iter().find(|(sapling, ..)| *sapling == block) else {
        return false;
    };
    let square = |base: Pos| {
        let cells = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dz)| base.plus(dx, 0, dz));
        cells.iter().all(|cell| grid.block(*cell) == block)
    };
    // The sapling may be any of the four corners of the square.
    let base = [(0, 0), (-1, 0), (0, -1), (-1, -1)]
        .map(|(dx, dz)| at.plus(dx, 0, dz))
        .into_iter()
        .find(|base| square(*base));
    if let (Some(kind), Some(base)) = (together, base) {
        // Four that have no room for the big tree stay as they are.
        return raise(grid, *kind, base, block, rng);
    }
    match alone {
        // One oak in ten is a big one.
        Some(TreeKind::Oak) if rng.below(10) == 0 => raise(grid, TreeKind::BigOak, at, block, rng),
        Some(kind) => raise(grid, *kind, at, block, rng),
        None => false,
    }
}

/// Puts a tree there if its trunk has room; `seedling` is what stands there now.
pub(super) fn raise(
    grid: &mut Grid,
    kind: TreeKind,
    at: Pos,
    seedling: BlockId,
    rng: &mut Rng,
) -> bool {
    let (least, heights) = kind.trunk();
    let tree = Tree {
        kind,
        base: at.into(),
        trunk: least + rng.below(heights) as i32,
        // A stream of its own, so that the shape does not depend on how much of it is laid.
        rng: Rng::new(rng.next_u64()),
    };
    let mut parts: Vec<(Pos, Part)> = Vec::new();
    tree_shapes::build(tree, &mut |pos, part| parts.push((pos.into(), part)));
    // Leaves give way to what stands there, trunks do not.
    let room = parts.iter().all(|(pos, part)| match part {
        Part::Log(_) | Part::Foot(_) => {
            let there = grid.block(*pos);
            pos.y < Y_MAX && (there == seedling || !there.is_fluid() && !holds(there))
        }
        Part::Leaves(_) | Part::Hanging(_) | Part::Soil => true,
    });
    if room {
        parts.iter().for_each(|(pos, part)| lay(grid, *pos, *part));
    }
    room
}

/// True for what a trunk cannot push aside.
fn holds(block: BlockId) -> bool {
    block.is_solid() && !super::leaves::is_leaves(block)
}

fn lay(grid: &mut Grid, pos: Pos, part: Part) {
    let there = grid.block(pos);
    match part {
        Part::Log(log) | Part::Foot(log) => drop(grid.set(pos, log)),
        Part::Leaves(block) | Part::Hanging(block) if there == blocks::AIR => {
            grid.set(pos, block);
            // Grown, not placed: it counts as made by nature.
            grid.set_stage(pos, None);
        }
        Part::Soil if matches!(there, blocks::GRASS_BLOCK | blocks::FARMLAND) => {
            grid.set(pos, blocks::DIRT);
        }
        Part::Leaves(_) | Part::Hanging(_) | Part::Soil => {}
    }
}
