//! Given: in which runs an entry took part, from the events that say so.

use super::{Journal, JournalError};
use pithead_world::ids::{KnowledgeId, RunId};
use std::collections::BTreeSet;

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
}
