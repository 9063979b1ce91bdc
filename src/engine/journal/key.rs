//! Where an event lies in the table, run × 2³² + seq, and where the events of a run end.

use pithead_world::ids::{RunId, Seq};
use rusqlite::{Connection, OptionalExtension};

/// The most events that a run's keys have room for; at one per tick, seven years of world time.
pub(super) const SEQ_MAX: Seq = Seq(u32::MAX as u64);

/// Where an event lies in the table.
pub(super) fn key(run: RunId, seq: Seq) -> u64 {
    (run.0 << 32) | seq.0.min(SEQ_MAX.0)
}

/// The number of the run's last event; none if it has no events.
pub(super) fn last_seq(db: &Connection, run: RunId) -> rusqlite::Result<Option<Seq>> {
    db.prepare_cached("SELECT seq FROM events WHERE id > ? AND id <= ? ORDER BY id DESC LIMIT 1")?
        .query_row([key(run, Seq(0)), key(run, SEQ_MAX)], |row| {
            row.get(0).map(Seq)
        })
        .optional()
}
