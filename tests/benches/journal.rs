//! The journal: appends per second, one transaction each, compared with the bare disk.

use crate::common;
use divan::Bencher;
use divan::counter::ItemsCount;
use pithead_core::domain::run::event::Event;
use pithead_engine::journal::{Durability, Journal};
use pithead_world::clock::Millis;
use pithead_world::ids::{RunId, SubgoalId};
use std::io::{Seek, SeekFrom, Write};

const BATCH: usize = 200;
const BOTH: [Durability; 2] = [Durability::Full, Durability::Normal];
/// A commit of one small event writes about two pages into the log.
const COMMIT_BYTES: usize = 2 * 4096;

/// A new journal with one run; the folder goes when it is dropped.
struct Place {
    _folder: tempfile::TempDir,
    journal: Journal,
    run: RunId,
}

fn place(durability: Durability) -> Place {
    let folder = common::folder();
    let path = folder.path().join("pithead.db");
    let mut journal = Journal::open(&path, durability).expect("a journal is made");
    let config = common::run_config(common::DIAMOND, 7);
    let run = journal
        .create_run(config, Millis(1))
        .expect("it takes a run");
    Place {
        _folder: folder,
        journal,
        run,
    }
}

/// A frame of middling size from a real run.
fn frame() -> Event {
    let mut frames: Vec<Event> = common::record("get an oak_log", 7)
        .into_iter()
        .map(|fact| fact.event)
        .filter(|event| matches!(event, Event::FrameSeen { .. }))
        .collect();
    frames.sort_by_key(|event| match event {
        Event::FrameSeen { frame } => frame.seen.0.len(),
        _ => 0,
    });
    frames.swap_remove(frames.len() / 2)
}

fn small() -> Event {
    Event::SubgoalSelected {
        subgoal: SubgoalId(1),
        candidates: Vec::new(),
    }
}

/// Appends what `make` returns, one transaction per call; items are events.
fn append(bencher: Bencher, durability: Durability, mut make: impl FnMut(RunId) -> Vec<Event>) {
    let mut place = place(durability);
    let run = place.run;
    bencher
        .counter(ItemsCount::new(make(run).len()))
        .with_inputs(|| make(run))
        .bench_local_values(|events| {
            let written = place.journal.append(run, Millis(2), events);
            written.expect("the journal takes it")
        });
}

#[divan::bench(args = BOTH, sample_count = 40, sample_size = 250)]
fn append_small(bencher: Bencher, durability: Durability) {
    append(bencher, durability, |_| vec![small()]);
}

#[divan::bench(args = BOTH, sample_count = 40, sample_size = 250)]
fn append_frame(bencher: Bencher, durability: Durability) {
    let frame = frame();
    append(bencher, durability, |_| vec![frame.clone()]);
}

#[divan::bench(args = BOTH, sample_count = 40, sample_size = 100)]
fn append_experience(bencher: Bencher, durability: Durability) {
    let (known, mut n) = (common::experiences(), 0);
    append(bencher, durability, |run| {
        n += 1;
        vec![common::ended(&known[n as usize % known.len()], run, n)]
    });
}

#[divan::bench(args = BOTH, sample_count = 40, sample_size = 10)]
fn batch_small(bencher: Bencher, durability: Durability) {
    append(bencher, durability, |_| vec![small(); BATCH]);
}

#[divan::bench(args = BOTH, sample_count = 20, sample_size = 5)]
fn batch_frames(bencher: Bencher, durability: Durability) {
    let frame = frame();
    append(bencher, durability, |_| vec![frame.clone(); BATCH]);
}

/// What the disk itself allows: a write of a commit's size into a file that has its length, and
/// `fdatasync`. No journal that waits for the disk can be faster.
#[divan::bench(sample_count = 40, sample_size = 100)]
fn bare_fdatasync(bencher: Bencher) {
    const SLOTS: u64 = 1_000;
    let folder = common::folder();
    let mut file = std::fs::File::create(folder.path().join("bare")).expect("a file is made");
    let page = vec![7_u8; COMMIT_BYTES];
    for _ in 0..SLOTS {
        file.write_all(&page).expect("there is room");
    }
    file.sync_all().expect("the disk takes it");
    let mut slot = 0;
    bencher.counter(ItemsCount::new(1_usize)).bench_local(|| {
        slot = (slot + 1) % SLOTS;
        let at = SeekFrom::Start(slot * COMMIT_BYTES as u64);
        file.seek(at).expect("the place is there");
        file.write_all(&page).expect("there is room");
        file.sync_data().expect("the disk takes it");
    });
}
