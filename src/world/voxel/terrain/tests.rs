//! Tests of whole chunks: seams, ores, caves, spawn.

use super::super::chunk::Chunk;
use super::super::grid::Grid;
use super::shape::SEA_LEVEL;
use super::spawn::{is_log, spawn_point};
use super::*;
use crate::block::BlockId;
use crate::ore::ores;
use crate::space::Pos;

fn count(chunk: &Chunk, is: impl Fn(BlockId, i32) -> bool) -> usize {
    (0..256 * 256)
        .filter(|at| is(chunk.block(at & 15, at >> 8, at >> 4 & 15), at >> 8))
        .count()
}

#[test]
fn the_order_of_generation_does_not_matter() {
    let (mut a, mut b) = (Grid::new(11), Grid::new(11));
    let keys: Vec<(i32, i32)> = (0..36).map(|i| (i % 6 - 3, i / 6 - 3)).collect();
    keys.iter().for_each(|(x, z)| assert!(a.ensure(*x, *z)));
    keys.iter()
        .rev()
        .for_each(|(x, z)| assert!(b.ensure(*x, *z)));
    for y in 0..256 {
        for at in 0..96 * 96 {
            let pos = Pos::new(at % 96 - 48, y, at / 96 - 48);
            assert_eq!(a.block(pos), b.block(pos), "at {pos}");
        }
    }
}

/// Blocks and heights of a few chunks of three seeds, as one number. Whoever makes terrain faster
/// must not change it; whoever changes terrain writes the new number down, knowingly: the worlds
/// of all earlier runs are gone with the old one.
#[test]
fn the_chunks_of_a_seed_stay_what_they_are() {
    let mut sum = 0xCBF2_9CE4_8422_2325_u64;
    let mut add = |bytes: &[u8]| {
        for byte in bytes {
            sum = (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
        }
    };
    for seed in [1, 7, 42] {
        let generator = Generator::new(seed);
        for i in 0..8 {
            let chunk = generator.chunk(i * 37 % 211 - 100, i * 91 % 307 - 150);
            for at in 0..256 * 256 {
                let block = chunk.block(at & 15, at >> 8, at >> 4 & 15);
                add(&block.row().to_le_bytes());
            }
            for at in 0..256 {
                let (x, z) = (at & 15, at >> 4);
                add(&chunk.top(x, z).to_le_bytes());
                add(&chunk.roof(x, z).to_le_bytes());
            }
        }
    }
    assert_eq!(format!("{sum:016x}"), "922fafd819b5b18f");
}

#[test]
fn one_gets_out_of_a_river_over_steps_of_one_block() {
    let (mut steps, mut walls) = (0, 0);
    for seed in [3, 7, 11] {
        let generator = Generator::new(seed);
        let height = |x: i32, z: i32| generator.column(x, z).height;
        for x in -600..600 {
            for z in (-600..600).step_by(16) {
                let is_river = generator.column(x, z).biome == Biome::River;
                let bank = height(x + 1, z);
                if is_river && height(x, z) < SEA_LEVEL && bank >= SEA_LEVEL {
                    // The bank and four blocks beyond it.
                    let up = (1..5).map(|far| height(x + far + 1, z) - height(x + far, z));
                    let highest = up.chain([bank - SEA_LEVEL]).max().unwrap_or(0);
                    steps += 1;
                    walls += i32::from(highest > 1);
                }
            }
        }
    }
    assert!(steps > 100 && walls * 20 < steps, "{walls} of {steps}");
}

#[test]
fn trees_are_whole_across_borders() {
    let mut grid = Grid::new(3);
    let feet = spawn_point(&mut grid);
    grid.ensure_around(feet, 4);
    let mut logs = 0;
    for at in 0..96 * 96 {
        let (x, z) = (feet.x + at % 96 - 48, feet.z + at / 96 - 48);
        for y in 60..120 {
            let pos = Pos::new(x, y, z);
            if is_log(grid.block(pos)) {
                logs += 1;
                assert_ne!(grid.block(pos.down()), blocks::AIR, "a log floats at {pos}");
                let top = !is_log(grid.block(pos.up()));
                assert!(
                    !top || grid.block(pos.up()) != blocks::AIR,
                    "no crown on {pos}"
                );
            }
        }
    }
    assert!(logs > 100, "{logs} logs");
}

#[test]
fn ores_lie_in_their_depths_and_in_the_numbers_of_the_game() {
    let generator = Generator::new(7);
    // Badlands have gold of their own.
    let golden = |x, z| generator.biome(x * 16 + 8, z * 16 + 8) == Biome::Badlands;
    let chunks: Vec<Chunk> = (0..200)
        .map(|i| (i % 20 * 5, i / 20 * 5))
        .filter(|(x, z)| (-1..=1).all(|d| !golden(*x + d, *z) && !golden(*x, *z + d)))
        .take(100)
        .map(|(x, z)| generator.chunk(x, z))
        .collect();
    // Means per chunk that players have counted before 1.13, times what a blob has grown by since
    // (one block more in the formula of the game).
    let table = [
        (blocks::COAL_ORE, 161.0),
        (blocks::IRON_ORE, 91.0),
        (blocks::GOLD_ORE, 9.7),
        (blocks::REDSTONE_ORE, 28.0),
        (blocks::DIAMOND_ORE, 3.6),
        (blocks::LAPIS_ORE, 4.2),
    ];
    for (ore, mean) in table {
        let row = ores()
            .iter()
            .find(|row| row.block == ore && row.biome.is_none())
            .unwrap();
        let all: usize = chunks.iter().map(|c| count(c, |b, _| b == ore)).sum();
        // Middles lie in the depths of the table; the blob around one reaches a little farther up.
        let inside = |b, y| b == ore && (row.y_min..=row.y_max + 2).contains(&y);
        assert_eq!(
            all,
            chunks.iter().map(|c| count(c, inside)).sum::<usize>(),
            "depth of {}",
            ore.name()
        );
        let found = all as f64 / chunks.len() as f64;
        assert!(
            (mean * 0.9..mean * 1.3).contains(&found),
            "{}: {found} per chunk",
            ore.name()
        );
    }
}

#[test]
fn gold_of_the_badlands_is_not_cut_off_at_the_borders_of_chunks() {
    let generator = Generator::new(11);
    let is_inside = |(cx, cz): &(i32, i32)| {
        // With the land around it, whose veins reach into the chunk.
        let mut around = (0..16).map(|at| (at % 4 * 16 - 16, at / 4 * 16 - 16));
        around.all(|(x, z)| generator.biome(cx * 16 + x, cz * 16 + z) == Biome::Badlands)
    };
    let chunks = (0..400 * 400).map(|at| (at % 400 - 200, at / 400 - 200));
    let mut by_column = [[0_usize; 16]; 2];
    for (cx, cz) in chunks.filter(is_inside).take(400) {
        let chunk = generator.chunk(cx, cz);
        for y in 34..=60 {
            for column in 0..256 {
                let (x, z) = (column & 15, column >> 4);
                if chunk.block(x, y, z) == blocks::GOLD_ORE {
                    by_column[0][x as usize] += 1;
                    by_column[1][z as usize] += 1;
                }
            }
        }
    }
    for row in by_column {
        let all: usize = row.iter().sum();
        assert!(all > 8_000, "{row:?}");
        let least = row.iter().min().unwrap();
        assert!(least * 16 * 10 > all * 8, "{row:?}");
    }
}

/// A hundred chunks that lie in the mountains with all around them, or far from any.
fn chunks_by_mountains(generator: &Generator, are_mountains: bool) -> Vec<Chunk> {
    let holds = |(cx, cz): &(i32, i32)| {
        let mut around = (0..49).map(|at| (cx * 16 + at % 7 * 8 - 16, cz * 16 + at / 7 * 8 - 16));
        around.all(|(x, z)| (generator.biome(x, z) == Biome::Mountains) == are_mountains)
    };
    let places = (0..80 * 80).map(|at| (at % 80 * 7 - 280, at / 80 * 7 - 280));
    let chunks = places.filter(holds).take(100);
    chunks.map(|(x, z)| generator.chunk(x, z)).collect()
}

#[test]
fn infested_stone_lies_in_mountains_in_the_numbers_of_the_game() {
    let generator = Generator::new(11);
    let [mountains, others] = [true, false].map(|are| chunks_by_mountains(&generator, are));
    assert_eq!((mountains.len(), others.len()), (100, 100));
    let is_infested = |b, _| b == blocks::INFESTED_STONE;
    let all = |chunks: &[Chunk]| chunks.iter().map(|c| count(c, is_infested)).sum::<usize>();
    assert_eq!(all(&others), 0);
    // Seven blobs of the size of iron's, of which the game has 20 and 116 blocks.
    let (found, due) = (all(&mountains) as f64 / 100.0, 116.0 * 7.0 / 20.0);
    assert!((due * 0.85..due * 1.15).contains(&found), "{found}");
    let too_high = |b, y| is_infested(b, y) && y > 63 + 2;
    assert!(mountains.iter().all(|c| count(c, too_high) == 0));
}

#[test]
fn caves_exist_hold_lava_below_and_reach_the_surface() {
    let generator = Generator::new(7);
    let (mut hollow, mut lava, mut mouths) = (0, 0, 0);
    for i in 0..100 {
        let (cx, cz) = (i % 10, i / 10);
        let chunk = generator.chunk(cx, cz);
        hollow += count(&chunk, |b, y| b == blocks::AIR && (11..50).contains(&y));
        lava += count(&chunk, |b, y| b == blocks::LAVA && y <= 10);
        assert_eq!(count(&chunk, |b, y| b == blocks::AIR && y <= 10), 0);
        let column = |at: i32| generator.column(cx * 16 + (at & 15), cz * 16 + (at >> 4));
        mouths += (0..256)
            .filter(|at| chunk.block(at & 15, column(*at).height, at >> 4) == blocks::AIR)
            .count();
    }
    let share = hollow as f64 / (100.0 * 39.0 * 256.0);
    assert!(
        (0.02..0.12).contains(&share),
        "{share} of the rock is hollow"
    );
    assert!(lava > 100 && mouths > 50, "lava {lava}, mouths {mouths}");
}

#[test]
fn every_seed_has_a_dry_spawn_with_trees_near() {
    for seed in 0..=20 {
        let mut grid = Grid::new(seed);
        let feet = spawn_point(&mut grid);
        assert_eq!(
            grid.block(feet.down()),
            blocks::GRASS_BLOCK,
            "seed {seed} at {feet}"
        );
        assert!(grid.sky_visible(feet), "seed {seed} at {feet}");
        let logs = (0..97 * 97)
            .map(|at| (feet.x + at % 97 - 48, feet.z + at / 97 - 48))
            .filter(|(x, z)| {
                (feet.y - 8..feet.y + 16).any(|y| is_log(grid.block(Pos::new(*x, y, *z))))
            })
            .count();
        assert!(logs >= 5, "seed {seed} at {feet}: {logs} trees");
        assert!(
            feet.x.abs().max(feet.z.abs()) < 1200,
            "seed {seed}: far away at {feet}"
        );
    }
}

/// What the items of the published suites are made from and only nature gives.
const NATURAL: &str = "stone granite diorite andesite dirt grass_block sand red_sand sandstone red_sandstone gravel clay \
    snow ice terracotta orange_terracotta white_terracotta mycelium water lava coal_ore iron_ore gold_ore redstone_ore \
    lapis_ore diamond_ore emerald_ore oak_log birch_log spruce_log jungle_log acacia_log dark_oak_log oak_leaves \
    birch_leaves spruce_leaves jungle_leaves acacia_leaves dark_oak_leaves grass fern tall_grass large_fern dead_bush \
    dandelion poppy blue_orchid allium azure_bluet red_tulip orange_tulip white_tulip pink_tulip oxeye_daisy cornflower \
    lily_of_the_valley sunflower lilac rose_bush peony brown_mushroom red_mushroom brown_mushroom_block red_mushroom_block \
    mushroom_stem sugar_cane cactus pumpkin melon vine lily_pad cocoa bamboo sweet_berry_bush seagrass mossy_cobblestone \
    chest spawner";

#[test]
fn everything_that_only_nature_gives_lies_somewhere() {
    let generator = Generator::new(7);
    let mut seen = std::collections::BTreeSet::new();
    let mut chunks = [0; biome::FACTS.len()];
    for at in 0..120 * 120 {
        let (x, z) = (at % 120 * 3 - 180, at / 120 * 3 - 180);
        let biome = generator.biome(x * 16 + 8, z * 16 + 8);
        chunks[biome as usize] += 1;
        if chunks[biome as usize] <= 40 {
            let chunk = generator.chunk(x, z);
            seen.extend((0..256 * 140).map(|at| chunk.block(at & 15, at >> 8, at >> 4 & 15)));
        }
    }
    let block = |name: &&str| !seen.contains(&name.parse::<BlockId>().unwrap());
    let missing: Vec<&str> = NATURAL.split_whitespace().filter(block).collect();
    assert_eq!(missing, [""; 0]);
}

#[test]
fn snow_lies_and_water_freezes_where_it_is_cold_and_only_there() {
    let generator = Generator::new(7);
    for at in 0..40 * 40 {
        let (cx, cz) = (at % 40 * 4 - 80, at / 40 * 4 - 80);
        let biome = |at: i32| generator.biome(cx * 16 + (at & 15), cz * 16 + (at >> 4));
        let (first, last) = (biome(0), biome(255));
        if first != last || first == Biome::Mountains {
            continue;
        }
        let chunk = generator.chunk(cx, cz);
        let cold = count(&chunk, |b, _| matches!(b, blocks::SNOW | blocks::ICE));
        let whole = (0..256).all(|at| biome(at) == first);
        if whole {
            assert_eq!(
                cold > 0,
                first.facts().snowy,
                "{} at {cx} {cz}",
                first.name()
            );
        }
    }
}
