//! How long the write lock is held while runs are forked and deleted: the figures of docs/PERFORMANCE.md.

use super::samples::every_kind;
use super::{CopiedPast, Durability, Journal};
use pithead_core::domain::run::event::Event;
use pithead_core::domain::samples::{config, experience, frame};
use pithead_world::clock::{Clock, Millis};
use pithead_world::ids::{CallId, RunId, Seq};
use rusqlite::{Connection, TransactionBehavior};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Events of each run.
const EVENTS: u64 = 100_000;
const RUNS: u64 = 10;
/// Of so many events one is a long answer, and one an attempt.
const CYCLE: u64 = 100;

fn event(run: RunId, n: u64) -> Event {
    match n % CYCLE {
        0 => Event::MindAnswered {
            call: CallId(n),
            text: format!("answer {n} ").repeat(800),
            ms: n,
        },
        50 => {
            let experience = experience(run.0, n, "iron_ore", false);
            Event::AttemptEnded {
                attempt: experience.attempt,
                experience: Box::new(experience),
            }
        }
        _ => Event::FrameSeen { frame: frame(n, n) },
    }
}

fn fill(journal: &mut Journal) -> RunId {
    let run = journal.create_run(config(), Millis(1)).unwrap();
    let events: Vec<u64> = (2..=EVENTS).collect();
    for part in events.chunks(1_000) {
        let part = part.iter().map(|n| event(run, *n)).collect();
        journal.append(run, Millis(2), part).unwrap();
    }
    run
}

fn fork(journal: &mut Journal, from: RunId) {
    let forked = every_kind(from.0)
        .into_iter()
        .find_map(|event| match event {
            Event::RunForked { mut fork } => {
                (fork.from, fork.at) = (from, Seq(EVENTS));
                Some(Event::RunForked { fork })
            }
            _ => None,
        });
    let past = CopiedPast {
        ticks: EVENTS,
        attempts: EVENTS / CYCLE,
        failed: 0,
    };
    let origin = (from, Seq(EVENTS));
    let forked = vec![forked.unwrap()];
    journal
        .fork_run(None, origin, config(), past, forked, Millis(3))
        .unwrap();
}

/// Asks for the write lock again and again until told to end; the longest wait, in milliseconds.
fn longest_wait(path: &Path, is_over: &AtomicBool) -> u64 {
    let mut db = Connection::open(path).unwrap();
    db.busy_timeout(Duration::ZERO).unwrap();
    let (mut longest, mut asked) = (0, Clock::System.now());
    while !is_over.load(Ordering::Relaxed) {
        let got = db.transaction_with_behavior(TransactionBehavior::Immediate);
        let is_free = got.is_ok();
        drop(got);
        let now = Clock::System.now();
        longest = longest.max(now.since(asked));
        if is_free {
            asked = now;
        }
        std::thread::park_timeout(Duration::from_micros(100));
    }
    longest
}

#[track_caller]
fn measure(path: &Path, name: &str, work: impl FnOnce()) {
    let is_over = AtomicBool::new(false);
    let begun = Clock::System.now();
    let longest = std::thread::scope(|scope| {
        let waits = scope.spawn(|| longest_wait(path, &is_over));
        work();
        is_over.store(true, Ordering::Relaxed);
        waits.join().unwrap()
    });
    let took = Clock::System.now().since(begun);
    println!("{name}: {took} ms, longest wait for the write lock {longest} ms");
}

#[test]
#[ignore = "it measures, for some minutes and with 2 GB of disk"]
fn others_wait_this_long_while_runs_are_forked_and_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pithead.db");
    let mut journal = Journal::open(&path, Durability::Full).unwrap();
    let first = fill(&mut journal);
    for n in 2..=RUNS {
        let name = format!("fork of {EVENTS} events, run {n}");
        measure(&path, &name, || fork(&mut journal, first));
    }
    let deleted = |journal: &mut Journal, runs: &[u64]| {
        let runs: Vec<RunId> = runs.iter().copied().map(RunId).collect();
        journal.delete_runs(&runs).unwrap();
    };
    measure(&path, "delete a run", || deleted(&mut journal, &[2]));
    measure(&path, "delete three runs", || {
        deleted(&mut journal, &[3, 4, 5]);
    });
    measure(&path, "delete the origin", || deleted(&mut journal, &[1]));
    let bytes = std::fs::metadata(&path).unwrap().len();
    println!("the file has {} MB", bytes >> 20);
}
