//! Find: where a block lies in the world of a seed, for people at the command line.
//!
//! It makes chunks outwards from spawn and forgets them again. No agent may ask this: it would see
//! through walls. Invariant: the answer is the nearest places there are, nearest first.

use super::chunk::Chunk;
use super::grid::Grid;
use super::terrain::Generator;
use super::terrain::spawn::spawn_point;
use crate::block::BlockId;
use crate::drops::blocks_dropping;
use crate::family::ItemSpec;
use crate::space::Pos;
use crate::trade::Profession;
use serde::Serialize;

/// Rings of chunks around spawn that are searched before giving up: 640 blocks each way.
/// Rings are squares, so everything within the shortest distance to the edge has been seen.
pub const RINGS_MAX: i32 = 40;
/// Places that can be asked for at once.
pub const FOUND_MAX: usize = 1000;

/// A block that was found.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BlockFound {
    pub pos: Pos,
    pub block: BlockId,
    /// Blocks from spawn, straight line.
    pub distance: f64,
}

/// What a search came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BlockSearch {
    pub spawn: Pos,
    /// Nearest first.
    pub found: Vec<BlockFound>,
    /// How far around spawn everything was looked at, in blocks along x and z.
    pub searched: i32,
}

/// The blocks that are worth looking for if one wants an item: what drops it, and the block itself.
#[must_use]
pub fn blocks_giving(wanted: ItemSpec) -> Vec<BlockId> {
    let dropping = blocks_dropping(wanted).iter().map(|source| source.block);
    let itself = wanted
        .members()
        .iter()
        .filter_map(|item| BlockId::named(item.name()));
    let mut all: Vec<BlockId> = dropping.chain(itself).collect();
    all.sort();
    all.dedup();
    all
}

/// The nearest `limit` places of any of these blocks, by distance from spawn.
#[must_use]
pub fn find(seed: u64, blocks: &[BlockId], limit: usize) -> BlockSearch {
    let limit = limit.min(FOUND_MAX);
    let mut grid = Grid::new(seed);
    let spawn = spawn_point(&mut grid);
    let mut search = BlockSearch {
        spawn,
        found: Vec::new(),
        searched: 0,
    };
    let Some(generator) = grid.generator() else {
        return search;
    };
    let wanted = wanted_rows(blocks);
    for ring in 0..=RINGS_MAX {
        for (dx, dz) in ring_of_chunks(ring) {
            let (x, z) = ((spawn.x >> 4) + dx, (spawn.z >> 4) + dz);
            look_through(generator, (x, z), &wanted, spawn, &mut search.found);
        }
        search
            .found
            .sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.pos.cmp(&b.pos)));
        search.found.truncate(limit);
        search.searched = ring * 16;
        // What the next ring holds is at least this far away.
        let sure = f64::from(search.searched);
        if search.found.len() == limit && search.found.last().is_none_or(|far| far.distance <= sure)
        {
            break;
        }
    }
    search
}

/// A village that was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VillageFound {
    pub middle: Pos,
    pub biome: &'static str,
    /// Who lives there.
    pub trades: Vec<Profession>,
    /// Blocks from spawn over the ground.
    pub distance: f64,
}

/// Squares of land around spawn that are searched for villages: 4096 blocks each way.
/// A square is 32 chunks, 512 blocks.
const SQUARES: i32 = 8;
/// Chunks along a square; each has one village at most.
const SQUARE: i32 = 32;

/// The nearest villages, those where a trade is followed if one is asked for.
#[must_use]
pub fn villages(seed: u64, trade: Option<Profession>, limit: usize) -> (Pos, Vec<VillageFound>) {
    let mut grid = Grid::new(seed);
    let spawn = spawn_point(&mut grid);
    let Some(generator) = grid.generator() else {
        return (spawn, Vec::new());
    };
    let squares = (-SQUARES..=SQUARES).flat_map(|z| (-SQUARES..=SQUARES).map(move |x| (x, z)));
    let mut found: Vec<VillageFound> = squares
        .filter_map(|(x, z)| {
            generator.village((spawn.x >> 4) + x * SQUARE, (spawn.z >> 4) + z * SQUARE)
        })
        .map(|village| VillageFound {
            middle: village.middle,
            biome: village.biome.name(),
            trades: village.trades(),
            distance: village.middle.floor().distance_flat(spawn.floor()),
        })
        .filter(|village| trade.is_none_or(|trade| village.trades.contains(&trade)))
        .collect();
    found.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    found.truncate(limit);
    (spawn, found)
}

/// Indexed by row, because comparing each block with a list would be the slowest part of
/// the search.
fn wanted_rows(blocks: &[BlockId]) -> Vec<bool> {
    let mut wanted = vec![false; BlockId::all().len()];
    for block in blocks {
        wanted[usize::from(block.row())] = true;
    }
    wanted
}

/// Chunks at one distance, as offsets, in a fixed order.
fn ring_of_chunks(r: i32) -> impl Iterator<Item = (i32, i32)> {
    (-r..=r).flat_map(move |z| {
        // Inner rows of a ring have only their two ends. At radius 0 the step would be 0,
        // which `step_by` refuses.
        let step = if z.abs() == r { 1 } else { (2 * r).max(1) };
        (-r..=r).step_by(step as usize).map(move |x| (x, z))
    })
}

fn look_through(
    generator: &Generator,
    (chunk_x, chunk_z): (i32, i32),
    wanted: &[bool],
    spawn: Pos,
    found: &mut Vec<BlockFound>,
) {
    let chunk: Chunk = generator.chunk(chunk_x, chunk_z);
    for layer in (0..256).step_by(16) {
        let Some(section) = chunk.section(layer) else {
            // A section that was never written holds air only.
            continue;
        };
        for (i, block) in (0_i32..).zip(section) {
            if wanted[usize::from(block.row())] {
                let pos = Pos::new(
                    chunk_x * 16 + (i & 15),
                    layer + (i >> 8),
                    chunk_z * 16 + ((i >> 4) & 15),
                );
                found.push(BlockFound {
                    pos,
                    block: *block,
                    distance: pos.distance(spawn),
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block as blocks;

    #[test]
    fn the_nearest_diamonds_are_where_the_world_has_them() {
        let search = find(7, &[blocks::DIAMOND_ORE], 5);
        assert_eq!(search.found.len(), 5);
        assert!(search.found.is_sorted_by(|a, b| a.distance <= b.distance));
        let mut grid = Grid::new(7);
        for found in &search.found {
            grid.ensure(found.pos.x >> 4, found.pos.z >> 4);
            assert_eq!(grid.block(found.pos), blocks::DIAMOND_ORE);
            assert!(found.pos.y <= 16);
        }
    }

    #[test]
    fn an_item_is_looked_for_in_what_drops_it() {
        let giving = |name: &str| blocks_giving(name.parse().unwrap());
        assert_eq!(giving("diamond"), [blocks::DIAMOND_ORE]);
        assert!(giving("cobblestone").contains(&blocks::STONE));
        assert_eq!(giving("#logs").len(), 6);
        assert!(giving("iron_ingot").is_empty());
    }

    #[test]
    fn what_is_nowhere_is_not_found() {
        assert!(find(7, &[], 3).found.is_empty());
    }
}
