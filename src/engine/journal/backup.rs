//! Backups: a copy of the database as it is at one moment, while others write to it; and its way back.
//!
//! Invariant: a backup has its name when it is whole, verified and on the disk; what a restored one
//! replaces is kept beside it.

use super::companion::{folder_of, real_path, with_suffix};
use super::create::{is_absent_or_empty, make_folder, put_aside};
use super::lock::{driven_runs, remove_notes};
use super::lost_log::{add_loss, last_run};
use super::open::open_to_verify;
use super::snapshot::remove_snapshots;
use super::verify::{Counted, verify};
use super::{Durability, Journal, JournalError};
use pithead_core::text::temporary::{TemporaryFolder, temporary_file};
use pithead_world::ids::RunId;
use rusqlite::{Connection, OpenFlags};
use serde::Serialize;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A backup that was written, or put in the place of the database; the JSON form is stable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Backup {
    pub path: PathBuf,
    pub bytes: u64,
    pub counted: Counted,
    /// Where the database lies that was replaced.
    pub replaced: Option<PathBuf>,
}

/// Why there is no backup, or none was restored.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error("{} is there already; name another file", path.display())]
    Exists { path: PathBuf },
    #[error("{} holds a database; `--replace` puts the backup in its place and keeps it beside it", path.display())]
    InPlace { path: PathBuf },
    #[error("{} is the database itself; name its backup", path.display())]
    Same { path: PathBuf },
    #[error("run {run} is being driven; wait for it or end it first")]
    Driven { run: RunId },
    #[error("{} is open in another program; close that program first", path.display())]
    Open { path: PathBuf },
    #[error("{} is damaged: {fault}; `pithead verify --db {}` lists all that is wrong", path.display(), path.display())]
    Damaged { path: PathBuf, fault: String },
    #[error("could not write {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Writes a copy of the database to a file that is not there yet.
pub fn back_up(database: &Path, to: &Path) -> Result<Backup, BackupError> {
    let exists = || BackupError::Exists {
        path: to.to_path_buf(),
    };
    if std::fs::symlink_metadata(to).is_ok() {
        return Err(exists());
    }
    let (copy, _folder, counted) = verified_copy(database, to, database)?;
    let file = copy.persist_noclobber(to).map_err(|_| exists())?;
    published(&file, to, counted, None)
}

/// Puts a backup in the place of the database. `replace` says that there may be one.
pub fn restore(backup: &Path, database: &Path, replace: bool) -> Result<Backup, BackupError> {
    let database = &real_path(database);
    if std::fs::canonicalize(backup).is_ok_and(|path| path == *database) {
        let path = database.clone();
        return Err(BackupError::Same { path });
    }
    let is_new = is_absent_or_empty(database);
    if !is_new && !replace {
        let path = database.clone();
        return Err(BackupError::InPlace { path });
    }
    let folder = folder_of(database);
    make_folder(folder).map_err(|source| write_fault(database, source))?;
    let (copy, _folder, counted) = verified_copy(backup, database, backup)?;
    let replaced = if is_new {
        put_aside(database).map_err(|source| write_fault(database, source))?;
        None
    } else {
        refuse_if_driven(database)?;
        let replaced = replace_database(database, copy.path())?;
        // They speak of the database that was replaced.
        remove_notes(database).map_err(|source| write_fault(database, source))?;
        remove_snapshots(database).map_err(|source| write_fault(database, source))?;
        Some(replaced)
    };
    let file = copy.persist(database);
    let file = file.map_err(|error| write_fault(database, error.error))?;
    published(&file, database, counted, replaced)
}

/// A copy of the database, and the folder beside the file it is to become in which it is made, with all that SQLite
/// puts beside it; `blamed` is what a fault is reported of. The folder is locked and not the copy: on network file
/// systems such a lock would keep SQLite out.
fn verified_copy(
    from: &Path,
    to: &Path,
    blamed: &Path,
) -> Result<(NamedTempFile, TemporaryFolder, Counted), BackupError> {
    let fault = |source| write_fault(to, source);
    let folder = TemporaryFolder::new(folder_of(to)).map_err(fault)?;
    let copy = NamedTempFile::new_in(folder.path()).map_err(fault)?;
    let (db, _medium) = open_to_verify(from)?;
    let into = copy.path().as_os_str().to_string_lossy();
    let copied = db.execute("VACUUM INTO ?", [into]);
    copied.map_err(super::fault_at("copy the database", from))?;
    drop(db);
    let found = verify(copy.path(), false, |_| ())?;
    if let Some(first) = found.faults.first() {
        return Err(BackupError::Damaged {
            path: blamed.to_path_buf(),
            fault: format!("{}: {}", first.place, first.fault),
        });
    }
    copy.as_file().sync_all().map_err(fault)?;
    Ok((copy, folder, found.counted))
}

/// Puts the copy's name on the disk.
fn published(
    file: &File,
    to: &Path,
    counted: Counted,
    replaced: Option<PathBuf>,
) -> Result<Backup, BackupError> {
    let fault = |source| write_fault(to, source);
    File::open(folder_of(to))
        .and_then(|folder| folder.sync_all())
        .map_err(fault)?;
    Ok(Backup {
        path: to.to_path_buf(),
        bytes: file.metadata().map_err(fault)?.len(),
        counted,
        replaced,
    })
}

/// Keeps the database that is there under another name, and gives the copy what must outlast it: no number of a run may
/// be given again. Where it lies now.
fn replace_database(database: &Path, copy: &Path) -> Result<PathBuf, BackupError> {
    let aside = free_name(database);
    let fault = |source| write_fault(&aside, source);
    // A database that cannot be read is replaced too: that is what backups are for.
    let last = read_last_run(database);
    if let Err(error) = carry_log_over(database)
        && matches!(error, JournalError::Locked { .. })
    {
        let path = database.to_path_buf();
        return Err(BackupError::Open { path });
    }
    if let Some(last) = last {
        let mut journal = Journal::open(copy, Durability::Full)?;
        let added = journal.write("leave out run numbers", |tx| {
            if last > last_run(tx)? {
                add_loss(tx, RESTORED, last)?;
            }
            Ok(())
        });
        added?;
        carry_log_over_at_end(journal)?;
    }
    for suffix in ["", "-wal", "-shm"] {
        let (from, to) = (with_suffix(database, suffix), with_suffix(&aside, suffix));
        keep_copy(&from, &to).map_err(fault)?;
    }
    let kept = File::open(folder_of(database)).and_then(|folder| folder.sync_all());
    kept.map_err(fault)?;
    // They would be played into the copy. Both are there only if the database could not be read.
    for suffix in ["-wal", "-shm"] {
        match std::fs::remove_file(with_suffix(database, suffix)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(fault(error)),
            Ok(()) | Err(_) => (),
        }
    }
    Ok(aside)
}

/// Copies a file, if it is there. It is not moved: a kill must not leave the place of the database empty.
fn keep_copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut file = match File::open(from) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        opened => opened?,
    };
    let mut copy = temporary_file(folder_of(to), None)?;
    io::copy(&mut file, copy.as_file_mut())?;
    copy.as_file().sync_all()?;
    copy.persist_noclobber(to).map_err(|error| error.error)?;
    Ok(())
}

/// What stands in the file after it replaced a newer one.
const RESTORED: &str =
    "a backup was restored; later runs of the database that it replaced are not in it";

fn read_last_run(database: &Path) -> Option<u64> {
    let (db, _medium) = open_to_verify(database).ok()?;
    last_run(&db).ok()
}

/// Makes the file whole by itself; refused as long as another program has it open.
fn carry_log_over(database: &Path) -> Result<(), JournalError> {
    let fault = super::fault_at("close the log", database);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(database, flags).map_err(&fault)?;
    let mode: String = db
        .query_row("PRAGMA journal_mode = delete", [], |row| row.get(0))
        .map_err(&fault)?;
    if mode == "delete" {
        Ok(())
    } else {
        let path = database.to_path_buf();
        Err(JournalError::Locked { path })
    }
}

/// Closes the journal with all that it wrote in the file itself.
fn carry_log_over_at_end(journal: Journal) -> Result<(), JournalError> {
    let path = journal.path();
    drop(journal);
    carry_log_over(&path)
}

/// The first name beside the database that is free.
fn free_name(database: &Path) -> PathBuf {
    let mut n = 1_u32;
    loop {
        let name = with_suffix(database, &format!(".replaced-{n}"));
        if std::fs::symlink_metadata(&name).is_err() {
            return name;
        }
        n += 1;
    }
}

/// A driver that is at work must not lose its file; asked of the lock files, since the database may be
/// unreadable.
fn refuse_if_driven(database: &Path) -> Result<(), BackupError> {
    match driven_runs(database) {
        Ok(runs) => runs
            .first()
            .map_or(Ok(()), |run| Err(BackupError::Driven { run: *run })),
        Err(source) => Err(write_fault(database, source)),
    }
}

fn write_fault(path: &Path, source: io::Error) -> BackupError {
    BackupError::Write {
        path: path.to_path_buf(),
        source,
    }
}
