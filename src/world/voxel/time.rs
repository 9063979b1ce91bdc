//! Time: the hour of the day, and how light it is at a place.
//!
//! Light is an approximation without stored light values: open sky, else openings and lamps near
//! by. Invariant: a pure function of time and blocks; never more than 15.

use super::chunk::{Chunk, Y_MAX};
use super::grid::Grid;
use super::lamps::luminance;
use crate::clock::TICKS_PER_DAY;
use crate::space::Pos;
use std::ops::RangeInclusive;

/// The darkest the sky gets.
/// Moonlight, in the game's levels of 0 to 15.
pub const NIGHT_LIGHT: u8 = 4;
/// At this light and below, monsters appear.
/// The rule up to 1.17; later versions need full darkness.
pub const DARK_MAX: u8 = 7;
/// No lamp gives more light.
const LIGHT_MOST: u8 = 15;
/// Where lamps are looked for, around what grows and what spawns; a torch is down to 7 there.
const LAMP_BOX: LampBox = LampBox {
    side: 7,
    below: 2,
    above: 3,
};
/// Where they are looked for by eyes, which make do with less: the light of lava is down to 3 there.
const LAMP_BOX_OF_EYES: LampBox = LampBox {
    side: 12,
    below: 12,
    above: 12,
};
/// Columns away at which an opening to the sky is looked for.
/// In blocks; each costs that much light.
const OPENINGS: [i32; 2] = [2, 5];

/// Blocks around a place.
#[derive(Debug, Clone, Copy)]
struct LampBox {
    side: i32,
    below: i32,
    above: i32,
}

/// The time of day at a tick, 0..24000; 0 is sunrise.
#[must_use]
pub fn time_of_day(tick: u64) -> u32 {
    (tick % TICKS_PER_DAY) as u32
}

/// Light of the open sky, 4..=15: full by day, falling through dusk from 12000 to 13670, rising
/// from 22330 on.
#[must_use]
pub fn sky_light(time: u32) -> u8 {
    /// Ticks of the day. Night is when the sky is at its darkest.
    const DUSK: u32 = 12_000;
    const NIGHT: u32 = 13_670;
    const DAWN: u32 = 22_330;
    const SPAN: u32 = NIGHT - DUSK;
    let steps = u32::from(15 - NIGHT_LIGHT);
    let lost = match time % TICKS_PER_DAY as u32 {
        0..DUSK => 0,
        t @ DUSK..NIGHT => (t - DUSK) * steps / SPAN,
        NIGHT..DAWN => steps,
        t => steps - (t - DAWN) * steps / SPAN,
    };
    15 - lost.min(steps) as u8
}

/// True while zombies burn under the open sky.
#[must_use]
pub fn is_day(time: u32) -> bool {
    // By this rule the day ends near tick 12,600, a third of the way through dusk.
    sky_light(time) >= 12
}

/// The light at a place, 0..=15.
#[must_use]
pub fn light_at(grid: &Grid, pos: Pos, time: u32) -> u8 {
    light_by(grid, pos, time, LAMP_BOX)
}

/// The light at a place as far as it matters to eyes: that of lamps farther off, too.
#[cfg(test)]
pub(crate) fn light_for_eyes(grid: &Grid, pos: Pos, time: u32) -> u8 {
    light_by(grid, pos, time, LAMP_BOX_OF_EYES)
}

/// Whether there is at least so much light for eyes. Lamps are not asked for if the sky is enough.
pub(crate) fn is_light_for_eyes(grid: &Grid, pos: Pos, time: u32, least: u8) -> bool {
    is_light_from_sky(grid, pos, time, least) || is_lit_by_lamp(grid, pos, least)
}

/// Whether the sky alone gives so much light.
pub(crate) fn is_light_from_sky(grid: &Grid, pos: Pos, time: u32, least: u8) -> bool {
    if grid.sky_lit(pos) {
        return sky_light(time) >= least;
    }
    light_from_sky(grid, pos, time) >= least
}

fn light_by(grid: &Grid, pos: Pos, time: u32, lamps: LampBox) -> u8 {
    if grid.sky_lit(pos) {
        return sky_light(time);
    }
    light_from_sky(grid, pos, time).max(lamp_light(grid, pos, lamps))
}

/// Light that comes in sideways from a place in the open at the same height.
fn light_from_sky(grid: &Grid, pos: Pos, time: u32) -> u8 {
    for away in OPENINGS {
        let open = [(away, 0), (-away, 0), (0, away), (0, -away)]
            .iter()
            .any(|(dx, dz)| grid.sky_lit(pos.plus(*dx, 0, *dz)));
        if open {
            return sky_light(time).saturating_sub(away as u8);
        }
    }
    0
}

/// Light of lamps in a box around the place, less their distance along the axes.
fn lamp_light(grid: &Grid, pos: Pos, lamps: LampBox) -> u8 {
    let (west, east) = (pos.x - lamps.side, pos.x + lamps.side);
    let (north, south) = (pos.z - lamps.side, pos.z + lamps.side);
    let (low, high) = (
        (pos.y - lamps.below).max(0),
        (pos.y + lamps.above).min(Y_MAX),
    );
    let mut light = 0;
    for (cz, cx) in
        (north >> 4..=south >> 4).flat_map(|z| (west >> 4..=east >> 4).map(move |x| (z, x)))
    {
        let Some(chunk) = grid.chunk(cx, cz) else {
            continue;
        };
        let within = |corner: i32, low: i32, high: i32| low.max(corner)..=high.min(corner + 15);
        let (x, z) = (within(cx << 4, west, east), within(cz << 4, north, south));
        // Most sections hold no lamp at all.
        let sections = (low >> 4..=high >> 4).filter(|at| chunk.has_lamps(at << 4));
        for y in sections.flat_map(|at| within(at << 4, low, high)) {
            let mut rows = chunk.lamp_rows(y) & bits(z.clone());
            while rows != 0 {
                let at = (cz << 4) + rows.trailing_zeros() as i32;
                light = light.max(lamp_light_of_row(grid, pos, x.clone(), y, at));
                rows &= rows - 1;
            }
        }
    }
    light
}

/// Whether the light of a lamp among those that eyes see by is still so much at the place.
pub(crate) fn is_lit_by_lamp(grid: &Grid, pos: Pos, least: u8) -> bool {
    let reach = i32::from(LIGHT_MOST.saturating_sub(least)).min(LAMP_BOX_OF_EYES.side);
    let chunks = |v: i32| (v - reach) >> 4..=(v + reach) >> 4;
    let sections = ((pos.y - reach).max(0) >> 4)..=((pos.y + reach).min(Y_MAX) >> 4);
    chunks(pos.z).any(|cz| {
        chunks(pos.x).any(|cx| {
            grid.chunk(cx, cz).is_some_and(|chunk| {
                let corner = Pos::new(cx << 4, 0, cz << 4);
                let mut lit = sections.clone().filter(|at| chunk.has_lamps(at << 4));
                lit.any(|at| {
                    let corner = corner.plus(0, at << 4, 0);
                    shines_on(chunk, corner, pos, least)
                })
            })
        })
    })
}

/// Whether a lamp of the section at this corner gives a place so much light. Only those are asked that are near enough.
fn shines_on(chunk: &Chunk, corner: Pos, pos: Pos, least: u8) -> bool {
    let reach = i32::from(LIGHT_MOST.saturating_sub(least)).min(LAMP_BOX_OF_EYES.side);
    let Some(lamps) = chunk.lamps(corner.y) else {
        return false;
    };
    let low = corner.y.max(pos.y - reach);
    let high = (corner.y + 15).min(pos.y + reach);
    (low..=high).any(|y| {
        let left = reach - (y - pos.y).abs();
        each_bit(lamps.layer(y) & bits_near(pos.z - corner.z, left)).any(|dz| {
            let at = corner.z + dz;
            let near = bits_near(pos.x - corner.x, left - (at - pos.z).abs());
            each_bit(lamps.row(y, at) & near).any(|dx| {
                let lamp = Pos::new(corner.x + dx, y, at);
                // No vein shines, so none need be laid to ask.
                let shine = luminance()[usize::from(chunk.rock(lamp.x, y, at).row())];
                i32::from(shine) - lamp.manhattan(pos) >= i32::from(least)
            })
        })
    })
}

/// The bits that are set, from the lowest up.
fn each_bit(mut bits: u16) -> impl Iterator<Item = i32> {
    std::iter::from_fn(move || {
        (bits != 0).then(|| {
            let at = bits.trailing_zeros() as i32;
            bits &= bits - 1;
            at
        })
    })
}

/// One bit for each coordinate of a chunk that is at most so far from a place, which may be outside.
fn bits_near(at: i32, far: i32) -> u16 {
    let (low, high) = ((at - far).max(0), (at + far).min(15));
    if low > high { 0 } else { bits(low..=high) }
}

/// One bit for each of these coordinates within their chunk.
fn bits(z: RangeInclusive<i32>) -> u16 {
    let (from, to) = (z.start() & 15, z.end() & 15);
    (u16::MAX << from) & (u16::MAX >> (15 - to))
}

/// Light falls by one for each block along the axes, as in the game; walls between are not considered.
fn lamp_light_of_row(grid: &Grid, pos: Pos, x: RangeInclusive<i32>, y: i32, z: i32) -> u8 {
    let luminance = luminance();
    let row = (*x.start()..).zip(grid.row(x, y, z));
    row.fold(0, |light, (at, block)| {
        let away = pos.manhattan(Pos::new(at, y, z)) as u8;
        light.max(luminance[usize::from(block.row())].saturating_sub(away))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block as blocks;

    #[test]
    fn nights_are_dark_and_days_are_bright() {
        let lights = [0, 6000, 12_000, 13_000, 13_670, 18_000, 22_330, 23_999].map(sky_light);
        assert_eq!(lights, [15, 15, 15, 9, 4, 4, 4, 14]);
        assert!(is_day(time_of_day(24_000 + 1000)) && !is_day(18_000));
    }

    #[test]
    fn a_sealed_room_is_dark_until_a_torch_stands_in_it() {
        let mut grid = Grid::flat(60);
        grid.ensure_around(Pos::default(), 1);
        let room = Pos::new(8, 30, 8);
        grid.set(room, blocks::AIR);
        assert_eq!(light_at(&grid, room, 6000), 0);
        assert_eq!(light_at(&grid, Pos::new(8, 61, 8), 6000), 15);
        grid.set(room.plus(3, 0, 0), blocks::TORCH);
        assert_eq!(light_at(&grid, room, 6000), 11);
    }

    #[test]
    fn eyes_see_by_lamps_that_are_too_far_for_what_grows() {
        let mut grid = Grid::flat(60);
        // Where chunks and sections meet, so that the lamp lies in others than the place.
        let place = Pos::new(15, 31, 15);
        grid.ensure_around(place, 1);
        let lights = |grid: &Grid| [light_at, light_for_eyes].map(|light| light(grid, place, 6000));
        for (lamp, (x, y, z), expected) in [
            (blocks::TORCH, (11, 0, 0), [0, 3]),
            (blocks::TORCH, (0, 3, -8), [0, 3]),
            (blocks::TORCH, (2, -6, 1), [0, 5]),
            (blocks::TORCH, (-3, 2, 1), [8, 8]),
            (blocks::LAVA, (0, -12, 0), [0, 3]),
            (blocks::LAVA, (0, 0, 13), [0, 0]),
        ] {
            let at = place.plus(x, y, z);
            let rock = grid.block(at);
            grid.set(at, lamp);
            assert_eq!(lights(&grid), expected, "{lamp} at {x} {y} {z}");
            for least in 3..=9 {
                let is_lit = is_lit_by_lamp(&grid, place, least);
                assert_eq!(is_lit, expected[1] >= least, "{lamp}, {least}");
            }
            grid.set(at, rock);
        }
    }
}
