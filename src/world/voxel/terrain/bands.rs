//! Bands: the coloured layers of clay in the badlands.
//!
//! Invariant: the colour follows from seed and height, and a little from the place, so that one
//! band runs through all the hills of a land.

use super::super::chunk::Chunk;
use super::noise::Noise;
use super::shape::SEA_LEVEL;
use crate::block::{self as blocks, BlockId};
use crate::rng::Streams;

/// One cycle of layers; the colours repeat every 64 blocks of height.
const COUNT: usize = 64;
/// Below the surface the bands reach so deep.
const DEEP: i32 = 15;
/// Up to here the ground is covered with red sand.
const SAND_UP_TO: i32 = 74;

/// The layers of one world, from the bottom up, over and over.
#[derive(Debug)]
pub(crate) struct Bands {
    colours: [BlockId; COUNT],
    sway: Noise,
}

impl Bands {
    pub(crate) fn new(seed: u64) -> Self {
        const COLOURS: [BlockId; 7] = [
            blocks::ORANGE_TERRACOTTA,
            blocks::YELLOW_TERRACOTTA,
            blocks::BROWN_TERRACOTTA,
            blocks::RED_TERRACOTTA,
            blocks::WHITE_TERRACOTTA,
            blocks::LIGHT_GRAY_TERRACOTTA,
            blocks::ORANGE_TERRACOTTA,
        ];
        let mut rng = Streams(seed).get("bands");
        let mut colours = [blocks::TERRACOTTA; COUNT];
        let mut at = rng.below(4) as usize;
        while at < COUNT {
            let colour = COLOURS[rng.below(COLOURS.len() as u64) as usize];
            let thick = 1 + rng.below(2) as usize;
            colours
                .iter_mut()
                .skip(at)
                .take(thick)
                .for_each(|c| *c = colour);
            at += thick + 1 + rng.below(4) as usize;
        }
        Self {
            colours,
            sway: Noise::new(seed, "band sway", 180.0, 1),
        }
    }

    /// Turns the upper ground of a column into clay; low land keeps its sand on top.
    pub(crate) fn paint(&self, chunk: &mut Chunk, height: i32, x: i32, z: i32) {
        // Bands rise and fall by up to three blocks over the land, so that they do not look
        // ruled.
        let sway = (self.sway.flat(x, z) * 3.0) as i32;
        let top = if height <= SAND_UP_TO {
            height - 6
        } else {
            height
        };
        // However low the land, clay ends six blocks below the sea.
        for y in (height - DEEP).max(SEA_LEVEL - 6)..=top {
            let band = (y + sway).rem_euclid(COUNT as i32) as usize;
            chunk.put(x, y, z, self.colours[band]);
        }
    }
}
