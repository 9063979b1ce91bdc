//! Knowledge rows: the knowledge base as a projection of the `knowledge.*` events of all runs.
//!
//! Nothing here decides what becomes of an entry; it writes down what the events say.

use super::create::make_tables;
use super::digest::{CHANGED, digest_row, digest_values, is_unchanged};
use super::{Journal, JournalError, knowledge_order};
use pithead_core::domain::knowledge::kind::EntryKind;
use pithead_core::domain::knowledge::title::title_of;
use pithead_core::domain::knowledge::{Author, Body, Change, ChangeNote, Entry, Status};
use pithead_core::domain::run::decision::By;
use pithead_core::domain::run::event::Event;
use pithead_world::clock::Millis;
use pithead_world::ids::{KnowledgeId, RunId};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

/// What is stored of an entry; the digest covers what stands before it.
const COLUMNS: &str = "run, n, kind, status, signature, version, body, digest";
const COLUMNS_COUNT: usize = 7;

/// Which entries are wanted; an absent part fits all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EntryFilter {
    pub status: Option<Status>,
    pub kind: Option<EntryKind>,
}

impl Journal {
    /// The entries that fit, oldest first.
    pub fn knowledge(&self, filter: EntryFilter) -> Result<Vec<Entry>, JournalError> {
        let fault = |e| self.fault("read the knowledge base", e);
        let sql = &format!(
            "SELECT {COLUMNS} FROM knowledge WHERE (?1 IS NULL OR status = ?1) \
                   AND (?2 IS NULL OR kind = ?2) ORDER BY run, n"
        );
        let mut statement = self.db.prepare_cached(sql).map_err(fault)?;
        let rows = statement.query_map(
            params![
                filter.status.map(Status::name),
                filter.kind.map(EntryKind::name)
            ],
            |row| entry_from_row(&self.db, row),
        );
        rows.map_err(fault)?
            .map(|row| row.map_err(fault)?)
            .collect()
    }

    /// What the knowledge base holds with this content. A tombstone counts before all else; what was
    /// merged into another is that other.
    pub fn entry_saying_the_same(
        &self,
        body: &Body,
    ) -> Result<Option<(KnowledgeId, Status)>, JournalError> {
        let sql = &format!(
            "SELECT {COLUMNS} FROM knowledge WHERE signature = ? ORDER BY status = 'vetoed' DESC, \
                   status = 'active' DESC, status = 'proposed' DESC, status = 'superseded' DESC, run, n LIMIT 1"
        );
        let fault = |e| self.fault("search the knowledge base", e);
        let mut statement = self.db.prepare_cached(sql).map_err(fault)?;
        let found = statement
            .query_row([body.signature().to_string()], |row| {
                entry_from_row(&self.db, row)
            })
            .optional()
            .map_err(fault)?;
        let Some(mut entry) = found.transpose()? else {
            return Ok(None);
        };
        for _ in 0..MERGES_MAX {
            let Some(other) = entry.superseded_by() else {
                break;
            };
            match find(&self.db, other).map_err(fault)? {
                Some(next) => entry = next?,
                None => break,
            }
        }
        Ok(Some((entry.id, entry.status)))
    }
}

/// How far a chain of merges is followed; merging goes into entries that live, so chains are short.
const MERGES_MAX: usize = 16;

/// Shows every entry that can be read, and every fault.
pub(super) fn each(
    db: &Connection,
    mut show: impl FnMut(Result<Entry, JournalError>),
) -> rusqlite::Result<()> {
    let mut statement = db.prepare(&format!("SELECT {COLUMNS} FROM knowledge ORDER BY run, n"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        show(stored_entry(row)?);
    }
    Ok(())
}

/// All entries, oldest first.
pub(super) fn all(db: &Connection) -> rusqlite::Result<Result<Vec<Entry>, JournalError>> {
    let mut statement =
        db.prepare_cached(&format!("SELECT {COLUMNS} FROM knowledge ORDER BY run, n"))?;
    let rows = statement.query_map([], |row| entry_from_row(db, row))?;
    rows.collect::<rusqlite::Result<Vec<_>>>()
        .map(|rows| rows.into_iter().collect())
}

/// Writes what an event changes in the knowledge base.
pub(super) fn project(tx: &Transaction<'_>, at: Millis, event: &Event) -> rusqlite::Result<()> {
    match event {
        Event::KnowledgeProposed { entry } => store(tx, entry),
        Event::KnowledgeMerged { into, draft } => {
            change(tx, *into, |entry| add_evidence(entry, draft, at))
        }
        Event::KnowledgeActivated { id, by } => change(tx, *id, |entry| {
            // A run may answer for what waits at its gate, and for nothing else: the log may have
            // spoken in between.
            if entry.status == Status::Proposed {
                activate(entry, by.as_ref(), at);
            }
        }),
        Event::KnowledgeEdited {
            id,
            body,
            reason,
            by,
        } => change(tx, *id, |entry| {
            // A tombstone keeps what it buries.
            if entry.status != Status::Vetoed {
                let by = &author(by.as_ref());
                entry.rewrite(body.clone(), ChangeNote { at, by, reason });
                entry.title = title_of(body);
            }
        }),
        Event::KnowledgeVetoed { id, reason, by } => change(tx, *id, |entry| {
            let by = &author(by.as_ref());
            entry.become_status(Status::Vetoed, ChangeNote { at, by, reason }, None);
        }),
        Event::KnowledgeMoved {
            id,
            to,
            reason,
            by,
            other,
        } => change(tx, *id, |entry| {
            let said = ChangeNote { at, by, reason };
            match other {
                // It stays what it is, beside the other.
                Some(other) if lives(*to) && entry.status == *to => {
                    entry.keep_beside(*other, said);
                }
                _ => {
                    entry.become_status(*to, said, *other);
                }
            }
        }),
        Event::KnowledgeUsed { id, how, .. } => change(tx, *id, |entry| {
            entry.outcomes.count(*how, at);
            entry.confidence = entry.outcomes.confidence(at);
        }),
        Event::KnowledgeMeasured {
            given,
            withheld,
            result,
        } => {
            for id in given {
                change(tx, *id, |entry| entry.outcomes.given.count(*result))?;
            }
            for id in withheld {
                change(tx, *id, |entry| entry.outcomes.withheld.count(*result))?;
            }
            Ok(())
        }
        // Nothing else speaks of the knowledge base.
        _ => Ok(()),
    }
}

fn lives(status: Status) -> bool {
    matches!(status, Status::Active | Status::Proposed)
}

/// What a policy waves through at once is no step in an entry's life.
fn activate(entry: &mut Entry, by: Option<&By>, at: Millis) {
    entry.status = Status::Active;
    if !matches!(by, None | Some(By::Policy)) {
        entry.history.push(Change {
            version: entry.version,
            at,
            by: author(by),
            reason: "approved".to_owned(),
            before: None,
            status: Some(Status::Proposed),
            other: None,
        });
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
    entry.outcomes.add(&draft.outcomes, at);
    entry.outcomes.seen_again(at);
    entry.confidence = entry.outcomes.confidence(at);
    let mut body = entry.body.clone();
    if body.take_over(&draft.body) {
        if body.says_the_same(&entry.body) {
            // More evidence for what it says: no new version.
            entry.title = title_of(&body);
            entry.body = body;
            return;
        }
        let reason = format!("it took more in \"{}\"", draft.provenance.task);
        let (by, reason) = (&draft.author, reason.as_str());
        entry.title = title_of(&body);
        entry.rewrite(body, ChangeNote { at, by, reason });
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

pub(super) fn find(
    db: &Connection,
    id: KnowledgeId,
) -> rusqlite::Result<Option<Result<Entry, JournalError>>> {
    db.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM knowledge WHERE run = ? AND n = ?"
    ))?
    .query_row(params![id.run.0, id.n], |row| entry_from_row(db, row))
    .optional()
}

/// An entry of the same kind with the same content, whatever has become of it.
pub(super) fn saying_the_same(
    db: &Connection,
    body: &Body,
) -> rusqlite::Result<Option<Result<Entry, JournalError>>> {
    let sql = &format!(
        "SELECT {COLUMNS} FROM knowledge WHERE signature = ? AND kind = ? ORDER BY run, n LIMIT 1"
    );
    db.prepare_cached(sql)?
        .query_row(params![body.signature().to_string(), body.kind()], |row| {
            entry_from_row(db, row)
        })
        .optional()
}

/// The highest number of an entry of the run; 0 if there is none.
pub(super) fn last_number(db: &Connection, run: RunId) -> rusqlite::Result<u64> {
    db.prepare_cached("SELECT coalesce(max(n), 0) FROM knowledge WHERE run = ?")?
        .query_row([run.0], |row| row.get(0))
}

fn store(tx: &Transaction<'_>, entry: &Entry) -> rusqlite::Result<()> {
    let body = super::json(entry)?;
    let signature = entry.body.signature().to_string();
    let [run, n] = [&entry.id.run.0, &entry.id.n];
    let (kind, status, version) = (entry.body.kind(), entry.status.name(), entry.version);
    let digest = digest_values(params![run, n, kind, status, signature, version, body])?;
    tx.prepare_cached(&format!(
        "INSERT OR REPLACE INTO knowledge({COLUMNS}) VALUES(?,?,?,?,?,?,?,?)"
    ))?
    .execute(params![
        run, n, kind, status, signature, version, body, digest
    ])?;
    Ok(())
}

/// Gives a digest to the entries of an older file.
pub(super) fn seal_all(tx: &Transaction<'_>) -> rusqlite::Result<()> {
    let mut statement = tx.prepare(&format!("SELECT {COLUMNS} FROM knowledge"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (run, n): (u64, u64) = (row.get(0)?, row.get(1)?);
        tx.prepare_cached("UPDATE knowledge SET digest = ? WHERE run = ? AND n = ?")?
            .execute(params![digest_row(row, COLUMNS_COUNT)?, run, n])?;
    }
    Ok(())
}

/// The entry; where it is not what was written, what its events come to.
fn entry_from_row(db: &Connection, row: &Row<'_>) -> rusqlite::Result<Result<Entry, JournalError>> {
    let stored = stored_entry(row)?;
    if stored.is_ok() {
        return Ok(stored);
    }
    let (run, n) = (RunId(row.get(0)?), row.get(1)?);
    let id = KnowledgeId { run, n };
    let made = entry_from_events(db, id)?;
    Ok(made.map_or(stored, |made| {
        tracing::warn!("entry {id} is not what was written; its events say what it was");
        Ok(made)
    }))
}

/// What the row of an entry is made of: the events that changed it, in their order. None if an older program
/// wrote them, for then their order is not known.
fn entry_from_events(db: &Connection, id: KnowledgeId) -> rusqlite::Result<Option<Entry>> {
    let mut made = Connection::open_in_memory()?;
    make_tables(&made)?;
    let tx = made.transaction()?;
    let mut is_readable = true;
    knowledge_order::each_event(db, |event| {
        match event {
            Ok(fact) if knowledge_order::entries_changed(&fact.event).contains(&id) => {
                project(&tx, fact.at, &fact.event)?;
            }
            Ok(_) => (),
            Err(_) => is_readable = false,
        }
        Ok(())
    })?;
    let found = find(&tx, id)?.and_then(Result::ok);
    Ok(found.filter(|_| is_readable))
}

fn stored_entry(row: &Row<'_>) -> rusqlite::Result<Result<Entry, JournalError>> {
    let (run, n): (u64, u64) = (row.get(0)?, row.get(1)?);
    let bad = |fault: String| JournalError::BadEntry {
        id: format!("k{run}.{n}"),
        fault,
    };
    if !is_unchanged(row, COLUMNS_COUNT)? {
        return Ok(Err(bad(CHANGED.to_owned())));
    }
    let body = row.get_ref(6)?.as_str()?;
    Ok(serde_json::from_str(body).map_err(|error| bad(error.to_string())))
}
