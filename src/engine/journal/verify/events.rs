//! Events against their digests, their numbers and the chain of their run.

use super::super::chain::{Chain, chain_of_events, chain_of_run};
use super::super::codec;
use super::super::digest::{CHANGED, is_unchanged};
use super::super::key::{SEQ_MAX, key};
use super::super::unfinished::{STAYS, Work, all_unfinished};
use super::super::{JournalError, KNOWLEDGE_LOG};
use super::Verification;
use pithead_world::ids::{RunId, Seq};
use rusqlite::{Connection, OptionalExtension, Row};

pub(super) fn events(
    db: &Connection,
    deep: bool,
    found: &mut Verification,
) -> rusqlite::Result<()> {
    let unfinished = all_unfinished(db)?;
    let mut last = None;
    while let Some(run) = run_after(db, last)? {
        last = Some(run);
        let which = match unfinished.get(&run) {
            // Nothing of it is shown, and if its process was killed nothing of it stays.
            Some(Work::Fork) => continue,
            // The chain is over what stays; the others are on their way out.
            Some(Work::Delete) => STAYS,
            None => "TRUE",
        };
        let place = place_of_run(run);
        found.look(&place, |found| events_of_run(db, (run, which), deep, found));
    }
    Ok(())
}

/// Chains whose events are all gone.
pub(super) fn chains_without_events(
    db: &Connection,
    found: &mut Verification,
) -> rusqlite::Result<()> {
    let sql = "SELECT run, last FROM chain WHERE NOT EXISTS \
               (SELECT 1 FROM events WHERE id > chain.run << 32 AND id < (chain.run + 1) << 32)";
    let mut statement = db.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (run, last): (u64, u64) = (row.get(0)?, row.get(1)?);
        found.add(
            place_of_run(RunId(run)),
            format!("all its events up to {last} are missing"),
        );
    }
    Ok(())
}

pub(super) fn place_of_run(run: RunId) -> String {
    if run == KNOWLEDGE_LOG {
        "knowledge log".to_owned()
    } else {
        format!("run {run}")
    }
}

/// The next run that has events; runs are few and their events many, so each is looked for by its key.
pub(super) fn run_after(db: &Connection, last: Option<RunId>) -> rusqlite::Result<Option<RunId>> {
    let after = last.map_or(0, |run| key(run, SEQ_MAX));
    db.prepare_cached("SELECT id >> 32 FROM events WHERE id > ? ORDER BY id LIMIT 1")?
        .query_row([after], |row| row.get(0).map(RunId))
        .optional()
}

fn events_of_run(
    db: &Connection,
    (run, which): (RunId, &str),
    deep: bool,
    found: &mut Verification,
) -> rusqlite::Result<()> {
    let chain = chain_of_run(db, run)?;
    // Of a deleted run only some events stay.
    let is_whole = run == KNOWLEDGE_LOG
        || db
            .prepare_cached("SELECT 1 FROM runs WHERE id = ?")?
            .exists([run.0])?;
    let sql = format!(
        "SELECT seq, at, kind, version, body, digest FROM events \
         WHERE id > ? AND id <= ? AND {which} ORDER BY id"
    );
    let mut statement = db.prepare_cached(&sql)?;
    let mut rows = statement.query([key(run, Seq(0)), key(run, SEQ_MAX)])?;
    let mut last = Seq(0);
    while let Some(row) = rows.next()? {
        let seq = Seq(row.get(0)?);
        if is_whole && seq != last.next() {
            let fault = missing(last.next(), Seq(seq.0.saturating_sub(1)));
            found.add(place_of_run(run), fault);
        }
        last = seq;
        event(db, run, row, deep, chain.as_ref(), found)?;
    }
    drop(rows);
    let now = chain_of_events(db, run, which)?;
    check_chain(run, last, (chain, now), found);
    Ok(())
}

fn event(
    db: &Connection,
    run: RunId,
    row: &Row<'_>,
    deep: bool,
    chain: Option<&Chain>,
    found: &mut Verification,
) -> rusqlite::Result<()> {
    found.counted.events += 1;
    let seq = Seq(row.get(0)?);
    let place = |row: &Row<'_>| -> rusqlite::Result<String> {
        let kind = row.get_ref(2)?.as_bytes().unwrap_or_default();
        let kind = String::from_utf8_lossy(kind);
        Ok(format!("{}, event {seq} ({kind})", place_of_run(run)))
    };
    let has_digest = row.get_ref(5)?.as_blob_or_null()?.is_some();
    if !is_unchanged(row, 5)? {
        found.add(place(row)?, CHANGED);
        return Ok(());
    }
    if !has_digest {
        found.counted.events_without_digest += 1;
        if chain.is_some_and(|chain| seq >= chain.first) {
            found.add(place(row)?, "its digest is missing");
        }
    }
    if deep || !has_digest {
        match codec::fact_from_row(db, run, row)? {
            Ok(_) => (),
            Err(JournalError::BadEvent { fault, .. }) => found.add(place(row)?, fault),
            Err(error) => found.add(place(row)?, error.to_string()),
        }
    }
    Ok(())
}

fn check_chain(
    run: RunId,
    last: Seq,
    (chain, now): (Option<Chain>, Option<Chain>),
    found: &mut Verification,
) {
    let place = place_of_run(run);
    match (chain, now) {
        (None, None) => (),
        (None, Some(_)) => found.add(place, "the chain of its events is missing"),
        (Some(kept), _) if kept.last > last => found.add(
            place,
            format!("{} at its end", missing(last.next(), kept.last)),
        ),
        (Some(kept), _) if kept.last < last => found.add(
            place,
            format!("events after {} were added by another program", kept.last),
        ),
        (Some(kept), Some(now)) if kept == now => (),
        (Some(_), _) => found.add(
            place,
            "its events are not those that were written, in the order in which they were written",
        ),
    }
}

fn missing(first: Seq, last: Seq) -> String {
    if first == last {
        format!("event {first} is missing")
    } else {
        format!("events {first} to {last} are missing")
    }
}
