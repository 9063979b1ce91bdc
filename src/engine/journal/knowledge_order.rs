//! The order in which events changed the knowledge base: those of several runs and of the log, as they
//! were written.
//!
//! The base is the fold of these events in this order. The last number is also what the base is known
//! by: as long as it stays the same, so does the base.

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
