//! Trees: where they stand and which blocks they are made of.
//!
//! The plane is cut into cells of 4×4 columns with at most one tree each; a chunk grows all trees
//! whose leaves can reach it. Invariant: a tree follows from seed, column and kind only, and logs
//! win over leaves, so both sides of a border agree.

use super::super::chunk::Chunk;
use super::caves::Caves;
use super::lakes::Lakes;
use super::shape::{MARGIN, Region, SEA_LEVEL};
use crate::rng::{Rng, Streams, hash3};
use crate::world::block::{self as blocks, BlockId};

const CELL: i32 = 4;
/// Trees need air up to here.
const TOP: i32 = 250;

/// A kind of tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeKind {
    Oak,
    Birch,
    Spruce,
}

impl TreeKind {
    fn log(self) -> BlockId {
        match self {
            Self::Oak => blocks::OAK_LOG,
            Self::Birch => blocks::BIRCH_LOG,
            Self::Spruce => blocks::SPRUCE_LOG,
        }
    }

    fn leaves(self) -> BlockId {
        match self {
            Self::Oak => blocks::OAK_LEAVES,
            Self::Birch => blocks::BIRCH_LEAVES,
            Self::Spruce => blocks::SPRUCE_LEAVES,
        }
    }

    /// Shortest trunk and how many heights there are.
    fn trunk(self) -> (i32, u64) {
        match self {
            Self::Oak => (4, 3),
            Self::Birch => (5, 3),
            Self::Spruce => (6, 4),
        }
    }
}

/// A tree that stands somewhere.
#[derive(Debug, Clone)]
struct Tree {
    kind: TreeKind,
    /// The lowest log.
    base: [i32; 3],
    trunk: i32,
    rng: Rng,
}

/// What is asked before a tree may stand.
pub(crate) struct Site<'a> {
    pub(crate) region: &'a Region,
    pub(crate) caves: &'a Caves,
    pub(crate) lakes: &'a Lakes,
}

/// Grows all trees that reach into a chunk.
pub(crate) fn grow(seed: u64, chunk: &mut Chunk, site: &Site<'_>, chunk_x: i32, chunk_z: i32) {
    let salt = Streams(seed).salt("trees");
    let (x0, z0) = (chunk_x * 16, chunk_z * 16);
    for cell_z in (z0 - MARGIN..z0 + 16 + MARGIN).step_by(CELL as usize) {
        for cell_x in (x0 - MARGIN..x0 + 16 + MARGIN).step_by(CELL as usize) {
            let mut rng = Rng::new(hash3(salt, cell_x, 0, cell_z));
            let at = rng.next_u64();
            let (x, z) = (cell_x + (at & 3) as i32, cell_z + (at >> 2 & 3) as i32);
            if let Some(tree) = stand(site, x, z, rng) {
                raise(chunk, tree, (x0, z0));
            }
        }
    }
}

fn stand(site: &Site<'_>, x: i32, z: i32, mut rng: Rng) -> Option<Tree> {
    let column = site.region.column(x, z);
    let facts = column.biome.facts();
    let wanted = rng.below(1000) < u64::from(facts.tree_density);
    let ground =
        facts.top == blocks::GRASS_BLOCK && column.height >= SEA_LEVEL && column.height < TOP - 20;
    if !wanted || !ground || super::is_bare(column, x, z) || site.lakes.covers(x, z) {
        return None;
    }
    let share = rng.below(100) as u32;
    let mut passed = 0;
    let (kind, _) = facts.trees.iter().find(|(_, part)| {
        passed += part;
        share < passed
    })?;
    // The outermost columns have no neighbours in the region; their trees cannot reach the chunk,
    // and a column on the shore of water is never hollow near its top.
    let bore = site.caves.bore(x, z, column.height, column.height);
    if site.caves.hollow_at(x, column.height, z, &bore) {
        return None;
    }
    let (least, heights) = kind.trunk();
    let trunk = least + rng.below(heights) as i32;
    Some(Tree {
        kind: *kind,
        base: [x, column.height + 1, z],
        trunk,
        rng,
    })
}

fn raise(chunk: &mut Chunk, mut tree: Tree, origin: (i32, i32)) {
    match tree.kind {
        TreeKind::Oak | TreeKind::Birch => crown_round(chunk, &mut tree, origin),
        TreeKind::Spruce => crown_cone(chunk, &mut tree, origin),
    }
    let [x, y, z] = tree.base;
    if inside(x, z, origin) {
        chunk.put(x, y - 1, z, blocks::DIRT);
        for up in 0..tree.trunk {
            chunk.put(x, y + up, z, tree.kind.log());
        }
    }
}

/// Two wide layers, then two narrow ones; corners are ragged.
fn crown_round(chunk: &mut Chunk, tree: &mut Tree, origin: (i32, i32)) {
    for up in tree.trunk - 3..=tree.trunk {
        let radius = if up < tree.trunk - 1 { 2 } else { 1 };
        let ragged = tree.rng.next_u64();
        // The topmost layer is a cross, the others lose corners by chance.
        let kept = if up == tree.trunk { 0 } else { ragged };
        disc(chunk, tree, up, radius, kept, origin);
    }
}

/// Layers that widen and narrow downwards from a tip, as spruces have.
fn crown_cone(chunk: &mut Chunk, tree: &mut Tree, origin: (i32, i32)) {
    let bare = 1 + tree.rng.below(2) as i32;
    let widest = 2 + tree.rng.below(2) as i32;
    let (mut radius, mut limit) = (0, 1);
    for up in (bare..=tree.trunk).rev() {
        disc(chunk, tree, up, radius, 0, origin);
        radius += 1;
        if radius > limit {
            radius = i32::from(limit > 1);
            limit = (limit + 1).min(widest);
        }
    }
}

/// One layer of leaves; bits of `corners` say which corners are kept.
fn disc(chunk: &mut Chunk, tree: &Tree, up: i32, radius: i32, corners: u64, origin: (i32, i32)) {
    let [bx, by, bz] = tree.base;
    let y = by + up;
    for dz in -radius..=radius {
        for dx in -radius..=radius {
            let corner = radius > 0 && dx.abs() == radius && dz.abs() == radius;
            let bit = u64::from(dx > 0) | u64::from(dz > 0) << 1;
            let (x, z) = (bx + dx, bz + dz);
            if inside(x, z, origin)
                && !(corner && corners >> bit & 1 == 0)
                && chunk.block(x, y, z) == blocks::AIR
            {
                chunk.put(x, y, z, tree.kind.leaves());
            }
        }
    }
}

#[inline]
fn inside(x: i32, z: i32, (x0, z0): (i32, i32)) -> bool {
    (x0..x0 + 16).contains(&x) && (z0..z0 + 16).contains(&z)
}
