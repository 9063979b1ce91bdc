//! Seeded chance: one stream per purpose, and hashes of positions.
//!
//! Streams are derived from (seed, purpose), so one more mob never moves a tree. Nothing here
//! reads the machine: same seed, same numbers, on every platform.

use serde::{Deserialize, Serialize};

/// A small, fast generator (SplitMix64); its whole state is one number and can be journaled.
/// SplitMix64 passes the usual tests and needs no set-up: each stream starts with one
/// number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rng(u64);

impl Rng {
    /// A stream that starts at `seed`.
    #[must_use]
    #[inline]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        // The golden ratio in 64 bits.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// A whole number in `0..bound`; 0 if the bound is 0.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        // Multiply-shift keeps the bias below 2^-32 for the bounds used here, without a division.
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// A whole number in `low..=high`.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        debug_assert!(low <= high);
        low + self.below((high - low + 1).unsigned_abs()) as i64
    }

    /// A number in `0.0..1.0`.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        // 53 bits, as many as an f64 can hold exactly.
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// True with probability `p`.
    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// The raw state, for checksums.
    #[must_use]
    pub fn state(&self) -> u64 {
        self.0
    }
}

/// The independent streams of one seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Streams(pub u64);

impl Streams {
    /// The stream for one purpose, for example `"terrain"`.
    #[must_use]
    pub fn get(self, purpose: &str) -> Rng {
        Rng::new(self.salt(purpose))
    }

    /// A number that stands for (seed, purpose), to be mixed with positions.
    #[must_use]
    pub fn salt(self, purpose: &str) -> u64 {
        purpose
            // The constant keeps the salt of an empty purpose apart from the seed itself.
            .bytes()
            .fold(mix(self.0 ^ 0xD1B5_4A32_D192_ED03), |h, b| {
                mix(h ^ u64::from(b))
            })
    }
}

/// A hash of a position under a salt; uniform over 64 bits.
#[must_use]
#[inline]
pub fn hash3(salt: u64, x: i32, y: i32, z: i32) -> u64 {
    // x and z in one word, y mixed in afterwards: two positions share no input.
    let h = mix(salt ^ (x as u32 as u64) ^ ((z as u32 as u64) << 32));
    mix(h ^ (y as u32 as u64))
}

/// The finaliser of SplitMix64: every input bit reaches every output bit.
#[must_use]
#[inline]
pub fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_of_one_seed_do_not_follow_each_other() {
        let (mut a, mut b) = (Streams(7).get("terrain"), Streams(7).get("mobs"));
        let same = (0..100).filter(|_| a.next_u64() == b.next_u64()).count();
        assert_eq!(same, 0);
    }

    #[test]
    fn below_stays_below_and_reaches_both_ends() {
        let mut rng = Rng::new(7);
        let drawn: Vec<u64> = (0..1000).map(|_| rng.below(6)).collect();
        assert_eq!(
            (drawn.iter().min(), drawn.iter().max()),
            (Some(&0), Some(&5))
        );
    }
}
