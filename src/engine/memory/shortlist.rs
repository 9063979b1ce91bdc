//! The shortlist: of the rows scored so far, those that may belong to the best.
//!
//! Levels tell ψ with an error, so all rows near enough to the best stay until the database decides. Runs say the same
//! again and again: of rows that are alike (the same text, the same score) only as many stay as are wanted, the
//! newest. More of them would push out rows that are told a little less and may be better.
//! Invariant: best first, and newest first among equals.

use super::vector_index::{Text, VectorIndex};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Levels tell ψ to within this: a coordinate is off by half a step of at most 1/127 at most, which makes
/// a standard deviation of 0.0016 in the worst case and of 0.0005 in texts of a run.
const SLACK: f32 = 0.006;
/// Texts handed on with their scores, of each of which one row is scored exactly.
const TEXTS_MAX: usize = 256;
/// Rows that are gathered, at least, before the best of them are chosen.
const GATHERED: usize = 1_024;

/// A row and its ψ as told by its levels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ScoredRow {
    pub(super) score: f32,
    pub(super) at: usize,
}

/// The best of the rows that are offered, and all that may belong to them.
#[derive(Debug)]
pub(super) struct Shortlist<'a> {
    index: &'a VectorIndex,
    found: Vec<ScoredRow>,
    wanted: usize,
    /// So many rows are gathered before the best of them are chosen.
    room: usize,
    /// What a row's score must reach.
    bar: f32,
}

/// What rows that are alike have in common: their score and their text.
type Alike = (u32, Text);

fn alike(index: &VectorIndex, row: &ScoredRow) -> Alike {
    (row.score.to_bits(), index.text(row.at))
}

/// These rows, those that are alike together: their ψ is the same. Both keep their order.
pub(super) fn alike_together(index: &VectorIndex, rows: &[ScoredRow]) -> Vec<Vec<ScoredRow>> {
    let mut places: HashMap<Alike, usize> = HashMap::new();
    let mut together: Vec<Vec<ScoredRow>> = Vec::new();
    for row in rows {
        let place = *places.entry(alike(index, row)).or_insert(together.len());
        match together.get_mut(place) {
            Some(rows) => rows.push(*row),
            None => together.push(vec![*row]),
        }
    }
    together
}

impl<'a> Shortlist<'a> {
    pub(super) fn new(index: &'a VectorIndex, wanted: usize) -> Self {
        Self {
            index,
            found: Vec::with_capacity(GATHERED),
            wanted,
            room: GATHERED,
            bar: f32::MIN,
        }
    }

    /// What a row must reach to be of interest, if it is older than those offered before.
    #[inline(always)]
    pub(super) fn bar(&self) -> f32 {
        self.bar
    }

    /// Takes a row, older than those before it.
    #[inline(always)]
    pub(super) fn offer_older(&mut self, row: ScoredRow) {
        if row.score >= self.bar {
            self.take_older(row);
        }
    }

    #[cold]
    fn take_older(&mut self, row: ScoredRow) {
        self.found.push(row);
        if self.found.len() < self.room {
            return;
        }
        let texts = self.choose();
        let last = self.found.last().map_or(f32::MIN, |last| last.score);
        let worst = self.found.get(self.wanted.saturating_sub(1));
        let near = worst.map_or(f32::MIN, |worst| worst.score - SLACK);
        // A full list takes nothing that is older and no better.
        self.bar = if texts >= TEXTS_MAX {
            last.next_up()
        } else {
            near
        };
    }

    /// Takes rows of any age.
    pub(super) fn take(&mut self, rows: impl IntoIterator<Item = ScoredRow>) {
        self.found.extend(rows);
        if self.found.len() >= self.room {
            self.choose();
        }
    }

    /// The `wanted`-th best score, if so many rows were found.
    pub(super) fn worst_of_best(&self) -> Option<f32> {
        let place = self.wanted.checked_sub(1)?;
        let mut scores: Vec<f32> = self.found.iter().map(|found| found.score).collect();
        if place >= scores.len() {
            return None;
        }
        let (_, worst, _) = scores.select_nth_unstable_by(place, |a, b| b.total_cmp(a));
        Some(*worst)
    }

    /// What is left when all rows were taken.
    pub(super) fn into_rows(mut self) -> Vec<ScoredRow> {
        self.choose();
        self.found
    }

    /// Leaves the best of them; the number of their texts, one with several scores counted for each.
    fn choose(&mut self) -> usize {
        if let Some(worst) = self.worst_of_best() {
            self.found.retain(|found| found.score >= worst - SLACK);
        }
        let order =
            |a: &ScoredRow, b: &ScoredRow| b.score.total_cmp(&a.score).then(b.at.cmp(&a.at));
        self.found.sort_unstable_by(order);
        let mut seen: HashMap<Alike, usize> = HashMap::new();
        self.found.retain(|found| {
            let is_full = seen.len() >= TEXTS_MAX;
            match seen.entry(alike(self.index, found)) {
                Entry::Occupied(mut rows) => {
                    *rows.get_mut() += 1;
                    *rows.get() <= self.wanted
                }
                Entry::Vacant(new) => {
                    if !is_full {
                        new.insert(1);
                    }
                    !is_full
                }
            }
        });
        self.room = GATHERED.max(2 * self.found.len());
        seen.len()
    }
}
