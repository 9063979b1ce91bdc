//! Driver locks: one process drives a run at a time.
//!
//! The lock is the operating system's, on a file beside the database, so that it is gone with the
//! process that held it, however that ended. The file holds the process id for messages only.

use super::{Journal, JournalError, Place};
use pithead_world::ids::RunId;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// How often a lock file that vanished under our hands is made again.
const TRIES_MAX: u32 = 8;

/// The right to drive one run; given back when dropped.
#[derive(Debug)]
pub struct DriverLock {
    held: Option<(File, PathBuf)>,
}

impl Drop for DriverLock {
    fn drop(&mut self) {
        // Removed while still locked: whoever opened it in between finds the path gone and retries.
        if let Some((_, path)) = &self.held {
            let _ = std::fs::remove_file(path);
        }
    }
}

impl Journal {
    /// Takes the right to drive the run, or says who has it.
    pub fn lock_driver(&self, run: RunId) -> Result<DriverLock, JournalError> {
        // A journal in memory belongs to one process, which drives a run once.
        let Place::File(db) = &self.place else {
            return Ok(DriverLock { held: None });
        };
        let path = lock_path(db, run);
        let open = |because: std::io::Error| JournalError::Open {
            path: path.clone(),
            because: because.to_string(),
        };
        for _ in 0..TRIES_MAX {
            let mut options = OpenOptions::new();
            let file = options
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path);
            let mut file = file.map_err(open)?;
            match file.try_lock() {
                Ok(()) if is_still_at(&file, &path) => {
                    write_pid(&mut file).map_err(open)?;
                    return Ok(DriverLock {
                        held: Some((file, path)),
                    });
                }
                Ok(()) => (),
                Err(TryLockError::WouldBlock) => {
                    return Err(JournalError::Driven {
                        run,
                        pid: read_pid(&path),
                    });
                }
                Err(TryLockError::Error(error)) => return Err(open(error)),
            }
        }
        Err(JournalError::Driven {
            run,
            pid: read_pid(&path),
        })
    }

    /// True if some process drives the run now.
    pub(super) fn is_driven(&self, run: RunId) -> bool {
        let Place::File(db) = &self.place else {
            return false;
        };
        let Ok(file) = File::open(lock_path(db, run)) else {
            return false;
        };
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
    }
}

fn lock_path(db: &Path, run: RunId) -> PathBuf {
    let mut name = db.as_os_str().to_owned();
    name.push(format!(".run{run}.lock"));
    PathBuf::from(name)
}

fn write_pid(file: &mut File) -> std::io::Result<()> {
    file.set_len(0)?;
    write!(file, "{}", std::process::id())
}

fn read_pid(path: &Path) -> u32 {
    let mut text = String::new();
    let read = File::open(path).and_then(|mut file| file.read_to_string(&mut text));
    read.ok()
        .and_then(|_| text.trim().parse().ok())
        .unwrap_or(0)
}

/// False if another driver removed the file after we opened it: our lock would be on nothing.
#[cfg(unix)]
fn is_still_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), std::fs::metadata(path)) {
        (Ok(ours), Ok(there)) => (ours.dev(), ours.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

/// Elsewhere an open file cannot be removed.
#[cfg(not(unix))]
fn is_still_at(_file: &File, _path: &Path) -> bool {
    true
}
