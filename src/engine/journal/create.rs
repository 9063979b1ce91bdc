//! Making a database: its name appears when the file is whole and on the disk, never before.
//!
//! The tables are made in a file beside it, which is then renamed. Invariant: whenever the process is
//! killed, the name stands for what it stood for before, or for a database with all its tables.

use super::busy::wait_for_others;
use super::companion::{folder_of, real_path, with_suffix};
use super::lock::remove_notes;
use super::schema::{APPLICATION_ID, EXPERIENCE, FORMAT, TABLES, number};
use super::upgrade::upgrade;
use super::{
    JournalError, blobs, chain, fault_at, hindsight, imported_options, knowledge_order, lost_log,
    overrule, similar_failures, tried_options, unfinished,
};
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};
use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// What SQLite puts beside a database. A leftover would be played into the new file of that name.
const COMPANIONS: [&str; 3] = ["-journal", "-wal", "-shm"];

/// Makes the database, unless another process has made it in the meantime.
pub(super) fn create_database(path: &Path) -> Result<(), JournalError> {
    let failed = |doing: &str, error: io::Error| JournalError::Open {
        path: path.to_path_buf(),
        because: format!("{doing}: {error}"),
    };
    let path = &real_path(path);
    let folder = folder_of(path);
    make_folder(folder).map_err(|error| failed("its folder cannot be made", error))?;
    // A lock on the folder leaves no file behind. It is held for milliseconds.
    let creation = File::open(folder).and_then(|folder| folder.lock().map(|()| folder));
    let creation = creation.map_err(|error| failed("its folder cannot be locked", error))?;
    if !is_absent_or_empty(path) {
        return Ok(());
    }
    put_aside(path).map_err(|error| failed("what lies beside it cannot be put aside", error))?;
    let building = with_suffix(path, ".new");
    remove_unfinished(&building).map_err(|error| failed("cannot be made", error))?;
    open_private(&building).map_err(|error| failed("cannot be made", error))?;
    build(&building)?;
    let publish = || {
        File::open(&building)?.sync_all()?;
        std::fs::rename(&building, path)?;
        creation.sync_all()
    };
    publish().map_err(|error| failed("cannot be made", error))
}

/// Lets SQLite roll back what a killed process left half-done. Reading alone may not do that.
pub(super) fn roll_back_unfinished(path: &Path) -> Result<(), JournalError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let fault = fault_at("roll back an unfinished write", path);
    let mut db = Connection::open_with_flags(path, flags).map_err(&fault)?;
    // The journal may also belong to a process that is writing at this moment.
    wait_for_others(&mut db)
        .and_then(|()| number(&db, "SELECT count(*) FROM sqlite_schema"))
        .map(|_| ())
        .map_err(&fault)
}

/// True if a rollback journal lies beside the file: a process was killed while it wrote.
pub(super) fn has_unfinished_write(path: &Path) -> bool {
    let journal = std::fs::metadata(with_suffix(path, "-journal"));
    journal.is_ok_and(|file| file.len() > 0)
}

/// True if no database is there: none, or a file of no bytes.
pub(super) fn is_absent_or_empty(path: &Path) -> bool {
    std::fs::metadata(path).map_or_else(
        |error| error.kind() == io::ErrorKind::NotFound,
        |file| file.is_file() && file.len() == 0,
    )
}

fn build(building: &Path) -> Result<(), JournalError> {
    let fault = fault_at("make the tables", building);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let db = Connection::open_with_flags(building, flags).map_err(&fault)?;
    let made = db.pragma_update(None, "journal_mode", "wal");
    made.and_then(|()| make_tables(&db)).map_err(&fault)?;
    // Closing carries the log over into the file, so that the file is whole by itself.
    db.close().map_err(|(_, error)| fault(error))
}

/// Makes the tables that are not there yet, and brings those of an older format up to this one.
pub(super) fn make_tables(db: &Connection) -> rusqlite::Result<()> {
    // Immediate: two programs that open a file without tables make them once.
    let tx = Transaction::new_unchecked(db, TransactionBehavior::Immediate)?;
    if number(&tx, "PRAGMA application_id")? != APPLICATION_ID {
        tx.execute_batch(TABLES)?;
        tx.execute_batch(EXPERIENCE)?;
        tx.execute_batch(chain::TABLE)?;
        tx.execute_batch(knowledge_order::TABLE)?;
        tx.execute_batch(lost_log::TABLES)?;
        tx.execute_batch(blobs::INDEX)?;
        tx.execute_batch(overrule::INDEX)?;
        tx.execute_batch(imported_options::INDEX)?;
        tx.pragma_update(None, "application_id", APPLICATION_ID)?;
        tx.pragma_update(None, "user_version", FORMAT)?;
    }
    tx.execute_batch(blobs::TABLE)?;
    tx.execute_batch(hindsight::TABLE)?;
    tx.execute_batch(similar_failures::TABLE)?;
    tx.execute_batch(tried_options::TABLE)?;
    tx.execute_batch(unfinished::TABLE)?;
    let found = number(&tx, "PRAGMA user_version")?;
    upgrade(&tx, found)?;
    tx.commit()
}

/// What belonged to a database that is gone is no part of the new one, and is not thrown away either.
pub(super) fn put_aside(path: &Path) -> io::Result<()> {
    for suffix in COMPANIONS {
        let companion = with_suffix(path, suffix);
        if std::fs::symlink_metadata(&companion).is_ok() {
            tracing::warn!(
                "{} belonged to another database; it is kept as {}.orphan",
                companion.display(),
                companion.display()
            );
            std::fs::rename(&companion, with_suffix(&companion, ".orphan"))?;
        }
    }
    remove_notes(path)
}

/// Removes what a process left that was killed in the middle of making a database.
fn remove_unfinished(building: &Path) -> io::Result<()> {
    for suffix in [""].into_iter().chain(COMPANIONS) {
        match std::fs::remove_file(with_suffix(building, suffix)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => (),
        }
    }
    Ok(())
}

/// Makes a file that only its owner can read, and that was not there before: no link is followed.
pub(super) fn open_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Makes the folder and those above it, for its owner alone.
pub(super) fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
