//! Opening: a file that is not ours, damaged, locked or newer is refused and never rewritten.
//!
//! The checks run over a read-only connection before the file is opened for writing. They are cheap:
//! the page-by-page check is for small files only.

use super::busy::wait_for_others;
use super::companion::folder_of;
use super::create::{
    create_database, has_unfinished_write, is_absent_or_empty, make_tables, roll_back_unfinished,
};
use super::log_bound::{LOG_BYTES_KEPT, LogBound};
use super::presence::Presence;
use super::read_only::{Opened, is_on_read_only_medium, open_unchanging, open_upgraded_copy};
use super::schema::{APPLICATION_ID, FORMAT, number};
use super::{Durability, Journal, JournalError, Place, fault_at};
use pithead_core::text::temporary::clear_left_in;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// Pages that a connection may hold, in KiB: a large batch is not written out and read back before it is over.
const CACHE_KIB: i64 = 16 * 1024;
/// Pages of the write-ahead log that are carried over into the file at once, 16 MiB: those that many batches
/// write again and again, the ends of tables and indices, are carried over once.
const LOG_PAGES: u32 = 4_096;
/// Above this size the page-by-page check would be felt at every start (about 1 ms per MB).
const CHECK_BYTES_MAX: u64 = 16 << 20;
/// Statements kept prepared.
const STATEMENTS_MAX: usize = 64;

/// One number per journal in memory, so that two of them in one process do not meet.
static MEMORIES: AtomicU64 = AtomicU64::new(0);

impl Journal {
    /// Opens the journal for writing; makes it, and its folder, if there is none.
    pub fn open(path: &Path, durability: Durability) -> Result<Self, JournalError> {
        if is_absent_or_empty(path) {
            create_database(path)?;
        } else {
            check(path)?;
        }
        let db = Connection::open(path).map_err(fault_at("open", path))?;
        let mut journal = Self {
            db,
            place: Place::File(path.to_path_buf()),
            durability,
            presence: Some(Presence::new(path)),
            log_bound: LogBound::default(),
            _copy: None,
        };
        journal.settle()?;
        journal.settle_lost_log()?;
        journal.clear_left();
        clear_left_in(folder_of(path));
        Ok(journal)
    }

    /// Opens an existing journal for reading only.
    pub fn look(path: &Path) -> Result<Self, JournalError> {
        let missing = || JournalError::Missing {
            path: path.to_path_buf(),
        };
        if !path.exists() {
            return Err(missing());
        }
        if check(path)? < FORMAT && !is_on_read_only_medium(path) {
            // Only a writer can upgrade it.
            drop(Self::open(path, Durability::Full)?);
        }
        let (db, copy) = open_to_read(path)?;
        // A file that was made and got no tables holds no runs either.
        let tables = number(&db, "SELECT count(*) FROM sqlite_schema");
        if tables.map_err(fault_at("look", path))? == 0 {
            return Err(missing());
        }
        let journal = Self {
            db,
            place: Place::File(path.to_path_buf()),
            durability: Durability::Normal,
            presence: None,
            log_bound: LogBound::default(),
            _copy: copy,
        };
        journal.say_lost_log()?;
        Ok(journal)
    }

    /// A journal that lives as long as its connections, for tests and for looking ahead.
    pub fn in_memory() -> Result<Self, JournalError> {
        let name = format!(
            "file:pithead{}?mode=memory&cache=shared",
            MEMORIES.fetch_add(1, Ordering::Relaxed)
        );
        let db = Connection::open(&name).map_err(fault_at("open", Path::new(&name)))?;
        let mut journal = Self {
            db,
            place: Place::Memory(name),
            durability: Durability::Normal,
            presence: None,
            log_bound: LogBound::default(),
            _copy: None,
        };
        journal.settle()?;
        Ok(journal)
    }

    /// A second connection to the same journal, for reading in another thread.
    pub fn reader(&self) -> Result<Self, JournalError> {
        let (db, copy) = match &self.place {
            Place::File(path) => open_to_read(path)?,
            Place::Memory(name) => {
                let db = Connection::open(name).map_err(|e| self.fault("open", e))?;
                // Connections to one memory share its locks. Readers ask only for events that
                // are committed, so they need not wait for the writer.
                db.pragma_update(None, "read_uncommitted", true)
                    .map_err(|e| self.fault("open", e))?;
                (db, None)
            }
        };
        Ok(Self {
            db,
            place: self.place.clone(),
            durability: self.durability,
            presence: None,
            log_bound: LogBound::default(),
            _copy: copy,
        })
    }

    /// Sets how the file is written, and makes the tables if there are none.
    fn settle(&mut self) -> Result<(), JournalError> {
        let waits = wait_for_others(&mut self.db);
        let fault = |e| self.fault("set up", e);
        waits.map_err(fault)?;
        self.db
            .set_prepared_statement_cache_capacity(STATEMENTS_MAX);
        self.db
            .pragma_update(None, "journal_mode", "wal")
            .map_err(fault)?;
        self.db
            .pragma_update(None, "foreign_keys", true)
            .map_err(fault)?;
        self.db
            .pragma_update(None, "cache_size", -CACHE_KIB)
            .map_err(fault)?;
        self.db
            .pragma_update(None, "wal_autocheckpoint", LOG_PAGES)
            .map_err(fault)?;
        self.db
            .pragma_update(None, "journal_size_limit", LOG_BYTES_KEPT.cast_signed())
            .map_err(fault)?;
        self.wait_for(self.durability).map_err(fault)?;
        make_tables(&self.db).map_err(fault)
    }

    /// Sets what the next commits wait for.
    pub(super) fn wait_for(&self, durability: Durability) -> rusqlite::Result<()> {
        // In WAL mode `normal` may lose the last commits with the machine, never with the process, and never
        // damages the file; `full` waits for the disk at each commit.
        let synchronous = match durability {
            Durability::Full => "full",
            Durability::Normal => "normal",
        };
        self.db.pragma_update(None, "synchronous", synchronous)
    }
}

#[cfg(test)]
impl Journal {
    /// Stands in for a disk with so little room.
    pub(crate) fn limit_pages(&self, pages_max: u32) {
        self.db
            .pragma_update(None, "max_page_count", pages_max)
            .unwrap();
    }
}

fn open_to_read(path: &Path) -> Result<Opened, JournalError> {
    let fault = fault_at("open", path);
    let (mut db, copy) = if is_on_read_only_medium(path) {
        open_unchanging(path)?
    } else {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        (
            Connection::open_with_flags(path, flags).map_err(&fault)?,
            None,
        )
    };
    wait_for_others(&mut db).map_err(&fault)?;
    db.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    Ok((db, copy))
}

/// A connection that reads, for a look at damage: only the header is checked. Of a file of an older format a copy
/// is read.
pub(super) fn open_to_verify(path: &Path) -> Result<Opened, JournalError> {
    if !path.exists() {
        return Err(JournalError::Missing {
            path: path.to_path_buf(),
        });
    }
    match check_header(path)? {
        Some(found) if found < FORMAT => open_upgraded_copy(path),
        Some(_) | None => open_to_read(path),
    }
}

/// Refuses what is not a sound journal of a format that we know; the format.
fn check(path: &Path) -> Result<i64, JournalError> {
    let Some(found) = check_header(path)? else {
        return Ok(FORMAT);
    };
    let (db, _copy) = open_to_read(path)?;
    check_pages(&db, path)?;
    Ok(found)
}

/// Refuses what is not a journal of a format that we know; the format, none if there are no tables.
fn check_header(path: &Path) -> Result<Option<i64>, JournalError> {
    let not_ours = |found: &str| JournalError::NotOurs {
        path: path.to_path_buf(),
        found: found.to_owned(),
    };
    // Opening a FIFO for reading would wait for its writer.
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => return Err(not_ours("it is a folder")),
        Ok(found) if !found.is_file() => return Err(not_ours("it is no regular file")),
        Ok(_) | Err(_) => (),
    }
    if has_unfinished_write(path) && !is_on_read_only_medium(path) {
        roll_back_unfinished(path)?;
    }
    let (db, _copy) = open_to_read(path)?;
    let fault = |e| fault_at("check", path)(e);
    let application = number(&db, "PRAGMA application_id").map_err(fault)?;
    if application != APPLICATION_ID {
        let tables = number(&db, "SELECT count(*) FROM sqlite_schema").map_err(fault)?;
        // No tables: a program of ours that was killed between making the file and the tables.
        return if tables == 0 {
            Ok(None)
        } else {
            Err(not_ours("another program's SQLite file"))
        };
    }
    let found = number(&db, "PRAGMA user_version").map_err(fault)?;
    if found > FORMAT {
        return Err(JournalError::Newer {
            path: path.to_path_buf(),
            found,
            known: FORMAT,
        });
    }
    Ok(Some(found))
}

/// Looks for damage: that nothing is cut off, that the roots can be read, and for small files all.
fn check_pages(db: &Connection, path: &Path) -> Result<(), JournalError> {
    let bytes = std::fs::metadata(path).map_or(0, |file| file.len());
    let corrupt = |detail: String| JournalError::Corrupt {
        path: path.to_path_buf(),
        detail,
    };
    let fault = |e| fault_at("check", path)(e);
    number(db, "SELECT coalesce(max(id), 0) FROM runs").map_err(fault)?;
    number(
        db,
        "SELECT count(*) FROM (SELECT id FROM events ORDER BY id DESC LIMIT 1)",
    )
    .map_err(fault)?;
    if bytes > CHECK_BYTES_MAX {
        return Ok(());
    }
    let found: String = db
        .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
        .map_err(fault)?;
    if found == "ok" {
        Ok(())
    } else if is_failed_read(&found) {
        Err(JournalError::Open {
            path: path.to_path_buf(),
            because: format!("the disk does not give it back ({found}); try again"),
        })
    } else {
        Err(corrupt(found))
    }
}

/// The check lists a page that it could not read among the faults: the disk failed, and the file may be sound.
/// `Tree 3 page 24: unable to get the page. error code=266`, or `Tree 3 page 22 cell 6: failed to get page 24`.
fn is_failed_read(found: &str) -> bool {
    if found.contains("failed to get page") {
        return true;
    }
    let code = found.rsplit_once("error code=").map(|(_, code)| code);
    let code = code.and_then(|code| code.trim().parse::<i32>().ok());
    let code = code.map(|code| rusqlite::ffi::Error::new(code).code);
    matches!(
        code,
        Some(ErrorCode::SystemIoFailure | ErrorCode::OutOfMemory)
    )
}

#[cfg(test)]
mod tests {
    use super::is_failed_read;

    #[test]
    fn a_page_that_the_disk_does_not_give_back_is_not_called_damage() {
        for failed in [
            "*** in database main ***\nTree 3 page 24: unable to get the page. error code=266",
            "*** in database main ***\nTree 3 page 22 cell 6: failed to get page 24",
        ] {
            assert!(is_failed_read(failed), "{failed}");
        }
        for damaged in [
            "*** in database main ***\nTree 3 page 24: unable to get the page. error code=11",
            "*** in database main ***\nTree 3 page 3: btreeInitPage() returns error code 11",
            "*** in database main ***\nTree 3 page 22 cell 6: invalid page number 99",
        ] {
            assert!(!is_failed_read(damaged), "{damaged}");
        }
    }
}
