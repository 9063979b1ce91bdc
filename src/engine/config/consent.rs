//! What a recorded run would have this program read, and who has allowed it.
//!
//! A database may come from elsewhere, and nothing in it can tell. Invariant: no file that only a recorded config
//! names is read before the operator has allowed exactly that text.

use super::ConfigError;
use super::minds::parse_mind;
use crate::mind::spec::MindSpec;
use pithead_core::domain::run::event::RunConfig;
use pithead_core::text::clean::clean_line;
use pithead_world::ids::RunId;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A file that a run's config names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedFile {
    pub run: RunId,
    /// As it stands in the config.
    pub path: PathBuf,
}

impl std::fmt::Display for NamedFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let path = clean_line(&self.path.display().to_string());
        write!(f, "run {} wants to read {path} as its mind", self.run)
    }
}

/// The file that a run's config names, if it names one. Servers, keys and prompts are named by the operator's
/// own config only, and recorded answers of another run are in the same database.
pub fn named_file(run: RunId, config: &RunConfig) -> Result<Option<NamedFile>, ConfigError> {
    Ok(match parse_mind(&config.mind)? {
        MindSpec::Cassette(path) => Some(NamedFile { run, path }),
        MindSpec::Builtin(_) | MindSpec::Llm(_) | MindSpec::Recorded(_) => None,
    })
}

/// Who vouches for the files that a config names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Consent {
    /// The config was typed by the operator, in this process.
    Typed,
    /// The config is recorded, and nothing that it names was allowed.
    Recorded(RunId),
    /// The config is recorded, and the operator was shown this file and has allowed it.
    Allowed(NamedFile),
    /// The config is recorded, and the operator has allowed whatever it names.
    Trusted,
}

impl Consent {
    /// The same for a fork of the run, which has its config.
    #[must_use]
    pub fn of_fork(self, fork: RunId) -> Self {
        match self {
            Self::Recorded(_) => Self::Recorded(fork),
            Self::Allowed(file) => Self::Allowed(NamedFile { run: fork, ..file }),
            Self::Typed | Self::Trusted => self,
        }
    }

    /// An error that names the file, unless it is allowed.
    pub fn check(&self, config: &RunConfig) -> Result<(), ConfigError> {
        let (run, allowed) = match self {
            Self::Typed | Self::Trusted => return Ok(()),
            Self::Recorded(run) => (*run, None),
            Self::Allowed(file) => (file.run, Some(file)),
        };
        match named_file(run, config)? {
            Some(file) if Some(&file) != allowed => Err(ConfigError::NotAllowed(file)),
            Some(_) | None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{mind_of_run, run_config};
    use pithead_core::domain::plan::task::Task;
    use pithead_core::systems;

    fn config(mind: &str) -> RunConfig {
        let profile = systems::named(systems::DEFAULT).unwrap();
        run_config(Task::parse("craft a stick").unwrap(), 7, mind, profile)
    }

    #[test]
    fn a_file_that_only_a_recorded_config_names_is_not_read() {
        let config = config("recorded:/etc/no-such-cassette");
        let refused = |consent: Consent| match mind_of_run(&config, None, &consent) {
            Err(ConfigError::NotAllowed(_)) => true,
            Err(ConfigError::NoMind { .. }) => false, // it was looked for
            other => panic!("{:?}", other.map(|_| ())),
        };
        let file = |run, path: &str| NamedFile {
            run: RunId(run),
            path: PathBuf::from(path),
        };
        assert!(refused(Consent::Recorded(RunId(3))));
        assert!(refused(Consent::Allowed(file(3, "/etc/another"))));
        assert!(!refused(Consent::Allowed(file(3, "/etc/no-such-cassette"))));
        assert!(!refused(Consent::Trusted));
        assert!(!refused(Consent::Typed));
    }

    #[test]
    fn what_names_no_file_asks_nothing() {
        for mind in ["builtin:expert", "recorded:7", "llm", "llm:some/model"] {
            assert_eq!(named_file(RunId(1), &config(mind)), Ok(None), "{mind}");
            let consent = Consent::Recorded(RunId(1));
            assert_eq!(consent.check(&config(mind)), Ok(()), "{mind}");
        }
    }

    #[test]
    fn the_question_is_clean() {
        let file = named_file(RunId(3), &config("recorded:/tmp/\u{1b}[2J\u{202e}x\n"));
        let text = file.unwrap().unwrap().to_string();
        assert!(pithead_core::text::clean::is_clean(&text), "{text:?}");
    }
}
