//! Climate: which biome covers dry land, by warmth, wetness and variety.
//!
//! Invariant: boxes of biomes with a relief of their own do not overlap and come first, so that a
//! relief can fade to nothing at the border of its box and no cliff stands there.

use super::{Biome, Relief};
use crate::voxel::terrain::noise::smooth;

/// Colder than this, snow lies and water freezes.
pub(crate) const FREEZING: f32 = -0.42;
/// Seas warmer or colder than this have names of their own.
const WARM_SEA: f32 = 0.25;
const COLD_SEA: f32 = -0.2;
/// A relief is whole so far inside its box.
/// In units of the climate fields. A sharp border of the relief would be a cliff.
const FADE: f32 = 0.05;

/// Ranges of the three climate fields. The fields stay within -1 to 1, so 9 means no bound.
const ANY: [f32; 2] = [-9.0, 9.0];
const DRY: [f32; 2] = [-9.0, -0.12];
const WET: [f32; 2] = [0.0, 9.0];
const HOT: [f32; 2] = [0.30, 9.0];

/// The three fields that make a climate.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Climate {
    /// All three lie in about -1 to 1: cold to hot, dry to wet. Variety stands for nothing
    /// real; it lets neighbours of one climate differ.
    pub(crate) warmth: f32,
    pub(crate) wetness: f32,
    pub(crate) variety: f32,
}

/// A box of climates and the biome it holds.
struct Row {
    warmth: [f32; 2],
    wetness: [f32; 2],
    variety: [f32; 2],
    biome: Biome,
}

const fn row(warmth: [f32; 2], wetness: [f32; 2], variety: [f32; 2], biome: Biome) -> Row {
    Row {
        warmth,
        wetness,
        variety,
        biome,
    }
}

/// The first row that fits decides.
/// Rows with a relief of their own stand first and apart (see the header); the later rows
/// fill what is left.
const ROWS: [Row; 14] = [
    row(HOT, DRY, [-9.0, 0.08], Biome::Desert),
    row(HOT, DRY, [0.08, 9.0], Biome::Badlands),
    row(HOT, [-0.12, 0.10], ANY, Biome::Savanna),
    row([0.26, 9.0], [0.10, 9.0], ANY, Biome::Jungle),
    row([-0.1, 0.26], [0.22, 9.0], [-9.0, -0.02], Biome::Swamp),
    row([-9.0, FREEZING], [-9.0, 0.0], ANY, Biome::SnowyTundra),
    row([-9.0, FREEZING], WET, ANY, Biome::SnowyTaiga),
    row([-9.0, -0.22], ANY, ANY, Biome::Taiga),
    row(ANY, [0.22, 9.0], [-0.02, 0.25], Biome::DarkForest),
    row(ANY, WET, [0.25, 9.0], Biome::BirchForest),
    row(ANY, [0.0, 0.22], [-9.0, -0.35], Biome::FlowerForest),
    row(ANY, WET, ANY, Biome::Forest),
    row(ANY, [-9.0, 0.0], [0.33, 9.0], Biome::SunflowerPlains),
    row(ANY, ANY, ANY, Biome::Plains),
];

/// How far a value lies inside a range; negative outside.
fn inside([low, high]: [f32; 2], v: f32) -> f32 {
    (v - low).min(high - v)
}

impl Climate {
    /// The row that fits and how far inside it this climate lies.
    /// The margin is the smallest distance to any side of the box, so the relief fades at
    /// all of them.
    fn place(self) -> (Biome, f32) {
        for row in &ROWS {
            // One field outside is enough, and mostly the first.
            let warmth = inside(row.warmth, self.warmth);
            if warmth < 0.0 {
                continue;
            }
            let wetness = inside(row.wetness, self.wetness);
            if wetness < 0.0 {
                continue;
            }
            let margin = warmth.min(wetness).min(inside(row.variety, self.variety));
            if margin >= 0.0 {
                return (row.biome, margin);
            }
        }
        (Biome::Plains, 0.0)
    }

    /// The biome of dry, flat land.
    pub(crate) fn inland(self) -> Biome {
        let within = |[low, high]: [f32; 2], v: f32| low <= v && v <= high;
        let fits = |row: &&Row| {
            within(row.warmth, self.warmth)
                && within(row.wetness, self.wetness)
                && within(row.variety, self.variety)
        };
        ROWS.iter()
            .find(fits)
            .map_or(Biome::Plains, |row| row.biome)
    }

    /// The relief of flat land here and how much of it applies, 0..=1.
    pub(crate) fn relief(self) -> (Relief, f32) {
        let (biome, margin) = self.place();
        (biome.facts().relief, smooth(0.0, FADE, margin))
    }

    pub(crate) fn freezes(self) -> bool {
        self.warmth < FREEZING
    }

    pub(crate) fn ocean(self) -> Biome {
        match self.warmth {
            w if w < FREEZING => Biome::FrozenOcean,
            w if w < COLD_SEA => Biome::ColdOcean,
            w if w > WARM_SEA => Biome::WarmOcean,
            _ => Biome::Ocean,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::COMMON;
    use super::*;

    #[test]
    fn the_biome_alone_is_that_of_the_row_that_fits() {
        let mut rng = crate::rng::Rng::new(7);
        for _ in 0..5_000 {
            let mut draw = || rng.unit() as f32 * 2.0 - 1.0;
            let climate = Climate {
                warmth: draw(),
                wetness: draw(),
                variety: draw(),
            };
            assert_eq!(climate.inland(), climate.place().0, "{climate:?}");
        }
    }

    #[test]
    fn no_cliff_stands_at_the_border_of_a_relief() {
        let grid: Vec<f32> = (-40..=40).map(|i| i as f32 * 0.02).collect();
        let weight = |warmth, wetness, variety| {
            let here = Climate {
                warmth,
                wetness,
                variety,
            };
            let (relief, share) = here.relief();
            if relief == COMMON { 0.0 } else { share }
        };
        for (i, warmth) in grid.iter().enumerate().skip(1) {
            for wetness in &grid {
                for variety in [-0.5, 0.0, 0.07, 0.5] {
                    let step =
                        weight(*warmth, *wetness, variety) - weight(grid[i - 1], *wetness, variety);
                    assert!(step.abs() < 0.65, "at {warmth} {wetness} {variety}: {step}");
                }
            }
        }
    }
}
