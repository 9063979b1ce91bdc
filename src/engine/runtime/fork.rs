//! Forking: a new run with another one's past up to a point, ready to be driven from there.
//!
//! The point is moved back to where a turn of the loop ends, so that the new run finds nothing half
//! done. The world of the fork is rebuilt from the recorded orders when it is driven.

use super::open::OpenError;
use crate::journal::{CopiedPast, Journal, JournalError};
use pithead_core::agent::{self, State};
use pithead_core::domain::experience::thresholds::Thresholds;
use pithead_core::domain::plan::Plan;
use pithead_core::domain::run::decision::{By, GateKind, Policy};
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_core::domain::run::fork::{Fork, Kept};
use pithead_world::clock::Millis;
use pithead_world::ids::{AttemptId, KnowledgeId, RunId, Seq};
use std::ops::ControlFlow;

/// Where and how to fork.
#[derive(Debug, Clone, PartialEq)]
pub struct ForkRequest {
    pub from: RunId,
    pub at: ForkPoint,
    pub without: Vec<KnowledgeId>,
    pub thresholds: Option<Thresholds>,
    pub plan: Option<Plan>,
    /// Whether what the operator decided later is decided again in the same way.
    pub keep_decisions: bool,
    pub by: String,
}

/// The point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForkPoint {
    /// After this event, or as little before it as it must be.
    Event(Seq),
    /// Before this attempt begins.
    Before(AttemptId),
}

/// What was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Forked {
    pub run: RunId,
    /// The last event that both have.
    pub at: Seq,
    /// Decisions that will be made again.
    pub kept: usize,
}

/// Why there is no fork.
#[derive(Debug, thiserror::Error)]
pub enum ForkError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(
        "run {run} cannot be forked {at}: {because}; `pithead replay {run} --headless` lists its events"
    )]
    Point {
        run: RunId,
        at: String,
        because: &'static str,
    },
    #[error("{0}")]
    Plan(String),
}

impl From<JournalError> for ForkError {
    fn from(error: JournalError) -> Self {
        Self::Open(error.into())
    }
}

impl std::fmt::Display for ForkPoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Event(seq) => write!(f, "at event {seq}"),
            Self::Before(attempt) => write!(f, "before {attempt}"),
        }
    }
}

impl ForkPoint {
    /// The event comes after the point.
    fn is_before(self, fact: &Recorded) -> bool {
        match self {
            Self::Event(at) => fact.seq > at,
            Self::Before(attempt) => {
                matches!(fact.event, Event::AttemptStarted { attempt: a, .. } if a == attempt)
            }
        }
    }
}

/// The plan in force at a point of a run, which an edited plan for a fork keeps its words from.
pub fn plan_at(journal: &Journal, run: RunId, at: ForkPoint) -> Result<Option<Plan>, JournalError> {
    let mut state = State::new();
    each_event(journal, run, |fact| {
        let goes_on = !at.is_before(fact);
        if goes_on {
            state.apply(fact);
        }
        goes_on
    })?;
    Ok(state.plan)
}

/// Makes the run. It is driven by `resume`.
pub fn fork(journal: &mut Journal, wish: ForkRequest, now: Millis) -> Result<Forked, ForkError> {
    fork_as(journal, None, wish, now)
}

/// As `fork`. `number` is one that another journal handed out when the same was done there.
pub fn fork_as(
    journal: &mut Journal,
    number: Option<RunId>,
    wish: ForkRequest,
    now: Millis,
) -> Result<Forked, ForkError> {
    let at = cut(journal, &wish)?;
    let mut state = State::new();
    let mut later = Later::default();
    let mut after = State::new();
    each_event(journal, wish.from, |fact| {
        if fact.seq <= at {
            state.apply(fact);
            after.apply(fact);
            return true;
        }
        if wish.keep_decisions {
            later.apply(&after, &fact.event);
            after.apply(fact);
        }
        wish.keep_decisions
    })?;
    let Some(config) = state.config.as_deref().cloned() else {
        return Err(OpenError::Empty { run: wish.from }.into());
    };
    let kept = later.kept.len();
    let fork = Fork {
        from: wish.from,
        at,
        without: wish.without,
        thresholds: wish.thresholds,
        kept: later.kept,
        policies: later.policies,
        by: wish.by,
    };
    let events = agent::fork::begin(&state, now, fork, wish.plan).map_err(ForkError::Plan)?;
    let past = CopiedPast {
        ticks: state.last_tick(),
        attempts: state.labels.len() as u64,
        failed: u64::from(state.counters.failed_attempts),
    };
    let origin = (wish.from, at);
    let run = journal.fork_run(number, origin, config, past, events, now)?;
    Ok(Forked { run, at, kept })
}

/// The last event at or before the point after which the run can part.
fn cut(journal: &Journal, wish: &ForkRequest) -> Result<Seq, ForkError> {
    let fault = |because| ForkError::Point {
        run: wish.from,
        at: wish.at.to_string(),
        because,
    };
    let mut found = None;
    let mut reached = false;
    let mut state = State::new();
    each_event(journal, wish.from, |fact| {
        // The event comes in from outside, so all that went before it had come to rest.
        let rests = begins_turn(&fact.event) || agent::fork::takes_plan(&state);
        let fits = wish.plan.is_none() || agent::fork::takes_plan(&state);
        if rests && fits && fact.seq > Seq(1) && !state.is_over() {
            found = Some(state.seq);
        }
        reached |= wish.at.is_before(fact);
        if !reached {
            state.apply(fact);
        }
        !reached
    })?;
    match (wish.at, reached) {
        (ForkPoint::Before(_), false) => return Err(fault("there is no such attempt")),
        (ForkPoint::Event(at), false) if at > state.seq => {
            return Err(fault("there is no such event"));
        }
        (ForkPoint::Event(_), false) if state.is_over() => {
            return Err(fault("the run is over there; choose an earlier event"));
        }
        // The very end of a run that was left is a place to rest.
        (ForkPoint::Event(_), false) if wish.plan.is_none() => found = Some(state.seq),
        _ => (),
    }
    found.ok_or_else(|| {
        fault(if wish.plan.is_some() {
            "no plan is in force yet, so there is none to change"
        } else {
            "its world was not asked for yet"
        })
    })
}

/// The event is the first of a turn: it came from the world, the mind, a store or a person.
fn begins_turn(event: &Event) -> bool {
    match event {
        Event::WorldReady { .. }
        | Event::WorldLost { .. }
        | Event::WorldRejoined { .. }
        | Event::BodyReacted { .. }
        | Event::BodySpoke { .. }
        | Event::FrameSeen { .. }
        | Event::ActionEnded { .. }
        | Event::Recalled { .. }
        | Event::LookedUp { .. }
        | Event::MindAnswered { .. }
        | Event::MindFailed { .. }
        | Event::MindCharged { .. }
        | Event::MindWithheld { .. }
        | Event::MindUnavailable { .. }
        | Event::Resumed { .. }
        | Event::Stepped { .. }
        | Event::PolicySet { .. }
        | Event::PaceSet { .. }
        | Event::BreaksSet { .. }
        | Event::Steered { .. }
        | Event::CommandRefused { .. }
        | Event::LabelOverruled { .. } => true,
        Event::DecisionMade { by, .. } => *by != By::Policy,
        _ => false, // said in the course of a turn, or perhaps so
    }
}

/// What the operator decided after the point.
#[derive(Default)]
struct Later {
    kept: Vec<Kept>,
    policies: Vec<(GateKind, Policy)>,
}

impl Later {
    /// `state` is the state before the event.
    fn apply(&mut self, state: &State, event: &Event) {
        match event {
            Event::DecisionMade {
                decision,
                verdict,
                by,
            } => {
                let question = state.questions.iter().find(|q| q.id == *decision);
                let kept = question.and_then(|q| agent::fork::kept(state, q, verdict, by));
                self.kept.extend(kept);
            }
            Event::PolicySet { kind, policy, .. } => self.policies.push((*kind, *policy)),
            _ => (), // no other event is a decision that can come up again
        }
    }
}

/// Shows the events of a run until `see` has seen enough.
fn each_event(
    journal: &Journal,
    run: RunId,
    mut see: impl FnMut(&Recorded) -> bool,
) -> Result<(), JournalError> {
    journal.each_event(run, |fact| {
        Ok(match see(fact) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        })
    })
}
