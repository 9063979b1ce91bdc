//! Events against their digests, their numbers and the chain of their run.

use super::super::chain::{Chain, chain_of_events, chain_of_run};
use super::super::codec;
use super::super::digest::{CHANGED, is_unchanged};
use super::super::key::{Ascending, SEQ_MAX, key};
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
    each_run(db, found, |run, found| events_of_run(db, run, deep, found))
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

/// A run, and which of its events are looked at.
pub(super) type Part = (RunId, &'static str);

/// Looks at each run that has events.
pub(super) fn each_run(
    db: &Connection,
    found: &mut Verification,
    mut look: impl FnMut(Part, &mut Verification) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let unfinished = all_unfinished(db)?;
    let (mut last, mut order) = (0, Ascending::after(0));
    while let Some(first) = first_after(db, last)? {
        order.take(first)?;
        let run = RunId(first >> 32);
        last = key(run, SEQ_MAX);
        let which = match unfinished.get(&run) {
            // Nothing of it is shown, and if its process was killed nothing of it stays.
            Some(Work::Fork) => continue,
            // The chain is over what stays; the others are on their way out.
            Some(Work::Delete) => STAYS,
            None => "TRUE",
        };
        found.look(&place_of_run(run), |found| look((run, which), found));
    }
    Ok(())
}

/// The key of the next event; runs are few and their events many, so each run is looked for by its key.
fn first_after(db: &Connection, last: u64) -> rusqlite::Result<Option<u64>> {
    db.prepare_cached("SELECT id FROM events WHERE id > ? ORDER BY id LIMIT 1")?
        .query_row([last], |row| row.get(0))
        .optional()
}

/// Shows the events of a run that are looked at, in their order.
pub(super) fn each_event(
    db: &Connection,
    (run, which): Part,
    mut see: impl FnMut(Seq, &Row<'_>) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let sql = format!(
        "SELECT seq, at, kind, version, body, digest FROM events \
         WHERE id > ? AND id <= ? AND {which} ORDER BY id"
    );
    let mut statement = db.prepare_cached(&sql)?;
    let mut rows = statement.query([key(run, Seq(0)), key(run, SEQ_MAX)])?;
    let mut order = Ascending::after(0);
    while let Some(row) = rows.next()? {
        let seq = Seq(row.get(0)?);
        order.take(seq.0)?;
        see(seq, row)?;
    }
    Ok(())
}

fn events_of_run(
    db: &Connection,
    (run, which): Part,
    deep: bool,
    found: &mut Verification,
) -> rusqlite::Result<()> {
    let chain = chain_of_run(db, run)?;
    // Of a deleted run only some events stay.
    let is_whole = run == KNOWLEDGE_LOG
        || db
            .prepare_cached("SELECT 1 FROM runs WHERE id = ?")?
            .exists([run.0])?;
    if !is_whole && which != STAYS && has_more_than_stays(db, run)? {
        found.add(place_of_run(run), "its row in the list of runs is missing");
    }
    let mut last = Seq(0);
    each_event(db, (run, which), |seq, row| {
        if is_whole && seq != last.next() {
            let fault = missing(last.next(), Seq(seq.0.saturating_sub(1)));
            found.add(place_of_run(run), fault);
        }
        last = seq;
        event(db, run, row, deep, chain.as_ref(), found)
    })?;
    let now = chain_of_events(db, run, which)?;
    check_chain(run, last, (chain, now), found);
    Ok(())
}

/// True if the run has events of which none stays when a run is deleted.
fn has_more_than_stays(db: &Connection, run: RunId) -> rusqlite::Result<bool> {
    let sql = format!("SELECT 1 FROM events WHERE id > ? AND id <= ? AND NOT {STAYS}");
    db.prepare_cached(&sql)?
        .exists([key(run, Seq(0)), key(run, SEQ_MAX)])
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
