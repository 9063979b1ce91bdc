//! Deleting runs: the recording goes, and what other runs rest on stays.
//!
//! What stays: attempts with their labels, everything about knowledge, what was recounted at the end, and
//! the first event, so that the run's number is never given to another. One short transaction takes all of the runs
//! off the list and gives each the chain of what stays; after it they are deleted, and their other events are
//! cleared away bit by bit. Invariant: all of the runs asked for go, or none does; a run that is driven is refused.

use super::chain::{Chain, chain_of_events, chain_of_run, replace_chain};
use super::key::{SEQ_MAX, key};
use super::unfinished::{STAYS, Work, begin};
use super::{DriverLock, Journal, JournalError, KNOWLEDGE_LOG};
use pithead_world::ids::{RunId, Seq};
use rusqlite::{Connection, Transaction};
use serde::Serialize;

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
            let runs = runs.iter();
            runs.map(|run| Remains::read(db, *run)?.deletion(db))
                .collect()
        })
    }

    /// Deletes these runs, or none.
    pub fn delete_runs(&mut self, runs: &[RunId]) -> Result<Vec<Deletion>, JournalError> {
        let (deleted, locks) = self.take_off_list(runs)?;
        for run in runs {
            // The runs are gone all the same: what is left is in no list.
            if let Err(error) = self.clear(*run, Work::Delete) {
                tracing::warn!("what is left of run {run} is cleared away later: {error}");
            }
        }
        drop(locks);
        Ok(deleted)
    }

    /// Deletes them, and clears nothing away yet. Their locks are held meanwhile.
    pub(super) fn take_off_list(
        &mut self,
        runs: &[RunId],
    ) -> Result<(Vec<Deletion>, Vec<DriverLock>), JournalError> {
        let mut locks = Vec::new();
        for run in runs {
            // Held until all is done: nobody may begin to drive what is about to go, nor delete it first.
            locks.push(self.lock_driver(*run)?);
            self.run(*run)?;
        }
        loop {
            let remains: Vec<Remains> = self.read(DELETE, |db| {
                let runs = runs.iter();
                runs.map(|run| Remains::read(db, *run)).collect()
            })?;
            if let Some(deleted) = self.write(DELETE, |tx| take_off_list(tx, &remains))? {
                return Ok((deleted, locks));
            }
        }
    }
}

/// What is being done, for messages.
const DELETE: &str = "delete runs";

/// What will be left of a run. All its events are read for it, so this is done while others can write.
#[derive(Debug)]
struct Remains {
    run: RunId,
    /// Of all its events, by which a change is noticed.
    whole: Option<Chain>,
    /// Of those that stay.
    chain: Option<Chain>,
    /// How many events go.
    cleared: u64,
}

impl Remains {
    fn read(db: &Connection, run: RunId) -> rusqlite::Result<Self> {
        let sql = format!("SELECT count(*) FROM events WHERE id > ? AND id <= ? AND NOT {STAYS}");
        let range = [key(run, Seq(0)), key(run, SEQ_MAX)];
        Ok(Self {
            run,
            whole: chain_of_run(db, run)?,
            chain: chain_of_events(db, run, STAYS)?,
            cleared: db.query_row(&sql, range, |row| row.get(0))?,
        })
    }

    fn deletion(&self, db: &Connection) -> rusqlite::Result<Deletion> {
        let number = |sql: &str| db.query_row(sql, [self.run.0], |row| row.get(0));
        Ok(Deletion {
            run: self.run.0,
            events: self.cleared,
            attempts: number("SELECT count(*) FROM experience WHERE run = ?")?,
            entries: number("SELECT count(*) FROM knowledge WHERE run = ?")?,
        })
    }
}

/// Takes the runs off the list, or does nothing if events were added to one of them since it was read.
fn take_off_list(
    tx: &Transaction<'_>,
    remains: &[Remains],
) -> rusqlite::Result<Option<Vec<Deletion>>> {
    for Remains { run, whole, .. } in remains {
        if chain_of_run(tx, *run)? != *whole {
            return Ok(None);
        }
    }
    for Remains { run, chain, .. } in remains {
        debug_assert_ne!(
            *run, KNOWLEDGE_LOG,
            "the knowledge log is in no list of runs"
        );
        replace_chain(tx, *run, *chain)?;
        tx.execute("DELETE FROM runs WHERE id = ?", [run.0])?;
        super::fork::forget(tx, *run)?;
        begin(tx, *run, Work::Delete)?;
    }
    let counted = remains.iter().map(|run| run.deletion(tx));
    counted.collect::<rusqlite::Result<_>>().map(Some)
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
        let forked = journal.fork_run(None, (other, last), config(), past, Vec::new(), Millis(9));
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
