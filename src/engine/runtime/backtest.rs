//! Backtests: all recorded attempts held against a guardrail, in as many parts as there are cores.
//!
//! Each part has a connection of its own. Invariant: the same as in one part.

use crate::journal::{Journal, JournalError};
use pithead_core::domain::knowledge::hindsight::Blocked;
use pithead_core::domain::knowledge::{Body, Guardrail};
use pithead_core::knowledge::backtest::Backtest;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::ops::Range;

/// What the guardrail would have done to every attempt in the journal, as it is now.
pub fn backtest(journal: &Journal, guardrail: &Guardrail) -> Result<Backtest, JournalError> {
    let end = journal.attempts_end()?;
    let cores = rayon::current_num_threads() as u64;
    let share = end.div_ceil(cores).max(1);
    let parts = (0..cores).map(|n| n * share..((n + 1) * share).min(end));
    let parts: Vec<(Journal, Range<u64>)> = parts
        .filter(|rows| !rows.is_empty())
        .map(|rows| Ok((journal.reader()?, rows)))
        .collect::<Result<_, JournalError>>()?;
    let done: Vec<Backtest> = parts
        .into_par_iter()
        .map(|(journal, rows)| part(&journal, guardrail, rows))
        .collect::<Result<_, _>>()?;
    let mut whole = Backtest::default();
    done.into_iter().for_each(|part| whole.join(part));
    Ok(whole)
}

/// Attempts that are looked at when an entry is admitted: enough to say which way the past points, in milliseconds.
const RECENT: u64 = 5_000;

/// What an entry would have blocked of the latest attempts; nothing if it is no guardrail.
pub(super) fn blocked_before(journal: &Journal, body: &Body) -> Result<Blocked, JournalError> {
    let Body::Guardrail(guardrail) = body else {
        return Ok(Blocked::default());
    };
    let end = journal.attempts_end()?;
    let Backtest {
        failures,
        successes,
        ..
    } = part(journal, guardrail, end.saturating_sub(RECENT)..end)?;
    Ok(Blocked {
        failures: failures.blocked,
        successes: successes.blocked,
    })
}

fn part(
    journal: &Journal,
    guardrail: &Guardrail,
    rows: Range<u64>,
) -> Result<Backtest, JournalError> {
    let mut part = Backtest::default();
    for attempt in journal.hindsight(guardrail, rows)? {
        part.take(attempt.id, attempt.success, attempt.forbidden);
    }
    Ok(part)
}
