//! Learning: over ten seeds, knowledge from one pass prevents failures in the next.
//!
//! The same ten runs three times: on a new database, again on the database that this left, and
//! with knowledge hidden. Seeds are the first ten numbers; none was picked.

use pithead::config;
use pithead::headless::{self, Summary};
use pithead_core::domain::plan::task::Task;
use pithead_core::systems;
use pithead_engine::journal::{Durability, EntryFilter, Journal};
use pithead_engine::runtime::{self, Pace, Parts};
use pithead_world::clock::Clock;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

const SEEDS: std::ops::RangeInclusive<u64> = 1..=10;
const TASK: &str = "craft an iron pickaxe";

/// The results of one pass over the seeds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Totals {
    failed: u64,
    /// Failures for want of a tool, a station or an ingredient: what knowledge is about. The rest is the
    /// body's: whether it gets stuck or meets a zombie hangs on where it goes.
    lacked: u64,
    attempts: u64,
    replans: u64,
    done: u64,
    /// Ended by the death of the body, which is no effect of knowledge either.
    died: u64,
}

impl Totals {
    fn add(self, run: &Summary) -> Self {
        Self {
            failed: self.failed + run.failed_attempts,
            lacked: self.lacked
                + ["TOOL_MISSING", "ACTION_INVALID"]
                    .iter()
                    .filter_map(|reason| run.failures_by_reason.get(*reason))
                    .sum::<u64>(),
            attempts: self.attempts + run.attempts,
            replans: self.replans + run.replans,
            done: self.done + u64::from(run.success),
            died: self.died
                + run
                    .failures_by_reason
                    .get("ENV_TERMINATED")
                    .copied()
                    .unwrap_or_default(),
        }
    }
}

/// One pass over the seeds on the database, which grows with each run.
fn pass(database: &Path, mind: &str, system: &str, name: &str) -> Totals {
    let mut totals = Totals::default();
    for seed in SEEDS {
        let run = play(database, mind, system, seed);
        println!(
            "{mind} {name} seed {seed}: {} in {} ticks, {} of {} attempts failed {:?}, {} replans",
            run.outcome,
            run.ticks,
            run.failed_attempts,
            run.attempts,
            run.failures_by_reason,
            run.replans
        );
        totals = totals.add(&run);
    }
    println!("{mind} {name}: {totals:?}");
    totals
}

fn play(database: &Path, mind: &str, system: &str, seed: u64) -> Summary {
    let (task, profile) = (Task::parse(TASK).unwrap(), systems::named(system).unwrap());
    let config = config::run_config(task, seed, mind, profile);
    let (world, mind) = config::world_and_mind(&config).unwrap();
    let parts = Parts {
        journal: Journal::open(database, Durability::Normal).unwrap(),
        world,
        mind,
        embedder: Box::new(pithead_engine::memory::Hashed),
        clock: Clock::manual(1_000),
        pace: Pace::Max,
        operator: "test".to_owned(),
    };
    let link = runtime::start(config, parts).unwrap();
    let ending = headless::follow(link, &AtomicBool::new(false), |_| ()).unwrap();
    assert_eq!(ending.stopped, None, "seed {seed}");
    ending.summary
}

#[track_caller]
fn check(mind: &str) {
    let folder = tempfile::tempdir().unwrap();
    let (shared, hidden) = (
        folder.path().join("shared.db"),
        folder.path().join("hidden.db"),
    );
    let first = pass(&shared, mind, systems::DEFAULT, "first pass");
    let second = pass(
        &shared,
        mind,
        systems::DEFAULT,
        "second pass, knowledge visible",
    );
    let hidden = pass(&hidden, mind, "no-knowledge-use", "knowledge hidden");
    let told =
        format!("{mind}, seeds {SEEDS:?}: first {first:?}, second {second:?}, hidden {hidden:?}");
    println!("{told}");
    assert!(
        // From its second run on the first pass profits from knowledge too.
        second.lacked < first.lacked,
        "not better than the first pass: {told}"
    );
    assert!(
        second.failed < hidden.failed,
        "not better than without knowledge: {told}"
    );
    // Compared with the first pass only: with knowledge hidden the body goes elsewhere, and meeting
    // a zombie there is not an effect of knowledge. The totals above show both.
    assert!(
        second.done + second.died >= first.done,
        "what was learnt cost a task: {told}"
    );
}

#[test]
fn a_competent_mind_fails_less_with_learned_knowledge() {
    check("builtin:competent");
}

#[test]
fn a_novice_mind_fails_less_with_learned_knowledge() {
    check("builtin:novice");
}

/// A run that does the same thing twice learns one entry, with the evidence of both.
#[test]
fn no_two_entries_of_a_run_have_the_same_content() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("pithead.db");
    play(&database, "builtin:competent", systems::DEFAULT, 1);
    let journal = Journal::open(&database, Durability::Normal).unwrap();
    let entries = journal.knowledge(EntryFilter::default()).unwrap();
    let signatures: BTreeSet<_> = entries.iter().map(|entry| entry.body.signature()).collect();
    let titles: Vec<_> = entries.iter().map(|entry| &entry.title).collect();
    assert_eq!(signatures.len(), entries.len(), "{titles:?}");
    let planks = entries.iter().find(|entry| entry.title.contains("#planks"));
    let rests = planks.map(|entry| entry.provenance.experiences.len());
    assert!(rests.is_some_and(|rests| rests > 1), "{planks:?}");
}
