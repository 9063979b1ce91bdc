//! Trials: the same runs with and without one entry, seed by seed, in the embedded world.
//!
//! Each run has a base of its own in memory, so that no arm learns from the other. Invariant: the two
//! runs of a pair differ in that entry and in nothing else.

use super::paired::{Difference, Successes, mean_difference, successes};
use super::parallel::for_each_result;
use crate::config::{ConfigError, world_and_mind};
use crate::journal::{Journal, JournalError};
use crate::runtime::{self, Keep, OpenError, Pace, Parts, Played, PlayedRun};
use pithead_core::domain::knowledge::{Entry, EntryUse, Status};
use pithead_core::domain::plan::task::TaskError;
use pithead_core::domain::run::event::{Event, RunConfig};
use pithead_core::domain::run::outcome::Outcome;
use pithead_world::clock::{Clock, Millis};
use pithead_world::ids::{KnowledgeId, RunId};
use pithead_world::naming::UnknownName;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};

/// Most pairs of one trial; more would take days and change no interval that a person can see.
pub const PAIRS_MAX: u64 = 10_000;

/// Why a trial could not be played.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("no world or no mind: {0}")]
    Config(#[from] ConfigError),
    #[error("{0}")]
    Outage(String),
    #[error("{0} is no longer in the database")]
    NoEntry(KnowledgeId),
    #[error("it was not learned in a task; `pithead kb trial {0} --task TEXT` names one")]
    NoTask(KnowledgeId),
    #[error(transparent)]
    Task(#[from] TaskError),
    #[error(transparent)]
    System(#[from] UnknownName),
}

/// An entry to try, and the runs to try it in.
pub struct Trial<'a> {
    pub entry: &'a Entry,
    /// The other entries that both runs of a pair know.
    pub others: &'a [Entry],
    /// The config of each run; the seed differs.
    pub config: RunConfig,
    pub seeds: Vec<u64>,
    pub jobs: usize,
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
    /// How often the entry prevented a step from being planned or run.
    pub blocked: u64,
}

/// Both runs of a seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TrialPair {
    pub seed: u64,
    pub with: Arm,
    pub without: Arm,
}

/// The pairs, and the differences between their two runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TrialResult {
    pub pairs: Vec<TrialPair>,
    pub successes: Successes,
    /// Mean difference of failed attempts per run; percentile bootstrap over pairs.
    pub failed_attempts: Difference,
    pub replans: Difference,
    /// False if it was interrupted and pairs are missing.
    pub complete: bool,
}

/// Plays all pairs; `on_pair` receives each as it ends.
pub fn run_trial(
    trial: &Trial<'_>,
    mut on_pair: impl FnMut(&TrialPair),
) -> Result<TrialResult, TrialError> {
    let mut pairs = Vec::new();
    for_each_result(
        &trial.seeds,
        trial.jobs,
        |seed| {
            // Between pairs; a run under way hears of it by itself.
            if trial.interrupt.load(Ordering::Relaxed) {
                return None;
            }
            play_pair(trial, *seed).transpose()
        },
        |pair| {
            let pair = pair?;
            on_pair(&pair);
            pairs.push(pair);
            Ok::<(), TrialError>(())
        },
    )?;
    // They end in any order.
    pairs.sort_by_key(|pair| pair.seed);
    Ok(compare_pairs(pairs, trial.seeds.len()))
}

fn compare_pairs(pairs: Vec<TrialPair>, wanted: usize) -> TrialResult {
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
    TrialResult {
        successes: successes(&won),
        failed_attempts: mean_difference(&each(|arm| arm.failed_attempts)),
        replans: mean_difference(&each(|arm| arm.replans)),
        complete: pairs.len() == wanted,
        pairs,
    }
}

fn play_pair(trial: &Trial<'_>, seed: u64) -> Result<Option<TrialPair>, TrialError> {
    let others: Vec<Entry> = trial
        .others
        .iter()
        // A caller may have left it among them.
        .filter(|e| e.id != trial.entry.id)
        .cloned()
        .collect();
    // Active whatever its status is: a proposal is tried as if it were approved.
    let tried = Entry {
        status: Status::Active,
        ..trial.entry.clone()
    };
    let mut all = others.clone();
    all.push(tried);
    let Some(with) = play_arm(trial, seed, all)? else {
        return Ok(None);
    };
    let without = play_arm(trial, seed, others)?;
    Ok(without.map(|without| TrialPair {
        seed,
        with,
        without,
    }))
}

fn play_arm(trial: &Trial<'_>, seed: u64, base: Vec<Entry>) -> Result<Option<Arm>, TrialError> {
    let mut config = trial.config.clone();
    config.world.seed = seed;
    // A run id above all known ones: entries that the run proposes must not replace entries that it knows.
    let highest = base.iter().map(|entry| entry.id.run.0).max().unwrap_or(0);
    let run = RunId(highest.max(trial.entry.id.run.0) + 1);
    config.run = run;
    let (world, mind) = world_and_mind(&config)?;
    let mut journal = Journal::in_memory()?;
    // The base comes in by events, as everywhere.
    let known = base.into_iter().map(|entry| Event::KnowledgeProposed {
        entry: Box::new(entry),
    });
    let known: Vec<Event> = known.collect();
    let _ = journal.curate(Millis(0), |_| Ok(known.clone()))?;
    let parts = Parts {
        journal,
        embedder: Box::new(crate::memory::Hashed),
        world,
        mind,
        // A clock of its own, so that a run is the same whenever it is tried.
        clock: Clock::manual(1_000),
        pace: Pace::Max,
        operator: "trial".to_owned(),
    };
    let played = runtime::play_unattended(run, config, parts, Keep::Attempts, trial.interrupt)?;
    match played {
        Played::Ended(played) => Ok(Some(count_arm(&played, trial.entry.id))),
        Played::Interrupted => Ok(None),
        Played::Outage(because) => Err(TrialError::Outage(because)),
    }
}

fn count_arm(played: &PlayedRun, entry: KnowledgeId) -> Arm {
    let mut arm = Arm {
        ticks: played.frame.as_ref().map_or(0, |frame| frame.tick),
        ..Arm::default()
    };
    for fact in &played.facts {
        match &fact.event {
            Event::AttemptEnded { experience, .. } => {
                arm.attempts += 1;
                arm.failed_attempts += u64::from(experience.is_failure());
            }
            Event::ReplanStarted { .. } => arm.replans += 1,
            Event::KnowledgeUsed { id, how, .. } if *id == entry => {
                arm.blocked += u64::from(*how == EntryUse::Blocked);
            }
            Event::RunEnded { outcome, .. } => arm.success = *outcome == Outcome::Success,
            _ => (), // the others say nothing about what is compared
        }
    }
    arm
}
