//! Starts and resumes runs for the console's home screen.

use super::options::{CONSOLE_PACE, Database};
use crate::cli::client::Client;
use crate::cli::outcome::CommandError;
use crate::config::{self, minds};
use pithead_console::screens::home::launch::{Choices, Launcher, RunAim, Starter, WantedRun};
use pithead_core::domain::run::budget::Budget;
use pithead_core::domain::run::decision::Gates;
use pithead_core::domain::run::event::{Event, RunConfig};
use pithead_core::systems;
use pithead_engine::journal::Journal;
use pithead_engine::mind::spec::MindSpec;
use pithead_engine::runtime::{self, Link, Opening, Parts};
use pithead_world::clock::Clock;
use pithead_world::ids::RunId;
use std::sync::Arc;

/// Makes runs in one database, at the console's pace.
#[derive(Debug, Clone)]
struct FromConsole {
    database: Database,
}

/// The runs that a console over this database can start.
pub(super) fn what_can_start(database: &Database) -> Launcher {
    let mut minds: Vec<String> = ["novice", "competent", "expert"]
        .map(|level| format!("builtin:{level}"))
        .into();
    // A faulty config is reported when a model is chosen.
    if config::file::settings().is_ok_and(|set| !set.llm.servers.is_empty()) {
        minds.push("llm".to_owned());
    }
    Launcher {
        starter: Arc::new(FromConsole {
            database: database.clone(),
        }),
        choices: Choices {
            minds,
            systems: systems::all().map(|profile| profile.name).collect(),
            // A faulty rules file is reported on the lists.
            gates: config::console_gates().unwrap_or_else(|_| Gates::console()),
        },
    }
}

impl Starter for FromConsole {
    fn start(&self, wanted: &WantedRun) -> Result<Link, String> {
        let (config, talk) = self.config_of(wanted).map_err(|error| error.to_string())?;
        let opening = Opening {
            talk,
            ..Opening::default()
        };
        let go = |parts| runtime::start_with(config.clone(), parts, opening);
        self.drive(&config, go).map_err(|error| error.to_string())
    }

    fn resume(&self, run: RunId) -> Result<Link, String> {
        let config = self.database.open_read_only().and_then(|journal| {
            let config = runtime::config_of(&journal, run)?;
            Ok(config)
        });
        let config = config.map_err(|error| error.to_string())?;
        self.drive(&config, |parts| runtime::resume(run, parts))
            .map_err(|error| error.to_string())
    }
}

impl FromConsole {
    /// Opens world, mind and journal, and drives the run with them.
    fn drive(
        &self,
        config: &RunConfig,
        go: impl FnOnce(Parts) -> Result<Link, runtime::OpenError>,
    ) -> Result<Link, CommandError> {
        let world = config::body(config, None).map_err(CommandError::unavailable)?;
        let recorded = self.recorded(&config.mind)?;
        let mind = config::mind(config, recorded.as_ref()).map_err(CommandError::unavailable)?;
        drop(recorded);
        let journal = self.database.open_for(Client::Console)?;
        let embedder = super::options::embedder(&journal)?;
        let parts = Parts {
            journal,
            world,
            mind,
            embedder,
            clock: Clock::System,
            pace: CONSOLE_PACE,
            operator: config::operator(),
        };
        Ok(go(parts)?)
    }

    /// The run as it was described, and what was said about its task with a mind.
    fn config_of(&self, wanted: &WantedRun) -> Result<(RunConfig, Vec<Event>), CommandError> {
        let profile = systems::named(&wanted.system).map_err(CommandError::usage)?;
        let usual = minds::budget(&wanted.mind).map_err(CommandError::unavailable)?;
        let (task, talk, ticks, biome) = match &wanted.aim {
            RunAim::Words(words) => {
                let reader = || {
                    let recorded = self.recorded(&wanted.mind)?;
                    let mind =
                        minds::mind(&wanted.mind, wanted.seed, &wanted.system, recorded.as_ref());
                    mind.map_err(CommandError::unavailable)
                };
                let read = super::goal::read_task(words, &wanted.mind, usual, reader)?;
                (read.task, read.events, usual.ticks, None)
            }
            RunAim::Suite(task) => (
                task.task(),
                Vec::new(),
                task.budget_ticks,
                task.aids.biome.clone(),
            ),
        };
        let mut config = config::run_config(task, wanted.seed, &wanted.mind, profile);
        config.world.aids.biome = biome;
        config.gates = wanted.gates.clone();
        config.rulebook = config::console_policy().map_err(CommandError::usage)?;
        config.budget = Budget { ticks, ..usual };
        Ok((config, talk))
    }

    /// Recorded answers need an existing database; one must not be created just to look for them.
    fn recorded(&self, mind: &str) -> Result<Option<Journal>, CommandError> {
        match minds::spec(mind) {
            Ok(MindSpec::Recorded(_)) => Ok(Some(self.database.open_read_only()?)),
            Ok(_) | Err(_) => Ok(None),
        }
    }
}
