//! Lives: one agent of one system that plays all tasks again and again and keeps what it learns.
//!
//! Its mind has the same wrong beliefs all its life; each episode is in a world of its own, so that one bad
//! place does not spoil a whole pass. A life is written when it is over. Invariant: same run, system and seed, same life.

use super::base::Base;
use super::course::HeldOut;
use super::episode::Episode;
use super::examination::examine;
use super::learning_agent::LearningAgent;
use super::life_files::{
    KeptLife, Stamp, fault, play_unfinished, read_life, write_life, write_whole,
};
use super::plan::{EvalPlan, Setting};
use super::registry::RegistryEntry;
use super::workers::EvalError;
use crate::mind::Mind;
use pithead_core::domain::knowledge::Entry;
use pithead_core::domain::run::event::RunConfig;
use pithead_core::knowledge::exchange::own;
use pithead_world::port::World;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Raised when a line changes its meaning.
const SCHEMA: u32 = 1;
/// Where finished lives are kept.
pub(super) const LIVES_FOLDER: &str = "lives";

/// Makes the world of an episode and a mind that errs as this seed says.
pub type LifeFactory<'a> =
    dyn Fn(&RunConfig, u64) -> Result<(Box<dyn World>, Box<dyn Mind>), String> + Sync + 'a;

/// The lives to play: each system with each seed.
pub struct LearningRun<'a> {
    /// One for each system or strategy; they differ in nothing else.
    pub settings: &'a [Setting],
    pub plan: &'a EvalPlan,
    pub passes: u32,
    /// When knowledge is examined; without it what the life plays is what is measured.
    pub held_out: Option<HeldOut>,
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

/// All tasks once; at a checkpoint, on all held-out seeds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pass {
    /// Active entries after it.
    pub knowledge: u64,
    pub episodes: Vec<Episode>,
}

impl KeptLife for Life {
    fn stamp(&self) -> Stamp<'_> {
        (self.schema, &self.version, &self.course)
    }
}

/// Plays the lives that are not finished and returns all, except those that an interrupt prevented.
/// `on_progress` receives how many of how many are over.
pub fn play_lives(
    run: &LearningRun<'_>,
    on_progress: impl FnMut(usize, usize),
) -> Result<Vec<Life>, EvalError> {
    play_unfinished(
        (run.settings, run.plan.seeds, run.jobs),
        |setting, seed| finished_life(run, setting, seed),
        |setting, seed| play_life(run, setting, seed),
        |(life, entries)| {
            save_knowledge(run, &life, &entries)?;
            save_life(run, &life)?;
            Ok(life)
        },
        on_progress,
    )
}

/// From the first task to the last, or to the last checkpoint, and the entries that act at its end; none if
/// interrupted.
fn play_life(
    run: &LearningRun<'_>,
    setting: &Setting,
    seed: u64,
) -> Result<Option<(Life, Vec<Entry>)>, EvalError> {
    let mut agent = LearningAgent::new((run.factory, run.interrupt), setting, seed)?;
    let passes = match run.held_out {
        Some(held_out) => examined_passes(run, setting, held_out, &mut agent)?,
        None => passes(run, &mut agent)?,
    };
    let Some(passes) = passes else {
        return Ok(None);
    };
    let life = Life {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        course: course_name(run.plan, (run.passes, run.held_out), setting),
        system: setting.arm_name().to_owned(),
        seed,
        passes,
    };
    Ok(Some((life, agent.known()?)))
}

/// All tasks of the plan, pass after pass.
fn passes(
    run: &LearningRun<'_>,
    agent: &mut LearningAgent<'_>,
) -> Result<Option<Vec<Pass>>, EvalError> {
    let mut passes = Vec::new();
    for _ in 0..run.passes {
        let Some(episodes) = agent.learn(&run.plan.tasks)? else {
            return Ok(None);
        };
        let knowledge = agent.known()?.len() as u64;
        passes.push(Pass {
            knowledge,
            episodes,
        });
    }
    Ok(Some(passes))
}

/// The life's course in equal parts, each followed by an examination, which is what is kept.
fn examined_passes(
    run: &LearningRun<'_>,
    setting: &Setting,
    held_out: HeldOut,
    agent: &mut LearningAgent<'_>,
) -> Result<Option<Vec<Pass>>, EvalError> {
    let seed = agent.seed();
    let course = setting.course(run.plan, run.passes, seed);
    let mut before: Option<(Option<Base>, Pass)> = None;
    let mut passes = Vec::new();
    for number in 0..held_out.checkpoints {
        if agent.learn(held_out.part(&course, number))?.is_none() {
            return Ok(None);
        }
        let entries = agent.known()?;
        let knowledge = entries.len() as u64;
        let base = Base::from_life(entries, agent.options()?);
        let pass = match before.take() {
            // The same knowledge on the same worlds gives the same result.
            Some((last, pass)) if last == base => pass,
            _ => {
                let exam = (held_out, seed);
                let Some(episodes) = examine(run, setting, base.clone(), exam)? else {
                    return Ok(None);
                };
                Pass {
                    knowledge,
                    episodes,
                }
            }
        };
        passes.push(pass.clone());
        before = Some((base, pass));
    }
    Ok(Some(passes))
}

/// What all lives of a run have in common. Stored with each life, so it must not change.
fn course_name(
    plan: &EvalPlan,
    (passes, held_out): (u32, Option<HeldOut>),
    setting: &Setting,
) -> String {
    let name = format!(
        "{} {} {} {} passes {}, a world for each episode",
        setting.suite.name.name(),
        plan.pattern.as_deref().unwrap_or("*"),
        setting.mind,
        passes,
        setting.world.aids.controller.name()
    );
    // Left out where it is as it was before there were levels.
    let aids = &setting.world.aids;
    let reports = (!aids.reports.is_typed()).then(|| format!(", reports {}", aids.reports.name()));
    let senses = (!aids.senses.is_scout()).then(|| format!(", senses {}", aids.senses.name()));
    let name = [Some(name), reports, senses]
        .into_iter()
        .flatten()
        .collect::<String>();
    let Some(held_out) = held_out else {
        return name;
    };
    let exam = format!("{name}, {held_out}, entries and options");
    match setting.strategy {
        // A strategy's file does not name the system.
        Some(_) => format!("{exam}, {}", setting.profile.name),
        None => exam,
    }
}

fn life_path(folder: &Path, system: &str, seed: u64) -> PathBuf {
    folder
        .join(LIVES_FOLDER)
        .join(format!("{system}-{seed}.json"))
}

/// The finished lives in a folder, and what is wrong with the others.
pub(super) fn lives_in_folder(
    entry: &RegistryEntry,
    settings: &[Setting],
    plan: &EvalPlan,
) -> (Vec<Life>, Vec<String>) {
    let course = (entry.passes, entry.held_out);
    let (mut lives, mut faults) = (Vec::new(), Vec::new());
    for seed in plan.seeds.first..=plan.seeds.last {
        for setting in settings {
            let path = life_path(&entry.folder, setting.arm_name(), seed);
            match read_life(&path, ours(&course_name(plan, course, setting))) {
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
    let path = life_path(folder, setting.arm_name(), seed);
    let course = (run.passes, run.held_out);
    read_life(&path, ours(&course_name(run.plan, course, setting)))
}

/// A life of this version and course.
fn ours(course: &str) -> Stamp<'_> {
    (SCHEMA, env!("CARGO_PKG_VERSION"), course)
}

fn save_life(run: &LearningRun<'_>, life: &Life) -> Result<(), EvalError> {
    let Some(folder) = run.out else {
        return Ok(());
    };
    write_life(&life_path(folder, &life.system, life.seed), life)
}

/// What acts at the end of a life, as `kb export` writes it, beside the life's own file.
fn save_knowledge(run: &LearningRun<'_>, life: &Life, entries: &[Entry]) -> Result<(), EvalError> {
    let Some(folder) = run.out else {
        return Ok(());
    };
    let path = life_path(folder, &life.system, life.seed).with_extension("yaml");
    let text = own::write(entries)
        .map_err(|because| fault("write", &path, std::io::Error::other(because)))?;
    write_whole(&path, &text)
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
