//! The whole scan: a query held against every row, by its coordinates that are not zero.
//!
//! A query of a few words has few of them, and turned it says too little to leave rows out by: of a million rows
//! a third had to be looked at again for one typed word. Longer ones end here when estimates do not settle it.
//! Invariant: the same rows as if all had been scored and put in order.

use super::kernels::Best;
use super::probe::Probe;
use super::scan::{KEPT_MAX, SLACK, ScoredRow, blocks_per_core, map_in_parallel, shortlist};
use super::vector_index::{ROWS, VectorIndex};

/// Rows that are gathered before the best of them are chosen.
const GATHERED: usize = 4 * KEPT_MAX;

/// The likeliest rows, as `scan::best` says.
pub(super) fn best_rows_of_all(
    index: &VectorIndex,
    probe: &Probe,
    wanted: usize,
) -> Vec<ScoredRow> {
    let each = blocks_per_core(index.blocks.len());
    let parts = index.blocks.chunks(each).enumerate();
    let found = map_in_parallel(parts, |(n, blocks)| {
        pulp::Arch::new().dispatch(Best {
            blocks,
            first: n * each * ROWS,
            probe,
            wanted,
        })
    });
    shortlist(
        found.into_iter().flat_map(|part| part.found).collect(),
        wanted,
    )
}

/// The best of the rows that are offered, newest first, and all that may belong to them.
#[derive(Debug)]
pub(super) struct Shortlist {
    found: Vec<ScoredRow>,
    wanted: usize,
    /// What a row's score must reach.
    bar: f32,
}

impl Shortlist {
    pub(super) fn new(wanted: usize) -> Self {
        Self {
            found: Vec::with_capacity(GATHERED + wanted),
            wanted,
            bar: f32::MIN,
        }
    }

    /// What a row must reach to be of interest.
    #[inline(always)]
    pub(super) fn bar(&self) -> f32 {
        self.bar
    }

    #[inline(always)]
    pub(super) fn offer(&mut self, row: ScoredRow) {
        if row.score >= self.bar {
            self.insert(row);
        }
    }

    #[cold]
    fn insert(&mut self, row: ScoredRow) {
        self.found.push(row);
        if self.found.len() < GATHERED + self.wanted {
            return;
        }
        self.found = shortlist(std::mem::take(&mut self.found), self.wanted);
        let last = self.found.last().map_or(f32::MIN, |last| last.score);
        let worst = self.found.get(self.wanted.saturating_sub(1));
        let near = worst.map_or(f32::MIN, |worst| worst.score - SLACK);
        // A full list takes nothing that is older and no better.
        let full = self.found.len() >= KEPT_MAX.max(self.wanted);
        self.bar = if full { last.next_up() } else { near };
    }
}
