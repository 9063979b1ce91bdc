//! Summaries: what many experiences have in common, citing them.
//!
//! One for every window of experiences in their order, one for every task that is over; when too many
//! of a kind stand beside each other, the oldest are summarised again. They are made from the index
//! alone. Invariant: the same index gives the same summaries, whenever and however often it is asked.

use super::embedder::Embedder;
use super::error::MemoryError;
use super::store::{self, Known, embed_texts, to_bytes, within};
use super::tally::Tally;
use pithead_world::ids::{ExperienceId, RunId};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use serde::Serialize;

/// w: experiences in one window; about one run of a hard task.
const WINDOW: u64 = 32;
/// Summaries of a kind, level and subject that may stand beside each other, and how many of them
/// become one when there are more.
const ROOTS_MAX: u64 = 24;
const FAN: u64 = 16;
/// Summaries embedded in one transaction.
const BATCH: u64 = 256;

/// A summary found by recall.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SummaryHit {
    /// `s12`.
    pub id: String,
    /// 0 is over experiences, higher ones over summaries.
    pub level: u32,
    /// `window` or `task`.
    pub kind: String,
    pub cosine: f64,
    /// Experiences it is about.
    pub count: u64,
    /// What it cites: experiences, or summaries of the level below.
    pub members: Vec<String>,
    pub text: String,
    #[serde(skip)]
    pub(super) key: u64,
    #[serde(skip)]
    pub(super) span: (u64, u64),
}

impl SummaryHit {
    /// Reads the columns of `COLUMNS`.
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let id: u64 = row.get(0)?;
        let (count, tally) = (row.get(4)?, Tally::from_text(row.get_ref(5)?.as_str()?));
        let members: String = row.get(6)?;
        Ok(Self {
            id: format!("s{id}"),
            level: row.get(1)?,
            kind: row.get(2)?,
            cosine: 0.0,
            count,
            members: members.split(' ').map(str::to_owned).collect(),
            text: match row.get_ref(9)?.as_str_or_null()? {
                Some(own) if !own.is_empty() => {
                    format!(
                        "{own} ({})",
                        tally.sentence(count, row.get_ref(3)?.as_str()?)
                    )
                }
                _ => tally.sentence(count, row.get_ref(3)?.as_str()?),
            },
            key: id,
            span: (row.get(7)?, row.get(8)?),
        })
    }
}

/// The last of them is what the mind said of a run as it ended: it stands right before the end.
const COLUMNS: &str = "summary.id, level, kind, subject, count, tally, members, first, last, \
     (SELECT json_extract(body, '$.recount.summary') FROM events \
      WHERE events.id > (SELECT max(e.id) FROM events e \
                         WHERE e.id BETWEEN summary.run << 32 AND (summary.run + 1 << 32) - 1) - 64 \
      AND events.id < (summary.run + 1 << 32) AND events.kind = 'run.recounted')";

/// One summary by its number.
pub fn summary(db: &Connection, id: u64) -> Result<Option<SummaryHit>, MemoryError> {
    let sql = format!("SELECT {COLUMNS} FROM summary WHERE id = ?");
    Ok(db
        .prepare_cached(&sql)?
        .query_row([id], SummaryHit::read)
        .optional()?)
}

/// Makes all summaries that are due.
pub(super) fn roll_up(db: &Connection) -> rusqlite::Result<()> {
    while within(db, next_windows)? {}
    while within(db, next_tasks)? {}
    while within(db, next_level)? {}
    Ok(())
}

/// A summary as it is written.
struct Draft {
    level: u32,
    kind: &'static str,
    subject: String,
    run: Option<u64>,
    span: (u64, u64),
    count: u64,
    tally: Tally,
    members: Vec<String>,
}

/// Windows made in one transaction.
const WINDOWS_AT_ONCE: u64 = 64;

/// The windows that are full; false if there are none.
fn next_windows(tx: &Transaction<'_>) -> rusqlite::Result<bool> {
    let done: u64 = tx.query_row(
        "SELECT coalesce(max(last), 0) FROM summary WHERE kind = 'window' AND level = 0",
        [],
        |row| row.get(0),
    )?;
    let full = (store::last_row(tx)? - done) / WINDOW;
    for n in 0..full.min(WINDOWS_AT_ONCE) {
        let first = done + n * WINDOW + 1;
        let last = first + WINDOW - 1;
        let (tally, members) = read_members(tx, "experience.row BETWEEN ?1 AND ?2", [first, last])?;
        let draft = Draft {
            level: 0,
            kind: "window",
            subject: String::new(),
            run: None,
            span: (first, last),
            count: WINDOW,
            tally,
            members,
        };
        write(tx, &draft)?;
    }
    Ok(full > WINDOWS_AT_ONCE)
}

/// The tasks of runs that are over; false if there are none.
fn next_tasks(tx: &Transaction<'_>) -> rusqlite::Result<bool> {
    let due: Vec<(u64, String)> = tx
        .prepare_cached(
            "SELECT id, task FROM runs WHERE ended IS NOT NULL \
             AND id NOT IN (SELECT run FROM summary WHERE run IS NOT NULL) \
             AND EXISTS(SELECT 1 FROM experience WHERE experience.run = runs.id) \
             ORDER BY id LIMIT ?",
        )?
        .query_map([WINDOWS_AT_ONCE], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    let more = due.len() as u64 == WINDOWS_AT_ONCE;
    for (run, subject) in due {
        let span = tx.query_row(
            "SELECT min(row), max(row) FROM experience WHERE run = ?",
            [run],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        let (tally, members) = read_members(tx, "experience.run = ?1 AND ?2 = ?2", [run, run])?;
        let draft = Draft {
            level: 0,
            kind: "task",
            subject,
            run: Some(run),
            span,
            count: members.len() as u64,
            tally,
            members,
        };
        write(tx, &draft)?;
    }
    Ok(more)
}

/// Where too many summaries stand beside each other, the oldest become one; false if nowhere.
fn next_level(tx: &Transaction<'_>) -> rusqlite::Result<bool> {
    let crowded: Option<(String, u32, String)> = tx
        .prepare_cached(
            "SELECT kind, level, subject FROM summary WHERE parent IS NULL \
             GROUP BY kind, level, subject HAVING count(*) > ? ORDER BY level LIMIT 1",
        )?
        .query_row([ROOTS_MAX], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })
        .optional()?;
    let Some((kind, level, subject)) = crowded else {
        return Ok(false);
    };
    let members: Vec<(u64, u64, Tally, u64, u64)> = tx
        .prepare_cached(
            "SELECT id, count, tally, first, last FROM summary WHERE parent IS NULL \
             AND kind = ? AND level = ? AND subject = ? ORDER BY id LIMIT ?",
        )?
        .query_map(params![kind, level, subject, FAN], |row| {
            let tally = Tally::from_text(row.get_ref(2)?.as_str()?);
            Ok((row.get(0)?, row.get(1)?, tally, row.get(3)?, row.get(4)?))
        })?
        .collect::<Result<_, _>>()?;
    let mut tally = Tally::default();
    members.iter().for_each(|member| tally.add(&member.2));
    let draft = Draft {
        level: level + 1,
        kind: if kind == "task" { "task" } else { "window" },
        subject,
        run: None,
        span: (
            members.iter().map(|m| m.3).min().unwrap_or(1),
            members.iter().map(|m| m.4).max().unwrap_or(1),
        ),
        count: members.iter().map(|m| m.1).sum(),
        tally,
        members: members.iter().map(|m| format!("s{}", m.0)).collect(),
    };
    write(tx, &draft)?;
    let parent = tx.last_insert_rowid();
    for (id, ..) in &members {
        tx.prepare_cached("UPDATE summary SET parent = ? WHERE id = ?")?
            .execute(params![parent, id])?;
    }
    Ok(true)
}

/// What these experiences have in common, and their names; `which` names both bounds.
fn read_members(
    tx: &Transaction<'_>,
    which: &str,
    bounds: [u64; 2],
) -> rusqlite::Result<(Tally, Vec<String>)> {
    let sql = format!(
        "SELECT experience.run, n, reason, target, biome, runs.task FROM experience \
         LEFT JOIN runs ON runs.id = experience.run WHERE {which} ORDER BY row"
    );
    let (mut tally, mut members) = (Tally::default(), Vec::new());
    let mut statement = tx.prepare_cached(&sql)?;
    let mut rows = statement.query(bounds)?;
    while let Some(row) = rows.next()? {
        let id = ExperienceId {
            run: RunId(row.get(0)?),
            n: row.get(1)?,
        };
        members.push(id.to_string());
        let text = |at| Ok::<_, rusqlite::Error>(row.get_ref(at)?.as_str_or_null()?);
        tally.count(
            text(2)?.unwrap_or("success"),
            text(3)?,
            text(4)?.unwrap_or_default(),
            text(5)?.unwrap_or_default(),
        );
    }
    Ok((tally, members))
}

fn write(tx: &Transaction<'_>, draft: &Draft) -> rusqlite::Result<()> {
    tx.prepare_cached(
        "INSERT INTO summary(level, kind, subject, run, first, last, count, tally, members, words) \
         VALUES(?,?,?,?,?,?,?,?,?,?)",
    )?
    .execute(params![
        draft.level,
        draft.kind,
        draft.subject,
        draft.run,
        draft.span.0,
        draft.span.1,
        draft.count,
        draft.tally.to_text(),
        draft.members.join(" "),
        draft.tally.words(),
    ])?;
    Ok(())
}

/// Embeds the summaries that have no vector of this embedder.
pub(super) fn embed_new(
    db: &Connection,
    embedder: &dyn Embedder,
    known: &Known,
) -> Result<(), MemoryError> {
    loop {
        let due: Vec<(u64, String)> = db
            .prepare_cached(
                "SELECT id, words FROM summary WHERE id > ?2 - ?1 ORDER BY id LIMIT ?3",
            )?
            .query_map([known.key(0), last_embedded(db, known)?, BATCH], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?
            .collect::<Result<_, _>>()?;
        if due.is_empty() {
            return Ok(());
        }
        let texts: Vec<&str> = due.iter().map(|(_, words)| words.as_str()).collect();
        let points = embed_texts(embedder, known, &texts)?;
        within(db, |tx| {
            let sql =
                "INSERT INTO summary_embedding(id, vector) VALUES(?, ?) ON CONFLICT DO NOTHING";
            let mut insert = tx.prepare_cached(sql)?;
            for ((id, _), point) in due.iter().zip(&points) {
                insert.execute(params![known.key(*id), to_bytes(point)])?;
            }
            Ok(())
        })?;
    }
}

/// The number under which the last summary's vector is kept.
fn last_embedded(db: &Connection, known: &Known) -> rusqlite::Result<u64> {
    let last: Option<u64> = db
        .prepare_cached("SELECT max(id) FROM summary_embedding WHERE id >= ?")?
        .query_row([known.key(0)], |row| row.get(0))?;
    Ok(last.unwrap_or(known.key(0)))
}
