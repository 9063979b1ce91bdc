//! The scan: the rows whose ψ is likely to be best, from all rows of the vector index.
//!
//! Half a cache line of each row gives a rough estimate of ψ, all signs give a finer one for the best of
//! them, and levels decide, once for each text. Where estimates are too near each other, and for a query of few
//! words, every row is scored. A bonus for an equal condition or cell is part of each estimate, so no row is passed
//! over for lack of a like text.
//! Invariant: same index, same probe, same rows, whatever the number of processors.

use super::kernels::{Estimate, Finer, Product};
use super::probe::{Probe, STEPS, psi_of};
use super::psi::ALPHA;
use super::shortlist::{ScoredRow, Shortlist};
use super::vector_index::{ROWS, Text, VectorIndex};
use super::whole;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::collections::HashMap;
use std::ops::Range;

/// Rows given a finer estimate before it is asked whether more are needed.
const ROUNDS: [usize; 3] = [1_024, 8_192, 65_536];
/// Rows taken at once, best finer estimate first.
const BATCH: usize = 64;
/// Texts scored by their levels before it costs less to score every row: of a million rows the ten best were among
/// the first 100 for contexts.
const TEXTS_MAX: usize = 1_024;
/// How far below the best found an estimate may be and its row still belong to them: two standard
/// deviations of a cosine told by 128 of 384 turned coordinates at right angles, more for what is alike.
const ROUGH_MARGIN: f64 = 0.2 * ALPHA;
/// By all signs it is 0.04, and less the more alike the two are.
const FINE_MARGIN: f64 = 0.14 * ALPHA;
/// Estimates passed over at once when none of them is wanted.
const CHUNK: usize = 64;

/// The likeliest rows, best first and newest first among equals: at least `wanted`, if there are so
/// many, and all that may belong to them.
pub(super) fn best_rows(index: &VectorIndex, probe: &Probe, wanted: usize) -> Vec<ScoredRow> {
    let likely = (!probe.has_few(index)).then(|| rows_by_estimates(index, probe, wanted));
    likely
        .flatten()
        .unwrap_or_else(|| whole::best_rows_of_all(index, probe, wanted))
}

/// The same by estimates; none if they do not settle it.
fn rows_by_estimates(index: &VectorIndex, probe: &Probe, wanted: usize) -> Option<Vec<ScoredRow>> {
    let rough = Rough::estimate_all(index, probe);
    let mut likely = Likely::new(index, probe, wanted);
    let (mut seen, mut above) = (0, STEPS);
    for round in ROUNDS {
        let floor = rough.floor(above, round - seen);
        let Some(rows) = rough.rows_between(floor..above, 2 * round) else {
            continue; // so many are estimated alike that the next round has to take them
        };
        seen = round.min(seen + rows.len());
        above = floor;
        likely.score(&rows)?;
        let worst = likely.best.worst_of_best();
        let enough = worst.is_some_and(|worst| psi_of(above) + ROUGH_MARGIN < f64::from(worst));
        if above == 0 || enough {
            return Some(likely.best.into_rows());
        }
    }
    None
}

/// Rows by their levels, each text scored once.
struct Likely<'a> {
    index: &'a VectorIndex,
    probe: &'a Probe,
    best: Shortlist<'a>,
    texts: HashMap<Text, usize>,
    /// Of each text in turn.
    products: Vec<i32>,
}

impl<'a> Likely<'a> {
    fn new(index: &'a VectorIndex, probe: &'a Probe, wanted: usize) -> Self {
        Self {
            index,
            probe,
            best: Shortlist::new(index, wanted),
            texts: HashMap::new(),
            products: Vec::new(),
        }
    }

    /// Scores rows, best finer estimate first, until the rest is too far below the best; none if that would be too
    /// many texts.
    fn score(&mut self, rows: &[usize]) -> Option<()> {
        let (index, probe) = (self.index, self.probe);
        let arch = pulp::Arch::new();
        let mut finer = arch.dispatch(Finer { index, probe, rows });
        // What is too far below the worst of the best so far need not be put in order.
        if let Some(worst) = self.best.worst_of_best() {
            finer.retain(|(estimate, _)| *estimate + FINE_MARGIN as f32 >= worst);
        }
        let order = |a: &(f32, usize), b: &(f32, usize)| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1));
        finer.sort_unstable_by(order);
        for batch in finer.chunks(BATCH) {
            let worst = self.best.worst_of_best();
            if worst.is_some_and(|worst| batch[0].0 + (FINE_MARGIN as f32) < worst) {
                break;
            }
            if self.products.len() >= TEXTS_MAX {
                return None;
            }
            self.take(arch, batch.iter().map(|(_, at)| *at).collect());
        }
        Some(())
    }

    fn take(&mut self, arch: pulp::Arch, rows: Vec<usize>) {
        let (index, probe) = (self.index, self.probe);
        let mut new = Vec::new();
        let mut texts = Vec::with_capacity(rows.len());
        for at in &rows {
            let next = self.texts.len();
            let text = *self.texts.entry(index.text(*at)).or_insert(next);
            if text == next {
                new.push(*at);
            }
            texts.push(text);
        }
        self.products.extend(arch.dispatch(Product {
            index,
            probe,
            rows: &new,
        }));
        let scored = rows.into_iter().zip(texts).map(|(at, text)| ScoredRow {
            score: probe.psi_of_product(self.products[text], &index.blocks[at / ROWS], at % ROWS),
            at,
        });
        self.best.take(scored);
    }
}

/// The rough estimates of all rows, and how many rows have which.
struct Rough {
    estimates: Vec<u16>,
    counts: Vec<usize>,
}

impl Rough {
    fn estimate_all(index: &VectorIndex, probe: &Probe) -> Self {
        let mut estimates = vec![0_u16; index.len()];
        let each = blocks_per_core(index.blocks.len());
        let parts = index.blocks.chunks(each);
        let parts = parts.zip(estimates.chunks_mut(each * ROWS));
        let estimate = |(blocks, into)| {
            let kernel = Estimate {
                blocks,
                probe,
                into,
            };
            pulp::Arch::new().dispatch(kernel)
        };
        let mut counts = vec![0; STEPS];
        for part in map_in_parallel(parts, estimate) {
            counts.iter_mut().zip(part).for_each(|(sum, n)| *sum += n);
        }
        Self { estimates, counts }
    }

    /// The estimate down to which there are at least so many rows below `above`.
    fn floor(&self, above: usize, rows: usize) -> usize {
        let mut sum = 0;
        let enough = (0..above).rev().find(|step| {
            sum += self.counts[*step];
            sum >= rows
        });
        enough.unwrap_or(0)
    }

    /// The rows of these estimates; none if they are more than `most`.
    fn rows_between(&self, wanted: Range<usize>, most: usize) -> Option<Vec<usize>> {
        let count = self.counts[wanted.clone()].iter().sum();
        if count > most {
            return None;
        }
        let (low, high) = (wanted.start as u16, wanted.end as u16);
        let mut rows = Vec::with_capacity(count);
        for (n, chunk) in self.estimates.chunks(CHUNK).enumerate() {
            let within = |estimate: &u16| *estimate >= low && *estimate < high;
            let hits: u16 = chunk.iter().map(|e| u16::from(within(e))).sum();
            if hits > 0 {
                let rows_of = chunk.iter().enumerate().filter(|(_, e)| within(e));
                rows.extend(rows_of.map(|(i, _)| n * CHUNK + i));
            }
        }
        Some(rows)
    }
}

/// How many blocks each processor gets.
pub(super) fn blocks_per_core(blocks: usize) -> usize {
    let cores = rayon::current_num_threads();
    blocks.div_ceil(cores).max(1)
}

/// The results of all parts, in the order of the parts, whatever the number of processors.
pub(super) fn map_in_parallel<P: Send, T: Send>(
    parts: impl Iterator<Item = P>,
    work: impl Fn(P) -> T + Sync + Send,
) -> Vec<T> {
    let parts: Vec<P> = parts.collect();
    parts.into_par_iter().map(work).collect()
}
