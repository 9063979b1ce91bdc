//! What a folder holds, without the times: the rows of its databases, and its other files.
//!
//! Two folders in which the same was done are equal here, whenever it was done.

use pithead_engine::journal::{Durability, Journal, KNOWLEDGE_LOG, verify};
use pithead_world::ids::Seq;
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Milliseconds of the years from 2023 to 2033: these are times, and nothing else is so large and so small.
const TIMES: std::ops::Range<i64> = 1_700_000_000_000..2_000_000_000_000;

/// Columns with hashes of texts in which times stand.
const HASHES: [&str; 2] = ["digest", "head"];

/// Fields that depend on when a command was interrupted: durations, and how many episodes of an evaluation
/// were found done.
const FORGOTTEN: [&str; 2] = ["ms", "found"];

/// Characters of a row that a message quotes.
const QUOTED: usize = 300;

/// Rows by database and table, lines by file.
pub(super) type Contents = BTreeMap<String, Vec<String>>;

/// The contents of a folder and of the folders in it. Locks, logs and temporary files are left out.
pub(super) fn contents_of(folder: &Path) -> Contents {
    let mut found = Contents::new();
    add_folder(folder, folder, "", &mut found);
    found
}

fn add_folder(root: &Path, folder: &Path, above: &str, found: &mut Contents) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        // The list of evaluations names each by a hash of where it lies; what a backup replaced is numbered.
        let is_listed = above.ends_with(".evals/");
        let kept = name
            .split_once(".replaced-")
            .map_or(name.as_str(), |(name, _)| name);
        let place = above.to_owned() + if is_listed { "listed" } else { kept };
        if name.starts_with('.') || !(path.is_dir() || path.is_file()) {
            continue;
        }
        match path.extension().and_then(|end| end.to_str()) {
            _ if path.is_dir() => add_folder(root, &path, &format!("{place}/"), found),
            // An episode that was interrupted is played again, as another run.
            Some("db") if name == "journal.db" => check_database(&path, false),
            Some("db") => add_database(&path, &place, found),
            Some("db-wal" | "db-shm" | "db-journal" | "lock") => (),
            _ => {
                let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
                let text = text.replace(root.to_str().unwrap(), "the folder");
                // A document as a whole, or one for each line.
                let lines = match serde_json::from_str::<Value>(&text) {
                    Ok(_) => vec![line_without_times(&text)],
                    Err(_) => text.lines().map(line_without_times).collect(),
                };
                found.insert(place, lines);
            }
        }
    }
}

fn line_without_times(line: &str) -> String {
    serde_json::from_str::<Value>(line).map_or(line.to_owned(), |mut value| {
        forget_times(&mut value);
        if value.get("wall_ms").is_some() {
            value["run"] = Value::Null; // an episode: which run of its journal it is depends on interruptions
        }
        value.to_string()
    })
}

/// Nothing in the database is damaged; deep, what is derived from events is what they come to.
fn check_database(path: &Path, deep: bool) {
    let verified = verify(path, deep, |_| ()).unwrap();
    assert!(verified.is_sound(), "{}: {verified:?}", path.display());
}

/// The same for all databases of a folder, in depth.
pub(super) fn check_databases(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            check_databases(&path);
        } else if path.extension().is_some_and(|end| end == "db") {
            check_database(&path, true);
        }
    }
}

/// Every event and every table, after all of it was verified.
fn add_database(path: &Path, place: &str, found: &mut Contents) {
    check_database(path, false);
    clear_left(path);
    add_events(path, place, found);
    let db = Connection::open(path).unwrap();
    let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";
    let mut tables = db.prepare(tables).unwrap();
    let names = tables.query_map([], |row| row.get::<_, String>(0)).unwrap();
    // Events were read above, with what their long bodies hold.
    let is_read = |name: &String| matches!(name.as_str(), "events" | "blobs");
    for name in names.map(Result::unwrap).filter(|name| !is_read(name)) {
        found.insert(format!("{place}: {name}"), rows(&db, &name));
    }
}

/// What a killed deletion or fork left is in no list, and goes when the database is next opened for writing.
fn clear_left(path: &Path) {
    let db = Connection::open(path).unwrap();
    let left = "SELECT EXISTS (SELECT 1 FROM unfinished)";
    let is_left: bool = db.query_row(left, [], |row| row.get(0)).unwrap();
    drop(db);
    if is_left {
        drop(Journal::open(path, Durability::Normal).unwrap());
        check_database(path, true);
    }
}

/// The events of all runs and of the knowledge base, each of which must be readable.
fn add_events(path: &Path, place: &str, found: &mut Contents) {
    let journal = Journal::look(path).unwrap();
    let mut runs = vec![KNOWLEDGE_LOG];
    runs.extend(journal.runs().unwrap().iter().map(|row| row.id));
    for run in runs {
        let events = journal.events(run, Seq(0), usize::MAX).unwrap();
        let rows = events.iter().map(|fact| {
            let mut event = serde_json::to_value(&fact.event).unwrap();
            forget_times(&mut event);
            format!("{} {event}", fact.seq.0)
        });
        found.insert(format!("{place}: events of run {run}"), rows.collect());
    }
}

fn rows(db: &Connection, table: &str) -> Vec<String> {
    let mut all = db.prepare(&format!("SELECT * FROM {table}")).unwrap();
    let names: Vec<String> = all.column_names().map(str::to_owned).collect();
    let rows = all.query_map([], |row| {
        let names = names.iter().enumerate();
        let kept = names.filter(|(_, name)| !HASHES.contains(&name.as_str()));
        let cells = kept.map(|(at, _)| row.get_ref(at).map(cell));
        cells.collect::<rusqlite::Result<Vec<String>>>()
    });
    let mut rows: Vec<String> = rows.unwrap().map(|row| row.unwrap().join(" | ")).collect();
    rows.sort();
    rows
}

fn cell(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "null".to_owned(),
        ValueRef::Integer(n) if TIMES.contains(&n) => "time".to_owned(),
        ValueRef::Integer(n) => n.to_string(),
        ValueRef::Real(x) => x.to_string(),
        ValueRef::Text(text) => line_without_times(&String::from_utf8_lossy(text)),
        ValueRef::Blob(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

/// Puts a word in the place of every time and every duration on the clock.
pub(super) fn forget_times(value: &mut Value) {
    match value {
        Value::Number(n) if n.as_i64().is_some_and(|n| TIMES.contains(&n)) => {
            *value = Value::String("time".to_owned());
        }
        Value::Array(items) => items.iter_mut().for_each(forget_times),
        Value::Object(fields) => {
            for (name, value) in fields.iter_mut() {
                if FORGOTTEN.contains(&name.as_str()) || name.ends_with("_ms") {
                    *value = Value::String("time".to_owned());
                }
                forget_times(value);
            }
        }
        _ => (),
    }
}

/// The first difference of two contents, for a message.
pub(super) fn difference(left: &Contents, right: &Contents) -> Option<String> {
    let names: std::collections::BTreeSet<&String> = left.keys().chain(right.keys()).collect();
    names.into_iter().find_map(|name| {
        let (Some(a), Some(b)) = (left.get(name), right.get(name)) else {
            return Some(format!("only one has {name}"));
        };
        if a == b {
            return None;
        }
        let only = |these: &[String], those: &[String]| {
            let mut lost = these.iter().filter(|row| !those.contains(row));
            lost.next().cloned().unwrap_or_default()
        };
        let (here, there) = (only(a, b), only(b, a));
        let same = here.chars().zip(there.chars());
        let same = same.take_while(|(x, y)| x == y).count();
        let excerpt = |row: &str| -> String {
            let from = same.saturating_sub(QUOTED / 2);
            row.chars().skip(from).take(QUOTED).collect()
        };
        Some(format!(
            "{name}: {} and {} rows; {} … and {} …",
            a.len(),
            b.len(),
            excerpt(&here),
            excerpt(&there)
        ))
    })
}
