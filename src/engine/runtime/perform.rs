//! Performing: what the events ask of world, mind and stores, and how the answers come back.

use super::backtest::blocked_before;
use super::needs::{needed_hits, needed_knowledge};
use super::run_memory::RunMemory;
use crate::journal::{EntryFilter, Journal, JournalError};
use pithead_core::agent::State;
use pithead_core::domain::experience::Hit;
use pithead_core::domain::experience::option::TriedOptions;
use pithead_core::domain::experience::recall::RecallQuery;
use pithead_core::domain::knowledge::{Entry, Status};
use pithead_core::domain::run::event::Event;
use pithead_core::domain::run::input::Input;
use pithead_core::knowledge::active;
use pithead_world::action::{ActionFailure, ActionReport};
use pithead_world::clock::Millis;
use pithead_world::ids::RunId;
use pithead_world::port::{Notice, Request};
use pithead_world::reports::Reports;

/// The orders to the world that an event stands for, in order.
/// Also used when a world is rebuilt, so that live and rebuilt worlds get the same orders.
#[must_use]
pub fn requests(event: &Event, state: &State) -> Vec<Request> {
    match event {
        Event::WorldAsked => state
            .config()
            .map(|config| Request::Reset(config.world.clone()))
            .into_iter()
            .collect(),
        Event::ActionIssued {
            action,
            order,
            keep,
            ..
        } => vec![
            Request::Keep(keep.clone()),
            Request::Act {
                id: *action,
                action: order.clone(),
            },
        ],
        Event::BodySpoke { text, .. } => vec![Request::Say { text: text.clone() }],
        Event::ActionCancelled { action, .. } => vec![Request::Cancel { id: *action }],
        // All other events ask nothing of the world.
        _ => Vec::new(),
    }
}

/// True for events whose answer this thread is to find.
/// Their answers come back as inputs in a later turn.
pub(super) fn is_question(event: &Event) -> bool {
    matches!(
        event,
        Event::MindAsked { .. }
            | Event::RecallAsked { .. }
            | Event::SimilarFailuresAsked { .. }
            | Event::LookupAsked { .. }
    )
}

/// A notice as the core takes it, with as much of a failure as the run lets its body tell. Nothing behind this
/// point sees more, the record included.
#[must_use]
pub fn input(notice: Notice, reports: Reports) -> Input {
    match notice {
        Notice::Ready(frame) => Input::Ready(frame),
        Notice::Frame(frame) => Input::Framed(frame),
        Notice::Acted { id, report, frame } => {
            let failure = report.failure.map(|failure| reports.told(failure));
            Input::Acted {
                action: id,
                report: ActionReport { failure, ..report },
                frame,
            }
        }
        Notice::Reacted(reflex) => Input::Reacted(reflex),
        Notice::Lost { because } => Input::Lost { because },
    }
}

/// How much the run lets its body tell of a failure.
pub(super) fn reports_of(state: &State) -> Reports {
    state
        .config()
        .map_or(Reports::Typed, |config| config.world.aids.reports)
}

/// Leaves out the experiences in which a body told more than this run's may.
fn keep_untold(
    hits: &mut Vec<Hit>,
    reports: Reports,
    journal: &Journal,
) -> Result<(), JournalError> {
    if reports.is_typed() {
        return Ok(());
    }
    let mut kept = Vec::with_capacity(hits.len());
    for hit in hits.drain(..) {
        let document = journal.document(hit.id)?;
        let report = document
            .as_ref()
            .and_then(|d| d.experience.diagnosis.report.as_ref());
        if tells_no_more(report, reports) {
            kept.push(hit);
        }
    }
    *hits = kept;
    Ok(())
}

/// Failed cases of earlier runs that a reflection is told of.
const CASES_MAX: u32 = 3;

/// What a body told in an earlier run may be more than this run is to know.
fn tells_no_more(report: Option<&ActionFailure>, reports: Reports) -> bool {
    report.is_none_or(|failure| reports.told(failure.clone()) == *failure)
}

/// Finds the answer to a question about what is stored.
pub(super) fn look_up(
    question: Event,
    state: &State,
    journal: &Journal,
    memory: &mut RunMemory,
    now: Millis,
) -> Result<Input, JournalError> {
    match question {
        Event::RecallAsked {
            query,
            condition,
            cells,
            needs,
        } => {
            let limits = state.config().map(|config| config.limits);
            let query = RecallQuery {
                text: query,
                condition,
                cells,
                seed: state.config().map(|config| config.world.seed),
                limit: limits.map_or(0, |limits| limits.recalled_max),
            };
            if !needs.is_empty() {
                let mut hits = needed_hits(&query, &needs, journal, memory);
                keep_untold(&mut hits, reports_of(state), journal)?;
                return Ok(Input::Recalled {
                    hits,
                    knowledge: needed_knowledge(state, &needs, journal, now)?,
                    options: TriedOptions::default(),
                });
            }
            let mut hits = remembered(&query, journal, memory);
            keep_untold(&mut hits, reports_of(state), journal)?;
            let knowledge = known(state, journal, now)?;
            let run = state.config().map_or(RunId(0), |config| config.run);
            let options = journal.tried_options(run)?;
            Ok(Input::Recalled {
                hits,
                knowledge,
                options,
            })
        }
        Event::SimilarFailuresAsked { subgoal, key } => {
            let config = state.config();
            // K_tol is as many as can ever count; a reflection is told of some more.
            let most = |c: &pithead_core::domain::run::event::RunConfig| match c.profile.reflect {
                true => c.profile.k_tol.max(CASES_MAX),
                false => c.profile.k_tol,
            };
            let (run, most) = config.map_or((RunId(0), 0), |c| (c.run, most(c)));
            let mut earlier = journal.similar_failures(&key, run, most as usize)?;
            let reports = reports_of(state);
            earlier.retain(|failure| tells_no_more(failure.diagnosis.report.as_ref(), reports));
            Ok(Input::SimilarFailuresFound { subgoal, earlier })
        }
        Event::LookupAsked { drafts, .. } => looked_up(&drafts, state, journal),
        // `is_question` lets no other event through; the mind's question is answered
        // elsewhere.
        other => unreachable!("only questions about the stores come here, not {other:?}"),
    }
}

/// What the knowledge base holds like these drafts, and what the past says of them.
fn looked_up(drafts: &[Entry], state: &State, journal: &Journal) -> Result<Input, JournalError> {
    let like = |draft: &Entry| journal.entry_saying_the_same(&draft.body);
    let past = |draft: &Entry| blocked_before(journal, &draft.body);
    let summarises = state.config().is_some_and(|c| c.profile.reference_plans);
    Ok(Input::LookedUp {
        found: drafts.iter().map(like).collect::<Result<_, _>>()?,
        blocked: drafts.iter().map(past).collect::<Result<_, _>>()?,
        sequences: match summarises {
            true => journal.sequences_due(drafts)?,
            false => Vec::new(),
        },
    })
}

/// Experiences like this one. A run continues without them if memory fails it.
/// Experiences are an aid: a broken index must not stop a run.
pub(super) fn remembered(
    query: &RecallQuery,
    journal: &Journal,
    memory: &mut RunMemory,
) -> Vec<Hit> {
    memory.recall(journal, query).unwrap_or_else(|error| {
        tracing::error!("recall found no experiences: {error}");
        Vec::new()
    })
}

/// The knowledge that may act in this run: the best of what is active.
fn known(state: &State, journal: &Journal, now: Millis) -> Result<Vec<Entry>, JournalError> {
    let Some(config) = state.config() else {
        return Ok(Vec::new());
    };
    let active = active_entries(state, journal)?;
    let bound = config.limits.shown_max;
    Ok(active::choose(active, &config.task, now, bound))
}

pub(super) fn active_entries(state: &State, journal: &Journal) -> Result<Vec<Entry>, JournalError> {
    let mut active = journal.knowledge(EntryFilter {
        status: Some(Status::Active),
        kind: None,
    })?;
    // A fork may leave out entries to see what they are worth.
    active.retain(|entry| !state.without.contains(&entry.id));
    Ok(active)
}
