//! The knowledge log: changes of the knowledge base that no run made, by an operator, an import or a
//! rule.
//!
//! They are events like all others, in the list of run 0, which has no task, no world and no driver.
//! Invariant: a change is decided and written in one transaction, so that two programs at the same
//! database never decide on a state that is gone.

use super::append::{append, last_seq};
use super::{Journal, JournalError, knowledge};
use pithead_core::domain::knowledge::Entry;
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_world::clock::Millis;
use pithead_world::ids::{KnowledgeId, RunId, Seq};
use rusqlite::Transaction;

/// The number under which the log's events are stored: runs are numbered from 1.
pub const KNOWLEDGE_LOG: RunId = RunId(0);

/// Why nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused(pub String);

impl Journal {
    /// Shows the whole base to `decide` and writes what it says, or nothing. No other program can
    /// change the base in between.
    pub fn curate(
        &mut self,
        at: Millis,
        decide: impl FnOnce(&[Entry]) -> Result<Vec<Event>, Refused>,
    ) -> Result<Result<Vec<Recorded>, Refused>, JournalError> {
        let mut bad = None;
        let done = self.write_lasting("change the knowledge base", |tx| {
            let entries = match knowledge::all(tx)? {
                Ok(entries) => entries,
                Err(error) => {
                    bad = Some(error);
                    return Ok(Ok(Vec::new()));
                }
            };
            match decide(&entries) {
                Ok(events) if events.is_empty() => Ok(Ok(Vec::new())),
                Ok(events) => {
                    let last = last_seq(tx, KNOWLEDGE_LOG)?.unwrap_or(Seq(0));
                    append(tx, KNOWLEDGE_LOG, last, at, events).map(Ok)
                }
                Err(refused) => Ok(Err(refused)),
            }
        })?;
        match bad {
            Some(error) => Err(error),
            None => Ok(done),
        }
    }
}

/// Entries that are added in one transaction: it holds the lock for some 20 ms.
const BATCH_ENTRIES: usize = 200;

/// What became of an entry that was to be added.
#[derive(Debug, Clone, PartialEq)]
pub enum Added {
    /// It is in the base under this id.
    New(KnowledgeId),
    /// An entry of its kind says the same already.
    Known(Box<Entry>),
}

impl Journal {
    /// Adds entries that no entry of the base says already, under the next ids of the log. Other programs
    /// can write in between; a program that is killed has added the first ones.
    pub fn add_entries(
        &mut self,
        at: Millis,
        entries: &[Entry],
    ) -> Result<Vec<Added>, JournalError> {
        let mut added = Vec::with_capacity(entries.len());
        for batch in entries.chunks(BATCH_ENTRIES) {
            let written = self.write_lasting("add entries", |tx| {
                let mut done = Vec::with_capacity(batch.len());
                for entry in batch {
                    done.push(match knowledge::saying_the_same(tx, &entry.body)? {
                        Some(known) => known.map(|known| Added::Known(Box::new(known))),
                        None => Ok(Added::New(add(tx, at, entry.clone())?)),
                    });
                }
                Ok(done)
            })?;
            for one in written {
                added.push(one?);
            }
        }
        Ok(added)
    }
}

fn add(tx: &Transaction<'_>, at: Millis, entry: Entry) -> rusqlite::Result<KnowledgeId> {
    let id = KnowledgeId {
        run: KNOWLEDGE_LOG,
        n: knowledge::last_number(tx, KNOWLEDGE_LOG)? + 1,
    };
    let entry = Box::new(Entry { id, ..entry });
    let last = last_seq(tx, KNOWLEDGE_LOG)?.unwrap_or(Seq(0));
    let proposed = vec![Event::KnowledgeProposed { entry }];
    append(tx, KNOWLEDGE_LOG, last, at, proposed)?;
    Ok(id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::EntryFilter;
    use pithead_core::domain::knowledge::{Author, Status};
    use pithead_core::domain::run::decision::By;
    use pithead_core::domain::samples::{config, entry};

    fn moved(id: KnowledgeId, to: Status, other: Option<KnowledgeId>) -> Event {
        Event::KnowledgeMoved {
            id,
            to,
            reason: "so".to_owned(),
            by: Author::Operator("ann".to_owned()),
            other,
        }
    }

    /// A run with two entries that wait at its gate.
    fn journal() -> (Journal, RunId, [Entry; 2]) {
        let mut journal = Journal::in_memory().unwrap();
        let run = journal.create_run(config(), Millis(1)).unwrap();
        let known = [entry(run.0, 1, "stone"), entry(run.0, 2, "coal")];
        let proposed = known.clone().map(|entry| Event::KnowledgeProposed {
            entry: Box::new(entry),
        });
        journal.append(run, Millis(2), proposed.into()).unwrap();
        (journal, run, known)
    }

    fn status(journal: &Journal, id: KnowledgeId) -> Status {
        let all = journal.knowledge(EntryFilter::default()).unwrap();
        all.iter().find(|e| e.id == id).unwrap().status
    }

    #[test]
    fn the_log_has_a_list_of_its_own_and_a_refusal_writes_nothing() {
        let (mut journal, _, [one, _]) = journal();
        let refused = journal.curate(Millis(3), |base| {
            assert_eq!(base.len(), 2);
            Err(Refused("no".to_owned()))
        });
        assert_eq!(refused.unwrap(), Err(Refused("no".to_owned())));
        assert_eq!(journal.events(KNOWLEDGE_LOG, Seq(0), 9).unwrap(), []);
        for _ in 0..2 {
            let to = moved(one.id, Status::Retired, None);
            journal
                .curate(Millis(3), |_| Ok(vec![to]))
                .unwrap()
                .unwrap();
        }
        let events = journal.events(KNOWLEDGE_LOG, Seq(0), 9).unwrap();
        let numbers: Vec<u64> = events.iter().map(|fact| fact.seq.0).collect();
        assert_eq!(numbers, [1, 2]);
        assert_eq!(journal.runs().unwrap().len(), 1, "the log is no run");
        let retired = &journal.knowledge(EntryFilter::default()).unwrap()[0];
        assert_eq!(
            (retired.status, retired.version),
            (Status::Retired, 2),
            "said once"
        );
    }

    /// The operator vetoes an entry in the log; its run, which does not know, approves and edits it.
    #[test]
    fn a_run_does_not_bring_back_what_was_vetoed_in_the_log() {
        let (mut journal, run, [one, other]) = journal();
        let vetoed = moved(one.id, Status::Vetoed, None);
        journal
            .curate(Millis(3), |_| Ok(vec![vetoed]))
            .unwrap()
            .unwrap();
        let late = vec![
            Event::KnowledgeEdited {
                id: one.id,
                body: other.body,
                reason: "edited at its gate".to_owned(),
                by: None,
            },
            Event::KnowledgeActivated {
                id: one.id,
                by: Some(By::Timeout),
            },
        ];
        journal.append(run, Millis(4), late).unwrap();
        assert_eq!(status(&journal, one.id), Status::Vetoed);
        let like = journal.entry_saying_the_same(&one.body).unwrap();
        assert_eq!(like, Some((one.id, Status::Vetoed)));
    }

    #[test]
    fn a_merged_entry_is_found_under_the_entry_it_became_part_of() {
        let (mut journal, _, [one, other]) = journal();
        let merged = vec![
            Event::KnowledgeMerged {
                into: other.id,
                draft: Box::new(one.clone()),
            },
            moved(one.id, Status::Superseded, Some(other.id)),
        ];
        journal.curate(Millis(3), |_| Ok(merged)).unwrap().unwrap();
        let like = journal.entry_saying_the_same(&one.body).unwrap();
        assert_eq!(like, Some((other.id, Status::Proposed)));
        let into = &journal.knowledge(EntryFilter::default()).unwrap()[1];
        assert_eq!(into.provenance.experiences.len(), 2);
        assert!(into.confidence > 0.6, "it was learnt twice");
    }

    #[test]
    fn knowledge_waits_for_the_disk_whatever_the_durability() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let mut journal = Journal::open(&path, crate::journal::Durability::Normal).unwrap();
        let synchronous = |db: &rusqlite::Connection| {
            db.query_row("PRAGMA synchronous", [], |row| row.get::<_, u8>(0))
        };
        let full = journal.write_lasting("look", |tx| synchronous(tx)).unwrap();
        let normal = journal.write("look", |tx| synchronous(tx)).unwrap();
        assert_eq!((full, normal), (2, 1));
    }
}
