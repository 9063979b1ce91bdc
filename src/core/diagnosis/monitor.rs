//! Monitors: the checks of a subgoal with what is observed beside what is expected.

use crate::domain::check::Truth;
use crate::domain::condition::situation::Situation;
use crate::domain::plan::Subgoal;

/// One check at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// For example `inv_ge iron_ore 3`.
    pub check: String,
    /// For example `have 1`.
    pub observed: String,
    pub truth: Truth,
    /// Items, blocks or ticks until it is true.
    /// 0 once it is true; none for checks that cannot be measured.
    pub distance: Option<f64>,
}

/// All checks of the subgoal, in its order.
#[must_use]
pub fn readings(subgoal: &Subgoal, now: &Situation<'_>) -> Vec<Reading> {
    let read = |check: &crate::domain::check::Check| Reading {
        check: check.describe(),
        observed: check.observed(now),
        truth: check.truth(now),
        distance: check.distance(now),
    };
    subgoal.checks.iter().map(read).collect()
}

/// The truths alone, as they are kept in samples.
/// One for each check, in the order of the subgoal: samples keep no names.
#[must_use]
pub fn truths(subgoal: &Subgoal, now: &Situation<'_>) -> Vec<Truth> {
    subgoal
        .checks
        .iter()
        .map(|check| check.truth(now))
        .collect()
}
