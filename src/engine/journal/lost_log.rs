//! A write-ahead log that is missing: a driver was killed, and what it had written after the last
//! checkpoint went with the file.
//!
//! The database itself looks sound then, only older. But the driver noted its last committed event in its
//! lock file: where the database holds fewer, a loss is said and kept, and the numbers of runs that may be
//! lost are not given again. Invariant: no number stands for two runs.

use super::busy::say;
use super::key::last_seq;
use super::lock::notes;
use super::{Journal, JournalError};
use pithead_world::ids::{RunId, Seq};
use rusqlite::{Connection, params};
use serde::Serialize;

pub(super) const TABLES: &str = "
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
    /// What was lost since the file was made, oldest first.
    pub fn losses(&self) -> Result<Vec<Loss>, JournalError> {
        self.read("look for losses", losses)
    }

    /// Says that the log is missing, in a file that is only read.
    pub(super) fn say_lost_log(&self) -> Result<(), JournalError> {
        let notes = self.notes();
        let lost = self.read("look for a missing log", |db| lost_logs(db, &notes))?;
        self.say_losses(&lost);
        Ok(())
    }

    /// Says that the log is missing, and keeps it, once.
    pub(super) fn settle_lost_log(&mut self) -> Result<(), JournalError> {
        let notes = self.notes();
        let lost = self.read("look for a missing log", |db| lost_logs(db, &notes))?;
        if lost.is_empty() {
            return Ok(());
        }
        let kept = self.write("keep that the log is missing", |tx| {
            // Asked again while nobody else can write.
            let lost = lost_logs(tx, &notes)?;
            for Loss { because, last_run } in &lost {
                add_loss(tx, because, *last_run)?;
            }
            Ok(lost)
        })?;
        self.say_losses(&kept);
        Ok(())
    }

    fn notes(&self) -> Vec<(RunId, Seq)> {
        self.file().map(notes).unwrap_or_default()
    }

    fn say_losses(&self, lost: &[Loss]) {
        for Loss { because, .. } in lost {
            let path = self.path();
            say(&format!(
                "{}: {because}; restore a backup, or go on with what is left",
                path.display()
            ));
        }
    }
}

/// The noted events that are not there, as far as that is not known yet. The notes are read before: what a
/// live driver commits in between is no loss.
pub(super) fn lost_logs(db: &Connection, notes: &[(RunId, Seq)]) -> rusqlite::Result<Vec<Loss>> {
    let mut lost = Vec::new();
    for (run, noted) in notes {
        let last_run = last_run(db)?;
        // Whoever can write to the folder can leave a note: a number far out must not use up those of all runs.
        if run.0 > last_run + NUMBERS_LEFT_OUT || !is_missing(db, *run, *noted)? {
            continue;
        }
        let because = format!(
            "run {run} had written event {noted}, which is not there: the write-ahead log was missing, or the power failed"
        );
        let known = "SELECT EXISTS (SELECT 1 FROM lost WHERE because = ?)";
        if !exists(db, known, [&because])? {
            let last_run = last_run.max(run.0) + NUMBERS_LEFT_OUT;
            lost.push(Loss { because, last_run });
        }
    }
    Ok(lost)
}

fn is_missing(db: &Connection, run: RunId, noted: Seq) -> rusqlite::Result<bool> {
    let last = last_seq(db, run)?;
    // Of a deleted run the first event stays.
    let row = "SELECT EXISTS (SELECT 1 FROM runs WHERE id = ?)";
    let is_deleted = last.is_some() && !exists(db, row, [run.0])?;
    Ok(last < Some(noted) && !is_deleted)
}

fn exists(db: &Connection, sql: &str, params: impl rusqlite::Params) -> rusqlite::Result<bool> {
    db.prepare_cached(sql)?.query_row(params, |row| row.get(0))
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
