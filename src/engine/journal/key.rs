//! Where an event lies in the table, run × 2³² + seq, and where the events of a run end.

use super::corrupt;
use pithead_world::ids::{RunId, Seq};
use rusqlite::{Connection, OptionalExtension};

/// The most events that a run's keys have room for; at one per tick, seven years of world time.
pub(super) const SEQ_MAX: Seq = Seq(u32::MAX as u64);

/// Where an event lies in the table.
pub(super) fn key(run: RunId, seq: Seq) -> u64 {
    (run.0 << 32) | seq.0.min(SEQ_MAX.0)
}

/// The run whose event lies there.
pub(super) fn run_of(key: u64) -> RunId {
    RunId(key >> 32)
}

/// The number of the run's last event; none if it has no events.
pub(super) fn last_seq(db: &Connection, run: RunId) -> rusqlite::Result<Option<Seq>> {
    db.prepare_cached("SELECT seq FROM events WHERE id > ? AND id <= ? ORDER BY id DESC LIMIT 1")?
        .query_row([key(run, Seq(0)), key(run, SEQ_MAX)], |row| {
            row.get(0).map(Seq)
        })
        .optional()
}

/// Sees that keys ascend. The tree of a damaged table can hand its rows out in a circle, and who goes through them
/// would never come to an end.
pub(super) struct Ascending {
    last: u64,
}

impl Ascending {
    /// All keys come after this one.
    pub(super) fn after(last: u64) -> Self {
        Self { last }
    }

    /// Takes the next key; refuses one that does not come after the last.
    pub(super) fn take(&mut self, key: u64) -> rusqlite::Result<()> {
        if key <= self.last {
            return Err(corrupt(format!(
                "rows are out of order: {key} comes after {}",
                self.last
            )));
        }
        self.last = key;
        Ok(())
    }
}
