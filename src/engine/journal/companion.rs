//! Files beside the database, which have its name and a suffix.

use std::path::{Path, PathBuf};

/// The path with the suffix after its last name.
pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
