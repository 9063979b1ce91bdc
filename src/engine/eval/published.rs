//! The papers' figures: success rates as printed, each with its source and what differs from here.
//!
//! They stand beside our figures and are never mixed with them.

use crate::suites::SuiteName;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// One row of a table of a paper.
/// Unknown fields are refused: a misspelt one would silently lose a figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    pub suite: SuiteName,
    pub label: String,
    pub source: String,
    /// Why it is not the same experiment.
    /// Shown beside the figure.
    pub differs: String,
    /// Percent.
    pub groups: BTreeMap<String, f64>,
    /// Percent, as the paper weighs its groups.
    pub overall: Option<f64>,
    /// Mean replans, where the paper gives them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub replans: BTreeMap<String, f64>,
}

static PUBLISHED: LazyLock<Vec<Published>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("data/papers.json"))
        .expect("the figures compiled in read; a test reads them")
});

/// What the papers print for this suite.
pub fn published_for(suite: SuiteName) -> impl Iterator<Item = &'static Published> {
    PUBLISHED.iter().filter(move |row| row.suite == suite)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_of_the_figures_is_a_group_of_the_suite() {
        for name in SuiteName::ALL {
            let groups: Vec<&str> = name
                .suite()
                .tasks
                .iter()
                .map(|t| t.group.as_str())
                .collect();
            // Of parallel goals the paper prints differences between selectors and no rates, of buildings nothing.
            let is_ours = matches!(name, SuiteName::Parallel | SuiteName::Blueprints);
            assert!(is_ours || published_for(name).count() > 0);
            for row in published_for(name) {
                let rows = row.groups.iter().chain(&row.replans);
                for (group, value) in rows {
                    assert!(groups.contains(&group.as_str()), "{} {group}", row.label);
                    assert!((0.0..=100.0).contains(value));
                }
                assert!(!row.differs.is_empty() && !row.source.is_empty());
            }
        }
    }

    /// Overall is the mean over the tasks: the paper's own arithmetic, checked once more.
    #[test]
    fn the_overall_of_mcu70_is_weighted_by_tasks() {
        let tasks = &SuiteName::Mcu70.suite().tasks;
        for row in published_for(SuiteName::Mcu70) {
            let sum: f64 = tasks.iter().map(|task| row.groups[&task.group]).sum();
            let mean = sum / tasks.len() as f64;
            assert!(
                row.overall
                    .is_some_and(|overall| (overall - mean).abs() < 0.01)
            );
        }
    }
}
