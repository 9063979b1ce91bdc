//! Keys: read when a request is made ready, shown by nothing.
//!
//! Invariant: no `Debug` or `Display` of anything that holds a key shows it.

use super::settings::ServerSettings;
use reqwest::header::HeaderValue;
use std::path::{Path, PathBuf};

/// Longer files hold no key.
const BYTES_MAX: u64 = 8 * 1024;

/// A key to a server.
/// No `Serialize` either.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Key(String);

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(…)")
    }
}

/// Why there is no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum KeyError {
    #[error("the key is to come from the environment variable {0}, which is not set")]
    NotSet(String),
    #[error("the key of {0} is empty or holds blanks or line ends within")]
    Malformed(String),
    #[error("the key file {} can be read by others; make it yours alone: chmod 600", .0.display())]
    Open(PathBuf),
    #[error("the key file {} could not be read: {because}", path.display())]
    File { path: PathBuf, because: String },
}

impl Key {
    /// The server's key, if it has one.
    pub(super) fn for_server(server: &ServerSettings) -> Result<Option<Self>, KeyError> {
        match (&server.key_env, &server.key_file) {
            (Some(name), _) => {
                // Read at the last moment: an environment is not kept.
                let value = std::env::var(name).map_err(|_| KeyError::NotSet(name.clone()))?;
                Self::sound(&value, name).map(Some)
            }
            (None, Some(path)) => Self::from_file(&expanded(path)).map(Some),
            (None, None) => Ok(None),
        }
    }

    fn sound(text: &str, place: &str) -> Result<Self, KeyError> {
        // A line end at the end comes from editors; anything within would break the header.
        let text = text.trim();
        if text.is_empty() || text.contains(|c: char| c.is_whitespace() || c.is_control()) {
            return Err(KeyError::Malformed(place.to_owned()));
        }
        Ok(Self(text.to_owned()))
    }

    fn from_file(path: &Path) -> Result<Self, KeyError> {
        let fault = |because: String| KeyError::File {
            path: path.to_path_buf(),
            because,
        };
        let facts = std::fs::metadata(path).map_err(|error| fault(error.to_string()))?;
        // No pipes and devices: reading them could block.
        if !facts.is_file() || facts.len() > BYTES_MAX {
            return Err(fault("it is no small file".to_owned()));
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // Any right of group or others.
            if facts.permissions().mode() & 0o077 != 0 {
                return Err(KeyError::Open(path.to_path_buf()));
            }
        }
        let text = std::fs::read_to_string(path).map_err(|error| fault(error.to_string()))?;
        Self::sound(&text, &path.display().to_string())
    }

    /// The header that carries the key, marked so that nothing logs it.
    pub(super) fn header(&self) -> Option<HeaderValue> {
        // Fails for letters that no header may hold.
        let mut value = HeaderValue::from_str(&format!("Bearer {}", self.0)).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    /// For scrubbing it out of what a server says.
    /// The only way to the text.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }
}

/// `~/` is the home folder.
fn expanded(path: &Path) -> PathBuf {
    let home = || directories::BaseDirs::new().map(|dirs| dirs.home_dir().to_path_buf());
    match (path.strip_prefix("~"), home()) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_path_buf(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_never_shown() {
        let key = Key::sound(" sk-marker \n", "X").unwrap();
        assert_eq!(key.reveal(), "sk-marker");
        assert!(!format!("{key:?} {:?}", key.header()).contains("marker"));
        assert!(Key::sound("two words", "X").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_key_file_that_others_can_read_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        std::fs::write(&path, "sk-marker\n").unwrap();
        for (mode, good) in [(0o600, true), (0o640, false), (0o604, false)] {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            let found = Key::from_file(&path);
            assert_eq!(found.is_ok(), good, "{mode:o}");
            if let Err(error) = found {
                assert!(error.to_string().contains("chmod 600"), "{error}");
            }
        }
    }
}
