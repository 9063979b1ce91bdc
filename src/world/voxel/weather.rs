//! Weather: clear skies, rain and thunder by turns, drawn from the seed, and where rain falls.
//!
//! Lengths are those of 1.16. What comes down in a place is its biome's affair. Invariant: same
//! seed, same ticks and sleeps, same weather; a stream is drawn from only when a spell ends.

use super::grid::Grid;
use super::terrain::biome::Falls;
use super::time;
use crate::observation::Weather;
use crate::rng::{Rng, Streams};
use crate::space::Pos;

/// Ticks until it rains and for which it does; the same for thunder, which comes only with rain.
/// In ticks: half a day to seven and a half days of dry weather, as in 1.16.
const DRY: (i64, i64) = (12_000, 180_000);
const WET: (i64, i64) = (12_000, 24_000);
const CALM: (i64, i64) = (12_000, 180_000);
const STORM: (i64, i64) = (3_600, 15_600);
/// An hour as dark as a thunderstorm at noon.
/// The sky is dark enough then for monsters.
const GLOOM: u32 = 13_600;

/// Something that comes and goes.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Spell {
    is_on: bool,
    left: u32,
}

/// The weather and when it changes.
#[derive(Debug, Clone)]
pub(super) struct Clouds {
    rain: Spell,
    thunder: Spell,
    chance: Rng,
}

impl Spell {
    fn off(chance: &mut Rng, lasts: (i64, i64)) -> Self {
        Self {
            is_on: false,
            left: chance.between(lasts.0, lasts.1) as u32,
        }
    }

    fn step(&mut self, chance: &mut Rng, off: (i64, i64), on: (i64, i64)) {
        // A draw only at the end of a spell, see the header.
        if self.left > 0 {
            self.left -= 1;
            return;
        }
        self.is_on = !self.is_on;
        let (low, high) = if self.is_on { on } else { off };
        self.left = chance.between(low, high) as u32;
    }
}

impl Clouds {
    pub(super) fn new(seed: u64) -> Self {
        let mut chance = Streams(seed).get("weather");
        Self {
            rain: Spell::off(&mut chance, DRY),
            // Two clocks run independently; thunder counts only while it rains.
            thunder: Spell::off(&mut chance, CALM),
            chance,
        }
    }

    pub(super) fn step(&mut self) {
        self.rain.step(&mut self.chance, DRY, WET);
        self.thunder.step(&mut self.chance, CALM, STORM);
    }

    pub(super) fn now(&self) -> Weather {
        match (self.rain.is_on, self.thunder.is_on) {
            (false, _) => Weather::Clear,
            (true, false) => Weather::Rain,
            (true, true) => Weather::Thunder,
        }
    }

    /// Who has slept through the night wakes to a clear morning.
    /// As in the game, sleeping ends rain and storm.
    pub(super) fn clear(&mut self) {
        if self.rain.is_on {
            self.rain = Spell::off(&mut self.chance, DRY);
            self.thunder = Spell::off(&mut self.chance, CALM);
        }
    }

    /// For test scenes: this weather from now on, for as long as it may last.
    pub(super) fn set(&mut self, weather: Weather) {
        let spell = |is_on, (_, left): (i64, i64)| Spell {
            is_on,
            left: left as u32,
        };
        self.rain = spell(weather != Weather::Clear, WET);
        self.thunder = spell(weather == Weather::Thunder, STORM);
    }

    /// Stands for what the weather is and will be.
    pub(super) fn state(&self) -> [u64; 3] {
        let bits = |spell: Spell| u64::from(spell.left) << 1 | u64::from(spell.is_on);
        [bits(self.rain), bits(self.thunder), self.chance.state()]
    }
}

/// What comes down on this cell: nothing in clear weather, under a roof or in dry land.
pub(super) fn falls_on(grid: &Grid, weather: Weather, at: Pos) -> Falls {
    if weather.is_clear() || !grid.sky_visible(at) {
        return Falls::Nothing;
    }
    grid.biome(at.x, at.z).falls()
}

/// Rain falls on this cell: under the open sky, where it does not snow or stay dry.
pub(super) fn rains_on(grid: &Grid, weather: Weather, at: Pos) -> bool {
    falls_on(grid, weather, at) == Falls::Rain
}

/// The hour by whose light monsters come: thunderclouds are as dark as dusk.
pub(super) fn hour_of_monsters(weather: Weather, hour: u32) -> u32 {
    if weather == Weather::Thunder && time::is_day(hour) {
        GLOOM
    } else {
        hour
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block as blocks;
    use crate::mob::MobKind;
    use crate::testing::{HERE, Scene};

    #[test]
    fn it_rains_by_turns_the_same_for_the_same_seed_and_thunders_only_in_rain() {
        let course = |seed| {
            let mut clouds = Clouds::new(seed);
            let mut changes = Vec::new();
            for tick in 0..1_500_000_u32 {
                let before = clouds.now();
                clouds.step();
                if clouds.now() != before {
                    changes.push((tick, clouds.now()));
                }
            }
            changes
        };
        let changes = course(7);
        assert_eq!(changes, course(7));
        assert_ne!(changes, course(8));
        let wet: u32 = changes
            .windows(2)
            .filter(|pair| pair[0].1.is_wet())
            .map(|pair| pair[1].0 - pair[0].0)
            .sum();
        // 18,000 ticks of 114,000 in the mean.
        assert!((75_000..450_000).contains(&wet), "{wet} {changes:?}");
    }

    #[test]
    fn a_storm_is_dark_enough_for_monsters_and_rain_is_not() {
        let dark = |weather| time::sky_light(hour_of_monsters(weather, 6000)) <= time::DARK_MAX;
        let all = [Weather::Clear, Weather::Rain, Weather::Thunder];
        assert_eq!(all.map(dark), [false, false, true]);
    }

    #[test]
    fn rain_puts_out_who_stands_in_the_open_and_spares_the_undead_the_sun() {
        let play = |weather, is_roofed| {
            let mut scene = Scene::new(&[]).mob(MobKind::Zombie, 20, 20);
            if is_roofed {
                scene = scene.with(0, 3, 0, blocks::STONE);
            }
            let mut sim = scene.sim;
            sim.set_weather(weather);
            sim.body.vitals.burning = 100;
            sim.body.vitals.hunger = 10;
            for _ in 0..100 {
                sim.step(&crate::voxel::controls::Controls::default());
            }
            let health = sim.mobs.iter().map(|mob| mob.health).next();
            (sim.body.vitals.health < 20.0, health < Some(20.0))
        };
        assert_eq!(play(Weather::Clear, false), (true, true));
        assert_eq!(play(Weather::Rain, false), (false, false));
        assert_eq!(play(Weather::Rain, true), (true, false));
    }

    #[test]
    fn rain_fills_cauldrons_and_keeps_fields_in_the_open() {
        let level = |weather, roof| {
            let mut scene = Scene::new(&[]).with(3, 0, 0, blocks::CAULDRON);
            scene = scene.with(-3, -1, 0, blocks::FARMLAND);
            for x in [-3, 3] {
                scene = scene.with(x, 4, 0, roof);
            }
            let mut sim = scene.sim;
            sim.growth.weather = weather;
            for _ in 0..800_000 {
                sim.growth.step(&mut sim.grid, HERE, 6000);
            }
            let field = sim.grid.block(HERE.plus(-3, -1, 0)) == blocks::FARMLAND;
            (sim.grid.stage(HERE.plus(3, 0, 0)).unwrap_or(0), field)
        };
        assert_eq!(level(Weather::Clear, blocks::AIR), (0, false));
        assert_eq!(level(Weather::Rain, blocks::STONE), (0, false));
        assert_eq!(level(Weather::Rain, blocks::AIR), (3, true));
    }
}
