//! Lives: one agent of one system that plays all tasks again and again and keeps what it learns.
//!
//! Its mind errs in the same facts all its life; each episode is in a world of its own, so that one bad
//! place does not spoil a whole pass. A life is written down when it is over. Invariant: same course, system and seed, same life.

use super::crew::EvalError;
use super::episode::Episode;
use super::ledger::LedgerError;
use super::plan::{Plan, Setting};
use super::play::{Job, Over, play};
use super::purse::Purse;
use crate::journal::{Filter, Journal};
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
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;

/// Raised when a line changes its meaning.
const SCHEMA: u32 = 1;
/// Where finished lives are kept.
pub(super) const LIVES: &str = "lives";
/// Worlds of one life lie so many seeds apart: as many lives share none.
const WORLDS_APART: u64 = 1_000;

/// Makes the world of an episode and a mind that errs as this seed says.
pub type Maker<'a> =
    dyn Fn(&RunConfig, u64) -> Result<(Box<dyn World>, Box<dyn Mind>), String> + Sync + 'a;

/// All lives that are to be lived.
pub struct Course<'a> {
    /// One for each system; they differ in the profile only.
    pub settings: &'a [Setting],
    pub plan: &'a Plan,
    pub passes: u32,
    pub jobs: usize,
    /// Where finished lives are kept; without it an interrupted course begins anew.
    pub out: Option<&'a Path>,
    pub maker: &'a Maker<'a>,
    pub interrupt: &'a AtomicBool,
}

impl std::fmt::Debug for Course<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Course {{ {:?}, {} passes, {} jobs }}",
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

/// Lives all lives that are not finished; without those that an interrupt left out. `tell` hears how many
/// of how many are over.
pub fn live(
    course: &Course<'_>,
    mut tell: impl FnMut(usize, usize),
) -> Result<Vec<Life>, EvalError> {
    let mut lives = Vec::new();
    let mut jobs = Vec::new();
    for seed in course.plan.seeds.first..=course.plan.seeds.last {
        for setting in course.settings {
            match found(course, setting, seed)? {
                Some(life) => lives.push(life),
                None => jobs.push((setting, seed)),
            }
        }
    }
    let total = lives.len() + jobs.len();
    tell(lives.len(), total);
    let (next, workers) = (AtomicUsize::new(0), course.jobs.clamp(1, jobs.len().max(1)));
    let (send, receive) = sync_channel(workers);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let (send, next, jobs) = (send.clone(), &next, &jobs);
            scope.spawn(move || {
                while let Some((setting, seed)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let lived = one(course, setting, *seed);
                    let is_last = !matches!(lived, Ok(Some(_)));
                    if send.send(lived).is_err() || is_last {
                        return;
                    }
                }
            });
        }
        drop(send);
        receive.iter().try_for_each(|lived| {
            if let Some(life) = lived? {
                keep(course, &life)?;
                lives.push(life);
                tell(lives.len(), total);
            }
            Ok(())
        })
    })
    .map(|()| lives)
}

/// From the first task of the first pass to the last of the last; none if interrupted.
fn one(course: &Course<'_>, setting: &Setting, seed: u64) -> Result<Option<Life>, EvalError> {
    let mut journal = Some(Journal::in_memory().map_err(LedgerError::from)?);
    let workshop = |config: &RunConfig, _: &str| (course.maker)(config, seed);
    let mut life = Life {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        course: name(course.plan, course.passes, setting),
        system: setting.profile.name.clone(),
        seed,
        passes: Vec::new(),
    };
    // Each run has the bounds of its mind; there are none for all of them together.
    let purse = Arc::new(Purse::default());
    let mut run = RunId(1);
    for _ in 0..course.passes {
        let mut episodes = Vec::new();
        for task in &course.plan.tasks {
            let job = Job {
                task,
                seed: seed + WORLDS_APART * (run.0 - 1),
                run,
            };
            run = run.next();
            let played = play(
                setting,
                job,
                &workshop,
                &mut journal,
                (&purse, course.interrupt),
            )?;
            let Some(Over { episode, facts: _ }) = played else {
                return Ok(None);
            };
            episodes.push(episode);
            if journal.is_none() {
                // Only an episode without a world or a mind leaves it behind.
                journal = Some(Journal::in_memory().map_err(LedgerError::from)?);
            }
        }
        let active = Filter {
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

/// What all lives of a course have in common.
fn name(plan: &Plan, passes: u32, setting: &Setting) -> String {
    format!(
        "{} {} {} {} passes {}, a world for each episode",
        setting.suite.name.name(),
        plan.glob.as_deref().unwrap_or("*"),
        setting.mind,
        passes,
        setting.world.aids.controller.name()
    )
}

fn path(folder: &Path, system: &str, seed: u64) -> PathBuf {
    folder.join(LIVES).join(format!("{system}-{seed}.json"))
}

/// The finished lives of a course as they lie there, and what is wrong with others.
pub(super) fn look(
    folder: &Path,
    settings: &[Setting],
    plan: &Plan,
    passes: u32,
) -> (Vec<Life>, Vec<String>) {
    let (mut lives, mut faults) = (Vec::new(), Vec::new());
    for seed in plan.seeds.first..=plan.seeds.last {
        for setting in settings {
            let path = path(folder, &setting.profile.name, seed);
            match read(&path, &name(plan, passes, setting)) {
                Ok(life) => lives.extend(life),
                Err(error) => faults.push(error.to_string()),
            }
        }
    }
    (lives, faults)
}

/// The finished life of this system and seed, if it is there.
fn found(course: &Course<'_>, setting: &Setting, seed: u64) -> Result<Option<Life>, EvalError> {
    let Some(folder) = course.out else {
        return Ok(None);
    };
    let path = path(folder, &setting.profile.name, seed);
    read(&path, &name(course.plan, course.passes, setting))
}

/// A life of this course; none if it is not there.
fn read(path: &Path, course: &str) -> Result<Option<Life>, EvalError> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(fault("read", path, source)),
    };
    let life: Life = serde_json::from_str(&text).map_err(|error| LedgerError::Line {
        path: path.to_owned(),
        line: error.line(),
        because: error.to_string(),
    })?;
    let ours = (SCHEMA, env!("CARGO_PKG_VERSION"), course);
    if (life.schema, life.version.as_str(), life.course.as_str()) != ours {
        let because = format!("it is of `{}`, version {}", life.course, life.version);
        let path = path.to_owned();
        return Err(LedgerError::Other { path, because }.into());
    }
    Ok(Some(life))
}

/// Whole or not at all.
fn keep(course: &Course<'_>, life: &Life) -> Result<(), EvalError> {
    let Some(folder) = course.out else {
        return Ok(());
    };
    let path = path(folder, &life.system, life.seed);
    let text =
        serde_json::to_string(life).expect("a life holds no maps with keys that JSON cannot write");
    let folder = path.parent().unwrap_or(folder);
    std::fs::create_dir_all(folder)
        .and_then(|()| write_atomically(&path, text.as_bytes()))
        .map_err(|source| fault("write", &path, source))
}

fn fault(doing: &'static str, path: &Path, source: std::io::Error) -> EvalError {
    let path = path.to_owned();
    LedgerError::File {
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
            let mut episode = Episode::of(task, seed, at as u64);
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
