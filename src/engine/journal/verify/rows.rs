//! Rows against their digests: runs, entries of the knowledge base, documents of experience, long texts.

use super::super::codec;
use super::super::digest::CHANGED;
use super::super::experience::is_document;
use super::super::key::Ascending;
use super::super::{JournalError, blobs, knowledge, runs};
use super::Verification;
use rusqlite::Connection;

pub(super) fn runs(db: &Connection, found: &mut Verification) -> rusqlite::Result<()> {
    let (mut last, mut order) = (0, Ascending::after(0));
    while let Some((run, is_unchanged)) = runs::next_row(db, last)? {
        order.take(run)?;
        found.counted.runs += 1;
        if !is_unchanged {
            found.add(format!("run {run} in the list of runs"), CHANGED);
        }
        last = run;
    }
    Ok(())
}

pub(super) fn entries(db: &Connection, found: &mut Verification) -> rusqlite::Result<()> {
    knowledge::each(db, |entry| {
        found.counted.entries += 1;
        match entry {
            Ok(_) => (),
            Err(JournalError::BadEntry { id, fault }) => found.add(format!("entry {id}"), fault),
            Err(error) => found.add("knowledge base", error.to_string()),
        }
    })
}

pub(super) fn documents(db: &Connection, found: &mut Verification) -> rusqlite::Result<()> {
    let sql = "SELECT experience.run, n, experience.digest, events.kind, version, body \
               FROM experience LEFT JOIN events ON events.id = experience.event ORDER BY row";
    let mut statement = db.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        found.counted.experiences += 1;
        let (run, n): (u64, u64) = (row.get(0)?, row.get(1)?);
        let place = format!("experience e{run}.{n}");
        let Some(body) = row.get_ref(5)?.as_str_or_null()? else {
            found.add(place, "its document is missing");
            continue;
        };
        if !is_document(body, row.get_ref(2)?.as_blob()?) {
            found.add(place, "its document is not the one that was written");
        } else if let Err(unread) = codec::decode(row.get_ref(3)?.as_str()?, row.get(4)?, body) {
            found.add(place, format!("its document cannot be read: {unread:?}"));
        }
    }
    let sql = "SELECT count(*) - coalesce(max(row), 0) FROM experience";
    if super::number(db, sql)? != 0 {
        found.add("experience", "rows are missing");
    }
    Ok(())
}

pub(super) fn texts(db: &Connection, found: &mut Verification) -> rusqlite::Result<()> {
    let mut statement = db.prepare("SELECT hash, bytes FROM blobs")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        found.counted.texts += 1;
        let name = row.get_ref(0)?.as_str()?;
        if let Err(fault) = blobs::unpacked(name, row.get_ref(1)?.as_blob()?) {
            found.add(format!("text {name}"), fault);
        }
    }
    drop(rows);
    let sql = "SELECT run, seq, kind FROM events WHERE kind IN ('mind.asked', 'mind.answered') \
               AND body LIKE '{\"blob\":%' AND body ->> '$.blob' NOT IN (SELECT hash FROM blobs)";
    let mut statement = db.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (run, seq, kind): (u64, u64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        found.add(
            format!("run {run}, event {seq} ({kind})"),
            "its text is missing",
        );
    }
    Ok(())
}
