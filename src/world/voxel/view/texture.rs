//! Textures: the colour of one texel of a block's face, made from its pattern; no pictures are read.
//!
//! Faces have 16 by 16 texels. Invariant: a pure function of the look, the side, the texel and the
//! seed of the block; `None` is a hole through which one sees.

use super::appearance::{BlockAppearance, Pattern, Tone, blend, scaled};
use super::built::built;

/// Which face of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Top,
    Bottom,
    Wall,
}

/// One place on a face.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spot {
    pub(crate) side: Side,
    /// Texel, 0..16 from the left and from above.
    /// v counts downwards.
    pub(crate) u: u32,
    pub(crate) v: u32,
    /// Differs from block to block.
    pub(crate) seed: u32,
}

/// Below this share of detail, holes are too small to be seen.
/// From afar leaves are closed, or forests would flicker.
const HOLES_FROM: f32 = 0.12;

/// The colour at a spot; `detail` 0..=1 tells how much of the pattern the distance leaves.
#[inline]
pub(crate) fn texel(look: &BlockAppearance, spot: Spot, detail: f32) -> Option<Tone> {
    match pattern(look, spot) {
        Some(colour) if detail >= 1.0 => Some(colour),
        // Averaging towards one colour replaces mipmaps.
        Some(colour) => Some(blend(far_colour(look, spot), colour, detail)),
        None if detail < HOLES_FROM && look.pattern == Pattern::Leaves => {
            Some(scaled(look.colour, 0.72))
        }
        None => None,
    }
}

/// What a face looks like from far away.
#[inline]
fn far_colour(look: &BlockAppearance, spot: Spot) -> Tone {
    match look.pattern {
        Pattern::Turf if spot.side == Side::Wall => blend(look.accent, look.colour, 0.2),
        Pattern::Turf if spot.side == Side::Bottom => look.accent,
        Pattern::Log if spot.side != Side::Wall => look.accent,
        Pattern::Ore => blend(look.colour, look.accent, 0.25),
        Pattern::Flower | Pattern::Toadstool if spot.v < 8 => look.accent,
        Pattern::Leaves => scaled(look.colour, 0.85),
        Pattern::Lava => blend(look.colour, look.accent, 0.35),
        _ => look.colour,
    }
}

/// A number in -1..=1 for a texel; cheap, because it is asked for every pixel.
#[inline]
pub(super) fn noise(u: u32, v: u32, seed: u32) -> f32 {
    let mut h =
        u.wrapping_mul(0x9E37_79B1) ^ v.wrapping_mul(0x85EB_CA77) ^ seed.wrapping_mul(0xC2B2_AE3D);
    h = (h ^ (h >> 15)).wrapping_mul(0x2C1B_3C6D);
    h = (h ^ (h >> 12)).wrapping_mul(0x297A_2D39);
    h ^= h >> 15;
    (h & 0xFFFF) as f32 / 32_767.5 - 1.0
}

/// The colour, lighter or darker by chance.
#[inline]
pub(super) fn rough(tone: Tone, spot: Spot, by: f32) -> Tone {
    scaled(tone, 1.0 + by * noise(spot.u, spot.v, spot.seed))
}

/// Patches of several texels.
#[inline]
fn blotch(spot: Spot, wide: u32, high: u32) -> f32 {
    // Rows of patches are shifted, so that no columns show.
    let shift = spot.v / high * 5;
    noise((spot.u + shift) / wide, spot.v / high + 97, spot.seed)
}

fn pattern(look: &BlockAppearance, spot: Spot) -> Option<Tone> {
    let (colour, accent) = (look.colour, look.accent);
    let by = |amount| Some(rough(colour, spot, amount));
    match look.pattern {
        Pattern::Grain => by(0.07),
        Pattern::Wool => by(0.04),
        Pattern::Snow => by(0.025),
        Pattern::Gravel => Some(rough(
            scaled(colour, 1.0 + 0.2 * blotch(spot, 2, 2)),
            spot,
            0.08,
        )),
        Pattern::Earth => Some(rough(
            scaled(colour, 1.0 + 0.13 * blotch(spot, 2, 2)),
            spot,
            0.1,
        )),
        Pattern::Rock => Some(rough(
            scaled(colour, 1.0 + 0.08 * blotch(spot, 4, 2)),
            spot,
            0.05,
        )),
        Pattern::Ice => by(0.05),
        Pattern::Water => Some(scaled(colour, 1.0 + 0.1 * blotch(spot, 4, 1))),
        Pattern::Lava => {
            let hot = (0.45 + 0.55 * blotch(spot, 3, 3)).clamp(0.0, 1.0);
            Some(rough(blend(colour, accent, hot), spot, 0.06))
        }
        Pattern::Turf => Some(turf(look, spot)),
        Pattern::Ore => Some(ore(look, spot)),
        Pattern::Log => Some(log(look, spot)),
        Pattern::Strata => {
            let layer = noise(0, spot.v / 2, 11);
            let amount = if spot.side == Side::Wall {
                0.07 * layer
            } else {
                0.0
            };
            Some(rough(scaled(colour, 1.0 + amount), spot, 0.04))
        }
        Pattern::Leaves => leaves(look, spot),
        _ => built(look, spot),
    }
}

fn turf(look: &BlockAppearance, spot: Spot) -> Tone {
    let earth = || {
        rough(
            scaled(look.accent, 1.0 + 0.12 * blotch(spot, 2, 2)),
            spot,
            0.1,
        )
    };
    match spot.side {
        Side::Top => rough(
            scaled(look.colour, 1.0 + 0.06 * blotch(spot, 3, 3)),
            spot,
            0.13,
        ),
        Side::Bottom => earth(),
        // Grass hangs over the edge, ragged.
        Side::Wall if (spot.v as f32) < 3.0 + 1.5 * noise(spot.u, 7, spot.seed) => {
            rough(look.colour, spot, 0.13)
        }
        Side::Wall => earth(),
    }
}

fn ore(look: &BlockAppearance, spot: Spot) -> Tone {
    let rock = rough(
        scaled(look.colour, 1.0 + 0.07 * blotch(spot, 4, 2)),
        spot,
        0.05,
    );
    // Specks on a loose grid, different from block to block, some round and some long.
    let (cell_u, cell_v) = (spot.u / 4, spot.v / 4);
    let of = |salt| noise(cell_u, cell_v, salt ^ spot.seed);
    let (at_u, at_v) = (1 + u32::from(of(71) > 0.0), 1 + u32::from(of(72) > 0.0));
    let (du, dv) = ((spot.u % 4).abs_diff(at_u), (spot.v % 4).abs_diff(at_v));
    let wide = u32::from(of(74) > 0.2);
    if of(73) > 0.05 && dv <= 1 && du + dv <= 1 + wide {
        let lit = if dv == 0 && spot.u % 4 <= at_u {
            1.15
        } else {
            0.85
        };
        return rough(scaled(look.accent, lit), spot, 0.06);
    }
    if of(73) > 0.05 && du + dv == 2 {
        scaled(rock, 0.85)
    } else {
        rock
    }
}

fn log(look: &BlockAppearance, spot: Spot) -> Tone {
    if spot.side == Side::Wall {
        let streak = noise(spot.u, spot.v / 5, spot.seed & 3);
        let furrow = if noise(spot.u, 0, 5) > 0.45 {
            0.78
        } else {
            1.0
        };
        // Bright bark (birch) has dark marks instead of furrows.
        let pale = look.colour.iter().all(|c| *c > 0.75);
        let marks = pale && noise(spot.u / 3, spot.v, spot.seed & 3) > 0.72;
        let tone = if pale { 0.94 } else { furrow };
        return scaled(
            look.colour,
            if marks {
                0.25
            } else {
                tone * (1.0 + 0.12 * streak)
            },
        );
    }
    // Rings of the trunk, counted from the middle.
    let ring = spot.u.abs_diff(8).max(spot.v.abs_diff(8));
    match ring {
        7.. => scaled(look.colour, 1.0 + 0.1 * noise(spot.u, spot.v, 3)),
        n if n % 2 == 0 => rough(look.accent, spot, 0.04),
        _ => rough(scaled(look.accent, 0.8), spot, 0.04),
    }
}

fn leaves(look: &BlockAppearance, spot: Spot) -> Option<Tone> {
    let fine = noise(spot.u, spot.v, spot.seed);
    let cluster = blotch(spot, 3, 3);
    let depth = fine * 0.6 + cluster * 0.4;
    // Below this depth one sees through.
    (depth > -0.42).then(|| scaled(look.colour, 0.85 + 0.35 * depth))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::{self as blocks, BlockId};

    fn face(block: BlockId, side: Side) -> Vec<Option<Tone>> {
        let look = BlockAppearance::of_block(block);
        let spots = (0..256).map(|i| Spot {
            side,
            u: i % 16,
            v: i / 16,
            seed: 7,
        });
        spots.map(|spot| texel(look, spot, 1.0)).collect()
    }

    #[test]
    fn no_texel_of_any_block_fails() {
        for block in BlockId::all() {
            for side in [Side::Top, Side::Bottom, Side::Wall] {
                assert_eq!(face(block, side).len(), 256);
            }
        }
    }

    #[test]
    fn ores_are_speckled_and_leaves_have_holes() {
        let blue = |tone: &&Option<Tone>| tone.is_some_and(|[r, _, b]| b > r + 0.2);
        let specks = face(blocks::DIAMOND_ORE, Side::Wall)
            .iter()
            .filter(blue)
            .count();
        assert!((10..80).contains(&specks), "{specks}");
        let holes = face(blocks::OAK_LEAVES, Side::Wall)
            .iter()
            .filter(|t| t.is_none())
            .count();
        assert!((10..110).contains(&holes), "{holes}");
        assert!(face(blocks::STONE, Side::Top).iter().all(Option::is_some));
    }
}
