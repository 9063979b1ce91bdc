//! The scan: the rows whose ψ is likely to be best, from all rows of the vector index.
//!
//! Half a cache line of each row gives a rough estimate of ψ, all signs give a finer one for the best of
//! them, and levels decide. Where estimates are too near each other, and for a query of few words, every row
//! is scored. A bonus for an equal condition or cell is part of each estimate, so no row is passed over for
//! lack of a like text.
//! Invariant: same index, same probe, same rows, whatever the number of processors.

use super::kernels::{Estimate, Finer, Score};
use super::probe::{Probe, STEPS, psi_of};
use super::psi::ALPHA;
use super::vector_index::{ROWS, VectorIndex};
use super::whole;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::ops::Range;

/// Rows given a finer estimate before it is asked whether more are needed.
const ROUNDS: [usize; 2] = [1_024, 8_192];
/// Rows scored by their levels at once, best finer estimate first, and the most before it costs less to score
/// every row: of a million rows the ten best were among the first 100 for contexts.
const BATCH: usize = 64;
const SCORED_MAX: usize = 1_024;
/// How far below the best found an estimate may be and its row still belong to them: two standard
/// deviations of a cosine told by 128 of 384 turned coordinates at right angles, more for what is alike.
const ROUGH_MARGIN: f64 = 0.2 * ALPHA;
/// By all signs it is 0.04, and less the more alike the two are.
const FINE_MARGIN: f64 = 0.14 * ALPHA;
/// Levels tell ψ to within this: a coordinate is off by half a step of at most 1/127 at most, which makes
/// a standard deviation of 0.0016 in the worst case and of 0.0005 in texts of a run.
pub(super) const SLACK: f32 = 0.006;
/// Rows handed on to be scored exactly.
pub(super) const KEPT_MAX: usize = 256;
/// Estimates passed over at once when none of them is wanted.
const CHUNK: usize = 64;

/// A row and its ψ as told by its levels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ScoredRow {
    pub(super) score: f32,
    pub(super) at: usize,
}

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
    let (mut found, mut seen, mut above) = (Vec::with_capacity(ROUNDS[0]), 0, STEPS);
    for round in ROUNDS {
        let floor = rough.floor(above, round - seen);
        let rows = rough.rows_between(floor..above, 2 * round)?;
        seen = round.min(seen + rows.len());
        above = floor;
        score_likely(index, probe, &rows, wanted, &mut found)?;
        let enough = worst_of_best(&found, wanted)
            .is_some_and(|worst| psi_of(above) + ROUGH_MARGIN < f64::from(worst));
        if above == 0 || enough {
            return Some(shortlist(found, wanted));
        }
    }
    None
}

/// Scores rows by their levels, best finer estimate first, until the rest is too far below the best; none if
/// that would be too many.
fn score_likely(
    index: &VectorIndex,
    probe: &Probe,
    rows: &[usize],
    wanted: usize,
    found: &mut Vec<ScoredRow>,
) -> Option<()> {
    let arch = pulp::Arch::new();
    let mut likely = arch.dispatch(Finer { index, probe, rows });
    // What is too far below the worst of the best so far need not be put in order.
    if let Some(worst) = worst_of_best(found, wanted) {
        likely.retain(|(estimate, _)| *estimate + FINE_MARGIN as f32 >= worst);
    }
    let order = |a: &(f32, usize), b: &(f32, usize)| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1));
    likely.sort_unstable_by(order);
    for (n, batch) in likely.chunks(BATCH).enumerate() {
        let worst = worst_of_best(found, wanted);
        if worst.is_some_and(|worst| batch[0].0 + (FINE_MARGIN as f32) < worst) {
            break;
        }
        if n * BATCH >= SCORED_MAX {
            return None;
        }
        arch.dispatch(Score {
            index,
            probe,
            batch,
            found,
        });
        if found.len() > 4 * KEPT_MAX {
            *found = shortlist(std::mem::take(found), wanted);
        }
    }
    Some(())
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

/// The `wanted`-th best score.
pub(super) fn worst_of_best(found: &[ScoredRow], wanted: usize) -> Option<f32> {
    let place = wanted.checked_sub(1)?;
    let mut scores: Vec<f32> = found.iter().map(|found| found.score).collect();
    if place >= scores.len() {
        return None;
    }
    let (_, worst, _) = scores.select_nth_unstable_by(place, |a, b| b.total_cmp(a));
    Some(*worst)
}

/// The best of these, and all that may belong to them; best first and newest first among equals.
pub(super) fn shortlist(mut found: Vec<ScoredRow>, wanted: usize) -> Vec<ScoredRow> {
    if let Some(worst) = worst_of_best(&found, wanted) {
        found.retain(|found| found.score >= worst - SLACK);
    }
    found.sort_unstable_by(|a, b| b.score.total_cmp(&a.score).then(b.at.cmp(&a.at)));
    found.truncate(KEPT_MAX.max(wanted));
    found
}
