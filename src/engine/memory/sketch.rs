//! Sketches: a point as 384 signs, so that a million of them can be looked at in milliseconds.
//!
//! The point is turned by a fixed pseudo-random rotation first: hashed texts have mostly zeros, whose
//! signs say nothing. The share of signs that differ then tells the angle between two points.
//! Invariant: same point, same sketch, on every machine.

use pithead_world::rng::mix;

/// Signs of one sketch.
pub(super) const SIGNS: usize = 384;
pub(super) const WORDS: usize = SIGNS / 64;
/// Edge of the blocks that are mixed at once; a power of two.
const BLOCK: usize = 128;
/// Each round mixes within blocks and then deals the coordinates out over all blocks.
const ROUNDS: u64 = 3;

/// Sketches points of any number of coordinates.
#[derive(Debug, Clone)]
pub(super) struct Sketcher {
    /// One sign for each coordinate and round.
    flips: Vec<[f32; ROUNDS as usize]>,
}

impl Sketcher {
    pub(super) fn new(dims: usize) -> Self {
        let width = dims.max(SIGNS).next_multiple_of(BLOCK);
        let flip = |at: usize, round: u64| {
            let heads = mix(at as u64 ^ mix(round)) & 1 == 0;
            if heads { 1.0 } else { -1.0 }
        };
        Self {
            flips: (0..width)
                .map(|at| std::array::from_fn(|round| flip(at, round as u64)))
                .collect(),
        }
    }

    pub(super) fn sketch(&self, point: &[f32]) -> [u64; WORDS] {
        let turned = self.turn(point);
        let mut signs = [0; WORDS];
        for (at, x) in turned.iter().take(SIGNS).enumerate() {
            signs[at / 64] |= u64::from(*x >= 0.0) << (at % 64);
        }
        signs
    }

    /// The rotated point, up to its length.
    pub(super) fn turn(&self, point: &[f32]) -> Vec<f32> {
        let width = self.flips.len();
        let mut now = point.to_vec();
        now.resize(width, 0.0);
        let mut dealt = vec![0.0; width];
        for round in 0..ROUNDS as usize {
            for (x, flip) in now.iter_mut().zip(&self.flips) {
                *x *= flip[round];
            }
            now.chunks_exact_mut(BLOCK).for_each(mix_block);
            let blocks = width / BLOCK;
            for (b, block) in now.chunks_exact(BLOCK).enumerate() {
                for (i, x) in block.iter().enumerate() {
                    dealt[i * blocks + b] = *x;
                }
            }
            std::mem::swap(&mut now, &mut dealt);
        }
        now
    }
}

/// The Walsh-Hadamard transform, in place.
fn mix_block(block: &mut [f32]) {
    let mut half = 1;
    while half < BLOCK {
        for pair in block.chunks_exact_mut(2 * half) {
            let (low, high) = pair.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_that_differ_tell_the_angle() {
        let texts = [
            "mine iron ore in the forest",
            "mine iron ore in the desert",
            "cook mutton at night",
        ];
        let sketcher = Sketcher::new(pithead_core::text::ngrams::DIMS);
        for a in texts {
            for b in texts {
                let (p, q) = (
                    pithead_core::text::ngrams::ngram_vector(a),
                    pithead_core::text::ngrams::ngram_vector(b),
                );
                let cosine: f32 = p.iter().zip(&q).map(|(a, b)| a * b).sum();
                let (s, t) = (sketcher.sketch(&p), sketcher.sketch(&q));
                let differ: u32 = s.iter().zip(&t).map(|(a, b)| (a ^ b).count_ones()).sum();
                let told = (std::f32::consts::PI * differ as f32 / SIGNS as f32).cos();
                assert!(
                    (told - cosine).abs() < 0.15,
                    "{a}, {b}: {told} for {cosine}"
                );
            }
        }
    }

    #[test]
    fn points_of_any_width_have_sketches() {
        for dims in [1, 64, 384, 768, 1_000, 1_536] {
            let point: Vec<f32> = (0..dims).map(|i| (i as f32 * 0.7 + 1.0).sin()).collect();
            let mirrored: Vec<f32> = point.iter().map(|x| -x).collect();
            let sketcher = Sketcher::new(dims);
            let (s, t) = (sketcher.sketch(&point), sketcher.sketch(&mirrored));
            let differ: u32 = s.iter().zip(&t).map(|(a, b)| (a ^ b).count_ones()).sum();
            assert_eq!(differ as usize, SIGNS, "{dims}");
        }
    }
}
