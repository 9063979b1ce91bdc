//! What can go wrong with the journal: kinds for the caller, what-where-what-to-do for the human.

use super::lock::Holder;
use pithead_world::ids::{ExperienceId, RunId, Seq};
use rusqlite::ErrorCode;
use std::path::{Path, PathBuf};

/// A fault of the journal.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("there is no database at {}; start a run to make one, or name another with --db", path.display())]
    Missing { path: PathBuf },
    #[error("{} is not a pithead database ({found}); it was left as it is, name another file with --db", path.display())]
    NotOurs { path: PathBuf, found: String },
    #[error("{} was written by a newer pithead (format {found}, this program reads up to {known}); it was left as it is, use the newer program or name another file with --db", path.display())]
    Newer {
        path: PathBuf,
        found: i64,
        known: i64,
    },
    #[error("{} is damaged ({detail}); it was left as it is: `pithead verify` says where, `pithead restore` puts a backup in its place, and `sqlite3 FILE .recover` salvages what is left", path.display())]
    Corrupt { path: PathBuf, detail: String },
    #[error("{} is locked by another program; close that program or name another file with --db", path.display())]
    Locked { path: PathBuf },
    #[error("could not write to {}: {because}; the last whole event is safe: make room and `pithead resume` the run", path.display())]
    Full { path: PathBuf, because: String },
    #[error("{} is gone or was replaced while it was written to; nothing that came after it went is kept", path.display())]
    Gone { path: PathBuf },
    #[error("could not open the database {}: {because}", path.display())]
    Open { path: PathBuf, because: String },
    #[error("there is no run {run} in {}; `pithead runs` lists them", path.display())]
    NoRun { run: RunId, path: PathBuf },
    #[error("run {run} is being driven by {holder}; wait for it or end it first")]
    Driven { run: RunId, holder: Holder },
    #[error(
        "event {seq} of run {run} is of an unknown kind `{kind}` (version {version}); a newer pithead wrote it"
    )]
    UnknownKind {
        run: RunId,
        seq: Seq,
        kind: String,
        version: u32,
    },
    #[error(
        "event {seq} of run {run} (`{kind}`) cannot be read: {fault}; the database is damaged: `pithead verify` says where; restore a backup"
    )]
    BadEvent {
        run: RunId,
        seq: Seq,
        kind: String,
        fault: String,
    },
    #[error("the document of experience {id} in {} is damaged ({fault}); `pithead verify` says what else; restore a backup", path.display())]
    BadExperience {
        id: ExperienceId,
        path: PathBuf,
        fault: String,
    },
    #[error(
        "the entry {id} of the knowledge base cannot be read: {fault}; the database is damaged: `pithead verify` says where; restore a backup"
    )]
    BadEntry { id: String, fault: String },
    #[error(
        "run {run} in the list of runs is not what was written, and its first event is missing; `pithead verify` says what else is damaged: restore a backup"
    )]
    BadRun { run: RunId },
    #[error("could not {doing} in {}: {source}", path.display())]
    Store {
        doing: &'static str,
        path: PathBuf,
        source: rusqlite::Error,
    },
}

impl JournalError {
    /// Sorts a fault of the database by what the caller can do about it.
    pub(super) fn while_doing(doing: &'static str, path: &Path, source: rusqlite::Error) -> Self {
        let path = path.to_path_buf();
        match source.sqlite_error_code() {
            Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure | ErrorCode::ReadOnly) => {
                Self::Full {
                    path,
                    because: source.to_string(),
                }
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Locked { path },
            Some(ErrorCode::DatabaseCorrupt) => Self::Corrupt {
                path,
                detail: source.to_string(),
            },
            Some(ErrorCode::NotADatabase) => Self::NotOurs {
                path,
                found: source.to_string(),
            },
            Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => Self::Open {
                path,
                because: source.to_string(),
            },
            _ => Self::Store {
                doing,
                path,
                source,
            },
        }
    }

    /// True if the disk could not take more: the run stops and can be resumed.
    #[must_use]
    pub fn is_full(&self) -> bool {
        matches!(self, Self::Full { .. })
    }
}
