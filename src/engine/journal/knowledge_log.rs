//! The knowledge log: changes of the knowledge base that no run made, by an operator, an import or a
//! rule.
//!
//! They are events like all others, in the list of run 0, which has no task, no world and no driver.
//! Invariant: a change is written to the base that it was decided on, so that two programs at the same
//! database never decide on a state that is gone.

use super::append::append;
use super::key::last_seq;
use super::knowledge_order::last_change;
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

/// How often a change is decided while others change the base, before they are made to wait.
const TRIES: usize = 4;

impl Journal {
    /// Shows the whole base to `decide` and writes what it says, or nothing. The base is read and decided on
    /// while others can write; if they changed it meanwhile, `decide` is asked again.
    pub fn curate(
        &mut self,
        at: Millis,
        mut decide: impl FnMut(&[Entry]) -> Result<Vec<Event>, Refused>,
    ) -> Result<Result<Vec<Recorded>, Refused>, JournalError> {
        for _ in 0..TRIES {
            let (entries, change) = self.base_as_it_is()?;
            let events = match decide(&entries) {
                Ok(events) if events.is_empty() => return Ok(Ok(Vec::new())),
                Ok(events) => events,
                Err(refused) => return Ok(Err(refused)),
            };
            let written = self.write_lasting(CHANGE, |tx| {
                if last_change(tx)? == change {
                    append_to_log(tx, at, events).map(Some)
                } else {
                    Ok(None)
                }
            })?;
            if let Some(recorded) = written {
                return Ok(Ok(recorded));
            }
        }
        self.curate_alone(at, decide)
    }

    /// The base, and the number of its last change.
    fn base_as_it_is(&mut self) -> Result<(Vec<Entry>, u64), JournalError> {
        let path = self.path();
        let fault = super::fault_at(CHANGE, &path);
        // One transaction: both are of the same moment.
        let tx = self.db.transaction().map_err(&fault)?;
        let change = last_change(&tx).map_err(&fault)?;
        let entries = knowledge::all(&tx).map_err(&fault)??;
        Ok((entries, change))
    }

    /// Decides while nobody else can write.
    fn curate_alone(
        &mut self,
        at: Millis,
        mut decide: impl FnMut(&[Entry]) -> Result<Vec<Event>, Refused>,
    ) -> Result<Result<Vec<Recorded>, Refused>, JournalError> {
        self.write_lasting(CHANGE, |tx| {
            let entries = match knowledge::all(tx)? {
                Ok(entries) => entries,
                Err(error) => return Ok(Err(error)),
            };
            match decide(&entries) {
                Ok(events) if events.is_empty() => Ok(Ok(Ok(Vec::new()))),
                Ok(events) => append_to_log(tx, at, events).map(|recorded| Ok(Ok(recorded))),
                Err(refused) => Ok(Ok(Err(refused))),
            }
        })?
    }
}

/// What is being done, for messages.
const CHANGE: &str = "change the knowledge base";

fn append_to_log(
    tx: &Transaction<'_>,
    at: Millis,
    events: Vec<Event>,
) -> rusqlite::Result<Vec<Recorded>> {
    let last = last_seq(tx, KNOWLEDGE_LOG)?.unwrap_or(Seq(0));
    append(tx, KNOWLEDGE_LOG, last, at, events)
}

impl Journal {
    /// Writes events that change no entry, and so need no base to be decided on.
    pub(super) fn append_to_knowledge_log(
        &mut self,
        at: Millis,
        events: Vec<Event>,
    ) -> Result<(), JournalError> {
        self.write_lasting("write to the knowledge log", |tx| {
            append_to_log(tx, at, events).map(drop)
        })
    }
}

/// Entries that are added in one transaction: it holds the lock for some 10 ms.
const BATCH_ENTRIES: usize = 100;

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
        for (n, batch) in entries.chunks(BATCH_ENTRIES).enumerate() {
            if n > 0 {
                self.let_others_write();
            }
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
    append_to_log(tx, at, vec![Event::KnowledgeProposed { entry }])?;
    Ok(id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{Durability, EntryFilter};
    use pithead_core::domain::knowledge::{Author, Body, Status, TextNote};
    use pithead_core::domain::run::decision::By;
    use pithead_core::domain::samples::{config, entry};
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

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

    /// Another program approves an entry while a change is decided.
    #[test]
    fn a_change_is_decided_again_when_the_base_has_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pithead.db");
        let open = || Journal::open(&path, crate::journal::Durability::Normal).unwrap();
        let (mut journal, mut other) = (open(), open());
        let one = entry(9, 1, "stone");
        journal.add_entries(Millis(1), &[one]).unwrap();
        let mut seen = Vec::new();
        let written = journal.curate(Millis(2), |base| {
            let (id, status) = (base[0].id, base[0].status);
            seen.push(status);
            if seen.len() < 3 {
                let to = [Status::Active, Status::Retired][seen.len() - 1];
                let moved = vec![moved(id, to, None)];
                other
                    .curate(Millis(2), |_| Ok(moved.clone()))
                    .unwrap()
                    .unwrap();
            }
            Ok(vec![moved(id, Status::Vetoed, None)])
        });
        assert_eq!(written.unwrap().unwrap().len(), 1);
        assert_eq!(seen, [Status::Proposed, Status::Active, Status::Retired]);
        let base = journal.knowledge(EntryFilter::default()).unwrap();
        assert_eq!(base[0].status, Status::Vetoed);
    }

    /// However often others change the base, a change is made in the end.
    #[test]
    fn a_change_that_is_always_overtaken_makes_the_others_wait() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pithead.db");
        let open = || Journal::open(&path, crate::journal::Durability::Normal).unwrap();
        let (mut journal, mut other) = (open(), open());
        journal
            .add_entries(Millis(1), &[entry(9, 1, "stone")])
            .unwrap();
        let mut tries = 0;
        let written = journal.curate(Millis(2), |base| {
            tries += 1;
            if tries <= TRIES {
                let used = vec![moved(base[0].id, Status::Active, Some(base[0].id))];
                other
                    .curate(Millis(2), |_| Ok(used.clone()))
                    .unwrap()
                    .unwrap();
            }
            Ok(vec![moved(base[0].id, Status::Vetoed, None)])
        });
        assert_eq!(written.unwrap().unwrap().len(), 1);
        assert_eq!(tries, TRIES + 1);
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
                .curate(Millis(3), |_| Ok(vec![to.clone()]))
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
            .curate(Millis(3), |_| Ok(vec![vetoed.clone()]))
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
        journal
            .curate(Millis(3), |_| Ok(merged.clone()))
            .unwrap()
            .unwrap();
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

    /// Others ask again and again, and find the lock free between two of its transactions.
    #[test]
    fn an_import_lets_others_write_before_it_is_done() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pithead.db");
        let mut journal = Journal::open(&path, Durability::Normal).unwrap();
        let entries: Vec<Entry> = (0..15 * BATCH_ENTRIES)
            .map(|n| {
                let (name, about, text) = (format!("note {n}"), String::new(), String::new());
                let language = None;
                let body = Body::Note(TextNote {
                    name,
                    about,
                    text,
                    language,
                });
                Entry {
                    body,
                    ..entry(1, 1, "stone")
                }
            })
            .collect();
        let is_over = AtomicBool::new(false);
        let got = std::thread::scope(|scope| {
            let asks = scope.spawn(|| {
                let other = rusqlite::Connection::open(&path).unwrap();
                other.busy_timeout(Duration::ZERO).unwrap();
                let mut got = 0;
                while !is_over.load(Ordering::Relaxed) {
                    got += u32::from(other.execute_batch("BEGIN IMMEDIATE; ROLLBACK").is_ok());
                    std::thread::park_timeout(Duration::from_millis(1));
                }
                got
            });
            let added = journal.add_entries(Millis(1), &entries).unwrap();
            is_over.store(true, Ordering::Relaxed);
            assert!(added.iter().all(|one| matches!(one, Added::New(_))));
            asks.join().unwrap()
        });
        // Once before it begins, and once when it is over.
        assert!(got > 2, "others got the lock {got} times");
    }
}
