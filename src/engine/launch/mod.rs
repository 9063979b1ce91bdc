//! Starting and resuming runs: from a description to a driver process, or to a link in this one.
//!
//! Invariant: the config files are read at each start, so that a correction needs no new console; nothing
//! is written to the database before world and mind are there.

pub mod driver_process;
pub mod goal;
pub mod order;

use self::driver_process::{DriverFault, start_driver};
use self::order::{DriverOrder, OrderedRun};
use crate::config::consent::{Consent, NamedFile};
use crate::config::{self, ConfigError, minds};
use crate::journal::{Durability, Journal, JournalError};
use crate::memory::{self, MemoryError};
use crate::mind::spec::MindSpec;
use crate::runtime::worlds::{build_world, check_server};
use crate::runtime::{self, Link, OpenError, Opening, Pace, Parts};
use crate::suites::{SuiteTask, TaskAids};
use pithead_core::domain::run::budget::Budget;
use pithead_core::domain::run::decision::Gates;
use pithead_core::domain::run::event::{Event, RunConfig};
use pithead_core::systems::folder::SystemError;
use pithead_world::clock::Clock;
use pithead_world::ids::RunId;
use pithead_world::port::World;
use std::path::PathBuf;

/// Slow enough to follow each step, and a plan of several minutes passes in one.
pub const CONSOLE_PACE: Pace = Pace::Times(8.0);

/// What a run is to achieve.
#[derive(Debug, Clone, PartialEq)]
pub enum RunAim {
    /// In the operator's own words.
    Words(String),
    /// As a published set has it, with its budget and the biome it begins in.
    Suite(&'static SuiteTask),
}

/// A run as the operator describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct WantedRun {
    pub aim: RunAim,
    pub seed: u64,
    pub mind: String,
    pub system: String,
    pub gates: Gates,
}

/// What a description can choose from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Choices {
    pub minds: Vec<String>,
    pub systems: Vec<String>,
    /// The gates unless the operator changes them: the console's, with the saved rules.
    pub gates: Gates,
}

/// Why a run was not started or resumed.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    System(#[from] SystemError),
    #[error(transparent)]
    Goal(#[from] goal::GoalError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Memory(#[from] MemoryError),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("the process that was to drive the run could not be started: {0}")]
    Spawn(#[source] std::io::Error),
    /// What the driver process says.
    #[error(transparent)]
    Driver(#[from] DriverFault),
    #[error(
        "the order is one of pithead {wanted}, and this is {}; start the console again",
        env!("CARGO_PKG_VERSION")
    )]
    Version { wanted: String },
}

/// Where runs are driven that a console starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DrivePlace {
    /// In this process, with which they stop.
    #[default]
    Here,
    /// Each in a process of its own, which outlives this one.
    OwnProcess,
}

/// A run that was started or resumed.
#[derive(Debug)]
pub enum Launched {
    Here(Box<Link>),
    /// Another process drives it; one attaches to it.
    Elsewhere(RunId),
}

/// Starts and resumes the runs of one database. A copy may go to another thread.
#[derive(Debug, Clone)]
pub struct Launcher {
    pub database: PathBuf,
    pub choices: Choices,
    pub place: DrivePlace,
    /// How fast the worlds pass at first.
    pub pace: Pace,
}

impl Default for Launcher {
    fn default() -> Self {
        Self {
            database: PathBuf::new(),
            choices: Choices::default(),
            place: DrivePlace::default(),
            pace: CONSOLE_PACE,
        }
    }
}

impl Launcher {
    /// The choices are read from the config files once; a fault in them is reported when it matters.
    #[must_use]
    pub fn new(database: PathBuf, place: DrivePlace) -> Self {
        // These need no config.
        let mut minds: Vec<String> = ["novice", "competent", "expert"]
            .map(|level| format!("builtin:{level}"))
            .into();
        // A faulty config is reported when a model is chosen.
        if config::file::settings().is_ok_and(|set| !set.llm.servers.is_empty()) {
            minds.push("llm".to_owned());
        }
        let choices = Choices {
            minds,
            systems: config::systems::system_names(),
            // A faulty rules file is reported on the lists.
            gates: config::console_gates().unwrap_or_else(|_| Gates::console()),
        };
        Self {
            database,
            choices,
            place,
            ..Self::default()
        }
    }

    pub fn start(&self, wanted: &WantedRun) -> Result<Launched, LaunchError> {
        let (config, conversation) = self.config_of(wanted)?;
        if self.place == DrivePlace::OwnProcess {
            return self.order(OrderedRun::New {
                config: Box::new(config),
                conversation,
                film: None,
            });
        }
        let opening = Opening {
            conversation,
            ..Opening::default()
        };
        let parts = self.parts(&config, &Consent::Typed, None)?;
        let link = runtime::start_with(config, parts, opening)?;
        Ok(Launched::Here(Box::new(link)))
    }

    /// A file that the run's config names is read only if it is the one that the operator has allowed.
    pub fn resume(&self, run: RunId, allowed: Option<&NamedFile>) -> Result<Launched, LaunchError> {
        let consent = allowed.map_or(Consent::Recorded(run), |file| {
            Consent::Allowed(file.clone())
        });
        // From the journal: a run keeps the config it began with.
        let config = runtime::config_of(&Journal::look(&self.database)?, run)?;
        if self.place == DrivePlace::OwnProcess {
            // Here, where the operator can be asked.
            check_server(&config.world).map_err(ConfigError::from)?;
            consent.check(&config)?;
            return self.order(OrderedRun::Resumed { run, consent });
        }
        let link = runtime::resume(run, self.parts(&config, &consent, None)?)?;
        Ok(Launched::Here(Box::new(link)))
    }

    fn order(&self, run: OrderedRun) -> Result<Launched, LaunchError> {
        let order = DriverOrder {
            times_realtime: self.pace.times_realtime(),
            ..DriverOrder::new(self.database.clone(), config::operator(), run)
        };
        start_driver(&order).map(Launched::Elsewhere)
    }

    /// World, mind and journal of a run. The journal comes last, since opening it makes the database.
    fn parts(
        &self,
        config: &RunConfig,
        consent: &Consent,
        world: Option<Box<dyn World>>,
    ) -> Result<Parts, LaunchError> {
        let world = match world {
            Some(world) => world,
            None => build_world(config, None).map_err(ConfigError::from)?,
        };
        let recorded = self.recorded(&config.mind)?;
        let mind = config::mind_of_run(config, recorded.as_ref(), consent)?;
        // Only the mind needed it.
        drop(recorded);
        // Every event is on disk before the operator sees it.
        let journal = Journal::open(&self.database, Durability::Full)?;
        let embedder = config::embedder()?;
        // Before the run begins: vectors of two embedders cannot be compared.
        memory::check(journal.connection(), embedder.as_ref())?;
        Ok(Parts {
            journal,
            world,
            mind,
            embedder,
            clock: Clock::System,
            pace: self.pace,
            operator: config::operator(),
        })
    }

    /// The config of a described run, and the conversation with a mind about its task.
    fn config_of(&self, wanted: &WantedRun) -> Result<(RunConfig, Vec<Event>), LaunchError> {
        let profile = config::systems::system(&wanted.system)?;
        let usual = minds::budget_of_mind(&wanted.mind)?;
        let (task, conversation, ticks, aids) = match &wanted.aim {
            RunAim::Words(words) => {
                let recorded = self.recorded(&wanted.mind)?;
                let reader = || {
                    minds::build_mind(&wanted.mind, wanted.seed, &wanted.system, recorded.as_ref())
                };
                let read = goal::task_from_words(words, &wanted.mind, usual, reader)?;
                (read.task, read.events, usual.ticks, TaskAids::default())
            }
            RunAim::Suite(task) => (
                task.task(),
                Vec::new(),
                task.budget_ticks,
                task.aids.clone(),
            ),
        };
        let mut config = config::run_config(task, wanted.seed, &wanted.mind, profile);
        aids.help(&mut config.world.aids);
        config.gates = wanted.gates.clone();
        config.rulebook = config::console_policy()?;
        // The ticks of the task, the rest of the mind.
        config.budget = Budget { ticks, ..usual };
        Ok((config, conversation))
    }

    /// Recorded answers need an existing database; one must not be created just to look for them.
    fn recorded(&self, mind: &str) -> Result<Option<Journal>, JournalError> {
        match minds::parse_mind(mind) {
            Ok(MindSpec::Recorded(_)) => Ok(Some(Journal::look(&self.database)?)),
            Ok(_) | Err(_) => Ok(None),
        }
    }
}
