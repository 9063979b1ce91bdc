//! Effect bars: the interval of a difference as a line beside zero.
//!
//! ```text
//! ····──◆──│··········
//! ```

use pithead_core::domain::knowledge::interval::DifferenceInterval;

/// The interval and its middle `◆` beside zero `│`, from -100 to +100 points, in `2 * half + 1` columns.
#[must_use]
pub fn effect_bar(points: &DifferenceInterval, half: i32) -> String {
    let column = |points: f64| {
        let at = (points * f64::from(half) / 100.0).round() as i32;
        at.clamp(-half, half)
    };
    let [low, value, high] = [points.low, points.value, points.high].map(column);
    let sign = |at: i32| match at {
        at if at == value => '◆',
        0 => '│',
        at if (low..=high).contains(&at) => '─',
        _ => '·',
    };
    (-half..=half).map(sign).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_wide_as_asked_whatever_the_numbers() {
        let bar =
            |low, value, high, half| effect_bar(&DifferenceInterval { value, low, high }, half);
        assert_eq!(bar(-60.0, -40.0, -20.0, 5), "··─◆─│·····");
        assert_eq!(bar(-20.0, 20.0, 60.0, 5), "····─│◆──··");
        assert_eq!(bar(-400.0, 0.0, 400.0, 3), "───◆───");
    }
}
