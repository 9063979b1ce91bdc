//! Forks in the journal: a run that begins as a copy of another one's events up to a point.
//!
//! The copies bring nothing into experience and knowledge, which hold it already. Invariant: what is
//! copied is the same to the byte but for the first event, which names the new run.

use super::append::{append, insert_run};
use super::chain::link_again;
use super::digest::digest_row;
use super::key::{SEQ_MAX, key, last_seq};
use super::{Journal, JournalError, runs};
use pithead_core::domain::run::event::{Event, RunConfig};
use pithead_world::clock::Millis;
use pithead_world::ids::{RunId, Seq};
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use std::collections::BTreeMap;

/// Made with the first fork.
const TABLE: &str = "CREATE TABLE IF NOT EXISTS forks(
    run INTEGER PRIMARY KEY,
    origin INTEGER NOT NULL,
    at INTEGER NOT NULL
) STRICT";

/// Where a run was forked from: the run, and the last event that both have.
pub type Origin = (RunId, Seq);

/// What the row of a forked run begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CopiedPast {
    pub ticks: u64,
    pub attempts: u64,
    pub failed: u64,
}

/// Keeps where the run comes from.
pub(super) fn project(tx: &Transaction<'_>, run: RunId, event: &Event) -> rusqlite::Result<()> {
    if let Event::RunForked { fork } = event {
        tx.execute_batch(TABLE)?;
        tx.execute(
            "INSERT OR REPLACE INTO forks(run, origin, at) VALUES(?,?,?)",
            params![run.0, fork.from.0, fork.at.0],
        )?;
    }
    Ok(())
}

/// Forgets where a deleted run came from.
pub(super) fn forget(db: &Connection, run: RunId) -> rusqlite::Result<()> {
    db.execute_batch(TABLE)?;
    db.execute("DELETE FROM forks WHERE run = ?", [run.0])?;
    Ok(())
}

/// All forked runs with their origins.
pub(super) fn origins(db: &Connection) -> rusqlite::Result<BTreeMap<RunId, Origin>> {
    let exists = db
        .prepare_cached("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'forks'")?
        .exists([])?;
    if !exists {
        return Ok(BTreeMap::new());
    }
    let mut statement = db.prepare_cached("SELECT run, origin, at FROM forks")?;
    let rows = statement.query_map([], |row| {
        Ok((RunId(row.get(0)?), (RunId(row.get(1)?), Seq(row.get(2)?))))
    })?;
    rows.collect()
}

/// Copies of events that an older program wrote have no digest yet.
fn digest_copies(tx: &Transaction<'_>, run: RunId) -> rusqlite::Result<()> {
    let sql = "SELECT seq, at, kind, version, body, id FROM events \
               WHERE id > ? AND id <= ? AND digest IS NULL";
    let mut statement = tx.prepare(sql)?;
    let mut rows = statement.query([key(run, Seq(0)), key(run, SEQ_MAX)])?;
    while let Some(row) = rows.next()? {
        let (digest, id) = (digest_row(row, 5)?, row.get::<_, u64>(5)?);
        tx.prepare_cached("UPDATE events SET digest = ? WHERE id = ?")?
            .execute(params![digest, id])?;
    }
    Ok(())
}

impl Journal {
    /// Makes a run that has the events of `from` up to `at`, and then `events`, whose first says that
    /// it was forked. The number in `config`, which is that of the other run, is replaced.
    pub fn fork_run(
        &mut self,
        (from, at): Origin,
        mut config: RunConfig,
        past: CopiedPast,
        events: Vec<Event>,
        now: Millis,
    ) -> Result<RunId, JournalError> {
        let path = self.path();
        let written = self.write("fork a run", |tx| {
            let run = insert_run(tx, None, &config, now)?;
            config.run = run;
            let started = tx.query_row(
                "SELECT at FROM events WHERE id = ?",
                [key(from, Seq(1))],
                |row| row.get(0).map(Millis),
            )?;
            let first = Event::RunStarted {
                config: Box::new(config),
            };
            append(tx, run, Seq(0), started, vec![first])?;
            let copied = tx.execute(
                "INSERT INTO events(id, at, kind, version, body, digest) \
                 SELECT (?1 << 32) | seq, at, kind, version, body, digest FROM events \
                 WHERE id > ?2 AND id <= ?3 ORDER BY id",
                params![run.0, key(from, Seq(1)), key(from, at)],
            )?;
            // The other run may have been deleted after it was read.
            if copied as u64 + 1 != at.0 {
                return Err(rusqlite::Error::QueryReturnedNoRows);
            }
            digest_copies(tx, run)?;
            link_again(tx, run)?;
            let last = last_seq(tx, run)?.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
            append(tx, run, last, now, events)?;
            tx.execute(
                "UPDATE runs SET ticks = ?2, attempts = ?3, failed = ?4 WHERE id = ?1",
                params![run.0, past.ticks, past.attempts, past.failed],
            )?;
            runs::seal(tx, run)?;
            Ok(run)
        });
        match written {
            Err(JournalError::Store {
                source: rusqlite::Error::QueryReturnedNoRows,
                ..
            }) => Err(JournalError::NoRun { run: from, path }),
            written => written,
        }
    }

    /// Whether the operator, or a breakpoint, holds the run.
    pub fn is_paused(&self, run: RunId) -> Result<bool, JournalError> {
        let sql = "SELECT kind FROM events WHERE id > ? AND id < ? \
                   AND kind IN ('run.paused', 'run.resumed', 'run.forked') ORDER BY id DESC LIMIT 1";
        let last: Option<String> = self
            .db
            .prepare_cached(sql)
            .and_then(|mut statement| {
                let range = [key(run, Seq(0)), key(run.next(), Seq(0))];
                statement.query_row(range, |row| row.get(0)).optional()
            })
            .map_err(|e| self.fault("read a run", e))?;
        Ok(last.as_deref() == Some("run.paused"))
    }
}
