//! Gauges: a number against its threshold, and a prediction on an axis, each in one line of signs.

use crate::theme::Role;
use crate::widgets::rich::Rich;

/// `▕██████┃··▏`: how full it is from 0 to 1, with a mark where the threshold stands.
#[must_use]
pub fn gauge(value: f64, threshold: f64, width: usize) -> Rich {
    let place = |share: f64| (share.clamp(0.0, 1.0) * width as f64).round() as usize;
    let (filled, mark) = (place(value), place(threshold).min(width.saturating_sub(1)));
    let role = if value > threshold {
        Role::Good
    } else {
        Role::Bad
    };
    let mut out = Rich::text(Role::Faint, "▕");
    for at in 0..width {
        match (at == mark, at < filled) {
            (true, _) => out.add(Role::Notice, "┃"),
            (false, true) => out.add(role, "█"),
            (false, false) => out.add(Role::Faint, "·"),
        }
    }
    out.and(Role::Faint, "▏")
}

/// A prediction: what is expected, between an early and a late end, and what it came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prediction {
    pub early: u64,
    pub expected: u64,
    pub late: u64,
    pub actual: Option<u64>,
}

/// `  ├──●─────┤  ` on an axis from 0 to `end`, with `◆` where it came out.
#[must_use]
pub fn prediction_bar(of: Prediction, end: u64, width: usize) -> Rich {
    let last = width.saturating_sub(1);
    let place = |ticks: u64| {
        let share = ticks as f64 / end.max(1) as f64;
        ((share * last as f64).round() as usize).min(last)
    };
    let (early, expected, late) = (place(of.early), place(of.expected), place(of.late));
    let actual = of.actual.map(place);
    let mut out = Rich::new();
    for at in 0..width {
        match at {
            at if Some(at) == actual => out.add(Role::Notice, "◆"),
            at if at == expected => out.add(Role::Bar, "●"),
            at if at == early => out.add(Role::Faint, "├"),
            at if at == late => out.add(Role::Faint, "┤"),
            at if at > early && at < late => out.add(Role::Faint, "─"),
            _ => out.add(Role::Faint, " "),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gauge_marks_its_threshold_whether_it_is_reached_or_not() {
        assert_eq!(gauge(0.3, 0.5, 10).plain(), "▕███··┃····▏");
        assert_eq!(gauge(0.9, 0.5, 10).plain(), "▕█████┃███·▏");
        assert_eq!(gauge(1.5, 1.0, 4).plain(), "▕███┃▏");
        assert_eq!(gauge(f64::NAN, 0.5, 0).plain(), "▕▏");
    }

    #[test]
    fn a_prediction_and_what_it_came_to_stand_on_one_axis() {
        let of = |actual| Prediction {
            early: 20,
            expected: 40,
            late: 80,
            actual,
        };
        assert_eq!(prediction_bar(of(None), 100, 11).plain(), "  ├─●───┤  ");
        assert_eq!(prediction_bar(of(Some(60)), 100, 11).plain(), "  ├─●─◆─┤  ");
        let beyond = prediction_bar(of(Some(900)), 100, 11).plain();
        assert_eq!(beyond, "  ├─●───┤ ◆");
        assert_eq!(prediction_bar(of(None), 0, 0).plain(), "");
    }
}
