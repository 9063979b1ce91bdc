//! Fuzz: random hands and feet must never make the world panic, and twice the same keys must live through the same.
//!
//! What goes wrong is named with its seed and tick; `ten_million_ticks` is for the command line:
//! `cargo test --profile quick --lib ten_million -- --ignored`.

#![allow(clippy::print_stderr)] // a panic on the way has to name its seed

use super::super::grid::Grid;
use super::super::sim::Simulation;
use super::monkey::{Monkey, refill};
use super::valid;
use crate::rng::Rng;
use crate::space::Point;

const REFILL_EVERY: u32 = 200;

/// Says where it was when a panic passes through.
struct Whereabouts {
    seed: u64,
    tick: u32,
}

impl Drop for Whereabouts {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("seed {} tick {}", self.seed, self.tick);
        }
    }
}

/// Random hands and feet; the checksums on the way.
fn fuzz(mut sim: Simulation, seed: u64, ticks: u32) -> Vec<u64> {
    let (mut monkey, mut rng) = (Monkey::new(seed), Rng::new(!seed));
    let mut at = Whereabouts { seed, tick: 0 };
    let mut sums = Vec::new();
    for tick in 0..ticks {
        at.tick = tick;
        if tick % REFILL_EVERY == 0 || !sim.body().alive() {
            refill(&mut sim, &mut rng);
        }
        let keys = monkey.next(&sim);
        sim.step(&keys);
        if tick % 100 == 0 {
            valid::check(&sim);
            sums.push(sim.checksum().value());
        }
    }
    sums.push(sim.checksum().value());
    sums
}

fn flat() -> Simulation {
    Simulation::with_grid(Grid::flat(40), Point::new(8.5, 41.0, 8.5))
}

#[test]
fn same_controls_same_world_to_the_bit() {
    for seed in 1..=3 {
        let sums = fuzz(flat(), seed, 20_000);
        assert_eq!(sums, fuzz(flat(), seed, 20_000), "seed {seed}");
        assert!(
            sums.windows(2).all(|pair| pair[0] != pair[1]),
            "seed {seed}: it stood still"
        );
    }
}

#[test]
fn same_seed_same_world_to_the_bit() {
    assert_eq!(
        fuzz(Simulation::new(7), 7, 3_000),
        fuzz(Simulation::new(7), 7, 3_000)
    );
    assert_ne!(Simulation::new(7).checksum(), Simulation::new(8).checksum());
}

/// Half on flat land, half on generated land, every stretch with a seed of its own.
#[test]
#[ignore = "minutes: run it after changes of the world, optimised"]
fn ten_million_ticks_without_a_panic() {
    const STRETCH: u32 = 50_000;
    for seed in 0..200 {
        let sim = if seed % 2 == 0 {
            flat()
        } else {
            Simulation::new(seed)
        };
        fuzz(sim, seed, STRETCH);
    }
}
