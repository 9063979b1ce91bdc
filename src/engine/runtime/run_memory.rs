//! A run's experience store, opened at the first question, since many runs never ask one.
//!
//! Invariant: before each answer the store takes in what other runs have recorded since.

use crate::journal::Journal;
use crate::memory::{Embedder, ExperienceStore, MemoryError};
use pithead_core::domain::experience::Hit;
use pithead_core::domain::experience::recall::RecallQuery;

/// A store that may not be open yet.
#[derive(Debug)]
pub(super) enum RunMemory {
    /// None once opening has failed.
    Closed(Option<Box<dyn Embedder>>),
    /// Boxed, as a store is much larger than what it replaces.
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
                // Failing once is reported; failing at each recall would only be slow.
                let Some(embedder) = embedder.take() else {
                    return Ok(Vec::new());
                };
                let mut memory = ExperienceStore::open(db, journal.file(), embedder)?;
                // The store is opened up to date, so nothing has to be taken in first.
                let hits = memory.recall(db, query)?.hits;
                *self = Self::Open(Box::new(memory));
                Ok(hits)
            }
            Self::Open(memory) => {
                memory.take_in(db)?;
                Ok(memory.recall(db, query)?.hits)
            }
        }
    }
}
