//! Reading the events of a run: page by page, or the few that one looks for without the many between them.

use super::key::{Ascending, SEQ_MAX, key};
use super::{Journal, JournalError, codec};
use pithead_core::domain::run::event::Recorded;
use pithead_world::ids::{RunId, Seq};
use rusqlite::params;

impl Journal {
    /// At most `limit` events after `after`, oldest first.
    pub fn events(
        &self,
        run: RunId,
        after: Seq,
        limit: usize,
    ) -> Result<Vec<Recorded>, JournalError> {
        let range = [key(run, after), key(run, SEQ_MAX)];
        self.read_events(run, range, &Picked::First("TRUE", limit))
    }

    /// At most `limit` events of these kinds after `after`, oldest first. `kinds` are stored names.
    pub fn events_of_kinds(
        &self,
        run: RunId,
        after: Seq,
        kinds: &[&str],
        limit: usize,
    ) -> Result<Vec<Recorded>, JournalError> {
        let range = [key(run, after), key(run, SEQ_MAX)];
        self.read_events(run, range, &Picked::First(&is_of(kinds), limit))
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
            .read_events(run, range, &Picked::Last(&is_of(kinds)))?
            .pop())
    }

    /// Events whose keys are after the first and up to the second.
    fn read_events(
        &self,
        run: RunId,
        [after, last]: [u64; 2],
        picked: &Picked<'_>,
    ) -> Result<Vec<Recorded>, JournalError> {
        let fault = |e| self.fault("read events", e);
        let (which, order, limit) = match picked {
            Picked::First(which, limit) => (which, "ASC", *limit),
            Picked::Last(which) => (which, "DESC", 1),
        };
        let sql = format!(
            "SELECT seq, at, kind, version, body, digest FROM events \
             WHERE id > ? AND id <= ? AND {which} ORDER BY id {order} LIMIT ?"
        );
        let mut statement = self.db.prepare_cached(&sql).map_err(fault)?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let mut rows = statement
            .query(params![after, last, limit])
            .map_err(fault)?;
        let mut order = Ascending::after(after);
        let mut events = Vec::new();
        while let Some(row) = rows.next().map_err(fault)? {
            let seq = row.get(0).map(Seq).map_err(fault)?;
            order.take(key(run, seq)).map_err(fault)?;
            events.push(codec::fact_from_row(&self.db, run, row).map_err(fault)??);
        }
        Ok(events)
    }
}

/// Which events of a range are read, by a condition on the rows.
enum Picked<'a> {
    First(&'a str, usize),
    Last(&'a str),
}

/// Stored names are words of ours and need no quoting.
fn is_of(kinds: &[&str]) -> String {
    format!("kind IN ('{}')", kinds.join("','"))
}
