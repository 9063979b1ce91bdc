//! The config file: TOML in the user's config folder, or where `PITHEAD_CONFIG` says.
//!
//! Invariant: an unknown field is an error, so that a typing mistake is reported and not ignored.

use super::notices::NoticeSettings;
use super::pictures::PictureChoice;
use super::{ConfigError, folders};
use crate::mind::llm::settings::LlmSettings;
use pithead_core::text::untrusted_file::{TEXT_BYTES_MAX, read_text};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// A longer file cannot be ours; the limit keeps a wrong path from filling the memory.
const BYTES_MAX: u64 = 1024 * 1024;

/// What model servers were found to support; a file in the user's data folder.
/// In the data folder, not in the config: people write the one and the program the other.
const KNOWN: &str = "servers.json";

/// All that can be set.
/// `deny_unknown_fields` everywhere below, or a misspelt key would silently do nothing.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    pub llm: LlmSettings,
    pub console: ConsoleSettings,
    pub notices: NoticeSettings,
}

/// How the console is to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConsoleSettings {
    pub pictures: PictureChoice,
}

/// Where the file is, whether or not it is there.
#[must_use]
pub fn path() -> Option<PathBuf> {
    let usual = || folders().map(|folders| folders.config_dir().join("config.toml"));
    named().or_else(usual)
}

/// The file that the environment names; an empty name is none.
fn named() -> Option<PathBuf> {
    let name = std::env::var_os("PITHEAD_CONFIG").filter(|name| !name.is_empty());
    name.map(PathBuf::from)
}

/// What the file says; nothing set if there is none.
pub fn settings() -> Result<Settings, ConfigError> {
    match path() {
        Some(path) if path.exists() => {
            let mut settings = read_settings(&path)?;
            // Never read from the file itself.
            settings.llm.known = folders().map(|folders| folders.data_dir().join(KNOWN));
            Ok(settings)
        }
        // A file that was named must exist.
        // The usual file may be absent.
        Some(path) if named().is_some() => Err(ConfigError::File {
            path,
            because: "PITHEAD_CONFIG names this file, but it does not exist".to_owned(),
        }),
        Some(_) | None => Ok(Settings::default()),
    }
}

/// Reads and checks a file.
pub fn read_settings(path: &Path) -> Result<Settings, ConfigError> {
    let fault = |because: String| ConfigError::File {
        path: path.to_path_buf(),
        because,
    };
    // The size is checked before anything is read.
    let facts = std::fs::metadata(path).map_err(|error| fault(error.to_string()))?;
    if facts.len() > BYTES_MAX {
        return Err(fault(format!("the file has more than {BYTES_MAX} bytes")));
    }
    let text = read_text(path, TEXT_BYTES_MAX).map_err(|error| fault(error.to_string()))?;
    parse_settings(&text).map_err(fault)
}

/// Reads and checks the text of a file.
pub fn parse_settings(text: &str) -> Result<Settings, String> {
    let settings: Settings =
        toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
    // Beyond types: names of servers and roles, ranges, addresses.
    settings.llm.check().map_err(|error| error.to_string())?;
    settings.notices.check()?;
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, word: &str) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        std::fs::write(&path, text).unwrap();
        let error = read_settings(&path).unwrap_err().to_string();
        assert!(
            error.contains("config.toml") && error.contains(word),
            "{error}"
        );
    }

    #[test]
    fn a_fault_names_the_file_the_place_and_a_correction() {
        let server =
            |line: &str| format!("[llm.servers.a]\nbase_url = \"http://localhost:1/v1\"\n{line}");
        check(
            "[llm.servers.a]\nbase_url = \"ftp://x\"",
            "http:// or https://",
        );
        check(&server("concurrency = 0"), "concurrency");
        check(&server("retrys = 3"), "retrys");
        check(&server("key_env = \"A\"\nkey_file = \"b\""), "one of them");
        check(
            "[llm.servers.a]\nbase_url = \"http://far.example/v1\"\nkey_env = \"A\"",
            "plain_http",
        );
        check(
            "[llm.servers.a]\nbase_url = \"https://k@x.example/v1\"",
            "key_file",
        );
        check("[llm.roles.plannner]\nmodel = \"m\"", "planner");
        check("[llm.roles.planner]\ntemperature = 3.0", "0 to 2");
        check("[llm.prices.m]\ninput = -1.0\noutput = 1.0", "zero or more");
        check("[lml]", "lml");
        check("[notices]\nterminal = \"loud\"", "bell");
        check("[notices]\nafter_s = 100000", "at most 86400");
        check("[notices]\ncommand = [\"\"]", "is empty");
        check("[notices]\nescalate_after_s = 60", "has a name");
        check(
            "[notices]\nescalate_to = \"bea\"\nescalate_after_s = 100000",
            "at most 86400",
        );
    }
}
