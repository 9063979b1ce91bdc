//! Sky: what is seen where no block is: colour by the hour and the weather, sun, moon, stars, clouds,
//! and the rain or snow in front of everything.
//!
//! The sun rises in the east (+x) at 0, stands above at 6000 and sets in the west at 12000.
//! Invariant: a pure function of hour, weather and direction.

use super::super::terrain::biome::Falls;
use super::super::time;
use super::appearance::{Tone, blend, scaled};
use crate::observation::Weather;
use crate::rng::hash3;

/// Colours of the sky as red, green and blue from 0 to 1, chosen by eye.
const DAY_ZENITH: Tone = [0.36, 0.58, 0.96];
const DAY_HORIZON: Tone = [0.70, 0.82, 0.98];
const NIGHT_ZENITH: Tone = [0.012, 0.016, 0.045];
const NIGHT_HORIZON: Tone = [0.04, 0.05, 0.10];
const CLOUDY: Tone = [0.52, 0.55, 0.60];
const RAIN: Tone = [0.62, 0.70, 0.86];
const SNOW: Tone = [0.96, 0.97, 1.0];
/// Salt of what falls.
const FALLING: u64 = 0x7261_696e;
const GLOW: Tone = [0.98, 0.50, 0.20];
const SUN: Tone = [1.0, 0.98, 0.86];
const MOON: Tone = [0.84, 0.87, 0.93];
/// Half the side of the discs, as a tangent.
const SUN_SIZE: f32 = 0.075;
const MOON_SIZE: f32 = 0.055;
/// Height of the clouds, and the side of one of their squares.
const CLOUD_Y: f32 = 160.0;
const CLOUD_SIDE: f32 = 12.0;

/// The sky of one moment, seen from one place.
#[derive(Debug, Clone)]
pub(crate) struct Sky {
    /// 0 at night, 1 by day.
    day: f32,
    /// 1 while the sun is at the horizon.
    glow: f32,
    sun: [f32; 3],
    /// The eye, for the clouds.
    eye: [f32; 3],
    /// How much of the sky is cloud: 0 clear, 1 a thunderstorm.
    grey: f32,
    falls: Falls,
}

impl Sky {
    pub(crate) fn new(hour: u32, (weather, falls): (Weather, Falls), eye: [f32; 3]) -> Self {
        let angle = hour as f32 / 24_000.0 * std::f32::consts::TAU;
        let sun = [angle.cos(), angle.sin(), 0.0];
        let dark = f32::from(time::NIGHT_LIGHT);
        let day = (f32::from(time::sky_light(hour)) - dark) / (15.0 - dark);
        Self {
            day,
            glow: (1.0 - sun[1].abs() / 0.3).max(0.0),
            sun,
            eye,
            grey: match weather {
                Weather::Clear => 0.0,
                Weather::Rain => 0.75,
                Weather::Thunder => 1.0,
            },
            falls,
        }
    }

    /// How bright the open sky makes things.
    pub(crate) fn brightness(&self) -> f32 {
        0.16 + 0.84 * self.day * (1.0 - 0.45 * self.grey)
    }

    /// The colour in which the land ends in a direction.
    pub(crate) fn horizon(&self, along: [f32; 3]) -> Tone {
        self.air([along[0], along[1].clamp(0.0, 0.04), along[2]])
    }

    fn air(&self, along: [f32; 3]) -> Tone {
        let up = along[1].max(0.0).sqrt();
        let day = blend(DAY_HORIZON, DAY_ZENITH, up);
        let night = blend(NIGHT_HORIZON, NIGHT_ZENITH, up);
        let plain = blend(night, day, self.day);
        let cloudy = scaled(CLOUDY, (0.1 + 0.9 * self.day) * (1.2 - 0.6 * self.grey));
        let plain = blend(plain, cloudy, self.grey);
        let towards = (along[0] * self.sun[0].signum()).max(0.0);
        blend(
            plain,
            GLOW,
            (1.0 - self.grey) * self.glow * towards * towards * (1.0 - up).max(0.0) * 0.75,
        )
    }

    /// The colour in a direction of length one.
    pub(crate) fn colour(&self, along: [f32; 3]) -> Tone {
        let mut colour = self.air(along);
        if self.grey > 0.0 {
            // Neither sun nor stars come through.
            return colour;
        }
        if along[1] > -0.05 && self.day < 0.6 && is_star(along) {
            colour = blend(colour, [0.85; 3], (1.0 - self.day) * 0.8);
        }
        colour = self.disc(colour, along, self.sun, SUN_SIZE, SUN);
        colour = self.disc(colour, along, self.sun.map(|v| -v), MOON_SIZE, MOON);
        let cover = self.cloud(along);
        let white = scaled([0.97, 0.98, 1.0], 0.12 + 0.88 * self.day);
        blend(colour, blend(white, GLOW, self.glow * 0.25), cover)
    }

    /// Streaks of rain or flakes of snow before what is seen in a direction.
    pub(crate) fn through_what_falls(&self, behind: Tone, along: [f32; 3]) -> Tone {
        let (tone, high, one_in) = match self.falls {
            Falls::Nothing => return behind,
            Falls::Rain => (RAIN, 7.0, 9),
            Falls::Snow => (SNOW, 60.0, 24),
        };
        let around = (along[2].atan2(along[0]) * 60.0).floor() as i32;
        // Each strand has its own beginning, or all would end at one height.
        let shift = (hash3(FALLING, around, 0, 0) & 15) as f32 / 16.0;
        let part = (along[1] * high + shift).floor() as i32;
        if hash3(FALLING, around, part, 1).is_multiple_of(one_in) {
            blend(behind, scaled(tone, self.brightness()), 0.45)
        } else {
            behind
        }
    }

    /// A square disc with a halo, as far as it stands above the horizon.
    fn disc(&self, under: Tone, along: [f32; 3], at: [f32; 3], size: f32, tone: Tone) -> Tone {
        let facing: f32 = (0..3).map(|i| along[i] * at[i]).sum();
        if facing < 0.8 || at[1] < -0.2 {
            return under;
        }
        // Across the path of the sun, and along it.
        let side = along[2] / facing;
        let rise = (along[1] * at[0] - along[0] * at[1]) / facing;
        let away = side.abs().max(rise.abs());
        if away < size {
            return tone;
        }
        let halo = (1.0 - (away - size) / 0.22).clamp(0.0, 1.0);
        blend(under, tone, halo * halo * 0.35 * size / SUN_SIZE)
    }

    /// How much a cloud covers a direction.
    fn cloud(&self, along: [f32; 3]) -> f32 {
        let rise = CLOUD_Y - self.eye[1];
        if along[1] * rise <= 0.0 || along[1].abs() < 0.03 {
            return 0.0;
        }
        let away = rise / along[1];
        let (x, z) = (self.eye[0] + along[0] * away, self.eye[2] + along[2] * away);
        let (x, z) = (
            (x / CLOUD_SIDE).floor() as i32,
            (z / CLOUD_SIDE).floor() as i32,
        );
        // Two sizes of patches make banks with ragged edges.
        let patch = |shift: i32, salt| (hash3(salt, x >> shift, 0, z >> shift) & 255) as i32;
        let thick = patch(3, 1) + patch(2, 2) + patch(1, 3) / 2;
        let near = (1.0 - (away - 60.0) / 900.0).clamp(0.0, 1.0);
        if thick > 370 { 0.72 * near } else { 0.0 }
    }
}

fn is_star(along: [f32; 3]) -> bool {
    let [x, y, z] = along.map(|v| (v * 110.0).floor() as i32);
    hash3(0x7374_6172, x, y, z).is_multiple_of(190)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FINE: (Weather, Falls) = (Weather::Clear, Falls::Nothing);

    #[test]
    fn a_rainy_noon_is_grey_and_darker_and_has_no_sun() {
        let noon = |weather| Sky::new(6000, (weather, Falls::Rain), [0.0, 200.0, 0.0]);
        let (clear, rain) = (noon(Weather::Clear), noon(Weather::Rain));
        let storm = noon(Weather::Thunder);
        assert!(clear.brightness() > rain.brightness() && rain.brightness() > storm.brightness());
        let [r, _, b] = storm.colour([0.0, 1.0, 0.0]);
        assert!((b - r).abs() < 0.12 && b < 0.6);
        let streaks = |sky: &Sky| {
            let seen = (0..400).map(|n| {
                let angle = n as f32 / 60.0;
                sky.through_what_falls([0.0; 3], [angle.cos(), 0.0, angle.sin()])
            });
            seen.filter(|tone| *tone != [0.0; 3]).count()
        };
        assert!((20..120).contains(&streaks(&rain)), "{}", streaks(&rain));
        let under_a_roof = Sky::new(6000, (Weather::Rain, Falls::Nothing), [0.0; 3]);
        assert_eq!(streaks(&under_a_roof), 0);
    }

    #[test]
    fn the_sky_is_blue_at_noon_and_dark_at_midnight() {
        let at = |hour| Sky::new(hour, FINE, [0.0, 200.0, 0.0]).colour([0.0, 0.8, 0.6]);
        let [r, _, b] = at(6000);
        assert!(b > r + 0.2);
        assert!(at(18_000).iter().all(|v| *v < 0.2));
    }

    #[test]
    fn the_sun_stands_east_in_the_morning_and_above_at_noon() {
        let sky = |hour| Sky::new(hour, FINE, [0.0, 200.0, 0.0]);
        assert_eq!(sky(0).colour([1.0, 0.0, 0.0]), SUN);
        assert_eq!(sky(6000).colour([0.0, 1.0, 0.0]), SUN);
        assert_eq!(sky(18_000).colour([0.0, 1.0, 0.0]), MOON);
    }
}
