//! Work that takes several transactions, so that nobody waits long for the write lock: the events of a deleted
//! run are cleared away, and those of a forked run copied, some hundred at a time.
//!
//! A row of `unfinished` says what is under way, from the first transaction to the last. A killed process leaves
//! it, and whoever opens the database for writing next clears up. Invariants: a run that stands there has no row
//! in `runs`, so that no list shows it; whoever works on it holds its driver's lock.

use super::key::{Ascending, SEQ_MAX, key};
use super::{Journal, JournalError, Place, blobs, busy};
use pithead_world::ids::{RunId, Seq};
use rusqlite::{Connection, Transaction, params};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// Made when a file is opened for writing, so that older files have it too.
pub(super) const TABLE: &str = "
CREATE TABLE IF NOT EXISTS unfinished(
    run INTEGER PRIMARY KEY,
    work TEXT NOT NULL
) STRICT;
";

/// Which events of a deleted run stay.
pub(super) const STAYS: &str = "(kind IN ('run.started', 'attempt.ended', 'label.overruled', 'run.recounted') \
                                OR kind LIKE 'knowledge.%')";

/// Events of one transaction: it holds the write lock for some milliseconds.
pub(super) const BATCH_EVENTS: u64 = 500;
/// Long events make a batch shorter.
const BATCH_BYTES: u64 = 512 << 10;

static EVENTS_MAX: AtomicU64 = AtomicU64::new(BATCH_EVENTS);

/// Events that one transaction clears away or copies at most: a few, where kills between them are to be likely.
pub fn set_batch_events(count: u64) {
    EVENTS_MAX.store(count, Ordering::Relaxed);
}

/// What is under way with a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    /// It was deleted: what does not stay is cleared away.
    Delete,
    /// It is being forked. Without its process nothing of it stays.
    Fork,
}

impl Work {
    /// The stored name.
    fn name(self) -> &'static str {
        match self {
            Self::Delete => "delete",
            Self::Fork => "fork",
        }
    }

    /// The condition on events that are cleared away; the first event of a run is left out in any case.
    fn cleared(self) -> String {
        match self {
            Self::Delete => format!("NOT {STAYS}"),
            Self::Fork => "TRUE".to_owned(),
        }
    }
}

/// Keeps that the work is under way.
pub(super) fn begin(tx: &Transaction<'_>, run: RunId, work: Work) -> rusqlite::Result<()> {
    tx.prepare_cached("INSERT OR REPLACE INTO unfinished(run, work) VALUES(?,?)")?
        .execute(params![run.0, work.name()])?;
    Ok(())
}

/// Keeps that it is done.
pub(super) fn end(tx: &Transaction<'_>, run: RunId) -> rusqlite::Result<()> {
    tx.prepare_cached("DELETE FROM unfinished WHERE run = ?")?
        .execute([run.0])?;
    Ok(())
}

/// All that is under way. None in a file that no program of this kind has opened for writing.
pub(super) fn all_unfinished(db: &Connection) -> rusqlite::Result<BTreeMap<RunId, Work>> {
    if !db.table_exists(None, "unfinished")? {
        return Ok(BTreeMap::new());
    }
    // A row that a damaged file has for a run on the list brings no harm to the run.
    let sql = "SELECT run, work = 'fork' FROM unfinished \
               WHERE run BETWEEN 1 AND 0x7fffffff AND run NOT IN (SELECT id FROM runs)";
    let mut statement = db.prepare_cached(sql)?;
    let rows = statement.query_map([], |row| {
        let work = if row.get(1)? {
            Work::Fork
        } else {
            Work::Delete
        };
        Ok((RunId(row.get(0)?), work))
    })?;
    rows.collect()
}

fn is_under_way(db: &Connection, run: RunId, work: Work) -> rusqlite::Result<bool> {
    db.prepare_cached("SELECT 1 FROM unfinished WHERE run = ? AND work = ?")?
        .exists(params![run.0, work.name()])
}

/// The next events that one transaction takes.
pub(super) struct Batch {
    /// The key of the last one.
    pub(super) last: u64,
    /// No more follow.
    pub(super) is_last: bool,
    /// The names of their long texts.
    texts: Vec<String>,
}

/// The next events for which `which` holds, after the first key and up to the second. Others can write meanwhile.
pub(super) fn next_batch(
    db: &Connection,
    (after, end): (u64, u64),
    which: &str,
) -> rusqlite::Result<Batch> {
    let sql = format!(
        "SELECT id, octet_length(body), {} FROM events WHERE id > ? AND id <= ? AND {which} ORDER BY id",
        blobs::NAME
    );
    let mut statement = db.prepare_cached(&sql)?;
    let mut rows = statement.query([after, end])?;
    let mut batch = Batch {
        last: after,
        is_last: true,
        texts: Vec::new(),
    };
    let (events_max, mut events, mut bytes) = (EVENTS_MAX.load(Ordering::Relaxed), 0, 0);
    let mut order = Ascending::after(after);
    while let Some(row) = rows.next()? {
        if events >= events_max || bytes >= BATCH_BYTES {
            batch.is_last = false;
            break;
        }
        batch.last = row.get(0)?;
        order.take(batch.last)?;
        events += 1;
        bytes += row.get::<_, u64>(1)?;
        batch.texts.extend(row.get::<_, Option<String>>(2)?);
    }
    Ok(batch)
}

impl Journal {
    /// Clears away what killed processes left. What another process works on is left to it.
    pub(super) fn clear_left(&mut self) {
        let left = self.read("look for unfinished work", all_unfinished);
        let cleared = left.and_then(|left| {
            let mut left = left.into_iter();
            left.try_for_each(|(run, work)| self.clear_unless_driven(run, work))
        });
        if let Err(error) = cleared {
            tracing::warn!("what is left of deleted runs is cleared away later: {error}");
        }
    }

    fn clear_unless_driven(&mut self, run: RunId, work: Work) -> Result<(), JournalError> {
        if self.is_driven(run) {
            return Ok(());
        }
        match self.lock_driver(run) {
            Ok(_lock) => self.clear(run, work),
            Err(JournalError::Driven { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Clears away events of a run whose driver's lock is held, batch by batch, unless it is done already.
    pub(super) fn clear(&mut self, run: RunId, work: Work) -> Result<(), JournalError> {
        self.index_texts()?;
        self.forget_snapshots(run)?;
        // The first event goes last: as long as it is there, its number is not given to another run.
        let mut after = key(run, Seq(1));
        while let Some(last) = self.clear_batch(run, work, after)? {
            after = last;
            self.let_others_write();
        }
        Ok(())
    }

    /// Clears the next events away, in one transaction. The key of the last of them; none if it was the end.
    pub(super) fn clear_batch(
        &mut self,
        run: RunId,
        work: Work,
        after: u64,
    ) -> Result<Option<u64>, JournalError> {
        let which = work.cleared();
        let end = key(run, SEQ_MAX);
        let batch = self.read(CLEAR, |db| next_batch(db, (after, end), &which))?;
        self.write(CLEAR, |tx| {
            // Another process may have done it before the lock was taken.
            if !is_under_way(tx, run, work)? {
                return Ok(None);
            }
            let sql = format!("DELETE FROM events WHERE id > ? AND id <= ? AND {which}");
            tx.prepare_cached(&sql)?.execute([after, batch.last])?;
            // Texts that several events share go with the last of them.
            for name in &batch.texts {
                blobs::delete_unused(tx, name)?;
            }
            if batch.is_last {
                end_clearing(tx, run, work)?;
                return Ok(None);
            }
            Ok(Some(batch.last))
        })
    }

    /// Between two transactions, so that who waits for the lock gets it.
    pub(super) fn let_others_write(&self) {
        if matches!(self.place, Place::File(_)) {
            busy::pause_between_writes();
        }
    }

    /// Makes the index of long texts in a file of an older program.
    fn index_texts(&mut self) -> Result<(), JournalError> {
        if self.read(CLEAR, blobs::is_indexed)? {
            return Ok(());
        }
        self.write("index long texts", |tx| tx.execute_batch(blobs::INDEX))
    }
}

/// What is being done, for messages.
const CLEAR: &str = "clear a run away";

fn end_clearing(tx: &Transaction<'_>, run: RunId, work: Work) -> rusqlite::Result<()> {
    if work == Work::Fork {
        tx.execute("DELETE FROM events WHERE id = ?", [key(run, Seq(1))])?;
        tx.execute("DELETE FROM chain WHERE run = ?", [run.0])?;
    }
    end(tx, run)
}
