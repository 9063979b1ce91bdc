//! A whole run end to end, as `pithead run` does it: driver, world, builtin mind, journal, client.

use crate::common;
use divan::Bencher;
use divan::counter::ItemsCount;
use pithead::config;
use pithead::headless;
use pithead_engine::journal::{Durability, Journal};
use pithead_engine::runtime::{self, Pace, Parts};
use pithead_world::clock::Clock;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Obtain a diamond within 12,000 ticks on a new database; items are world ticks.
#[divan::bench(args = [1, 7, 42], sample_count = 10, sample_size = 1)]
fn obtain_diamond(bencher: Bencher, seed: u64) {
    let ticks = common::play(common::DIAMOND, seed, |_| ());
    bencher
        .counter(ItemsCount::new(ticks))
        .with_inputs(common::folder)
        .bench_local_refs(|folder| run(&folder.path().join("pithead.db"), seed));
}

fn run(path: &Path, seed: u64) -> headless::Summary {
    let config = common::run_config(common::DIAMOND, seed);
    let (world, mind) = config::world_and_mind(&config).expect("the embedded world is there");
    let parts = Parts {
        journal: Journal::open(path, Durability::Normal).expect("a journal is made"),
        world,
        mind,
        embedder: Box::new(pithead_engine::memory::Hashed),
        clock: Clock::System,
        pace: Pace::Max,
        operator: "bench".to_owned(),
    };
    let link = runtime::start(config, parts).expect("the run starts");
    let ending = headless::follow(link, &AtomicBool::new(false), |_| ());
    ending.expect("the run is followed").summary
}
