//! Needs: what memory and the knowledge base hold of each thing that a plan has to get.
//!
//! Invariant: only attempts with the same aim are hits; likeness alone says too little of one step.

use super::perform::{active_entries, remembered};
use super::run_memory::RunMemory;
use crate::journal::{Journal, JournalError};
use pithead_core::agent::State;
use pithead_core::domain::experience::Hit;
use pithead_core::domain::experience::recall::{Need, RecallQuery};
use pithead_core::domain::knowledge::Entry;
use pithead_core::knowledge::needed;
use pithead_world::clock::Millis;
use pithead_world::family::ItemSpec;
use pithead_world::ids::KnowledgeId;
use std::collections::BTreeSet;

/// Needs of one plan for which experiences are searched.
const NEEDS_MAX: usize = 16;
/// Experiences kept of each.
const HITS_PER_NEED: usize = 3;
/// Times as many are looked at, so that a failure that was mended is found among successes that say nothing.
const WIDER: usize = 4;

/// Experiences of each need, what failed and was mended before what went well.
pub(super) fn needed_hits(
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
pub(super) fn needed_knowledge(
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
