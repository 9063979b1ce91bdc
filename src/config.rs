//! Configuration: where files are, who the operator is, and the world and mind of a name.

use crate::domain::budget::{Budget, Limits};
use crate::domain::decision::Gates;
use crate::domain::diagnosis::Thresholds;
use crate::domain::event::RunConfig;
use crate::domain::profile::Profile;
use crate::domain::task::Task;
use crate::ids::RunId;
use crate::mind::Mind;
use crate::mind::builtin::{Builtin, errors::Level};
use crate::world::naming::nearest;
use crate::world::port::{World, WorldSpec};
use crate::worlds::voxel::world::VoxelWorld;
use std::path::PathBuf;

/// The embedded world's name in a `WorldSpec`.
pub const VOXEL: &str = "voxel";
/// Ticks between two frames while an action runs: half a second, often enough to see a body stall.
pub const FRAME_TICKS: u32 = 10;
/// The mind that answers unless another is named.
pub const MIND: &str = "builtin:competent";

/// Why a world or a mind is not to be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    #[error("unknown world `{0}`; this program has the embedded world `voxel`")]
    World(String),
    #[error("unknown mind `{given}`; use {}", .known.join(", "))]
    Mind {
        given: String,
        known: Vec<&'static str>,
    },
    #[error("no home folder was found for the database; name a file with --db or PITHEAD_DB")]
    NoHome,
}

/// The minds that can be named.
const MINDS: [(&str, Level); 3] = [
    ("builtin:novice", Level::Novice),
    ("builtin:competent", Level::Competent),
    ("builtin:expert", Level::Expert),
];

/// The level that a mind's name stands for.
pub fn level(name: &str) -> Result<Level, ConfigError> {
    let found = MINDS.iter().find(|(known, _)| *known == name);
    found.map(|(_, level)| *level).ok_or_else(|| {
        let close = nearest(name, MINDS.iter().map(|(known, _)| *known));
        let known = if close.is_empty() {
            MINDS.map(|(known, _)| known).to_vec()
        } else {
            close
        };
        ConfigError::Mind {
            given: name.to_owned(),
            known,
        }
    })
}

/// The mind that a run names.
pub fn mind(name: &str, seed: u64) -> Result<Box<dyn Mind>, ConfigError> {
    Ok(Box::new(Builtin::new(level(name)?, seed)))
}

/// A run of the task in the embedded world with nobody asked and the usual bounds.
#[must_use]
pub fn run_config(task: Task, seed: u64, mind: &str, profile: Profile) -> RunConfig {
    RunConfig {
        run: RunId(0), // handed out by the journal
        task,
        world: WorldSpec {
            kind: VOXEL.to_owned(),
            seed,
            frame_ticks: FRAME_TICKS,
        },
        mind: mind.to_owned(),
        profile,
        gates: Gates::headless(),
        budget: Budget::default(),
        limits: Limits::default(),
        thresholds: Thresholds::default(),
    }
}

/// A world and a mind to drive a run with.
pub type BodyAndMind = (Box<dyn World>, Box<dyn Mind>);

/// The world and the mind that a run was started with.
pub fn body_and_mind(config: &RunConfig) -> Result<BodyAndMind, ConfigError> {
    let world: Box<dyn World> = match config.world.kind.as_str() {
        VOXEL => Box::new(VoxelWorld::new()),
        other => return Err(ConfigError::World(other.to_owned())),
    };
    Ok((world, mind(&config.mind, config.world.seed)?))
}

/// The database: as given, else `PITHEAD_DB`, else in the user's data folder.
pub fn database(given: Option<PathBuf>) -> Result<PathBuf, ConfigError> {
    let named = given.or_else(|| std::env::var_os("PITHEAD_DB").map(PathBuf::from));
    let usual = || folders().map(|folders| folders.data_dir().join("pithead.db"));
    named.or_else(usual).ok_or(ConfigError::NoHome)
}

/// The log: in the user's state folder, or nowhere.
#[must_use]
pub fn log_file() -> Option<PathBuf> {
    let folders = folders()?;
    let folder = folders
        .state_dir()
        .unwrap_or_else(|| folders.data_local_dir());
    Some(folder.join("pithead.log"))
}

/// The name that the operator's commands carry.
#[must_use]
pub fn operator() -> String {
    let named = ["USER", "LOGNAME", "USERNAME"]
        .iter()
        .find_map(|name| std::env::var(name).ok());
    named
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| "operator".to_owned())
}

fn folders() -> Option<directories::ProjectDirs> {
    directories::ProjectDirs::from("", "", "pithead")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_mind_is_answered_with_the_nearest() {
        let text = level("builtin:novise").unwrap_err().to_string();
        assert!(
            text.contains("unknown mind `builtin:novise`; use builtin:novice"),
            "{text}"
        );
        assert!(
            level("gpt")
                .unwrap_err()
                .to_string()
                .contains("builtin:expert")
        );
    }

    #[test]
    fn a_named_database_goes_before_the_usual_one() {
        assert_eq!(
            database(Some(PathBuf::from("x.db"))),
            Ok(PathBuf::from("x.db"))
        );
    }
}
