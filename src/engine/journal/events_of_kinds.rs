//! Picking: the few events of a run that one looks for, without reading the many between them.

use super::key::{SEQ_MAX, key};
use super::{Journal, JournalError, codec};
use pithead_core::domain::run::event::Recorded;
use pithead_world::ids::{RunId, Seq};
use rusqlite::params;

impl Journal {
    /// At most `limit` events of these kinds after `after`, oldest first. `kinds` are stored names.
    pub fn events_of_kinds(
        &self,
        run: RunId,
        after: Seq,
        kinds: &[&str],
        limit: usize,
    ) -> Result<Vec<Recorded>, JournalError> {
        let range = [key(run, after), key(run, SEQ_MAX)];
        self.read_events_of_kinds(run, range, kinds, "ASC", limit)
    }

    /// The last event of these kinds before `before`.
    pub fn last_before(
        &self,
        run: RunId,
        before: Seq,
        kinds: &[&str],
    ) -> Result<Option<Recorded>, JournalError> {
        let last = Seq(before.0.saturating_sub(1));
        let range = [key(run, Seq(0)), key(run, last)];
        Ok(self
            .read_events_of_kinds(run, range, kinds, "DESC", 1)?
            .pop())
    }

    fn read_events_of_kinds(
        &self,
        run: RunId,
        [after, last]: [u64; 2],
        kinds: &[&str],
        order: &str,
        limit: usize,
    ) -> Result<Vec<Recorded>, JournalError> {
        let fault = |e| self.fault("read events", e);
        // Stored names are words of ours and need no quoting.
        let sql = format!(
            "SELECT seq, at, kind, version, body, digest FROM events WHERE id > ? AND id <= ? \
             AND kind IN ('{}') ORDER BY id {order} LIMIT ?",
            kinds.join("','")
        );
        let mut statement = self.db.prepare_cached(&sql).map_err(fault)?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows = statement.query_map(params![after, last, limit], |row| {
            codec::fact_from_row(&self.db, run, row)
        });
        rows.map_err(fault)?
            .map(|row| row.map_err(fault)?)
            .collect()
    }
}
