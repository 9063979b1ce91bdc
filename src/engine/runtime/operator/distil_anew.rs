//! Distilling anew: what becomes of a guardrail when a label that it rests on is overruled.
//!
//! What remains of its evidence is read once more by the program. Invariant: the entry's history says what became of
//! it and why; an entry that only a person or a model can judge is left to be reviewed.

use super::curate::{change_base, find_entry};
use super::{Operator, OperatorError};
use crate::journal::{Doubt, Journal, JournalError};
use crate::mind::builtin::Builtin;
use crate::mind::spec::MindSpec;
use pithead_core::domain::experience::Experience;
use pithead_core::domain::knowledge::{Body, Entry, Guardrail, Status};
use pithead_core::domain::mind::ask::DiagnoseAsk;
use pithead_core::domain::mind::evidence::FailedAttempt;
use pithead_core::domain::run::event::{Event, RunConfig};
use pithead_core::knowledge::contradiction::is_contradicted;
use pithead_core::knowledge::life::{self, ChangeRequest};
use pithead_core::text::numbers::count_with_noun;
use pithead_world::ids::{KnowledgeId, RunId, Seq};
use serde::Serialize;

/// What became of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Became {
    /// Nothing that it says is left of its evidence.
    Withdrawn,
    /// What is left says something else.
    Changed,
    /// What is left says the same.
    Confirmed,
}

impl Became {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Withdrawn => "withdrawn",
            Self::Changed => "changed",
            Self::Confirmed => "confirmed",
        }
    }
}

/// An entry that was distilled anew; the JSON form is stable.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DistilledAnew {
    pub entry: KnowledgeId,
    pub title: String,
    pub became: Became,
    pub because: String,
}

/// Distils the entry in doubt from what remains; none if only a person can judge it.
pub(super) fn distil_anew(
    operator: &Operator,
    doubt: &Doubt,
) -> Result<Option<DistilledAnew>, OperatorError> {
    let journal = operator.look_journal()?;
    let mut done = None;
    change_base(operator, |base| {
        let entry = find_entry(base, doubt.entry)?;
        let Some((became, body)) = judged(&journal, entry)? else {
            return Ok(Vec::new());
        };
        let left = count_with_noun(supporting(&journal, entry)?.len(), "attempt", "attempts");
        let overruled = &doubt.overruled;
        let because = format!(
            "{} of run {} is {} and not {} ({}: {}); {left} left",
            overruled.attempt,
            overruled.run,
            overruled.label.name(),
            overruled.was.name(),
            overruled.by,
            overruled.reason,
        );
        done = Some(DistilledAnew {
            entry: entry.id,
            title: entry.title.clone(),
            became,
            because: because.clone(),
        });
        let wish = ChangeRequest {
            by: operator.name.clone(),
            reason: format!("distilled anew: {because}"),
        };
        let events = match became {
            Became::Withdrawn => life::retire(entry, &wish),
            Became::Changed | Became::Confirmed => Ok(vec![wish.edited(entry.id, body)]),
        };
        events.map_err(|because| OperatorError::Refused { because })
    })?;
    Ok(done)
}

/// What is left of the entry; none if it is over, is no guardrail, or was drawn by a model.
fn judged(journal: &Journal, entry: &Entry) -> Result<Option<(Became, Body)>, JournalError> {
    let Body::Guardrail(old) = &entry.body else {
        return Ok(None);
    };
    if !matches!(entry.status, Status::Active | Status::Proposed) {
        return Ok(None);
    }
    let left = supporting(journal, entry)?;
    let Some(last) = left.last() else {
        return Ok(Some((Became::Withdrawn, entry.body.clone())));
    };
    let Some(config) = config_of(journal, last.id.run)? else {
        return Ok(None);
    };
    let Ok(MindSpec::Builtin(level)) = config.mind.parse() else {
        return Ok(None);
    };
    let mind = Builtin::new(level, config.world.seed);
    let lesson = mind.lesson(&diagnose_ask(&config, last, &left));
    if lesson.is_guess {
        // What bore it out were successes, and their labels stand.
        return Ok(Some((Became::Confirmed, entry.body.clone())));
    }
    let evidence: Vec<FailedAttempt> = left.iter().map(failed_attempt).collect();
    let is_knowledge =
        |new: &Guardrail| new.forbid.region.is_none() && !is_contradicted(new, evidence.iter());
    Ok(Some(match lesson.constraint.filter(is_knowledge) {
        None => (Became::Withdrawn, entry.body.clone()),
        Some(new) => {
            let (new, old) = (Body::Guardrail(new), Body::Guardrail(old.clone()));
            if new.signature() == old.signature() {
                (Became::Confirmed, old)
            } else {
                (Became::Changed, new)
            }
        }
    }))
}

/// The attempts that the entry rests on and whose label in force is the one that it was learnt from, oldest first.
fn supporting(journal: &Journal, entry: &Entry) -> Result<Vec<Experience>, JournalError> {
    let Body::Guardrail(guardrail) = &entry.body else {
        return Ok(Vec::new());
    };
    let mut ids = entry.provenance.experiences.clone();
    ids.sort_unstable();
    let mut left = Vec::new();
    for id in ids {
        // An attempt of a deleted run says nothing any more.
        let Some(document) = journal.document(id)? else {
            continue;
        };
        if document.experience.diagnosis.reason == Some(guardrail.reason) {
            left.push(document.experience);
        }
    }
    Ok(left)
}

fn config_of(journal: &Journal, run: RunId) -> Result<Option<Box<RunConfig>>, JournalError> {
    let first = journal.events(run, Seq(0), 1)?.into_iter().next();
    Ok(first.and_then(|fact| match fact.event {
        Event::RunStarted { config } => Some(config),
        _ => None,
    }))
}

fn diagnose_ask(config: &RunConfig, last: &Experience, left: &[Experience]) -> DiagnoseAsk {
    DiagnoseAsk {
        around: None,
        task: config.task.clone(),
        state: last.post.clone(),
        subgoal: last.action.clone(),
        attempts: left.iter().map(failed_attempt).collect(),
        knowledge: Vec::new(),
        done: Vec::new(),
        lessons: Vec::new(),
        faults: Vec::new(),
    }
}

fn failed_attempt(e: &Experience) -> FailedAttempt {
    FailedAttempt {
        suggestion: None,
        attempt: e.attempt,
        run: Some(e.id.run),
        pre: e.pre.clone(),
        diagnosis: e.diagnosis.clone(),
    }
}
