//! Backtests: all recorded attempts held against a guardrail, in as many parts as there are cores.
//!
//! Each part has a connection of its own. Invariant: the same as in one part.

use crate::journal::{Journal, JournalError, JudgedAttempt};
use pithead_core::domain::knowledge::hindsight::Blocked;
use pithead_core::domain::knowledge::{Body, Guardrail, Rule};
use pithead_core::knowledge::backtest::Backtest;
use pithead_core::knowledge::rule_scores::{as_guardrails, is_lack};
use pithead_world::ids::ExperienceId;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::Serialize;
use std::collections::BTreeSet;
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

/// Two versions of a guardrail held against the same attempts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct BacktestChange {
    pub saved: Backtest,
    pub edited: Backtest,
    /// What the edited version would block and the saved one would not, the newest first.
    pub blocked_now: Vec<ExperienceId>,
    /// What the saved version would block and the edited one would not, the newest first.
    pub blocked_no_more: Vec<ExperienceId>,
}

/// What an edit of a guardrail would change, over all attempts in the journal.
pub fn backtest_change(
    journal: &Journal,
    saved: &Guardrail,
    edited: &Guardrail,
) -> Result<BacktestChange, JournalError> {
    let (saved, edited) = (backtest(journal, saved)?, backtest(journal, edited)?);
    let blocked = |of: &Backtest| -> BTreeSet<ExperienceId> {
        let sides = [&of.failures, &of.successes];
        sides
            .into_iter()
            .flat_map(|side| side.blocked_attempts.iter().copied())
            .collect()
    };
    let (before, after) = (blocked(&saved), blocked(&edited));
    let newest = |of: &BTreeSet<ExperienceId>, less: &BTreeSet<ExperienceId>| {
        let only = of.iter().rev().filter(|id| !less.contains(id));
        only.copied().collect()
    };
    Ok(BacktestChange {
        blocked_now: newest(&after, &before),
        blocked_no_more: newest(&before, &after),
        saved: saved.listed(),
        edited: edited.listed(),
    })
}

/// Attempts that are looked at when an entry is admitted: enough to say which way the past points, in milliseconds.
const RECENT: u64 = 5_000;

/// What an entry would have blocked of the latest attempts; nothing if it is no guardrail.
pub(super) fn blocked_before(journal: &Journal, body: &Body) -> Result<Blocked, JournalError> {
    let guardrail = match body {
        Body::Guardrail(guardrail) => guardrail,
        Body::Rule(rule) => return past_of_rule(journal, rule),
        _ => return Ok(Blocked::default()), // the others forbid no single step
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
        ..Blocked::default()
    })
}

/// What all recorded attempts at a rule's step came to, with and without what it requires. Of the failures those count
/// in which something was lacking.
fn past_of_rule(journal: &Journal, rule: &Rule) -> Result<Blocked, JournalError> {
    let rows = 0..journal.attempts_end()?;
    let count = |guardrail: &Guardrail| -> Result<(u64, u64), JournalError> {
        let attempts = journal.hindsight(guardrail, rows.clone())?;
        let about: Vec<_> = attempts.iter().filter(|a| a.forbidden.is_true()).collect();
        let failed = |a: &&&JudgedAttempt| !a.success && is_lack(a.reason);
        let failures = about.iter().filter(failed).count() as u64;
        let successes = about.iter().filter(|a| a.success).count() as u64;
        Ok((failures, successes))
    };
    let [unmet, met] = as_guardrails(rule);
    let ((failures, successes), (met_failures, met_successes)) = (count(&unmet)?, count(&met)?);
    Ok(Blocked {
        failures,
        successes,
        met_failures,
        met_successes,
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
