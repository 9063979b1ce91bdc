//! Knowledge rows: the knowledge base as a projection of the `knowledge.*` events of all runs.
//!
//! Nothing here decides what becomes of an entry; it writes down what the events say.

use super::{Journal, JournalError};
use crate::clock::Millis;
use crate::domain::decision::By;
use crate::domain::event::Event;
use crate::domain::knowledge::{Author, Body, Change, Entry, Status, Use};
use crate::ids::KnowledgeId;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

/// Which entries are wanted; an absent part fits all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Filter {
    pub status: Option<Status>,
    /// As in `Body::kind`.
    pub kind: Option<&'static str>,
}

impl Journal {
    /// The entries that fit, oldest first.
    pub fn knowledge(&self, filter: Filter) -> Result<Vec<Entry>, JournalError> {
        let fault = |e| self.fault("read the knowledge base", e);
        let sql = "SELECT run, n, body FROM knowledge WHERE (?1 IS NULL OR status = ?1) \
                   AND (?2 IS NULL OR kind = ?2) ORDER BY run, n";
        let mut statement = self.db.prepare_cached(sql).map_err(fault)?;
        let rows = statement.query_map(params![filter.status.map(Status::name), filter.kind], read);
        rows.map_err(fault)?
            .map(|row| row.map_err(fault)?)
            .collect()
    }

    /// What the knowledge base holds with this content. A tombstone counts before all else.
    pub fn knowledge_like(
        &self,
        body: &Body,
    ) -> Result<Option<(KnowledgeId, Status)>, JournalError> {
        let sql = "SELECT run, n, body FROM knowledge WHERE signature = ? \
                   AND status IN ('vetoed', 'active', 'proposed') \
                   ORDER BY status = 'vetoed' DESC, status = 'active' DESC, run, n LIMIT 1";
        let fault = |e| self.fault("search the knowledge base", e);
        let mut statement = self.db.prepare_cached(sql).map_err(fault)?;
        let found = statement
            .query_row([body.signature().to_string()], read)
            .optional()
            .map_err(fault)?;
        Ok(found.transpose()?.map(|entry| (entry.id, entry.status)))
    }
}

/// Writes what an event changes in the knowledge base.
pub(super) fn project(tx: &Transaction<'_>, at: Millis, event: &Event) -> rusqlite::Result<()> {
    match event {
        Event::KnowledgeProposed { entry } => store(tx, entry),
        Event::KnowledgeMerged { into, draft } => {
            change(tx, *into, |entry| add_evidence(entry, draft, at))
        }
        Event::KnowledgeActivated { id, by } => change(tx, *id, |entry| {
            entry.status = Status::Active;
            // What a policy waves through at once is no step in an entry's life.
            if !matches!(by, None | Some(By::Policy)) {
                entry.history.push(Change {
                    version: entry.version,
                    at,
                    by: author(by.as_ref()),
                    reason: "approved".to_owned(),
                    before: None,
                });
            }
        }),
        Event::KnowledgeEdited {
            id,
            body,
            reason,
            by,
        } => change(tx, *id, |entry| {
            let before = std::mem::replace(&mut entry.body, body.clone());
            leave_version(entry, at, author(by.as_ref()), reason, Some(before));
        }),
        Event::KnowledgeVetoed { id, reason, by } => change(tx, *id, |entry| {
            entry.status = Status::Vetoed;
            leave_version(entry, at, author(by.as_ref()), reason, None);
        }),
        Event::KnowledgeUsed { id, how, .. } => change(tx, *id, |entry| count(entry, *how)),
        // Nothing else speaks of the knowledge base.
        _ => Ok(()),
    }
}

fn add_evidence(entry: &mut Entry, draft: &Entry, at: Millis) {
    let known = &mut entry.provenance.experiences;
    let new: Vec<_> = draft
        .provenance
        .experiences
        .iter()
        .filter(|e| !known.contains(e))
        .copied()
        .collect();
    known.extend(new);
    entry.confidence = entry.confidence.max(draft.confidence);
    let before = entry.body.clone();
    if entry.body.take_over(&draft.body) {
        let by = draft.author.clone();
        let reason = format!("it took more in \"{}\"", draft.provenance.task);
        leave_version(entry, at, by, &reason, Some(before));
    }
}

/// Old journals do not say who it was.
fn author(by: Option<&By>) -> Author {
    match by {
        Some(By::Operator(name)) => Author::Operator(name.clone()),
        None => Author::Operator("operator".to_owned()),
        Some(By::Timeout) => Author::Policy("time-out".to_owned()),
        Some(By::Policy) => Author::Policy("policy".to_owned()),
    }
}

fn leave_version(entry: &mut Entry, at: Millis, by: Author, reason: &str, before: Option<Body>) {
    let left = Change {
        version: entry.version,
        at,
        by,
        reason: reason.to_owned(),
        before,
    };
    entry.history.push(left);
    entry.version += 1;
}

fn count(entry: &mut Entry, how: Use) {
    let outcomes = &mut entry.outcomes;
    match how {
        Use::Retrieved => outcomes.retrieved += 1,
        Use::Shown => outcomes.shown += 1,
        Use::Matched => outcomes.matched += 1,
        Use::Blocked => outcomes.blocked += 1,
        Use::Helped => outcomes.helped += 1,
        Use::Hurt => outcomes.hurt += 1,
    }
}

/// An entry that is not there is left alone: the event is a fact, the row a convenience.
fn change(
    tx: &Transaction<'_>,
    id: KnowledgeId,
    edit: impl FnOnce(&mut Entry),
) -> rusqlite::Result<()> {
    let Some(Ok(mut entry)) = find(tx, id)? else {
        return Ok(());
    };
    edit(&mut entry);
    store(tx, &entry)
}

fn find(db: &Connection, id: KnowledgeId) -> rusqlite::Result<Option<Result<Entry, JournalError>>> {
    db.prepare_cached("SELECT run, n, body FROM knowledge WHERE run = ? AND n = ?")?
        .query_row(params![id.run.0, id.n], read)
        .optional()
}

fn store(tx: &Transaction<'_>, entry: &Entry) -> rusqlite::Result<()> {
    let body = super::json(entry)?;
    tx.prepare_cached(
        "INSERT OR REPLACE INTO knowledge(run, n, kind, status, signature, version, body) VALUES(?,?,?,?,?,?,?)",
    )?
    .execute(params![
        entry.id.run.0,
        entry.id.n,
        entry.body.kind(),
        entry.status.name(),
        entry.body.signature().to_string(),
        entry.version,
        body,
    ])?;
    Ok(())
}

fn read(row: &Row<'_>) -> rusqlite::Result<Result<Entry, JournalError>> {
    let (run, n): (u64, u64) = (row.get(0)?, row.get(1)?);
    let body = row.get_ref(2)?.as_str()?;
    Ok(
        serde_json::from_str(body).map_err(|error| JournalError::BadEntry {
            id: format!("k{run}.{n}"),
            fault: error.to_string(),
        }),
    )
}
