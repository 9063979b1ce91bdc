//! Playing one episode: a run of its own, in a world of its own, on a journal in memory.
//!
//! Each starts with the setting's base, or an empty one, unless the setting lets episodes learn from each other.

use super::budget::{BudgetedMind, EvalBudget};
use super::episode::Episode;
use super::plan::Setting;
use crate::journal::Journal;
use crate::mind::Mind;
use crate::runtime::{self, OpenError, Pace, Parts, Played, PlayedRun};
use crate::suites::SuiteTask;
use pithead_core::domain::experience::thresholds::Thresholds;
use pithead_core::domain::run::budget::{Budget, Limits};
use pithead_core::domain::run::decision::Gates;
use pithead_core::domain::run::event::{Recorded, RunConfig};
use pithead_core::domain::run::rulebook::Rulebook;
use pithead_world::clock::Clock;
use pithead_world::ids::RunId;
use pithead_world::port::World;
use pithead_world::rng::Streams;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Makes the world and the mind of an episode; `task` names the folder of its pictures.
pub type EpisodeFactory<'a> =
    dyn Fn(&RunConfig, &str) -> Result<(Box<dyn World>, Box<dyn Mind>), String> + Sync + 'a;

/// A finished episode, with the events of its run to be kept.
#[derive(Debug)]
pub(super) struct PlayedEpisode {
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

/// Plays it; none if it was interrupted, the budget is spent, or the mind is unavailable. `knowledge` is the journal that it learns from and
/// adds to; without one it gets that of the setting.
pub(super) fn play(
    setting: &Setting,
    job: Job,
    factory: &EpisodeFactory<'_>,
    knowledge: &mut Option<Journal>,
    (budget, interrupt): (&Arc<EvalBudget>, &AtomicBool),
) -> Result<Option<PlayedEpisode>, OpenError> {
    let config = run_config(setting, job);
    let mut episode = Episode::unplayed(job.task, job.seed, job.run.0);
    let facts = Vec::new();
    let (world, mind) = match factory(&config, &job.task.id) {
        Ok(made) => made,
        Err(because) => {
            // No world or mind: the episode is void, not failed.
            episode.void(&because);
            return Ok(Some(PlayedEpisode { episode, facts }));
        }
    };
    let stopped = Arc::new(AtomicBool::new(false));
    let mind = Box::new(BudgetedMind::new(
        mind,
        Arc::clone(budget),
        Arc::clone(&stopped),
    ));
    let journal = match knowledge.take() {
        Some(journal) => journal,
        None => setting.journal_for(job.run)?,
    };
    let parts = Parts {
        journal,
        // The built-in embedder, so that results depend on no server.
        embedder: Box::new(crate::memory::Hashed),
        world,
        mind,
        clock: Clock::System,
        pace: Pace::Max,
        operator: "eval".to_owned(),
    };
    let played = runtime::play_unattended(job.run, config, parts, setting.keep, interrupt)?;
    let PlayedRun {
        facts,
        first_held,
        frame,
        journal,
    } = match played {
        Played::Ended(played) => *played,
        Played::Interrupted => return Ok(None),
        Played::Outage(because) => {
            // The episode is played again when the mind is back: what is not known is no result.
            budget.note_outage(because);
            return Ok(None);
        }
    };
    // The budget of the evaluation ended it, which says nothing about the episode.
    if stopped.load(Ordering::Relaxed) {
        return Ok(None);
    }
    if setting.learn {
        *knowledge = Some(journal);
    }
    episode.fold(&facts);
    episode.milestones = Some(first_held.ticks());
    episode.judge(job.task, frame.as_deref());
    Ok(Some(PlayedEpisode { episode, facts }))
}

/// The name of an episode's body on a server. A server remembers what a body carried, so each evaluation has names
/// of its own.
fn player_name(evaluation: &str, task: &str, seed: u64) -> String {
    let hash = Streams(seed).salt(&format!("{evaluation} {task}"));
    format!("ph_{:012x}", hash & 0xffff_ffff_ffff)
}

fn run_config(setting: &Setting, job: Job) -> RunConfig {
    let mut world = setting.world.clone();
    world.seed = job.seed;
    if let Some(server) = &mut world.server {
        // Several bodies may be on one server at a time, and one name can be there once.
        server.player = player_name(&server.player, &job.task.id, job.seed);
        if let Some(place) = &mut server.place {
            // Not from the run's number: that begins after the runs of a base, and arms are to share their places.
            place.number = job.run.0.saturating_sub(setting.first_run());
        }
    } else {
        job.task.aids.help(&mut world.aids);
    }
    RunConfig {
        run: job.run,
        task: job.task.task(),
        world,
        mind: setting.mind.clone(),
        profile: setting.run_profile(),
        gates: Gates::headless(),
        budget: Budget {
            ticks: job.task.budget().ticks,
            ..setting.budget
        },
        rulebook: Rulebook::default(),
        limits: Limits::default(),
        thresholds: Thresholds::default(),
        counts_what_is_used_up: false,
        distillers: Vec::new(), // the mind names them when the run starts
        hold_out: setting.hold_out,
        horizon_model: setting.horizon_model.clone(),
    }
}
