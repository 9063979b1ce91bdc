//! Opening runs: a new one, or one that was left or killed, each handed over to its own thread.

use super::driver::{Driver, Keep};
use super::link::{self, Link};
use super::pace::{Pace, Pacer};
use super::rebuild::{Differs, Rebuild};
use super::run_memory::RunMemory;
use super::thinking::Thinking;
use crate::journal::{DriverLock, Journal, JournalError};
use crate::memory::Embedder;
use crate::mind::Mind;
use pithead_core::agent::State;
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::event::{Event, RunConfig};
use pithead_world::clock::Clock;
use pithead_world::ids::{RunId, Seq};
use pithead_world::port::{Notice, Request, World};
use std::collections::VecDeque;
use std::ops::ControlFlow;

/// What a run is driven with.
/// All of it moves to the thread of the run; the caller keeps the link only.
pub struct Parts {
    /// Becomes the driver's own connection.
    pub journal: Journal,
    pub world: Box<dyn World>,
    pub mind: Box<dyn Mind>,
    /// Of the experience store.
    pub embedder: Box<dyn Embedder>,
    pub clock: Clock,
    pub pace: Pace,
    /// The name that commands over the link carry.
    pub operator: String,
}

impl std::fmt::Debug for Parts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            journal,
            world: _,
            mind,
            embedder: _,
            clock: _,
            pace,
            operator,
        } = self;
        write!(
            f,
            "Parts {{ {}, {}, {pace}, {operator} }}",
            journal.path().display(),
            mind.name()
        )
    }
}

/// Why a run could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The recorded world cannot be built again: the run can be replayed but not driven.
    #[error("run {run} cannot be resumed: {source}")]
    World { run: RunId, source: Differs },
    #[error(
        "run {run} has ended and nothing in it waits for an answer; look at it with `pithead replay {run}`"
    )]
    Over { run: RunId },
    #[error("run {run} has no first event, so nothing is known of it")]
    Empty { run: RunId },
    #[error("the thread that drives the run could not be started: {0}")]
    Thread(#[from] std::io::Error),
}

/// What a run begins with besides its config.
#[derive(Debug, Default)]
pub struct Opening {
    /// What was said about the task before there was a run; it comes first in its journal.
    /// Appended before the driver starts, so the core sees it as its past.
    pub conversation: Vec<Event>,
    /// Heard before anything moves.
    pub commands: Vec<Command>,
}

/// Begins a new run. Its number is handed out here; the one in `config` is ignored.
pub fn start(config: RunConfig, parts: Parts) -> Result<Link, OpenError> {
    start_with(config, parts, Opening::default())
}

/// The same with something to begin with.
pub fn start_with(config: RunConfig, parts: Parts, opening: Opening) -> Result<Link, OpenError> {
    hand_over(
        begin(config, parts, opening.conversation)?,
        opening.commands,
    )
}

/// Resumes a run that was left: the state is folded, the world rebuilt, and what was asked
/// and not answered is asked again.
pub fn resume(run: RunId, parts: Parts) -> Result<Link, OpenError> {
    resume_with(run, parts, Vec::new())
}

/// The same with commands that are heard before anything moves.
pub fn resume_with(run: RunId, parts: Parts, first: Vec<Command>) -> Result<Link, OpenError> {
    hand_over(again(run, parts)?, first)
}

/// The config with what the mind says of itself.
pub(super) fn with_mind(config: RunConfig, parts: &Parts) -> RunConfig {
    RunConfig {
        distillers: parts.mind.distils(),
        counts_what_is_used_up: parts.mind.is_language_model(),
        ..config
    }
}

pub(super) fn begin(
    config: RunConfig,
    mut parts: Parts,
    conversation: Vec<Event>,
) -> Result<(Driver, Link), OpenError> {
    let (config, now) = (with_mind(config, &parts), parts.clock.now());
    // The number of the run is handed out by the database, so two processes never get the
    // same.
    let run = parts.journal.create_run(config, now)?;
    if !conversation.is_empty() {
        parts.journal.append(run, now, conversation)?;
    }
    begun(run, parts)
}

/// A run that has its first event and no more.
pub(super) fn begun(run: RunId, parts: Parts) -> Result<(Driver, Link), OpenError> {
    // The lock first: two processes must not fold and drive the same run.
    let lock = parts.journal.lock_driver(run)?;
    // It may have been deleted before it was locked; its first event stays.
    parts.journal.run(run)?;
    let state = fold(&parts.journal, run, |_, _| Ok(()))?;
    assemble(
        parts,
        run,
        Opened {
            state,
            notices: VecDeque::new(),
            lock,
            joining: false,
        },
    )
}

pub(super) fn again(run: RunId, mut parts: Parts) -> Result<(Driver, Link), OpenError> {
    // Also before the fold here: what is read must not change while it is read.
    let lock = parts.journal.lock_driver(run)?;
    let goes_on = config_of(&parts.journal, run)?.world.goes_on_by_itself();
    let mut rebuild = Rebuild::new(parts.world.as_mut());
    let ended = parts.journal.run(run)?.ended.is_some();
    let state = fold(&parts.journal, run, |event, state| {
        // The world of a run that is over is not needed for the decisions that are left.
        // Labels and entries of a run that has ended can still be decided.
        // One that goes on by itself cannot be built again.
        if ended || goes_on {
            Ok(())
        } else {
            rebuild.follow(event, state)
        }
    })?;
    // Nothing to drive and nothing to answer.
    if state.is_over() && state.questions.is_empty() {
        return Err(OpenError::Over { run });
    }
    let notices = rebuild.finish();
    let joining = goes_on && !state.is_over();
    assemble(
        parts,
        run,
        Opened {
            state,
            notices,
            lock,
            joining,
        },
    )
}

/// What the run was started with.
pub fn config_of(journal: &Journal, run: RunId) -> Result<RunConfig, OpenError> {
    journal.last_seq(run)?;
    // The first event holds the config; a run without it was killed while it was created.
    match journal.events(run, Seq(0), 1)?.pop().map(|fact| fact.event) {
        Some(Event::RunStarted { config }) => Ok(*config),
        Some(_) | None => Err(OpenError::Empty { run }),
    }
}

/// A run as it lies in the journal, ready to be driven.
struct Opened {
    state: State,
    notices: VecDeque<Notice>,
    lock: DriverLock,
    /// The world went on by itself and has to be joined again.
    joining: bool,
}

/// Folds all events of the run, and shows each to `see` with the state after it.
pub(super) fn fold(
    journal: &Journal,
    run: RunId,
    mut see: impl FnMut(&Event, &State) -> Result<(), Differs>,
) -> Result<State, OpenError> {
    let mut state = State::new();
    journal.each_event(run, |fact| {
        state.apply(fact);
        see(&fact.event, &state).map_err(|source| OpenError::World { run, source })?;
        Ok::<_, OpenError>(ControlFlow::Continue(()))
    })?;
    Ok(state)
}

fn hand_over((driver, mut link): (Driver, Link), first: Vec<Command>) -> Result<Link, OpenError> {
    // Sent before the thread starts, so the first turn finds them.
    for command in first {
        // The driver is there and does not listen yet: what is said waits for it.
        let _ = link.send(command);
    }
    let name = format!("run {}", link.run());
    let thread = std::thread::Builder::new()
        .name(name)
        .spawn(move || driver.drive())?;
    link.set_driver(thread);
    Ok(link)
}

/// The order to return to a world that went on by itself. Before its first frame the world is asked for as for a new run.
fn rejoin_request(driver: &Driver) -> Option<Request> {
    let config = driver.state.config().filter(|_| driver.joining)?;
    let last = driver.state.frame.clone()?;
    let spec = config.world.clone();
    Some(Request::Rejoin { spec, last })
}

/// Both ends of a run, before anything moves.
fn assemble(parts: Parts, run: RunId, opened: Opened) -> Result<(Driver, Link), OpenError> {
    let Parts {
        journal,
        world,
        mind,
        embedder,
        clock,
        pace,
        operator,
    } = parts;
    let Opened {
        state,
        notices,
        mut lock,
        joining,
    } = opened;
    lock.note(state.seq);
    // The client reads over a connection of its own: the driver's is busy writing.
    let (publisher, link) = link::link(run, journal.reader()?, &operator, state.seq);
    let (thinking, mind_thread) = Thinking::new(
        mind,
        publisher.inbox.clone(),
        publisher.watch.clone(),
        clock.clone(),
    )?;
    let mut driver = Driver {
        run,
        journal,
        world,
        memory: RunMemory::new(embedder),
        thinking,
        mind_thread,
        clock,
        pacer: Pacer::new(pace),
        operator,
        publisher,
        notices,
        asked: VecDeque::new(),
        answers: VecDeque::new(),
        started: false,
        woken_for: None,
        lock,
        state,
        keep: Keep::Everything,
        joining,
        outage: None,
    };
    if let Some(request) = rejoin_request(&driver) {
        driver.world.request(request);
    }
    // Asked and not answered before the crash: performed again, before the first turn.
    for question in driver.state.open_requests() {
        driver.perform(&question);
    }
    Ok((driver, link))
}
