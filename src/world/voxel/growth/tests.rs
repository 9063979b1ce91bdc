//! Tests of growth: fields, trees, leaves, canes, grass, and sameness.

use super::hands::{can_stand, fertilise, is_ripe, pick_berries, till};
use super::*;

const NOON: u32 = 6000;
const HOME: Pos = Pos::new(0, 61, 0);

fn meadow() -> (Grid, Growth) {
    let mut grid = Grid::flat(60);
    grid.ensure_around(Pos::default(), 2);
    (grid, Growth::new(7))
}

fn run(grid: &mut Grid, growth: &mut Growth, ticks: u32) -> Vec<GrowthEvent> {
    (0..ticks)
        .flat_map(|_| growth.step(grid, HOME, NOON))
        .collect()
}

/// Three rows of wheat with water along them.
fn field(grid: &mut Grid) -> Vec<Pos> {
    for x in 0..9 {
        grid.set(Pos::new(x, 60, 0), blocks::WATER);
    }
    let cells: Vec<Pos> = (0..27).map(|i| Pos::new(i % 9, 60, 1 + i / 9)).collect();
    for cell in &cells {
        assert!(till(grid, *cell) && !till(grid, *cell));
        assert!(can_stand(grid, cell.up(), blocks::WHEAT));
        grid.set(cell.up(), blocks::WHEAT);
        assert!(!is_ripe(grid, cell.up()));
    }
    cells.into_iter().map(Pos::up).collect()
}

#[test]
fn wheat_ripens_in_a_week_on_crowded_wet_land() {
    let (mut grid, mut growth) = meadow();
    let wheat = field(&mut grid);
    run(&mut grid, &mut growth, 24_000);
    let ripe = wheat.iter().filter(|at| is_ripe(&grid, **at)).count();
    assert!(ripe < 27, "not all on the first day");
    run(&mut grid, &mut growth, 120_000);
    let ripe = wheat.iter().filter(|at| is_ripe(&grid, **at)).count();
    assert!(ripe >= 25, "{ripe} of 27");
}

#[test]
fn crops_without_farmland_wither_and_nothing_grows_far_away() {
    let (mut grid, mut growth) = meadow();
    grid.set(Pos::new(3, 61, 3), blocks::CARROTS);
    let sapling = Pos::new(5, 61, 5);
    grid.set(sapling, blocks::OAK_SAPLING);
    let far = Pos::new(4000, 61, 0);
    assert!((0..40_000).all(|_| growth.step(&mut grid, far, NOON).is_empty()));
    assert_eq!(
        (grid.block(sapling), grid.stage(sapling)),
        (blocks::OAK_SAPLING, Some(0))
    );
    let events = run(&mut grid, &mut growth, 30_000);
    let at = Pos::new(3, 61, 3);
    let block = blocks::CARROTS;
    assert_eq!(
        events,
        [GrowthEvent::Withered {
            at,
            block,
            ripe: false
        }]
    );
}

#[test]
fn saplings_become_trees_and_dark_oaks_want_four() {
    let (mut grid, mut growth) = meadow();
    grid.set(Pos::new(-9, 61, -9), blocks::BIRCH_SAPLING);
    grid.set(Pos::new(-9, 61, 9), blocks::DARK_OAK_SAPLING);
    for (dx, dz) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        grid.set(Pos::new(9 + dx, 61, 9 + dz), blocks::DARK_OAK_SAPLING);
    }
    run(&mut grid, &mut growth, 120_000);
    let at = |x, z| grid.block(Pos::new(x, 61, z));
    assert_eq!(at(-9, -9), blocks::BIRCH_LOG);
    assert_eq!(at(-9, 9), blocks::DARK_OAK_SAPLING);
    assert_eq!(
        (at(9, 9), at(10, 10)),
        (blocks::DARK_OAK_LOG, blocks::DARK_OAK_LOG)
    );
}

#[test]
fn leaves_wither_without_their_log_but_not_those_placed_by_hand() {
    let (mut grid, mut growth) = meadow();
    let sapling = Pos::new(0, 61, 0);
    grid.set(sapling, blocks::OAK_SAPLING);
    let mut rng = Rng::new(3);
    while grid.block(sapling) == blocks::OAK_SAPLING {
        assert!(fertilise(&mut grid, sapling, &mut rng));
    }
    let placed = Pos::new(6, 61, 6);
    grid.set(placed, blocks::OAK_LEAVES);
    let cells: Vec<Pos> = (0..13 * 13 * 16)
        .map(|i| Pos::new(i % 13 - 6, 61 + i / 169, i / 13 % 13 - 6))
        .collect();
    let leaves = |grid: &Grid| {
        cells
            .iter()
            .filter(|p| leaves::is_leaves(grid.block(**p)))
            .count()
    };
    run(&mut grid, &mut growth, 10_000);
    let before = leaves(&grid);
    assert!(before > 20);
    for pos in &cells {
        if leaves::is_log(grid.block(*pos)) {
            grid.set(*pos, blocks::AIR);
        }
    }
    let events = run(&mut grid, &mut growth, 20_000);
    assert_eq!((leaves(&grid), events.len()), (1, before - 1));
    assert_eq!(grid.block(placed), blocks::OAK_LEAVES);
}

#[test]
fn cane_grows_to_three_and_pumpkins_come_of_stems() {
    let (mut grid, mut growth) = meadow();
    grid.set(Pos::new(0, 60, 0), blocks::WATER);
    let cane = Pos::new(1, 61, 0);
    assert!(can_stand(&grid, cane, blocks::SUGAR_CANE));
    assert!(!can_stand(&grid, cane.plus(3, 0, 3), blocks::SUGAR_CANE));
    grid.set(cane, blocks::SUGAR_CANE);
    let soil = Pos::new(-1, 60, 0);
    assert!(till(&mut grid, soil));
    grid.set(soil.up(), blocks::PUMPKIN_STEM);
    run(&mut grid, &mut growth, 150_000);
    let high = (0..5)
        .filter(|up| grid.block(cane.plus(0, *up, 0)) == blocks::SUGAR_CANE)
        .count();
    assert_eq!(high, 3);
    let fruit = Facing::FLAT.map(|side| grid.block(soil.up().side(side)));
    assert_eq!(fruit.iter().filter(|b| **b == blocks::PUMPKIN).count(), 1);
}

#[test]
fn grass_comes_back_over_bare_dirt_and_dies_under_stone() {
    let (mut grid, mut growth) = meadow();
    let (bare, covered) = (Pos::new(2, 60, 2), Pos::new(8, 60, 8));
    grid.set(bare, blocks::DIRT);
    grid.set(covered.up(), blocks::STONE);
    run(&mut grid, &mut growth, 20_000);
    assert_eq!(
        (grid.block(bare), grid.block(covered)),
        (blocks::GRASS_BLOCK, blocks::DIRT)
    );
    assert_eq!(growth.waiting(), 0);
}

#[test]
fn berries_come_back_after_they_are_picked() {
    let (mut grid, mut growth) = meadow();
    let (bush, mut rng) = (Pos::new(2, 61, 2), Rng::new(1));
    grid.set(bush, blocks::SWEET_BERRY_BUSH);
    assert_eq!(pick_berries(&mut grid, bush, &mut rng), None);
    for _ in 0..2 {
        run(&mut grid, &mut growth, 60_000);
        let berries = pick_berries(&mut grid, bush, &mut rng).map(|stack| stack.count);
        assert!(berries.is_some_and(|n| (2..=3).contains(&n)), "{berries:?}");
        assert_eq!(pick_berries(&mut grid, bush, &mut rng), None);
    }
}

#[test]
fn equal_edits_grow_equally() {
    let end = || {
        let (mut grid, mut growth) = meadow();
        field(&mut grid);
        grid.set(Pos::new(-9, 61, -9), blocks::SPRUCE_SAPLING);
        run(&mut grid, &mut growth, 30_000);
        (grid.checksum(), growth.checksum())
    };
    assert_eq!(end(), end());
}
