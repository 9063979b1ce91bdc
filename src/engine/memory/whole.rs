//! The whole scan: a query held against every row, by its coordinates that are not zero.
//!
//! A query of a few words has few of them, and turned it says too little to leave rows out by: of a million rows
//! a third had to be looked at again for one typed word. Longer ones end here when estimates do not settle it.
//! Invariant: the same rows as if all had been scored and put in order.

use super::kernels::Best;
use super::probe::Probe;
use super::scan::{blocks_per_core, map_in_parallel};
use super::shortlist::{ScoredRow, Shortlist};
use super::vector_index::{ROWS, VectorIndex};

/// The likeliest rows, as `scan::best_rows` says.
pub(super) fn best_rows_of_all(
    index: &VectorIndex,
    probe: &Probe,
    wanted: usize,
) -> Vec<ScoredRow> {
    let each = blocks_per_core(index.blocks.len());
    let parts = index.blocks.chunks(each).enumerate();
    let found = map_in_parallel(parts, |(n, blocks)| {
        let best = pulp::Arch::new().dispatch(Best {
            index,
            blocks,
            first: n * each * ROWS,
            probe,
            wanted,
        });
        best.into_rows()
    });
    let mut all = Shortlist::new(index, wanted);
    all.take(found.into_iter().flatten());
    all.into_rows()
}
