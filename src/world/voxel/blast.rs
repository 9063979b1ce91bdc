//! Blast: which blocks an explosion breaks.
//!
//! Rays go out from the middle and lose strength in what they pass, as in the game. Invariant: the
//! blocks follow from grid, place, power and stream; they come sorted, bedrock never among them.

use super::grid::Grid;
use crate::block::{self as blocks, BlockId};
use crate::item::ToolKind;
use crate::rng::Rng;
use crate::space::{Point, Pos};
use std::collections::BTreeSet;

/// Rays start through the surface of a cube of so many cells a side.
/// Sixteen, as in the game: 1352 rays.
const RAYS: i32 = 16;
/// Blocks between two points of a ray, and the strength that each step costs.
const STRIDE: f64 = 0.3;
const LOSS: f32 = 0.225;

/// A block that an explosion broke; it is air already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Broken {
    pub at: Pos,
    pub block: BlockId,
    /// Its drops are left; the rest is lost.
    pub drops: bool,
}

/// Breaks what an explosion of this power breaks; returns it for the drops and the contents.
pub fn explode(grid: &mut Grid, at: Point, power: f32, rng: &mut Rng) -> Vec<Broken> {
    // Sorted by place: the draws for drops below must come in one order.
    let mut cells = BTreeSet::new();
    for i in 0..RAYS * RAYS * RAYS {
        let [x, y, z] = [i % RAYS, i / RAYS % RAYS, i / (RAYS * RAYS)];
        // Only the surface of the cube: the rays through inner points would be the same
        // again.
        if [x, y, z].iter().any(|v| *v == 0 || *v == RAYS - 1) {
            // Each ray has 70 to 130 % of the power, so that craters are ragged.
            let strength = power * (0.7 + 0.6 * rng.unit() as f32);
            ray(
                grid,
                at,
                [x, y, z].map(|v| f64::from(v * 2 - RAYS + 1)),
                strength,
                &mut cells,
            );
        }
    }
    // As in the game, one block in `power` leaves its drops.
    let left = 1.0 / f64::from(power.max(1.0));
    cells
        .into_iter()
        .map(|at| Broken {
            at,
            block: grid.set(at, blocks::AIR),
            drops: rng.chance(left),
        })
        .collect()
}

fn ray(grid: &Grid, from: Point, [x, y, z]: [f64; 3], strength: f32, cells: &mut BTreeSet<Pos>) {
    let unit = STRIDE / (x * x + y * y + z * z).sqrt();
    let (mut point, mut strength) = (from, strength);
    while strength > 0.0 {
        let pos = point.block();
        let block = grid.block(pos);
        if block != blocks::AIR {
            strength -= (resistance(block) + 0.3) * 0.3;
            // Fluids stop a ray but are never broken.
            if strength > 0.0 && !block.is_fluid() {
                cells.insert(pos);
            }
        }
        strength -= LOSS;
        point = point.plus(x * unit, y * unit, z * unit);
    }
}

/// How well a block withstands; the tables have hardness only, from which it follows mostly.
fn resistance(block: BlockId) -> f32 {
    let facts = block.facts();
    match facts.hardness {
        // Explosions under water break no blocks.
        _ if block.is_fluid() => 100.0,
        h if h < 0.0 => f32::INFINITY,
        // Obsidian and its like.
        h if h >= 5.0 && facts.tool == Some(ToolKind::Pickaxe) => 1200.0,
        // Stone and what is made of it; ores and furnaces are softer than they are hard.
        h if (1.5..=2.0).contains(&h) && facts.tool == Some(ToolKind::Pickaxe) => 6.0,
        h => h,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crater(block: BlockId) -> usize {
        let mut grid = Grid::flat(60);
        grid.ensure_around(Pos::default(), 1);
        for i in 0..21 * 21 * 10 {
            grid.set(Pos::new(i % 21 - 10, 51 + i / 441, i / 21 % 21 - 10), block);
        }
        let middle = Point::new(0.5, 61.8, 0.5);
        let broken = explode(&mut grid, middle, 3.0, &mut Rng::new(5));
        assert!(broken.iter().all(|b| grid.block(b.at) == blocks::AIR));
        broken.len()
    }

    #[test]
    fn a_creeper_digs_into_dirt_scratches_stone_and_spares_obsidian() {
        let [dirt, stone, obsidian] = [blocks::DIRT, blocks::STONE, blocks::OBSIDIAN].map(crater);
        assert!(
            (20..140).contains(&dirt) && stone < dirt / 2,
            "{dirt} {stone}"
        );
        assert_eq!(obsidian, 0);
    }
}
