//! Tests of verifying: no harm goes unnoticed, and nothing that was harmed is read as if it were true.

use super::super::samples::every_kind;
use super::super::{CopiedPast, Durability, EntryFilter, Journal, JournalError, KNOWLEDGE_LOG};
use super::{Verification, verify};
use pithead_core::domain::knowledge::Status;
use pithead_core::domain::knowledge::effect::RunResult;
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_core::domain::samples::{config, entry, experience, frame};
use pithead_world::clock::Millis;
use pithead_world::ids::{CallId, RunId, Seq};
use pithead_world::rng::Rng;
use rusqlite::Connection;
use std::path::{Path, PathBuf};

/// A file with all that a journal can hold, as a closed one.
fn fill(path: &Path) {
    let mut journal = Journal::open(path, Durability::Normal).unwrap();
    let runs = [1, 2, 3].map(|n| {
        let run = journal.create_run(config(), Millis(n)).unwrap();
        let mut events = every_kind(run.0);
        events.retain(|event| {
            !matches!(
                event,
                Event::RunStarted { .. } | Event::RunForked { .. } | Event::AttemptEnded { .. }
            )
        });
        for n in 1..=3 {
            let experience = experience(run.0, n, "iron_ore", n == 2);
            events.push(Event::AttemptEnded {
                attempt: experience.attempt,
                experience: Box::new(experience),
            });
        }
        events.push(Event::MindAnswered {
            call: CallId(1),
            text: "word ".repeat(2_000),
            ms: n,
        });
        for part in events.chunks(5) {
            journal.append(run, Millis(n + 1), part.to_vec()).unwrap();
        }
        run
    });
    let added = [entry(9, 1, "stone"), entry(9, 2, "coal")];
    journal.add_entries(Millis(5), &added).unwrap();
    let seen = vec![Event::FrameSeen { frame: frame(7, 7) }];
    let past = CopiedPast {
        ticks: 7,
        attempts: 0,
        failed: 0,
    };
    journal.delete_runs(&[runs[1]]).unwrap();
    let run = journal.create_run(config(), Millis(8)).unwrap();
    journal.append(run, Millis(9), seen).unwrap();
    let forked = every_kind(run.0)
        .into_iter()
        .find_map(|event| match event {
            Event::RunForked { mut fork } => {
                (fork.from, fork.at) = (run, Seq(2));
                Some(Event::RunForked { fork })
            }
            _ => None,
        })
        .unwrap();
    journal
        .fork_run(None, (run, Seq(2)), config(), past, vec![forked], Millis(9))
        .unwrap();
}

fn stage() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pithead.db");
    fill(&path);
    (folder, path)
}

fn faults(path: &Path, deep: bool) -> Vec<String> {
    let found = verify(path, deep, |_| ()).unwrap();
    let faults = found.faults.into_iter();
    faults
        .map(|f| format!("{}: {}", f.place, f.fault))
        .collect()
}

#[test]
fn what_was_written_is_sound() {
    let (_folder, path) = stage();
    assert_eq!(faults(&path, true), Vec::<String>::new());
    let Verification { counted, .. } = verify(&path, false, |_| ()).unwrap();
    assert_eq!((counted.runs, counted.experiences), (4, 9));
    assert!(counted.entries > 2 && counted.texts == 2, "{counted:?}");
    assert_eq!(counted.events_without_digest, 0);
}

/// Harm done with another program, whether only a deep look finds it, and what must be said of it.
const HARM: &[(&str, bool, &str)] = &[
    (
        "UPDATE events SET at = 99 WHERE run = 1 AND seq = 4",
        false,
        "run 1, event 4",
    ),
    (
        "UPDATE events SET body = replace(body, 'iron', 'gold') WHERE id = (SELECT event FROM experience LIMIT 1)",
        false,
        "its document is not the one that was written",
    ),
    (
        "DELETE FROM events WHERE run = 1 AND seq IN (7, 8)",
        false,
        "run 1: events 7 to 8 are missing",
    ),
    (
        "DELETE FROM events WHERE run = 3 AND seq > 20",
        false,
        "are missing at its end",
    ),
    (
        "DELETE FROM events WHERE run = 3",
        false,
        "run 3: all its events up to",
    ),
    (
        "DELETE FROM events WHERE run = 2 AND seq > 1 AND kind LIKE 'attempt%'",
        false,
        "run 2:",
    ),
    (
        "UPDATE events SET digest = NULL WHERE run = 1 AND seq = 4",
        false,
        "its digest is missing",
    ),
    (
        "DELETE FROM chain WHERE run = 1",
        false,
        "run 1: the chain of its events is missing",
    ),
    (
        "INSERT INTO events(id, at, kind, version, body) VALUES((3 << 32) + 500, 1, 'run.paused', 1, '{}')",
        false,
        "run 3: events after",
    ),
    (
        "UPDATE runs SET outcome = 'success' WHERE id = 3",
        false,
        "run 3 in the list of runs",
    ),
    (
        "UPDATE runs SET attempts = 9, digest = NULL WHERE id = 3",
        true,
        "run 3 in the list of runs: it is not what its events say",
    ),
    (
        "UPDATE knowledge SET status = 'vetoed' WHERE run = 0",
        false,
        "entry k0.1",
    ),
    (
        "DELETE FROM knowledge WHERE run = 0 AND n = 1",
        true,
        "entry k0.1 in the knowledge base: its row is missing",
    ),
    (
        "UPDATE knowledge SET version = 8, digest = NULL WHERE run = 0",
        true,
        "entry k0.1 in the knowledge base: it is not what its events say",
    ),
    ("UPDATE blobs SET bytes = x'00'", false, "is damaged"),
    ("DELETE FROM blobs", false, "its text is missing"),
    (
        "UPDATE experience SET outcome = 1",
        true,
        "experience e1.1 in the index: it is not what its events say",
    ),
    (
        "DELETE FROM experience WHERE run = 1 AND n = 3",
        false,
        "experience: rows are missing",
    ),
];

#[test]
fn each_harm_is_named_with_its_place() {
    for (harm, deep, said) in HARM {
        let (_folder, path) = stage();
        let db = Connection::open(&path).unwrap();
        db.execute(harm, []).unwrap();
        drop(db);
        let found = faults(&path, *deep);
        assert!(
            found.iter().any(|fault| fault.contains(said)),
            "{harm}: {found:#?}"
        );
    }
}

/// Two events that change places have their own digests, and the wrong numbers.
#[test]
fn events_that_changed_places_are_noticed() {
    let (_folder, path) = stage();
    let db = Connection::open(&path).unwrap();
    db.execute_batch(
        "UPDATE events SET id = -1 WHERE run = 1 AND seq = 3;
         UPDATE events SET id = (1 << 32) + 3 WHERE run = 3 AND seq = 3;
         UPDATE events SET id = (3 << 32) + 3 WHERE id = -1;",
    )
    .unwrap();
    drop(db);
    let found = faults(&path, false);
    assert!(found.iter().any(|f| f.starts_with("run 1:")), "{found:?}");
    assert!(found.iter().any(|f| f.starts_with("run 3:")), "{found:?}");
}

#[test]
fn a_run_that_lost_its_end_takes_no_more_events() {
    let (_folder, path) = stage();
    let db = Connection::open(&path).unwrap();
    db.execute("DELETE FROM events WHERE run = 3 AND seq > 20", [])
        .unwrap();
    drop(db);
    let mut journal = Journal::open(&path, Durability::Full).unwrap();
    let seen = vec![Event::FrameSeen { frame: frame(8, 8) }];
    let refused = journal.append(RunId(3), Millis(9), seen).unwrap_err();
    assert!(matches!(refused, JournalError::Corrupt { .. }), "{refused}");
}

/// All that is read of a journal; nothing where it was refused.
#[derive(Debug, PartialEq)]
struct Contents {
    events: Vec<Option<Vec<Recorded>>>,
    runs: Option<Vec<super::super::RunRow>>,
    entries: Option<Vec<pithead_core::domain::knowledge::Entry>>,
    documents: Vec<Option<super::super::Document>>,
}

fn contents(path: &Path) -> Option<Contents> {
    let journal = Journal::look(path).ok()?;
    let runs = [
        KNOWLEDGE_LOG,
        RunId(1),
        RunId(2),
        RunId(3),
        RunId(4),
        RunId(5),
    ];
    let ids = [1, 2, 3].map(|n| pithead_world::ids::ExperienceId { run: RunId(1), n });
    Some(Contents {
        events: runs
            .iter()
            .map(|run| journal.events(*run, Seq(0), usize::MAX).ok())
            .collect(),
        runs: journal.runs().ok(),
        entries: journal.knowledge(EntryFilter::default()).ok(),
        documents: ids
            .iter()
            .map(|id| journal.document(*id).ok().flatten())
            .collect(),
    })
}

impl Contents {
    /// True if each part is what it was, or was refused. A part that is shorter counts as harmed.
    fn is_true_or_refused(&self, whole: &Self) -> bool {
        fn same<T: PartialEq>(now: &Option<T>, whole: &Option<T>) -> bool {
            now.is_none() || now == whole
        }
        self.events
            .iter()
            .zip(&whole.events)
            .all(|(a, b)| same(a, b))
            && same(&self.runs, &whole.runs)
            && same(&self.entries, &whole.entries)
            && self
                .documents
                .iter()
                .zip(&whole.documents)
                .all(|(a, b)| same(a, b))
    }
}

/// One bit of the file at a time: what is read is what was written, or it is refused, or verifying says
/// what is wrong.
#[test]
fn no_flipped_bit_is_read_as_true_and_goes_unnoticed() {
    let (folder, path) = stage();
    let whole = contents(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let harmed = folder.path().join("harmed.db");
    let mut rng = Rng::new(15);
    let mut noticed = 0;
    for _ in 0..150 {
        let at = rng.below(bytes.len() as u64);
        let bit = rng.below(8);
        let mut now = bytes.clone();
        now[usize::try_from(at).unwrap()] ^= 1 << bit;
        std::fs::write(&harmed, now).unwrap();
        for suffix in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(folder.path().join(format!("harmed.db{suffix}")));
        }
        let read = contents(&harmed);
        let is_sound = verify(&harmed, true, |_| ()).is_ok_and(|found| found.is_sound());
        noticed += u32::from(!is_sound);
        let is_true = read.is_none_or(|read| read.is_true_or_refused(&whole));
        assert!(
            is_true || !is_sound,
            "bit {bit} of byte {at} goes unnoticed"
        );
    }
    assert!(noticed > 30, "{noticed} of 150");
}

#[test]
fn a_damaged_run_or_entry_is_what_its_events_say() {
    let (_folder, path) = stage();
    let whole = contents(&path).unwrap();
    let db = Connection::open(&path).unwrap();
    let harm = "UPDATE runs SET task = 'obtain gold', attempts = 9;
                UPDATE knowledge SET body = replace(body, 'stone', 'slime'), version = 7;";
    db.execute_batch(harm).unwrap();
    drop(db);
    assert!(!faults(&path, false).is_empty());
    assert_eq!(contents(&path).unwrap(), whole);
    // What is written next is not built on the damage.
    let mut journal = Journal::open(&path, Durability::Full).unwrap();
    let seen = vec![Event::FrameSeen {
        frame: frame(99, 8),
    }];
    journal.append(RunId(3), Millis(9), seen).unwrap();
    let before = whole.runs.as_ref().unwrap();
    let before = before.iter().find(|row| row.id == RunId(3)).unwrap();
    let after = journal.run(RunId(3)).unwrap();
    assert_eq!(
        (after.attempts, &after.task),
        (before.attempts, &before.task)
    );
    assert_eq!((after.ticks, after.events), (99, before.events + 1));
    drop(journal);
    let left = faults(&path, true);
    assert!(
        !left.iter().any(|fault| fault.starts_with("run 3")),
        "{left:?}"
    );
}

#[test]
fn what_hold_out_measured_adds_up_over_runs_and_is_what_its_events_say() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pithead.db");
    let mut journal = Journal::open(&path, Durability::Normal).unwrap();
    let known = [entry(9, 1, "stone"), entry(9, 2, "coal")];
    journal.add_entries(Millis(5), &known).unwrap();
    let entries = |journal: &Journal| journal.knowledge(EntryFilter::default()).unwrap();
    let ids: Vec<_> = entries(&journal).iter().map(|entry| entry.id).collect();
    for n in 0..6 {
        let run = journal.create_run(config(), Millis(10 + n)).unwrap();
        // The first is withheld from every third run, the second from none.
        let (out, given): (Vec<_>, Vec<_>) =
            ids.iter().partition(|id| **id == ids[0] && n % 3 == 0);
        let result = RunResult {
            success: n % 2 == 0,
            failed_attempts: 2,
            ticks: 100 * (n + 1),
        };
        let measured = Event::KnowledgeMeasured {
            given,
            withheld: out.clone(),
            result,
        };
        let events = vec![Event::KnowledgeWithheld { ids: out }, measured];
        journal.append(run, Millis(20 + n), events).unwrap();
    }
    let before = entries(&journal);
    let sides = |at: usize| (before[at].outcomes.given, before[at].outcomes.withheld);
    let ((given, withheld), (all, none)) = (sides(0), sides(1));
    assert_eq!((given.runs, given.successes), (4, 2));
    assert_eq!((withheld.runs, withheld.successes), (2, 1));
    assert_eq!((withheld.ticks, withheld.ticks_squared), (500, 170_000));
    assert_eq!((all.runs, all.failed_attempts, none.runs), (6, 12, 0));
    assert!(before[0].outcomes.effect().is_some() && before[1].outcomes.effect().is_none());
    drop(journal);
    assert_eq!(faults(&path, true), Vec::<String>::new());
    let db = Connection::open(&path).unwrap();
    db.execute("UPDATE knowledge SET body = '{}'", []).unwrap();
    drop(db);
    let journal = Journal::open(&path, Durability::Normal).unwrap();
    assert_eq!(entries(&journal), before);
}

#[test]
fn a_damaged_run_whose_events_are_damaged_too_is_refused() {
    let (_folder, path) = stage();
    let db = Connection::open(&path).unwrap();
    db.execute_batch(
        "UPDATE runs SET task = 'obtain gold' WHERE id = 3;
         UPDATE events SET at = 99 WHERE run = 3 AND seq = 2;
         UPDATE knowledge SET body = replace(body, 'stone', 'slime') WHERE run = 0;
         UPDATE events SET at = 99 WHERE run = 0;",
    )
    .unwrap();
    drop(db);
    let journal = Journal::look(&path).unwrap();
    let refused = journal.run(RunId(3)).unwrap_err().to_string();
    assert!(refused.contains("event 2 of run 3"), "{refused}");
    assert!(journal.run(RunId(1)).is_ok());
    let proposed = EntryFilter {
        status: Some(Status::Proposed),
        kind: None,
    };
    let refused = journal.knowledge(proposed).unwrap_err().to_string();
    assert!(refused.contains("k0.1"), "{refused}");
}

/// A label that was overruled is read from its event, which must be the one that was written.
#[test]
fn a_changed_overrule_does_not_change_a_label() {
    let (_folder, path) = stage();
    let mut journal = Journal::open(&path, Durability::Full).unwrap();
    let overrule = every_kind(3)
        .into_iter()
        .find(|event| matches!(event, Event::LabelOverruled { .. }))
        .unwrap();
    journal.append(RunId(3), Millis(9), vec![overrule]).unwrap();
    let before = journal.overruled(Some(RunId(3))).unwrap().len();
    journal
        .connection()
        .execute(
            "UPDATE events SET version = version, at = 1 WHERE run = 3 AND kind = 'label.overruled'",
            [],
        )
        .unwrap();
    assert!(before > 0);
    assert_eq!(journal.overruled(Some(RunId(3))).unwrap(), []);
}

const PAGE: usize = 4_096;

/// What is found in the file with these bytes.
fn is_sound(path: &Path, bytes: &[u8]) -> bool {
    std::fs::write(path, bytes).unwrap();
    verify(path, true, |_| ()).is_ok_and(|found| found.is_sound())
}

/// Where the rows lie of tables that hold what can be made again, or nothing in these tests.
fn pages_that_may_go(path: &Path) -> Vec<usize> {
    let db = Connection::open(path).unwrap();
    let sql = "SELECT (rootpage - 1) * ?1 FROM sqlite_schema WHERE tbl_name IN \
               ('embedder', 'embedding', 'hindsight', 'lost', 'summary', 'summary_embedding', 'unfinished')";
    let mut statement = db.prepare(sql).unwrap();
    let pages = statement.query_map([PAGE], |row| row.get(0)).unwrap();
    pages.map(Result::unwrap).collect()
}

#[test]
fn pages_in_the_place_of_others_are_found_and_circles_gone_through_once() {
    const LEAF_OF_A_TABLE: u8 = 13;
    let (_folder, path) = stage();
    let may_go = pages_that_may_go(&path);
    let sound = std::fs::read(&path).unwrap();
    let leaves: Vec<usize> = (1..sound.len() / PAGE)
        .map(|page| page * PAGE)
        .filter(|page| sound[*page] == LEAF_OF_A_TABLE && !may_go.contains(page))
        // A free page says nothing.
        .filter(|&page| {
            let mut harmed = sound.clone();
            harmed[page..page + PAGE].fill(0);
            !is_sound(&path, &harmed)
        })
        .collect();
    assert!(leaves.len() > 9, "{}", leaves.len());
    for (n, &from) in leaves.iter().enumerate() {
        let mut harmed = sound.clone();
        for &to in &leaves[n + 1..] {
            harmed.copy_within(from..from + PAGE, to);
        }
        assert!(
            harmed == sound || !is_sound(&path, &harmed),
            "{from} over all that follow"
        );
        for &to in leaves.iter().filter(|to| **to != from) {
            let mut harmed = sound.clone();
            harmed.copy_within(from..from + PAGE, to);
            assert!(!is_sound(&path, &harmed), "{from} over {to}");
        }
    }
}
