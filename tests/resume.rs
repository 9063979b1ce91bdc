//! Resume and replay: an interrupted run ends like an uninterrupted one, and a recording folds to
//! the same state as the live run.
//!
//! Cut where appends end: an append is one transaction, so nothing shorter can be on the disk.

use pithead::config;
use pithead_console::view::View;
use pithead_core::agent::State;
use pithead_core::domain::plan::task::Task;
use pithead_core::domain::run::event::{Event, Recorded, RunConfig};
use pithead_core::systems;
use pithead_engine::journal::{Durability, Journal};
use pithead_engine::runtime::{self, DriverStatus, Link, Pace, Parts, Recording};
use pithead_world::clock::Clock;
use pithead_world::ids::{RunId, Seq};
use std::path::{Path, PathBuf};
use std::time::Duration;

const RUN: RunId = RunId(1);
/// Each resumption rebuilds the world and plays to the end; more of them take too long.
const CUTS: usize = 12;

fn run_config() -> RunConfig {
    let task = Task::parse("craft a stone pickaxe").unwrap();
    // The novice errs, so that the run has failures, a lesson and a replan to interrupt.
    config::run_config(
        task,
        1,
        "builtin:novice",
        systems::named(systems::DEFAULT).unwrap(),
    )
}

fn parts(database: &Path) -> Parts {
    let (world, mind) = config::world_and_mind(&run_config()).unwrap();
    Parts {
        journal: Journal::open(database, Durability::Normal).unwrap(),
        world,
        mind,
        embedder: Box::new(pithead_engine::memory::Hashed),
        clock: Clock::manual(1_000),
        pace: Pace::Max,
        operator: "ann".to_owned(),
    }
}

/// To the end of the run, with every event in the order in which the client got it.
fn follow(mut link: Link) -> Vec<Recorded> {
    let mut seen = Vec::new();
    loop {
        let status = link.status();
        let facts = link.recv(Duration::from_millis(20)).unwrap();
        let is_quiet = facts.is_empty();
        seen.extend(facts);
        if status != DriverStatus::Running && is_quiet {
            assert_eq!(link.close().status, DriverStatus::Over);
            return seen;
        }
    }
}

fn recorded(database: &Path) -> Vec<Recorded> {
    Journal::look(database)
        .unwrap()
        .events(RUN, Seq(0), usize::MAX)
        .unwrap()
}

/// A database that ends with the first `count` events of the run.
fn cut(folder: &Path, whole: &[Recorded], count: usize) -> PathBuf {
    let database = folder.join(format!("cut-{count}.db"));
    let mut journal = Journal::open(&database, Durability::Normal).unwrap();
    assert_eq!(journal.create_run(run_config(), whole[0].at).unwrap(), RUN);
    for fact in &whole[1..count] {
        journal
            .append(RUN, fact.at, vec![fact.event.clone()])
            .unwrap();
    }
    database
}

fn state_of(facts: &[Recorded]) -> State {
    facts.iter().fold(State::new(), |mut state, fact| {
        state.apply(fact);
        state
    })
}

fn view_of(facts: &[Recorded]) -> View {
    facts.iter().fold(View::default(), |mut view, fact| {
        view.apply(fact);
        view
    })
}

#[test]
fn a_run_resumed_after_any_event_ends_like_an_uninterrupted_one() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("whole.db");
    follow(runtime::start(run_config(), parts(&database)).unwrap());
    let whole = recorded(&database);
    let asks = |fact: &Recorded| {
        matches!(
            fact.event,
            Event::ActionIssued { .. } | Event::MindAsked { .. }
        )
    };
    let ends: Vec<usize> = (1..whole.len()).filter(|at| asks(&whole[at - 1])).collect();
    assert!(ends.len() > CUTS / 2, "too little happened: {}", ends.len());
    for count in ends.iter().step_by(ends.len().div_ceil(CUTS)) {
        let database = cut(folder.path(), &whole, *count);
        follow(runtime::resume(RUN, parts(&database)).unwrap());
        let found = recorded(&database);
        let parted = found.iter().zip(&whole).find(|(a, b)| a != b);
        assert!(
            parted.is_none(),
            "seed 1, cut after event {count}: {parted:#?}"
        );
        assert_eq!(found.len(), whole.len(), "seed 1, cut after event {count}");
        assert!(
            state_of(&found) == state_of(&whole),
            "seed 1, cut after event {count}"
        );
    }
}

#[test]
fn a_replayed_run_folds_to_the_same_state_and_view_as_the_live_run() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("live.db");
    let live = follow(runtime::start(run_config(), parts(&database)).unwrap());
    let recording = Recording::open(Journal::look(&database).unwrap(), RUN).unwrap();
    let mut replayed = Vec::new();
    loop {
        let last = replayed.last().map_or(Seq(0), |fact: &Recorded| fact.seq);
        let page = recording.page(last, 100).unwrap();
        if page.is_empty() {
            break;
        }
        replayed.extend(page);
    }
    assert_eq!(live.len(), replayed.len());
    assert!(state_of(&live) == state_of(&replayed), "the states differ");
    assert!(view_of(&live) == view_of(&replayed), "the views differ");
}
