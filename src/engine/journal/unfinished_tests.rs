//! Tests of deleting and forking bit by bit: at every moment the database is sound, and kills leave nothing.

use super::key::key;
use super::samples::every_kind;
use super::unfinished::{BATCH_EVENTS, Work};
use super::{CopiedPast, Durability, Journal, blobs, verify};
use pithead_core::domain::run::event::Event;
use pithead_core::domain::samples::{config, experience, frame};
use pithead_world::clock::Millis;
use pithead_world::ids::{CallId, RunId, Seq};
use rusqlite::Connection;
use std::path::{Path, PathBuf};

/// More than one transaction takes.
const EVENTS: u64 = BATCH_EVENTS + 300;

fn answered(ms: u64) -> Event {
    Event::MindAnswered {
        call: CallId(1),
        text: "word ".repeat(2_000),
        ms,
    }
}

/// A long run with attempts and with texts, of which each run has the first one and one of its own.
fn add_run(journal: &mut Journal) -> RunId {
    let run = journal.create_run(config(), Millis(1)).unwrap();
    let mut events: Vec<Event> = (1..=EVENTS)
        .map(|n| Event::FrameSeen { frame: frame(n, n) })
        .collect();
    for at in [3, 600, 700] {
        let experience = experience(run.0, at, "iron_ore", false);
        let attempt = experience.attempt;
        events[at as usize] = Event::AttemptEnded {
            attempt,
            experience: Box::new(experience),
        };
    }
    (events[10], events[650]) = (answered(0), answered(run.0));
    journal.append(run, Millis(2), events).unwrap();
    run
}

/// A database with two long runs, and the folder it lies in.
fn stage() -> (tempfile::TempDir, PathBuf, Journal, [RunId; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pithead.db");
    let mut journal = Journal::open(&path, Durability::Normal).unwrap();
    let runs = [1, 2].map(|_| add_run(&mut journal));
    (folder, path, journal, runs)
}

#[track_caller]
fn assert_sound(path: &Path) {
    let found = verify(path, true, |_| ()).unwrap();
    assert!(found.is_sound(), "{:#?}", found.faults);
}

fn number(path: &Path, sql: &str) -> i64 {
    let db = Connection::open(path).unwrap();
    db.query_row(sql, [], |row| row.get(0)).unwrap()
}

fn listed(path: &Path) -> Vec<RunId> {
    let runs = Journal::look(path).unwrap().runs().unwrap();
    runs.iter().map(|row| row.id).collect()
}

const LEFT: &str = "SELECT count(*) FROM unfinished";
const TEXTS: &str = "SELECT count(*) FROM blobs";
const OF_SECOND: &str = "SELECT count(*) FROM events WHERE run = 2";

#[test]
fn a_deletion_that_is_killed_between_its_transactions_is_finished_by_the_next_writer() {
    let (_folder, path, mut journal, [one, other]) = stage();
    let (deleted, locks) = journal.take_off_list(&[other]).unwrap();
    assert_eq!(deleted[0].events, EVENTS - 3);
    let mut after = key(other, Seq(1));
    for events in [EVENTS + 1, EVENTS + 1 - BATCH_EVENTS] {
        assert_eq!(listed(&path), [one]);
        assert_sound(&path);
        assert_eq!(number(&path, OF_SECOND), events.cast_signed());
        assert_eq!(number(&path, TEXTS), 3, "none is taken before its events");
        // Another program leaves it alone as long as this one is at it.
        drop(Journal::open(&path, Durability::Normal).unwrap());
        assert_eq!(number(&path, LEFT), 1);
        if events > EVENTS {
            after = journal
                .clear_batch(other, Work::Delete, after)
                .unwrap()
                .unwrap();
        }
    }
    drop((journal, locks));
    let mut journal = Journal::open(&path, Durability::Normal).unwrap();
    assert_eq!(number(&path, LEFT), 0);
    assert_eq!(number(&path, OF_SECOND), 1 + 3);
    assert_eq!(number(&path, TEXTS), 2);
    assert_sound(&path);
    assert_eq!(listed(&path), [one]);
    assert_eq!(
        journal.create_run(config(), Millis(3)).unwrap(),
        RunId(other.0 + 1)
    );
}

/// What stays is under its chain from the first moment on.
#[test]
fn damage_to_a_run_that_is_being_cleared_away_is_noticed() {
    let (_folder, path, mut journal, [_, other]) = stage();
    let (_, locks) = journal.take_off_list(&[other]).unwrap();
    let harm = "DELETE FROM events WHERE run = 2 AND kind = 'attempt.ended'";
    journal.connection().execute(harm, []).unwrap();
    drop(locks);
    let found = verify(&path, false, |_| ()).unwrap();
    assert!(
        found.faults.iter().any(|fault| fault.place == "run 2"),
        "{:?}",
        found.faults
    );
}

fn forked(from: RunId, at: Seq) -> Event {
    let mut events = every_kind(from.0).into_iter();
    let forked = events.find_map(|event| match event {
        Event::RunForked { mut fork } => {
            (fork.from, fork.at) = (from, at);
            Some(Event::RunForked { fork })
        }
        _ => None,
    });
    forked.unwrap()
}

const ALL: Seq = Seq(EVENTS + 1);
const OF_FORK: &str = "SELECT count(*) FROM events WHERE run = 3";

#[test]
fn a_fork_that_is_killed_between_its_transactions_is_never_seen_and_cleared_away() {
    let (_folder, path, mut journal, runs) = stage();
    let (run, lock) = journal
        .reserve_number(None, runs[0], &mut config())
        .unwrap();
    let mut last = Seq(1);
    for copied in [1, 1 + BATCH_EVENTS, ALL.0] {
        assert_eq!(listed(&path), runs);
        assert_sound(&path);
        drop(Journal::open(&path, Durability::Normal).unwrap());
        assert_eq!(number(&path, OF_FORK), copied.cast_signed());
        if last < ALL {
            last = journal.copy_batch(run, (runs[0], ALL), last).unwrap();
        }
    }
    // Its number is not given to another run, and its texts outlast the other runs.
    assert_eq!(
        journal.create_run(config(), Millis(3)).unwrap(),
        RunId(run.0 + 1)
    );
    journal.delete_runs(&runs).unwrap();
    assert_eq!(number(&path, TEXTS), 2);
    assert_sound(&path);
    // Clearing it away can be killed too.
    let first = key(run, Seq(1));
    let cleared = journal.clear_batch(run, Work::Fork, first).unwrap();
    assert!(cleared.is_some());
    assert_eq!(number(&path, TEXTS), 1);
    assert_sound(&path);
    drop((journal, lock));
    drop(Journal::open(&path, Durability::Normal).unwrap());
    for left in [
        OF_FORK,
        LEFT,
        TEXTS,
        "SELECT count(*) FROM chain WHERE run = 3",
    ] {
        assert_eq!(number(&path, left), 0, "{left}");
    }
    assert_sound(&path);
}

#[test]
fn a_fork_of_a_run_that_is_deleted_meanwhile_is_refused_and_leaves_nothing() {
    let (_folder, path, mut journal, [one, other]) = stage();
    let mut second = Journal::open(&path, Durability::Normal).unwrap();
    let (run, _lock) = journal.reserve_number(None, other, &mut config()).unwrap();
    journal.copy_batch(run, (other, ALL), Seq(1)).unwrap();
    second.delete_runs(&[other]).unwrap();
    let refused = journal.copy_batch(run, (other, ALL), Seq(BATCH_EVENTS + 1));
    assert!(refused.is_err());
    journal.clear(run, Work::Fork).unwrap();
    assert_eq!((number(&path, OF_FORK), number(&path, LEFT)), (0, 0));
    assert_eq!(listed(&path), [one]);
}

#[test]
fn a_long_fork_is_a_whole_one() {
    let (_folder, path, mut journal, [one, _]) = stage();
    let past = CopiedPast {
        ticks: EVENTS,
        attempts: 3,
        failed: 3,
    };
    let events = vec![forked(one, ALL)];
    let run = journal
        .fork_run(None, (one, ALL), config(), past, events, Millis(9))
        .unwrap();
    let (copies, first) = (
        journal.events(run, Seq(1), usize::MAX).unwrap(),
        journal.events(one, Seq(1), usize::MAX).unwrap(),
    );
    assert_eq!(copies.len(), first.len() + 1);
    assert!(
        copies
            .iter()
            .zip(&first)
            .all(|(copy, event)| copy.event == event.event)
    );
    assert_eq!(number(&path, LEFT), 0);
    assert_sound(&path);
    // A clearing that comes too late does nothing.
    journal.clear(run, Work::Fork).unwrap();
    assert_eq!(journal.run(run).unwrap().events, ALL.0 + 1);
}

#[test]
fn an_older_file_gets_its_index_of_texts_with_the_first_deletion() {
    let (_folder, path, journal, [_, other]) = stage();
    journal
        .connection()
        .execute_batch("DROP INDEX events_text; DROP TABLE unfinished")
        .unwrap();
    assert_sound(&path);
    drop(journal);
    let mut journal = Journal::open(&path, Durability::Normal).unwrap();
    assert!(!journal.read("look", blobs::is_indexed).unwrap());
    journal.delete_runs(&[other]).unwrap();
    assert!(journal.read("look", blobs::is_indexed).unwrap());
    assert_eq!(number(&path, TEXTS), 2);
    assert_sound(&path);
}
