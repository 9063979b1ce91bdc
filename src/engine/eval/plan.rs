//! Plans of evaluations: which tasks, which seeds, under which setting.
//!
//! Tasks that cannot be judged, or that the world does not allow as worded, are left out and named.
//! Invariant: the order of episodes is that of seeds, then of the suite.

use super::base::Base;
use super::course::{self, Strategy};
use crate::journal::{Journal, JournalError};
use crate::runtime::Keep;
use crate::suites::{Suite, SuiteTask};
use globset::{GlobBuilder, GlobMatcher};
use pithead_core::domain::horizon::HorizonModel;
use pithead_core::domain::run::budget::Budget;
use pithead_core::domain::run::profile::Profile;
use pithead_world::aids::WorldAids;
use pithead_world::clock::Clock;
use pithead_world::ids::RunId;
use pithead_world::port::WorldSpec;
use pithead_world::rng::Streams;
use serde::Serialize;

/// How the episodes are played.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    pub suite: &'static Suite,
    /// For example `builtin:competent`.
    pub mind: String,
    pub profile: Profile,
    /// What each world is made with; seed and biome come with the episode.
    pub world: WorldSpec,
    /// One knowledge base for all episodes, in order, in place of an empty one for each.
    pub learn: bool,
    /// What each episode begins with, or with `learn` the first; without it nothing is known.
    pub base: Option<Base>,
    /// Episodes use what is known and learn nothing.
    pub frozen: bool,
    /// The percentage with which each entry is withheld from an episode.
    pub hold_out: u8,
    /// What the selector `horizon` predicts with, in place of the program's own model.
    pub horizon_model: Option<Box<HorizonModel>>,
    /// Of lives: how the knowledge for held-out seeds is built; without it by passes over all tasks.
    pub strategy: Option<Strategy>,
    pub keep: Keep,
    /// What the mind may cost in each episode; the ticks are those of the task.
    pub budget: Budget,
}

impl Setting {
    /// The world of its episodes, each of which has a seed of its own.
    #[must_use]
    pub fn world_of(aids: WorldAids) -> WorldSpec {
        WorldSpec::embedded(0, aids)
    }

    /// The name by which it is compared with others: of the strategy, or of the system.
    pub(super) fn arm_name(&self) -> &str {
        match self.strategy {
            Some(strategy) => strategy.name(),
            None => &self.profile.name,
        }
    }

    /// The tasks that a life learns from, in order.
    pub(super) fn course(
        &self,
        plan: &EvalPlan,
        passes: u32,
        seed: u64,
    ) -> Vec<&'static SuiteTask> {
        match self.strategy {
            Some(strategy) => strategy.course(self.suite, plan, passes, seed),
            None => course::passes_over(plan, passes),
        }
    }

    /// The profile of its runs.
    pub(super) fn run_profile(&self) -> Profile {
        let profile = self.profile.clone();
        if self.frozen {
            profile.frozen()
        } else {
            profile
        }
    }

    /// A journal in memory that holds the base and nothing else, for runs from this one on.
    pub(super) fn journal_for(&self, first: RunId) -> Result<Journal, JournalError> {
        let mut journal = Journal::in_memory()?;
        if let Some(base) = &self.base {
            base.write_into(&mut journal, (Clock::System.now(), first))?;
        }
        Ok(journal)
    }

    /// The journal that all episodes share, before the first of them.
    pub(super) fn first_journal(&self) -> Result<Journal, JournalError> {
        self.journal_for(RunId(self.first_run()))
    }

    /// The number of the first run.
    pub(super) fn first_run(&self) -> u64 {
        self.base.as_ref().map_or(1, Base::first_run)
    }
}

/// Records of evaluations without hold-out do not mention it, as those from before there was any.
#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for it
pub(super) fn is_no_hold_out(percent: &u8) -> bool {
    *percent == 0
}

/// Seeds `first..last`, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Seeds {
    pub first: u64,
    pub last: u64,
}

/// Seeds that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{given}` is not a range of seeds; write A..B with A not above B, both included, for example 1..20, or one seed"
)]
pub struct SeedsError {
    pub given: String,
}

/// More seeds would not finish in a lifetime.
const SEEDS_MAX: u64 = 100_000;

impl std::str::FromStr for Seeds {
    type Err = SeedsError;

    fn from_str(text: &str) -> Result<Self, SeedsError> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        // `A..=B` is how Rust writes it.
        let last = last.strip_prefix('=').unwrap_or(last);
        match (first.trim().parse(), last.trim().parse()) {
            (Ok(first), Ok(last)) if first <= last && last - first < SEEDS_MAX => {
                Ok(Self { first, last })
            }
            _ => Err(SeedsError {
                given: text.to_owned(),
            }),
        }
    }
}

impl Seeds {
    /// How many; never none.
    #[must_use]
    #[allow(clippy::len_without_is_empty)] // there is no empty range
    pub fn len(self) -> u64 {
        self.last - self.first + 1
    }
}

impl std::fmt::Display for Seeds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { first, last } = self;
        if first == last {
            write!(f, "{first}")
        } else {
            write!(f, "{first}..{last}")
        }
    }
}

/// Which tasks of a suite: a pattern over ids and over instructions.
#[derive(Debug, Clone)]
pub struct TaskPattern {
    text: String,
    matcher: GlobMatcher,
}

/// A pattern that cannot be read, or that fits no task.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    #[error(
        "`{given}` is not a pattern: {because}; write for example `mcu70/iron/*` or `*pickaxe`"
    )]
    Bad { given: String, because: String },
    #[error("no task of {suite} matches `{given}`; `pithead tasks --suite {suite}` lists them")]
    Nothing { given: String, suite: &'static str },
}

impl std::str::FromStr for TaskPattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let pattern = GlobBuilder::new(text).case_insensitive(true).build();
        let pattern = pattern.map_err(|error| PatternError::Bad {
            given: text.to_owned(),
            because: error.kind().to_string(),
        })?;
        Ok(Self {
            text: text.to_owned(),
            matcher: pattern.compile_matcher(),
        })
    }
}

impl std::fmt::Display for TaskPattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl TaskPattern {
    fn matches(&self, task: &SuiteTask) -> bool {
        self.matcher.is_match(&task.id) || self.matcher.is_match(&task.instruction)
    }
}

/// A task that was asked for and is not played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    pub task: String,
    pub group: String,
    pub because: String,
}

/// What is played.
#[derive(Debug, Clone, PartialEq)]
pub struct EvalPlan {
    pub tasks: Vec<&'static SuiteTask>,
    pub left_out: Vec<LeftOut>,
    pub seeds: Seeds,
    /// The pattern, if one was given.
    pub pattern: Option<String>,
    /// Each episode has a world and wrong beliefs of its own; otherwise the tasks of a seed share both.
    pub own_worlds: bool,
}

/// Seeds of own worlds are below this, so that every reader of JSON keeps them.
const OWN_WORLDS_BELOW: u64 = 1 << 48;

impl EvalPlan {
    /// The matching tasks of the suite, divided into those to play and those to leave out.
    pub fn select(
        suite: &'static Suite,
        pattern: Option<&TaskPattern>,
        seeds: Seeds,
    ) -> Result<Self, PatternError> {
        let asked = |task: &&SuiteTask| pattern.is_none_or(|pattern| pattern.matches(task));
        let mut plan = Self {
            tasks: Vec::new(),
            left_out: Vec::new(),
            seeds,
            pattern: pattern.map(|pattern| pattern.text.clone()),
            own_worlds: false,
        };
        for task in suite.tasks.iter().filter(asked) {
            match reason_left_out(task) {
                None => plan.tasks.push(task),
                Some(because) => plan.left_out.push(LeftOut {
                    task: task.id.clone(),
                    group: task.group.clone(),
                    because,
                }),
            }
        }
        // Only if nothing matches at all; tasks that are left out are named instead.
        if let (true, true, Some(given)) = (
            plan.tasks.is_empty(),
            plan.left_out.is_empty(),
            &plan.pattern,
        ) {
            return Err(PatternError::Nothing {
                given: given.clone(),
                suite: suite.name.name(),
            });
        }
        Ok(plan)
    }

    /// The same, with a world and wrong beliefs of its own for each episode, or as the tasks of a seed share them.
    #[must_use]
    pub fn with_own_worlds(self, own_worlds: bool) -> Self {
        Self { own_worlds, ..self }
    }

    /// How many episodes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tasks.len() * self.seeds.len() as usize
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// All episodes in order, each with the seed of its world.
    pub fn episodes(&self) -> impl Iterator<Item = (&'static SuiteTask, u64)> + '_ {
        // Seeds outside, so that an interrupted evaluation has its first seeds for all
        // tasks.
        (self.seeds.first..=self.seeds.last).flat_map(move |seed| {
            let of_task = move |task: &&'static SuiteTask| (*task, self.world_seed(task, seed));
            self.tasks.iter().map(of_task)
        })
    }

    /// Of seed and task alone, so that a pattern changes no world.
    fn world_seed(&self, task: &SuiteTask, seed: u64) -> u64 {
        if self.own_worlds {
            Streams(seed).salt(&task.id) % OWN_WORLDS_BELOW
        } else {
            seed
        }
    }
}

fn reason_left_out(task: &SuiteTask) -> Option<String> {
    match &task.feasible {
        Err(because) => Some(format!("infeasible: {because}")),
        Ok(()) if !task.decidable => {
            Some("its checks would count a precursor as success".to_owned())
        }
        Ok(()) => None,
    }
}
