//! The effect of an entry: runs that it was given to, minus runs that it was withheld from by a draw.
//!
//! A run counts for the side that the draw put it on, whatever the entry did in it (intention to treat).
//! Invariant: only sums are kept, so the order of runs makes no difference and two records can be added.

use crate::domain::knowledge::interval::{
    DifferenceInterval, difference_of_means, difference_of_rates,
};
use serde::{Deserialize, Serialize};

/// How a run ended, as far as effects are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunResult {
    pub success: bool,
    pub failed_attempts: u32,
    /// World time at the end.
    pub ticks: u64,
}

/// The runs on one side of the draw, summed up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RunSums {
    pub runs: u64,
    pub successes: u64,
    pub failed_attempts: u64,
    /// Sum of the squares; so below.
    pub failed_attempts_squared: u64,
    pub ticks: u64,
    pub ticks_squared: u64,
}

impl RunSums {
    /// Counts one more run.
    pub fn count(&mut self, run: RunResult) {
        let failed = u64::from(run.failed_attempts);
        self.add(&Self {
            runs: 1,
            successes: u64::from(run.success),
            failed_attempts: failed,
            failed_attempts_squared: failed.saturating_mul(failed),
            ticks: run.ticks,
            ticks_squared: run.ticks.saturating_mul(run.ticks),
        });
    }

    /// Adds the runs of another record.
    pub fn add(&mut self, other: &Self) {
        for (mine, theirs) in [
            (&mut self.runs, other.runs),
            (&mut self.successes, other.successes),
            (&mut self.failed_attempts, other.failed_attempts),
            (
                &mut self.failed_attempts_squared,
                other.failed_attempts_squared,
            ),
            (&mut self.ticks, other.ticks),
            (&mut self.ticks_squared, other.ticks_squared),
        ] {
            *mine = mine.saturating_add(theirs);
        }
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.runs == 0
    }
}

/// What an entry changes in a run that it is given to: given minus withheld; the JSON form is stable.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct EntryEffect {
    pub given_runs: u64,
    pub withheld_runs: u64,
    /// Percentage points.
    pub success: DifferenceInterval,
    /// Failed attempts in a run.
    pub failed_attempts: DifferenceInterval,
    /// Ticks of a run.
    pub ticks: DifferenceInterval,
}

/// Runs on each side below which nothing is estimated: one run has no spread.
pub const RUNS_MIN: u64 = 2;

impl EntryEffect {
    /// The effect that was measured; none with fewer than two runs on a side.
    #[must_use]
    pub fn measured(given: &RunSums, withheld: &RunSums) -> Option<Self> {
        if given.runs.min(withheld.runs) < RUNS_MIN {
            return None;
        }
        let means = |sums: fn(&RunSums) -> (u64, u64)| {
            let side = |runs: &RunSums| {
                let (sum, squared) = sums(runs);
                (runs.runs, sum, squared)
            };
            difference_of_means(side(given), side(withheld))
        };
        Some(Self {
            given_runs: given.runs,
            withheld_runs: withheld.runs,
            success: difference_of_rates(
                (given.successes, given.runs),
                (withheld.successes, withheld.runs),
            ),
            failed_attempts: means(|runs| (runs.failed_attempts, runs.failed_attempts_squared)),
            ticks: means(|runs| (runs.ticks, runs.ticks_squared)),
        })
    }

    /// All of the interval says that fewer runs succeed with it.
    #[must_use]
    pub fn is_harmful(&self) -> bool {
        self.success.high < 0.0
    }

    /// One line for each measure: its name, and the difference with its interval.
    #[must_use]
    pub fn lines(&self) -> [(&'static str, String); 3] {
        let text = |estimate: &DifferenceInterval, digits: usize, unit: &str| {
            let DifferenceInterval { value, low, high } = estimate;
            format!("{value:+.digits$}{unit} ({low:+.digits$} to {high:+.digits$})")
        };
        [
            ("success", text(&self.success, 1, " points")),
            ("failed attempts", text(&self.failed_attempts, 2, "")),
            ("ticks", text(&self.ticks, 0, "")),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(success: bool, failed_attempts: u32, ticks: u64) -> RunResult {
        RunResult {
            success,
            failed_attempts,
            ticks,
        }
    }

    fn sums(runs: &[RunResult]) -> RunSums {
        let mut sums = RunSums::default();
        runs.iter().for_each(|run| sums.count(*run));
        sums
    }

    #[test]
    fn nothing_is_estimated_from_one_run_on_a_side() {
        let two = sums(&[run(true, 0, 100), run(false, 2, 300)]);
        let one = sums(&[run(true, 0, 100)]);
        assert_eq!(EntryEffect::measured(&two, &one), None);
        assert_eq!(EntryEffect::measured(&one, &two), None);
        let effect = EntryEffect::measured(&two, &two).unwrap();
        assert!(effect.success.low < 0.0 && effect.success.high > 0.0);
        assert!(effect.success.value.abs() < 1e-9 && effect.ticks.value.abs() < 1e-9);
    }

    #[test]
    fn records_add_up_in_any_order() {
        let all = [run(true, 1, 10), run(false, 4, 200), run(true, 0, 30)];
        let (one, two) = all.split_at(1);
        let [mut a, mut b] = [sums(one), sums(two)];
        let other = a;
        a.add(&b);
        b.add(&other);
        assert_eq!([a, b], [sums(&all); 2]);
        assert_eq!((a.failed_attempts_squared, a.ticks_squared), (17, 41_000));
    }

    #[test]
    fn an_entry_is_harmful_only_if_the_whole_interval_says_so() {
        let of = |successes: u64, runs: u64| RunSums {
            runs,
            successes,
            ..RunSums::default()
        };
        let harmful = |given: &RunSums, withheld: &RunSums| {
            let effect = EntryEffect::measured(given, withheld);
            effect.unwrap().is_harmful()
        };
        assert!(harmful(&of(10, 40), &of(36, 40)));
        assert!(!harmful(&of(2, 4), &of(3, 4)));
        assert!(!harmful(&of(36, 40), &of(10, 40)));
    }
}
