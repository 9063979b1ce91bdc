//! Upgrades: a file of an older format becomes one of this format, in one transaction.
//!
//! Events are the truth and are not touched; projections are made anew from them. A program that is
//! killed in between leaves the older file as it was.

use super::key::Ascending;
use super::schema::{EXPERIENCE, FORMAT};
use super::{chain, codec, experience, knowledge, knowledge_order, lost_log, runs, tried_options};
use pithead_core::domain::run::event::Event;
use rusqlite::{Connection, Transaction, params};

/// What leads from each older format to the next, oldest first: the first one from format 1 to 2.
const STEPS: [fn(&Transaction<'_>) -> rusqlite::Result<()>; 3] =
    [experience_in_tiers, digests, options_from_attempts];

/// Brings a file of format `found` up to this program's.
pub(super) fn upgrade(tx: &Transaction<'_>, found: i64) -> rusqlite::Result<()> {
    let behind = usize::try_from(FORMAT - found).unwrap_or(0);
    for step in &STEPS[STEPS.len().saturating_sub(behind)..] {
        step(tx)?;
    }
    if behind > 0 {
        tx.pragma_update(None, "user_version", FORMAT)?;
    }
    Ok(())
}

/// Format 1 kept each document twice and no vectors.
fn experience_in_tiers(tx: &Transaction<'_>) -> rusqlite::Result<()> {
    tx.execute_batch("DROP TABLE experience")?;
    tx.execute_batch(EXPERIENCE)?;
    each_attempt(tx, |key, body, event| {
        experience::project(tx, key, body, event)
    })
}

/// Format 3 did not count what was tried.
fn options_from_attempts(tx: &Transaction<'_>) -> rusqlite::Result<()> {
    // The first step has counted already what it read.
    tx.execute_batch("DELETE FROM tried")?;
    each_attempt(tx, |_, _, event| match event {
        Event::AttemptEnded { experience, .. } => tried_options::project(tx, experience),
        _ => Ok(()),
    })
}

/// Shows the ended attempts of all runs, each with its key and body.
fn each_attempt(
    tx: &Transaction<'_>,
    mut see: impl FnMut(u64, &str, &Event) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let (mut last, mut order) = (0, Ascending::after(0));
    while let Some((key, version, body)) = next_ended(tx, last)? {
        order.take(key)?;
        // What cannot be read is no experience; reading its run names the fault.
        if let Ok(event) = codec::decode(ENDED, version, &body) {
            see(key, &body, &event)?;
        }
        last = key;
    }
    Ok(())
}

/// Format 2 had no digests. Events stay as they are: what an older program wrote can be proven by nothing.
fn digests(tx: &Transaction<'_>) -> rusqlite::Result<()> {
    for table in ["runs", "events", "knowledge"] {
        tx.execute_batch(&format!("ALTER TABLE {table} ADD COLUMN digest BLOB"))?;
    }
    tx.execute_batch(chain::TABLE)?;
    tx.execute_batch(knowledge_order::TABLE)?;
    tx.execute_batch(lost_log::TABLES)?;
    runs::seal_all(tx)?;
    knowledge::seal_all(tx)
}

const ENDED: &str = "attempt.ended";

fn next_ended(db: &Connection, after: u64) -> rusqlite::Result<Option<(u64, u32, String)>> {
    let sql = "SELECT id, version, body FROM events WHERE id > ? AND kind = ? ORDER BY id LIMIT 1";
    let mut statement = db.prepare_cached(sql)?;
    let mut rows = statement.query(params![after, ENDED])?;
    let Some(row) = rows.next()? else {
        return Ok(None);
    };
    Ok(Some((row.get(0)?, row.get(1)?, row.get(2)?)))
}
