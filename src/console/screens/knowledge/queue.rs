//! The queue: pairs of entries that say the same or speak against each other.

use pithead_core::domain::knowledge::Entry;
use pithead_core::knowledge::queue::{EntryPair, contradictions, duplicates};

/// Why two entries are in the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairKind {
    Duplicate,
    Contradiction,
}

impl PairKind {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Duplicate => "duplicate",
            Self::Contradiction => "contradiction",
        }
    }
}

/// Two entries that wait for the curator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuedPair {
    pub kind: PairKind,
    pub pair: EntryPair,
}

/// All pairs of the base; for one thread that may take its time.
#[must_use]
pub fn queue(entries: &[Entry]) -> Vec<QueuedPair> {
    let queued = |kind| move |pair| QueuedPair { kind, pair };
    let same = duplicates(entries)
        .into_iter()
        .map(queued(PairKind::Duplicate));
    let against = contradictions(entries).into_iter();
    same.chain(against.map(queued(PairKind::Contradiction)))
        .collect()
}
