//! The bound on the write-ahead log: a reader that never ends keeps SQLite from beginning it anew, and it
//! would fill the disk.
//!
//! Above the bound the writer waits a moment for readers and begins the log anew. A reader that outlasts
//! the moment is asked again when the log has grown by a quarter of the bound.

use super::{Journal, JournalError};
use std::time::Duration;

/// Where waiting begins: four times what is carried over at once.
const LOG_BYTES_MAX: u64 = 64 << 20;
/// What stays of the file after it was begun anew.
pub(super) const LOG_BYTES_KEPT: u64 = 16 << 20;
/// Reads take some 20 ms. Other writers wait too, so whoever reads longer is not waited for.
const WAIT: Duration = Duration::from_millis(40);

/// When the log was last found too long, by its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LogBound {
    pub(super) bytes_max: u64,
    tried_at: u64,
}

impl Default for LogBound {
    fn default() -> Self {
        Self {
            bytes_max: LOG_BYTES_MAX,
            tried_at: 0,
        }
    }
}

impl LogBound {
    /// True if the log is to be begun anew now.
    fn is_reached(&mut self, bytes: u64) -> bool {
        if bytes <= self.bytes_max {
            self.tried_at = 0;
            return false;
        }
        let is_reached = bytes >= self.tried_at + self.bytes_max / 4;
        if is_reached {
            self.tried_at = bytes;
        }
        is_reached
    }
}

impl Journal {
    /// Begins a log of this length anew if it is too long and no reader hinders it.
    pub(super) fn bound_log(&mut self, bytes: u64) -> Result<(), JournalError> {
        if !self.log_bound.is_reached(bytes) {
            return Ok(());
        }
        let begun = self.begin_log_anew();
        let hindered = begun.map_err(|e| self.fault("begin the log anew", e))?;
        if hindered {
            tracing::warn!("a reader keeps the log of {bytes} bytes from being begun anew");
        }
        Ok(())
    }

    /// True if a reader hindered it.
    fn begin_log_anew(&mut self) -> rusqlite::Result<bool> {
        // Others can write while most of it is carried over.
        let carried = self
            .db
            .query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
        carried?;
        self.db.busy_timeout(WAIT)?;
        let hindered = self
            .db
            .query_row("PRAGMA wal_checkpoint(RESTART)", [], |row| row.get(0));
        super::busy::wait_for_others(&mut self.db)?;
        match hindered {
            Err(error) if is_busy(&error) => Ok(true),
            other => other,
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked};
    matches!(
        error.sqlite_error_code(),
        Some(DatabaseBusy | DatabaseLocked)
    )
}
