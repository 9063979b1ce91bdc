//! Snapshots: a fold of a run as it was at some of its events, kept in a file beside the database, so that who
//! wants to see a late event need not read all events before it.
//!
//! Nothing rests on them: whoever finds none folds. Invariants: one is handed out only to the program that
//! folds alike, with the bytes that were written, and for the very events that it was folded from; a deleted
//! run has none; the file is bounded.

use super::companion::{real_path, with_suffix};
use super::create::open_private;
use super::digest::{Digest, digest_row, digest_values, link};
use super::key::key;
use super::{Journal, JournalError, Place, fault_at, number};
use pithead_world::ids::{RunId, Seq};
use rusqlite::{
    Connection, OpenFlags, OptionalExtension, Transaction, TransactionBehavior, params,
};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What the file's name has after that of the database.
const SUFFIX: &str = "-snapshots";
/// "PITS" in ASCII, and the form of the table.
const APPLICATION_ID: i64 = 0x5049_5453;
const FORMAT: i64 = 1;
/// A fold that takes more is not kept.
const BODY_BYTES_MAX: usize = 16 << 20;
/// Of one run; the closest ones go first.
const OF_RUN_MAX: usize = 24;
/// Of all runs; those that were written first go first.
const BYTES_MAX: u64 = 256 << 20;
/// Whoever looks for one is better off folding than waiting for long.
const WAIT: Duration = Duration::from_millis(500);

const TABLE: &str = "
CREATE TABLE snapshots(
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    tick INTEGER NOT NULL,
    fold TEXT NOT NULL,
    origin BLOB NOT NULL,
    body BLOB NOT NULL,
    digest BLOB NOT NULL,
    UNIQUE(run, seq)
) STRICT;
";

/// A fold at an event; what the bytes mean is known to whoever folds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    pub seq: Seq,
    /// World time there.
    pub tick: u64,
    pub body: Vec<u8>,
}

/// How late a snapshot may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SnapshotBound {
    /// At this event, or before it.
    Event(Seq),
    /// Before this tick.
    Tick(u64),
}

impl Journal {
    /// The last snapshot of the run within the bound that can be believed, among those of this fold.
    pub fn last_snapshot(
        &self,
        run: RunId,
        fold: &str,
        bound: SnapshotBound,
    ) -> Result<Option<Snapshot>, JournalError> {
        let Some(path) = self.snapshot_file().filter(|path| path.exists()) else {
            return Ok(None);
        };
        let fault = fault_at("read snapshots", &path);
        let db = open(&path).map_err(&fault)?;
        if !is_ours(&db).map_err(&fault)? {
            return Ok(None);
        }
        let (seq_max, tick_max) = match bound {
            SnapshotBound::Event(seq) => (seq.0, i64::MAX.unsigned_abs()),
            SnapshotBound::Tick(tick) => (i64::MAX.unsigned_abs(), tick.saturating_sub(1)),
        };
        let sql = "SELECT run, seq, tick, fold, origin, body, digest FROM snapshots \
                   WHERE run = ? AND fold = ? AND seq <= ? AND tick <= ? ORDER BY seq DESC";
        let mut statement = db.prepare(sql).map_err(&fault)?;
        let rows = statement.query(params![run.0, fold, seq_max, tick_max]);
        let mut rows = rows.map_err(&fault)?;
        while let Some(row) = rows.next().map_err(&fault)? {
            let believed = self.read("read a run", |events| believed(events, run, row))?;
            if believed.is_some() {
                return Ok(believed);
            }
        }
        Ok(None)
    }

    /// True if there is a snapshot of this fold at the event.
    pub fn has_snapshot(&self, run: RunId, fold: &str, at: Seq) -> Result<bool, JournalError> {
        let found = self.last_snapshot(run, fold, SnapshotBound::Event(at))?;
        Ok(found.is_some_and(|snapshot| snapshot.seq == at))
    }

    /// Keeps a snapshot; nothing is kept of what is too long, has no digest, or belongs to a run that is deleted.
    pub fn keep_snapshot(
        &self,
        run: RunId,
        fold: &str,
        snapshot: &Snapshot,
    ) -> Result<(), JournalError> {
        let Some(path) = self.snapshot_file() else {
            return Ok(());
        };
        if snapshot.body.len() > BODY_BYTES_MAX {
            return Ok(());
        }
        let fault = fault_at("keep a snapshot", &path);
        make_file(&path).map_err(|error| JournalError::Open {
            path: path.clone(),
            because: error.to_string(),
        })?;
        let mut db = open(&path).map_err(&fault)?;
        if !make_table(&mut db).map_err(&fault)? {
            return Ok(());
        }
        let tx = db.transaction_with_behavior(TransactionBehavior::Immediate);
        let tx = tx.map_err(&fault)?;
        // Under the lock: whoever deletes the run takes its snapshots away afterwards, under the same lock.
        let origin = self.read("read a run", |events| {
            let is_there = "SELECT 1 FROM runs WHERE id = ?";
            match events.prepare_cached(is_there)?.exists([run.0])? {
                true => origin_of(events, run, snapshot.seq),
                false => Ok(None),
            }
        })?;
        let Some(origin) = origin else {
            return Ok(());
        };
        let kept = insert(&tx, run, fold, &origin, snapshot);
        kept.and_then(|()| keep_within_bounds(&tx, run))
            .map_err(&fault)?;
        tx.commit().map_err(&fault)
    }

    /// Takes away all snapshots of a run.
    pub(super) fn forget_snapshots(&self, run: RunId) -> Result<(), JournalError> {
        let Some(path) = self.snapshot_file().filter(|path| path.exists()) else {
            return Ok(());
        };
        let fault = fault_at("delete snapshots", &path);
        let db = open(&path).map_err(&fault)?;
        if is_ours(&db).map_err(&fault)? {
            let deleted = db.execute("DELETE FROM snapshots WHERE run = ?", [run.0]);
            deleted.map_err(&fault)?;
        }
        Ok(())
    }

    /// None for a journal in memory.
    fn snapshot_file(&self) -> Option<PathBuf> {
        match &self.place {
            Place::File(path) => Some(snapshots_of(path)),
            Place::Memory(_) => None,
        }
    }
}

/// Where the snapshots of a database lie.
pub(super) fn snapshots_of(database: &Path) -> PathBuf {
    with_suffix(&real_path(database), SUFFIX)
}

/// Removes the snapshots of a database that is replaced.
pub(super) fn remove_snapshots(database: &Path) -> io::Result<()> {
    let file = snapshots_of(database);
    for path in [with_suffix(&file, "-journal"), file] {
        match std::fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => (),
        }
    }
    Ok(())
}

/// What the row holds, if its bytes are those that were written and the run still has the events behind it.
fn believed(
    events: &Connection,
    run: RunId,
    row: &rusqlite::Row<'_>,
) -> rusqlite::Result<Option<Snapshot>> {
    let seq = Seq(row.get(1)?);
    let is_unchanged = digest_row(row, 6)? == row.get::<_, Digest>(6)?;
    if !is_unchanged || origin_of(events, run, seq)? != Some(row.get(4)?) {
        return Ok(None);
    }
    Ok(Some(Snapshot {
        seq,
        tick: row.get(2)?,
        body: row.get(5)?,
    }))
}

/// What tells the events up to this one from those of any other run, of this database or of a backup: the
/// digests of the first and of this one, which hold the moments at which they were written. None if the run
/// does not have them, or if an older program wrote them.
fn origin_of(events: &Connection, run: RunId, seq: Seq) -> rusqlite::Result<Option<Digest>> {
    let mut digest = events.prepare_cached("SELECT digest FROM events WHERE id = ?")?;
    let mut digest_of = |seq: Seq| -> rusqlite::Result<Option<Digest>> {
        let found = digest.query_row([key(run, seq)], |row| row.get::<_, Option<Digest>>(0));
        Ok(found.optional()?.flatten())
    };
    let (first, last) = (digest_of(Seq(1))?, digest_of(seq)?);
    Ok(first.zip(last).map(|(first, last)| link(&first, &last)))
}

fn insert(
    tx: &Transaction<'_>,
    run: RunId,
    fold: &str,
    origin: &Digest,
    snapshot: &Snapshot,
) -> rusqlite::Result<()> {
    let Snapshot { seq, tick, body } = snapshot;
    // What another fold left of this run is of no use to this program.
    let stale = "DELETE FROM snapshots WHERE run = ? AND fold <> ?";
    tx.execute(stale, params![run.0, fold])?;
    let digest = digest_values(params![run.0, seq.0, tick, fold, origin, body])?;
    let sql = "INSERT OR REPLACE INTO snapshots(run, seq, tick, fold, origin, body, digest) \
               VALUES(?,?,?,?,?,?,?)";
    tx.execute(sql, params![run.0, seq.0, tick, fold, origin, body, digest])?;
    Ok(())
}

fn keep_within_bounds(tx: &Transaction<'_>, run: RunId) -> rusqlite::Result<()> {
    let mut statement = tx.prepare("SELECT seq FROM snapshots WHERE run = ? ORDER BY seq")?;
    let seqs = statement.query_map([run.0], |row| row.get::<_, u64>(0))?;
    let mut seqs: Vec<u64> = seqs.collect::<rusqlite::Result<_>>()?;
    while seqs.len() > OF_RUN_MAX {
        // What lies closest to the one before it; the last one stays, for the end is asked for most.
        let gap = |at: &usize| seqs[*at] - seqs[*at - 1];
        let Some(closest) = (1..seqs.len() - 1).min_by_key(gap) else {
            break;
        };
        let sql = "DELETE FROM snapshots WHERE run = ? AND seq = ?";
        tx.execute(sql, [run.0, seqs.remove(closest)])?;
    }
    let bytes = "SELECT coalesce(sum(octet_length(body)), 0) FROM snapshots";
    while tx.query_row(bytes, [], |row| row.get::<_, u64>(0))? > BYTES_MAX {
        let first = "DELETE FROM snapshots WHERE id = (SELECT min(id) FROM snapshots)";
        if tx.execute(first, [])? == 0 {
            break;
        }
    }
    Ok(())
}

/// A link that lies in its place is not followed.
fn open(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let db = Connection::open_with_flags(path, flags)?;
    db.busy_timeout(WAIT)?;
    // A run that is deleted leaves nothing in free pages.
    db.pragma_update(None, "secure_delete", true)?;
    Ok(db)
}

/// False if the file is another program's, or of another form: it is left as it is.
fn is_ours(db: &Connection) -> rusqlite::Result<bool> {
    let application = number(db, "PRAGMA application_id")?;
    Ok(application == APPLICATION_ID && number(db, "PRAGMA user_version")? == FORMAT)
}

/// Makes the table in a file that is empty; false if the file is not ours.
fn make_table(db: &mut Connection) -> rusqlite::Result<bool> {
    let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if number(&tx, "SELECT count(*) FROM sqlite_schema")? == 0 {
        tx.pragma_update(None, "application_id", APPLICATION_ID)?;
        tx.pragma_update(None, "user_version", FORMAT)?;
        tx.execute_batch(TABLE)?;
    }
    tx.commit()?;
    is_ours(db)
}

/// Makes the file for its owner alone, unless it is there.
fn make_file(path: &Path) -> io::Result<()> {
    match open_private(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        Ok(_) | Err(_) => Ok(()),
    }
}
