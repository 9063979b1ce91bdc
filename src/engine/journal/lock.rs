//! Driver locks: one process drives a run at a time.
//!
//! The lock is the operating system's, on a file beside the database, so that it is gone with the
//! process that held it, however that ended. The file holds the process id, for messages, and the number of
//! the last event that the driver knows to be committed. Who finds fewer in the database has lost the log.

use super::companion::{folder_of, real_path, with_suffix};
use super::{Journal, JournalError, Place};
use pithead_world::ids::{RunId, Seq};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often a lock file that vanished under our hands is made again.
const TRIES_MAX: u32 = 8;
/// Whoever looks whether a run is driven holds its lock for some microseconds: then it is tried again.
const TRY_AGAIN: Duration = Duration::from_millis(5);
/// A process id and the number of an event, 10 and 20 digits, and a space.
const NOTE_BYTES: u64 = 31;

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

impl DriverLock {
    /// Notes that the event is committed. It outlives a kill, and nothing waits for the disk: a power loss can
    /// take the note with what it speaks of.
    pub fn note(&mut self, last: Seq) {
        if let Some((file, path)) = &mut self.held
            && let Err(error) = write_note(file, Some(last))
        {
            // The run is not less safe for it: only a log that goes missing would not be noticed.
            tracing::warn!("{}: {error}", path.display());
        }
    }
}

impl Journal {
    /// Takes the right to drive the run, or says who has it.
    pub fn lock_driver(&self, run: RunId) -> Result<DriverLock, JournalError> {
        self.place.lock_driver(run)
    }

    /// True if some process drives the run now. One that a console watches does so after the end too.
    #[must_use]
    pub fn is_driven(&self, run: RunId) -> bool {
        let Place::File(db) = &self.place else {
            return false;
        };
        is_locked(&lock_path(db, run))
    }
}

impl Place {
    pub(super) fn lock_driver(&self, run: RunId) -> Result<DriverLock, JournalError> {
        // A journal in memory belongs to one process, which drives a run once.
        let Self::File(db) = self else {
            return Ok(DriverLock { held: None });
        };
        let path = lock_path(db, run);
        let open = |because: std::io::Error| JournalError::Open {
            path: path.clone(),
            because: because.to_string(),
        };
        let mut holder = Holder(None);
        for _ in 0..TRIES_MAX {
            let mut file = open_lock_file(&path).map_err(open)?;
            match file.try_lock() {
                Ok(()) if is_still_at(&file, &path) => {
                    write_note(&mut file, None).map_err(open)?;
                    return Ok(DriverLock {
                        held: Some((file, path)),
                    });
                }
                Ok(()) => (),
                Err(TryLockError::WouldBlock) => {
                    holder = Holder::of_lock(&file);
                    std::thread::park_timeout(TRY_AGAIN);
                }
                Err(TryLockError::Error(error)) => return Err(open(error)),
            }
        }
        Err(JournalError::Driven { run, holder })
    }
}

fn lock_path(db: &Path, run: RunId) -> PathBuf {
    // By the name of the file itself: a run that is opened through a link is the same run.
    with_suffix(&real_path(db), &format!("{LOCK_HEAD}{run}{LOCK_TAIL}"))
}

/// What stands between the name of the database and the number of the run, and after it.
const LOCK_HEAD: &str = ".run";
const LOCK_TAIL: &str = ".lock";

/// The lock files of a database, of drivers that are at work and of those that were killed.
fn lock_files(db: &Path) -> std::io::Result<Vec<(RunId, PathBuf)>> {
    let db = real_path(db);
    let Some(name) = db.file_name() else {
        return Ok(Vec::new());
    };
    let head = format!("{}{LOCK_HEAD}", name.to_string_lossy());
    let mut found = Vec::new();
    for file in std::fs::read_dir(folder_of(&db))? {
        let file = file?;
        let name = file.file_name();
        let name = name.to_string_lossy();
        let number = name
            .strip_prefix(&head)
            .and_then(|rest| rest.strip_suffix(LOCK_TAIL));
        if let Some(run) = number.and_then(|n| n.parse().ok()) {
            found.push((RunId(run), file.path()));
        }
    }
    found.sort();
    Ok(found)
}

/// The runs of a database that are being driven.
pub(super) fn driven_runs(db: &Path) -> std::io::Result<Vec<RunId>> {
    let files = lock_files(db)?.into_iter();
    Ok(files
        .filter_map(|(run, path)| is_locked(&path).then_some(run))
        .collect())
}

/// The last events that drivers noted as committed. A folder that cannot be listed holds no notes for us.
pub(super) fn notes(db: &Path) -> Vec<(RunId, Seq)> {
    let files = lock_files(db).unwrap_or_default().into_iter();
    files
        .filter_map(|(run, path)| Some((run, written_note(&path)?)))
        .collect()
}

/// Removes what killed drivers left, for a database that is not theirs any more.
pub(super) fn remove_notes(db: &Path) -> std::io::Result<()> {
    for (_, path) in lock_files(db)? {
        let file = open_lock_file(&path)?;
        if file.try_lock().is_ok() {
            std::fs::remove_file(&path)?;
        }
    }
    Ok(())
}

fn is_locked(path: &Path) -> bool {
    let Ok(file) = File::open(path) else {
        return false;
    };
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}

/// One write of one width: a kill leaves the note before or this one.
fn write_note(file: &mut File, last: Option<Seq>) -> std::io::Result<()> {
    let last = last.map_or_else(String::new, |seq| seq.to_string());
    let note = format!("{:<10} {last:<20}", std::process::id());
    file.seek(SeekFrom::Start(0))?;
    file.write_all(note.as_bytes())
}

fn written_note(path: &Path) -> Option<Seq> {
    let words = read_words(&File::open(path).ok()?)?;
    words.split_whitespace().nth(1)?.parse().ok().map(Seq)
}

/// Who holds a lock, as far as the system says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holder(Option<u32>);

impl std::fmt::Display for Holder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(pid) => write!(f, "process {pid}"),
            None => f.write_str("another process"),
        }
    }
}

impl Holder {
    /// What the file says was written by the last driver, who may be gone while a stranger holds the lock;
    /// so the kernel is asked first.
    fn of_lock(file: &File) -> Self {
        Self(kernel_holder(file).or_else(|| written_pid(file)))
    }
}

/// Linux lists every lock with its holder: `1: FLOCK  ADVISORY  WRITE 4242 fd:01:123456 0 EOF`.
#[cfg(target_os = "linux")]
fn kernel_holder(file: &File) -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    let inode = format!(":{}", file.metadata().ok()?.ino());
    let locks = std::fs::read_to_string("/proc/locks").ok()?;
    let held = locks.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        let is_flock = words.nth(1) == Some("FLOCK");
        let pid = words.nth(2)?;
        let is_this = words.next()?.ends_with(&inode);
        (is_flock && is_this).then(|| pid.parse().ok())
    });
    held.flatten()
}

#[cfg(not(target_os = "linux"))]
fn kernel_holder(_file: &File) -> Option<u32> {
    None
}

fn written_pid(file: &File) -> Option<u32> {
    let words = read_words(file)?;
    words.split_whitespace().next()?.parse().ok()
}

fn read_words(file: &File) -> Option<String> {
    let mut text = String::new();
    file.take(NOTE_BYTES).read_to_string(&mut text).ok()?;
    Some(text)
}

/// Opens the file, or makes it for its owner alone. A link that lies there is not followed: it could lead
/// to any file of the user.
fn open_lock_file(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let no_follow = rustix::fs::OFlags::NOFOLLOW.bits().cast_signed();
        options.mode(0o600).custom_flags(no_follow);
    }
    options.open(path)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::Durability;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_stranger_who_holds_the_lock_is_named() {
        if !Path::new("/proc/locks").exists() {
            println!("not tested: this system does not list its locks");
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(&folder.path().join("a.db"), Durability::Normal).unwrap();
        let path = lock_path(&folder.path().join("a.db"), RunId(1));
        std::fs::write(&path, "4194300").unwrap();
        let stranger = File::open(&path).unwrap();
        stranger.lock().unwrap();
        let refused = journal.lock_driver(RunId(1)).unwrap_err().to_string();
        let named = format!("driven by process {};", std::process::id());
        assert!(refused.contains(&named), "{refused}");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_the_place_of_a_lock_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let db = folder.path().join("a.db");
        let journal = Journal::open(&db, Durability::Normal).unwrap();
        let precious = folder.path().join("precious");
        std::fs::write(&precious, "mine").unwrap();
        std::os::unix::fs::symlink(&precious, lock_path(&db, RunId(1))).unwrap();
        assert!(journal.lock_driver(RunId(1)).is_err());
        assert_eq!(std::fs::read(&precious).unwrap(), b"mine");
    }
}
