//! Configuration: where files are, who the operator is, and the world and mind of a name.

use self::consent::{Consent, NamedFile};
use crate::journal::Journal;
use crate::memory::{Embedder, Hashed, HttpEmbedder};
use crate::mind::Mind;
use crate::mind::spec::UnknownMind;
use crate::runtime::operator::rules::read_rules;
use crate::runtime::worlds::{NoWorld, build_world};
use pithead_core::domain::experience::thresholds::Thresholds;
use pithead_core::domain::plan::task::Task;
use pithead_core::domain::run::budget::{Budget, Limits};
use pithead_core::domain::run::decision::Gates;
use pithead_core::domain::run::event::RunConfig;
use pithead_core::domain::run::profile::Profile;
use pithead_core::domain::run::rulebook::{self, Rulebook};
use pithead_core::text::untrusted_file::{TEXT_BYTES_MAX, read_text};
use pithead_world::aids::WorldAids;
use pithead_world::ids::RunId;
use pithead_world::port::{World, WorldSpec};
use std::path::{Path, PathBuf};

pub mod blueprints;
pub mod consent;
pub mod file;
pub mod first;
pub mod minds;
pub mod notices;
pub mod pictures;
pub mod systems;

/// The mind that answers unless another is named.
/// It needs no server and no key, so that a first run works anywhere.
pub const MIND: &str = "builtin:competent";
/// The percentage with which each entry is withheld from a run that a person starts: enough to measure effects
/// within some hundred runs, and nine in ten entries still act.
pub const HOLD_OUT: u8 = 10;

/// Why a world, a mind or a file is not available.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    #[error(transparent)]
    World(#[from] NoWorld),
    #[error(transparent)]
    Mind(#[from] UnknownMind),
    #[error(
        "{0}, and its database may come from elsewhere; `pithead resume {run} --trust-recorded` allows it",
        run = .0.run
    )]
    NotAllowed(NamedFile),
    #[error("the mind `{name}` is unavailable: {because}")]
    NoMind { name: String, because: String },
    #[error("{}: {because}", path.display())]
    File { path: PathBuf, because: String },
    /// The reason names the file.
    #[error("{because}; after a correction, `pithead policy check FILE` validates it")]
    Policy { because: String },
    /// The reason names the file.
    #[error("{because}; after a correction, `pithead gates` validates it")]
    Rules { because: String },
    #[error(
        "PITHEAD_EMBED_URL names a server but PITHEAD_EMBED_MODEL names no model; set both or neither"
    )]
    NoEmbedModel,
    #[error("no home folder was found for the database; name a file with --db or PITHEAD_DB")]
    NoHome,
}

/// A run of the task in the embedded world, without questions to the operator and with default limits.
/// What every way of starting a run has in common; callers change single fields.
#[must_use]
pub fn run_config(task: Task, seed: u64, mind: &str, profile: Profile) -> RunConfig {
    RunConfig {
        run: RunId(0), // the journal assigns it
        task,
        world: WorldSpec::embedded(seed, WorldAids::default()),
        mind: mind.to_owned(),
        profile,
        gates: Gates::headless(),
        budget: Budget::default(),
        rulebook: Rulebook::default(),
        limits: Limits::default(),
        thresholds: Thresholds::default(),
        counts_what_is_used_up: false,
        distillers: Vec::new(), // filled in by the mind when the run begins
        hold_out: 0,
        horizon_model: None,
    }
}

/// The embedder of the experience store: a server if the environment names one, else the built-in.
/// It never comes from a database, so that a foreign file cannot make the program call anyone.
pub fn embedder() -> Result<Box<dyn Embedder>, ConfigError> {
    let named = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    // No URL: the built-in embedder, which makes no calls.
    let Some(url) = named(EMBED_URL) else {
        return Ok(Box::new(Hashed));
    };
    let model = named(EMBED_MODEL).ok_or(ConfigError::NoEmbedModel)?;
    Ok(Box::new(HttpEmbedder::new(&url, &model, named(EMBED_KEY))))
}

/// Where an embeddings server, its model and its key are named.
pub const EMBED_URL: &str = "PITHEAD_EMBED_URL";
pub const EMBED_MODEL: &str = "PITHEAD_EMBED_MODEL";
pub const EMBED_KEY: &str = "PITHEAD_EMBED_KEY";

/// A world and a mind to drive a run with.
pub type WorldAndMind = (Box<dyn World>, Box<dyn Mind>);

/// The mind that a run names; the journal is where recorded answers are.
pub fn mind_of_run(
    config: &RunConfig,
    journal: Option<&Journal>,
    consent: &Consent,
) -> Result<Box<dyn Mind>, ConfigError> {
    consent.check(config)?;
    let (seed, system) = (config.world.seed, &config.profile.name);
    minds::build_mind(&config.mind, seed, system, journal)
}

/// The world and the mind of a config that the operator has typed, for minds that need no journal.
pub fn world_and_mind(config: &RunConfig) -> Result<WorldAndMind, ConfigError> {
    let mind = mind_of_run(config, None, &Consent::Typed)?;
    Ok((build_world(config, None)?, mind))
}

/// The database: as given, else `PITHEAD_DB`, else in the user's data folder.
/// The flag before the variable before the usual place.
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
        // Not every system has a state folder.
        .unwrap_or_else(|| folders.data_local_dir());
    Some(folder.join("pithead.log"))
}

/// Where the operator's own keys are looked for.
#[must_use]
pub fn keys_file() -> Option<PathBuf> {
    let usual = || folders().map(|folders| folders.config_dir().join("keys.toml"));
    std::env::var_os("PITHEAD_KEYS")
        .map(PathBuf::from)
        .or_else(usual)
}

pub fn are_keys_named() -> bool {
    std::env::var_os("PITHEAD_KEYS").is_some()
}

/// Where rules about gates are saved: the file that `PITHEAD_GATES` names, else `gates.toml` in the
/// user's config folder.
#[must_use]
pub fn gates_file() -> Option<PathBuf> {
    let usual = || folders().map(|folders| folders.config_dir().join("gates.toml"));
    std::env::var_os("PITHEAD_GATES")
        .map(PathBuf::from)
        .or_else(usual)
}

/// The gates of a run that the console starts: its own, with the saved rules over them.
pub fn console_gates() -> Result<Gates, ConfigError> {
    let mut gates = Gates::console();
    if let Some(path) = gates_file() {
        let fault = |because: String| ConfigError::Rules { because };
        let saved = read_rules(&path).map_err(|error| fault(error.to_string()))?;
        // Saved rules replace single gates and leave the others.
        gates.0.extend(saved.0);
    }
    Ok(gates)
}

/// A longer file cannot be a policy; the limit keeps a wrong path from filling the memory.
const POLICY_BYTES_MAX: u64 = 256 * 1024;

/// Reads a policy file.
pub fn policy(path: &Path) -> Result<Rulebook, ConfigError> {
    let fault = |because: String| ConfigError::Policy {
        because: format!("{}: {because}", path.display()),
    };
    let facts = std::fs::metadata(path).map_err(|error| fault(error.to_string()))?;
    if facts.len() > POLICY_BYTES_MAX {
        return Err(fault(format!(
            "the file has more than {POLICY_BYTES_MAX} bytes"
        )));
    }
    let text = read_text(path, TEXT_BYTES_MAX).map_err(|error| fault(error.to_string()))?;
    rulebook::parse_rulebook(&text).map_err(|error| fault(error.to_string()))
}

/// The policy of runs that the console starts: the file that `PITHEAD_POLICY` names, else `policy.toml`
/// in the user's config folder if it is there.
pub fn console_policy() -> Result<Rulebook, ConfigError> {
    // A named file must exist; the usual one may be absent.
    if let Some(named) = std::env::var_os("PITHEAD_POLICY") {
        return policy(Path::new(&named));
    }
    let usual = folders().map(|folders| folders.config_dir().join("policy.toml"));
    match usual {
        Some(path) if path.exists() => policy(&path),
        Some(_) | None => Ok(Rulebook::default()),
    }
}

/// The name that the operator's commands carry: that of the session, else of the account.
#[must_use]
pub fn operator() -> String {
    // Containers and services often set none of them.
    let named = ["USER", "LOGNAME", "USERNAME"].iter();
    let mut named = named.filter_map(|name| std::env::var(name).ok());
    named
        .find(|name| !name.is_empty())
        .or_else(account)
        .unwrap_or_else(|| "operator".to_owned())
}

/// The name of the account that this process belongs to.
fn account() -> Option<String> {
    let accounts = std::fs::read_to_string("/etc/passwd").ok()?;
    account_of(&accounts, rustix::process::geteuid().as_raw())
}

/// Lines read `name:password:user id:group id:…`.
fn account_of(accounts: &str, user: u32) -> Option<String> {
    accounts.lines().find_map(|line| {
        let (name, rest) = line.split_once(':')?;
        let id: u32 = rest.split(':').nth(1)?.parse().ok()?;
        (id == user && !name.is_empty()).then(|| name.to_owned())
    })
}

fn folders() -> Option<directories::ProjectDirs> {
    directories::ProjectDirs::from("", "", "pithead")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_is_named_by_its_number() {
        let accounts = "root:x:0:0::/root:/bin/sh\nodd line\nada:x:1000:1000::/home/ada:/bin/sh\n";
        assert_eq!(account_of(accounts, 1000).as_deref(), Some("ada"));
        assert_eq!(account_of(accounts, 0).as_deref(), Some("root"));
        assert_eq!(account_of(accounts, 7), None);
    }

    #[test]
    fn a_named_database_takes_precedence_over_the_default() {
        assert_eq!(
            database(Some(PathBuf::from("x.db"))),
            Ok(PathBuf::from("x.db"))
        );
    }
}
