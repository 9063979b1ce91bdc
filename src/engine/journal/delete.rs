//! Deleting runs: the recording goes, and what other runs rest on stays.
//!
//! What stays: attempts with their labels, everything about knowledge, what was recounted at the end, and
//! the first event, so that the run's number is never given to another. Invariant: all of the runs asked
//! for go in one transaction, or none does; a run that is driven is refused.

use super::chain::link_again;
use super::key::{SEQ_MAX, key};
use super::{Journal, JournalError, KNOWLEDGE_LOG};
use pithead_world::ids::{RunId, Seq};
use rusqlite::{Connection, Transaction, params};
use serde::Serialize;

/// Stored names of events that stay; all about knowledge stay besides.
const STAY: [&str; 4] = [
    "run.started",
    "attempt.ended",
    "label.overruled",
    "run.recounted",
];

/// What deleting a run comes to; the JSON form is stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Deletion {
    pub run: u64,
    /// Events that go.
    pub events: u64,
    /// Attempts that stay in the experience store.
    pub attempts: u64,
    /// Entries of the knowledge base that were learnt in it, and stay.
    pub entries: u64,
}

impl Journal {
    /// What deleting these runs would come to; an error if one is not there or is driven.
    pub fn deletions(&self, runs: &[RunId]) -> Result<Vec<Deletion>, JournalError> {
        for run in runs {
            let lock = self.lock_driver(*run)?;
            self.run(*run)?;
            drop(lock);
        }
        self.read("look at what would be deleted", |db| {
            runs.iter().map(|run| count(db, *run)).collect()
        })
    }

    /// Deletes these runs, or none.
    pub fn delete_runs(&mut self, runs: &[RunId]) -> Result<Vec<Deletion>, JournalError> {
        let mut locks = Vec::new();
        for run in runs {
            // Held until all is done: nobody may begin to drive what is about to go, nor delete it first.
            locks.push(self.lock_driver(*run)?);
            self.run(*run)?;
        }
        let deleted = self.write("delete runs", |tx| {
            // After a failed read SQLite may have ended the transaction, and a deletion would be one of its own.
            let counted: Vec<Deletion> = runs
                .iter()
                .map(|run| count(tx, *run))
                .collect::<rusqlite::Result<_>>()?;
            for run in runs {
                delete(tx, *run)?;
            }
            // Texts that several events share go with the last of them.
            tx.execute(
                "DELETE FROM blobs WHERE hash NOT IN (SELECT body ->> '$.blob' FROM events \
                 WHERE kind IN ('mind.asked', 'mind.answered') AND body LIKE '{\"blob\":%')",
                [],
            )?;
            Ok(counted)
        });
        drop(locks);
        deleted
    }
}

/// The condition on `kind` of events that go.
fn deleted_kinds() -> String {
    format!(
        "kind NOT IN ('{}') AND kind NOT LIKE 'knowledge.%'",
        STAY.join("','")
    )
}

fn count(db: &Connection, run: RunId) -> rusqlite::Result<Deletion> {
    let number = |sql: &str, of: [u64; 2]| db.query_row(sql, of, |row| row.get(0));
    let events = format!(
        "SELECT count(*) FROM events WHERE id > ? AND id <= ? AND {}",
        deleted_kinds()
    );
    let both = [run.0; 2];
    Ok(Deletion {
        run: run.0,
        events: number(&events, [key(run, Seq(0)), key(run, SEQ_MAX)])?,
        attempts: number(
            "SELECT count(*) FROM experience WHERE run = ? AND run = ?",
            both,
        )?,
        entries: number(
            "SELECT count(*) FROM knowledge WHERE run = ? AND run = ?",
            both,
        )?,
    })
}

fn delete(tx: &Transaction<'_>, run: RunId) -> rusqlite::Result<()> {
    debug_assert_ne!(
        run, KNOWLEDGE_LOG,
        "the knowledge log is in no list of runs"
    );
    let sql = format!(
        "DELETE FROM events WHERE id > ? AND id <= ? AND {}",
        deleted_kinds()
    );
    tx.execute(&sql, params![key(run, Seq(0)), key(run, SEQ_MAX)])?;
    link_again(tx, run)?;
    tx.execute("DELETE FROM runs WHERE id = ?", [run.0])?;
    super::fork::forget(tx, run)
}

#[cfg(test)]
mod tests {
    use super::super::samples::every_kind;
    use super::super::{Durability, EntryFilter};
    use super::*;
    use pithead_core::domain::run::event::Event;
    use pithead_core::domain::samples::{config, experience};
    use pithead_world::clock::Millis;
    use pithead_world::ids::{CallId, ExperienceId};

    /// Two runs of all kinds of events, and in both the same long answer.
    fn fill(journal: &mut Journal) -> [RunId; 2] {
        [1, 2].map(|n| {
            let run = journal.create_run(config(), Millis(1)).unwrap();
            let mut events = every_kind(run.0);
            let is_other = |event: &Event| {
                !matches!(
                    event,
                    Event::RunStarted { .. } | Event::RunForked { .. } | Event::AttemptEnded { .. }
                )
            };
            events.retain(is_other);
            let experience = experience(run.0, 1, "iron_ore", false);
            events.push(Event::AttemptEnded {
                attempt: experience.attempt,
                experience: Box::new(experience),
            });
            for ms in [7, n] {
                events.push(Event::MindAnswered {
                    call: CallId(1),
                    text: "word ".repeat(2_000),
                    ms,
                });
            }
            journal.append(run, Millis(2), events).unwrap();
            run
        })
    }

    fn blobs(journal: &Journal) -> u64 {
        let sql = "SELECT count(*) FROM blobs";
        let look = |db: &Connection| db.query_row(sql, [], |row| row.get(0));
        journal.read("count", look).unwrap()
    }

    #[test]
    fn deleting_a_run_keeps_its_attempts_and_entries() {
        let mut journal = Journal::in_memory().unwrap();
        let [one, other] = fill(&mut journal);
        let base = journal.knowledge(EntryFilter::default()).unwrap();
        let learnt = base.iter().filter(|entry| entry.id.run == other).count() as u64;
        let id = ExperienceId { run: other, n: 1 };
        let document = journal.document(id).unwrap();
        assert!(document.is_some() && !base.is_empty());
        let shared = blobs(&journal);
        let would = journal.deletions(&[other]).unwrap();
        assert_eq!(journal.runs().unwrap().len(), 2, "looking deletes nothing");
        let done = journal.delete_runs(&[other]).unwrap();
        assert_eq!(would, done);
        assert_eq!((done[0].attempts, done[0].entries), (1, learnt));
        assert!(done[0].events > 10, "{done:?}");
        let left: Vec<RunId> = journal.runs().unwrap().iter().map(|row| row.id).collect();
        assert_eq!(left, [one]);
        assert!(matches!(
            journal.run(other),
            Err(JournalError::NoRun { .. })
        ));
        assert_eq!(journal.knowledge(EntryFilter::default()).unwrap(), base);
        assert_eq!(journal.document(id).unwrap(), document);
        // The texts that only the deleted run had are gone, the shared one is not.
        assert!(blobs(&journal) < shared);
        assert!(journal.events(one, Seq(0), 999).is_ok());
    }

    #[test]
    fn a_number_is_never_given_again() {
        let mut journal = Journal::in_memory().unwrap();
        let [_, last] = fill(&mut journal);
        journal.delete_runs(&[last]).unwrap();
        let next = journal.create_run(config(), Millis(3)).unwrap();
        assert_eq!(next, RunId(last.0 + 1));
    }

    /// The run may be deleted by another program between the reading of its past and the fork.
    #[test]
    fn what_is_left_of_a_deleted_run_is_not_forked() {
        let mut journal = Journal::in_memory().unwrap();
        let [_, other] = fill(&mut journal);
        let last = journal.last_seq(other).unwrap();
        journal.delete_runs(&[other]).unwrap();
        let past = crate::journal::CopiedPast {
            ticks: 0,
            attempts: 0,
            failed: 0,
        };
        let forked = journal.fork_run((other, last), config(), past, Vec::new(), Millis(9));
        assert!(matches!(forked, Err(JournalError::NoRun { run, .. }) if run == other));
        assert_eq!(journal.runs().unwrap().len(), 1);
    }

    #[test]
    fn all_go_or_none_does() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pithead.db");
        let mut journal = Journal::open(&path, Durability::Full).unwrap();
        let [one, other] = fill(&mut journal);
        let driven = Journal::look(&path).unwrap();
        let lock = driven.lock_driver(other).unwrap();
        let refused = journal.delete_runs(&[one, other]).unwrap_err();
        assert!(matches!(refused, JournalError::Driven { run, .. } if run == other));
        let missing = journal.delete_runs(&[one, RunId(99)]).unwrap_err();
        assert!(matches!(missing, JournalError::NoRun { .. }));
        assert_eq!(journal.runs().unwrap().len(), 2);
        drop(lock);
        assert_eq!(journal.delete_runs(&[one, other]).unwrap().len(), 2);
        assert!(journal.runs().unwrap().is_empty());
    }
}
