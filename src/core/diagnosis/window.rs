//! Windows: a stretch of samples and what can be measured over it.
//!
//! Samples may be thinned out, so that every measure is over ticks and never over their number.

use super::ground;
use crate::domain::check::Truth;
use crate::domain::condition::situation::Situation;
use crate::domain::experience::attempt::{Attempt, Sample};
use pithead_world::observation::Gui;
use pithead_world::space::Point;

/// Share of the time from which on a window counts as open throughout.
/// The first tick opens a window and the last closes it, so a whole window is never open
/// throughout.
const OPEN_SHARE: f64 = 0.9;

/// Consecutive samples of one attempt, never empty.
/// `first` and `last` are kept beside the slice because every measure needs them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window<'a> {
    attempt: &'a Attempt,
    samples: &'a [Sample],
    pub first: &'a Sample,
    pub last: &'a Sample,
}

impl<'a> Window<'a> {
    pub(super) fn over(attempt: &'a Attempt, samples: &'a [Sample]) -> Option<Self> {
        Some(Self {
            attempt,
            samples,
            first: samples.first()?,
            last: samples.last()?,
        })
    }

    /// The whole attempt.
    pub(super) fn whole(attempt: &'a Attempt) -> Option<Self> {
        Self::over(attempt, &attempt.samples)
    }

    /// The last `ticks`; none if the attempt is younger.
    pub(super) fn last(attempt: &'a Attempt, ticks: u64) -> Option<Self> {
        // None means "too early to say" and becomes "not yet" in the detector.
        Self::last_since(attempt, ticks, 0)
    }

    /// The last `ticks`, none of them before this sample.
    pub(super) fn last_since(attempt: &'a Attempt, ticks: u64, since: usize) -> Option<Self> {
        let samples = attempt.samples.get(since..)?;
        // Fails for an attempt that is younger than the window.
        let from = samples.last()?.tick.checked_sub(ticks)?;
        // The newest sample that is old enough, so that the window spans at least its ticks.
        let start = samples.iter().rposition(|sample| sample.tick <= from)?;
        Self::over(attempt, samples.get(start..)?)
    }

    /// The `ticks` before sample `at`, or what there is of them.
    pub(super) fn ending(attempt: &'a Attempt, at: usize, ticks: u64) -> Option<Self> {
        // Used for charts, which show the young windows too.
        let until = attempt.samples.get(..=at)?;
        let from = until.last()?.tick.saturating_sub(ticks);
        let start = until.iter().rposition(|sample| sample.tick <= from);
        Self::over(attempt, until.get(start.unwrap_or(0)..)?)
    }

    pub(super) fn ticks(&self) -> u64 {
        self.last.tick - self.first.tick
    }

    /// Mean over the axes of the variance of position, blocks².
    /// Eq. 3's σ²_coord. The variance of the population, not of a sample: one sample has 0.
    pub(super) fn variance(&self) -> f64 {
        let count = self.samples.len() as f64;
        let axis = |of: fn(&Point) -> f64| {
            let mean = self.samples.iter().map(|s| of(&s.position)).sum::<f64>() / count;
            self.samples
                .iter()
                .map(|s| (of(&s.position) - mean).powi(2))
                .sum::<f64>()
                / count
        };
        (axis(|p| p.x) + axis(|p| p.y) + axis(|p| p.z)) / 3.0
    }

    fn steps(&self) -> impl DoubleEndedIterator<Item = (&'a Sample, &'a Sample)> + use<'a> {
        self.samples.iter().zip(self.samples.iter().skip(1))
    }

    /// Σ‖Δ_inv‖₁ over the steps, items.
    pub(super) fn inv_activity(&self) -> f64 {
        sum(self.steps().map(|(a, b)| inv_change(a, b)))
    }

    /// True if `inv_activity` is above this; looks no further than it must.
    /// From the end, because a running attempt mostly changed something lately.
    pub(super) fn is_active(&self, least: f64) -> bool {
        let mut sum = 0.0;
        self.steps().rev().any(|(a, b)| {
            sum += inv_change(a, b);
            sum > least
        })
    }

    /// Length of the way, blocks.
    pub(super) fn gross(&self) -> f64 {
        sum(self.steps().map(|(a, b)| a.position.distance(b.position)))
    }

    /// Share of the way that led over ground where the body had hardly been in this attempt, 0..=1.
    pub(super) fn new_ground(&self) -> f64 {
        // The samples before the window are the old ways that its own way is compared with.
        let before = self.attempt.samples.len() - self.samples.len();
        ground::new_share(&self.attempt.samples, before)
    }

    /// Start to end, straight line, blocks.
    pub(super) fn net(&self) -> f64 {
        self.first.position.distance(self.last.position)
    }

    /// The body broke blocks where it had broken none before.
    pub(super) fn has_dug(&self) -> bool {
        // By the ends: a server that puts a block back takes it off the count again.
        self.last.broken > self.first.broken
    }

    /// Windows opened and closed.
    pub(super) fn toggles(&self) -> u32 {
        let opened = self.last.gui_opened.saturating_sub(self.first.gui_opened);
        opened + self.last.gui_closed.saturating_sub(self.first.gui_closed)
    }

    /// A window was open nearly all the time: it takes a moment to open it, and the end of an action
    /// closes it.
    pub(super) fn mostly_open(&self) -> bool {
        let open = self.steps().filter(|(a, _)| a.gui.is_open());
        let ticks: u64 = open.map(|(a, b)| b.tick - a.tick).sum();
        ticks > 0 && ticks as f64 >= OPEN_SHARE * self.ticks() as f64
    }

    /// The window that was open last; closed if none was.
    pub(super) fn last_gui(&self) -> Gui {
        let open = self.samples.iter().rev().find(|s| s.gui.is_open());
        open.map_or(Gui::Closed, |sample| sample.gui)
    }

    /// The furnace cooked, or what lies in it changed.
    pub(super) fn furnace_worked(&self) -> bool {
        // Burning alone is no progress: fuel also burns under an empty furnace.
        // Fuel counts, because lighting a piece is work.
        let work = |sample: &Sample| {
            sample
                .furnace
                .as_ref()
                .map(|view| (view.cook, view.input, view.fuel, view.output))
        };
        self.steps().any(|(a, b)| work(a) != work(b))
    }

    pub(super) fn health_changed(&self) -> bool {
        self.steps()
            .any(|(a, b)| (a.health - b.health).abs() > f32::EPSILON)
    }

    /// The checks are nearer to true, or more of them are, than at its start.
    pub(super) fn came_nearer(&self) -> bool {
        let count = |sample: &Sample| sample.truths.iter().filter(|t| **t == Truth::True).count();
        // By truths as well as by distances: some checks cannot be measured.
        let nearer = match (
            distance(self.attempt, self.first),
            distance(self.attempt, self.last),
        ) {
            (Some(before), Some(after)) => after < before,
            _ => false,
        };
        nearer || count(self.last) > count(self.first)
    }

    /// Longest time without a change of items, heights or truths that the checks ask for, and the
    /// mean time between two such changes; ticks.
    pub(super) fn quiet(&self) -> (u64, f64) {
        // Both: a check can become true without its distance changing, as with windows.
        let mark = |sample: &Sample| (distance(self.attempt, sample), sample.truths.clone());
        let mut since = self.first.tick;
        let (mut longest, mut changes) = (0, 0_u32);
        for (a, b) in self.steps() {
            if mark(a) != mark(b) {
                longest = longest.max(b.tick - since);
                since = b.tick;
                changes += 1;
            }
        }
        longest = longest.max(self.last.tick - since);
        // One interval more than changes, so that an attempt without any has its whole
        // length as mean.
        (longest, self.ticks() as f64 / f64::from(changes + 1))
    }

    /// Ticks at its end during which the body stayed within a block and held the same items.
    pub(super) fn still_ticks(&self) -> u64 {
        let same = |sample: &&Sample| {
            sample.position.distance(self.last.position) < 1.0
                && sample.inventory == self.last.inventory
        };
        let start = self.samples.iter().rev().take_while(same).last();
        start.map_or(0, |sample| self.last.tick - sample.tick)
    }
}

/// Of no values it is 0, where that of `Iterator::sum` is -0 and reads so.
pub(super) fn sum(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |sum, value| sum + value)
}

fn inv_change(a: &Sample, b: &Sample) -> f64 {
    b.inventory.distance(&a.inventory) as f64
}

/// Sum of what the checks still miss, of those that the sample can tell.
pub(super) fn distance(attempt: &Attempt, sample: &Sample) -> Option<f64> {
    let now = situation(attempt, sample);
    // Checks of unlike units are added: the sum only tells whether it shrinks.
    let known: Vec<f64> = attempt
        .subgoal
        .checks
        .iter()
        .filter_map(|check| check.distance(&now))
        .collect();
    // None, not 0: zero would mean that nothing is missing.
    if known.is_empty() {
        None
    } else {
        Some(known.iter().sum())
    }
}

/// What a sample tells; what it does not keep is unknown.
/// Only fields that the sample holds; a check on any other is unknown and never counts as
/// true.
fn situation<'a>(attempt: &'a Attempt, sample: &'a Sample) -> Situation<'a> {
    Situation {
        inventory: Some(&sample.inventory),
        crafted: Some(&sample.crafted),
        position: Some(sample.position),
        health: Some(sample.health),
        gui: Some(sample.gui),
        furnace: Some(sample.furnace.as_ref()),
        container_items: Some(sample.container_items),
        tick: Some(sample.tick),
        baseline: Some(&attempt.baseline),
        subgoal: Some(&attempt.subgoal),
        ..Situation::default()
    }
}
