//! Indicators: the continuous measures c of one attempt (Eq. 2), with units and thresholds.

use super::window::{Window, distance, sum};
use crate::domain::experience::attempt::Attempt;
use crate::domain::experience::diagnosis::Indicator;
use crate::domain::experience::earlier_try::MISSING_AT_END;
use crate::domain::experience::thresholds::Thresholds;

/// All measures of an attempt; zeros if nothing was observed.
/// All are over the whole attempt; the detector measures the same over its window.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Measures {
    pub ticks: u64,
    /// σ²_coord, blocks².
    pub variance: f64,
    /// Straight line from start to end, blocks.
    pub net: f64,
    /// Length of the way, blocks.
    pub gross: f64,
    /// Share of the way over ground that was not worn before, 0..=1.
    pub new_ground: f64,
    /// Sum of changes between start and end, items.
    pub inv_net: f64,
    /// Sum of changes between samples, items.
    /// Ways there and back count twice here and cancel out in `inv_net`.
    pub inv_activity: f64,
    pub gui_toggles: u32,
    /// What the checks missed at the start and miss at the end.
    /// None if no check can be measured.
    pub distance_start: Option<f64>,
    pub distance_end: Option<f64>,
    /// Mean and longest time between two steps towards the checks, ticks.
    pub quiet_mean: f64,
    pub quiet_longest: u64,
    /// Standing still with the same items at the end, ticks.
    /// Standing within one block with the same items.
    pub still: u64,
    /// Change of health, half hearts.
    pub health: f64,
}

/// Measures the whole attempt.
#[must_use]
pub fn measure(attempt: &Attempt) -> Measures {
    let Some(whole) = Window::whole(attempt) else {
        return Measures::default();
    };
    let (quiet_longest, quiet_mean) = whole.quiet();
    let change = whole.last.inventory.delta(&whole.first.inventory);
    Measures {
        ticks: whole.ticks(),
        variance: whole.variance(),
        net: whole.net(),
        gross: whole.gross(),
        new_ground: whole.new_ground(),
        inv_net: sum(change.values().map(|change| change.unsigned_abs() as f64)),
        inv_activity: whole.inv_activity(),
        gui_toggles: whole.toggles(),
        distance_start: distance(attempt, whole.first),
        distance_end: distance(attempt, whole.last),
        quiet_mean,
        quiet_longest,
        still: whole.still_ticks(),
        health: f64::from(whole.last.health) - f64::from(whole.first.health),
    }
}

impl Measures {
    /// Net over gross displacement, 0..=1; 1 for a body that did not move.
    /// Rounding may push the quotient above 1.
    #[must_use]
    pub fn net_over_gross(&self) -> f64 {
        if self.gross > 0.0 {
            (self.net / self.gross).min(1.0)
        } else {
            1.0
        }
    }

    /// As they are stored and shown.
    /// Names, units and order are stored with each diagnosis: a change here shows in old
    /// and new runs side by side.
    #[must_use]
    pub fn list(&self, thresholds: &Thresholds) -> Vec<Indicator> {
        let mut rows = self.of_ways(thresholds);
        // Two parts only because of the length.
        rows.extend(self.of_time(thresholds));
        rows
    }

    /// Where it went and what it gained on the way.
    fn of_ways(&self, thresholds: &Thresholds) -> Vec<Indicator> {
        vec![
            row("ticks", self.ticks as f64, "ticks", None),
            row(
                "σ²_coord",
                self.variance,
                "blocks²",
                Some(thresholds.nav_variance),
            ),
            row(
                "‖Δ_inv‖₁",
                self.inv_net,
                "items",
                Some(thresholds.inv_change),
            ),
            row(
                "Σ‖Δ_inv‖₁",
                self.inv_activity,
                "items",
                Some(thresholds.inv_change),
            ),
            row("net displacement", self.net, "blocks", None),
            row("gross displacement", self.gross, "blocks", None),
            row(
                "net over gross",
                self.net_over_gross(),
                "1",
                Some(thresholds.net_over_gross),
            ),
            row(
                "new ground",
                self.new_ground,
                "1",
                Some(thresholds.new_ground),
            ),
        ]
    }

    /// What it was busy with, for how long, and what was still missing.
    fn of_time(&self, thresholds: &Thresholds) -> Vec<Indicator> {
        let mut rows = vec![
            row(
                "gui toggles",
                f64::from(self.gui_toggles),
                "windows",
                Some(f64::from(thresholds.gui_toggles)),
            ),
            row(
                "mean ticks without progress",
                self.quiet_mean,
                "ticks",
                None,
            ),
            row(
                "longest time without progress",
                self.quiet_longest as f64,
                "ticks",
                Some(thresholds.window_ticks as f64),
            ),
            row(
                "still at the end",
                self.still as f64,
                "ticks",
                Some(thresholds.window_ticks as f64),
            ),
            row("health change", self.health, "half hearts", None),
        ];
        // Rows without a value are left out rather than shown as zero: zero would mean that
        // nothing is missing.
        let start = self
            .distance_start
            .map(|value| row("distance to true at start", value, "units", None));
        let end = self
            .distance_end
            .map(|value| row(MISSING_AT_END, value, "units", Some(0.0)));
        rows.extend(start.into_iter().chain(end));
        rows
    }
}

fn row(name: &str, value: f64, unit: &str, threshold: Option<f64>) -> Indicator {
    Indicator {
        name: name.to_owned(),
        value,
        unit: unit.to_owned(),
        threshold,
    }
}
