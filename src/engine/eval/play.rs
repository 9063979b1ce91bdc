//! Playing one episode: a run of its own, in a world of its own, on a journal in memory.
//!
//! With an empty knowledge base for each, episodes do not know of each other.

use super::episode::Episode;
use super::plan::Setting;
use super::purse::{Paid, Purse};
use crate::journal::Journal;
use crate::mind::Mind;
use crate::runtime::{self, OpenError, Pace, Parts, PlayedRun};
use crate::suites::SuiteTask;
use pithead_core::domain::experience::thresholds::Thresholds;
use pithead_core::domain::run::budget::{Budget, Limits};
use pithead_core::domain::run::decision::Gates;
use pithead_core::domain::run::event::{Recorded, RunConfig};
use pithead_core::domain::run::rulebook::Rulebook;
use pithead_world::clock::Clock;
use pithead_world::ids::RunId;
use pithead_world::port::World;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Makes the world and the mind of an episode; `task` names the folder of its pictures.
pub type Workshop<'a> =
    dyn Fn(&RunConfig, &str) -> Result<(Box<dyn World>, Box<dyn Mind>), String> + Sync + 'a;

/// An episode that is over, with what is to be written down of it.
#[derive(Debug)]
pub(super) struct Over {
    pub(super) episode: Episode,
    pub(super) facts: Vec<Recorded>,
}

/// One task with one seed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Job {
    pub(super) task: &'static SuiteTask,
    pub(super) seed: u64,
    pub(super) run: RunId,
}

/// Plays it; none if interrupted, or if the purse is empty. `knowledge` is the journal that it learns from and adds to, or an
/// empty one of its own.
pub(super) fn play(
    setting: &Setting,
    job: Job,
    workshop: &Workshop<'_>,
    knowledge: &mut Option<Journal>,
    (purse, interrupt): (&Arc<Purse>, &AtomicBool),
) -> Result<Option<Over>, OpenError> {
    let config = config(setting, job);
    let mut episode = Episode::of(job.task, job.seed, job.run.0);
    let facts = Vec::new();
    let (world, mind) = match workshop(&config, &job.task.id) {
        Ok(made) => made,
        Err(because) => {
            episode.void(&because);
            return Ok(Some(Over { episode, facts }));
        }
    };
    let stopped = Arc::new(AtomicBool::new(false));
    let mind = Box::new(Paid::new(mind, Arc::clone(purse), Arc::clone(&stopped)));
    let journal = match knowledge.take() {
        Some(journal) => journal,
        None => Journal::in_memory()?,
    };
    let parts = Parts {
        journal,
        embedder: Box::new(crate::memory::Hashed),
        world,
        mind,
        clock: Clock::System,
        pace: Pace::Max,
        operator: "eval".to_owned(),
    };
    let played = runtime::play_unattended(job.run, config, parts, setting.keep, interrupt)?;
    let Some(PlayedRun {
        facts,
        frame,
        journal,
    }) = played
    else {
        return Ok(None);
    };
    // It ended for want of money of the whole, which says nothing about the episode.
    if stopped.load(Ordering::Relaxed) {
        return Ok(None);
    }
    if setting.learn {
        *knowledge = Some(journal);
    }
    episode.fold(&facts);
    episode.judge(job.task, frame.as_deref());
    Ok(Some(Over { episode, facts }))
}

fn config(setting: &Setting, job: Job) -> RunConfig {
    let mut world = setting.world.clone();
    world.seed = job.seed;
    world.aids.biome.clone_from(&job.task.aids.biome);
    RunConfig {
        run: job.run,
        task: job.task.task(),
        world,
        mind: setting.mind.clone(),
        profile: setting.profile.clone(),
        gates: Gates::headless(),
        budget: Budget {
            ticks: job.task.budget().ticks,
            ..setting.budget
        },
        rulebook: Rulebook::default(),
        limits: Limits::default(),
        thresholds: Thresholds::default(),
        distillers: Vec::new(), // the mind says them as the run begins
    }
}
