//! Spawn: where a player begins.
//!
//! Invariant: a dry, open place in a spawn biome, with trees near, as close to 0,0 as there is one.

use super::super::grid::Grid;
use super::biome::Biome;
use super::shape::SEA_LEVEL;
use crate::block::{self as blocks, BlockId};
use crate::space::Pos;

/// Columns between two places that are looked at.
const STRIDE: i32 = 12;
/// Rings of places around 0,0 that are looked at before giving up.
const RINGS_MAX: i32 = 160;
/// A log must stand within so many columns.
const TREES_WITHIN: i32 = 32;

/// The place where a player begins; loads the chunks around it.
pub fn spawn_point(grid: &mut Grid) -> Pos {
    places()
        .find_map(|(x, z)| stand(grid, x, z, Wanted::Usual))
        .unwrap_or_else(|| {
            grid.ensure_around(Pos::default(), 1);
            Pos::new(0, grid.height(0, 0) + 1, 0)
        })
}

/// The place in this biome where a player may begin, by the same order of search and with trees as
/// near as ever; where there is none with trees, the first without. None if the biome is too far.
pub fn spawn_point_in(grid: &mut Grid, biome: Biome) -> Option<Pos> {
    let mut find = |wanted| places().find_map(|(x, z)| stand(grid, x, z, wanted));
    find(Wanted::Wooded(biome)).or_else(|| find(Wanted::Bare(biome)))
}

/// How far `spawn_point_in` looks, in columns from 0,0 along each axis.
pub const SEARCHED: i32 = RINGS_MAX * STRIDE;

/// What is asked of the place.
#[derive(Debug, Clone, Copy)]
enum Wanted {
    Usual,
    Wooded(Biome),
    Bare(Biome),
}

/// All places that are looked at, the nearest first.
fn places() -> impl Iterator<Item = (i32, i32)> {
    (0..=RINGS_MAX)
        .flat_map(ring)
        .map(|(x, z)| (x * STRIDE + 8, z * STRIDE + 8))
}

/// The places of one square ring, in a fixed order.
fn ring(r: i32) -> impl Iterator<Item = (i32, i32)> {
    (-r..=r).flat_map(move |z| {
        let step = if z.abs() == r { 1 } else { (2 * r).max(1) };
        (-r..=r).step_by(step as usize).map(move |x| (x, z))
    })
}

fn stand(grid: &mut Grid, x: i32, z: i32, wanted: Wanted) -> Option<Pos> {
    if let Some(generator) = grid.generator() {
        let column = generator.column(x, z);
        let (fits, trees) = match wanted {
            Wanted::Usual => (column.biome.facts().spawn, true),
            Wanted::Wooded(biome) => (column.biome == biome, true),
            Wanted::Bare(biome) => (column.biome == biome, false),
        };
        if !fits || column.height <= SEA_LEVEL || (trees && !wooded(grid, x, z)) {
            return None;
        }
    }
    grid.ensure_around(Pos::new(x, 0, z), 1);
    let feet = Pos::new(x, grid.height(x, z) + 1, z);
    let ground = grid.rock(feet.down());
    let firm = match wanted {
        Wanted::Usual => ground == blocks::GRASS_BLOCK,
        Wanted::Wooded(_) | Wanted::Bare(_) => ground.is_solid(),
    };
    let room = !grid.rock(feet).is_solid() && !grid.rock(feet.up()).is_solid();
    if !firm || !room {
        return None;
    }
    let reach = TREES_WITHIN / 16 + 1;
    grid.ensure_around(feet, reach);
    let bare = matches!(wanted, Wanted::Bare(_)) || grid.generator().is_none();
    (bare || tree_near(grid, feet)).then_some(feet)
}

/// A cheap first look: some column near lies in a forest, so that few chunks are made in vain.
fn wooded(grid: &Grid, x: i32, z: i32) -> bool {
    const LEAST: u32 = 200;
    let Some(generator) = grid.generator() else {
        return true;
    };
    let around = (-2..=2).flat_map(|dz| (-2..=2).map(move |dx| (dx * 10, dz * 10)));
    around
        .filter(|(dx, dz)| generator.biome(x + dx, z + dz).facts().tree_density >= LEAST)
        .count()
        >= 3
}

fn tree_near(grid: &Grid, feet: Pos) -> bool {
    let column = |x: i32, z: i32| (feet.y - 4..feet.y + 6).map(move |y| Pos::new(x, y, z));
    (feet.z - TREES_WITHIN..=feet.z + TREES_WITHIN)
        .flat_map(|z| (feet.x - TREES_WITHIN..=feet.x + TREES_WITHIN).map(move |x| (x, z)))
        .flat_map(|(x, z)| column(x, z))
        .any(|pos| is_log(grid.rock(pos)))
}

/// True for the trunks of trees.
#[must_use]
pub fn is_log(block: BlockId) -> bool {
    matches!(
        block,
        blocks::OAK_LOG
            | blocks::BIRCH_LOG
            | blocks::SPRUCE_LOG
            | blocks::JUNGLE_LOG
            | blocks::ACACIA_LOG
            | blocks::DARK_OAK_LOG
    )
}
