//! Whether the database is still where it was: a file that was removed or replaced takes writes as before,
//! and nobody ever finds them.
//!
//! Invariant: no write is acknowledged that went into a file without a name.

use super::JournalError;
use super::companion::with_suffix;
use std::path::{Path, PathBuf};

/// The file that was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Presence {
    path: PathBuf,
    log: PathBuf,
    identity: Option<Identity>,
}

/// Device and number of a file.
type Identity = (u64, u64);

impl Presence {
    /// Remembers which file has the name now.
    pub(super) fn new(path: &Path) -> Self {
        Self {
            path: path.to_path_buf(),
            log: with_suffix(path, "-wal"),
            identity: identity(path),
        }
    }

    /// Refuses if the name stands for another file by now, or its log has gone. Costs two looks at the
    /// folder, some microseconds. The length of the log, in bytes.
    pub(super) fn check(&self) -> Result<u64, JournalError> {
        let is_there = identity(&self.path) == self.identity;
        if let (true, Ok(log)) = (is_there, std::fs::metadata(&self.log)) {
            return Ok(log.len());
        }
        Err(JournalError::Gone {
            path: self.path.clone(),
        })
    }
}

#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    let file = std::fs::metadata(path).ok()?;
    Some((file.dev(), file.ino()))
}

/// Elsewhere an open file cannot be removed; that it is there says enough.
#[cfg(not(unix))]
fn identity(path: &Path) -> Option<Identity> {
    std::fs::metadata(path).ok().map(|_| (0, 0))
}
