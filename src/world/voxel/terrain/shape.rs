//! Shape: how high the ground is and which biome covers it, column by column.
//!
//! Slow fields are computed on a lattice of four blocks and blended; the finest bumps per column.
//! Invariant: `column` and `region` give the same answer for the same column, to the bit.

use super::biome::Biome;
use super::biome::climate::Climate;
use super::noise::{Noise, lerp, smooth};
use crate::space::floor;

/// y of the highest water block of oceans and rivers.
pub const SEA_LEVEL: i32 = 62;
/// Columns around a chunk that are computed with it: as far as a tree's leaves reach over.
pub(crate) const MARGIN: i32 = 4;
/// Columns along one side of a region.
pub(crate) const REGION: i32 = 16 + 2 * MARGIN;
/// Blocks between two points at which the slow fields are computed.
const LATTICE: i32 = 4;
/// One point more than cells, because the last cell needs its far corner.
const POINTS: usize = (REGION / LATTICE) as usize + 1;

/// Height of the ground over continentalness.
/// Pairs of continentalness and y, ascending; heights between two pairs are interpolated.
/// The gentle part between -0.40 and -0.34 is the beach.
const COAST: &[(f32, f32)] = &[
    (-1.0, 34.0),
    (-0.62, 42.0),
    (-0.48, 54.0),
    (-0.40, 61.5),
    (-0.34, 64.0),
    (-0.10, 66.5),
    (0.30, 70.0),
    (1.00, 76.0),
];
/// Below this continentalness lies the sea.
const SHORE: f32 = -0.39;
/// Below this continentalness lone islands may rise, to this height.
const ISLE_FROM: f32 = -0.46;
const ISLE_HEIGHT: f32 = 67.5;

/// How far from the middle of a river, in its field, its bed begins to rise, its water ends, its banks do and its valley
/// does: a valley is as wide as ten to fifteen blocks to each side, so that its slopes can be walked.
const DEEP: f32 = 0.016;
const WATERSIDE: f32 = 0.036;
const BANKS: f32 = 0.058;
const VALLEY: f32 = 0.15;
/// The ground in the middle of a river, five blocks under the surface, and at its water.
const RIVER_BED: f32 = 57.0;
const WATERLINE: f32 = 62.4;

/// The ground of one column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TerrainColumn {
    /// y of the highest ground block; water, if any, stands above it.
    pub height: i32,
    pub biome: Biome,
}

/// The fields from which land is made.
/// Each field has its own salt and wave length. Long waves make regions, short ones make
/// shapes within them.
#[derive(Debug, Clone)]
pub(crate) struct Landscape {
    continent: Noise,
    rough: Noise,
    hill: Noise,
    peak: Noise,
    ridge: Noise,
    river: Noise,
    warmth: Noise,
    wetness: Noise,
    variety: Noise,
    /// Lone islands in the sea.
    isle: Noise,
    bump: Noise,
}

/// What the ground at one lattice point is made from.
#[derive(Debug, Clone, Copy)]
struct Fields {
    continent: f32,
    rough: f32,
    hill: f32,
    peak: f32,
    river: f32,
    climate: Climate,
}

/// The ground at one lattice point.
/// Everything here is interpolated between lattice points, so it may not change faster than
/// the lattice.
#[derive(Debug, Clone, Copy)]
struct Slow {
    continent: f32,
    ground: f32,
    mountain: f32,
    river: f32,
    isle: f32,
    climate: Climate,
}

impl Slow {
    /// All fields in a row: what is done to each of them alike, the compiler does to several at once.
    fn lanes(&self) -> [f32; 8] {
        let Climate {
            warmth,
            wetness,
            variety,
        } = self.climate;
        [
            self.continent,
            self.ground,
            self.mountain,
            self.river,
            self.isle,
            warmth,
            wetness,
            variety,
        ]
    }

    /// The fields at a place between four corners, north-west first, row by row.
    #[inline]
    fn blend(corners: &[Self; 4], u: f32, w: f32) -> Self {
        let [a, b, c, d] = corners.each_ref().map(Self::lanes);
        let [
            continent,
            ground,
            mountain,
            river,
            isle,
            warmth,
            wetness,
            variety,
        ] = std::array::from_fn(|i| lerp(lerp(a[i], b[i], u), lerp(c[i], d[i], u), w));
        Self {
            continent,
            ground,
            mountain,
            river,
            isle,
            climate: Climate {
                warmth,
                wetness,
                variety,
            },
        }
    }
}

impl Landscape {
    pub(crate) fn new(seed: u64) -> Self {
        let field =
            |purpose: &str, wave: f64, octaves: u32| Noise::new(seed, purpose, wave, octaves);
        Self {
            continent: field("continent", 620.0, 3),
            rough: field("rough", 260.0, 1),
            hill: field("hill", 90.0, 3),
            peak: field("peak", 420.0, 2),
            ridge: field("ridge", 110.0, 3),
            river: field("river", 380.0, 2),
            warmth: field("warmth", 600.0, 2),
            wetness: field("wetness", 540.0, 2),
            variety: field("variety", 440.0, 1),
            isle: field("isle", 230.0, 1),
            bump: field("bump", 18.0, 2),
        }
    }

    /// The fields that are always asked for, at a square of lattice points, row by row.
    fn fields<const SIDE: usize, const N: usize>(&self, x0: i32, z0: i32) -> [Fields; N] {
        let all = |noise: &Noise| noise.square::<SIDE, N>((x0, z0), LATTICE);
        let (continent, rough, hill) = (all(&self.continent), all(&self.rough), all(&self.hill));
        let (peak, river) = (all(&self.peak), all(&self.river));
        let (warmth, wetness) = (all(&self.warmth), all(&self.wetness));
        let variety = all(&self.variety);
        std::array::from_fn(|at| Fields {
            continent: continent[at],
            rough: rough[at],
            hill: hill[at],
            peak: peak[at],
            river: river[at],
            climate: Climate {
                warmth: warmth[at],
                wetness: wetness[at],
                variety: variety[at],
            },
        })
    }

    fn slow(&self, x: i32, z: i32, fields: &Fields) -> Slow {
        let (continent, climate) = (fields.continent, fields.climate);
        // 0 at the coast and 1 inland: hills, mountains and reliefs fade out towards the
        // sea, which keeps beaches flat.
        let inland = smooth(-0.34, -0.10, continent);
        let rolling = 2.5 + 12.0 * smooth(-0.2, 0.6, fields.rough);
        let mountain = smooth(0.22, 0.52, fields.peak) * inland;
        let (relief, share) = climate.relief();
        let share = share * inland;
        let hills = lerp(1.0, relief.hills, share) * rolling * (0.25 + 0.75 * inland);
        let mut ground = over(COAST, continent) + fields.hill * hills;
        ground = lerp(ground, relief.level, relief.pull * share);
        if relief.mesas > 0.0 && share > 0.0 {
            ground += share * relief.mesas * self.table_land(x, z);
        }
        if mountain > 0.0 {
            // The absolute value folds the field along its zero lines, and one minus it
            // makes those lines crests.
            let crest = 1.0 - self.ridge.flat(x, z).abs();
            ground += mountain * (14.0 + 46.0 * crest * crest);
        }
        let isle = self.isle_at(x, z, continent);
        ground = lerp(ground, ISLE_HEIGHT, isle);
        Slow {
            continent,
            ground,
            mountain,
            river: fields.river,
            isle,
            climate,
        }
    }

    /// Two steep steps with flat land on each: 0, 0.5 and 1.
    fn table_land(&self, x: i32, z: i32) -> f32 {
        let field = self.ridge.flat(x, z);
        0.5 * (smooth(0.02, 0.10, field) + smooth(0.28, 0.36, field))
    }

    /// How much of a lone island is here, far from all coasts.
    fn isle_at(&self, x: i32, z: i32, continent: f32) -> f32 {
        let off_shore = 1.0 - smooth(ISLE_FROM - 0.06, ISLE_FROM, continent);
        if off_shore > 0.0 {
            off_shore * smooth(0.42, 0.68, self.isle.flat(x, z))
        } else {
            0.0
        }
    }

    /// The ground of any column.
    pub(crate) fn column(&self, x: i32, z: i32) -> TerrainColumn {
        let (px, pz) = (x & !(LATTICE - 1), z & !(LATTICE - 1));
        let fields = self.fields::<2, 4>(px, pz);
        let corners = std::array::from_fn(|i| {
            let (dx, dz) = (i as i32 & 1, i as i32 >> 1);
            self.slow(px + dx * LATTICE, pz + dz * LATTICE, &fields[i])
        });
        // Only the bumps are finer than the lattice and are asked per column.
        Self::decide(x, z, &corners, self.bump.flat(x, z))
    }

    /// The ground of a chunk and `MARGIN` columns around it.
    pub(crate) fn region(&self, chunk_x: i32, chunk_z: i32) -> TerrainRegion {
        let (x0, z0) = (chunk_x * 16 - MARGIN, chunk_z * 16 - MARGIN);
        let fields = self.fields::<POINTS, { POINTS * POINTS }>(x0, z0);
        let slow: [[Slow; POINTS]; POINTS] = std::array::from_fn(|j| {
            std::array::from_fn(|i| {
                let (x, z) = (x0 + i as i32 * LATTICE, z0 + j as i32 * LATTICE);
                self.slow(x, z, &fields[j * POINTS + i])
            })
        });
        let bumps = self
            .bump
            .square::<{ REGION as usize }, { (REGION * REGION) as usize }>((x0, z0), 1);
        let empty = TerrainColumn {
            height: 0,
            biome: Biome::Plains,
        };
        let mut columns = [empty; (REGION * REGION) as usize];
        for (at, column) in (0_i32..).zip(columns.iter_mut()) {
            let (dx, dz) = (at % REGION, at / REGION);
            let (i, j) = ((dx / LATTICE) as usize, (dz / LATTICE) as usize);
            let corners = [
                slow[j][i],
                slow[j][i + 1],
                slow[j + 1][i],
                slow[j + 1][i + 1],
            ];
            *column = Self::decide(x0 + dx, z0 + dz, &corners, bumps[at as usize]);
        }
        TerrainRegion { x0, z0, columns }
    }

    /// The order of the biomes matters: islands before seas, seas before rivers, beaches
    /// before mountains.
    fn decide(x: i32, z: i32, corners: &[Slow; 4], bump: f32) -> TerrainColumn {
        let (u, w) = (
            (x & (LATTICE - 1)) as f32 * 0.25,
            (z & (LATTICE - 1)) as f32 * 0.25,
        );
        let Slow {
            continent,
            ground,
            mountain,
            river,
            isle,
            climate,
        } = Slow::blend(corners, u, w);
        let mut ground = ground + bump * (1.0 + 2.0 * mountain);
        // A river is where its field crosses zero: 1 in the middle, 0 beyond its water.
        let mut stream = 0.0;
        let off = river.abs();
        if off < VALLEY {
            stream = 1.0 - smooth(DEEP, BANKS, off);
            let valley = 1.0 - smooth(WATERSIDE, VALLEY, off);
            let lowered = valley * smooth(-0.42, -0.36, continent);
            let floor_of_valley = lerp(RIVER_BED, WATERLINE, smooth(DEEP, WATERSIDE, off));
            // Ground that is already lower is not raised.
            if lowered > 0.0 && ground > floor_of_valley {
                ground = lerp(ground, floor_of_valley, lowered);
            }
        }
        // Above the floor of the world with room for caves, and low enough for trees under
        // the ceiling of 255.
        let height = floor(f64::from(ground)).clamp(20, 180);
        let biome = if height >= SEA_LEVEL && isle > 0.5 {
            Biome::MushroomFields
        } else if continent < SHORE && height < SEA_LEVEL {
            climate.ocean()
        } else if stream > 0.45 && height <= SEA_LEVEL {
            either(climate, Biome::River, Biome::FrozenRiver)
        } else if continent < -0.33 && height <= SEA_LEVEL + 3 {
            either(climate, Biome::Beach, Biome::SnowyBeach)
        } else if mountain > 0.35 {
            Biome::Mountains
        } else {
            climate.inland()
        };
        TerrainColumn { height, biome }
    }
}

fn either(climate: Climate, mild: Biome, frozen: Biome) -> Biome {
    if climate.freezes() { frozen } else { mild }
}

/// The value of a line of points at `v`.
fn over(line: &[(f32, f32)], v: f32) -> f32 {
    let after = line
        .iter()
        .position(|(at, _)| v < *at)
        .unwrap_or(line.len());
    // Beyond either end of the line the value stays that of the end.
    if after == 0 || after == line.len() {
        return line[after.min(line.len() - 1)].1;
    }
    let ((from, low), (to, high)) = (line[after - 1], line[after]);
    lerp(low, high, (v - from) / (to - from))
}

/// The ground of a chunk and a margin around it.
#[derive(Debug, Clone)]
pub(crate) struct TerrainRegion {
    x0: i32,
    z0: i32,
    columns: [TerrainColumn; (REGION * REGION) as usize],
}

impl TerrainRegion {
    /// A column of the region, by world coordinates.
    #[inline]
    pub(crate) fn column(&self, x: i32, z: i32) -> TerrainColumn {
        self.columns[((z - self.z0) * REGION + (x - self.x0)) as usize]
    }

    /// The biome of a column, if the region holds it.
    pub(crate) fn biome_at(&self, x: i32, z: i32) -> Option<Biome> {
        let is_within = |v: i32, low: i32| (low..low + REGION).contains(&v);
        (is_within(x, self.x0) && is_within(z, self.z0)).then(|| self.column(x, z).biome)
    }

    /// Some column of it has this biome.
    pub(crate) fn has_biome(&self, biome: Biome) -> bool {
        self.columns.iter().any(|column| column.biome == biome)
    }

    /// The biomes of the chunk, row by row.
    pub(crate) fn biomes(&self) -> [Biome; 256] {
        std::array::from_fn(|at| {
            let (x, z) = (MARGIN + (at as i32 & 15), MARGIN + (at as i32 >> 4));
            self.columns[(z * REGION + x) as usize].biome
        })
    }

    /// The lowest ground of a column and its eight neighbours.
    pub(crate) fn lowest_around(&self, x: i32, z: i32) -> i32 {
        (-1..=1)
            .flat_map(|dz| (-1..=1).map(move |dx| (dx, dz)))
            .fold(i32::MAX, |low, (dx, dz)| {
                low.min(self.column(x + dx, z + dz).height)
            })
    }

    /// The same for all columns of the chunk, row by row.
    pub(crate) fn lowest_around_all(&self) -> [i32; 256] {
        const WIDE: usize = REGION as usize;
        let first = MARGIN as usize;
        // Three in a row first, then three rows.
        let rows: [[i32; 16]; 18] = std::array::from_fn(|j| {
            let row = &self.columns[(first + j - 1) * WIDE..][..WIDE];
            std::array::from_fn(|i| {
                let height = |at: usize| row[first + i + at - 1].height;
                height(0).min(height(1)).min(height(2))
            })
        });
        std::array::from_fn(|at| {
            let (i, j) = (at & 15, at >> 4);
            rows[j][i].min(rows[j + 1][i]).min(rows[j + 2][i])
        })
    }

    /// The highest ground of the chunk and its margin.
    pub(crate) fn highest(&self) -> i32 {
        self.columns
            .iter()
            .fold(0, |high, column| high.max(column.height))
    }
}

#[cfg(test)]
mod tests {
    use super::super::biome::FACTS;
    use super::*;

    #[test]
    fn a_column_is_the_same_alone_and_in_every_region_that_holds_it() {
        let land = Landscape::new(7);
        let (a, b) = (land.region(2, -3), land.region(3, -3));
        for z in -48..-32 {
            for x in 44..52 {
                assert_eq!(a.column(x, z), land.column(x, z));
                assert_eq!(a.column(x, z), b.column(x, z));
            }
        }
    }

    #[test]
    fn the_lowest_around_is_that_of_each_column() {
        let region = Landscape::new(7).region(-4, 9);
        for (at, low) in (0..).zip(region.lowest_around_all()) {
            let (x, z) = (-64 + (at & 15), 144 + (at >> 4));
            assert_eq!(low, region.lowest_around(x, z));
        }
    }

    /// Shares of biomes in 1/1000 on a lattice that reaches so far from 0,0.
    fn shares(seed: u64, reach: i32) -> [u32; FACTS.len()] {
        let land = Landscape::new(seed);
        let mut seen = [0; FACTS.len()];
        for at in 0..160 * 160 {
            let place = |i: i32| (i - 80) * (reach / 80);
            seen[land.column(place(at % 160), place(at / 160)).biome as usize] += 1;
        }
        seen
    }

    #[test]
    fn every_biome_occurs_within_a_long_walk() {
        for seed in [3, 7, 11, 19] {
            let seen = shares(seed, 3000);
            for facts in &FACTS {
                let n = seen[facts.biome as usize];
                assert!(n > 0, "seed {seed}: no {}", facts.name);
            }
        }
    }
}
