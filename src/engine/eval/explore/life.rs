//! One life of exploration, task by task, and the file that it is kept in.

use super::super::episode::Episode;
use super::super::learning_agent::LearningAgent;
use super::super::life_files::{KeptLife, Stamp, play_unfinished, read_life, write_life};
use super::super::lives::LifeFactory;
use super::super::plan::{Seeds, Setting};
use super::super::play::PlayedEpisode;
use super::super::workers::EvalError;
use super::tasks::{TASK_TICKS, task_of};
use crate::mind::builtin::curiosity::{Curiosity, Idea, Means};
use crate::mind::builtin::errors::Level;
use pithead_core::domain::knowledge::Entry;
use pithead_core::domain::knowledge::kind::EntryKind;
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_world::item::ItemId;
use pithead_world::rng::{Rng, Streams};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Raised when a line changes its meaning.
const SCHEMA: u32 = 1;
/// Where finished lives are kept.
const FOLDER: &str = "explorations";

/// The lives to play: each system with each seed.
pub struct ExploreRun<'a> {
    /// One for each system; they differ in nothing else.
    pub settings: &'a [Setting],
    pub seeds: Seeds,
    /// The level of the mind, whose beliefs choose the tasks.
    pub level: Level,
    /// Tasks of one life.
    pub tasks: u32,
    pub jobs: usize,
    /// Where finished lives are kept; without it an interrupted run starts over.
    pub out: Option<&'a Path>,
    pub factory: &'a LifeFactory<'a>,
    pub interrupt: &'a AtomicBool,
}

impl std::fmt::Debug for ExploreRun<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "ExploreRun {{ seeds {}, {} tasks }}",
            self.seeds, self.tasks
        )
    }
}

/// One life.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExploredLife {
    schema: u32,
    version: String,
    /// Lives of another course are refused, not mixed.
    course: String,
    pub system: String,
    pub seed: u64,
    /// In their order; fewer than asked for if nothing was left to try.
    pub tasks: Vec<ExploredTask>,
}

/// One task that the agent set itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExploredTask {
    pub item: String,
    pub success: bool,
    pub ticks: u64,
    pub failed_attempts: u64,
    pub replans: u64,
    /// Kinds of items that it held for the first time, on the way too.
    pub new_items: Vec<String>,
    /// Kinds of items that it has held so far.
    pub items: u64,
    /// Active entries after it, and the rules among them; rules are absent in lives of earlier builds.
    pub knowledge: u64,
    #[serde(default)]
    pub rules: u64,
    /// Each is an experience that later tasks can recall; absent in lives of earlier builds.
    #[serde(default)]
    pub attempts: u64,
}

impl KeptLife for ExploredLife {
    fn stamp(&self) -> Stamp<'_> {
        (self.schema, &self.version, &self.course)
    }
}

/// Plays the lives that are not finished and returns all, except those that an interrupt prevented.
/// `on_progress` receives how many of how many are over.
pub fn play_explorations(
    run: &ExploreRun<'_>,
    on_progress: impl FnMut(usize, usize),
) -> Result<Vec<ExploredLife>, EvalError> {
    let mut lives = play_unfinished(
        (run.settings, run.seeds, run.jobs),
        |setting, seed| finished_life(run, setting, seed),
        |setting, seed| play_life(run, setting, seed),
        |life| save_life(run, &life).map(|()| life),
        on_progress,
    )?;
    // In the order of seeds and systems, however long each took.
    let place = |life: &ExploredLife| {
        let mut settings = run.settings.iter();
        settings.position(|setting| setting.profile.name == life.system)
    };
    lives.sort_by_key(|life| (life.seed, place(life)));
    Ok(lives)
}

fn play_life(
    run: &ExploreRun<'_>,
    setting: &Setting,
    seed: u64,
) -> Result<Option<ExploredLife>, EvalError> {
    let mut agent = LearningAgent::new((run.factory, run.interrupt), setting, seed)?;
    let mut explorer = Explorer::new(run.level, seed);
    let mut tasks = Vec::new();
    while tasks.len() < run.tasks as usize {
        let Some(item) = explorer.next_task() else {
            break;
        };
        let Some(played) = agent.play(task_of(item))? else {
            return Ok(None);
        };
        tasks.push(explorer.learn(item, &played, &agent.known()?));
    }
    Ok(Some(ExploredLife {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        course: course_name(run, setting),
        system: setting.profile.name.clone(),
        seed,
        tasks,
    }))
}

/// Who chooses.
pub(super) struct Explorer {
    curiosity: Curiosity,
    /// How often a task failed.
    failures: BTreeMap<ItemId, u32>,
    draws: Rng,
}

impl Explorer {
    pub(super) fn new(level: Level, seed: u64) -> Self {
        Self {
            curiosity: Curiosity::new(level, seed),
            failures: BTreeMap::new(),
            draws: Streams(seed).get("explore"),
        }
    }

    /// What is tried next: what failed least often, a hunt after all else, and of these one by a draw.
    pub(super) fn next_task(&mut self) -> Option<ItemId> {
        let ideas = self.curiosity.ideas();
        let rank = |idea: &Idea| {
            let failures = self.failures.get(&idea.item).copied().unwrap_or(0);
            (failures, idea.means == Means::Hunt)
        };
        let best = ideas.iter().map(rank).min()?;
        let equal: Vec<&Idea> = ideas.iter().filter(|idea| rank(idea) == best).collect();
        let drawn = self.draws.below(equal.len() as u64);
        let idea = usize::try_from(drawn).ok().and_then(|at| equal.get(at));
        idea.map(|idea| idea.item)
    }

    /// What came of it.
    pub(super) fn learn(
        &mut self,
        item: ItemId,
        played: &PlayedEpisode,
        known: &[Entry],
    ) -> ExploredTask {
        let mut new_items = Vec::new();
        for fact in &played.facts {
            new_items.extend(self.take_in(fact));
        }
        let Episode {
            success,
            ticks,
            attempts,
            failed_attempts,
            replans,
            ..
        } = played.episode;
        if success {
            new_items.extend(self.curiosity.has_had([item]));
        } else {
            *self.failures.entry(item).or_default() += 1;
        }
        ExploredTask {
            item: item.name().to_owned(),
            success,
            ticks,
            failed_attempts,
            replans,
            new_items: new_items
                .iter()
                .map(|item| item.name().to_owned())
                .collect(),
            items: self.curiosity.items() as u64,
            knowledge: known.len() as u64,
            rules: known
                .iter()
                .filter(|entry| entry.body.entry_kind() == EntryKind::Rule)
                .count() as u64,
            attempts,
        }
    }

    /// What an attempt showed: blocks around, and what the body held.
    fn take_in(&mut self, fact: &Recorded) -> Vec<ItemId> {
        let Event::AttemptEnded { experience, .. } = &fact.event else {
            return Vec::new();
        };
        for state in [&experience.pre, &experience.post] {
            self.curiosity
                .has_seen(state.notable.iter().map(|sight| sight.block));
        }
        let gains = experience.diagnosis.delta.inventory.iter();
        let gained = gains
            .filter(|(_, change)| **change > 0)
            .map(|(item, _)| *item);
        let held = experience.post.inventory.iter().map(|(item, _)| item);
        self.curiosity.has_had(gained.chain(held))
    }
}

/// What all lives of a run have in common. Stored with each life, so it must not change.
fn course_name(run: &ExploreRun<'_>, setting: &Setting) -> String {
    let aids = &setting.world.aids;
    // Left out where it is as it was before there were levels.
    let senses = (!aids.senses.is_scout()).then(|| format!(", senses {}", aids.senses.name()));
    format!(
        "explore {} {} reports {} {} tasks of {TASK_TICKS} ticks, a world for each{}",
        setting.mind,
        aids.controller.name(),
        aids.reports.name(),
        run.tasks,
        senses.unwrap_or_default()
    )
}

fn life_path(folder: &Path, system: &str, seed: u64) -> PathBuf {
    folder.join(FOLDER).join(format!("{system}-{seed}.json"))
}

/// The finished life of this system and seed, if it is there.
fn finished_life(
    run: &ExploreRun<'_>,
    setting: &Setting,
    seed: u64,
) -> Result<Option<ExploredLife>, EvalError> {
    let Some(folder) = run.out else {
        return Ok(None);
    };
    let course = course_name(run, setting);
    let ours = (SCHEMA, env!("CARGO_PKG_VERSION"), course.as_str());
    read_life(&life_path(folder, &setting.profile.name, seed), ours)
}

fn save_life(run: &ExploreRun<'_>, life: &ExploredLife) -> Result<(), EvalError> {
    let Some(folder) = run.out else {
        return Ok(());
    };
    write_life(&life_path(folder, &life.system, life.seed), life)
}
