//! Recordings: the events of a run that is over (or left), read page by page for the console.
//!
//! A recording performs nothing: replaying is folding.

use crate::journal::{Journal, JournalError, RunRow, Snapshot, SnapshotBound};
use pithead_core::domain::run::event::Recorded;
use pithead_world::ids::{RunId, Seq};

/// A recorded run.
/// Opened for reading: a run that is still driven elsewhere is not disturbed.
#[derive(Debug)]
pub struct Recording {
    journal: Journal,
    row: RunRow,
}

impl Recording {
    /// Opens run `run` of the journal, which becomes the recording's own connection.
    pub fn open(journal: Journal, run: RunId) -> Result<Self, JournalError> {
        let row = journal.run(run)?;
        Ok(Self { journal, row })
    }

    /// What the list of runs says of it.
    #[must_use]
    pub fn row(&self) -> &RunRow {
        &self.row
    }

    /// The journal, for what is not in the events (other runs, knowledge).
    #[must_use]
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// The same recording over a connection of its own, for another thread.
    /// SQLite connections must not be shared between threads.
    pub fn again(&self) -> Result<Self, JournalError> {
        let journal = Journal::look(&self.journal.path())?;
        let row = self.row.clone();
        Ok(Self { journal, row })
    }

    /// How many events there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.row.events
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.row.events == 0
    }

    /// At most `limit` events after `after`, oldest first.
    pub fn page(&self, after: Seq, limit: usize) -> Result<Vec<Recorded>, JournalError> {
        self.journal.events(self.row.id, after, limit)
    }

    /// The last snapshot of this fold within the bound, if one can be believed.
    pub fn last_snapshot(
        &self,
        fold: &str,
        bound: SnapshotBound,
    ) -> Result<Option<Snapshot>, JournalError> {
        self.journal.last_snapshot(self.row.id, fold, bound)
    }

    /// True if there is a snapshot of this fold at the event.
    pub fn has_snapshot(&self, fold: &str, at: Seq) -> Result<bool, JournalError> {
        self.journal.has_snapshot(self.row.id, fold, at)
    }

    /// Keeps a snapshot for whoever plays the run next.
    pub fn keep_snapshot(&self, fold: &str, snapshot: &Snapshot) -> Result<(), JournalError> {
        self.journal.keep_snapshot(self.row.id, fold, snapshot)
    }
}
