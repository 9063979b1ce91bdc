//! Entries that do harm: marked in their list, and waiting in the inbox.

use super::console;
use crate::cache::Loaded;
use crate::screens::inbox::decisions::Decisions;
use crate::testing::entry;
use pithead_core::domain::knowledge::effect::RunSums;
use pithead_core::domain::knowledge::{Entry, Status};
use pithead_core::domain::run::decision::Gates;
use std::sync::Arc;

/// An active entry with which fewer runs succeed, as hold-out has measured.
fn harmful(n: u64) -> Entry {
    let mut entry = entry(n, Status::Active, "mine: first wait");
    let sums = |successes| RunSums {
        runs: 40,
        successes,
        ..RunSums::default()
    };
    (entry.outcomes.given, entry.outcomes.withheld) = (sums(10), sums(36));
    entry
}

#[test]
fn a_harmful_entry_is_marked_waits_in_the_inbox_and_is_read_alone() {
    let mut console = console(140, 20);
    let proposed = console.cache.entries.clone();
    let entries = proposed.into_iter().chain([Arc::new(harmful(9))]);
    console.cache.apply(Loaded::Base {
        runs: Vec::new(),
        entries: entries.collect(),
        decisions: Decisions::default(),
        rules: Ok(Gates::default()),
    });
    console.shell.settle(&console.cache);
    console.press("/harmful⏎");
    let screen = console.screen();
    assert!(
        screen.contains("1 of 4") && screen.contains("▼ harmful"),
        "{screen}"
    );
    assert!(
        screen.contains("its effect on success is below zero: -65.0 points"),
        "{screen}"
    );
    console.press("⏎");
    assert_eq!(console.shell.entry_in_hand().map(|id| id.n), Some(9));
    console.press("G");
    let page = console.screen();
    assert!(page.contains("▼ harmful: the whole interval"), "{page}");
    console.press("⎋⎋M⏎");
    assert!(
        console.said().contains("decided alone"),
        "{}",
        console.said()
    );
    console.press("4");
    console.shell.settle(&console.cache);
    let screen = console.screen();
    assert!(screen.contains("-65 ▼"), "{screen}");
}
