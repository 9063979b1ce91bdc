//! The probe: a query, made ready to be held against the rows of an index, in three degrees of care.
//!
//! `rough` weighs the first third of a row's signs with the query's coordinates, `finer` all of them,
//! and `score` uses the row's levels. Weighing a sign halves the error of merely comparing it.
//! Invariant: each is told in ψ, δ included, so that they can be compared.

use super::columns::{Products, Wanted};
use super::planes::Planes;
use super::psi::{self, ALPHA, BETA, CONDITION, ContextKeys, NEAR, REGION};
use super::sketch::WORDS;
use super::vector_index::{Block, FIRST, Hashes, Line, REST, VectorIndex};

/// Rough estimates are counted in so many steps, from the lowest ψ to the highest.
pub(super) const STEPS: usize = 4_096;
/// What the query's coordinates are multiplied with.
const QUERY_STEPS: f32 = 4_095.0;
/// Bits of the query's coordinates: three for the many, four for the few.
const ROUGH: usize = 3;
const FINE: usize = 4;
/// Few coordinates: one in so many. With keys, by which estimates find the best rows soon, that is what eight
/// or ten words have; without, what most texts of some lines have. Vectors of models have all of them.
const FEW_SHARE: usize = 4;
const FEW_SHARE_WITHOUT_KEYS: usize = 2;
/// δ takes six values: equal condition or not, times no, the large or the small cell in common.
const CLASSES: usize = 6;
const DELTAS: [f64; CLASSES] = [
    0.0,
    REGION,
    NEAR,
    CONDITION,
    CONDITION + REGION,
    CONDITION + NEAR,
];

/// A query, made ready.
#[derive(Debug)]
pub(super) struct Probe {
    hashes: Hashes,
    /// Its coordinates that are not zero, and how large a step of them is.
    levels: Vec<Wanted>,
    step: f32,
    /// The greatest δ that a row can have with its keys.
    delta_most: f64,
    rough: Planes<FIRST, ROUGH>,
    /// For each δ class and weight of differing signs, the rough estimate in steps.
    steps: [Vec<u16>; CLASSES],
    fine: (Planes<FIRST, FINE>, Planes<REST, FINE>),
    /// What a weight of differing signs takes from ψ, and where it starts.
    fine_unit: f32,
    fine_start: f32,
}

impl Probe {
    pub(super) fn new(index: &VectorIndex, point: &[f32], keys: ContextKeys) -> Self {
        let largest = point.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
        let step = largest / QUERY_STEPS;
        let level = |x: &f32| {
            if step > 0.0 {
                (x / step).round() as i16
            } else {
                0
            }
        };
        let wanted = point.iter().enumerate().map(|(dim, x)| Wanted {
            dim,
            level: level(x),
        });
        // A text without words is like nothing: only hashes count.
        let alpha = if largest > 0.0 { ALPHA } else { 0.0 };
        let turned = index.turn(point);
        let rough = Planes::from_query(&turned, 0);
        let estimate = |class: usize, differ: u32| {
            step_of(alpha * f64::from(rough.cosine(differ)) + BETA * DELTAS[class])
        };
        let steps = std::array::from_fn(|class| {
            let all = 0..=Planes::<FIRST, ROUGH>::MOST;
            all.map(|differ| estimate(class, differ)).collect()
        });
        let (first, rest) = (
            Planes::from_query(&turned, 0),
            Planes::from_query(&turned, FIRST),
        );
        let both =
            |first: f32, rest: f32| (first * FIRST as f32 + rest * REST as f32) / WORDS as f32;
        let fine_start = both(first.cosine(0), rest.cosine(0)) * alpha as f32;
        let after_one = both(first.cosine(1), rest.cosine(0)) * alpha as f32;
        Self {
            hashes: Hashes::from_keys(keys),
            levels: wanted.filter(|wanted| wanted.level != 0).collect(),
            step,
            delta_most: psi::delta(keys, keys),
            rough,
            steps,
            fine: (first, rest),
            fine_unit: fine_start - after_one,
            fine_start,
        }
    }

    #[inline(always)]
    fn class(&self, row: &Hashes) -> usize {
        let same = |a: u32, b: u32| usize::from(a == b && a != 0);
        let near = same(self.hashes.near, row.near);
        let place = near + same(self.hashes.region, row.region).max(near);
        3 * same(self.hashes.condition, row.condition) + place
    }

    /// ψ by the first signs, in steps.
    #[inline(always)]
    pub(super) fn rough(&self, line: &Line) -> u16 {
        let differ = self.rough.differ(&line.signs);
        self.steps[self.class(&line.hashes)][differ as usize]
    }

    /// ψ by all signs.
    #[inline(always)]
    pub(super) fn finer(&self, block: &Block, row: usize) -> f32 {
        let line = &block.lines[row];
        let differ = self.fine.0.differ(&line.signs) + self.fine.1.differ(&block.rest[row]);
        let delta = DELTAS[self.class(&line.hashes)];
        self.fine_start - differ as f32 * self.fine_unit + (BETA * delta) as f32
    }

    /// The product of a row with the query, which tells its score.
    #[inline(always)]
    pub(super) fn product(&self, block: &Block, row: usize) -> i32 {
        block.levels.product(row, &self.levels)
    }

    /// The products of all rows of a block with the query, each of which tells a score.
    #[inline(always)]
    pub(super) fn products(&self, block: &Block, into: &mut Products) {
        block.levels.products(&self.levels, into);
    }

    /// ψ by the product of levels.
    #[inline(always)]
    pub(super) fn psi_of_product(&self, product: i32, block: &Block, row: usize) -> f32 {
        let delta = DELTAS[self.class(&block.lines[row].hashes)];
        self.psi(product, block.levels.steps()[row], delta)
    }

    /// The most that a row with this product and step can be told. Adding rounds the greater never below the
    /// lesser, so this holds to the last bit.
    #[inline(always)]
    pub(super) fn at_most(&self, product: i32, step: f32) -> f32 {
        self.psi(product, step, self.delta_most)
    }

    #[inline(always)]
    fn psi(&self, product: i32, step: f32, delta: f64) -> f32 {
        product as f32 * self.step * step * ALPHA as f32 + (BETA * delta) as f32
    }

    /// Whether so few coordinates are not zero that scoring every row by them is the least work.
    pub(super) fn has_few(&self, index: &VectorIndex) -> bool {
        let share = if self.delta_most > 0.0 {
            FEW_SHARE
        } else {
            FEW_SHARE_WITHOUT_KEYS
        };
        self.levels.len() * share <= index.dims
    }
}

/// A told cosine may lie beyond one, a step never beyond the last.
fn step_of(psi: f64) -> u16 {
    let share = (psi + ALPHA) / (2.0 * ALPHA + BETA);
    (share.clamp(0.0, 1.0) * (STEPS - 1) as f64) as u16
}

/// The ψ of a step.
pub(super) fn psi_of(step: usize) -> f64 {
    step as f64 / (STEPS - 1) as f64 * (2.0 * ALPHA + BETA) - ALPHA
}
