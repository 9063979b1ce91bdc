//! Reading from a medium that cannot be written to: SQLite wants to put a file beside a database with a log,
//! even to read it.
//!
//! Invariant: what is read is what a reader with all rights would see. A log that was left there is part of
//! it, so both are copied and the copy is read; so is a file of an older format, and the copy is upgraded.

use super::JournalError;
use super::companion::with_suffix;
use super::create::make_tables;
use super::schema::{APPLICATION_ID, FORMAT, number};
use rusqlite::{Connection, OpenFlags};
use std::io;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

/// A connection for reading, and the copy that it reads if it does not read the file itself.
pub(super) type Opened = (Connection, Option<Arc<TempDir>>);

/// True if the file system of the file takes no writes at all.
#[cfg(unix)]
pub(super) fn is_on_read_only_medium(path: &Path) -> bool {
    let found = rustix::fs::statvfs(path);
    found.is_ok_and(|system| {
        system
            .f_flag
            .contains(rustix::fs::StatVfsMountFlags::RDONLY)
    })
}

#[cfg(not(unix))]
pub(super) fn is_on_read_only_medium(_path: &Path) -> bool {
    false
}

/// Opens a database that nobody can write to.
pub(super) fn open_unchanging(path: &Path) -> Result<Opened, JournalError> {
    if !has_log(path) {
        let address = format!("file:{}?immutable=1", escaped(path));
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let fault = super::fault_at("open", path);
        let db = open(Path::new(&address), flags).map_err(&fault)?;
        // A file that is not ours has no older format; the checks say what it is.
        let is_ours = number(&db, "PRAGMA application_id").map_err(&fault)? == APPLICATION_ID;
        if !is_ours || number(&db, "PRAGMA user_version").map_err(&fault)? >= FORMAT {
            return Ok((db, None));
        }
    }
    open_upgraded_copy(path)
}

/// Opens a copy with all that the log holds, upgraded to this format; the file stays as it is.
pub(super) fn open_upgraded_copy(path: &Path) -> Result<Opened, JournalError> {
    let copy = copied(path).map_err(|error| JournalError::Open {
        path: path.to_path_buf(),
        because: format!("it must be copied to be read as it is, which failed: {error}"),
    })?;
    let db = open(&copy.path().join(COPY), OpenFlags::SQLITE_OPEN_READ_WRITE);
    let db = db.and_then(|db| make_tables(&db).map(|()| db));
    let db = db.map_err(super::fault_at("open", path))?;
    Ok((db, Some(Arc::new(copy))))
}

const COPY: &str = "copy.db";

fn copied(path: &Path) -> io::Result<TempDir> {
    let folder = tempfile::Builder::new().prefix("pithead-").tempdir()?;
    let copy = folder.path().join(COPY);
    std::fs::copy(path, &copy)?;
    if has_log(path) {
        std::fs::copy(with_suffix(path, "-wal"), with_suffix(&copy, "-wal"))?;
    }
    Ok(folder)
}

fn open(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)
}

/// The path as part of an address, where some characters have a meaning.
fn escaped(path: &Path) -> String {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let bytes = whole.as_os_str().as_encoded_bytes();
    let each = bytes.iter().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
            char::from(*byte).to_string()
        }
        other => format!("%{other:02x}"),
    });
    each.collect()
}

/// True if a log with content lies beside the file.
fn has_log(path: &Path) -> bool {
    std::fs::metadata(with_suffix(path, "-wal")).is_ok_and(|file| file.len() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{Durability, Journal};
    use pithead_core::domain::samples::config;
    use pithead_world::clock::Millis;

    fn runs(opened: &Opened) -> i64 {
        let (db, _) = opened;
        db.query_row("SELECT count(*) FROM runs", [], |row| row.get(0))
            .unwrap()
    }

    #[test]
    fn what_lies_in_the_log_alone_is_read_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("with space?#%.db");
        let mut journal = Journal::open(&path, Durability::Normal).unwrap();
        journal.create_run(config(), Millis(1)).unwrap();
        // As a medium looks that was taken off while a program was writing.
        let taken = folder.path().join("taken? #.db");
        std::fs::copy(&path, &taken).unwrap();
        let (log, beside) = (with_suffix(&path, "-wal"), with_suffix(&taken, "-wal"));
        std::fs::copy(log, &beside).unwrap();
        assert_eq!(runs(&open_unchanging(&taken).unwrap()), 1);
        assert!(!with_suffix(&taken, "-shm").exists(), "nothing was written");
        drop(journal);
        std::fs::remove_file(beside).unwrap();
        std::fs::copy(&path, &taken).unwrap();
        assert_eq!(runs(&open_unchanging(&taken).unwrap()), 1);
        assert!(!with_suffix(&taken, "-shm").exists(), "nothing was written");
    }
}
