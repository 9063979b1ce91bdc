//! The embedded world: ticks per second in a real episode, at rest and at work; time of a chunk.
//!
//! Invariant: every figure is a median that divan prints; nothing is asserted about time.

mod common;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use pithead::config::FRAME_TICKS;
use pithead::ids::ActionId;
use pithead::world::action::{Action, Target};
use pithead::world::block;
use pithead::world::item::ItemId;
use pithead::world::port::{Notice, Request, World};
use pithead::world::space::Pos;
use pithead::worlds::voxel::controls::Controls;
use pithead::worlds::voxel::sim::Simulation;
use pithead::worlds::voxel::terrain::Generator;
use pithead::worlds::voxel::world::VoxelWorld;

const IDLE_TICKS: u64 = 12_000;
/// One order is watched for so long at most: three minutes of the world.
const WORK_TICKS: u64 = 3_600;
/// Blocks to walk.
const WALK: i32 = 300;
/// Deep enough for diamonds.
const DEEP: i32 = 12;

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

/// Over the land to a far place, with path finding and frames.
#[divan::bench(args = [1, 7, 42], sample_count = 10, sample_size = 1)]
fn walk(bencher: Bencher, seed: u64) {
    work(bencher, seed, |feet| Action::Goto {
        at: feet.plus(WALK, 0, 0),
        range: 8,
    });
}

/// A staircase down through rock with an iron pickaxe.
#[divan::bench(args = [1, 7, 42], sample_count = 10, sample_size = 1)]
fn dig(bencher: Bencher, seed: u64) {
    work(bencher, seed, |_| Action::DigDown { y: DEEP });
}

/// A search for what is not to be found: new land and new chunks all the time.
#[divan::bench(args = [1, 7, 42], sample_count = 10, sample_size = 1)]
fn explore(bencher: Bencher, seed: u64) {
    work(bencher, seed, |_| Action::Explore {
        targets: vec![Target::Block(block::BOOKSHELF)],
    });
}

/// One order to its end or for `WORK_TICKS`, without mind or core: items are world ticks.
fn work(bencher: Bencher, seed: u64, order: impl Fn(Pos) -> Action + Sync) {
    let ready = || {
        let mut world = VoxelWorld::new();
        world.request(Request::Reset(common::world_spec(seed)));
        world.poll(0);
        let sim = world.simulation_mut().expect("it was reset");
        let feet = sim.body().feet();
        let pickaxe = ItemId::named("iron_pickaxe").expect("the game has one");
        sim.give(pickaxe, 1);
        world.request(Request::Act {
            id: ActionId(1),
            action: order(feet),
        });
        world
    };
    let ticks = carry_out(ready()).tick();
    bencher
        .counter(ItemsCount::new(ticks))
        .with_inputs(ready)
        .bench_local_values(carry_out);
}

fn carry_out(mut world: VoxelWorld) -> VoxelWorld {
    loop {
        let notices = world.poll(FRAME_TICKS);
        let is_over = notices.iter().any(|n| matches!(n, Notice::Acted { .. }));
        if is_over || world.tick() >= WORK_TICKS {
            return black_box(world);
        }
    }
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
