//! Ores: blobs of ore and other rock in the stone, after the table of `world::ore`.
//!
//! A blob is a string of balls between two ends, as in the game. It belongs to the chunk of its
//! middle and is laid, clipped, into each chunk it reaches, zone by zone. Invariant: blobs follow from the seed
//! and their own chunk only; ores replace stone and nothing else, and no zone changes what another holds.

use super::super::section::{Sections, cell, column, section_of};
use super::biome::Biome;
use super::shape::TerrainRegion;
use crate::block::{self as blocks, BlockId};
use crate::ore::{Ore, Spread, ores};
use crate::rng::{Rng, Streams, hash3};
use crate::space::floor;
use std::sync::Arc;

/// From here on a blob is rock, not ore: fewer and bigger balls do.
/// In the units of the table. At this size the balls overlap so much that two of three can
/// be left out, which costs the blob a fifth of its blocks.
const ROCK_SIZE: u32 = 24;

/// Cells of a row that are looked at together; few balls are wider.
const WINDOW: usize = 8;

/// Unit vectors over a half turn, so that no platform's sine is asked.
const DIRECTIONS: [(f32, f32); 8] = [
    (1.0, 0.0),
    (0.924, 0.383),
    (0.707, 0.707),
    (0.383, 0.924),
    (0.0, 1.0),
    (-0.383, 0.924),
    (-0.707, 0.707),
    (-0.924, 0.383),
];

/// One kind of blob, ready for use.
#[derive(Debug, Clone)]
struct Vein {
    ore: &'static Ore,
    salt: u64,
    /// The land that it lies under; None: any.
    biome: Option<Biome>,
    /// How far a blob can reach from its middle.
    /// Half the string, the widest ball at its end, and two blocks for rounding.
    reach: i32,
}

/// All kinds of blobs of a seed.
#[derive(Debug, Clone)]
pub(crate) struct Ores(Arc<[Vein]>);

impl Ores {
    pub(crate) fn new(seed: u64) -> Self {
        let salt = Streams(seed).salt("ores");
        let vein = |(row, ore): (u64, &'static Ore)| Vein {
            ore,
            salt: crate::rng::mix(salt ^ row),
            biome: ore.biome.as_deref().and_then(Biome::named),
            reach: (ore.size / 8 + ore.size / 16 + 2) as i32,
        };
        Self((0..).zip(ores()).map(vein).collect())
    }

    /// The blobs that reach into a chunk.
    pub(crate) fn of_chunk(&self, chunk: (i32, i32), region: &TerrainRegion) -> Veins {
        let bound = self.0.iter().filter(|vein| vein.reaches_over());
        let mut biomes = bound.filter_map(|vein| vein.biome);
        let has_bound = biomes.any(|biome| region.has_biome(biome));
        Veins {
            kinds: self.clone(),
            chunk,
            ground: region.highest(),
            land: has_bound.then(|| Arc::new(region.clone())),
        }
    }
}

impl Vein {
    /// It is bound to a biome, and its blobs may stick out of their chunk.
    fn reaches_over(&self) -> bool {
        self.biome.is_some() && self.ore.size > 1
    }
}

/// All blobs that reach into a chunk.
#[derive(Debug, Clone)]
pub(crate) struct Veins {
    kinds: Ores,
    chunk: (i32, i32),
    /// Nothing above is stone.
    ground: i32,
    /// The land around, where blobs that are bound to a biome may reach in from a neighbour.
    land: Option<Arc<TerrainRegion>>,
}

impl Veins {
    /// Lays what of the blobs lies in those sections that are given, in the order of the table.
    /// Later rows may replace the rock of earlier ones, so the order of the table is part of
    /// the world.
    pub(crate) fn lay(&self, sections: &mut Sections, biomes: &[Biome; 256]) {
        let is_there = |section: &Option<_>| section.is_some();
        let (Some(low), Some(high)) = (
            sections.iter().position(is_there),
            sections.iter().rposition(is_there),
        ) else {
            return;
        };
        let (chunk_x, chunk_z) = self.chunk;
        let mut bed = Bed {
            sections,
            corner: (chunk_x * 16, chunk_z * 16),
            low: low as i32 * 16,
            high: (high as i32 * 16 + 15).min(self.ground),
        };
        if bed.low > bed.high {
            return;
        }
        for vein in &*self.kinds.0 {
            let Vein { ore, reach, .. } = vein;
            if ore.y_max + reach < bed.low || ore.y_min - reach > bed.high {
                continue;
            }
            // A reach is below 16 blocks, so the neighbours are enough.
            for cz in chunk_z - 1..=chunk_z + 1 {
                for cx in chunk_x - 1..=chunk_x + 1 {
                    let own = (cx, cz) == self.chunk;
                    if own || vein.biome.is_none() || self.land.is_some() && vein.reaches_over() {
                        let biome = |x, z| match own {
                            true => Some(biomes[column(x, z)]),
                            // What reaches in from a neighbour has its middle within the margin of the region.
                            false => self.land.as_ref().and_then(|land| land.biome_at(x, z)),
                        };
                        lay_from(vein, &mut bed, (cx, cz), biome);
                    }
                }
            }
        }
    }
}

/// The stone that blobs are laid into.
struct Bed<'a> {
    sections: &'a mut Sections,
    /// The lowest x and z.
    corner: (i32, i32),
    /// The heights that are laid.
    low: i32,
    high: i32,
}

impl Bed<'_> {
    /// The section that holds height `y`, if it is laid and not all air.
    #[inline]
    fn section(&mut self, y: i32) -> Option<&mut [BlockId; 4096]> {
        self.sections[section_of(y)].as_deref_mut()
    }
}

/// Lays the blobs of one kind whose middles lie in the chunk `from`.
fn lay_from(
    vein: &Vein,
    bed: &mut Bed<'_>,
    from: (i32, i32),
    biome: impl Fn(i32, i32) -> Option<Biome>,
) {
    let (ore, reach) = (vein.ore, vein.reach);
    let (x0, z0) = bed.corner;
    for n in 0..ore.per_chunk {
        let mut rng = Rng::new(hash3(vein.salt, from.0, n as i32, from.1));
        let at = rng.next_u64();
        let (x, z) = (
            from.0 * 16 + (at & 15) as i32,
            from.1 * 16 + (at >> 4 & 15) as i32,
        );
        let near = |v: i32, low: i32| v + reach >= low && v - reach < low + 16;
        // Most blobs of the neighbours are too far off: no height is drawn for them.
        if !near(x, x0) || !near(z, z0) {
            continue;
        }
        let y = height(ore, &mut rng);
        if y - reach > bed.high || y + reach < bed.low {
            continue;
        }
        if vein.biome.is_some() && vein.biome != biome(x, z) {
            continue;
        }
        blob(ore, bed, [x, y, z], &mut rng);
    }
}

/// The sum of two even draws is a triangle with its peak in the middle, as for lapis in the
/// game.
fn height(ore: &Ore, rng: &mut Rng) -> i32 {
    let span = (ore.y_max - ore.y_min + 1).unsigned_abs();
    let drawn = match ore.shape {
        Spread::Even => rng.below(u64::from(span)),
        Spread::Triangle => {
            let half = u64::from(span.div_ceil(2));
            rng.below(half) + rng.below(half)
        }
    };
    ore.y_min + drawn as i32
}

fn blob(ore: &Ore, bed: &mut Bed<'_>, middle: [i32; 3], rng: &mut Rng) {
    if ore.size == 1 {
        return place(ore, bed, middle);
    }
    let size = ore.size as f32;
    let (ux, uz) = DIRECTIONS[rng.below(8) as usize];
    let half = size / 8.0;
    // Both ends of the string lie up to two blocks below the drawn height and never above
    // it.
    let (dy0, dy1) = (rng.below(3) as f32 - 2.0, rng.below(3) as f32 - 2.0);
    let balls = if ore.size < ROCK_SIZE {
        ore.size
    } else {
        ore.size / 3
    };
    for n in 0..balls {
        let t = n as f32 / balls as f32;
        // A parabola stands in for the game's sine: thick in the middle, thin at the ends. The
        // divisor is the game's, so that a blob has as many blocks as there.
        let swell = rng.unit() as f32 * size / 16.0;
        let radius = ((4.0 * t * (1.0 - t) + 1.0) * swell + 1.0) / 2.0;
        let along = half * (1.0 - 2.0 * t);
        let centre = [
            middle[0] as f32 + ux * along,
            middle[1] as f32 + dy0 + (dy1 - dy0) * t,
            middle[2] as f32 + uz * along,
        ];
        ball(ore, bed, centre, radius);
    }
}

fn ball(ore: &Ore, bed: &mut Bed<'_>, c: [f32; 3], radius: f32) {
    let (x0, z0) = bed.corner;
    let near = |v: f32, low: i32| {
        f64::from(v + radius) >= f64::from(low) && f64::from(v - radius) < f64::from(low + 16)
    };
    if !near(c[0], x0) || !near(c[2], z0) {
        return;
    }
    let from = |v: f32| floor(f64::from(v - radius));
    let to = |v: f32| floor(f64::from(v + radius));
    let (west, east) = (from(c[0]).max(x0), to(c[0]).min(x0 + 15));
    let (north, south) = (from(c[2]).max(z0), to(c[2]).min(z0 + 15));
    // The depths of the ore bound the middle of its blobs, not what sticks out of them.
    let (low, high) = (from(c[1]).max(bed.low).max(1), to(c[1]).min(bed.high));
    if west > east || north > south || low > high {
        return;
    }
    let square = |v: i32, middle: f32| {
        let d = v as f32 + 0.5 - middle;
        d * d
    };
    let r2 = radius * radius;
    // Rows are gone through in windows of fixed width, which the compiler turns into vectors; a window that would leave
    // the chunk begins earlier, for whatever is not in the ball stays.
    let mut west = west;
    while west <= east {
        let start = west.min(x0 + 16 - WINDOW as i32);
        let across: [f32; WINDOW] = std::array::from_fn(|i| square(start + i as i32, c[0]));
        for y in low..=high {
            let up = square(y, c[1]);
            let Some(section) = bed.section(y) else {
                continue;
            };
            for z in north..=south {
                let along = square(z, c[2]);
                if along + up < r2 {
                    let from = cell(start, y, z);
                    if let Some(row) = section[from..].first_chunk_mut() {
                        turn(row, &across, along, up, r2, ore.block);
                    }
                }
            }
        }
        west = start + WINDOW as i32;
    }
}

/// Turns the rock of one row of cells to ore where it lies in the ball. No branch: whether a cell does cannot be foretold.
#[inline]
fn turn(
    row: &mut [BlockId; WINDOW],
    across: &[f32; WINDOW],
    along: f32,
    up: f32,
    r2: f32,
    ore: BlockId,
) {
    for (block, across) in row.iter_mut().zip(across) {
        let turns = (across + along + up < r2) & is_rock(*block);
        *block = if turns { ore } else { *block };
    }
}

/// Writes one block if it lies in the bed, within the depths of the ore, in rock.
fn place(ore: &Ore, bed: &mut Bed<'_>, [x, y, z]: [i32; 3]) {
    let (x0, z0) = bed.corner;
    let here = (x0..x0 + 16).contains(&x) && (z0..z0 + 16).contains(&z);
    let deep = (ore.y_min.max(1).max(bed.low)..=ore.y_max.min(bed.high)).contains(&y);
    if here
        && deep
        && let Some(section) = bed.section(y)
        && is_rock(section[cell(x, y, z)])
    {
        section[cell(x, y, z)] = ore.block;
    }
}

#[inline]
fn is_rock(block: BlockId) -> bool {
    (block == blocks::STONE)
        | (block == blocks::GRANITE)
        | (block == blocks::DIORITE)
        | (block == blocks::ANDESITE)
}
