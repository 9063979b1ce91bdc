//! Configuration: where files are, who the operator is, and the world and mind of a name.

use crate::domain::event::RunConfig;
use crate::journal::Journal;
use crate::mind::Mind;
use crate::mind::spec::UnknownMind;
use crate::world::port::World;
use crate::worlds::voxel::world::VoxelWorld;
use std::path::PathBuf;

pub mod file;
pub mod minds;

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
    #[error(transparent)]
    Mind(#[from] UnknownMind),
    #[error("the mind `{name}` is not to be had: {because}")]
    NoMind { name: String, because: String },
    #[error("{}: {because}", path.display())]
    File { path: PathBuf, because: String },
    #[error("no home folder was found for the database; name a file with --db or PITHEAD_DB")]
    NoHome,
}

/// A world and a mind to drive a run with.
pub type BodyAndMind = (Box<dyn World>, Box<dyn Mind>);

/// The world and the mind that a run was started with; the journal is where recorded answers are.
pub fn body_and_mind_in(
    config: &RunConfig,
    journal: Option<&Journal>,
) -> Result<BodyAndMind, ConfigError> {
    let world: Box<dyn World> = match config.world.kind.as_str() {
        VOXEL => Box::new(VoxelWorld::new()),
        other => return Err(ConfigError::World(other.to_owned())),
    };
    let seed = config.world.seed;
    let mind = minds::mind(&config.mind, seed, &config.profile.name, journal)?;
    Ok((world, mind))
}

/// As `body_and_mind_in`, for minds that need no journal.
pub fn body_and_mind(config: &RunConfig) -> Result<BodyAndMind, ConfigError> {
    body_and_mind_in(config, None)
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
    fn a_named_database_goes_before_the_usual_one() {
        assert_eq!(
            database(Some(PathBuf::from("x.db"))),
            Ok(PathBuf::from("x.db"))
        );
    }
}
