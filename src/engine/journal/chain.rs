//! The chain of a run: one digest over the digests of all its events in their order, and where it ends.
//!
//! An event that is lost, moved or put between others breaks it. Invariant: it is written in the
//! transaction of the events that it covers; events of older programs, which have no digest, precede it.

use super::corrupt;
use super::digest::{Digest, link};
use super::key::{Ascending, SEQ_MAX, key};
use pithead_world::ids::{RunId, Seq};
use rusqlite::{Connection, OptionalExtension, Transaction, params};

pub(super) const TABLE: &str = "
CREATE TABLE chain(
    run INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    head BLOB NOT NULL
) STRICT;
";

/// What covers the events of a run from `first` to `last`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Chain {
    pub(super) first: Seq,
    pub(super) last: Seq,
    pub(super) head: Digest,
}

impl Chain {
    /// A chain whose first event follows number `seq`.
    fn after(seq: Seq) -> Self {
        Self {
            first: seq.next(),
            last: seq,
            head: Digest::default(),
        }
    }

    /// Covers one more event.
    pub(super) fn add(&mut self, seq: Seq, digest: &[u8]) {
        self.last = seq;
        self.head = link(&self.head, digest);
    }

    pub(super) fn write(&self, tx: &Transaction<'_>, run: RunId) -> rusqlite::Result<()> {
        let sql = "INSERT INTO chain(run, first, last, head) VALUES(?,?,?,?) \
                   ON CONFLICT(run) DO UPDATE SET first = excluded.first, last = excluded.last, head = excluded.head";
        tx.prepare_cached(sql)?
            .execute(params![run.0, self.first.0, self.last.0, self.head])?;
        Ok(())
    }
}

/// The chain that the run's next event continues; refuses if the run does not end where its chain does.
pub(super) fn chain_to_continue(
    tx: &Transaction<'_>,
    run: RunId,
    last: Seq,
) -> rusqlite::Result<Chain> {
    match chain_of_run(tx, run)? {
        Some(chain) if chain.last == last => Ok(chain),
        Some(chain) => Err(corrupt(format!(
            "run {run} ends at event {last}, and event {} was its last",
            chain.last
        ))),
        None => Ok(Chain::after(last)),
    }
}

pub(super) fn chain_of_run(db: &Connection, run: RunId) -> rusqlite::Result<Option<Chain>> {
    db.prepare_cached("SELECT first, last, head FROM chain WHERE run = ?")?
        .query_row([run.0], |row| {
            Ok(Chain {
                first: Seq(row.get(0)?),
                last: Seq(row.get(1)?),
                head: row.get(2)?,
            })
        })
        .optional()
}

/// Puts this chain in the place of the run's; none if none of its events has a digest.
pub(super) fn replace_chain(
    tx: &Transaction<'_>,
    run: RunId,
    chain: Option<Chain>,
) -> rusqlite::Result<()> {
    match chain {
        Some(chain) => chain.write(tx, run),
        None => tx
            .prepare_cached("DELETE FROM chain WHERE run = ?")?
            .execute([run.0])
            .map(drop),
    }
}

/// The chain of the events for which `which` holds; none if none of them has a digest.
pub(super) fn chain_of_events(
    db: &Connection,
    run: RunId,
    which: &str,
) -> rusqlite::Result<Option<Chain>> {
    let sql = format!(
        "SELECT seq, digest FROM events WHERE id > ? AND id <= ? AND digest IS NOT NULL AND {which} ORDER BY id"
    );
    let mut statement = db.prepare_cached(&sql)?;
    let mut rows = statement.query([key(run, Seq(0)), key(run, SEQ_MAX)])?;
    let mut chain: Option<Chain> = None;
    let mut order = Ascending::after(0);
    while let Some(row) = rows.next()? {
        let seq = Seq(row.get(0)?);
        order.take(seq.0)?;
        let chain = chain.get_or_insert_with(|| Chain::after(Seq(seq.0.saturating_sub(1))));
        chain.add(seq, row.get_ref(1)?.as_blob()?);
    }
    Ok(chain)
}
