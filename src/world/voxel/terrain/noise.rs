//! Noise: smooth seeded fields over the plane and over space.
//!
//! Gradient noise from integer hashes. Invariant: only + - * and floor on floats, so that every
//! platform computes the same bits.

use crate::rng::Streams;
use crate::space::floor;

/// Gradient noise in the plane rarely leaves ±0.7; stretched so that thresholds read as -1..1.
const STRETCH: f32 = 1.4;

/// A field that changes over about `wave` blocks; values lie in about -1..1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Noise {
    /// 32 bits: the hash below works on 32-bit words, which vectorise well.
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
            sum += weight
                * plane(
                    self.octave(octave),
                    f64::from(x) * scale,
                    f64::from(z) * scale,
                );
            // Each octave has half the weight and half the wave length. Dividing by the sum
            // of weights keeps the range.
            total += weight;
            weight *= 0.5;
            scale *= 2.0;
        }
        sum / total * STRETCH
    }

    /// `flat` of a square of columns `step` apart, row by row from its north-west corner, to the bit.
    pub(crate) fn square<const SIDE: usize, const N: usize>(
        &self,
        (x0, z0): (i32, i32),
        step: i32,
    ) -> [f32; N] {
        // Checked when compiled: generic arithmetic on array lengths is not stable.
        const { assert!(SIDE * SIDE == N) };
        let mut values = [0.0; N];
        let (mut weight, mut total, mut scale) = (1.0, 0.0, self.across);
        for octave in 0..self.octaves {
            let salt = self.octave(octave);
            let along: [(i32, f32, f32); SIDE] = std::array::from_fn(|i| {
                let (xi, x) = split(f64::from(x0 + i as i32 * step) * scale);
                (xi, x, fade(x))
            });
            for (j, row) in (0..).zip(values.chunks_exact_mut(SIDE)) {
                let (zi, z) = split(f64::from(z0 + j * step) * scale);
                let w = fade(z);
                let mut at = along[0].0;
                // Neighbours mostly lie in one lattice cell, whose slopes are drawn once.
                let mut tile = Tile::new(salt, at, zi);
                for (value, (xi, x, u)) in row.iter_mut().zip(&along) {
                    if *xi != at {
                        at = *xi;
                        tile = Tile::new(salt, at, zi);
                    }
                    *value += weight * tile.value([*x, z], [*u, w]);
                }
            }
            total += weight;
            weight *= 0.5;
            scale *= 2.0;
        }
        values.map(|value| value / total * STRETCH)
    }

    /// The salt of one octave.
    #[inline]
    fn octave(&self, octave: u32) -> u32 {
        // The golden ratio in 32 bits spreads small numbers over all bits.
        self.salt.wrapping_add(octave.wrapping_mul(0x9E37_79B9))
    }

    /// The value at a block; one octave.
    pub(crate) fn solid(&self, x: i32, y: i32, z: i32) -> f32 {
        let (xi, x) = split(f64::from(x) * self.across);
        let (yi, y) = split(f64::from(y) * self.up);
        let (zi, z) = split(f64::from(z) * self.across);
        Cube::new(self.salt, [xi, yi, zi]).value([x, y, z], [x, y, z].map(fade))
    }

    /// `solid` of a square of blocks at one height, `step` apart, row by row, to the bit.
    pub(crate) fn slab<const SIDE: usize, const N: usize>(
        &self,
        [x0, y, z0]: [i32; 3],
        step: i32,
    ) -> [f32; N] {
        const { assert!(SIDE * SIDE == N) };
        let mut values = [0.0; N];
        let along: [(i32, f32, f32); SIDE] = std::array::from_fn(|i| {
            let (xi, x) = split(f64::from(x0 + i as i32 * step) * self.across);
            (xi, x, fade(x))
        });
        let (yi, y) = split(f64::from(y) * self.up);
        let v = fade(y);
        for (j, row) in (0..).zip(values.chunks_exact_mut(SIDE)) {
            let (zi, z) = split(f64::from(z0 + j * step) * self.across);
            let w = fade(z);
            let mut at = along[0].0;
            let mut cube = Cube::new(self.salt, [at, yi, zi]);
            for (value, (xi, x, u)) in row.iter_mut().zip(&along) {
                if *xi != at {
                    at = *xi;
                    cube = Cube::new(self.salt, [at, yi, zi]);
                }
                *value = cube.value([*x, y, z], [*u, v, w]);
            }
        }
        values
    }
}

/// Each coordinate times a large odd number, then mixed as MurmurHash3 does at its end.
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

/// Perlin's curve of degree five: its first two derivatives are zero at both ends, so no
/// crease shows along the lattice.
#[inline]
fn fade(t: f32) -> f32 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

#[inline]
pub(crate) fn lerp(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

/// Split in f64: far from the origin an f32 has too few bits for the part after the point.
#[inline]
fn split(v: f64) -> (i32, f32) {
    let whole = floor(v);
    (whole, (v - f64::from(whole)) as f32)
}

/// Gradients of the plane: the four diagonals and, a little longer, the four axes.
/// Eight, so that three bits of the hash pick one. The axes are longer to be as strong as
/// the diagonals.
const SLOPES: [[f32; 2]; 8] = [
    [1.0, 1.0],
    [-1.0, 1.0],
    [1.0, -1.0],
    [-1.0, -1.0],
    [1.4, 0.0],
    [-1.4, 0.0],
    [0.0, 1.4],
    [0.0, -1.4],
];

/// One lattice cell of the plane: the slopes at its four corners, north-west first, row by row.
#[derive(Clone, Copy)]
struct Tile([[f32; 2]; 4]);

impl Tile {
    #[inline]
    fn new(salt: u32, x: i32, z: i32) -> Self {
        let slope = |dx, dz| SLOPES[(hash(salt, x + dx, 0, z + dz) & 7) as usize];
        Self([slope(0, 0), slope(1, 0), slope(0, 1), slope(1, 1)])
    }

    /// The field at a place within the cell, given with its faded coordinates.
    #[inline]
    fn value(&self, [x, z]: [f32; 2], [u, w]: [f32; 2]) -> f32 {
        let at = |n: usize, x: f32, z: f32| self.0[n][0] * x + self.0[n][1] * z;
        lerp(
            lerp(at(0, x, z), at(1, x - 1.0, z), u),
            lerp(at(2, x, z - 1.0), at(3, x - 1.0, z - 1.0), u),
            w,
        )
    }
}

/// Gradients of space: the twelve edges of a cube, four of them twice.
/// Sixteen, so that four bits pick one without a division.
const EDGES: [[f32; 3]; 16] = [
    [1.0, 1.0, 0.0],
    [-1.0, 1.0, 0.0],
    [1.0, -1.0, 0.0],
    [-1.0, -1.0, 0.0],
    [1.0, 0.0, 1.0],
    [-1.0, 0.0, 1.0],
    [1.0, 0.0, -1.0],
    [-1.0, 0.0, -1.0],
    [0.0, 1.0, 1.0],
    [0.0, -1.0, 1.0],
    [0.0, 1.0, -1.0],
    [0.0, -1.0, -1.0],
    [1.0, 1.0, 0.0],
    [0.0, -1.0, 1.0],
    [-1.0, 1.0, 0.0],
    [0.0, -1.0, -1.0],
];

/// One lattice cell of space: the gradients at its eight corners; bit 0 of the index is x, bit 1 y, bit 2 z.
#[derive(Clone, Copy)]
struct Cube([[f32; 3]; 8]);

impl Cube {
    #[inline]
    fn new(salt: u32, [x, y, z]: [i32; 3]) -> Self {
        Self(std::array::from_fn(|n| {
            let n = n as i32;
            EDGES[(hash(salt, x + (n & 1), y + (n >> 1 & 1), z + (n >> 2)) & 15) as usize]
        }))
    }

    /// The field at a place within the cell, given with its faded coordinates.
    #[inline]
    fn value(&self, [x, y, z]: [f32; 3], [u, v, w]: [f32; 3]) -> f32 {
        let at = |n: usize| {
            let [gx, gy, gz] = self.0[n];
            let (dx, dy, dz) = (n & 1, n >> 1 & 1, n >> 2);
            gx * (x - dx as f32) + gy * (y - dy as f32) + gz * (z - dz as f32)
        };
        let side = |n: usize| {
            let low = lerp(at(n), at(n + 1), u);
            lerp(low, lerp(at(n + 2), at(n + 3), u), v)
        };
        lerp(side(0), side(4), w)
    }
}

fn plane(salt: u32, x: f64, z: f64) -> f32 {
    let ((xi, x), (zi, z)) = (split(x), split(z));
    Tile::new(salt, xi, zi).value([x, z], [fade(x), fade(z)])
}

/// 0 below `low`, 1 above `high`, smooth between.
/// The cubic 3t² - 2t³ (smoothstep); the ends are flat, so thresholds do not show as edges.
pub(crate) fn smooth(low: f32, high: f32, v: f32) -> f32 {
    let t = ((v - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_and_slabs_hold_what_single_places_hold() {
        let noise = Noise::stretched(7, "test", 11.0, 5.0, 3);
        for (x0, z0) in [(-40, 9), (0, 0), (123_456, -7)] {
            let (square, slab) = (
                noise.square::<6, 36>((x0, z0), 3),
                noise.slab::<6, 36>([x0, -5, z0], 3),
            );
            for at in 0..36 {
                let (x, z) = (x0 + at % 6 * 3, z0 + at / 6 * 3);
                assert_eq!(square[at as usize].to_bits(), noise.flat(x, z).to_bits());
                assert_eq!(slab[at as usize].to_bits(), noise.solid(x, -5, z).to_bits());
            }
        }
    }

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
