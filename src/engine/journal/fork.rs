//! Forks in the journal: a run that begins as a copy of another one's events up to a point.
//!
//! The copies bring nothing into experience and knowledge, which hold it already. They are written bit by bit, and
//! the last transaction puts the run on the list. Invariant: what is copied is the same to the byte but for the first
//! event, which names the new run.

use super::append::{append, insert_run};
use super::chain::chain_to_continue;
use super::digest::digest_row;
use super::key::{SEQ_MAX, key};
use super::lock::DriverLock;
use super::lost_log::last_run;
use super::unfinished::{Work, begin, end, next_batch};
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
    if !db.table_exists(None, "forks")? {
        return Ok(BTreeMap::new());
    }
    let mut statement = db.prepare_cached("SELECT run, origin, at FROM forks")?;
    let rows = statement.query_map([], |row| {
        Ok((RunId(row.get(0)?), (RunId(row.get(1)?), Seq(row.get(2)?))))
    })?;
    rows.collect()
}

/// Copies the events after `last` up to `end`, and carries the chain of the new run on over them.
fn copy(
    tx: &Transaction<'_>,
    (from, run): (RunId, RunId),
    (last, end): (Seq, Seq),
) -> rusqlite::Result<()> {
    check_listed(tx, from)?;
    let copied = tx
        .prepare_cached(
            "INSERT INTO events(id, at, kind, version, body, digest) \
             SELECT (?1 << 32) | seq, at, kind, version, body, digest FROM events \
             WHERE id > ?2 AND id <= ?3 ORDER BY id",
        )?
        .execute([run.0, key(from, last), key(from, end)])?;
    if copied as u64 != end.0 - last.0 {
        return Err(rusqlite::Error::QueryReturnedNoRows);
    }
    let mut chain = chain_to_continue(tx, run, last)?;
    let sql = "SELECT seq, at, kind, version, body, digest, id FROM events \
               WHERE id > ? AND id <= ? ORDER BY id";
    let mut statement = tx.prepare_cached(sql)?;
    let mut rows = statement.query([key(run, last), key(run, end)])?;
    while let Some(row) = rows.next()? {
        let seq = Seq(row.get(0)?);
        if let Some(digest) = row.get_ref(5)?.as_blob_or_null()? {
            chain.add(seq, digest);
        } else {
            // Events that an older program wrote have no digest yet.
            let (digest, id) = (digest_row(row, 5)?, row.get::<_, u64>(6)?);
            tx.prepare_cached("UPDATE events SET digest = ? WHERE id = ?")?
                .execute(params![digest, id])?;
            chain.add(seq, &digest);
        }
    }
    chain.write(tx, run)
}

/// The other run may have been deleted after it was read.
fn check_listed(db: &Connection, run: RunId) -> rusqlite::Result<()> {
    let is_listed = db
        .prepare_cached("SELECT 1 FROM runs WHERE id = ?")?
        .exists([run.0])?;
    if is_listed {
        Ok(())
    } else {
        Err(rusqlite::Error::QueryReturnedNoRows)
    }
}

/// What is being done, for messages.
const FORK: &str = "fork a run";

impl Journal {
    /// Makes a run that has the events of `from` up to `at`, and then `events`, whose first says that
    /// it was forked. The number in `config`, which is that of the other run, is replaced: by `number`, if another
    /// journal handed one out, else by the next one.
    pub fn fork_run(
        &mut self,
        number: Option<RunId>,
        origin: Origin,
        config: RunConfig,
        past: CopiedPast,
        events: Vec<Event>,
        now: Millis,
    ) -> Result<RunId, JournalError> {
        let made = self.make_fork(number, (origin, config, past), events, now);
        match made {
            // Nothing else is looked for and not found than the run that is copied.
            Err(JournalError::Store {
                source: rusqlite::Error::QueryReturnedNoRows,
                ..
            }) => Err(JournalError::NoRun {
                run: origin.0,
                path: self.path(),
            }),
            made => made,
        }
    }

    fn make_fork(
        &mut self,
        number: Option<RunId>,
        (origin, mut config, past): (Origin, RunConfig, CopiedPast),
        events: Vec<Event>,
        now: Millis,
    ) -> Result<RunId, JournalError> {
        let (run, lock) = self.reserve_number(number, origin.0, &mut config)?;
        let made = self.copy_past(run, origin).and_then(|()| {
            self.write(FORK, |tx| {
                check_listed(tx, origin.0)?;
                insert_run(tx, Some(run), &config, now)?;
                append(tx, run, origin.1, now, events)?;
                tx.execute(
                    "UPDATE runs SET ticks = ?2, attempts = ?3, failed = ?4 WHERE id = ?1",
                    params![run.0, past.ticks, past.attempts, past.failed],
                )?;
                runs::seal(tx, run)?;
                end(tx, run)
            })
        });
        if made.is_err()
            && let Err(error) = self.clear(run, Work::Fork)
        {
            tracing::warn!("what was copied for run {run} is cleared away later: {error}");
        }
        drop(lock);
        made.map(|()| run)
    }

    /// Takes a number for a fork and writes its first event, so that no other run gets it.
    pub(super) fn reserve_number(
        &mut self,
        number: Option<RunId>,
        from: RunId,
        config: &mut RunConfig,
    ) -> Result<(RunId, DriverLock), JournalError> {
        let place = self.place.clone();
        self.write(FORK, |tx| {
            check_listed(tx, from)?;
            let run = match number {
                Some(run) => run,
                None => RunId(last_run(tx)? + 1),
            };
            // Taken before others can see that it is under way, and take it for what a killed process left.
            let lock = match place.lock_driver(run) {
                Ok(lock) => lock,
                Err(error) => return Ok(Err(error)),
            };
            config.run = run;
            let sql = "SELECT at FROM events WHERE id = ?";
            let started = tx.query_row(sql, [key(from, Seq(1))], |row| row.get(0).map(Millis))?;
            let config = Box::new(config.clone());
            append(tx, run, Seq(0), started, vec![Event::RunStarted { config }])?;
            begin(tx, run, Work::Fork)?;
            Ok(Ok((run, lock)))
        })?
    }

    fn copy_past(&mut self, run: RunId, (from, at): Origin) -> Result<(), JournalError> {
        let mut last = Seq(1);
        while last < at {
            last = self.copy_batch(run, (from, at), last)?;
            self.let_others_write();
        }
        Ok(())
    }

    /// Copies the next events after `last`, in one transaction; the number of the last of them.
    pub(super) fn copy_batch(
        &mut self,
        run: RunId,
        (from, at): Origin,
        last: Seq,
    ) -> Result<Seq, JournalError> {
        let range = (key(from, last), key(from, at));
        let batch = self.read(FORK, |db| next_batch(db, range, "TRUE"))?;
        let end = match batch.is_last {
            true => at,
            false => Seq(batch.last & SEQ_MAX.0),
        };
        self.write(FORK, |tx| copy(tx, (from, run), (last, end)))?;
        Ok(end)
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
