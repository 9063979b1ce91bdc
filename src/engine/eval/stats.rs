//! Statistics: success rates with Wilson intervals, and what is counted over a set of episodes.

use super::episode::{Ended, Episode};
use crate::runtime::first_held::TECH_TREE;
use pithead_core::domain::knowledge::interval::{Interval, wilson};
use serde::Serialize;
use std::collections::BTreeMap;

/// What a set of episodes comes to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tally {
    /// Episodes that count.
    pub episodes: u64,
    pub successes: u64,
    /// Percent; none without episodes.
    /// Also in the interval, percent.
    pub rate: Option<f64>,
    pub wilson95: Interval,
    pub attempts: u64,
    pub failed_attempts: u64,
    /// By name, as labels are stored.
    pub failures_by_reason: BTreeMap<String, u64>,
    /// Mean per episode.
    pub replans: f64,
    /// RC of Metagent-P: mean replans of the episodes that succeeded; none if none did.
    pub rc: Option<f64>,
    /// What set reflections off, and what was at fault, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub reflections: BTreeMap<String, u64>,
    /// Mean per episode.
    pub ticks: f64,
    /// Mean over the episodes that succeeded; none if none did.
    pub ticks_to_success: Option<f64>,
    /// Items of the tech tree that were held in any of the episodes, in the order of the game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub milestones: Vec<Milestone>,
    /// Episodes that could not be played and are not counted.
    /// Void episodes say something about the machine, not about the system.
    pub void: u64,
}

/// Counts the episodes.
#[must_use]
pub(super) fn tally<'a>(episodes: impl Iterator<Item = &'a Episode>) -> Tally {
    let (void, counted): (Vec<&Episode>, Vec<&Episode>) =
        episodes.partition(|episode| episode.ended == Ended::Void);
    let sum = |of: fn(&Episode) -> u64| counted.iter().map(|episode| of(episode)).sum::<u64>();
    let (n, successes) = (counted.len() as u64, sum(|e| u64::from(e.success)));
    let mut failures_by_reason = BTreeMap::new();
    for (reason, count) in counted.iter().flat_map(|e| &e.failures_by_reason) {
        *failures_by_reason.entry(reason.clone()).or_default() += count;
    }
    let mut reflections = BTreeMap::new();
    for (name, count) in counted.iter().flat_map(|e| &e.reflections) {
        *reflections.entry(name.clone()).or_default() += count;
    }
    let recovered = sum(|e| if e.success { e.replans } else { 0 });
    let won = sum(|e| if e.success { e.ticks } else { 0 });
    Tally {
        episodes: n,
        successes,
        rate: (n > 0).then(|| 100.0 * successes as f64 / n as f64),
        wilson95: wilson(successes, n),
        attempts: sum(|e| e.attempts),
        failed_attempts: sum(|e| e.failed_attempts),
        failures_by_reason,
        replans: mean(sum(|e| e.replans), n),
        rc: (successes > 0).then(|| mean(recovered, successes)),
        reflections,
        ticks: mean(sum(|e| e.ticks), n),
        ticks_to_success: (successes > 0).then(|| mean(won, successes)),
        milestones: milestones(&counted),
        void: void.len() as u64,
    }
}

/// One item of the tech tree over a set of episodes (DEPS, Figure 9).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Milestone {
    pub item: &'static str,
    /// Episodes in which it was held at some time.
    pub reached: u64,
    /// Of the episodes that recorded it, percent.
    pub share: f64,
    /// Of the first ticks at which it was held, the one in the middle; of two the earlier.
    pub median_tick: u64,
}

fn milestones(episodes: &[&Episode]) -> Vec<Milestone> {
    let recorded = episodes.iter().filter_map(|e| e.milestones.as_ref());
    let recorded: Vec<_> = recorded.collect();
    let of_item = |item: &'static str| {
        let mut ticks: Vec<u64> = recorded
            .iter()
            .filter_map(|m| m.get(item).copied())
            .collect();
        ticks.sort_unstable();
        let median_tick = *ticks.get(ticks.len().checked_sub(1)? / 2)?;
        let reached = ticks.len() as u64;
        Some(Milestone {
            item,
            reached,
            share: 100.0 * reached as f64 / recorded.len() as f64,
            median_tick,
        })
    };
    TECH_TREE.into_iter().filter_map(of_item).collect()
}

fn mean(sum: u64, n: u64) -> f64 {
    if n == 0 { 0.0 } else { sum as f64 / n as f64 }
}
