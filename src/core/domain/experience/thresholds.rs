//! Thresholds: the numbers that stall detection and labels are held against, each with its range.
//!
//! A run keeps those that it was judged by; the operator may look at it again with others.
//! Invariant: a value that is set lies within its range.

use crate::text::nearest::nearest_names;
use pithead_world::naming::UnknownName;
use serde::{Deserialize, Serialize};

/// The thresholds of monitors and labels; the operator may move them.
/// Stored with each run: a diagnosis can be repeated with the numbers it was made with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Thresholds {
    /// W_k: ticks looked back at by stall detection.
    pub window_ticks: u64,
    /// Ticks that breaking a block may take beyond its break time: turning, stepping up, picking up.
    pub break_margin_ticks: u64,
    /// ε_nav: variance of position below which the body stands still, blocks².
    pub nav_variance: f64,
    /// ε_inv: sum of inventory changes at or below which nothing was gained, items.
    pub inv_change: f64,
    /// Net displacement over path length below which movement is to and fro, 0..=1.
    pub net_over_gross: f64,
    /// Way beyond which moving to and fro counts, blocks.
    pub oscillation_way: f64,
    /// Variance of position from which wandering is a search and no oscillation, blocks².
    pub search_variance: f64,
    /// Share of the way that led over ground not worn by going there before from which going about is
    /// a search and no oscillation, 0..=1.
    pub new_ground: f64,
    /// Windows opened or closed in the window of ticks without effect before it counts as blocked.
    pub gui_toggles: u32,
    /// Health below which going on counts as a risk, half hearts.
    pub risk_health: f64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            // 20 s: long enough to break obsidian's lesser kin by hand, short enough to be noticed.
            // 400 ticks.
            window_ticks: 400,
            break_margin_ticks: 100,
            // Half a block of spread along each axis.
            nav_variance: 0.25,
            // Any gain at all is progress.
            inv_change: 0.0,
            // A body that ends within a seventh of its way went to and fro.
            net_over_gross: 0.15,
            // A shorter way is a body that looks around.
            oscillation_way: 8.0,
            // A spread of about 6 blocks.
            search_variance: 36.0,
            // Searches measure 0.6 and more, bodies that go to and fro 0.25 and less.
            new_ground: 0.33,
            // Three windows opened and closed.
            gui_toggles: 6,
            // Two hearts.
            risk_health: 4.0,
        }
    }
}

/// One threshold as it is named, bounded and explained.
#[derive(Debug, Clone, Copy)]
pub struct Knob {
    pub name: &'static str,
    pub unit: &'static str,
    /// The least and the greatest value that mean anything.
    /// Outside of it the detector would always or never speak.
    pub range: (f64, f64),
    pub about: &'static str,
    /// True for counts, which are never broken.
    /// Ticks, items and windows.
    pub whole: bool,
    get: fn(&Thresholds) -> f64,
    put: fn(&mut Thresholds, f64),
}

/// All thresholds.
pub static KNOBS: [Knob; 10] = [
    Knob {
        name: "window_ticks",
        unit: "ticks",
        range: (20.0, 24_000.0),
        about: "how far stall detection looks back (W_k)",
        whole: true,
        get: |t| t.window_ticks as f64,
        put: |t, value| t.window_ticks = value as u64,
    },
    Knob {
        name: "break_margin_ticks",
        unit: "ticks",
        range: (0.0, 2_400.0),
        about: "what breaking a block may take in addition to its break time",
        whole: true,
        get: |t| t.break_margin_ticks as f64,
        put: |t, value| t.break_margin_ticks = value as u64,
    },
    Knob {
        name: "nav_variance",
        unit: "blocks²",
        range: (0.0, 100.0),
        about: "variance of position below which the body stands still (ε_nav)",
        whole: false,
        get: |t| t.nav_variance,
        put: |t, value| t.nav_variance = value,
    },
    Knob {
        name: "inv_change",
        unit: "items",
        range: (0.0, 64.0),
        about: "sum of inventory changes up to which nothing counts as gained (ε_inv)",
        whole: true,
        get: |t| t.inv_change,
        put: |t, value| t.inv_change = value,
    },
    Knob {
        name: "net_over_gross",
        unit: "1",
        range: (0.0, 1.0),
        about: "net over gross displacement below which movement is back and forth",
        whole: false,
        get: |t| t.net_over_gross,
        put: |t, value| t.net_over_gross = value,
    },
    Knob {
        name: "oscillation_way",
        unit: "blocks",
        range: (0.0, 1_000.0),
        about: "path length from which moving back and forth counts",
        whole: false,
        get: |t| t.oscillation_way,
        put: |t, value| t.oscillation_way = value,
    },
    Knob {
        name: "search_variance",
        unit: "blocks²",
        range: (0.0, 10_000.0),
        about: "variance of position from which wandering is a search",
        whole: false,
        get: |t| t.search_variance,
        put: |t, value| t.search_variance = value,
    },
    Knob {
        name: "new_ground",
        unit: "1",
        range: (0.0, 1.0),
        about: "share of the path over new ground from which movement is a search",
        whole: false,
        get: |t| t.new_ground,
        put: |t, value| t.new_ground = value,
    },
    Knob {
        name: "gui_toggles",
        unit: "windows",
        range: (1.0, 100.0),
        about: "windows opened or closed without effect before they count as in the way",
        whole: true,
        get: |t| f64::from(t.gui_toggles),
        put: |t, value| t.gui_toggles = value as u32,
    },
    Knob {
        name: "risk_health",
        unit: "half hearts",
        range: (0.0, 20.0),
        about: "health below which continuing is a risk",
        whole: false,
        get: |t| t.risk_health,
        put: |t, value| t.risk_health = value,
    },
];

/// Why a threshold cannot be set.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BadThreshold {
    #[error("`{given}` sets nothing; write NAME=VALUE, for example nav_variance=0.5")]
    Form { given: String },
    #[error("{name}{}", Known(.name))]
    Name { name: UnknownName },
    #[error("{name} is a number of {unit}, which `{given}` is not")]
    Number {
        name: &'static str,
        unit: &'static str,
        given: String,
    },
    #[error("{name} is a whole number of {unit}, which {given} is not")]
    Whole {
        name: &'static str,
        unit: &'static str,
        given: f64,
    },
    #[error("{name} goes from {least} to {most} {unit}; {given} is outside")]
    Range {
        name: &'static str,
        unit: &'static str,
        least: f64,
        most: f64,
        given: f64,
    },
}

/// All names, where none is like the one given.
struct Known<'a>(&'a UnknownName);

impl std::fmt::Display for Known<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.0.nearest.is_empty() {
            return Ok(());
        }
        let names: Vec<&str> = KNOBS.iter().map(|knob| knob.name).collect();
        write!(f, "; there are {}", names.join(", "))
    }
}

impl Knob {
    /// The threshold of that name.
    pub fn named(name: &str) -> Result<&'static Self, BadThreshold> {
        let found = KNOBS.iter().find(|knob| knob.name == name);
        found.ok_or_else(|| {
            let name = UnknownName {
                what: "threshold",
                given: name.to_owned(),
                nearest: nearest_names(name, KNOBS.iter().map(|knob| knob.name)),
            };
            BadThreshold::Name { name }
        })
    }

    #[must_use]
    pub fn get(&self, thresholds: &Thresholds) -> f64 {
        (self.get)(thresholds)
    }

    /// Sets it, if the value is one that it may have.
    pub fn set(&self, thresholds: &mut Thresholds, value: f64) -> Result<(), BadThreshold> {
        let (name, unit, (least, most)) = (self.name, self.unit, self.range);
        // Also refuses NaN, which no range contains.
        if !(least..=most).contains(&value) {
            return Err(BadThreshold::Range {
                name,
                unit,
                least,
                most,
                given: value,
            });
        }
        if self.whole && value.fract() != 0.0 {
            return Err(BadThreshold::Whole {
                name,
                unit,
                given: value,
            });
        }
        (self.put)(thresholds, value);
        Ok(())
    }
}

impl Thresholds {
    /// Sets one as `NAME=VALUE` says.
    pub fn set(&mut self, setting: &str) -> Result<(), BadThreshold> {
        let Some((name, value)) = setting.split_once('=') else {
            return Err(BadThreshold::Form {
                given: setting.to_owned(),
            });
        };
        let knob = Knob::named(name.trim())?;
        let number = value.trim().parse().map_err(|_| BadThreshold::Number {
            name: knob.name,
            unit: knob.unit,
            given: value.trim().to_owned(),
        })?;
        knob.set(self, number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_threshold_is_set_and_read_by_its_name_and_begins_within_its_range() {
        let stored = serde_json::to_value(Thresholds::default()).unwrap();
        assert_eq!(stored.as_object().unwrap().len(), KNOBS.len());
        for knob in &KNOBS {
            let mut thresholds = Thresholds::default();
            let before = knob.get(&thresholds);
            assert_eq!(stored[knob.name].as_f64(), Some(before), "{}", knob.name);
            let other = if before == knob.range.1 {
                knob.range.0
            } else {
                knob.range.1
            };
            thresholds.set(&format!("{}={other}", knob.name)).unwrap();
            assert_eq!(knob.get(&thresholds), other, "{}", knob.name);
        }
    }

    #[test]
    fn bad_settings_say_what_would_do() {
        for (given, told) in [
            ("nav_variance", "NAME=VALUE"),
            ("nav_varience=1", "did you mean nav_variance"),
            ("x=1", "there are window_ticks"),
            ("nav_variance=much", "number of blocks²"),
            ("nav_variance=NaN", "from 0 to 100"),
            ("gui_toggles=0", "from 1 to 100"),
            ("gui_toggles=2.5", "whole number"),
        ] {
            let error = Thresholds::default().set(given).unwrap_err().to_string();
            assert!(error.contains(told), "{given}: {error}");
        }
    }
}
