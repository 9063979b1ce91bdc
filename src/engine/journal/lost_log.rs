//! A write-ahead log that is missing: a driver was killed, and what it had written after the last
//! checkpoint went with the file.
//!
//! The database itself looks sound then, only older. So the file itself, not its log, says which runs
//! are being driven; a killed driver without a log is a loss. It is said, kept, and the numbers of runs
//! that may have been lost are not given again. Invariant: no number stands for two runs.

use super::busy::say;
use super::companion::with_suffix;
use super::{Journal, JournalError, Place};
use pithead_world::ids::RunId;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, params};
use serde::Serialize;
use std::path::Path;

pub(super) const TABLES: &str = "
CREATE TABLE driven(run INTEGER PRIMARY KEY) STRICT;
CREATE TABLE lost(
    n INTEGER PRIMARY KEY,
    because TEXT NOT NULL,
    last_run INTEGER NOT NULL
) STRICT;
";

/// So many run numbers are left out after a loss: more runs than a program starts between two checkpoints.
const NUMBERS_LEFT_OUT: u64 = 100;

/// Something that the file does not hold any longer; the JSON form is stable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Loss {
    pub because: String,
    /// The numbers of later runs begin after this one.
    pub last_run: u64,
}

impl Journal {
    /// Says in the file itself that the run is being driven, until `leave_driven`.
    pub fn mark_driven(&mut self, run: RunId) -> Result<(), JournalError> {
        if matches!(self.place, Place::Memory(_)) {
            return Ok(());
        }
        self.write("mark a run as driven", |tx| {
            tx.execute("INSERT OR IGNORE INTO driven(run) VALUES(?)", [run.0])
        })?;
        // Carried over at once, so that it does not depend on the log it speaks of. A reader may hold up a
        // part of the log: then a later checkpoint does it.
        let carried = self
            .db
            .query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
        carried.map_err(|e| self.fault("mark a run as driven", e))
    }

    /// The driver leaves, and all that it wrote is committed.
    pub fn unmark_driven(&mut self, run: RunId) -> Result<(), JournalError> {
        if matches!(self.place, Place::Memory(_)) {
            return Ok(());
        }
        self.write("leave a run", |tx| {
            tx.execute("DELETE FROM driven WHERE run = ?", [run.0])
                .map(drop)
        })
    }

    /// What was lost since the file was made, oldest first.
    pub fn losses(&self) -> Result<Vec<Loss>, JournalError> {
        self.read("look for losses", losses)
    }

    /// Keeps a loss if there was one, and forgets the drivers that were killed: their log is there, and
    /// SQLite has read it.
    pub(super) fn settle_killed_drivers(&mut self, had_log: bool) -> Result<(), JournalError> {
        let killed = self.killed_drivers()?;
        if killed.is_empty() {
            return Ok(());
        }
        let path = self.path();
        let is_lost = self.write("settle killed drivers", |tx| {
            // Asked again while nobody else can write: who wrote since has settled what was lost.
            let is_lost = !had_log && !has_log(&path);
            if is_lost {
                let last = last_run(tx)? + NUMBERS_LEFT_OUT;
                add_loss(tx, &because(&killed), last)?;
            }
            for run in &killed {
                tx.execute("DELETE FROM driven WHERE run = ?", [run.0])?;
            }
            Ok(is_lost)
        })?;
        if is_lost {
            say(&notice(&killed, &path));
        }
        Ok(())
    }

    /// Says that the log is missing, in a file that is only read.
    pub(super) fn say_if_log_is_lost(&self, had_log: bool) -> Result<(), JournalError> {
        if !had_log {
            let (killed, path) = (self.killed_drivers()?, self.path());
            if !killed.is_empty() && !has_log(&path) {
                say(&notice(&killed, &path));
            }
        }
        Ok(())
    }

    /// SQLite removes the log when the last connection is closed. While a run is marked it must stay: its
    /// driver may have been killed, and then a log that is gone would be taken for one that was lost.
    pub(super) fn keep_log_of_driven(&self) {
        let marked = self.read("look for drivers", driven);
        if !marked.is_ok_and(|runs| runs.is_empty()) {
            // Refused only by a connection that is not open any more.
            let _ = self
                .db
                .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
        }
    }

    fn killed_drivers(&self) -> Result<Vec<RunId>, JournalError> {
        let marked: Vec<RunId> = self.read("look for killed drivers", driven)?;
        let is_killed = |run: &RunId| !self.is_driven(*run);
        Ok(marked.into_iter().filter(is_killed).collect())
    }
}

/// True if a log with content lies beside the file. Asked before it is opened, which makes an empty one.
pub(super) fn has_log(path: &Path) -> bool {
    std::fs::metadata(with_suffix(path, "-wal")).is_ok_and(|file| file.len() > 0)
}

fn driven(db: &Connection) -> rusqlite::Result<Vec<RunId>> {
    let mut statement = db.prepare_cached("SELECT run FROM driven ORDER BY run")?;
    statement
        .query_map([], |row| row.get(0).map(RunId))?
        .collect()
}

/// Keeps that something was lost; numbers of runs up to the last one are not given again.
pub(super) fn add_loss(db: &Connection, because: &str, last_run: u64) -> rusqlite::Result<()> {
    db.execute(
        "INSERT INTO lost(because, last_run) VALUES(?,?)",
        params![because, last_run],
    )
    .map(drop)
}

pub(super) fn losses(db: &Connection) -> rusqlite::Result<Vec<Loss>> {
    let mut statement = db.prepare("SELECT because, last_run FROM lost ORDER BY n")?;
    let rows = statement.query_map([], |row| {
        Ok(Loss {
            because: row.get(0)?,
            last_run: row.get(1)?,
        })
    })?;
    rows.collect()
}

/// The highest number that a run ever had, or that was left out.
pub(super) fn last_run(db: &Connection) -> rusqlite::Result<u64> {
    // Of a deleted run the first event stays.
    let sql = "SELECT max(coalesce((SELECT max(id) FROM runs), 0), \
                          coalesce((SELECT max(id) FROM events) >> 32, 0), \
                          coalesce((SELECT max(last_run) FROM lost), 0))";
    db.prepare_cached(sql)?.query_row([], |row| row.get(0))
}

fn listed(runs: &[RunId]) -> String {
    let runs: Vec<String> = runs.iter().map(RunId::to_string).collect();
    runs.join(", ")
}

fn because(killed: &[RunId]) -> String {
    format!(
        "the write-ahead log was missing, and run {} was being driven: what was written last may be lost",
        listed(killed)
    )
}

fn notice(killed: &[RunId], path: &Path) -> String {
    format!(
        "{}: {}; restore a backup, or go on with what is left",
        path.display(),
        because(killed)
    )
}
