//! Temporary files and folders beside what they are to become, and what killed processes left of them.
//!
//! Who makes one holds the operating system's lock on it, which is gone with the process. Invariant: only what nobody
//! holds is cleared away; on a file system without such locks nothing is.

use std::fs::{File, OpenOptions, Permissions};
use std::io;
use std::path::Path;
use tempfile::{Builder, NamedTempFile, TempDir};

/// What stands before and after the six characters that make a name unique.
const HEAD: &str = ".pithead-";
const TAILS: [&str; 2] = [FILE_TAIL, FOLDER_TAIL];
const FILE_TAIL: &str = ".tmp";
const FOLDER_TAIL: &str = ".new";
const UNIQUE: usize = 6;
/// How often one that another process cleared away, just before it was locked, is made again.
const TRIES_MAX: u32 = 8;

/// A folder that goes with its owner.
#[derive(Debug)]
pub struct TemporaryFolder {
    folder: TempDir,
    _held: File,
}

impl TemporaryFolder {
    /// Makes one in `folder`, for this user alone.
    pub fn new(folder: &Path) -> io::Result<Self> {
        clear_left_in(folder);
        for _ in 0..TRIES_MAX {
            let new = builder(FOLDER_TAIL).tempdir_in(folder)?;
            let held = match File::open(new.path()) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                opened => opened?,
            };
            if is_held(&held, new.path()) {
                return Ok(Self {
                    folder: new,
                    _held: held,
                });
            }
        }
        Err(io::ErrorKind::ResourceBusy.into())
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// A file in `folder`; without permissions for this user alone.
pub fn temporary_file(
    folder: &Path,
    permissions: Option<Permissions>,
) -> io::Result<NamedTempFile> {
    clear_left_in(folder);
    let mut builder = builder(FILE_TAIL);
    if let Some(permissions) = permissions {
        builder.permissions(permissions);
    }
    for _ in 0..TRIES_MAX {
        let new = builder.tempfile_in(folder)?;
        if is_held(new.as_file(), new.path()) {
            return Ok(new);
        }
    }
    Err(io::ErrorKind::ResourceBusy.into())
}

/// Clears away what killed processes left in the folder. What is in the way of that is left to the next one.
pub fn clear_left_in(folder: &Path) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| is_temporary(&entry.file_name().to_string_lossy())) {
        // It may be another user's, or gone by now.
        let _ = clear_left(&entry.path());
    }
}

fn clear_left(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.read(true);
    // What a stranger put there under such a name is neither followed nor waited for.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        (rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK)
            .bits()
            .cast_signed(),
    );
    let left = options.open(path)?;
    left.try_lock()?;
    let kind = left.metadata()?.file_type();
    if kind.is_dir() {
        std::fs::remove_dir_all(path)
    } else if kind.is_file() {
        std::fs::remove_file(path)
    } else {
        Ok(())
    }
}

fn builder(tail: &str) -> Builder<'static, '_> {
    let mut builder = Builder::new();
    builder.prefix(HEAD).suffix(tail).rand_bytes(UNIQUE);
    builder
}

fn is_temporary(name: &str) -> bool {
    let unique = name
        .strip_prefix(HEAD)
        .and_then(|rest| TAILS.iter().find_map(|tail| rest.strip_suffix(tail)));
    unique.is_some_and(|unique| {
        unique.len() == UNIQUE && unique.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// Locks it; false if it was cleared away before. Who cannot lock cannot clear away either.
fn is_held(new: &File, path: &Path) -> bool {
    let _ = new.lock();
    std::fs::symlink_metadata(path).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn what_nobody_holds_is_cleared_away_and_what_somebody_holds_stays() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path();
        let held = temporary_file(folder, None).unwrap();
        let at_work = TemporaryFolder::new(folder).unwrap();
        std::fs::write(at_work.path().join("a"), "").unwrap();
        for left in [".pithead-abcdef.tmp", ".pithead-abc.tmp", "pithead.db"] {
            std::fs::write(folder.join(left), "").unwrap();
        }
        std::fs::create_dir(folder.join(".pithead-ABC123.new")).unwrap();
        std::fs::write(folder.join(".pithead-ABC123.new/a-wal"), "").unwrap();
        clear_left_in(folder);
        assert!(held.path().exists() && at_work.path().join("a").exists());
        assert_eq!(names(folder).len(), 4, "{:?}", names(folder));
        drop((held, at_work));
        assert_eq!(names(folder), [".pithead-abc.tmp", "pithead.db"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_under_such_a_name_is_not_followed() {
        let place = tempfile::tempdir().unwrap();
        let (folder, other) = (place.path().join("f"), place.path().join("other"));
        std::fs::create_dir_all(other.join("deep")).unwrap();
        std::fs::create_dir(&folder).unwrap();
        std::os::unix::fs::symlink(&other, folder.join(".pithead-abcdef.new")).unwrap();
        clear_left_in(&folder);
        assert_eq!(names(&other), ["deep"]);
    }
}
