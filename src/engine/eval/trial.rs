//! Trials: the same runs with and without one entry, seed by seed, in the embedded world.
//!
//! Each run has a base of its own in memory, so that no arm learns from the other. Invariant: the two
//! runs of a pair differ in that entry and in nothing else.

use super::paired::{Difference, Successes, mean_difference, successes};
use super::play::Workshop;
use crate::journal::{Journal, JournalError};
use crate::runtime::{self, Keep, OpenError, Pace, Parts, PlayedRun};
use pithead_core::domain::knowledge::{Entry, Status, Use};
use pithead_core::domain::run::event::{Event, Outcome, RunConfig};
use pithead_world::clock::{Clock, Millis};
use pithead_world::ids::{KnowledgeId, RunId};
use serde::Serialize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;

/// Most pairs of one trial.
pub const PAIRS_MAX: u64 = 10_000;

/// Why a trial could not be played.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("no world or no mind: {0}")]
    Made(String),
}

/// What is to be tried.
pub struct Trial<'a> {
    pub entry: &'a Entry,
    /// What else the runs know.
    pub others: &'a [Entry],
    /// Of each run, but for its seed.
    pub config: RunConfig,
    pub seeds: Vec<u64>,
    pub jobs: usize,
    pub workshop: &'a Workshop<'a>,
    pub interrupt: &'a AtomicBool,
}

impl std::fmt::Debug for Trial<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Trial {{ {}, {} seeds }}",
            self.entry.id,
            self.seeds.len()
        )
    }
}

/// One run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Arm {
    pub success: bool,
    pub attempts: u64,
    pub failed_attempts: u64,
    pub replans: u64,
    pub ticks: u64,
    /// How often the entry kept a step from being planned or run.
    pub blocked: u64,
}

/// Both runs of a seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Pair {
    pub seed: u64,
    pub with: Arm,
    pub without: Arm,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Findings {
    pub pairs: Vec<Pair>,
    pub successes: Successes,
    /// Mean difference of failed attempts per run; percentile bootstrap over pairs.
    pub failed_attempts: Difference,
    pub replans: Difference,
    /// False if it was interrupted and pairs are missing.
    pub complete: bool,
}

/// Plays all pairs; `tell` hears of each, in the order in which they end.
pub fn run(trial: &Trial<'_>, mut tell: impl FnMut(&Pair)) -> Result<Findings, TrialError> {
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let mut pairs = std::thread::scope(|scope| {
        let (send, receive) = channel();
        for _ in 0..trial.jobs.clamp(1, trial.seeds.len().max(1)) {
            let (send, next, stop) = (send.clone(), &next, &stop);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) && !trial.interrupt.load(Ordering::Relaxed) {
                    let Some(seed) = trial.seeds.get(next.fetch_add(1, Ordering::Relaxed)) else {
                        return;
                    };
                    if send.send(pair(trial, *seed)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let mut pairs = Vec::new();
        for played in receive {
            match played {
                Ok(Some(pair)) => {
                    tell(&pair);
                    pairs.push(pair);
                }
                Ok(None) => (),
                Err(error) => {
                    stop.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
        Ok(pairs)
    })?;
    pairs.sort_by_key(|pair| pair.seed);
    Ok(findings(pairs, trial.seeds.len()))
}

fn findings(pairs: Vec<Pair>, wanted: usize) -> Findings {
    let each = |of: fn(&Arm) -> u64| -> Vec<(u64, u64)> {
        pairs
            .iter()
            .map(|p| (of(&p.with), of(&p.without)))
            .collect()
    };
    let won: Vec<(bool, bool)> = pairs
        .iter()
        .map(|p| (p.with.success, p.without.success))
        .collect();
    Findings {
        successes: successes(&won),
        failed_attempts: mean_difference(&each(|arm| arm.failed_attempts)),
        replans: mean_difference(&each(|arm| arm.replans)),
        complete: pairs.len() == wanted,
        pairs,
    }
}

fn pair(trial: &Trial<'_>, seed: u64) -> Result<Option<Pair>, TrialError> {
    let others: Vec<Entry> = trial
        .others
        .iter()
        .filter(|e| e.id != trial.entry.id)
        .cloned()
        .collect();
    let tried = Entry {
        status: Status::Active,
        ..trial.entry.clone()
    };
    let mut all = others.clone();
    all.push(tried);
    let Some(with) = play(trial, seed, all)? else {
        return Ok(None);
    };
    let without = play(trial, seed, others)?;
    Ok(without.map(|without| Pair {
        seed,
        with,
        without,
    }))
}

fn play(trial: &Trial<'_>, seed: u64, base: Vec<Entry>) -> Result<Option<Arm>, TrialError> {
    let mut config = trial.config.clone();
    config.world.seed = seed;
    // A number of its own: what it proposes must not take the place of what it knows.
    let highest = base.iter().map(|entry| entry.id.run.0).max().unwrap_or(0);
    let run = RunId(highest.max(trial.entry.id.run.0) + 1);
    config.run = run;
    let (world, mind) = (trial.workshop)(&config, "trial").map_err(TrialError::Made)?;
    let mut journal = Journal::in_memory()?;
    let known = base.into_iter().map(|entry| Event::KnowledgeProposed {
        entry: Box::new(entry),
    });
    let known: Vec<Event> = known.collect();
    let _ = journal.curate(Millis(0), |_| Ok(known))?;
    let parts = Parts {
        journal,
        embedder: Box::new(crate::memory::Hashed),
        world,
        mind,
        // Its own time, so that a run is the same whenever it is tried.
        clock: Clock::manual(1_000),
        pace: Pace::Max,
        operator: "trial".to_owned(),
    };
    let played = runtime::play_unattended(run, config, parts, Keep::Attempts, trial.interrupt)?;
    Ok(played.map(|played| arm(&played, trial.entry.id)))
}

fn arm(played: &PlayedRun, entry: KnowledgeId) -> Arm {
    let mut arm = Arm {
        ticks: played.frame.as_ref().map_or(0, |frame| frame.tick),
        ..Arm::default()
    };
    for fact in &played.facts {
        match &fact.event {
            Event::AttemptEnded { experience, .. } => {
                arm.attempts += 1;
                arm.failed_attempts += u64::from(!experience.diagnosis.success);
            }
            Event::ReplanStarted { .. } => arm.replans += 1,
            Event::KnowledgeUsed { id, how, .. } if *id == entry => {
                arm.blocked += u64::from(*how == Use::Blocked);
            }
            Event::RunEnded { outcome, .. } => arm.success = *outcome == Outcome::Success,
            _ => (), // the others say nothing about what is compared
        }
    }
    arm
}
