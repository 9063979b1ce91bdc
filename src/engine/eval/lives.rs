//! Lives: one agent of one system that plays all tasks again and again and keeps what it learns.
//!
//! Its mind has the same wrong beliefs all its life; each episode is in a world of its own, so that one bad
//! place does not spoil a whole pass. A life is written when it is over. Invariant: same run, system and seed, same life.

use super::budget::EvalBudget;
use super::episode::Episode;
use super::parallel::for_each_result;
use super::plan::{EvalPlan, Setting};
use super::play::{Job, PlayedEpisode, play};
use super::results::ResultsError;
use super::workers::EvalError;
use crate::journal::EntryFilter;
use crate::mind::Mind;
use crate::runtime::OpenError;
use pithead_core::domain::knowledge::Status;
use pithead_core::domain::run::event::RunConfig;
use pithead_core::text::atomic_file::write_atomically;
use pithead_world::ids::RunId;
use pithead_world::port::World;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Raised when a line changes its meaning.
const SCHEMA: u32 = 1;
/// Where finished lives are kept.
pub(super) const LIVES_FOLDER: &str = "lives";
/// The worlds of one life are this many seeds apart, so that up to as many lives share no world.
const WORLDS_APART: u64 = 1_000;

/// Makes the world of an episode and a mind that errs as this seed says.
pub type LifeFactory<'a> =
    dyn Fn(&RunConfig, u64) -> Result<(Box<dyn World>, Box<dyn Mind>), String> + Sync + 'a;

/// The lives to play: each system with each seed.
pub struct LearningRun<'a> {
    /// One for each system; they differ in the profile only.
    pub settings: &'a [Setting],
    pub plan: &'a EvalPlan,
    pub passes: u32,
    pub jobs: usize,
    /// Where finished lives are kept; without it an interrupted run starts over.
    pub out: Option<&'a Path>,
    pub factory: &'a LifeFactory<'a>,
    pub interrupt: &'a AtomicBool,
}

impl std::fmt::Debug for LearningRun<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "LearningRun {{ {:?}, {} passes, {} jobs }}",
            self.plan, self.passes, self.jobs
        )
    }
}

/// One life.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Life {
    schema: u32,
    version: String,
    /// Of the mind, the tasks and the controller, so that lives of another course are not counted.
    /// A folder with lives of another course is refused, not mixed.
    course: String,
    pub system: String,
    pub seed: u64,
    pub passes: Vec<Pass>,
}

/// All tasks once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pass {
    /// Active entries after it.
    pub knowledge: u64,
    pub episodes: Vec<Episode>,
}

/// Plays the lives that are not finished and returns all, except those that an interrupt prevented.
/// `on_progress` receives how many of how many are over.
pub fn play_lives(
    run: &LearningRun<'_>,
    mut on_progress: impl FnMut(usize, usize),
) -> Result<Vec<Life>, EvalError> {
    let mut lives = Vec::new();
    let mut jobs = Vec::new();
    // Seed by seed over all systems, so that an interrupted run compares what it has.
    for seed in run.plan.seeds.first..=run.plan.seeds.last {
        for setting in run.settings {
            match finished_life(run, setting, seed)? {
                Some(life) => lives.push(life),
                None => jobs.push((setting, seed)),
            }
        }
    }
    let total = lives.len() + jobs.len();
    on_progress(lives.len(), total);
    for_each_result(
        &jobs,
        run.jobs,
        |(setting, seed)| play_life(run, setting, *seed).transpose(),
        |life| {
            // Written before it is counted.
            let life = life?;
            save_life(run, &life)?;
            lives.push(life);
            on_progress(lives.len(), total);
            Ok::<(), EvalError>(())
        },
    )?;
    Ok(lives)
}

/// From the first task of the first pass to the last of the last; none if interrupted.
fn play_life(
    run: &LearningRun<'_>,
    setting: &Setting,
    seed: u64,
) -> Result<Option<Life>, EvalError> {
    // One knowledge base for the whole life: this is what "learning" means here.
    let mut journal = Some(setting.first_journal().map_err(ResultsError::from)?);
    // The seed of the life, not of the episode: the same wrong beliefs throughout.
    let factory = |config: &RunConfig, _: &str| (run.factory)(config, seed);
    let mut life = Life {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        course: course_name(run.plan, run.passes, setting),
        system: setting.profile.name.clone(),
        seed,
        passes: Vec::new(),
    };
    // Each run has the bounds of its mind; there are none for all of them together.
    let budget = Arc::new(EvalBudget::default());
    let mut run_id = RunId(1);
    for _ in 0..run.passes {
        let mut episodes = Vec::new();
        for task in &run.plan.tasks {
            let job = Job {
                task,
                // Every episode of a life in another world.
                seed: seed + WORLDS_APART * (run_id.0 - 1),
                run: run_id,
            };
            run_id = run_id.next();
            let played = play(
                setting,
                job,
                &factory,
                &mut journal,
                (&budget, run.interrupt),
            )?;
            let Some(PlayedEpisode { episode, facts: _ }) = played else {
                // Interrupted: an unfinished life is played again from its beginning.
                return Ok(None);
            };
            episodes.push(episode);
            if journal.is_none() {
                // Only an episode without a world or a mind leaves it behind.
                journal = Some(setting.first_journal().map_err(ResultsError::from)?);
            }
        }
        let active = EntryFilter {
            status: Some(Status::Active),
            kind: None,
        };
        let known = journal.as_ref().map(|journal| journal.knowledge(active));
        let known = known.transpose().map_err(OpenError::from)?;
        life.passes.push(Pass {
            knowledge: known.map_or(0, |entries| entries.len() as u64),
            episodes,
        });
    }
    Ok(Some(life))
}

/// What all lives of a run have in common. Stored with each life, so it must not change.
fn course_name(plan: &EvalPlan, passes: u32, setting: &Setting) -> String {
    format!(
        "{} {} {} {} passes {}, a world for each episode",
        setting.suite.name.name(),
        plan.pattern.as_deref().unwrap_or("*"),
        setting.mind,
        passes,
        setting.world.aids.controller.name()
    )
}

fn life_path(folder: &Path, system: &str, seed: u64) -> PathBuf {
    folder
        .join(LIVES_FOLDER)
        .join(format!("{system}-{seed}.json"))
}

/// The finished lives in a folder, and what is wrong with the others.
pub(super) fn lives_in_folder(
    folder: &Path,
    settings: &[Setting],
    plan: &EvalPlan,
    passes: u32,
) -> (Vec<Life>, Vec<String>) {
    let (mut lives, mut faults) = (Vec::new(), Vec::new());
    for seed in plan.seeds.first..=plan.seeds.last {
        for setting in settings {
            let path = life_path(folder, &setting.profile.name, seed);
            match read_life(&path, &course_name(plan, passes, setting)) {
                Ok(life) => lives.extend(life),
                Err(error) => faults.push(error.to_string()),
            }
        }
    }
    (lives, faults)
}

/// The finished life of this system and seed, if it is there.
fn finished_life(
    run: &LearningRun<'_>,
    setting: &Setting,
    seed: u64,
) -> Result<Option<Life>, EvalError> {
    let Some(folder) = run.out else {
        return Ok(None);
    };
    let path = life_path(folder, &setting.profile.name, seed);
    read_life(&path, &course_name(run.plan, run.passes, setting))
}

/// A life of this run; none if the file does not exist.
fn read_life(path: &Path, course: &str) -> Result<Option<Life>, EvalError> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        // Absent is not an error: it is still to be played.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(fault("read", path, source)),
    };
    let life: Life = serde_json::from_str(&text).map_err(|error| ResultsError::Line {
        path: path.to_owned(),
        line: error.line(),
        because: error.to_string(),
    })?;
    // Another version may play otherwise, so its lives are not counted.
    let ours = (SCHEMA, env!("CARGO_PKG_VERSION"), course);
    if (life.schema, life.version.as_str(), life.course.as_str()) != ours {
        let because = format!("it is of `{}`, version {}", life.course, life.version);
        let path = path.to_owned();
        return Err(ResultsError::Other { path, because }.into());
    }
    Ok(Some(life))
}

/// Whole or not at all: a kill leaves the old file or the new one.
fn save_life(run: &LearningRun<'_>, life: &Life) -> Result<(), EvalError> {
    let Some(folder) = run.out else {
        return Ok(());
    };
    let path = life_path(folder, &life.system, life.seed);
    let text =
        serde_json::to_string(life).expect("a life holds no maps with keys that JSON cannot write");
    let folder = path.parent().unwrap_or(folder);
    std::fs::create_dir_all(folder)
        .and_then(|()| write_atomically(&path, text.as_bytes()))
        .map_err(|source| fault("write", &path, source))
}

fn fault(doing: &'static str, path: &Path, source: std::io::Error) -> EvalError {
    let path = path.to_owned();
    ResultsError::File {
        doing,
        path,
        source,
    }
    .into()
}

#[cfg(test)]
impl Life {
    /// A life of one pass over four tasks: so many of them done, so many attempts failed in each.
    pub(super) fn sample(system: &str, seed: u64, won: usize, failed: u64) -> Self {
        let task = &crate::suites::SuiteName::Mcu70.suite().tasks[0];
        let episode = |at: usize| {
            let mut episode = Episode::unplayed(task, seed, at as u64);
            episode.success = at < won;
            episode.failed_attempts = failed;
            episode
        };
        Self {
            schema: SCHEMA,
            version: String::new(),
            course: String::new(),
            system: system.to_owned(),
            seed,
            passes: vec![Pass {
                knowledge: 0,
                episodes: (0..4).map(episode).collect(),
            }],
        }
    }
}
