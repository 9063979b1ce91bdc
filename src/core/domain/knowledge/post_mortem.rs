//! Post-mortems: how failed runs ended, and the graph of what they had tried for what.
//!
//! Invariant: all of it is counted from attempts, and merging only adds counts.

use crate::domain::plan::TaskKind;
use pithead_world::family::ItemSpec;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Steps that a graph holds at most; what took the least time gives way.
pub const TRIED_MAX: usize = 24;
/// Things that are kept of what one step lacked.
const LACKED_MAX: usize = 4;

/// What a task guardrail rests on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PostMortem {
    pub ends: RunEnds,
    /// In the order in which they were first tried; what was planned and never begun comes last.
    pub tried: Vec<TriedStep>,
}

/// How the failed runs ended that said the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RunEnds {
    pub died: u32,
    pub out_of_time: u32,
    /// Ended before their time was over: replans, plans or questions were used up.
    pub gave_up: u32,
    /// Ticks that they lasted, all together.
    pub ticks: u64,
    /// Ticks that they might have lasted.
    pub budget: u64,
}

impl RunEnds {
    #[must_use]
    pub fn runs(&self) -> u32 {
        self.died
            .saturating_add(self.out_of_time)
            .saturating_add(self.gave_up)
    }

    fn add(&mut self, other: &Self) {
        self.died = self.died.saturating_add(other.died);
        self.out_of_time = self.out_of_time.saturating_add(other.out_of_time);
        self.gave_up = self.gave_up.saturating_add(other.gave_up);
        self.ticks = self.ticks.saturating_add(other.ticks);
        self.budget = self.budget.saturating_add(other.budget);
    }
}

/// One node: a product, or a move without one, and all attempts at it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TriedStep {
    pub kind: TaskKind,
    /// None for a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub product: Option<ItemSpec>,
    /// The height that a move was to reach.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<i32>,
    pub attempts: u32,
    pub failed: u32,
    pub ticks: u64,
    /// Pieces of the product that came of it.
    pub got: u64,
    /// Products that it used up, stood at or had in hand; for what was never begun, what the plan named.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub needs: BTreeSet<ItemSpec>,
    /// What its failed attempts asked for and no later step produced, and how many of it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub lacked: BTreeMap<ItemSpec, u32>,
}

impl TriedStep {
    /// Whether both are about the same product, made in the same way.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        (self.kind, self.product, self.y) == (other.kind, other.product, other.y)
    }

    /// Adds other attempts at the same.
    pub fn add(&mut self, other: &Self) {
        self.attempts = self.attempts.saturating_add(other.attempts);
        self.failed = self.failed.saturating_add(other.failed);
        self.ticks = self.ticks.saturating_add(other.ticks);
        self.got = self.got.saturating_add(other.got);
        self.needs.extend(&other.needs);
        for (item, count) in &other.lacked {
            if self.lacked.len() < LACKED_MAX || self.lacked.contains_key(item) {
                let most = self.lacked.entry(*item).or_default();
                *most = (*most).max(*count);
            }
        }
    }
}

impl PostMortem {
    /// Adds what another run, or the sum of several, has shown.
    pub fn add(&mut self, other: &Self) {
        self.ends.add(&other.ends);
        for theirs in &other.tried {
            self.count(theirs.clone());
        }
        self.keep_the_longest();
    }

    /// Adds attempts to the step that they are about.
    pub fn count(&mut self, step: TriedStep) {
        match self.tried.iter_mut().find(|known| known.is_like(&step)) {
            Some(known) => known.add(&step),
            None => self.tried.push(step),
        }
    }

    /// Lets go of the steps that took the least time, where there are too many.
    pub fn keep_the_longest(&mut self) {
        let mut ticks: Vec<u64> = self.tried.iter().map(|step| step.ticks).collect();
        if ticks.len() <= TRIED_MAX {
            return;
        }
        ticks.sort_unstable_by(|a, b| b.cmp(a));
        let least = ticks[TRIED_MAX - 1];
        self.tried.retain(|step| step.ticks >= least);
        self.tried.truncate(TRIED_MAX);
    }
}
