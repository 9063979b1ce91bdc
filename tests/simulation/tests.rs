//! Tests of the simulation: the seeds of every build, that the same seed plays the same, and that planted
//! faults are found.

use super::*;

#[test]
fn two_hundred_seeds_keep_every_promise() {
    for seed in 0..200 {
        let played = simulate(seed, Plant::Nothing);
        assert_eq!(played.failure, None, "seed {seed}; replay it with `cargo run -p pithead-simulation -- --seeds {seed}..{}`", seed + 1);
    }
}
