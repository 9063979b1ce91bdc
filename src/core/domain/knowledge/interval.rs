//! Intervals: where a rate lies that was counted over a few cases, and where a difference lies.

use serde::Serialize;

/// The quantile of the normal distribution for 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// Where a rate lies with 95 % confidence, in percent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

/// A difference, and where it lies with 95 % confidence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct DifferenceInterval {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// The Wilson score interval of `successes` in `n`; all of 0 to 100 if there is nothing to go by.
/// Wilson and not the normal interval: that has zero width at 0 and 100 %, however few the
/// cases.
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

/// The first rate minus the second, each as successes and cases, in percentage points: Newcombe's
/// interval for independent proportions (his method 10), made of both score intervals.
#[must_use]
pub fn difference_of_rates(
    (successes, n): (u64, u64),
    (other_successes, other_n): (u64, u64),
) -> DifferenceInterval {
    let percent = |successes: u64, n: u64| 100.0 * successes as f64 / n as f64;
    let (one, other) = (percent(successes, n), percent(other_successes, other_n));
    let (about_one, about_other) = (wilson(successes, n), wilson(other_successes, other_n));
    let value = one - other;
    DifferenceInterval {
        value,
        low: value - (one - about_one.low).hypot(about_other.high - other),
        high: value + (about_one.high - one).hypot(other - about_other.low),
    }
}

/// The first mean minus the second, each as cases, sum and sum of squares: a normal interval with the
/// variances apart (Welch). At least two cases each.
#[must_use]
pub fn difference_of_means(one: (u64, u64, u64), other: (u64, u64, u64)) -> DifferenceInterval {
    // The mean, and the variance of the mean.
    let moments = |(n, sum, squared): (u64, u64, u64)| {
        let (n, sum, squared) = (n as f64, sum as f64, squared as f64);
        let variance = ((squared - sum * sum / n) / (n - 1.0)).max(0.0); // rounding may fall below 0
        (sum / n, variance / n)
    };
    let ((mean, spread), (other_mean, other_spread)) = (moments(one), moments(other));
    let (value, half) = (mean - other_mean, Z * (spread + other_spread).sqrt());
    DifferenceInterval {
        value,
        low: value - half,
        high: value + half,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_near(found: DifferenceInterval, value: f64, low: f64, high: f64) -> bool {
        let pairs = [(found.value, value), (found.low, low), (found.high, high)];
        pairs
            .iter()
            .all(|(found, wanted)| (found - wanted).abs() < 0.01)
    }

    /// The examples of Newcombe's paper (Statistics in Medicine 17, 1998, table II, method 10).
    #[test]
    fn differences_of_rates_are_those_of_the_paper() {
        for (one, other, value, low, high) in [
            ((56, 70), (48, 80), 20.0, 5.24, 33.39),
            ((9, 10), (3, 10), 60.0, 17.05, 80.90),
            ((5, 56), (0, 29), 8.93, -3.81, 19.26),
            ((10, 10), (0, 20), 100.0, 67.91, 100.0),
        ] {
            let found = difference_of_rates(one, other);
            assert!(
                is_near(found, value, low, high),
                "{one:?} {other:?}: {found:?}"
            );
        }
    }

    /// 1, 2, 3 and 4, 6: means 2 and 5, variances 1 and 2, so the standard error is √(1/3 + 1).
    #[test]
    fn differences_of_means_keep_the_variances_apart() {
        let found = difference_of_means((3, 6, 14), (2, 10, 52));
        let half = 1.959_964 * (4.0_f64 / 3.0).sqrt();
        assert!(is_near(found, -3.0, -3.0 - half, -3.0 + half), "{found:?}");
        let same = difference_of_means((2, 8, 32), (2, 8, 32));
        assert!(is_near(same, 0.0, 0.0, 0.0), "{same:?}");
    }

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
