//! Series: the indicators over the time of an attempt, as the stall detector saw them go by.
//!
//! Each point is measured over the window that ends there. Invariant: the last point of a series that
//! is held against a threshold is what the detector would see at the end.

use super::window::Window;
use crate::domain::experience::attempt::Attempt;

/// One indicator over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    pub name: &'static str,
    pub unit: &'static str,
    /// The thresholds it is held against, by name.
    /// Names as in the settings, so that the debugger can offer to move them.
    pub knobs: &'static [&'static str],
    /// Tick and value, oldest first.
    pub points: Vec<(u64, f64)>,
}

/// What is measured, what it is held against, and how.
/// Name, unit, thresholds and measure. Symbols as in the paper, so that a chart can be read
/// beside it.
type Row = (
    &'static str,
    &'static str,
    &'static [&'static str],
    fn(&Window<'_>) -> f64,
);

const ROWS: [Row; 6] = [
    (
        "σ²_coord",
        "blocks²",
        &["nav_variance", "search_variance"],
        |w| w.variance(),
    ),
    ("Σ‖Δ_inv‖₁", "items", &["inv_change"], |w| {
        w.inv_activity()
    }),
    ("way", "blocks", &["oscillation_way"], |w| w.gross()),
    // A body that did not move does not go to and fro: 1 is the harmless end of the scale.
    ("net over gross", "1", &["net_over_gross"], |w| {
        let gross = w.gross();
        if gross > 0.0 {
            (w.net() / gross).min(1.0)
        } else {
            1.0
        }
    }),
    ("gui toggles", "windows", &["gui_toggles"], |w| {
        f64::from(w.toggles())
    }),
    ("health", "half hearts", &["risk_health"], |w| {
        f64::from(w.last.health)
    }),
];

/// All series of an attempt, over windows of so many ticks.
#[must_use]
pub fn series(attempt: &Attempt, window_ticks: u64) -> Vec<Series> {
    let mut out: Vec<Series> = ROWS
        .iter()
        .map(|(name, unit, knobs, _)| Series {
            name,
            unit,
            knobs,
            points: Vec::with_capacity(attempt.samples.len()),
        })
        .collect();
    for at in 0..attempt.samples.len() {
        let Some(window) = Window::ending(attempt, at, window_ticks) else {
            // Points of the first samples are left out: no window ends there yet.
            continue;
        };
        for (series, (_, _, _, measure)) in out.iter_mut().zip(&ROWS) {
            series.points.push((window.last.tick, measure(&window)));
        }
    }
    // Measured at single samples, not over windows, hence not a row.
    out.push(to_true(attempt));
    out
}

/// What the checks still miss.
fn to_true(attempt: &Attempt) -> Series {
    let samples = attempt.samples.iter();
    let points = samples.filter_map(|s| Some((s.tick, super::window::distance(attempt, s)?)));
    Series {
        name: "distance to true",
        unit: "units",
        // It is held against nothing: 0 is the goal.
        knobs: &[],
        points: points.collect(),
    }
}
