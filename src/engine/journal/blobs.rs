//! Blobs: long questions and answers, kept once each by their hash, compressed.
//!
//! Questions repeat much of each other and whole answers repeat in replays; an event keeps the hash.
//! Invariant: what is read back hashes to its name.

use super::codec::Row;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use rusqlite::{Connection, OptionalExtension, params};
use sha2::{Digest, Sha256};
use std::io::{Read, Write};

/// Made when a file is opened for writing, so that older files have it too.
pub(super) const TABLE: &str = "
CREATE TABLE IF NOT EXISTS blobs(
    hash TEXT PRIMARY KEY,
    bytes BLOB NOT NULL
) STRICT, WITHOUT ROWID;
";
/// Which bodies were put away. Damaged JSON must not end the writing of an index, so it is not looked into.
macro_rules! put_away {
    () => {
        "(kind = 'mind.asked' OR kind = 'mind.answered') AND substr(body, 1, 9) = '{\"blob\":\"'"
    };
}
/// The name of an event's text; null if its body was not put away.
pub(super) const NAME: &str = concat!("CASE WHEN ", put_away!(), " THEN substr(body, 10, 64) END");
/// Which events have a text. It has a row for each long question and answer only. In older files it is made when a
/// run is deleted.
pub(super) const INDEX: &str = concat!(
    "CREATE INDEX IF NOT EXISTS events_text ON events(substr(body, 10, 64)) WHERE ",
    put_away!()
);
/// Kinds whose bodies are long.
const KINDS: [&str; 2] = ["mind.asked", "mind.answered"];
/// Shorter bodies stay where they are: a row of their own and a hash would cost more than compression saves.
const INLINE_MAX: usize = 1_024;
/// A longer text was never written.
const TEXT_MAX: u64 = 64 * 1024 * 1024;
/// What stands in the event instead of its body.
const HEAD: &str = r#"{"blob":""#;
const TAIL: &str = r#""}"#;

/// Puts a long body away; the row keeps its hash.
pub(super) fn put_away(db: &Connection, row: &mut Row) -> rusqlite::Result<()> {
    if row.body.len() <= INLINE_MAX || !KINDS.contains(&row.kind) {
        return Ok(());
    }
    let hash = hash(&row.body);
    let fault = |error: std::io::Error| rusqlite::Error::ToSqlConversionFailure(error.into());
    let mut out = DeflateEncoder::new(Vec::new(), Compression::fast());
    out.write_all(row.body.as_bytes()).map_err(fault)?;
    let bytes = out.finish().map_err(fault)?;
    db.prepare_cached("INSERT OR IGNORE INTO blobs(hash, bytes) VALUES(?,?)")?
        .execute(params![hash, bytes])?;
    row.body = format!("{HEAD}{hash}{TAIL}");
    Ok(())
}

/// The body that was put away; none if this one was not, a fault if it is lost or damaged.
pub(super) fn fetch(
    db: &Connection,
    kind: &str,
    body: &str,
) -> rusqlite::Result<Option<Result<String, String>>> {
    let name = body
        .strip_prefix(HEAD)
        .and_then(|rest| rest.strip_suffix(TAIL));
    let Some(name) = name.filter(|_| KINDS.contains(&kind)) else {
        return Ok(None);
    };
    let found: Option<Vec<u8>> = db
        .prepare_cached("SELECT bytes FROM blobs WHERE hash = ?")?
        .query_row([name], |row| row.get(0))
        .optional()?;
    let Some(bytes) = found else {
        return Ok(Some(Err(format!("its text {name} is missing"))));
    };
    Ok(Some(unpacked(name, &bytes)))
}

/// The text of this name, or why these bytes are not it.
pub(super) fn unpacked(name: &str, bytes: &[u8]) -> Result<String, String> {
    let mut text = String::new();
    let read = DeflateDecoder::new(bytes)
        .take(TEXT_MAX)
        .read_to_string(&mut text);
    match read {
        Ok(_) if hash(&text) == name => Ok(text),
        Ok(_) | Err(_) => Err(format!("its text {name} is damaged")),
    }
}

pub(super) fn is_indexed(db: &Connection) -> rusqlite::Result<bool> {
    db.prepare_cached("SELECT 1 FROM sqlite_schema WHERE name = 'events_text'")?
        .exists([])
}

/// Deletes the text of this name if no event has it.
pub(super) fn delete_unused(db: &Connection, name: &str) -> rusqlite::Result<()> {
    let sql = concat!(
        "DELETE FROM blobs WHERE hash = ?1 AND NOT EXISTS (SELECT 1 FROM events INDEXED BY events_text \
         WHERE substr(body, 10, 64) = ?1 AND ",
        put_away!(),
        ")"
    );
    db.prepare_cached(sql)?.execute([name])?;
    Ok(())
}

fn hash(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Journal;
    use pithead_core::domain::run::event::Event;
    use pithead_core::domain::samples;
    use pithead_world::clock::Millis;
    use pithead_world::ids::{CallId, Seq};

    fn answered(n: u64) -> Event {
        Event::MindAnswered {
            call: CallId(1),
            text: "word ".repeat(2_000),
            ms: n,
        }
    }

    fn number(journal: &Journal, sql: &str) -> i64 {
        let look = |db: &rusqlite::Connection| db.query_row(sql, [], |row| row.get(0));
        journal.read("count", look).unwrap()
    }

    #[test]
    fn a_long_answer_is_kept_once_compressed_and_read_back() {
        let mut journal = Journal::in_memory().unwrap();
        let run = journal.create_run(samples::config(), Millis(1)).unwrap();
        for n in [1, 1, 2] {
            journal.append(run, Millis(2), vec![answered(n)]).unwrap();
        }
        let events = journal.events(run, Seq(1), 9).unwrap();
        let found: Vec<Event> = events.into_iter().map(|fact| fact.event).collect();
        assert_eq!(found, [answered(1), answered(1), answered(2)]);
        assert_eq!(number(&journal, "SELECT count(*) FROM blobs"), 2);
        assert!(number(&journal, "SELECT max(length(bytes)) FROM blobs") < 1_000);
    }

    #[test]
    fn a_lost_or_damaged_text_is_told_and_not_guessed() {
        for harm in ["DELETE FROM blobs", "UPDATE blobs SET bytes = x'00'"] {
            let mut journal = Journal::in_memory().unwrap();
            let run = journal.create_run(samples::config(), Millis(1)).unwrap();
            journal.append(run, Millis(2), vec![answered(1)]).unwrap();
            journal.read("harm", |db| db.execute(harm, [])).unwrap();
            let error = journal.events(run, Seq(1), 9).unwrap_err().to_string();
            assert!(error.contains("its text"), "{error}");
        }
    }
}
