//! Villages of several seeds: they stand, they are whole, and people live in them.
//!
//! Invariant tested: what is built over many chunks is one village.

use super::super::Generator;
use super::*;
use crate::block as blocks;
use std::collections::BTreeSet;

fn villages(seed: u64, squares: i32) -> Vec<Village> {
    let generator = Generator::new(seed);
    let side = -squares..squares;
    side.clone()
        .flat_map(|z| side.clone().map(move |x| (x * SQUARE, z * SQUARE)))
        .filter_map(|chunk| village_of(&generator.land, seed, chunk))
        .collect()
}

#[test]
fn there_are_villages_within_a_long_walk_in_every_land_that_has_them() {
    let all: Vec<Village> = (0..6).flat_map(|seed| villages(seed, 5)).collect();
    assert!((150..600).contains(&all.len()), "{}", all.len());
    let lands: BTreeSet<&str> = all
        .iter()
        .filter_map(|village| style::style_of(village.biome).map(|style| style.loot))
        .collect();
    assert_eq!(lands.len(), 5, "{lands:?}");
}

/// The blocks of a village that carry a name, over all chunks it reaches into.
fn count(
    grid: &mut Grid,
    village: &Village,
    wanted: impl Fn(crate::block::BlockId) -> bool,
) -> usize {
    grid.ensure_around(village.middle, REACH_CHUNKS);
    let m = village.middle;
    let cells = (-REACH..=REACH)
        .flat_map(|z| (-REACH..=REACH).flat_map(move |x| (-12..=20).map(move |y| m.plus(x, y, z))));
    cells.filter(|at| wanted(grid.block(*at))).count()
}

#[test]
fn a_house_has_a_bed_a_work_place_a_chest_and_a_way_in() {
    let mut seen = BTreeSet::new();
    for village in villages(7, 3) {
        if !seen.insert(style::style_of(village.biome).unwrap().loot) {
            continue;
        }
        let mut grid = Grid::new(7);
        let houses = village
            .plots
            .iter()
            .filter(|p| p.use_of != PlotUse::Field)
            .count();
        assert!(count(&mut grid, &village, |b| b.name().ends_with("_bed")) == houses);
        assert!(count(&mut grid, &village, |b| b == blocks::CHEST) >= houses);
        assert!(count(&mut grid, &village, |b| b == blocks::FARMLAND) >= 20);
        for plot in &village.plots {
            let PlotUse::House(who) = plot.use_of else {
                continue;
            };
            let site = plot.at.plus(0, 1, 0);
            assert_eq!(grid.block(site), blocks::AIR, "{who} at {site}");
            let (fx, fz) = plot.front;
            for step in 0..=4 {
                for up in 1..=2 {
                    let at = plot.at.plus(fx * step, up, fz * step);
                    assert!(step == 4 || !grid.block(at).is_solid(), "{who} {step}");
                }
            }
        }
        let folk: Vec<_> = grid_chunks(&village)
            .flat_map(|chunk| folk(&grid, chunk))
            .collect();
        assert_eq!(folk.len(), houses);
        let filled: Vec<_> = grid_chunks(&village)
            .flat_map(|chunk| chests(&grid, chunk))
            .collect();
        assert_eq!(filled.len(), houses);
        for (at, stacks) in filled {
            assert!(grid.block(at) == blocks::CHEST && !stacks.is_empty());
        }
    }
    assert!(seen.len() >= 3, "{seen:?}");
}

#[test]
fn houses_of_a_village_differ() {
    for village in villages(7, 3) {
        let houses = village.plots.iter().filter(|p| p.use_of != PlotUse::Field);
        let looks: Vec<House> = houses.map(House::of).collect();
        let alike = |look: &House| looks.iter().filter(|other| *other == look).count();
        assert!(looks.iter().all(|look| alike(look) <= 2), "{looks:?}");
    }
}

fn grid_chunks(village: &Village) -> impl Iterator<Item = (i32, i32)> {
    let (x, z) = (village.middle.x >> 4, village.middle.z >> 4);
    (z - 2..=z + 2).flat_map(move |z| (x - 2..=x + 2).map(move |x| (x, z)))
}
