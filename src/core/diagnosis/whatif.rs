//! What if: the same evidence judged with other thresholds, and what is different then.
//!
//! Thresholds also decide when an attempt is cancelled; what would have come after the end of the
//! evidence is not known, and is not made up. Invariant: same evidence, same answer.

use super::classify::diagnose;
use super::stall::{Stall, watch};
use crate::domain::experience::attempt::{Attempt, Stop};
use crate::domain::experience::diagnosis::{Diagnosis, FailureReason};
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::experience::thresholds::{KNOBS, Knob, Thresholds};
use serde::Serialize;

/// Values tried on each side of a threshold before the search goes closer.
/// With cubed shares, the first steps are below a thousandth of the range.
const STEPS: u32 = 24;
/// Halvings between the last value that changes nothing and the first that does.
/// Twelve halvings narrow a step to 1/4096 of its length.
const HALVINGS: u32 = 12;

/// An ended attempt, ready to be judged again.
#[derive(Debug, Clone, Copy)]
pub struct EndedAttempt<'a> {
    pub attempt: &'a Attempt,
    pub post: &'a StateSummary,
}

/// Two judgements of one attempt.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rejudgement {
    /// None is success.
    /// The label with the thresholds of the run, then with the others.
    pub label_before: Option<FailureReason>,
    pub label_after: Option<FailureReason>,
    pub flipped: Vec<Flip>,
    /// What the stall detector would have done.
    pub stall: Watched,
    #[serde(skip)]
    pub after: Diagnosis,
}

/// A predicate whose verdict is another one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Flip {
    pub predicate: String,
    pub before: bool,
    pub after: bool,
    pub inputs: String,
    pub speaks_for: Option<FailureReason>,
}

/// When the detector calls the attempt off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Watched {
    /// It does not; nor did it then.
    /// The two differ by the frames between cancelling and the end of the action.
    Never,
    /// At the end of the evidence, as it did then.
    AtTheEnd,
    /// Earlier than the evidence ends, so many ticks after the attempt began.
    Earlier { tick: u64, reason: FailureReason },
    /// It did then, and would not have: what came after is not known.
    NotAnyMore,
}

/// A threshold moved just far enough to change the label.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Nearest {
    /// The value of the run and the nearest that changes the label; both in `unit`.
    pub threshold: &'static str,
    pub unit: &'static str,
    pub from: f64,
    pub to: f64,
    pub label: Option<FailureReason>,
}

impl EndedAttempt<'_> {
    #[must_use]
    pub fn judge(&self, thresholds: &Thresholds) -> Diagnosis {
        diagnose(self.attempt, self.post, thresholds)
    }

    /// What is different with other thresholds.
    #[must_use]
    pub fn compare(&self, before: &Thresholds, after: &Thresholds) -> Rejudgement {
        let (old, new) = (self.judge(before), self.judge(after));
        let pairs = old.trace.iter().zip(&new.trace);
        // Both traces have all predicates in one order, so they can be paired.
        let flipped = pairs.filter(|(a, b)| a.holds != b.holds);
        Rejudgement {
            label_before: old.reason,
            label_after: new.reason,
            flipped: flipped
                .map(|(a, b)| Flip {
                    predicate: b.predicate.clone(),
                    before: a.holds,
                    after: b.holds,
                    inputs: b.inputs.clone(),
                    speaks_for: b.speaks_for,
                })
                .collect(),
            stall: self.watched(after),
            after: new,
        }
    }

    /// Goes through the evidence as the run did, sample by sample.
    fn watched(&self, thresholds: &Thresholds) -> Watched {
        let was_stalled = matches!(self.attempt.stop, Some(Stop::Stalled { .. }));
        let samples = &self.attempt.samples;
        let (Some(first), Some(last)) = (samples.first(), samples.last()) else {
            return Watched::Never;
        };
        // The list grows by one sample at a time, which is what the detector saw; the other
        // parts do not change.
        let mut so_far = Attempt {
            samples: Vec::with_capacity(samples.len()),
            ..self.attempt.clone()
        };
        for sample in samples {
            so_far.samples.push(sample.clone());
            if let Stall::Stalled { reason, .. } = watch(&so_far, thresholds) {
                // The last frame is that of the action's end, the one before called it off.
                let at_the_end = was_stalled && last.tick - sample.tick <= END_TICKS;
                return if at_the_end {
                    Watched::AtTheEnd
                } else {
                    let tick = sample.tick - first.tick;
                    Watched::Earlier { tick, reason }
                };
            }
        }
        if was_stalled {
            Watched::NotAnyMore
        } else {
            Watched::Never
        }
    }

    /// For each threshold the nearest value that gives another label, the smallest move first.
    #[must_use]
    pub fn nearest(&self, thresholds: &Thresholds) -> Vec<Nearest> {
        let label = self.judge(thresholds).reason;
        let mut found: Vec<(f64, Nearest)> = KNOBS
            .iter()
            .filter_map(|knob| self.nearest_of(knob, thresholds, label))
            .collect();
        // By the share of the range, so that thresholds of different units can be compared.
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        found.into_iter().map(|(_, nearest)| nearest).collect()
    }

    fn nearest_of(
        &self,
        knob: &'static Knob,
        thresholds: &Thresholds,
        label: Option<FailureReason>,
    ) -> Option<(f64, Nearest)> {
        let from = knob.get(thresholds);
        let with = |value: f64| {
            let mut moved = thresholds.clone();
            knob.set(&mut moved, value).ok()?;
            // A value outside of what the setting takes changes nothing.
            Some(self.judge(&moved).reason)
        };
        // Both directions, each from the value towards its end.
        let sides = [knob.range.0, knob.range.1].map(|end| {
            let mut same = from;
            let first = values(knob, from, end).find(|value| {
                let changes = with(*value).is_some_and(|found| found != label);
                if !changes {
                    same = *value;
                }
                changes
            })?;
            let to = closest(knob, same, first, |value| {
                with(value).is_some_and(|found| found != label)
            });
            // A move of half the range is as large for ticks as for blocks.
            let share = (to - from).abs() / (knob.range.1 - knob.range.0);
            Some((share, to))
        });
        let (share, to) = sides
            .into_iter()
            .flatten()
            .min_by(|a, b| a.0.total_cmp(&b.0))?;
        let nearest = Nearest {
            threshold: knob.name,
            unit: knob.unit,
            from,
            to,
            label: with(to)?,
        };
        Some((share, nearest))
    }
}

/// Ticks between the frame at which an attempt is cancelled and the one at which its action ends.
/// Two seconds.
const END_TICKS: u64 = 40;

/// From a value towards an end of the range, in steps that grow, so that near values are tried closely.
fn values(knob: &Knob, from: f64, end: f64) -> impl Iterator<Item = f64> + use<> {
    let (way, whole) = (end - from, knob.whole);
    (1..=STEPS)
        .map(move |step| {
            let share = (f64::from(step) / f64::from(STEPS)).powi(3);
            let value = from + way * share;
            let outward = if way < 0.0 {
                value.floor()
            } else {
                value.ceil()
            };
            // Whole thresholds round away from the value, so that a step is never lost.
            if whole { outward } else { value }
        })
        .filter(move |value| *value != from)
}

/// The value nearest to `same` that still changes the label.
fn closest(knob: &Knob, mut same: f64, mut changed: f64, changes: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(same, changed);
        let middle = if knob.whole { middle.round() } else { middle };
        if middle == same || middle == changed {
            // Nothing lies between any more.
            break;
        }
        if changes(middle) {
            changed = middle;
        } else {
            same = middle;
        }
    }
    changed
}
