//! The embedded world: ticks per second in a real episode, at rest, and chunks per second.

mod common;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use pithead::config::FRAME_TICKS;
use pithead::world::port::{Request, World};
use pithead::worlds::voxel::controls::Controls;
use pithead::worlds::voxel::sim::Simulation;
use pithead::worlds::voxel::terrain::Generator;
use pithead::worlds::voxel::world::VoxelWorld;

const IDLE_TICKS: u64 = 12_000;
const CHUNKS_SIDE: i32 = 8;

fn main() {
    divan::main();
}

/// The whole loop without a journal: items are world ticks. The argument is the seed.
#[divan::bench(args = [1, 7, 42], sample_count = 10, sample_size = 1)]
fn episode(bencher: Bencher, seed: u64) {
    let ticks = common::play(common::DIAMOND, seed, |_| ());
    bencher
        .counter(ItemsCount::new(ticks))
        .bench_local(|| common::play(common::DIAMOND, black_box(seed), |_| ()));
}

/// A body that stands still with open eyes: the world behind its port, frames included.
#[divan::bench(args = [1, 7, 42], sample_count = 20, sample_size = 1)]
fn idle(bencher: Bencher, seed: u64) {
    bencher
        .counter(ItemsCount::new(IDLE_TICKS))
        .with_inputs(|| {
            let mut world = VoxelWorld::new();
            world.request(Request::Reset(common::world_spec(seed)));
            world.poll(0);
            world
        })
        .bench_local_values(|mut world| {
            while world.tick() < IDLE_TICKS {
                black_box(world.poll(FRAME_TICKS));
            }
            world
        });
}

/// The same without eyes: physics, fluids and life alone.
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
    bencher.bench_local(|| {
        let mut world = VoxelWorld::new();
        world.request(Request::Reset(common::world_spec(black_box(7))));
        world
    });
}

/// Items are chunks of 16 × 256 × 16.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn chunks(bencher: Bencher) {
    let generator = Generator::new(7);
    let count = (CHUNKS_SIDE * CHUNKS_SIDE) as usize;
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        for x in 0..CHUNKS_SIDE {
            for z in 0..CHUNKS_SIDE {
                black_box(generator.chunk(x, z));
            }
        }
    });
}
