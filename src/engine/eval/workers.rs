//! Playing a suite: workers play episodes, and one collector writes each to the results as it ends.
//!
//! An episode under way when the program is killed or interrupted leaves no trace. Invariant: an
//! episode is reported only after it is written, if there is a folder to write to.

use super::budget::EvalBudget;
use super::episode::Episode;
use super::parallel::for_each_result;
use super::plan::{EvalPlan, Setting};
use super::play::{EpisodeFactory, Job, PlayedEpisode, play};
use super::results::{ResultsError, ResultsFile};
use crate::journal::Journal;
use crate::runtime::OpenError;
use pithead_world::ids::RunId;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Why an evaluation could not continue.
#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    #[error(transparent)]
    Results(#[from] ResultsError),
    #[error("an episode could not be played: {0}")]
    Open(#[from] OpenError),
    #[error(
        // Learning depends on the order, so a folder in another order cannot be continued.
        "the episodes of this folder were not played in this order ({because}); choose another --out"
    )]
    Order { because: String },
}

/// How far the evaluation is, reported with each finished episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvalProgress {
    pub done: usize,
    /// How many of these were finished before this start.
    /// Found in the folder, and not played again.
    pub found: usize,
    pub total: usize,
}

/// A suite to play: which episodes, with what, and where their results are kept.
pub struct SuiteRun<'a> {
    pub setting: &'a Setting,
    pub plan: &'a EvalPlan,
    pub jobs: usize,
    /// Where episodes are kept; without it a killed evaluation starts over.
    pub out: Option<&'a Path>,
    /// Worlds and minds are made per episode, in the worker.
    pub factory: &'a EpisodeFactory<'a>,
    pub interrupt: &'a AtomicBool,
    /// What all episodes together may spend.
    pub budget: Arc<EvalBudget>,
}

impl std::fmt::Debug for SuiteRun<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SuiteRun {{ {:?}, {} jobs }}", self.plan, self.jobs)
    }
}

/// Plays the episodes that are not finished yet and returns all of the plan, in its order, except those that
/// an interrupt prevented. `on_progress` is called first without an episode, then with each that ends.
pub fn run_suite(
    suite_run: &SuiteRun<'_>,
    mut on_progress: impl FnMut(EvalProgress, Option<&Episode>),
) -> Result<Vec<Episode>, EvalError> {
    let mut results = suite_run
        .out
        .map(|folder| ResultsFile::open(folder, suite_run.setting))
        .transpose()?;
    let known: &[Episode] = results.as_ref().map_or(&[], |results| &results.episodes);
    let mut finished = episodes_of_plan(suite_run.plan, known);
    // Task and seed name an episode.
    let done: BTreeSet<(String, u64)> = finished.iter().map(key).collect();
    // Numbers go on from the last in the folder: they are stored.
    let mut run = results.as_ref().map_or(Ok(1), ResultsFile::next_run)?;
    run = run.max(suite_run.setting.first_run());
    let mut jobs = Vec::new();
    for (task, seed) in suite_run.plan.episodes() {
        if !done.contains(&(task.id.clone(), seed)) {
            let number = RunId(run);
            run += 1;
            jobs.push(Job {
                task,
                seed,
                run: number,
            });
        }
    }
    let knowledge = knowledge_so_far(suite_run, results.as_ref(), &jobs)?;
    let mut progress = EvalProgress {
        done: finished.len(),
        found: finished.len(),
        total: finished.len() + jobs.len(),
    };
    on_progress(progress, None);
    // Called on one thread, so the file has one writer.
    let collect = |played: PlayedEpisode| {
        let episode = match &mut results {
            // On the disk before it is reported.
            Some(results) => results.append(played)?,
            None => played.episode,
        };
        progress.done += 1;
        on_progress(progress, Some(&episode));
        finished.push(episode);
        Ok(())
    };
    play_jobs(suite_run, &jobs, knowledge, collect)?;
    // Read back in the order of the plan: workers finish in any order.
    Ok(episodes_of_plan(suite_run.plan, &finished))
}

fn key(episode: &Episode) -> (String, u64) {
    (episode.task.clone(), episode.seed)
}

/// The episodes that belong to the plan, in its order.
pub(super) fn episodes_of_plan(plan: &EvalPlan, episodes: &[Episode]) -> Vec<Episode> {
    let by_key: std::collections::BTreeMap<(String, u64), &Episode> =
        episodes.iter().map(|e| (key(e), e)).collect();
    plan.episodes()
        .filter_map(|(task, seed)| by_key.get(&(task.id.clone(), seed)).copied().cloned())
        .collect()
}

/// What the finished episodes have learnt; none if no episode learns from another.
fn knowledge_so_far(
    suite_run: &SuiteRun<'_>,
    results: Option<&ResultsFile>,
    jobs: &[Job],
) -> Result<Option<Journal>, EvalError> {
    if !suite_run.setting.learn {
        return Ok(None);
    }
    let Some(results) = results else {
        // Without a folder everything is learnt in this process.
        let journal = suite_run.setting.first_journal();
        return Ok(Some(journal.map_err(ResultsError::from)?));
    };
    let total = suite_run.plan.len();
    let expected = suite_run.plan.episodes().take(total - jobs.len());
    // The finished episodes must be the first of the plan, in its order.
    let in_order = results.episodes.len() == total - jobs.len()
        && expected
            .zip(&results.episodes)
            .all(|((task, seed), found)| (task.id.as_str(), seed) == (&found.task, found.seed));
    if !in_order {
        return Err(EvalError::Order {
            because: "its tasks or seeds differ".to_owned(),
        });
    }
    Ok(Some(results.knowledge(suite_run.setting)?))
}

fn play_jobs(
    suite_run: &SuiteRun<'_>,
    jobs: &[Job],
    knowledge: Option<Journal>,
    mut collect: impl FnMut(PlayedEpisode) -> Result<(), EvalError>,
) -> Result<(), EvalError> {
    // An episode that learns from the one before cannot run beside it.
    if suite_run.setting.learn {
        return play_in_order(suite_run, jobs, knowledge, collect);
    }
    for_each_result(
        jobs,
        suite_run.jobs,
        |job| play_job(suite_run, *job, &mut None),
        |played| collect(played?),
    )
}

/// What one episode teaches the next one needs, so they are played one after the other.
fn play_in_order(
    suite_run: &SuiteRun<'_>,
    jobs: &[Job],
    mut knowledge: Option<Journal>,
    mut collect: impl FnMut(PlayedEpisode) -> Result<(), EvalError>,
) -> Result<(), EvalError> {
    for job in jobs {
        let Some(played) = play_job(suite_run, *job, &mut knowledge) else {
            return Ok(());
        };
        collect(played?)?;
        if knowledge.is_none() {
            // The episode lost the knowledge base; the next start reads it from the results again.
            return Ok(());
        }
    }
    Ok(())
}

/// The finished episode; none if it was interrupted or the budget is spent, so that no other need start.
fn play_job(
    suite_run: &SuiteRun<'_>,
    job: Job,
    knowledge: &mut Option<Journal>,
) -> Option<Result<PlayedEpisode, OpenError>> {
    // Asked before each episode; one under way ends by itself.
    if suite_run.interrupt.load(Ordering::Relaxed) {
        return None;
    }
    // A panic in one episode must not lose the others.
    let played = catch_unwind(AssertUnwindSafe(|| {
        play(
            suite_run.setting,
            job,
            suite_run.factory,
            knowledge,
            (&suite_run.budget, suite_run.interrupt),
        )
    }));
    match played {
        Ok(played) => played.transpose(),
        Err(_) => Some(Ok(crashed_episode(job))),
    }
}

/// A panic costs one episode, which says so; the others continue.
fn crashed_episode(job: Job) -> PlayedEpisode {
    let mut episode = Episode::unplayed(job.task, job.seed, job.run.0);
    episode.void("the program crashed; see the log");
    PlayedEpisode {
        episode,
        facts: Vec::new(),
    }
}
