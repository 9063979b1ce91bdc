//! Performing: what the events ask of world, mind and stores, and how the answers come back.

use super::backtest::blocked_before;
use super::run_memory::RunMemory;
use crate::journal::{EntryFilter, Journal, JournalError};
use pithead_core::agent::State;
use pithead_core::domain::experience::Hit;
use pithead_core::domain::experience::option::TriedOptions;
use pithead_core::domain::experience::recall::{Need, RecallQuery};
use pithead_core::domain::knowledge::{Entry, Status};
use pithead_core::domain::run::event::Event;
use pithead_core::domain::run::input::Input;
use pithead_core::knowledge::{active, needed};
use pithead_world::clock::Millis;
use pithead_world::family::ItemSpec;
use pithead_world::ids::{KnowledgeId, RunId};
use pithead_world::port::{Notice, Request};
use std::collections::BTreeSet;

/// Needs of one plan for which experiences are searched.
const NEEDS_MAX: usize = 16;
/// Experiences kept of each.
const HITS_PER_NEED: usize = 3;
/// Times as many are looked at, so that a failure that was mended is found among successes that say nothing.
const WIDER: usize = 4;

/// The order to the world that an event stands for, if it does.
/// Also used when a world is rebuilt, so that live and rebuilt worlds get the same orders.
#[must_use]
pub fn request(event: &Event, state: &State) -> Option<Request> {
    match event {
        Event::WorldAsked => state
            .config()
            .map(|config| Request::Reset(config.world.clone())),
        Event::ActionIssued { action, order, .. } => Some(Request::Act {
            id: *action,
            action: order.clone(),
        }),
        Event::ActionCancelled { action, .. } => Some(Request::Cancel { id: *action }),
        // All other events ask nothing of the world.
        _ => None,
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

/// A notice as the core takes it.
#[must_use]
pub fn input(notice: Notice) -> Input {
    match notice {
        Notice::Ready(frame) => Input::Ready(frame),
        Notice::Frame(frame) => Input::Framed(frame),
        Notice::Acted { id, report, frame } => Input::Acted {
            action: id,
            report,
            frame,
        },
        Notice::Lost { because } => Input::Lost { because },
    }
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
                return Ok(Input::Recalled {
                    hits: needed_hits(&query, &needs, journal, memory),
                    knowledge: needed_knowledge(state, &needs, journal, now)?,
                    options: TriedOptions::default(),
                });
            }
            let hits = remembered(&query, journal, memory);
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
            // K_tol is as many as can ever count.
            let (run, k_tol) = config.map_or((RunId(0), 0), |c| (c.run, c.profile.k_tol));
            let earlier = journal.similar_failures(&key, run, k_tol as usize)?;
            Ok(Input::SimilarFailuresFound { subgoal, earlier })
        }
        Event::LookupAsked { drafts, .. } => {
            let like = |draft: &Entry| journal.entry_saying_the_same(&draft.body);
            let past = |draft: &Entry| blocked_before(journal, &draft.body);
            Ok(Input::LookedUp {
                found: drafts.iter().map(like).collect::<Result<_, _>>()?,
                blocked: drafts.iter().map(past).collect::<Result<_, _>>()?,
            })
        }
        // `is_question` lets no other event through; the mind's question is answered
        // elsewhere.
        other => unreachable!("only questions about the stores come here, not {other:?}"),
    }
}

/// Experiences of each need, what failed and was mended before what went well.
fn needed_hits(
    whole: &RecallQuery,
    needs: &[Need],
    journal: &Journal,
    memory: &mut RunMemory,
) -> Vec<Hit> {
    let mut found: Vec<Hit> = Vec::new();
    for need in needs.iter().take(NEEDS_MAX) {
        let query = RecallQuery {
            text: need.step.clone(),
            condition: Some(need.condition),
            limit: HITS_PER_NEED * WIDER,
            ..whole.clone()
        };
        let mut hits = remembered(&query, journal, memory);
        hits.retain(|hit| hit.exact && found.iter().all(|other| other.id != hit.id));
        // Stable: within a class the order is that of ψ.
        hits.sort_by_key(|hit| match (hit.success, &hit.mended, hit.at) {
            (false, Some(_), _) => 0,
            (_, _, Some(_)) => 1,
            (false, None, None) => 2,
            (true, _, None) => 3,
        });
        found.extend(hits.into_iter().take(HITS_PER_NEED));
    }
    found
}

/// The active entries about what a plan needs.
fn needed_knowledge(
    state: &State,
    needs: &[Need],
    journal: &Journal,
    now: Millis,
) -> Result<Vec<Entry>, JournalError> {
    let Some(config) = state.config() else {
        return Ok(Vec::new());
    };
    let known = state.knowledge.iter().map(|entry| entry.id);
    let given: BTreeSet<KnowledgeId> = known.chain(state.withheld.iter().copied()).collect();
    let targets: Vec<ItemSpec> = needs.iter().map(|need| need.target).collect();
    let active = active_entries(state, journal)?;
    Ok(needed::choose(active, &targets, &config.task, &given, now))
}

/// Experiences like this one. A run continues without them if memory fails it.
/// Experiences are an aid: a broken index must not stop a run.
fn remembered(query: &RecallQuery, journal: &Journal, memory: &mut RunMemory) -> Vec<Hit> {
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

fn active_entries(state: &State, journal: &Journal) -> Result<Vec<Entry>, JournalError> {
    let mut active = journal.knowledge(EntryFilter {
        status: Some(Status::Active),
        kind: None,
    })?;
    // A fork may leave out entries to see what they are worth.
    active.retain(|entry| !state.without.contains(&entry.id));
    Ok(active)
}
