//! Stats: the experience store in numbers.

use super::error::MemoryError;
use super::store;
use rusqlite::Connection;
use serde::Serialize;
use std::collections::BTreeMap;

/// What the tables hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stats {
    pub experiences: u64,
    pub successes: u64,
    /// Failures by reason.
    pub failures: BTreeMap<String, u64>,
    /// Distinct condition signatures.
    pub conditions: u64,
    /// Distinct small cells and regions.
    pub cells: u64,
    pub regions: u64,
    /// Summaries by kind and level, such as `window 0`.
    pub summaries: BTreeMap<String, u64>,
    /// Whose vectors the store holds; none before the first.
    pub embedder: Option<String>,
    pub dims: usize,
    /// Experiences with a vector.
    pub embedded: u64,
}

pub fn stats(db: &Connection) -> Result<Stats, MemoryError> {
    let number = |sql: &str| db.query_row(sql, [], |row| row.get::<_, u64>(0));
    let known = store::current(db)?;
    Ok(Stats {
        experiences: number("SELECT count(*) FROM experience")?,
        successes: number("SELECT count(*) FROM experience WHERE outcome = 1")?,
        failures: counted(
            db,
            "SELECT reason, count(*) FROM experience WHERE reason IS NOT NULL GROUP BY 1",
        )?,
        conditions: number("SELECT count(DISTINCT h_cond) FROM experience")?,
        cells: number("SELECT count(DISTINCT near) FROM experience")?,
        regions: number("SELECT count(DISTINCT region) FROM experience")?,
        summaries: counted(
            db,
            "SELECT kind || ' ' || level, count(*) FROM summary GROUP BY kind, level",
        )?,
        embedded: match &known {
            Some(known) => store::last_embedded(db, known)?,
            None => 0,
        },
        dims: known.as_ref().map_or(0, |known| known.dims),
        embedder: known.map(|known| known.name),
    })
}

fn counted(db: &Connection, sql: &str) -> rusqlite::Result<BTreeMap<String, u64>> {
    let mut statement = db.prepare(sql)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}
