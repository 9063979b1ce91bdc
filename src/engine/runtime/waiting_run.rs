//! Waiting runs: runs that nobody drives, opened only to be given a command.
//!
//! No world and no mind is needed for that, so no time passes in the run. Invariant: the run is
//! locked as if it were driven, and what came of the command is on the disk before it is returned.

use super::open::{OpenError, fold};
use crate::journal::{DriverLock, Journal};
use pithead_core::agent::{self, State};
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::event::Event;
use pithead_core::domain::run::input::Input;
use pithead_world::clock::Clock;
use pithead_world::ids::RunId;

/// A run that nobody drives.
#[derive(Debug)]
pub struct WaitingRun {
    run: RunId,
    state: State,
    journal: Journal,
    clock: Clock,
    /// Held as long as this lives.
    lock: DriverLock,
}

impl WaitingRun {
    /// Opens the run, unless someone drives it.
    pub fn open(run: RunId, journal: Journal, clock: Clock) -> Result<Self, OpenError> {
        // The lock before the fold, as for a driven run.
        let lock = journal.lock_driver(run)?;
        // Of a deleted run the first event stays.
        journal.run(run)?;
        let state = fold(&journal, run, |_, _| Ok(()))?;
        Ok(Self {
            run,
            state,
            journal,
            clock,
            lock,
        })
    }

    /// Gives the run a command; the reason if it refuses.
    pub fn obey(
        &mut self,
        command: Command,
        operator: String,
    ) -> Result<Result<(), String>, OpenError> {
        let now = self.clock.now();
        let events = agent::decide(&self.state, now, Input::Commanded { command, operator });
        // On the disk before the answer is given.
        let recorded = self.journal.append(self.run, now, events)?;
        recorded.iter().for_each(|fact| self.state.apply(fact));
        self.lock.note(self.state.seq);
        let refused = recorded.into_iter().find_map(|fact| match fact.event {
            Event::CommandRefused { because, .. } => Some(because),
            _ => None, // every other event says that the command was obeyed
        });
        Ok(refused.map_or(Ok(()), Err))
    }
}
