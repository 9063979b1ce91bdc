//! Past attempts in brief, for backtests: one row beside each row of the experience index.
//!
//! Derived, so it may be missing: files written by older programs have none, and then the attempt
//! itself is read. Invariant: a backtest looks at every attempt, whatever is derived of it.

use super::codec;
use super::{Journal, JournalError};
use pithead_core::domain::check::Truth;
use pithead_core::domain::experience::Experience;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::knowledge::Guardrail;
use pithead_core::domain::knowledge::hindsight::{encode, judge, would_forbid};
use pithead_core::domain::run::event::Event;
use pithead_world::ids::{ExperienceId, RunId, Seq};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

/// Made when a file is opened for writing, so that older files have it too.
pub(super) const TABLE: &str = "
CREATE TABLE IF NOT EXISTS hindsight(row INTEGER PRIMARY KEY, brief BLOB NOT NULL) STRICT;
";

/// A past attempt, and what a guardrail would have done to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JudgedAttempt {
    pub id: ExperienceId,
    pub success: bool,
    /// Its label; none on success.
    pub reason: Option<FailureReason>,
    /// Unknown where the attempt cannot be read.
    pub forbidden: Truth,
}

pub(super) fn project(tx: &Transaction<'_>, row: i64, e: &Experience) -> rusqlite::Result<()> {
    tx.prepare_cached("INSERT INTO hindsight(row, brief) VALUES(?,?)")?
        .execute(params![row, encode(e)])?;
    Ok(())
}

impl Journal {
    /// Holds the guardrail against the recorded attempts of these rows, from the first up to and
    /// without the last, oldest first.
    pub fn hindsight(
        &self,
        guardrail: &Guardrail,
        rows: std::ops::Range<u64>,
    ) -> Result<Vec<JudgedAttempt>, JournalError> {
        self.read("look back at the attempts", |db| {
            let sql = if db.table_exists(None, "hindsight")? {
                "SELECT run, n, outcome, event, brief, reason FROM experience LEFT JOIN hindsight \
                 ON hindsight.row = experience.row WHERE experience.row >= ? AND experience.row < ? \
                 ORDER BY experience.row"
            } else {
                "SELECT run, n, outcome, event, NULL, reason FROM experience \
                 WHERE row >= ? AND row < ? ORDER BY row"
            };
            let mut statement = db.prepare_cached(sql)?;
            let found = statement.query_map(params![rows.start, rows.end], |row| {
                attempt(db, guardrail, row)
            })?;
            found.collect()
        })
    }

    /// The number of the event that recorded an experience; none if there is no such experience.
    pub fn event_of(&self, id: ExperienceId) -> Result<Option<Seq>, JournalError> {
        self.read("look up an experience", |db| {
            db.prepare_cached("SELECT event & 4294967295 FROM experience WHERE run = ? AND n = ?")?
                .query_row([id.run.0, id.n], |row| row.get(0).map(Seq))
                .optional()
        })
    }

    /// One behind the last row of the experience index.
    pub fn attempts_end(&self) -> Result<u64, JournalError> {
        self.read("count the attempts", |db| {
            db.query_row(
                "SELECT coalesce(max(row), 0) + 1 FROM experience",
                [],
                |row| row.get(0),
            )
        })
    }
}

fn attempt(
    db: &Connection,
    guardrail: &Guardrail,
    row: &Row<'_>,
) -> rusqlite::Result<JudgedAttempt> {
    let id = ExperienceId {
        run: RunId(row.get(0)?),
        n: row.get(1)?,
    };
    let brief = row.get_ref(4)?.as_blob_or_null()?;
    let judged = brief.and_then(|brief| judge(guardrail, brief));
    let forbidden = match judged {
        Some(truth) => truth,
        None => of_document(db, guardrail, row.get(3)?)?,
    };
    Ok(JudgedAttempt {
        id,
        success: row.get(2)?,
        reason: row.get::<_, Option<String>>(5)?.and_then(|name| {
            FailureReason::ALL
                .into_iter()
                .find(|reason| reason.name() == name)
        }),
        forbidden,
    })
}

fn of_document(db: &Connection, guardrail: &Guardrail, event: u64) -> rusqlite::Result<Truth> {
    let sql = "SELECT kind, version, body FROM events WHERE id = ?";
    db.prepare_cached(sql)?.query_row([event], |row| {
        let (kind, body): (String, String) = (row.get(0)?, row.get(2)?);
        Ok(match codec::decode(&kind, row.get(1)?, &body) {
            Ok(Event::AttemptEnded { experience, .. }) => would_forbid(guardrail, &experience),
            Ok(_) | Err(_) => Truth::Unknown,
        })
    })
}
