//! What a study of an entry found, as values: its backtest with the attempts in words, or lines to read.
//!
//! Read in a thread of its own. Invariant: an attempt is told in the words that its diagnosis has under the
//! label in force.

use pithead_core::domain::knowledge::{Body, Entry};
use pithead_core::knowledge::backtest::{Backtest, BacktestSide};
use pithead_core::text::clean::clean_line;
use pithead_engine::journal::{EntryFilter, Journal, JournalError};
use pithead_engine::runtime;
use pithead_engine::runtime::effect::{ObservedEffect, observe_effect};
use pithead_world::ids::ExperienceId;

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub enum StudyResult {
    Lines(Vec<String>),
    Backtest(BacktestFound),
    Observed(Box<ObservedEffect>),
    Change(Box<EditFound>),
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

/// What an edit of a guardrail would change of its backtest.
#[derive(Debug, Clone, PartialEq)]
pub struct EditFound {
    /// What was held against the record; the text may have been changed since.
    pub edited_body: Body,
    /// Failures and successes, as saved and as edited.
    pub saved: [Side; 2],
    pub edited: [Side; 2],
    pub blocked_now: usize,
    pub blocked_no_more: usize,
    /// The newest of those that would be blocked now and were not, and the other way round.
    pub examples: Vec<(bool, BlockedAttempt)>,
}

/// Attempts of each sort that are told.
const EXAMPLES: usize = 2;

/// Holds a body that is not saved against all attempts, beside the saved one.
pub(crate) fn change(journal: &Journal, edited: &Entry) -> Result<StudyResult, JournalError> {
    let base = journal.knowledge(EntryFilter::default())?;
    let saved = base.iter().find(|entry| entry.id == edited.id);
    let (Some(Body::Guardrail(before)), Body::Guardrail(after)) =
        (saved.map(|entry| &entry.body), &edited.body)
    else {
        let line = "only guardrails are held against attempts".to_owned();
        return Ok(StudyResult::Lines(vec![line]));
    };
    let found = runtime::backtest_change(journal, before, after)?;
    let mut examples = Vec::new();
    for (is_now, ids) in [(true, &found.blocked_now), (false, &found.blocked_no_more)] {
        for id in ids.iter().take(EXAMPLES) {
            examples.extend(told(journal, *id)?.map(|attempt| (is_now, attempt)));
        }
    }
    let sides = |of: &Backtest| [side(&of.failures), side(&of.successes)];
    Ok(StudyResult::Change(Box::new(EditFound {
        edited_body: edited.body.clone(),
        saved: sides(&found.saved),
        edited: sides(&found.edited),
        blocked_now: found.blocked_now.len(),
        blocked_no_more: found.blocked_no_more.len(),
        examples,
    })))
}

fn side(of: &BacktestSide) -> Side {
    Side {
        all: of.attempts,
        blocked: of.blocked,
        unknown: of.unknown,
    }
}

/// Holds an entry against what is recorded: a guardrail against the attempts, others against the runs.
pub(crate) fn backtest(journal: &Journal, entry: &Entry) -> Result<StudyResult, JournalError> {
    let Body::Guardrail(rail) = &entry.body else {
        return Ok(StudyResult::Observed(Box::new(observe_effect(
            journal, entry,
        )?)));
    };
    let found = runtime::backtest(journal, rail)?.listed();
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
