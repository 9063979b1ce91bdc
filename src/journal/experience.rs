//! Experience rows: one per ended attempt, for recall to search.
//!
//! The document is kept whole; the columns are what an index can use.

use crate::domain::event::Event;
use crate::domain::recall::{h_cond, words};
use rusqlite::{Transaction, params};

/// Writes the row of an ended attempt; other events leave the table alone.
pub(super) fn project(tx: &Transaction<'_>, event: &Event) -> rusqlite::Result<()> {
    let Event::AttemptEnded { experience: e, .. } = event else {
        return Ok(());
    };
    let body = super::json(e.as_ref())?;
    tx.prepare_cached(
        "INSERT INTO experience(run, n, attempt, outcome, reason, target, kind, tags, biome, h_cond, at, words, body) \
         VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)",
    )?
    .execute(params![
        e.id.run.0,
        e.id.n,
        e.attempt.0,
        e.diagnosis.success,
        e.diagnosis.reason.map(|reason| reason.name()),
        e.action.goal.object.map(|item| item.name()),
        e.action.task_kind.name(),
        e.tags.join(" "),
        e.pre.biome,
        h_cond(&e.action).0.cast_signed(),
        e.at.0,
        words(e),
        body,
    ])?;
    Ok(())
}
