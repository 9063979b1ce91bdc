//! Overruled labels: which attempts a person judged otherwise, and what was learnt from the old label.
//!
//! The events say it all; an index over those few finds them, made with the first of them in a file of an older
//! program. Invariant: the documents themselves stay as they were written.

use super::key::{SEQ_MAX, key};
use super::{EntryFilter, Journal, JournalError, codec};
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::knowledge::{Entry, Status};
use pithead_core::domain::run::event::Event;
use pithead_world::clock::Millis;
use pithead_world::ids::{AttemptId, ExperienceId, KnowledgeId, RunId, Seq};
use rusqlite::{Connection, Transaction, params};
use serde::Serialize;
use std::collections::BTreeMap;

/// A label that was replaced.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Overruled {
    pub run: RunId,
    pub attempt: AttemptId,
    pub was: FailureReason,
    pub label: FailureReason,
    pub reason: String,
    pub by: String,
    pub at: Millis,
}

/// An entry that rests on an attempt whose label was wrong, and that nobody has looked at since.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Doubt {
    pub entry: KnowledgeId,
    pub title: String,
    pub status: Status,
    pub overruled: Overruled,
}

/// It has a row for each overruled label only.
pub(super) const INDEX: &str =
    "CREATE INDEX IF NOT EXISTS events_overruled ON events(id) WHERE kind = 'label.overruled'";

/// Sees to it that overrules are found without a walk through all events.
pub(super) fn project(tx: &Transaction<'_>, event: &Event) -> rusqlite::Result<()> {
    if matches!(event, Event::LabelOverruled { .. }) {
        tx.execute_batch(INDEX)?;
    }
    Ok(())
}

/// False in a file of an older program in which no label was ever overruled.
fn is_indexed(db: &Connection) -> rusqlite::Result<bool> {
    db.prepare_cached("SELECT 1 FROM sqlite_schema WHERE name = 'events_overruled'")?
        .exists([])
}

impl Journal {
    /// All overrules of a run, or of all runs, oldest first within each.
    pub fn overruled(&self, run: Option<RunId>) -> Result<Vec<Overruled>, JournalError> {
        let fault = |e| self.fault("read overruled labels", e);
        if !is_indexed(&self.db).map_err(fault)? {
            return Ok(Vec::new());
        }
        let (first, last) = run.map_or((0, i64::MAX.unsigned_abs()), |run| {
            (key(run, Seq(0)), key(run, SEQ_MAX))
        });
        let sql = "SELECT seq, at, kind, version, body, digest, run FROM events \
                   WHERE kind = 'label.overruled' AND id > ? AND id <= ? ORDER BY id";
        let mut statement = self.db.prepare_cached(sql).map_err(fault)?;
        let rows = statement.query_map(params![first, last], |row| {
            codec::fact_from_row(&self.db, RunId(row.get(6)?), row)
        });
        let rows: Vec<_> = rows
            .map_err(fault)?
            .collect::<rusqlite::Result<_>>()
            .map_err(fault)?;
        // What cannot be read is named when its run is read.
        Ok(rows
            .into_iter()
            .filter_map(Result::ok)
            .filter_map(|fact| overruled(fact.run, fact.at, fact.event))
            .collect())
    }

    /// The label in force, if it is not the one in the document.
    pub(super) fn overruled_label(
        &self,
        id: ExperienceId,
    ) -> Result<Option<FailureReason>, JournalError> {
        let of_run = self.overruled(Some(id.run))?;
        let own = of_run.iter().rev().find(|o| o.attempt.0 == id.n);
        Ok(own.map(|overruled| overruled.label))
    }

    /// Entries that were distilled from a label that was overruled, and that nobody has edited or
    /// approved since: to be reviewed.
    pub fn in_doubt(&self) -> Result<Vec<Doubt>, JournalError> {
        let latest: BTreeMap<ExperienceId, Overruled> = self
            .overruled(None)?
            .into_iter()
            .map(|o| {
                (
                    ExperienceId {
                        run: o.run,
                        n: o.attempt.0,
                    },
                    o,
                )
            })
            .collect();
        if latest.is_empty() {
            return Ok(Vec::new());
        }
        let entries = self.knowledge(EntryFilter::default())?;
        Ok(entries
            .iter()
            .filter_map(|entry| doubt(entry, &latest))
            .collect())
    }
}

fn overruled(run: RunId, at: Millis, event: Event) -> Option<Overruled> {
    let Event::LabelOverruled {
        attempt,
        was,
        label,
        reason,
        by,
    } = event
    else {
        return None;
    };
    Some(Overruled {
        run,
        attempt,
        was,
        label,
        reason,
        by,
        at,
    })
}

fn doubt(entry: &Entry, latest: &BTreeMap<ExperienceId, Overruled>) -> Option<Doubt> {
    if !matches!(entry.status, Status::Active | Status::Proposed) {
        return None;
    }
    let seen = entry.history.last().map(|change| change.at);
    let cited = &entry.provenance.experiences;
    let found = cited.iter().filter_map(|id| latest.get(id));
    let newest = found.max_by_key(|overruled| overruled.at)?;
    (seen.is_none_or(|seen| seen < newest.at)).then(|| Doubt {
        entry: entry.id,
        title: entry.title.clone(),
        status: entry.status,
        overruled: newest.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made later, it would hold the write lock for as long as it takes to go through all events.
    #[test]
    fn a_new_database_has_an_index_of_overruled_labels() {
        let journal = Journal::in_memory().unwrap();
        assert!(is_indexed(journal.connection()).unwrap());
    }
}
