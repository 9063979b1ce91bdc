//! Appending: whole experiences in batches, then their vectors and summaries.
//!
//! Invariant: rates are of what was acknowledged.

use crate::common;
use pithead_core::domain::run::event::Event;
use pithead_engine::journal::{Durability, Journal};
use pithead_engine::memory::{ExperienceStore, Hashed};
use pithead_world::clock::Millis;
use std::time::{Duration, Instant};

const BATCH: usize = 500;

/// Whole experiences, event and index row, in batches; then their vectors and summaries.
pub(super) fn appends() {
    const COUNT: usize = 20_000;
    let known = common::experiences();
    let folder = common::folder();
    let path = folder.path().join("pithead.db");
    let mut journal = Journal::open(&path, Durability::Normal).expect("a journal is made");
    let run = journal
        .create_run(common::run_config(common::DIAMOND, 7), Millis(1))
        .expect("it takes a run");
    let (mut slowest, mut all) = (f64::MAX, Duration::ZERO);
    for first in (1..=COUNT).step_by(BATCH) {
        let numbers = first..first + BATCH;
        let events: Vec<Event> = numbers
            .map(|n| common::ended(&known[n % known.len()], run, n as u64))
            .collect();
        let began = Instant::now();
        journal
            .append(run, Millis(2), events)
            .expect("the journal takes it");
        let took = began.elapsed();
        slowest = slowest.min(BATCH as f64 / took.as_secs_f64());
        all += took;
    }
    let bytes = std::fs::metadata(&path).map_or(0, |file| file.len());
    println!(
        "append, batches of {BATCH}, NORMAL: {:.0}/s (slowest batch {slowest:.0}/s), {} bytes of database each",
        COUNT as f64 / all.as_secs_f64(),
        bytes / COUNT as u64
    );
    let began = Instant::now();
    let mut memory = ExperienceStore::open(journal.connection(), journal.file(), Box::new(Hashed))
        .expect("it opens");
    let rate = COUNT as f64 / began.elapsed().as_secs_f64();
    println!("take in (embed, store vectors, summarise, shelve): {rate:.0}/s");
    memory
        .take_in(journal.connection())
        .expect("there is nothing to do");
}
