//! A run's experience store, opened at the first question, since many runs never ask one.
//!
//! Invariant: before each answer the store takes in what other runs have recorded since.

use crate::journal::Journal;
use crate::memory::{Breadth, Embedder, ExperienceStore, MemoryError};
use pithead_core::domain::experience::Hit;
use pithead_core::domain::experience::recall::RecallQuery;

/// A store that may not be open yet.
#[derive(Debug)]
pub(super) enum RunMemory {
    Closed(Option<Box<dyn Embedder>>),
    Open(Box<ExperienceStore>),
}

impl RunMemory {
    pub(super) fn new(embedder: Box<dyn Embedder>) -> Self {
        Self::Closed(Some(embedder))
    }

    pub(super) fn recall(
        &mut self,
        journal: &Journal,
        query: &RecallQuery,
    ) -> Result<Vec<Hit>, MemoryError> {
        let db = journal.connection();
        match self {
            Self::Closed(embedder) => {
                // A store that could not be opened is not asked again.
                let Some(embedder) = embedder.take() else {
                    return Ok(Vec::new());
                };
                let mut memory = ExperienceStore::open(db, journal.file(), embedder)?;
                let hits = memory.recall(db, query, Breadth::Everywhere)?.hits;
                *self = Self::Open(Box::new(memory));
                Ok(hits)
            }
            Self::Open(memory) => {
                memory.take_in(db)?;
                Ok(memory.recall(db, query, Breadth::Everywhere)?.hits)
            }
        }
    }
}
