//! Recall: the best experiences for a query, by an exact scan of a bounded number of rows.
//!
//! Rows that share the target or the condition's signature always take part (they are indexed);
//! besides these, the newest. Ties are broken by age, newest first.

use super::embed::{Embedding, embed};
use crate::domain::experience::{Experience, Hit};
use crate::domain::recall::{RecallQuery, h_cond};
use crate::ids::{ExperienceId, RunId};
use rusqlite::{Connection, Row, params};
use std::collections::BTreeMap;

/// α: the share of likeness in words.
const ALPHA: f64 = 0.7;
/// β: the share of the condition's signature.
const BETA: f64 = 0.3;
/// Rows looked at because they share target or signature, and because they are new. Embedding one
/// takes about 2 µs, so a recall stays below 20 ms.
const KIN_MAX: usize = 4_000;
const NEW_MAX: usize = 4_000;

/// The best hits, best first, at most `query.limit`.
pub fn recall(db: &Connection, query: &RecallQuery) -> rusqlite::Result<Vec<Hit>> {
    let wanted = Wanted::of(query);
    let mut rows = BTreeMap::new();
    read(db, &wanted, KIN, KIN_MAX, &mut rows)?;
    read(db, &wanted, NEWEST, NEW_MAX, &mut rows)?;
    let mut scored: Vec<Scored> = rows
        .into_iter()
        .map(|(id, row)| wanted.score(id, &row))
        .collect();
    scored.sort_by(|a, b| b.score.total_cmp(&a.score).then(b.id.cmp(&a.id)));
    scored.truncate(query.limit);
    scored.into_iter().map(|scored| hit(db, &scored)).collect()
}

const KIN: &str = "SELECT run, n, h_cond, target, words FROM experience \
                   WHERE target = ?1 OR h_cond = ?2 ORDER BY run DESC, n DESC LIMIT ?3";
/// `?1` and `?2` are named so that both statements take the same parameters.
const NEWEST: &str = "SELECT run, n, h_cond, target, words FROM experience \
                      WHERE ?1 IS ?1 AND ?2 IS ?2 ORDER BY run DESC, n DESC LIMIT ?3";

/// The query in the form in which rows are compared with it.
struct Wanted {
    embedding: Embedding,
    target: Option<&'static str>,
    h_cond: Option<i64>,
}

struct Candidate {
    h_cond: i64,
    target: Option<String>,
    words: String,
}

struct Scored {
    id: ExperienceId,
    score: f64,
    cosine: f64,
    exact: bool,
}

impl Wanted {
    fn of(query: &RecallQuery) -> Self {
        let mut words = vec![query.task.clone()];
        words.extend(
            query
                .subgoal
                .as_ref()
                .map(|subgoal| subgoal.condition.clone()),
        );
        words.extend(query.target.map(|item| item.name().to_owned()));
        words.extend(query.state.as_ref().map(|state| state.biome.clone()));
        Self {
            embedding: embed(&words.join(" ")),
            target: query.target.map(|item| item.name()),
            h_cond: query
                .subgoal
                .as_ref()
                .map(|subgoal| h_cond(subgoal).0.cast_signed()),
        }
    }

    /// ψ. Before there is a subgoal, no signature is known, and the target stands in for it.
    fn score(&self, id: ExperienceId, row: &Candidate) -> Scored {
        let cosine = self.embedding.cosine(&embed(&row.words));
        let exact = match self.h_cond {
            Some(h_cond) => h_cond == row.h_cond,
            None => self.target.is_some() && self.target == row.target.as_deref(),
        };
        Scored {
            id,
            score: ALPHA * cosine + BETA * f64::from(u8::from(exact)),
            cosine,
            exact,
        }
    }
}

fn read(
    db: &Connection,
    wanted: &Wanted,
    sql: &str,
    limit: usize,
    into: &mut BTreeMap<ExperienceId, Candidate>,
) -> rusqlite::Result<()> {
    let mut statement = db.prepare_cached(sql)?;
    let rows = statement.query_map(
        params![wanted.target, wanted.h_cond, limit as u64],
        candidate,
    )?;
    for row in rows {
        let (id, candidate) = row?;
        into.insert(id, candidate);
    }
    Ok(())
}

fn candidate(row: &Row<'_>) -> rusqlite::Result<(ExperienceId, Candidate)> {
    let id = ExperienceId {
        run: RunId(row.get(0)?),
        n: row.get(1)?,
    };
    Ok((
        id,
        Candidate {
            h_cond: row.get(2)?,
            target: row.get(3)?,
            words: row.get(4)?,
        },
    ))
}

/// The document is read for the few rows that won only.
fn hit(db: &Connection, scored: &Scored) -> rusqlite::Result<Hit> {
    let sql = "SELECT outcome, body FROM experience WHERE run = ? AND n = ?";
    let mut statement = db.prepare_cached(sql)?;
    let Scored {
        id,
        score,
        cosine,
        exact,
    } = *scored;
    statement.query_row(params![id.run.0, id.n], |row| {
        let body = row.get_ref(1)?.as_str()?;
        let document: Experience = serde_json::from_str(body).map_err(|error| {
            rusqlite::Error::FromSqlConversionFailure(1, rusqlite::types::Type::Text, error.into())
        })?;
        let summary = format!(
            "{}: {}",
            document.action.condition, document.diagnosis.summary
        );
        Ok(Hit {
            id,
            score,
            cosine,
            exact,
            success: row.get(0)?,
            summary,
        })
    })
}
