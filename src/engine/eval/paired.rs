//! Paired comparison: what a difference between two arms that were played on the same seeds is worth.
//!
//! Successes by Newcombe's score interval for paired proportions and the exact McNemar test; counts by
//! a percentile bootstrap over pairs with a fixed seed. Where pairs share a world they stand or fall together,
//! so whole worlds are drawn. Same pairs, same figures.

use pithead_core::domain::knowledge::interval::wilson;
use pithead_world::rng::Rng;
use serde::Serialize;
use std::collections::BTreeMap;

/// Resamples of the bootstrap: enough that its own error is far below that of tens of runs.
const RESAMPLES: usize = 10_000;
/// Fixed, so that the same pairs give the same figures.
const BOOTSTRAP_SEED: u64 = 1;

/// A difference, with arm minus without, and where it lies with 95 % confidence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Difference {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl Difference {
    /// The value and the interval, as cells of a table.
    pub(super) fn cells(self, decimals: usize) -> [String; 2] {
        let Self { value, low, high } = self;
        [
            format!("{value:+.decimals$}"),
            format!("{low:+.decimals$} to {high:+.decimals$}"),
        ]
    }
}

/// The successes of both arms.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Successes {
    pub both: u64,
    pub with_only: u64,
    pub without_only: u64,
    pub neither: u64,
    /// Percentage points. Newcombe's interval (his method 10), or of drawn worlds if pairs share them.
    pub difference: Difference,
    /// Exact, two-sided: how likely so uneven a split is if the entry made no difference and no two pairs shared
    /// a world.
    pub mcnemar_p: f64,
}

impl Successes {
    /// The difference with its interval, and how likely it is by chance, as cells of a table.
    pub(super) fn cells(&self) -> [String; 3] {
        let [value, interval] = self.difference.cells(1);
        [value, interval, format!("{:.3}", self.mcnemar_p)]
    }
}

/// Compares successes, (with, without) by seed.
#[must_use]
pub fn successes(pairs: &[(bool, bool)]) -> Successes {
    let count = |wanted: (bool, bool)| pairs.iter().filter(|pair| **pair == wanted).count() as u64;
    let [a, b, c, d] = [(true, true), (true, false), (false, true), (false, false)].map(count);
    Successes {
        both: a,
        with_only: b,
        without_only: c,
        neither: d,
        difference: newcombe([a, b, c, d]),
        mcnemar_p: sign_test(b, c),
    }
}

/// The interval of the difference of two paired proportions, in percentage points.
fn newcombe([a, b, c, d]: [u64; 4]) -> Difference {
    let n = a + b + c + d;
    // Nothing is known: the whole range.
    if n == 0 {
        return Difference {
            value: 0.0,
            low: -100.0,
            high: 100.0,
        };
    }
    let [with, without] = [a + b, a + c].map(|k| (100.0 * k as f64 / n as f64, wilson(k, n)));
    let phi = correlation([a, b, c, d]);
    // The distances from a rate to the ends of its interval; of another, across.
    let part = |one: f64, other: f64| {
        (one * one - 2.0 * phi * one * other + other * other)
            .max(0.0)
            .sqrt()
    };
    let value = with.0 - without.0;
    Difference {
        value,
        low: value - part(with.0 - with.1.low, without.1.high - without.0),
        high: value + part(with.1.high - with.0, without.0 - without.1.low),
    }
}

/// The correlation of the arms, drawn toward none as the method asks.
fn correlation([a, b, c, d]: [u64; 4]) -> f64 {
    let [a, b, c, d] = [a, b, c, d].map(|k| k as f64);
    let product = (a + b) * (c + d) * (a + c) * (b + d);
    if product <= 0.0 {
        return 0.0;
    }
    let cross = a * d - b * c;
    let half = (a + b + c + d) / 2.0;
    let corrected = if cross > 0.0 {
        (cross - half).max(0.0)
    } else {
        cross
    };
    corrected / product.sqrt()
}

/// Two-sided binomial test that both sides are as likely.
fn sign_test(b: u64, c: u64) -> f64 {
    let n = b + c;
    let mut ways = 1.0_f64; // n over k, as a share of 2^n
    (0..n).for_each(|_| ways /= 2.0);
    let mut tail = 0.0;
    for k in 0..=b.min(c) {
        tail += ways;
        ways *= (n - k) as f64 / (k + 1) as f64;
    }
    (2.0 * tail).min(1.0)
}

/// A pair and the world that both of its episodes had.
pub type InWorld<T> = (u64, (T, T));

/// Compares successes, (with, without), of pairs that may share worlds.
#[must_use]
pub fn successes_by_world(pairs: &[InWorld<bool>]) -> Successes {
    let apart: Vec<(bool, bool)> = pairs.iter().map(|(_, pair)| *pair).collect();
    let found = successes(&apart);
    if worlds_of(pairs) == pairs.len() {
        return found;
    }
    let points = |won: bool| if won { 100.0 } else { 0.0 };
    let each = pairs
        .iter()
        .map(|(world, (a, b))| (*world, points(*a) - points(*b)));
    Successes {
        difference: drawn_by_world(each),
        ..found
    }
}

/// How many worlds they have.
pub(super) fn worlds_of<T>(pairs: &[InWorld<T>]) -> usize {
    let worlds: std::collections::BTreeSet<u64> = pairs.iter().map(|(world, _)| *world).collect();
    worlds.len()
}

/// The mean of the differences, with its bootstrap interval.
#[must_use]
pub fn mean_difference(pairs: &[(u64, u64)]) -> Difference {
    let apart: Vec<InWorld<u64>> = (0..).zip(pairs.iter().copied()).collect();
    mean_difference_by_world(&apart)
}

/// The same of pairs that may share worlds.
#[must_use]
pub fn mean_difference_by_world(pairs: &[InWorld<u64>]) -> Difference {
    let each = pairs
        .iter()
        .map(|(world, (with, without))| (*world, *with as f64 - *without as f64));
    drawn_by_world(each)
}

/// The mean over all; its interval from as many worlds as there are, drawn with replacement.
fn drawn_by_world(each: impl Iterator<Item = (u64, f64)>) -> Difference {
    let mut worlds: BTreeMap<u64, (f64, f64)> = BTreeMap::new();
    for (world, difference) in each {
        let (sum, pairs) = worlds.entry(world).or_default();
        (*sum, *pairs) = (*sum + difference, *pairs + 1.0);
    }
    let worlds: Vec<(f64, f64)> = worlds.into_values().collect();
    if worlds.is_empty() {
        return Difference {
            value: 0.0,
            low: 0.0,
            high: 0.0,
        };
    }
    let add = |(sum, pairs): (f64, f64), (s, p): (f64, f64)| (sum + s, pairs + p);
    let mean = |(sum, pairs): (f64, f64)| sum / pairs;
    let mut rng = Rng::new(BOOTSTRAP_SEED);
    let mut means: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let draw = |_| worlds[usize::try_from(rng.below(worlds.len() as u64)).unwrap_or(0)];
            mean((0..worlds.len()).map(draw).fold((0.0, 0.0), add))
        })
        .collect();
    means.sort_by(f64::total_cmp);
    Difference {
        value: mean(worlds.iter().copied().fold((0.0, 0.0), add)),
        low: means[RESAMPLES * 25 / 1_000],
        high: means[RESAMPLES * 975 / 1_000 - 1],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(cells: [usize; 4]) -> Vec<(bool, bool)> {
        let kinds = [(true, true), (true, false), (false, true), (false, false)];
        let each = kinds.into_iter().zip(cells);
        each.flat_map(|(kind, n)| vec![kind; n]).collect()
    }

    #[test]
    fn the_interval_holds_the_difference_and_turns_with_the_arms() {
        for cells in [
            [5, 9, 1, 5],
            [0, 20, 0, 0],
            [10, 0, 0, 10],
            [0, 0, 0, 20],
            [3, 2, 2, 3],
        ] {
            let [a, b, c, d] = cells;
            let one = successes(&pairs(cells)).difference;
            let turned = successes(&pairs([a, c, b, d])).difference;
            assert!(one.low <= one.value && one.value <= one.high, "{one:?}");
            assert!((one.low + turned.high).abs() < 1e-9, "{one:?} {turned:?}");
            assert!(
                one.low >= -100.0 - 1e-9 && one.high <= 100.0 + 1e-9,
                "{one:?}"
            );
        }
        // Nothing differed in 20 pairs: that is not certainty.
        let same = successes(&pairs([20, 0, 0, 0])).difference;
        assert!(same.low < -10.0 && same.high > 10.0, "{same:?}");
    }

    #[test]
    fn the_exact_test_is_that_of_the_books() {
        for (b, c, p) in [
            (0, 0, 1.0),
            (1, 0, 1.0),
            (5, 0, 0.0625),
            (6, 0, 0.03125),
            (9, 1, 0.021_484_375),
        ] {
            assert!(
                (sign_test(b, c) - p).abs() < 1e-12,
                "{b} {c}: {}",
                sign_test(b, c)
            );
        }
    }

    #[test]
    fn counts_are_compared_pair_by_pair() {
        let shift: Vec<(u64, u64)> = (0..20).map(|n| (n, n + 3)).collect();
        let found = mean_difference(&shift);
        assert_eq!((found.value, found.low, found.high), (-3.0, -3.0, -3.0));
        let mixed = mean_difference(&[(0, 4), (2, 2), (1, 0), (0, 6), (3, 3), (0, 1)]);
        assert!(
            mixed.low < mixed.value && mixed.value < mixed.high,
            "{mixed:?}"
        );
        assert_eq!(
            mixed,
            mean_difference(&[(0, 4), (2, 2), (1, 0), (0, 6), (3, 3), (0, 1)])
        );
    }
}
