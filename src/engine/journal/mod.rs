//! The journal: every event of every run, and what is projected from them, in one SQLite file.
//!
//! Events are appended, never edited. Projections (run rows, knowledge, experience) are written in
//! the transaction of the events they come from, so they cannot disagree with them.
//! Invariant: the events of a run are numbered from 1 without gaps; of a deleted run some stay.

mod append;
mod backup;
#[cfg(test)]
mod backup_tests;
mod blobs;
mod bookmark;
mod busy;
mod chain;
mod codec;
mod companion;
mod create;
mod delete;
mod digest;
mod each_event;
mod error;
mod experience;
mod failures;
mod fork;
mod given;
mod hindsight;
mod imported_options;
mod key;
mod kinds;
mod knowledge;
mod knowledge_log;
mod knowledge_order;
mod lock;
#[cfg(test)]
mod lock_times;
mod log_bound;
mod lost_log;
mod open;
mod overrule;
mod presence;
mod read_events;
mod read_only;
mod runs;
pub mod samples;
mod samples_of_judging;
mod samples_of_servers;
mod schema;
mod sequences;
mod similar_failures;
mod snapshot;
#[cfg(test)]
mod snapshot_tests;
#[cfg(test)]
mod tests;
mod triage;
mod tried_options;
mod unfinished;
#[cfg(test)]
mod unfinished_tests;
mod upgrade;
mod verify;

pub use backup::{Backup, BackupError, back_up, restore};
pub use bookmark::Bookmark;
pub use busy::{WAIT_NOTICE, is_waiting_for_others, pause_with, say_waits_with, stop_waiting};
pub use codec::{parse_event, stored_form};
pub use delete::Deletion;
pub use error::JournalError;
pub use experience::Document;
pub use failures::{LabelCounts, LabelledFailure, LabelsByRun};
pub use fork::{CopiedPast, Origin};
pub use given::EntryDeed;
pub use hindsight::JudgedAttempt;
pub use imported_options::ImportedOptions;
pub use kinds::kind;
pub use knowledge::EntryFilter;
pub use knowledge_log::{Added, KNOWLEDGE_LOG, Refused};
pub use lock::{DriverLock, Holder};
pub use lost_log::Loss;
pub use overrule::{Doubt, Overruled};
pub use runs::RunRow;
pub use snapshot::{Snapshot, SnapshotBound};
pub use unfinished::set_batch_events;

use log_bound::LogBound;
use presence::Presence;
pub use verify::{Counted, Fault, Verification, verify};

use rusqlite::Connection;
use schema::number;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// What a commit waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// On the disk when `append` returns, even if the power fails: interactive runs.
    Full,
    /// In the hands of the operating system: survives kill -9, but after a power failure the last
    /// moments may be missing. Decisions and knowledge, and all before them, are on the disk all
    /// the same.
    Normal,
}

/// An open journal. It is owned by one thread; others open their own with `reader`.
#[derive(Debug)]
pub struct Journal {
    db: Connection,
    place: Place,
    durability: Durability,
    /// For a file that is written to.
    presence: Option<Presence>,
    log_bound: LogBound,
    /// Read in place of the file, on a medium that cannot be written to.
    _copy: Option<Arc<TempDir>>,
}

/// Where the database is.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    File(PathBuf),
    /// The name under which connections of this process find the same memory.
    Memory(String),
}

impl Place {
    /// For messages.
    fn path(&self) -> PathBuf {
        match self {
            Self::File(path) => path.clone(),
            Self::Memory(name) => PathBuf::from(name),
        }
    }
}

impl Journal {
    /// The file's path; a made-up name for a journal in memory.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.place.path()
    }

    /// The file, if it is one.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        match &self.place {
            Place::File(path) => Some(path),
            Place::Memory(_) => None,
        }
    }

    /// A number that changes when another connection has written.
    pub fn changes(&self) -> Result<i64, JournalError> {
        let read = self
            .db
            .query_row("PRAGMA data_version", [], |row| row.get(0));
        read.map_err(|e| self.fault("look for changes", e))
    }

    fn fault(&self, doing: &'static str, source: rusqlite::Error) -> JournalError {
        JournalError::while_doing(doing, &self.place.path(), source)
    }
}

fn fault_at(doing: &'static str, path: &Path) -> impl Fn(rusqlite::Error) -> JournalError {
    move |source| JournalError::while_doing(doing, path, source)
}

/// What is in the file contradicts itself: it was damaged, or changed by another program.
fn corrupt(detail: String) -> rusqlite::Error {
    let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
    rusqlite::Error::SqliteFailure(code, Some(detail))
}

/// A document for a TEXT column.
fn json<T: serde::Serialize>(document: &T) -> rusqlite::Result<String> {
    serde_json::to_string(document)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}
