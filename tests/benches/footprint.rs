//! Memory: of an episode that explores 2,000 chunks, and of a console that follows 500,000 frames.
//!
//! The body is set one chunk on every few seconds and looks around, as a long walk would, at no
//! cost of path finding. No timing. Invariant: the chunks are counted, not assumed.

use crate::common;
use pithead_console::view::View;
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_world::port::FRAME_TICKS;
use pithead_world::port::{Request, World};
use pithead_world::space::Pos;
use pithead_world::voxel::body::vitals::HEALTH_MAX;
use pithead_world::voxel::world::VoxelWorld;

const CHUNKS: usize = 2_000;
/// Ticks to walk over one chunk.
const TICKS_PER_CHUNK: u32 = 80;
const SEED: u64 = 7;

/// `arguments` are the words behind the name on the command line: `console` for the frames.
pub(crate) fn print_figures(arguments: &[String]) {
    if arguments.first().is_some_and(|word| word == "console") {
        return print_console();
    }
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

/// Frames after which the memory is printed.
const MARKS: [u64; 4] = [10_000, 100_000, 250_000, 500_000];
/// How far the world is moved whenever a run has been repeated, so that all ground is new again.
const AWAY: i32 = 400;

/// The events of a real run again and again, each time in another place, folded as the console does.
fn print_console() {
    let recorded = common::record(common::DIAMOND, SEED);
    let is_frame = |fact: &&Recorded| matches!(fact.event, Event::FrameSeen { .. });
    let frames: Vec<Recorded> = recorded.iter().filter(is_frame).cloned().collect();
    let mut view = View::default();
    let head = recorded.iter().take_while(|fact| !is_frame(fact));
    head.for_each(|fact| view.apply(fact));
    let (mut n, before) = (0, resident_now_mib().unwrap_or_default());
    println!("frames, MiB grown, map chunks");
    loop {
        let away = i32::try_from(n / frames.len() as u64).unwrap_or(0) * AWAY;
        for fact in &frames {
            view.apply(&moved(fact, away));
            n += 1;
            if MARKS.contains(&n) {
                let grown = resident_now_mib().unwrap_or_default() - before;
                println!("{n}, {grown:.1}, {}", view.map.chunks_seen());
            }
            if Some(&n) == MARKS.last() {
                return;
            }
        }
    }
}

fn moved(fact: &Recorded, away: i32) -> Recorded {
    let mut fact = fact.clone();
    if let Event::FrameSeen { frame } = &mut fact.event {
        frame.position.x += f64::from(away);
        frame.trail.iter_mut().for_each(|pos| pos.x += away);
        frame.seen.0.iter_mut().for_each(|(pos, _)| pos.x += away);
    }
    fact
}

fn resident_now_mib() -> Option<f64> {
    status_mib("VmRSS:")
}

/// Memory in use at its highest.
fn resident_mib() -> Option<f64> {
    status_mib("VmHWM:")
}

fn status_mib(name: &str) -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with(name))?;
    let kib: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024.0)
}
