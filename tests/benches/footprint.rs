//! Memory of an episode that explores 2,000 chunks: how much the process has grown.
//!
//! The body is set one chunk on every few seconds and looks around, as a long walk would, at no
//! cost of path finding. One figure, no timing. Invariant: the chunks are counted, not assumed.

use crate::common;
use pithead_world::port::FRAME_TICKS;
use pithead_world::port::{Request, World};
use pithead_world::space::Pos;
use pithead_world::voxel::body::vitals::HEALTH_MAX;
use pithead_world::voxel::world::VoxelWorld;

const CHUNKS: usize = 2_000;
/// Ticks to walk over one chunk.
const TICKS_PER_CHUNK: u32 = 80;
const SEED: u64 = 7;

/// `arguments` are the words behind the name on the command line.
pub(crate) fn print_figures(_arguments: &[String]) {
    let before = resident_mib();
    let mut world = VoxelWorld::new();
    world.request(Request::Reset(common::world_spec(SEED)));
    world.poll(0);
    while loaded(&world) < CHUNKS {
        go_on(&mut world);
        for _ in 0..TICKS_PER_CHUNK / FRAME_TICKS {
            divan::black_box(world.poll(FRAME_TICKS));
        }
    }
    let grown = before
        .zip(resident_mib())
        .map(|(before, after)| after - before);
    match grown {
        Some(mib) => println!(
            "memory: {mib:.0} MiB for {} chunks after {} ticks",
            loaded(&world),
            world.tick()
        ),
        None => println!("memory: this system does not tell in /proc/self/status"),
    }
}

fn loaded(world: &VoxelWorld) -> usize {
    world
        .simulation()
        .map_or(CHUNKS, |sim| sim.grid().chunks_loaded())
}

/// One chunk to the east, on top of what is there, and in good health.
fn go_on(world: &mut VoxelWorld) {
    let Some(sim) = world.simulation_mut() else {
        return;
    };
    let feet = sim.body().feet();
    let next = Pos::new(feet.x + 16, 0, feet.z);
    sim.grid_mut().ensure_around(next, 0);
    let top = sim.grid().height(next.x, next.z);
    let body = sim.body_mut();
    body.at = Pos::new(next.x, top + 1, next.z).floor();
    body.fallen = 0.0;
    body.vitals.health = HEALTH_MAX;
}

/// Memory in use at its highest.
fn resident_mib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024.0)
}
