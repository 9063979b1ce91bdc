//! Trees: where they stand and which blocks they are made of.
//!
//! The plane is cut into cells of 4×4 columns with at most one tree each; a chunk grows all trees
//! whose leaves can reach it. Invariant: a tree follows from seed, column and kind only, and logs
//! win over leaves, so both sides of a border agree.

use super::super::chunk::Chunk;
use super::biome::Biome;
use super::caves::Caves;
use super::lakes::Lakes;
use super::shape::{MARGIN, SEA_LEVEL, TerrainRegion};
use super::tree::Tree;
use super::tree_shapes::{self, Part};
use crate::block as blocks;
use crate::rng::{Rng, Streams, hash3};

/// Columns along a side of a cell. A power of two: two bits of chance pick each coordinate.
const CELL: i32 = 4;
/// Trees need air up to here.
const TOP: i32 = 250;
/// Feet of broad trunks go down so far at most.
const FOOT_MAX: i32 = 6;

/// What is asked before a tree may stand.
pub(crate) struct Site<'a> {
    pub(crate) region: &'a TerrainRegion,
    pub(crate) caves: &'a Caves,
    pub(crate) lakes: &'a Lakes,
}

/// Grows all trees that reach into a chunk.
pub(crate) fn grow(seed: u64, chunk: &mut Chunk, site: &Site<'_>, chunk_x: i32, chunk_z: i32) {
    let salt = Streams(seed).salt("trees");
    let (x0, z0) = (chunk_x * 16, chunk_z * 16);
    for cell_z in (z0 - MARGIN..z0 + 16 + MARGIN).step_by(CELL as usize) {
        for cell_x in (x0 - MARGIN..x0 + 16 + MARGIN).step_by(CELL as usize) {
            // The chance of a tree comes from its own cell, so every chunk that it reaches
            // draws the same tree.
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
    // Trees of swamps stand in shallow water, too.
    let lowest = if column.biome == Biome::Swamp {
        SEA_LEVEL - 1
    } else {
        SEA_LEVEL
    };
    let ground = matches!(facts.top, blocks::GRASS_BLOCK | blocks::MYCELIUM)
        && (lowest..TOP - 20).contains(&column.height);
    if !wanted || !ground || super::is_bare(column, x, z) || site.lakes.covers(x, z) {
        return None;
    }
    // `find` adds up the shares until they exceed the draw; shares that sum to less than
    // 100 leave room for no tree.
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

/// Lays the part of a tree that stands in this chunk.
fn raise(chunk: &mut Chunk, tree: Tree, origin: (i32, i32)) {
    // Only the blocks inside this chunk are written. The neighbours build the same tree and
    // write the rest.
    tree_shapes::build(tree, &mut |[x, y, z], part| {
        if !inside(x, z, origin) {
            return;
        }
        let there = chunk.block(x, y, z);
        match part {
            Part::Log(log) => chunk.put(x, y, z, log),
            Part::Foot(log) => {
                // On a slope the lower feet reach down to the ground, as far as is seemly.
                let ground = (1..FOOT_MAX).find(|down| chunk.block(x, y - down, z).is_solid());
                for down in 0..ground.unwrap_or(1) {
                    chunk.put(x, y - down, z, log);
                }
            }
            Part::Leaves(block) | Part::Hanging(block) if there == blocks::AIR => {
                chunk.put(x, y, z, block);
            }
            Part::Soil if there == blocks::GRASS_BLOCK => chunk.put(x, y, z, blocks::DIRT),
            Part::Leaves(_) | Part::Hanging(_) | Part::Soil => {}
        }
    });
}

#[inline]
fn inside(x: i32, z: i32, (x0, z0): (i32, i32)) -> bool {
    (x0..x0 + 16).contains(&x) && (z0..z0 + 16).contains(&z)
}
