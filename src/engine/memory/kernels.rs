//! Kernels: the loops of the scan, compiled once for each set of instructions and chosen at run time.
//!
//! They are types and not closures: a closure handed to `pulp` is compiled for the oldest processor, where
//! a count of bits takes twelve instructions in place of one. Nothing is decided here.
//! Invariant: same rows, same numbers, on every processor.

use super::probe::{Probe, STEPS};
use super::shortlist::{ScoredRow, Shortlist};
use super::vector_index::{Block, ROWS, VectorIndex};
use pulp::{Simd, WithSimd};

/// The rough estimates of the rows of some blocks, and how many rows have which.
pub(super) struct Estimate<'a> {
    pub(super) blocks: &'a [Block],
    pub(super) probe: &'a Probe,
    pub(super) into: &'a mut [u16],
}

impl WithSimd for Estimate<'_> {
    type Output = Vec<usize>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Vec<usize> {
        let mut counts = vec![0; STEPS];
        for (block, into) in self.blocks.iter().zip(self.into.chunks_mut(ROWS)) {
            for (line, estimate) in block.lines.iter().zip(into) {
                *estimate = self.probe.rough(line);
                counts[usize::from(*estimate)] += 1;
            }
        }
        counts
    }
}

/// The finer estimates of these rows.
pub(super) struct Finer<'a> {
    pub(super) index: &'a VectorIndex,
    pub(super) probe: &'a Probe,
    pub(super) rows: &'a [usize],
}

impl WithSimd for Finer<'_> {
    type Output = Vec<(f32, usize)>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Vec<(f32, usize)> {
        let mut estimates = Vec::with_capacity(self.rows.len());
        for at in self.rows {
            let block = &self.index.blocks[at / ROWS];
            estimates.push((self.probe.finer(block, at % ROWS), *at));
        }
        estimates
    }
}

/// The products of some rows with the query.
pub(super) struct Product<'a> {
    pub(super) index: &'a VectorIndex,
    pub(super) probe: &'a Probe,
    pub(super) rows: &'a [usize],
}

impl WithSimd for Product<'_> {
    type Output = Vec<i32>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Vec<i32> {
        let block = |at: &usize| &self.index.blocks[at / ROWS];
        let products = self
            .rows
            .iter()
            .map(|at| self.probe.product(block(at), at % ROWS));
        products.collect()
    }
}

/// Rows passed over at once when none of them can be among the best.
const CHUNK: usize = 32;

/// The best of all rows of some blocks, which begin with row number `first`.
pub(super) struct Best<'a> {
    pub(super) index: &'a VectorIndex,
    pub(super) blocks: &'a [Block],
    pub(super) first: usize,
    pub(super) probe: &'a Probe,
    pub(super) wanted: usize,
}

impl<'a> WithSimd for Best<'a> {
    type Output = Shortlist<'a>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Shortlist<'a> {
        let mut best = Shortlist::new(self.index, self.wanted);
        let mut products = [0; ROWS];
        for (n, block) in self.blocks.iter().enumerate().rev() {
            self.probe.products(block, &mut products);
            let first = self.first + n * ROWS;
            for (at, steps) in block.levels.steps().chunks(CHUNK).enumerate().rev() {
                let from = at * CHUNK;
                let (bar, rows) = (best.bar(), products[from..].iter().zip(steps));
                let near =
                    |(product, step): (&i32, &f32)| self.probe.at_most(*product, *step) >= bar;
                // Every row is asked, so that eight are asked at once; lines are read for few.
                if !rows.fold(false, |any, row| any | near(row)) {
                    continue;
                }
                for row in (from..from + steps.len()).rev() {
                    best.offer_older(ScoredRow {
                        score: self.probe.psi_of_product(products[row], block, row),
                        at: first + row,
                    });
                }
            }
        }
        best
    }
}
