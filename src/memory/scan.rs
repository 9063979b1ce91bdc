//! The scan: the rows whose ψ is likely to be best, from all rows of the shelf.
//!
//! Sketches and hashes give an estimate of ψ for every row. Rows are then scored by their levels, best
//! estimate first, until the rest is too far below the best found. Rows with an equal condition or cell
//! carry their bonus in the estimate, so none of them is passed over for lack of a like text.
//! Invariant: same shelf, same probe, same rows, whatever the number of processors.

use super::psi::{ALPHA, BETA, CONDITION, Keys, NEAR, REGION};
use super::shelf::{Block, Hashes, ROWS, Shelf};
use super::sketch::{SIGNS, WORDS};
use std::ops::Range;

/// Estimates are counted in so many steps, from the lowest ψ to the highest.
const STEPS: usize = 4_096;
/// Blocks of one part. Parts do not depend on the machine, and neither do the rows they find.
const PART_BLOCKS: usize = 64;
/// Rows of a part scored before it is asked whether more are needed; the last is the most.
const ROUNDS: [usize; 3] = [512, 2_048, 8_192];
/// How far below the best found an estimate may be and its row still belong to them. A cosine told by
/// 384 signs has a standard deviation of 0.08 at right angles and 0.04 near 0.8.
const MARGIN: f64 = 0.2 * ALPHA;
/// Levels tell ψ to within this.
const SLACK: f32 = 0.02;
/// Rows handed on to be scored exactly.
pub(super) const KEPT_MAX: usize = 256;
/// Estimates passed over at once when none of them is wanted.
const CHUNK: usize = 64;
/// What the query's coordinates are multiplied with.
const QUERY_STEPS: f32 = 4_095.0;

/// A query, made ready.
pub(super) struct Probe {
    signs: [u64; WORDS],
    hashes: Hashes,
    levels: Vec<i16>,
    step: f32,
    /// For each δ class and number of differing signs, the estimate in steps.
    steps: [[u16; SIGNS + 1]; CLASSES],
}

/// A row and its ψ as told by its levels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Found {
    pub(super) score: f32,
    pub(super) at: usize,
}

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

impl Probe {
    pub(super) fn new(shelf: &Shelf, point: &[f32], keys: Keys) -> Self {
        let largest = point.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
        let step = largest / QUERY_STEPS;
        let level = |x: &f32| {
            if step > 0.0 {
                (x / step).round() as i16
            } else {
                0
            }
        };
        // A text without words is like nothing: only hashes count.
        let alpha = if largest > 0.0 { ALPHA } else { 0.0 };
        let estimate = |class: usize, differ: usize| {
            let cosine = (std::f64::consts::PI * differ as f64 / SIGNS as f64).cos();
            step_of(alpha * cosine + BETA * DELTAS[class])
        };
        Self {
            signs: shelf.sketch(point),
            hashes: Hashes::of(keys),
            levels: point.iter().map(level).collect(),
            step,
            steps: std::array::from_fn(|class| {
                std::array::from_fn(|differ| estimate(class, differ))
            }),
        }
    }

    #[inline(always)]
    fn class(&self, row: &Hashes) -> usize {
        let same = |a: u32, b: u32| usize::from(a == b && a != 0);
        let near = same(self.hashes.near, row.near);
        let place = near + same(self.hashes.region, row.region).max(near);
        3 * same(self.hashes.condition, row.condition) + place
    }

    #[inline(always)]
    fn estimate(&self, block: &Block, row: usize) -> u16 {
        let line = &block.lines[row];
        let mut differ = 0;
        for word in 0..WORDS {
            differ += (line.signs[word] ^ self.signs[word]).count_ones();
        }
        self.steps[self.class(&line.hashes)][differ as usize]
    }

    /// ψ by the levels.
    #[inline(always)]
    fn score(&self, block: &Block, row: usize) -> f32 {
        let dims = self.levels.len();
        let levels = &block.levels[row * dims..][..dims];
        let mut dot = 0_i32;
        for (level, wanted) in levels.iter().zip(&self.levels) {
            dot += i32::from(level.cast_signed()) * i32::from(*wanted);
        }
        let line = &block.lines[row];
        let delta = DELTAS[self.class(&line.hashes)];
        dot as f32 * self.step * line.step * ALPHA as f32 + (BETA * delta) as f32
    }
}

fn step_of(psi: f64) -> u16 {
    let share = (psi + ALPHA) / (2.0 * ALPHA + BETA);
    (share * (STEPS - 1) as f64) as u16
}

fn psi_of(step: usize) -> f64 {
    step as f64 / (STEPS - 1) as f64 * (2.0 * ALPHA + BETA) - ALPHA
}

/// The likeliest rows, best first and newest first among equals: at least `wanted`, if there are so
/// many, and all that may belong to them.
pub(super) fn best(shelf: &Shelf, probe: &Probe, wanted: usize) -> Vec<Found> {
    let parts: Vec<_> = shelf
        .blocks
        .chunks(PART_BLOCKS)
        .zip((0..).step_by(PART_BLOCKS * ROWS))
        .collect();
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = parts.len().min(cores).max(1);
    let look = |thread: usize| {
        let own = parts.iter().skip(thread).step_by(threads);
        own.flat_map(|(blocks, first)| part(blocks, *first, probe, wanted))
            .collect::<Vec<Found>>()
    };
    let found = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|n| scope.spawn(move || look(n))).collect();
        let mut found = look(0);
        for other in others {
            found.extend(other.join().expect("a scan does not panic"));
        }
        found
    });
    shortlist(found, wanted)
}

/// The best of these rows only.
pub(super) fn best_within(
    shelf: &Shelf,
    probe: &Probe,
    rows: &[Range<usize>],
    wanted: usize,
) -> Vec<Found> {
    let all = rows.iter().flat_map(Clone::clone);
    let known = all.filter(|at| *at < shelf.len());
    let score = |at: usize| Found {
        score: probe.score(&shelf.blocks[at / ROWS], at % ROWS),
        at,
    };
    shortlist(known.map(score).collect(), wanted)
}

/// The likeliest rows of some blocks, of which the first row has the place `first`.
fn part(blocks: &[Block], first: usize, probe: &Probe, wanted: usize) -> Vec<Found> {
    let arch = pulp::Arch::new();
    let mut estimates = vec![0_u16; blocks.iter().map(|block| block.lines.len()).sum()];
    arch.dispatch(
        #[inline(always)]
        || {
            for (block, into) in blocks.iter().zip(estimates.chunks_mut(ROWS)) {
                for (row, estimate) in into.iter_mut().enumerate() {
                    *estimate = probe.estimate(block, row);
                }
            }
        },
    );
    let mut counts = vec![0_usize; STEPS];
    for estimate in &estimates {
        counts[usize::from(*estimate)] += 1;
    }
    let mut found: Vec<Found> = Vec::with_capacity(ROUNDS[1]);
    let mut above = STEPS;
    for round in ROUNDS {
        let floor = floor(&counts, above, round.saturating_sub(found.len()));
        let rows = rows_between(
            &estimates,
            floor..above,
            ROUNDS[ROUNDS.len() - 1] - found.len(),
        );
        arch.dispatch(
            #[inline(always)]
            || {
                found.extend(rows.iter().map(
                    #[inline(always)]
                    |at| Found {
                        score: probe.score(&blocks[at / ROWS], at % ROWS),
                        at: first + at,
                    },
                ));
            },
        );
        above = floor;
        let enough = worst_of_best(&found, wanted)
            .is_some_and(|worst| psi_of(above) + MARGIN < f64::from(worst));
        if above == 0 || enough {
            break;
        }
    }
    shortlist(found, wanted)
}

/// The estimate down to which there are at least so many rows below `above`.
fn floor(counts: &[usize], above: usize, rows: usize) -> usize {
    let mut sum = 0;
    let enough = (0..above).rev().find(|step| {
        sum += counts[*step];
        sum >= rows
    });
    enough.unwrap_or(0)
}

/// The rows of these estimates, newest first; if they are too many, the oldest of the lowest estimate
/// are left out: rows that look alike to the last step mostly are alike.
fn rows_between(estimates: &[u16], wanted: Range<usize>, most: usize) -> Vec<usize> {
    let (low, high) = (wanted.start as u16, wanted.end as u16);
    let mut rows = Vec::new();
    let mut lowest = Vec::new();
    for (n, chunk) in estimates.chunks(CHUNK).enumerate().rev() {
        let first = n * CHUNK;
        let hits: u32 = chunk
            .iter()
            .map(|estimate| u32::from(*estimate >= low && *estimate < high))
            .sum();
        if hits > 0 {
            for (i, estimate) in chunk.iter().enumerate().rev() {
                if *estimate == low {
                    lowest.push(first + i);
                } else if *estimate > low && *estimate < high {
                    rows.push(first + i);
                }
            }
        }
    }
    lowest.truncate(most.saturating_sub(rows.len()));
    rows.extend(lowest);
    rows
}

/// The `wanted`-th best score.
fn worst_of_best(found: &[Found], wanted: usize) -> Option<f32> {
    let place = wanted.checked_sub(1)?;
    let mut scores: Vec<f32> = found.iter().map(|found| found.score).collect();
    if place >= scores.len() {
        return None;
    }
    let (_, worst, _) = scores.select_nth_unstable_by(place, |a, b| b.total_cmp(a));
    Some(*worst)
}

fn shortlist(mut found: Vec<Found>, wanted: usize) -> Vec<Found> {
    if let Some(worst) = worst_of_best(&found, wanted) {
        found.retain(|found| found.score >= worst - SLACK);
    }
    found.sort_unstable_by(|a, b| b.score.total_cmp(&a.score).then(b.at.cmp(&a.at)));
    found.truncate(KEPT_MAX.max(wanted));
    found
}
