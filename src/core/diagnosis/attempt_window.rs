//! A window over attempts: several at one aim that ended in one spot, with nothing gained and no nearer (B.4).
//!
//! It is Eq. 3 with attempts in place of frames. Each attempt may have looked fine by itself: it came nearer, and
//! the next began where this one had. Invariant: fewer attempts than the window say nothing.

use crate::domain::experience::earlier_try::EarlierTry;
use crate::domain::experience::thresholds::Thresholds;
use crate::text::numbers::format_blocks;
use pithead_world::space::Pos;

/// Attempts looked at, the last one included: one more than the usual K_tol, so that the failures of one plan
/// alone never fill it.
pub const ATTEMPTS: usize = 3;

/// What the last attempts of the row have in common, as a sentence, if they led nowhere. Oldest first.
#[must_use]
pub fn stagnation(tries: &[EarlierTry], thresholds: &Thresholds) -> Option<String> {
    let window = tries.get(tries.len().checked_sub(ATTEMPTS)?..)?;
    let (first, later) = window.split_first()?;
    let gained = later.iter().any(|other| other.held > first.held);
    let nearer = later
        .iter()
        .filter_map(|other| Some((other.missing?, first.missing?)))
        .any(|(missing, at_first)| missing < at_first);
    let spread = variance(window);
    let is_one_spot = spread < thresholds.search_variance;
    (!gained && !nearer && is_one_spot).then(|| {
        let blocks = format_blocks(spread.sqrt());
        format!(
            "{ATTEMPTS} attempts ended within {blocks} of each other, nothing gained and no nearer"
        )
    })
}

/// Mean over the axes of the variance of position, blocks².
fn variance(window: &[EarlierTry]) -> f64 {
    let count = window.len().max(1) as f64;
    let axis = |of: fn(Pos) -> i32| {
        let values = window.iter().map(|past| f64::from(of(past.end)));
        let mean = values.clone().sum::<f64>() / count;
        values.map(|value| (value - mean).powi(2)).sum::<f64>() / count
    };
    (axis(|end| end.x) + axis(|end| end.y) + axis(|end| end.z)) / 3.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::experience::diagnosis::FailureReason;
    use pithead_world::ids::AttemptId;

    fn row(tries: &[(i32, u32, f64)]) -> Option<String> {
        let tries = tries
            .iter()
            .enumerate()
            .map(|(n, (x, held, missing))| EarlierTry {
                attempt: AttemptId(n as u64 + 1),
                end: Pos::new(*x, 64, 0),
                held: *held,
                missing: Some(*missing),
                reason: FailureReason::Timeout,
            });
        stagnation(&tries.collect::<Vec<_>>(), &Thresholds::default())
    }

    #[test]
    fn three_attempts_in_one_spot_without_gain_lead_nowhere() {
        let seen = row(&[(0, 0, 4.0), (9, 0, 4.0), (1, 0, 5.0)]);
        let expected =
            "3 attempts ended within 2 blocks of each other, nothing gained and no nearer";
        assert_eq!(seen.as_deref(), Some(expected));
        // Only the last three count.
        assert!(row(&[(900, 9, 0.5), (0, 0, 4.0), (2, 0, 4.0), (1, 0, 5.0)]).is_some());
    }

    #[test]
    fn two_attempts_a_gain_an_approach_or_another_place_are_no_stagnation() {
        assert_eq!(row(&[(0, 0, 4.0), (2, 0, 4.0)]), None);
        assert_eq!(row(&[(0, 0, 4.0), (2, 1, 3.0), (1, 1, 3.0)]), None);
        assert_eq!(row(&[(0, 0, 4.0), (2, 0, 3.0), (1, 0, 4.0)]), None);
        assert_eq!(row(&[(0, 0, 4.0), (40, 0, 4.0), (90, 0, 4.0)]), None);
    }
}
