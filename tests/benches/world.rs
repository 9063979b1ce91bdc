//! The embedded world: ticks per second in a real episode, idle and busy; time to generate a chunk.
//!
//! Worlds are generated anew for every sample, except where a figure says that they are known already.
//! Invariant: every figure is a median that divan prints; nothing is asserted about time.

use crate::common;
use crate::common::orders::{self, IDLE_TICKS};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use pithead_world::action::Action;
use pithead_world::port::{Request, World};
use pithead_world::space::Pos;
use pithead_world::voxel::chunk_cache;
use pithead_world::voxel::controls::Controls;
use pithead_world::voxel::sim::Simulation;
use pithead_world::voxel::terrain::Generator;
use pithead_world::voxel::world::VoxelWorld;

/// The whole loop without a journal: items are world ticks. The argument is the seed.
#[divan::bench(args = [1, 7, 42], sample_count = 10, sample_size = 1)]
fn episode(bencher: Bencher, seed: u64) {
    let ticks = common::play(common::DIAMOND, seed, |_| ());
    bencher
        .counter(ItemsCount::new(ticks))
        .with_inputs(chunk_cache::clear)
        .bench_local_values(|()| common::play(common::DIAMOND, black_box(seed), |_| ()));
}

/// The same with a player's eyes.
#[divan::bench(args = [1, 7, 42], sample_count = 10, sample_size = 1)]
fn episode_as_player(bencher: Bencher, seed: u64) {
    let ticks = common::play_as_player(common::DIAMOND, seed);
    bencher
        .counter(ItemsCount::new(ticks))
        .with_inputs(chunk_cache::clear)
        .bench_local_values(|()| common::play_as_player(common::DIAMOND, black_box(seed)));
}

/// The first in a land that another episode of the seed has seen, as in an evaluation.
#[divan::bench(args = [1, 7, 42], sample_count = 10, sample_size = 1)]
fn episode_in_known_land(bencher: Bencher, seed: u64) {
    let ticks = common::play(common::DIAMOND, seed, |_| ());
    bencher
        .counter(ItemsCount::new(ticks))
        .bench_local(|| common::play(common::DIAMOND, black_box(seed), |_| ()));
}

/// A body that stands still and observes: the world behind its port, frames included.
#[divan::bench(args = [1, 7, 42], sample_count = 20, sample_size = 1)]
fn idle(bencher: Bencher, seed: u64) {
    bencher
        .counter(ItemsCount::new(IDLE_TICKS))
        .with_inputs(|| orders::begun(seed))
        .bench_local_values(orders::idle);
}

/// The same without perception: only physics, fluids, plants and mobs.
#[divan::bench(args = [1, 7, 42], sample_count = 20, sample_size = 1)]
fn idle_blind(bencher: Bencher, seed: u64) {
    bencher
        .counter(ItemsCount::new(IDLE_TICKS))
        .with_inputs(|| Simulation::new(seed))
        .bench_local_values(|mut sim| {
            let keys = Controls::default();
            for _ in 0..IDLE_TICKS {
                black_box(sim.step(&keys));
            }
            sim
        });
}

/// A reset: spawn place, the chunks around it and the first look.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn reset(bencher: Bencher) {
    bencher
        .with_inputs(chunk_cache::clear)
        .bench_local_values(|()| {
            let mut world = VoxelWorld::new();
            world.request(Request::Reset(common::world_spec(black_box(7))));
            world
        });
}

#[divan::bench(args = [1, 7, 42], sample_count = 10, sample_size = 1)]
fn walk(bencher: Bencher, seed: u64) {
    work(bencher, seed, orders::walk);
}

#[divan::bench(args = [1, 7, 42], sample_count = 10, sample_size = 1)]
fn dig(bencher: Bencher, seed: u64) {
    work(bencher, seed, orders::dig);
}

#[divan::bench(args = [1, 7, 42], sample_count = 10, sample_size = 1)]
fn explore(bencher: Bencher, seed: u64) {
    work(bencher, seed, orders::explore);
}

/// One order to its end or for a while, without mind or core: items are world ticks.
fn work(bencher: Bencher, seed: u64, order: impl Fn(Pos) -> Action + Sync + Copy) {
    let ready = || {
        chunk_cache::clear();
        orders::ordered(seed, order)
    };
    let ticks = orders::carry_out(ready()).tick();
    bencher
        .counter(ItemsCount::new(ticks))
        .with_inputs(ready)
        .bench_local_values(orders::carry_out);
}

/// One chunk of 16 × 256 × 16, another one in every sample.
#[divan::bench(sample_count = 400, sample_size = 1)]
fn chunk(bencher: Bencher) {
    let generator = Generator::new(7);
    let mut n = 0;
    bencher
        .with_inputs(move || {
            n += 1;
            (n * 37 % 211 - 100, n * 91 % 307 - 150)
        })
        .bench_local_values(|(x, z)| generator.chunk(x, z));
}
