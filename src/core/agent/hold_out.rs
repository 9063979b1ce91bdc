//! Hold-out: some entries are withheld from a run by a draw, so that each entry's effect can be measured.
//!
//! Invariant: whether an entry is withheld follows from the world's seed, the run's number and the entry's id
//! alone; nothing that bears on the outcome has a part in it.

use crate::agent::state::State;
use crate::domain::knowledge::Entry;
use crate::domain::knowledge::effect::RunResult;
use crate::domain::run::event::{Event, RunConfig};
use crate::domain::run::outcome::Outcome;
use pithead_world::ids::KnowledgeId;
use pithead_world::rng::Streams;

/// The most that may be withheld, in percent: a run should have most of what is known.
pub const HOLD_OUT_MAX: u8 = 50;

/// Takes the entries out that are withheld from this run, and gives their ids.
pub(super) fn withhold(config: &RunConfig, knowledge: &mut Vec<Entry>) -> Vec<KnowledgeId> {
    let mut withheld = Vec::new();
    knowledge.retain(|entry| {
        // What the profile makes no use of has no effect to measure.
        let is_eligible = config.profile.uses(entry.body.entry_kind());
        let is_withheld = is_eligible && is_drawn(config, entry.id);
        if is_withheld {
            withheld.push(entry.id);
        }
        !is_withheld
    });
    withheld
}

fn is_drawn(config: &RunConfig, id: KnowledgeId) -> bool {
    // A stream for each entry, so that one more entry never moves the draw of another.
    let purpose = format!("hold-out {} {id}", config.run);
    let mut stream = Streams(config.world.seed).get(&purpose);
    stream.below(100) < u64::from(config.hold_out.min(HOLD_OUT_MAX))
}

/// What the end of the run says about the entries that were drawn for; none if there are none.
/// A run that someone aborted says nothing.
pub(super) fn measured(state: &State, outcome: Outcome) -> Option<Event> {
    let is_empty = state.given.is_empty() && state.withheld.is_empty();
    if is_empty || outcome == Outcome::Aborted {
        return None;
    }
    Some(Event::KnowledgeMeasured {
        given: state.given.iter().copied().collect(),
        withheld: state.withheld.iter().copied().collect(),
        result: RunResult {
            success: outcome == Outcome::Success,
            failed_attempts: state.counters.failed_attempts,
            ticks: state.last_tick(),
        },
    })
}
