//! Statistics: success rates with Wilson intervals, and what is counted over a set of episodes.

use super::episode::{Ended, Episode};
use serde::Serialize;
use std::collections::BTreeMap;

/// The quantile of the normal distribution for 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// Where a rate lies with 95 % confidence, in percent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

/// The Wilson score interval of `successes` in `n`; all of 0 to 100 if there is nothing to go by.
#[must_use]
pub fn wilson(successes: u64, n: u64) -> Interval {
    if n == 0 {
        return Interval {
            low: 0.0,
            high: 100.0,
        };
    }
    let (n, p) = (n as f64, successes as f64 / n as f64);
    let share = Z * Z / n;
    let middle = p + share / 2.0;
    let half = Z * (p * (1.0 - p) / n + share / (4.0 * n)).sqrt();
    let at = |edge: f64| (100.0 * edge / (1.0 + share)).clamp(0.0, 100.0);
    Interval {
        low: at(middle - half),
        high: at(middle + half),
    }
}

/// What a set of episodes comes to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tally {
    /// Episodes that count.
    pub episodes: u64,
    pub successes: u64,
    /// Percent; none without episodes.
    pub rate: Option<f64>,
    pub wilson95: Interval,
    pub attempts: u64,
    pub failed_attempts: u64,
    pub failures_by_reason: BTreeMap<String, u64>,
    /// Mean per episode.
    pub replans: f64,
    /// Mean per episode.
    pub ticks: f64,
    /// Mean over the episodes that succeeded; none if none did.
    pub ticks_to_success: Option<f64>,
    /// Episodes that could not be played and are not counted.
    pub void: u64,
}

/// Counts the episodes.
#[must_use]
pub(super) fn tally<'a>(episodes: impl Iterator<Item = &'a Episode>) -> Tally {
    let (void, counted): (Vec<&Episode>, Vec<&Episode>) =
        episodes.partition(|episode| episode.ended == Ended::Void);
    let sum = |of: fn(&Episode) -> u64| counted.iter().map(|episode| of(episode)).sum::<u64>();
    let (n, successes) = (counted.len() as u64, sum(|e| u64::from(e.success)));
    let mut failures_by_reason = BTreeMap::new();
    for (reason, count) in counted.iter().flat_map(|e| &e.failures_by_reason) {
        *failures_by_reason.entry(reason.clone()).or_default() += count;
    }
    let won = sum(|e| if e.success { e.ticks } else { 0 });
    Tally {
        episodes: n,
        successes,
        rate: (n > 0).then(|| 100.0 * successes as f64 / n as f64),
        wilson95: wilson(successes, n),
        attempts: sum(|e| e.attempts),
        failed_attempts: sum(|e| e.failed_attempts),
        failures_by_reason,
        replans: mean(sum(|e| e.replans), n),
        ticks: mean(sum(|e| e.ticks), n),
        ticks_to_success: (successes > 0).then(|| mean(won, successes)),
        void: void.len() as u64,
    }
}

fn mean(sum: u64, n: u64) -> f64 {
    if n == 0 { 0.0 } else { sum as f64 / n as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the score interval without continuity correction, as statistics packages print them.
    #[test]
    fn intervals_are_those_of_the_books() {
        for (successes, n, low, high) in [
            (0, 20, 0.0, 16.11),
            (1, 10, 1.79, 40.42),
            (10, 20, 29.93, 70.07),
            (20, 20, 83.89, 100.0),
            (81, 263, 25.53, 36.62),
            (15, 148, 6.24, 16.05),
            (0, 0, 0.0, 100.0),
        ] {
            let found = wilson(successes, n);
            assert!(
                (found.low - low).abs() < 0.01 && (found.high - high).abs() < 0.01,
                "{successes}/{n}: {found:?}"
            );
        }
    }
}
