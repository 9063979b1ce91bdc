//! Folds of 100,000 events: the agent's state and the console's view.

use crate::common;
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use pithead_console::view::View;
use pithead_core::agent::State;
use pithead_core::domain::run::event::{Event, Recorded};

const EVENTS: usize = 100_000;

/// A real run of as many events: what follows the first frame comes round again and again.
fn long_run(recorded: &[Recorded]) -> impl Iterator<Item = &Recorded> {
    let at = recorded
        .iter()
        .position(|fact| matches!(fact.event, Event::WorldReady { .. }));
    let (opening, rest) = recorded.split_at(at.expect("the world was there") + 1);
    let rest = &rest[..rest.len() - 1]; // the last event ends the run
    opening.iter().chain(rest.iter().cycle()).take(EVENTS)
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn fold_state(bencher: Bencher) {
    let recorded = common::record(common::DIAMOND, 7);
    bencher.counter(ItemsCount::new(EVENTS)).bench_local(|| {
        let mut state = State::new();
        long_run(&recorded).for_each(|fact| state.apply(black_box(fact)));
        state
    });
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn fold_view(bencher: Bencher) {
    let recorded = common::record(common::DIAMOND, 7);
    bencher.counter(ItemsCount::new(EVENTS)).bench_local(|| {
        let mut view = View::default();
        long_run(&recorded).for_each(|fact| view.apply(black_box(fact)));
        view
    });
}
