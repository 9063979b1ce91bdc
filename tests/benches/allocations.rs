//! Allocations per tick, idle and busy.
//!
//! Counts and no timing, so that load does not disturb them. If a scene is named on the command line, it is played a few times,
//! for profilers: `cargo bench --bench allocations -- episode 42`. Invariant: same seeds, same counts.

#![allow(clippy::print_stdout)] // the figures are what this program is for

mod common;

use allocation_counter::measure;
use common::orders;
use pithead_world::port::World;
use pithead_world::voxel::controls::Controls;
use pithead_world::voxel::sim::Simulation;
use pithead_world::voxel::world::VoxelWorld;

const SEEDS: [u64; 3] = [1, 7, 42];
const SCENES: [&str; 6] = ["idle_blind", "idle", "walk", "dig", "explore", "episode"];

fn main() {
    let named = |name: &&&str| std::env::args().any(|arg| arg == **name);
    let scenes: Vec<&str> = SCENES.iter().filter(named).copied().collect();
    let seeds: Vec<u64> = std::env::args()
        .filter_map(|arg| arg.parse().ok())
        .collect();
    let scenes = if scenes.is_empty() {
        SCENES.to_vec()
    } else {
        scenes
    };
    let seeds = if seeds.is_empty() {
        SEEDS.to_vec()
    } else {
        seeds
    };
    // What is read once and kept is not the scene's.
    common::play("get an oak_log", 7, |_| ());
    println!("scene       seed     ticks  allocations  per tick  bytes per tick");
    for scene in scenes {
        for seed in &seeds {
            let (ticks, count, bytes) = play(scene, *seed);
            let each = |sum: u64| sum as f64 / ticks.max(1) as f64;
            println!(
                "{scene:<11} {seed:>4} {ticks:>9} {count:>12} {:>9.2} {:>15.0}",
                each(count),
                each(bytes)
            );
        }
    }
}

/// Ticks, allocations and bytes of a scene, what goes before it left out.
fn play(scene: &str, seed: u64) -> (u64, u64, u64) {
    match scene {
        "idle_blind" => idle_blind(seed),
        "idle" => counted(orders::begun(seed), orders::idle),
        "walk" => counted(orders::ordered(seed, orders::walk), orders::carry_out),
        "dig" => counted(orders::ordered(seed, orders::dig), orders::carry_out),
        "explore" => counted(orders::ordered(seed, orders::explore), orders::carry_out),
        _ => {
            let mut ticks = 0;
            let info = measure(|| ticks = common::play(common::DIAMOND, seed, |_| ()));
            (ticks, info.count_total, info.bytes_total)
        }
    }
}

fn counted(world: VoxelWorld, go: fn(VoxelWorld) -> VoxelWorld) -> (u64, u64, u64) {
    let mut world = Some(world);
    let info = measure(|| world = world.take().map(go));
    let ticks = world.map_or(0, |world| world.tick());
    (ticks, info.count_total, info.bytes_total)
}

fn idle_blind(seed: u64) -> (u64, u64, u64) {
    let mut sim = Simulation::new(seed);
    let keys = Controls::default();
    let info = measure(|| {
        for _ in 0..orders::IDLE_TICKS {
            divan::black_box(sim.step(&keys));
        }
    });
    (orders::IDLE_TICKS, info.count_total, info.bytes_total)
}
