//! Tests of the simulation: the seeds of every build, that a seed plays the same twice, and that planted
//! faults are found.

use super::*;

/// Seeds in which a planted fault must show.
const SEEDS_PLANTED: u64 = 60;

#[test]
fn two_hundred_seeds_keep_every_promise() {
    for seed in 0..200 {
        let played = simulate(seed, Plant::Nothing);
        assert!(played.failure.is_none(), "{played}");
    }
}

/// After a failed read SQLite ends the transaction, and what is written then would be a transaction of its own.
#[test]
fn a_deletion_that_fails_in_the_middle_deletes_nothing() {
    let mut failed = 0;
    for seed in 0..SEEDS_PLANTED {
        let played = simulate(seed, Plant::FailedDeletions);
        assert!(played.failure.is_none(), "{played}");
        failed += played.counts.faults;
    }
    assert!(failed > SEEDS_PLANTED, "{failed} reads failed");
}

#[test]
fn a_seed_plays_the_same_twice() {
    for seed in [3, 5, 8, 19] {
        let once = simulate(seed, Plant::Nothing);
        assert_eq!(once, simulate(seed, Plant::Nothing));
        assert_ne!(once.trace, simulate(seed + 1, Plant::Nothing).trace);
    }
    let found = finding(Plant::UnlockedDrivers);
    assert_eq!(found, simulate(found.seed, Plant::UnlockedDrivers));
}

/// The first seed in which a planted fault is found.
#[track_caller]
fn finding(plant: Plant) -> Played {
    let mut played = (0..SEEDS_PLANTED).map(|seed| simulate(seed, plant));
    let found = played.find(|played| played.failure.is_some());
    found.unwrap_or_else(|| panic!("{plant:?} was not found in {SEEDS_PLANTED} seeds"))
}

#[track_caller]
fn is_found(plant: Plant, as_one_of: &[&str]) {
    let failure = finding(plant).failure.unwrap_or_default();
    let is_named = as_one_of.iter().any(|words| failure.contains(words));
    assert!(is_named, "{plant:?} was found as: {failure}");
}

#[test]
fn a_disk_that_lies_about_syncs_is_found() {
    is_found(
        Plant::LyingDisk,
        &["is lost", "damaged", "in database main"],
    );
}

#[test]
fn locks_that_exclude_nobody_are_found() {
    is_found(
        Plant::NoLocks,
        &["damaged", "should", "acknowledged", "without a cause"],
    );
}

#[test]
fn a_turn_in_two_transactions_is_found() {
    is_found(Plant::SplitTurns, &["and should be"]);
}

#[test]
fn two_drivers_of_a_run_are_found() {
    is_found(Plant::UnlockedDrivers, &["is driven by process"]);
}
