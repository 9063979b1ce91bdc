//! The heat map of failures: how often each subgoal failed for each reason, over some runs.
//!
//! Invariant: rows and columns are sorted by their sums, largest first, and equal sums by name.

use crate::journal::LabelledFailure;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Failed attempts that are counted; the newest.
/// A bound on memory; older failures say less.
pub const FAILURES_MAX: usize = 50_000;

/// Counts by subgoal and by reason.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct FailureHeatmap {
    pub reasons: Vec<String>,
    pub rows: Vec<HeatmapRow>,
    pub runs: usize,
    pub failures: usize,
}

/// One subgoal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HeatmapRow {
    pub subgoal: String,
    /// In the order of the reasons.
    pub counts: Vec<u64>,
    /// Runs in which it failed.
    pub runs: usize,
}

impl HeatmapRow {
    #[must_use]
    pub fn sum(&self) -> u64 {
        self.counts.iter().sum()
    }
}

impl FailureHeatmap {
    #[must_use]
    pub fn from_failures(failures: &[LabelledFailure]) -> Self {
        // Sorted maps, so that equal sums keep the order of names: the sorts below are
        // stable.
        let mut by_reason: BTreeMap<&str, u64> = BTreeMap::new();
        let mut cells: BTreeMap<&str, BTreeMap<&str, u64>> = BTreeMap::new();
        let mut runs: BTreeMap<&str, BTreeSet<u64>> = BTreeMap::new();
        for failure in failures {
            let (subgoal, reason) = (failure.subgoal.as_str(), failure.reason.as_str());
            *by_reason.entry(reason).or_default() += 1;
            *cells.entry(subgoal).or_default().entry(reason).or_default() += 1;
            runs.entry(subgoal).or_default().insert(failure.run.0);
        }
        let mut reasons: Vec<(&str, u64)> = by_reason.into_iter().collect();
        reasons.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        let reasons: Vec<String> = reasons.iter().map(|(r, _)| (*r).to_owned()).collect();
        let row = |(subgoal, counts): (&str, BTreeMap<&str, u64>)| HeatmapRow {
            subgoal: subgoal.to_owned(),
            counts: reasons
                .iter()
                .map(|reason| counts.get(reason.as_str()).copied().unwrap_or(0))
                .collect(),
            runs: runs.get(subgoal).map_or(0, BTreeSet::len),
        };
        let mut rows: Vec<HeatmapRow> = cells.into_iter().map(row).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.sum()));
        let all: BTreeSet<u64> = failures.iter().map(|failure| failure.run.0).collect();
        Self {
            rows,
            runs: all.len(),
            failures: failures.len(),
            reasons,
        }
    }

    /// The largest count, by which all others are shaded.
    #[must_use]
    pub fn most(&self) -> u64 {
        let counts = self.rows.iter().flat_map(|row| &row.counts);
        counts.copied().max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_world::ids::{AttemptId, RunId};

    #[test]
    fn rows_and_columns_stand_by_their_sums_and_every_failure_is_counted_once() {
        let failure = |run, subgoal: &str, reason: &str| LabelledFailure {
            run: RunId(run),
            attempt: AttemptId(1),
            subgoal: subgoal.to_owned(),
            reason: reason.to_owned(),
        };
        let failures = [
            failure(1, "mine coal", "TIMEOUT"),
            failure(1, "mine iron_ore", "NAV_STUCK"),
            failure(2, "mine iron_ore", "NAV_STUCK"),
            failure(2, "mine iron_ore", "TIMEOUT"),
            failure(2, "mine iron_ore", "NAV_STUCK"),
        ];
        let heat = FailureHeatmap::from_failures(&failures);
        assert_eq!(heat.reasons, ["NAV_STUCK", "TIMEOUT"]);
        assert_eq!(heat.rows[0].subgoal, "mine iron_ore");
        assert_eq!(
            (heat.rows[0].counts.as_slice(), heat.rows[0].runs),
            (&[3, 1][..], 2)
        );
        assert_eq!((heat.most(), heat.runs, heat.failures), (3, 2, 5));
        let sum: u64 = heat.rows.iter().map(HeatmapRow::sum).sum();
        assert_eq!(sum, 5);
        assert_eq!(FailureHeatmap::from_failures(&[]).most(), 0);
    }
}
