//! Orders: what a driver process is to drive, as the process that wants it describes it.
//!
//! Keys and servers are not part of an order: the driver has them from the same config and environment.
//! Invariant: an order that was written is read as it was meant; one of another version is refused.

use super::{CONSOLE_PACE, LaunchError, Launcher};
use crate::config::ConfigError;
use crate::config::consent::Consent;
use crate::journal::Journal;
use crate::runtime::worlds::{Film, build_world};
use crate::runtime::{self, Link, Opening, Pace};
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::event::{Event, RunConfig};
use pithead_world::ids::RunId;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Longest order: a config with a policy file, and the conversation about the task.
pub const ORDER_BYTES_MAX: u64 = 64 << 20;

/// What is to be driven.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DriverOrder {
    /// Of the program that wrote it; both must be one program.
    pub version: String,
    pub database: PathBuf,
    pub operator: String,
    /// Times real time; 0 is as fast as it can.
    pub times_realtime: f64,
    pub run: OrderedRun,
    /// Heard before anything moves.
    #[serde(default)]
    pub commands: Vec<Command>,
}

/// The run of an order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderedRun {
    New {
        config: Box<RunConfig>,
        /// What was said about the task before there was a run.
        conversation: Vec<Event>,
        film: Option<Film>,
    },
    Resumed {
        run: RunId,
        consent: Consent,
    },
}

impl DriverOrder {
    /// An order of this program for this database, at the console's pace.
    #[must_use]
    pub fn new(database: PathBuf, operator: String, run: OrderedRun) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            database,
            operator,
            times_realtime: CONSOLE_PACE.times_realtime(),
            run,
            commands: Vec::new(),
        }
    }

    /// Opens what is ordered; from then on it is driven in this process.
    pub fn open(self) -> Result<Link, LaunchError> {
        if self.version != env!("CARGO_PKG_VERSION") {
            return Err(LaunchError::Version {
                wanted: self.version,
            });
        }
        let launcher = Launcher {
            database: self.database,
            ..Launcher::default()
        };
        let pace = Pace::from_factor(self.times_realtime);
        match self.run {
            OrderedRun::New {
                config,
                conversation,
                film,
            } => {
                let world = build_world(&config, film).map_err(ConfigError::from)?;
                let mut parts = launcher.parts(&config, &Consent::Typed, Some(world))?;
                (parts.pace, parts.operator) = (pace, self.operator);
                let opening = Opening {
                    conversation,
                    commands: self.commands,
                };
                Ok(runtime::start_with(*config, parts, opening)?)
            }
            OrderedRun::Resumed { run, consent } => {
                // From the journal: a run keeps the config it began with.
                let config = runtime::config_of(&Journal::look(&launcher.database)?, run)?;
                let mut parts = launcher.parts(&config, &consent, None)?;
                (parts.pace, parts.operator) = (pace, self.operator);
                Ok(runtime::resume_with(run, parts, self.commands)?)
            }
        }
    }
}
