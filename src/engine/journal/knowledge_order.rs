//! The order in which events changed the knowledge base: those of several runs and of the log, as they
//! were written.
//!
//! The base is the fold of these events in this order. The last number is also what the base is known
//! by: as long as it stays the same, so does the base.

use super::codec;
use super::key::SEQ_MAX;
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_world::ids::{KnowledgeId, RunId, Seq};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Transaction};
use std::collections::BTreeSet;

pub(super) const TABLE: &str = "
CREATE TABLE knowledge_order(
    n INTEGER PRIMARY KEY,
    event INTEGER NOT NULL UNIQUE
) STRICT;
";

/// What the stored names of events about knowledge begin with.
const KINDS: &str = "knowledge.";

/// Writes down that an event changed the base.
pub(super) fn project(tx: &Transaction<'_>, event: u64, kind: &str) -> rusqlite::Result<()> {
    if kind.starts_with(KINDS) {
        tx.prepare_cached("INSERT INTO knowledge_order(event) VALUES(?)")?
            .execute([event])?;
    }
    Ok(())
}

/// The number of the last change; 0 if there was none.
pub(super) fn last_change(db: &Connection) -> rusqlite::Result<u64> {
    db.prepare_cached("SELECT coalesce(max(n), 0) FROM knowledge_order")?
        .query_row([], |row| row.get(0))
}

/// The events that changed the base.
pub(super) fn all(db: &Connection) -> rusqlite::Result<BTreeSet<u64>> {
    let mut statement = db.prepare("SELECT event FROM knowledge_order")?;
    statement.query_map([], |row| row.get(0))?.collect()
}

/// Shows each event that changed the base, in this order, or which one is missing or cannot be read.
pub(super) fn each_event(
    db: &Connection,
    mut show: impl FnMut(Result<Recorded, (RunId, Seq)>) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let sql = "SELECT seq, at, kind, version, body, digest, event FROM knowledge_order \
               LEFT JOIN events ON events.id = knowledge_order.event ORDER BY n";
    let mut statement = db.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let event: u64 = row.get(6)?;
        let (run, seq) = (RunId(event >> 32), Seq(event & SEQ_MAX.0));
        let is_there = row.get_ref(0)? != ValueRef::Null;
        show(match is_there {
            true => codec::fact_from_row(db, run, row)?.map_err(|_| (run, seq)),
            false => Err((run, seq)),
        })?;
    }
    Ok(())
}

/// The entries that an event changes.
pub(super) fn entries_changed(event: &Event) -> Vec<KnowledgeId> {
    match event {
        Event::KnowledgeProposed { entry } => vec![entry.id],
        Event::KnowledgeMerged { into, .. } => vec![*into],
        Event::KnowledgeActivated { id, .. }
        | Event::KnowledgeEdited { id, .. }
        | Event::KnowledgeVetoed { id, .. }
        | Event::KnowledgeMoved { id, .. }
        | Event::KnowledgeUsed { id, .. } => vec![*id],
        Event::KnowledgeMeasured {
            given, withheld, ..
        } => given.iter().chain(withheld).copied().collect(),
        _ => Vec::new(), // nothing else changes one
    }
}
