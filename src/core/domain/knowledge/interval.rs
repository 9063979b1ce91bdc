//! Intervals: where a rate lies that was counted over a few cases.

use serde::Serialize;

/// The quantile of the normal distribution for 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// Where a rate lies with 95 % confidence, in percent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
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
