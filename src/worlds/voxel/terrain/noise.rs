//! Noise: smooth seeded fields over the plane and over space.
//!
//! Gradient noise from integer hashes. Invariant: only + - * and floor on floats, so that every
//! platform computes the same bits.

use crate::rng::Streams;
use crate::world::space::floor;

/// A field that changes over about `wave` blocks; values lie in about -1..1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Noise {
    salt: u32,
    /// Blocks to lattice units, along the ground and up.
    across: f64,
    up: f64,
    octaves: u32,
}

impl Noise {
    /// `octaves` adds finer and weaker copies.
    pub(crate) fn new(seed: u64, purpose: &str, wave: f64, octaves: u32) -> Self {
        Self::stretched(seed, purpose, wave, wave, octaves)
    }

    /// A field of space with its own wave length for height.
    pub(crate) fn stretched(
        seed: u64,
        purpose: &str,
        wave: f64,
        wave_up: f64,
        octaves: u32,
    ) -> Self {
        let salt = Streams(seed).salt(purpose) as u32;
        Self {
            salt,
            across: 1.0 / wave,
            up: 1.0 / wave_up,
            octaves,
        }
    }

    /// The value over a column.
    pub(crate) fn flat(&self, x: i32, z: i32) -> f32 {
        let (mut sum, mut weight, mut total, mut scale) = (0.0, 1.0, 0.0, self.across);
        for octave in 0..self.octaves {
            let salt = self.salt.wrapping_add(octave.wrapping_mul(0x9E37_79B9));
            sum += weight * plane(salt, f64::from(x) * scale, f64::from(z) * scale);
            total += weight;
            weight *= 0.5;
            scale *= 2.0;
        }
        // Gradient noise in the plane rarely leaves ±0.7; stretched so that thresholds read as -1..1.
        sum / total * 1.4
    }

    /// The value at a block; one octave.
    pub(crate) fn solid(&self, x: i32, y: i32, z: i32) -> f32 {
        let at = [
            f64::from(x) * self.across,
            f64::from(y) * self.up,
            f64::from(z) * self.across,
        ];
        space(self.salt, at)
    }
}

#[inline]
fn hash(salt: u32, x: i32, y: i32, z: i32) -> u32 {
    let mut h = salt
        ^ (x as u32).wrapping_mul(0x27D4_EB2D)
        ^ (y as u32).wrapping_mul(0x9E37_79B1)
        ^ (z as u32).wrapping_mul(0x1656_67B1);
    h = (h ^ (h >> 15)).wrapping_mul(0x85EB_CA6B);
    h = (h ^ (h >> 13)).wrapping_mul(0xC2B2_AE35);
    h ^ (h >> 16)
}

#[inline]
fn fade(t: f32) -> f32 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

#[inline]
pub(crate) fn lerp(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

#[inline]
fn split(v: f64) -> (i32, f32) {
    let whole = floor(v);
    (whole, (v - f64::from(whole)) as f32)
}

/// Gradients of the plane: the four diagonals and, a little longer, the four axes.
#[inline]
fn slope2(h: u32, x: f32, z: f32) -> f32 {
    const G: [[f32; 2]; 8] = [
        [1.0, 1.0],
        [-1.0, 1.0],
        [1.0, -1.0],
        [-1.0, -1.0],
        [1.4, 0.0],
        [-1.4, 0.0],
        [0.0, 1.4],
        [0.0, -1.4],
    ];
    let g = G[(h & 7) as usize];
    g[0] * x + g[1] * z
}

/// Gradients of space: the twelve edges of a cube, four of them twice.
#[inline]
fn slope3(h: u32, x: f32, y: f32, z: f32) -> f32 {
    let h = h & 15;
    let u = if h < 8 { x } else { y };
    let v = match h {
        0..=3 => y,
        12 | 14 => x,
        _ => z,
    };
    (if h & 1 == 0 { u } else { -u }) + (if h & 2 == 0 { v } else { -v })
}

fn plane(salt: u32, x: f64, z: f64) -> f32 {
    let ((xi, x), (zi, z)) = (split(x), split(z));
    let corner = |dx: i32, dz: i32| {
        slope2(
            hash(salt, xi + dx, 0, zi + dz),
            x - dx as f32,
            z - dz as f32,
        )
    };
    let (u, w) = (fade(x), fade(z));
    lerp(
        lerp(corner(0, 0), corner(1, 0), u),
        lerp(corner(0, 1), corner(1, 1), u),
        w,
    )
}

fn space(salt: u32, [x, y, z]: [f64; 3]) -> f32 {
    let ((xi, x), (yi, y), (zi, z)) = (split(x), split(y), split(z));
    let corner = |dx: i32, dy: i32, dz: i32| {
        let h = hash(salt, xi + dx, yi + dy, zi + dz);
        slope3(h, x - dx as f32, y - dy as f32, z - dz as f32)
    };
    let (u, v, w) = (fade(x), fade(y), fade(z));
    let side = |dz: i32| {
        let low = lerp(corner(0, 0, dz), corner(1, 0, dz), u);
        lerp(low, lerp(corner(0, 1, dz), corner(1, 1, dz), u), v)
    };
    lerp(side(0), side(1), w)
}

/// 0 below `low`, 1 above `high`, smooth between.
pub(crate) fn smooth(low: f32, high: f32, v: f32) -> f32 {
    let t = ((v - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_smooth_centred_and_of_useful_size() {
        let noise = Noise::new(7, "test", 40.0, 2);
        let values: Vec<f32> = (0..10_000)
            .map(|i| noise.flat(i * 7 - 35_000, i * 3))
            .collect();
        let mean = values.iter().sum::<f32>() / values.len() as f32;
        let most = values.iter().fold(0.0_f32, |m, v| m.max(v.abs()));
        assert!(
            mean.abs() < 0.05 && (0.6..1.5).contains(&most),
            "mean {mean}, most {most}"
        );
        let step = (0..1000)
            .map(|i| (noise.flat(i, 5) - noise.flat(i + 1, 5)).abs())
            .fold(0.0, f32::max);
        assert!(step < 0.2, "a step of {step} between neighbours");
    }
}
