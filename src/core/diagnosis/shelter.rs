//! Shelter: whether a body that keeps still on purpose has reason to.
//!
//! The body says so itself, and what it says is held against the hour, the sky and the wounds.
//! Invariant: nothing excuses a body by day that is neither hurt nor getting better, save a hunt for what comes out in
//! the dark, or a simulated controller, which is declared in the run's world and not waited with by any other.

use crate::domain::experience::attempt::{Attempt, Sample};
use crate::domain::plan::Executor;
use pithead_world::clock::TICKS_PER_SECOND;
use pithead_world::observation::Pause;
use std::ops::Range;

/// From dusk, when one digs in, to the end of the day, when what walks at night has burnt.
/// Ticks of the day. Zombies burn from about 23,500 on; the end of the day leaves them the
/// time.
const NIGHT: Range<u32> = 12_500..24_000;
/// Ticks of the day: from here on what comes out in the dark is out.
const DARK: u32 = 13_500;

/// The sample from which on the body has not been in shelter; past the last while it is.
/// `patience` in ticks: how long a body may take to get going once its reason is gone.
pub(super) fn out_since(attempt: &Attempt, patience: u64) -> usize {
    let samples = &attempt.samples;
    let index = (0..samples.len())
        .rev()
        // Going back from the end: a shelter that is longer ago than that excuses nothing.
        .take_while(|at| since_last(samples, *at) <= patience)
        .find(|at| is_sheltered(attempt, *at, patience));
    // The samples after the last sheltered one are what the detector may judge.
    index.map_or(0, |at| at + 1)
}

/// Ticks in which no work can be done: spent waiting for the morning or the dark, or by the simulated controller.
#[must_use]
pub fn idle_ticks(attempt: &Attempt) -> u64 {
    let waits = |sample: &Sample| is_idle(attempt, sample);
    let pairs = attempt.samples.windows(2);
    pairs
        // Both ends of a step must be idle, or a step out of the shelter would count whole.
        .filter(|pair| pair.iter().all(waits))
        .map(|pair| pair[1].tick.saturating_sub(pair[0].tick))
        .sum()
}

/// Seconds of an attempt that count towards its time, and in words what was waited besides.
pub(super) fn seconds_used(attempt: &Attempt, ticks: u64) -> (u64, String) {
    let idle = idle_ticks(attempt);
    let seconds = |ticks: u64| ticks.div_ceil(TICKS_PER_SECOND);
    let waited = match seconds(idle) {
        0 => String::new(),
        waited => format!(", {waited} s waited besides"),
    };
    (seconds(ticks.saturating_sub(idle)), waited)
}

fn since_last(samples: &[Sample], at: usize) -> u64 {
    let last = samples.last().map_or(0, |sample| sample.tick);
    last.saturating_sub(samples[at].tick)
}

fn is_sheltered(attempt: &Attempt, at: usize, patience: u64) -> bool {
    let sample = &attempt.samples[at];
    let is_healing = sample.pause == Some(Pause::Wounds);
    is_idle(attempt, sample) || (is_healing && heals(&attempt.samples, at, patience))
}

/// It waits, and for something that it can only wait for.
fn is_idle(attempt: &Attempt, sample: &Sample) -> bool {
    match sample.pause {
        Some(Pause::Night) => is_night(sample),
        Some(Pause::Dusk) => {
            attempt.subgoal.executor_hint == Executor::Attack && sample.time < DARK
        }
        Some(Pause::Controller) => true,
        // Healing is not idle: it shows in the health.
        Some(Pause::Wounds) | None => false,
    }
}

/// Under the open sky nobody hides.
fn is_night(sample: &Sample) -> bool {
    NIGHT.contains(&sample.time) && sample.underground
}

/// The health rose lately.
fn heals(samples: &[Sample], at: usize, patience: u64) -> bool {
    let from = samples[at].tick.saturating_sub(patience);
    let steps = samples[..=at].windows(2).rev();
    // The health of a sheltered body rises slowly; any rise within the patience will do.
    let mut recent = steps.take_while(|pair| pair[0].tick >= from);
    recent.any(|pair| pair[1].health > pair[0].health)
}
