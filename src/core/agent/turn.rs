//! One turn of the core: an input comes in, events go out, each seen by what follows it.
//!
//! A turn works on a copy of the state that is made only when the first event changes something;
//! the true state is changed by the driver, after the events are on the disk.

use super::state::State;
use crate::domain::run::event::{Event, RunConfig};
use pithead_world::clock::Millis;
use std::borrow::Cow;

/// The events of one input, as they come to be.
/// Later events of a turn may depend on earlier ones, so each is folded into the copy at
/// once.
#[derive(Debug)]
pub(super) struct Turn<'a> {
    /// The state before the turn.
    pub(super) origin: &'a State,
    /// Borrowed until the first `say`: most frames change nothing and cost no copy.
    state: Cow<'a, State>,
    pub(super) now: Millis,
    pub(super) events: Vec<Event>,
    /// Events at which breakpoints have been looked at.
    /// Index into `events`; a breakpoint is asked about each event once.
    pub(super) looked: usize,
}

impl<'a> Turn<'a> {
    pub(super) fn new(state: &'a State, now: Millis) -> Self {
        Self {
            origin: state,
            state: Cow::Borrowed(state),
            now,
            events: Vec::new(),
            looked: 0,
        }
    }

    /// The state after everything said so far.
    pub(super) fn state(&self) -> &State {
        &self.state
    }

    /// What the run was started with.
    pub(super) fn config(&self) -> &RunConfig {
        self.state
            .config()
            .expect("a run's first event is RunStarted, so its config is known")
    }

    /// States a fact.
    pub(super) fn say(&mut self, event: Event) {
        self.state.to_mut().fold(&event);
        self.events.push(event);
    }

    /// States a fact that nothing else in this turn depends on, without copying the state.
    /// For the many events of which only the journal needs to know.
    pub(super) fn note(&mut self, event: Event) {
        self.events.push(event);
    }
}
