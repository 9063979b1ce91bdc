//! Upgrades: a file of an older format becomes one of this format, in one transaction.
//!
//! Events are the truth and are not touched; projections are made anew from them. A program that is
//! killed in between leaves the older file as it was.

use super::key::{Ascending, run_of};
use super::schema::{EXPERIENCE, FORMAT};
use super::{chain, codec, experience, knowledge, knowledge_order, lost_log, runs, tried_options};
use pithead_core::domain::run::event::Event;
use rusqlite::{Connection, Transaction, params};
use std::collections::BTreeSet;

/// What leads from each older format to the next, oldest first: the first one from format 1 to 2.
const STEPS: [fn(&Transaction<'_>) -> rusqlite::Result<()>; 5] = [
    experience_in_tiers,
    digests,
    options_from_attempts,
    acts_of_operators,
    options_from_attempts,
];

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

/// Format 3 did not count what was tried, format 4 told no food and no bed apart, and format 5 no searches.
fn options_from_attempts(tx: &Transaction<'_>) -> rusqlite::Result<()> {
    // The first step has counted already what it read.
    tx.execute_batch("DELETE FROM tried")?;
    each_attempt(tx, |_, _, event| match event {
        Event::AttemptEnded { experience, .. } => tried_options::project(tx, experience),
        _ => Ok(()),
    })
}

/// Format 4 counted what an operator did, or ended, among the failures.
fn acts_of_operators(tx: &Transaction<'_>) -> rusqlite::Result<()> {
    let mut runs = BTreeSet::new();
    each_attempt(tx, |key, _, event| {
        let Event::AttemptEnded { experience, .. } = event else {
            return Ok(());
        };
        if experience.no_failure().is_some() {
            let run = run_of(key);
            tx.prepare_cached("UPDATE experience SET reason = NULL WHERE event = ?")?
                .execute([key])?;
            tx.prepare_cached("UPDATE runs SET failed = failed - 1 WHERE id = ?")?
                .execute([run.0])?;
            runs.insert(run);
        }
        Ok(())
    })?;
    runs.into_iter().try_for_each(|run| runs::seal(tx, run))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::Journal;
    use pithead_core::domain::samples::{config, experience};
    use pithead_world::clock::Millis;
    use pithead_world::ids::AttemptId;

    #[test]
    fn what_an_operator_did_or_ended_is_no_failure_after_the_upgrade() {
        let mut journal = Journal::in_memory().unwrap();
        let run = journal.create_run(config(), Millis(1)).unwrap();
        let attempts = [(false, false), (true, false), (false, true)];
        for (n, (by_operator, called_off)) in (1..).zip(attempts) {
            let mut e = experience(run.0, n, "coal", false);
            (e.by_operator, e.called_off) = (by_operator, called_off);
            let ended = Event::AttemptEnded {
                attempt: AttemptId(n),
                experience: Box::new(e),
            };
            journal.append(run, Millis(2), vec![ended]).unwrap();
        }
        let failed = |journal: &Journal| {
            let row = journal.run(run).unwrap();
            (row.failed, journal.failures(&[run], 9).unwrap().len())
        };
        assert_eq!(failed(&journal), (1, 1));
        // As format 4 wrote them.
        journal
            .db
            .execute_batch(
                "UPDATE experience SET reason = 'UNKNOWN' WHERE reason IS NULL; \
                 UPDATE runs SET failed = 3; PRAGMA user_version = 4;",
            )
            .unwrap();
        assert_eq!(journal.failures(&[run], 9).unwrap().len(), 3);
        let tx = journal.db.transaction().unwrap();
        upgrade(&tx, 4).unwrap();
        tx.commit().unwrap();
        assert_eq!(failed(&journal), (1, 1));
    }
}
