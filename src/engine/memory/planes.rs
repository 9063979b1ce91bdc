//! Planes: a turned query in levels of a few bits, one plane of bits for each, to be weighed with signs.
//!
//! A level is a sum of ±1, ±2, ±4 …, so that the weight of the signs that differ from the query's takes
//! one count of bits per plane and word. Invariant: the same weight tells the same cosine.

use super::sketch::WORDS;

/// Some words of a turned query, starting anywhere, in levels of `BITS` bits.
#[derive(Debug)]
pub(super) struct Planes<const LENGTH: usize, const BITS: usize> {
    planes: [[u64; LENGTH]; BITS],
    /// What a weight of one takes from the cosine, twice.
    unit: f32,
}

impl<const LENGTH: usize, const BITS: usize> Planes<LENGTH, BITS> {
    /// The weight if all signs differ from those of the largest levels.
    pub(super) const MOST: u32 = (LENGTH as u32 * 64) * Self::LARGEST;
    const LARGEST: u32 = (1 << BITS) - 1;

    /// Of a whole turned point, the words from `first` on.
    pub(super) fn from_query(turned: &[f32], first: usize) -> Self {
        let coordinates = &turned[first * 64..][..LENGTH * 64];
        let square = turned.iter().map(|x| x * x).sum::<f32>() / turned.len() as f32;
        let sketched = turned.iter().take(WORDS * 64);
        let largest = sketched.fold(0.0_f32, |most, x| most.max(x.abs()));
        let step = largest / Self::LARGEST as f32;
        let mut planes = [[0; LENGTH]; BITS];
        let mut unit = 0.0;
        if step > 0.0 {
            for (at, x) in coordinates.iter().enumerate() {
                let level = (x / step + Self::LARGEST as f32) / 2.0;
                let level = level.round().clamp(0.0, Self::LARGEST as f32) as u64;
                for (bit, plane) in planes.iter_mut().enumerate() {
                    plane[at / 64] |= (level >> bit & 1) << (at % 64);
                }
            }
            // A sign tells √(2/π) of a coordinate of its size on average: turned coordinates are normal.
            let told = (LENGTH * 64) as f32 * std::f32::consts::FRAC_2_PI.sqrt();
            unit = step / square.sqrt() / told;
        }
        Self { planes, unit }
    }

    /// The weight of the signs that differ.
    #[inline(always)]
    pub(super) fn differ(&self, signs: &[u64; LENGTH]) -> u32 {
        let mut weight = 0;
        for (bit, plane) in self.planes.iter().enumerate() {
            let mut count = 0;
            for (word, wanted) in signs.iter().zip(plane) {
                count += (word ^ wanted).count_ones();
            }
            weight += count << bit;
        }
        weight
    }

    /// The cosine that a weight tells.
    pub(super) fn cosine(&self, weight: u32) -> f32 {
        (Self::MOST as f32 - 2.0 * weight as f32) * self.unit
    }
}
