//! Like failures: which attempts of other runs failed in the same way and were not looked into yet.
//!
//! An attempt is looked into when the mind is asked for the cause of its failure; from then on it counts
//! no more, whatever came of the question. Invariant: what was looked into is a projection of the questions.

use super::{Journal, JournalError};
use crate::domain::ask::{Ask, Failure};
use crate::domain::event::Event;
use crate::domain::like::Like;
use crate::ids::{AttemptId, ExperienceId, RunId};
use rusqlite::{Transaction, params};

/// Made when a file is opened for writing, so that older files have it too.
pub(super) const TABLE: &str = "
CREATE TABLE IF NOT EXISTS looked_into(
    run INTEGER NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY(run, n)
) STRICT, WITHOUT ROWID;
";

/// Writes down which attempts a question was about.
pub(super) fn project(tx: &Transaction<'_>, run: RunId, event: &Event) -> rusqlite::Result<()> {
    let Event::MindAsked { ask, .. } = event else {
        return Ok(());
    };
    let Ask::Diagnose(ask) = &**ask else {
        return Ok(());
    };
    let sql = "INSERT INTO looked_into(run, n) VALUES(?, ?) ON CONFLICT DO NOTHING";
    let mut insert = tx.prepare_cached(sql)?;
    for failure in &ask.attempts {
        insert.execute([failure.run.unwrap_or(run).0, failure.attempt.0])?;
    }
    Ok(())
}

impl Journal {
    /// At most `limit` failures like this one of runs other than `run`, oldest first, of which nobody has
    /// asked the cause yet. What they were labelled is what counts, not what the label became later.
    pub fn failures_like(
        &self,
        like: &Like,
        run: RunId,
        limit: usize,
    ) -> Result<Vec<Failure>, JournalError> {
        let ids = self.read("look for like failures", |db| {
            let sql = "SELECT run, n FROM experience WHERE h_cond = ?1 AND kind = ?2 AND reason = ?3 \
                       AND outcome = 0 AND run <> ?4 AND (?5 IS NULL OR region = ?5) \
                       AND NOT EXISTS(SELECT 1 FROM looked_into l \
                                      WHERE l.run = experience.run AND l.n = experience.n) \
                       ORDER BY row DESC LIMIT ?6";
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let mut statement = db.prepare_cached(sql)?;
            let rows = statement.query_map(
                params![
                    like.condition.0.cast_signed(),
                    like.kind.name(),
                    like.reason.name(),
                    run.0,
                    like.region.map(u64::cast_signed),
                    limit
                ],
                |row| {
                    let (run, n) = (RunId(row.get(0)?), row.get(1)?);
                    Ok(ExperienceId { run, n })
                },
            )?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        })?;
        let mut found = Vec::with_capacity(ids.len());
        for id in ids.into_iter().rev() {
            let Some(document) = self.document(id)? else {
                continue;
            };
            let mut diagnosis = document.experience.diagnosis;
            // The trace is a page long, and stays with its own attempt.
            diagnosis.trace.clear();
            if diagnosis.reason == Some(like.reason) {
                found.push(Failure {
                    attempt: AttemptId(id.n),
                    run: Some(id.run),
                    pre: document.experience.pre,
                    diagnosis,
                });
            }
        }
        Ok(found)
    }
}
