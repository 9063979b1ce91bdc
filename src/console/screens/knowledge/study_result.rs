//! What a study of an entry found, as values: its backtest with the attempts in words, or lines to read.
//!
//! Read in a thread of its own. Invariant: an attempt is told in the words that its diagnosis has under the
//! label in force.

use pithead_core::domain::knowledge::{Body, Entry};
use pithead_core::knowledge::backtest::BacktestSide;
use pithead_core::text::clean::clean_line;
use pithead_engine::journal::{Journal, JournalError};
use pithead_engine::runtime;
use pithead_engine::runtime::effect::{ObservedEffect, observe_effect};
use pithead_world::ids::ExperienceId;

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub enum StudyResult {
    Lines(Vec<String>),
    Backtest(BacktestFound),
    Observed(Box<ObservedEffect>),
}

/// What a guardrail would have blocked of all recorded attempts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BacktestFound {
    pub failures: Side,
    pub successes: Side,
    /// The failures first, each the newest first; the counts are of all.
    pub attempts: Vec<BlockedAttempt>,
}

/// The failed attempts, or those that succeeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Side {
    pub all: u64,
    pub blocked: u64,
    /// Of these it is unknown.
    pub unknown: u64,
}

/// An attempt that would have been blocked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockedAttempt {
    pub id: ExperienceId,
    pub succeeded: bool,
    /// The label of its failure.
    pub label: Option<&'static str>,
    /// Its step.
    pub step: String,
    /// What happened, as its diagnosis says.
    pub happened: String,
}

/// Holds an entry against what is recorded: a guardrail against the attempts, others against the runs.
pub(crate) fn backtest(journal: &Journal, entry: &Entry) -> Result<StudyResult, JournalError> {
    let Body::Guardrail(rail) = &entry.body else {
        return Ok(StudyResult::Observed(Box::new(observe_effect(
            journal, entry,
        )?)));
    };
    let found = runtime::backtest(journal, rail)?.listed();
    let side = |side: &BacktestSide| Side {
        all: side.attempts,
        blocked: side.blocked,
        unknown: side.unknown,
    };
    let blocked = [&found.failures, &found.successes].map(|side| &side.blocked_attempts);
    let mut attempts = Vec::new();
    for id in blocked.into_iter().flatten() {
        attempts.extend(told(journal, *id)?);
    }
    Ok(StudyResult::Backtest(BacktestFound {
        failures: side(&found.failures),
        successes: side(&found.successes),
        attempts,
    }))
}

fn told(journal: &Journal, id: ExperienceId) -> Result<Option<BlockedAttempt>, JournalError> {
    let document = journal.document(id)?;
    Ok(document.map(|document| {
        let experience = document.experience;
        BlockedAttempt {
            id,
            succeeded: experience.diagnosis.success,
            label: experience.failure_reason().map(|reason| reason.name()),
            step: clean_line(&experience.action.label()),
            happened: clean_line(&experience.diagnosis.summary),
        }
    }))
}
