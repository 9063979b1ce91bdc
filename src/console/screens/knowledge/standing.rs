//! Standing: why an entry does not act as the base is now, for its page.

use pithead_core::domain::knowledge::Entry;
use pithead_core::domain::plan::task::Task;
use pithead_core::domain::run::budget::Limits;
use pithead_core::knowledge::why::{Reason, not_active, not_given};
use pithead_world::clock::Millis;

/// Why the entry does not act now: its status, or what goes before it in a run like the one that it comes from.
#[must_use]
pub(crate) fn standing(entry: &Entry, base: &[Entry], now: Millis) -> Vec<Reason> {
    let mut reasons: Vec<Reason> = not_active(entry).into_iter().collect();
    if reasons.is_empty()
        && let Ok(task) = Task::parse(&entry.provenance.task)
    {
        let bound = Limits::default().shown_max;
        reasons.extend(not_given(entry, base, &task, now, bound));
    }
    reasons
}
