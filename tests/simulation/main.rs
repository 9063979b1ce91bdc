//! `pithead-sim`: plays seeds of the simulation and says which of them fail.
#![expect(clippy::print_stdout, reason = "a program for the terminal")]
use pithead_simulation::{Plant, simulate};

fn main() {
    let mut args = std::env::args().skip(1);
    let from: u64 = args.next().unwrap().parse().unwrap();
    let to: u64 = args.next().unwrap().parse().unwrap();
    for seed in from..to {
        let played = simulate(seed, Plant::Nothing);
        println!("{played:?}");
        if let Some(f) = played.failure { println!("FAIL {seed}: {f}"); }
    }
}
