//! `pithead-sim`: plays seeds of the simulation, and says of each that fails what does not hold.

#![expect(clippy::print_stdout, reason = "a program for the terminal")]

use clap::Parser;
use pithead_simulation::{Counts, Plant, simulate};
use pithead_world::clock::Clock;
use std::process::ExitCode;

/// Plays seeds of the simulation: processes, a disk, a schedule and failures, all from one number.
#[derive(Debug, Parser)]
#[command(name = "pithead-sim")]
struct Args {
    /// The seeds to play, the last one not included.
    #[arg(long, value_name = "A..B", value_parser = parse_seeds)]
    seeds: (u64, u64),
}

fn parse_seeds(text: &str) -> Result<(u64, u64), String> {
    let parts = text.split_once("..").ok_or("write the seeds as A..B")?;
    let number = |part: &str| {
        part.parse::<u64>()
            .map_err(|_| format!("`{part}` is no number"))
    };
    Ok((number(parts.0)?, number(parts.1)?))
}

fn main() -> ExitCode {
    let (first, end) = Args::parse().seeds;
    let began = Clock::System.now();
    let (mut failed, mut changes, mut all) = (0_u64, 0, Counts::default());
    for seed in first..end {
        let played = simulate(seed, Plant::Nothing);
        changes += played.changes;
        all = all.plus(played.counts);
        if played.failure.is_some() {
            failed += 1;
            println!("{played}");
        }
        if end - first == 1 {
            println!("seed {seed}: trace {:016x}", played.trace);
        }
    }
    let seconds = Clock::System.now().since(began) as f64 / 1000.0;
    let Counts {
        calls,
        kills,
        power_losses,
        faults,
    } = all;
    println!(
        "{} seeds, {failed} failed; {changes} changes, {calls} calls, {kills} kills, {power_losses} power \
         losses, {faults} failed calls; {seconds:.0} s",
        end.saturating_sub(first)
    );
    if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
