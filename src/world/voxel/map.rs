//! Maps: the land from above, or one layer of it, one pixel per column.
//!
//! It loads what it draws, lets the springs there run, and changes nothing else. North is up. For people looking on; what an agent
//! knows of the land is not asked here. Invariant: same blocks, same map.

use super::chunk::Y_MAX;
use super::grid::Grid;
use super::springs;
use super::terrain::shape::SEA_LEVEL;
use super::view::appearance::{BlockAppearance, Tone, blend, scaled, to_rgb};
use super::view::picture::{Picture, Size};
use crate::block::{self as blocks, BlockId};
use crate::space::Pos;

/// Chunks on each side of the middle; more would fill the memory.
pub const RADIUS_MAX: i32 = 24;
/// A step up to the north lights a column, a step down shades it, as on the maps of the game.
const STEP_UP: f32 = 1.13;
const STEP_DOWN: f32 = 0.86;
/// Brightness per block above or below the sea.
const PER_BLOCK: f32 = 0.0035;
const WATER: Tone = [0.10, 0.22, 0.50];
/// Share of the light that one block of water lets through.
const CLEARNESS: f32 = 0.78;
/// What a small plant hides of the ground.
const PLANT_COVER: f32 = 0.55;
/// The floor that is seen through the air of a slice, and the dark where none is near.
const FLOOR_LIGHT: f32 = 0.42;
const DARK: Tone = [0.03, 0.03, 0.05];
/// Heights above the sea at which air of a slice is taken for sky.
const SKY: Tone = [0.55, 0.70, 0.90];

/// Chunks on each side that a map can have.
fn radius(chunks: i32) -> i32 {
    chunks.clamp(0, RADIUS_MAX)
}

/// The first column of a map.
#[must_use]
pub fn corner(centre: Pos, radius_chunks: i32) -> (i32, i32) {
    let r = radius(radius_chunks);
    (((centre.x >> 4) - r) * 16, ((centre.z >> 4) - r) * 16)
}

/// The land from above, within a number of chunks of the one that holds `centre`.
pub fn top_down(grid: &mut Grid, centre: Pos, radius_chunks: i32) -> Picture {
    draw(grid, centre, radius_chunks, surface)
}

/// What lies at one height: rock and ore in their colours, caves dark with their floors.
pub fn slice(grid: &mut Grid, centre: Pos, radius_chunks: i32, y: i32) -> Picture {
    let y = y.clamp(0, Y_MAX);
    draw(grid, centre, radius_chunks, |grid, x, z| {
        layer(grid, Pos::new(x, y, z))
    })
}

fn draw(
    grid: &mut Grid,
    centre: Pos,
    chunks: i32,
    tone: impl Fn(&Grid, i32, i32) -> Tone,
) -> Picture {
    // One chunk more, because a column's shade asks its northern neighbour.
    grid.ensure_around(centre, radius(chunks) + 1);
    springs::run_around(grid, centre, radius(chunks));
    let (x0, z0) = corner(centre, chunks);
    let side = (radius(chunks) * 2 + 1) as u32 * 16;
    let mut picture = Picture::new(Size::new(side, side));
    for (z, row) in (z0..).zip(picture.rows_mut()) {
        for (x, pixel) in (x0..).zip(row) {
            *pixel = to_rgb(tone(grid, x, z));
        }
    }
    picture
}

fn surface(grid: &Grid, x: i32, z: i32) -> Tone {
    let top = grid.height(x, z);
    let at = Pos::new(x, top, z);
    let block = grid.block(at);
    if block == blocks::WATER {
        return sea(grid, at);
    }
    let mut tone = BlockAppearance::of_block(block).on_map();
    let plant = grid.block(at.up());
    if plant != blocks::AIR {
        tone = blend(tone, BlockAppearance::of_block(plant).on_map(), PLANT_COVER);
    }
    scaled(tone, relief(top, grid.height(x, z - 1)))
}

fn relief(top: i32, north: i32) -> f32 {
    let slope = match top - north {
        1.. => STEP_UP,
        0 => 1.0,
        _ => STEP_DOWN,
    };
    slope * (1.0 + (top - SEA_LEVEL) as f32 * PER_BLOCK).clamp(0.7, 1.35)
}

fn sea(grid: &Grid, surface: Pos) -> Tone {
    let wet = |y: &i32| {
        let block = grid.block(Pos { y: *y, ..surface });
        block.is_fluid() || block == blocks::SEAGRASS || block == blocks::KELP
    };
    let depth = (0..=surface.y).rev().take_while(wet).count() as i32;
    let ground = BlockAppearance::of_block(grid.block(surface.plus(0, -depth, 0))).on_map();
    blend(WATER, ground, CLEARNESS.powi(depth + 1))
}

fn layer(grid: &Grid, at: Pos) -> Tone {
    let block = grid.block(at);
    if block != blocks::AIR {
        return BlockAppearance::of_block(block).on_map();
    }
    if grid.sky_visible(at) && at.y > grid.height(at.x, at.z) + 3 {
        return SKY;
    }
    let floor: Option<(i32, BlockId)> = (1..=4)
        .map(|d| (d, grid.block(at.plus(0, -d, 0))))
        .find(|(_, b)| *b != blocks::AIR);
    floor.map_or(DARK, |(down, block)| {
        scaled(
            BlockAppearance::of_block(block).on_map(),
            FLOOR_LIGHT / (down as f32).sqrt(),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn north_is_up_and_what_is_high_throws_its_shade() {
        let mut grid = Grid::flat(62);
        grid.ensure(0, 0);
        grid.set(Pos::new(3, 63, 5), blocks::SAND);
        let map = top_down(&mut grid, Pos::default(), 1);
        assert_eq!(map.size(), Size::new(48, 48));
        assert_eq!(corner(Pos::default(), 1), (-16, -16));
        let at = |x: i32, z: i32| map.pixel((x + 16) as u32, (z + 16) as u32);
        let grass = at(0, 0);
        assert!(at(3, 5)[0] > 200, "sand is bright: {:?}", at(3, 5));
        assert!(at(3, 6)[1] < grass[1], "a step down is shaded");
        assert_eq!(at(3, 4), grass);
    }

    #[test]
    fn deep_water_is_darker_than_shallow_water() {
        let mut grid = Grid::flat(62);
        grid.ensure(0, 0);
        grid.set(Pos::new(1, 62, 1), blocks::WATER);
        for y in 55..=62 {
            grid.set(Pos::new(8, y, 8), blocks::WATER);
        }
        let map = top_down(&mut grid, Pos::default(), 0);
        let light = |x, z| map.pixel(x, z).iter().map(|c| u32::from(*c)).sum::<u32>();
        assert!(light(8, 8) < light(1, 1));
    }

    #[test]
    fn a_slice_shows_ore_in_rock_and_caves_dark() {
        let mut grid = Grid::flat(62);
        grid.ensure(0, 0);
        grid.set(Pos::new(2, 20, 2), blocks::DIAMOND_ORE);
        for y in 12..=20 {
            grid.set(Pos::new(4, y, 4), blocks::AIR);
        }
        let map = slice(&mut grid, Pos::default(), 0, 20);
        let [r, _, b] = map.pixel(2, 2);
        assert!(b > r + 30);
        assert_eq!(map.pixel(4, 4), to_rgb(DARK));
        assert_eq!(
            map.pixel(9, 9),
            to_rgb(BlockAppearance::of_block(blocks::STONE).colour)
        );
    }
}
