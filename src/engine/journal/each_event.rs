//! The events of a run one by one, read page by page: a long run does not fit into memory at once.

use super::{Journal, JournalError};
use pithead_core::domain::run::event::Recorded;
use pithead_world::ids::{RunId, Seq};
use std::ops::ControlFlow;

/// Events read at a time.
const PAGE: usize = 2_048;

impl Journal {
    /// Shows the events of a run in order, until `see` has seen enough or there are no more. Fails for a run
    /// that is not there.
    pub fn each_event<E: From<JournalError>>(
        &self,
        run: RunId,
        mut see: impl FnMut(&Recorded) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        self.last_seq(run)?;
        let mut last = Seq(0);
        loop {
            let page = self.events(run, last, PAGE)?;
            let Some(end) = page.last() else {
                return Ok(());
            };
            last = end.seq;
            for fact in &page {
                if see(fact)?.is_break() {
                    return Ok(());
                }
            }
        }
    }
}
