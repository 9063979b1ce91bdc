//! What a database holds, row by row, for comparing two of them.

use rusqlite::Connection;
use rusqlite::types::ValueRef;
use rustc_hash::FxHasher;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// Tables that memory can make anew from the others at any time.
const NOT_OF_EVENTS: [&str; 4] = ["embedder", "embedding", "summary", "summary_embedding"];

/// What is cleared away after runs have left the list, and the note of it.
const CLEARED: [&str; 4] = ["events", "blobs", "chain", "unfinished"];

/// A hash of every row of every table, in order.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Contents(BTreeMap<String, Vec<u64>>);

impl Contents {
    pub(crate) fn read(db: &Connection) -> rusqlite::Result<Self> {
        let sql = "SELECT type, name FROM sqlite_schema ORDER BY name";
        let mut statement = db.prepare_cached(sql)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut tables = BTreeMap::new();
        for row in rows {
            let (kind, name): (String, String) = row?;
            let rows = if kind == "table" && !NOT_OF_EVENTS.contains(&name.as_str()) {
                row_hashes(db, &name)?
            } else {
                Vec::new()
            };
            tables.insert(name, rows);
        }
        Ok(Self(tables))
    }

    /// Without what is cleared away after runs have left the list.
    pub(crate) fn read_listed(db: &Connection) -> rusqlite::Result<Self> {
        let Self(mut tables) = Self::read(db)?;
        tables.retain(|name, _| !CLEARED.contains(&name.as_str()));
        Ok(Self(tables))
    }
}

/// Where two databases differ first; none if they hold the same.
pub(crate) fn first_difference(
    found: &Connection,
    expected: &Connection,
) -> rusqlite::Result<Option<String>> {
    let (Contents(there), Contents(wanted)) = (Contents::read(found)?, Contents::read(expected)?);
    for (name, rows) in &wanted {
        let Some(own) = there.get(name) else {
            return Ok(Some(format!("{name} is missing")));
        };
        if own == rows {
            continue;
        }
        let at = own.iter().zip(rows).take_while(|(a, b)| a == b).count();
        return Ok(Some(format!(
            "{name} has {} rows and should have {}; row {at} is\n  {}\nand should be\n  {}",
            own.len(),
            rows.len(),
            row_text(found, name, at)?,
            row_text(expected, name, at)?
        )));
    }
    let surplus = there.keys().find(|name| !wanted.contains_key(*name));
    Ok(surplus.map(|name| format!("{name} should not be there")))
}

fn row_hashes(db: &Connection, table: &str) -> rusqlite::Result<Vec<u64>> {
    let mut statement = db.prepare_cached(&all_rows(db, table)?)?;
    let columns = statement.column_count();
    let mut rows = statement.query([])?;
    let mut hashes = Vec::new();
    while let Some(row) = rows.next()? {
        let mut hasher = FxHasher::default();
        for column in 0..columns {
            match row.get_ref(column)? {
                ValueRef::Null => 0.hash(&mut hasher),
                ValueRef::Integer(number) => number.hash(&mut hasher),
                ValueRef::Real(number) => number.to_bits().hash(&mut hasher),
                ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.hash(&mut hasher),
            }
        }
        hashes.push(hasher.finish());
    }
    Ok(hashes)
}

/// The rows in the order of their first columns, which number them in every table.
fn all_rows(db: &Connection, table: &str) -> rusqlite::Result<String> {
    let columns = db
        .prepare_cached(&format!("SELECT * FROM {table}"))?
        .column_count();
    let order = if columns > 1 { "1, 2" } else { "1" };
    Ok(format!("SELECT * FROM {table} ORDER BY {order}"))
}

/// Characters of a row that a message shows.
const SHOWN_MAX: usize = 600;

fn row_text(db: &Connection, table: &str, at: usize) -> rusqlite::Result<String> {
    let mut statement = db.prepare_cached(&all_rows(db, table)?)?;
    let columns = statement.column_count();
    let mut rows = statement.query([])?;
    for _ in 0..at {
        rows.next()?;
    }
    let Some(row) = rows.next()? else {
        return Ok("none".to_owned());
    };
    let mut text = String::new();
    for column in 0..columns {
        text += &match row.get_ref(column)? {
            ValueRef::Text(bytes) => format!("{} | ", String::from_utf8_lossy(bytes)),
            other => format!("{other:?} | "),
        };
    }
    Ok(text.chars().take(SHOWN_MAX).collect())
}
