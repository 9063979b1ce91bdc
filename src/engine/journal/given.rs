//! Given: in which runs an entry took part, from the events that say so.

use super::{Journal, JournalError, corrupt};
use pithead_core::domain::knowledge::EntryUse;
use pithead_world::clock::Millis;
use pithead_world::ids::{KnowledgeId, RunId, Seq};
use rusqlite::Row;
use serde_json::Value;
use std::collections::BTreeSet;

/// One use of an entry that counts for or against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryDeed {
    pub run: RunId,
    pub seq: Seq,
    pub at: Millis,
    /// Blocked, helped or hurt.
    pub how: EntryUse,
}

impl Journal {
    /// The runs that were given this entry, or used it after they had learnt it themselves.
    pub fn runs_given(&self, entry: KnowledgeId) -> Result<BTreeSet<RunId>, JournalError> {
        self.read("look where an entry took part", |db| {
            let sql = "SELECT DISTINCT run FROM events \
                       WHERE kind = 'knowledge.used' AND body ->> '$.id' = ?";
            let mut statement = db.prepare_cached(sql)?;
            let found = statement.query_map([entry.to_string()], |row| row.get(0).map(RunId))?;
            found.collect()
        })
    }

    /// Where this entry blocked, helped or hurt, in the order of runs and events. The past that a fork copied is
    /// told where it happened.
    pub fn deeds_of(&self, entry: KnowledgeId) -> Result<Vec<EntryDeed>, JournalError> {
        let all: Vec<EntryDeed> = self.read("look what an entry did", |db| {
            let sql = "SELECT run, seq, at, body ->> '$.how' FROM events \
                       WHERE kind = 'knowledge.used' AND body ->> '$.id' = ? \
                       AND body ->> '$.how' IN ('blocked', 'helped', 'hurt') ORDER BY id";
            let mut statement = db.prepare_cached(sql)?;
            let found = statement.query_map([entry.to_string()], deed)?;
            found.collect()
        })?;
        let copied = self.runs()?.into_iter();
        let copied: Vec<(RunId, Seq)> = copied
            .filter_map(|run| Some((run.id, run.origin?.1)))
            .collect();
        let is_copied = |deed: &EntryDeed| {
            copied
                .iter()
                .any(|(run, at)| deed.run == *run && deed.seq <= *at)
        };
        Ok(all.into_iter().filter(|deed| !is_copied(deed)).collect())
    }
}

fn deed(row: &Row<'_>) -> rusqlite::Result<EntryDeed> {
    let how: String = row.get(3)?;
    Ok(EntryDeed {
        run: RunId(row.get(0)?),
        seq: Seq(row.get(1)?),
        at: Millis(row.get(2)?),
        how: serde_json::from_value(Value::String(how))
            .map_err(|error| corrupt(error.to_string()))?,
    })
}
