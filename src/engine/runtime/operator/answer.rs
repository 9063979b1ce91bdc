//! Answers: to the questions of runs, and about entries wherever they are asked about.
//!
//! An entry is answered once: in the run that has an open question about it, else in the knowledge
//! log. Invariant: what an answer changes in an entry is linted on every route.

use super::curate::{
    Changed, Curation, EntryChange, OnErrors, change_entry, find_entry, lint_wanted,
};
use super::distil_anew::{DistilledAnew, distil_anew};
use super::tell::{Route, send_command};
use super::{Operator, OperatorError};
use crate::journal::{Doubt, EntryFilter, Journal, JournalError, KNOWLEDGE_LOG};
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::knowledge::Status;
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::decision::{Subject, Verdict};
use pithead_core::domain::run::event::Event;
use pithead_world::ids::{AttemptId, DecisionId, KnowledgeId, RunId, Seq};

/// Events read in one go.
const PAGE: usize = 512;

/// Answers an open question of a run.
pub fn answer_question(
    operator: &Operator,
    run: RunId,
    decision: DecisionId,
    verdict: Verdict,
) -> Result<Route, OperatorError> {
    if let Verdict::EditKnowledge(body) = &verdict {
        let journal = operator.look_journal()?;
        if let Some(id) = entry_asked_about(&journal, run, decision)? {
            let base = journal.knowledge(EntryFilter::default())?;
            let change = Curation::Edit(Box::new(body.clone()));
            let wanted = EntryChange {
                id,
                change,
                reason: String::new(),
                on_errors: OnErrors::Refuse,
            };
            lint_wanted(&wanted, find_entry(&base, id)?, &base)?;
        }
    }
    send_command(operator, run, &Command::Decide { decision, verdict })
}

/// Decides about an entry: at the gate of its run if the run asks, else in the knowledge log. At a
/// gate an edit approves the entry; in the log it does what the change says.
pub fn answer_entry(operator: &Operator, wanted: &EntryChange) -> Result<Changed, OperatorError> {
    let journal = operator.look_journal()?;
    let base = journal.knowledge(EntryFilter::default())?;
    let entry = find_entry(&base, wanted.id)?;
    let asked = match entry.status {
        Status::Proposed => question_about(&journal, wanted.id)?,
        _ => None, // decided about already: another decision is a change in the log
    };
    let (Some(decision), Some(verdict)) = (asked, verdict_of(wanted)) else {
        return change_entry(operator, wanted);
    };
    let remarks = lint_wanted(wanted, entry, &base)?;
    send_command(
        operator,
        wanted.id.run,
        &Command::Decide { decision, verdict },
    )?;
    let base = operator.look_journal()?.knowledge(EntryFilter::default())?;
    Ok(Changed {
        entry: find_entry(&base, wanted.id)?.clone(),
        is_changed: true,
        remarks,
    })
}

/// What a label that was overruled comes to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Overruling {
    /// False if the label was this one before.
    pub is_changed: bool,
    /// Entries that were distilled from what remains.
    pub anew: Vec<DistilledAnew>,
    /// Entries that a person has to review.
    pub doubts: Vec<Doubt>,
}

/// Gives an attempt another label, and distils the entries that were learnt from the old one anew.
pub fn overrule_label(
    operator: &Operator,
    (run, attempt): (RunId, AttemptId),
    (label, reason): (FailureReason, &str),
) -> Result<Overruling, OperatorError> {
    // Looked for first: the same label twice writes nothing.
    let has = operator.look_journal()?.overruled(Some(run))?;
    let own = has.iter().rfind(|o| o.attempt == attempt);
    let mut overruling = Overruling {
        is_changed: own.is_none_or(|o| o.label != label),
        ..Overruling::default()
    };
    if overruling.is_changed {
        let command = Command::Overrule {
            attempt,
            label,
            reason: reason.to_owned(),
        };
        send_command(operator, run, &command)?;
    }
    // Also after a kill between the two.
    for doubt in doubts_about(&operator.look_journal()?, run, attempt)? {
        match distil_anew(operator, &doubt)? {
            Some(done) => overruling.anew.push(done),
            None => overruling.doubts.push(doubt),
        }
    }
    Ok(overruling)
}

/// The entries that rest on a label of this attempt that was overruled.
pub fn doubts_about(
    journal: &Journal,
    run: RunId,
    attempt: AttemptId,
) -> Result<Vec<Doubt>, JournalError> {
    let mut doubts = journal.in_doubt()?;
    doubts.retain(|doubt| (doubt.overruled.run, doubt.overruled.attempt) == (run, attempt));
    Ok(doubts)
}

/// The question that the entry's run has open about it.
pub fn question_about(
    journal: &Journal,
    entry: KnowledgeId,
) -> Result<Option<DecisionId>, JournalError> {
    if entry.run == KNOWLEDGE_LOG {
        return Ok(None);
    }
    let mut open = None;
    each_decision(journal, entry.run, |event| match event {
        Event::DecisionAsked { question } if question.subject == Subject::Knowledge(entry) => {
            open = Some(question.id);
        }
        Event::DecisionMade { decision, .. } if open == Some(*decision) => open = None,
        _ => (), // about something else
    })?;
    Ok(open)
}

/// The entry that a question of a run is about.
fn entry_asked_about(
    journal: &Journal,
    run: RunId,
    decision: DecisionId,
) -> Result<Option<KnowledgeId>, JournalError> {
    let mut found = None;
    each_decision(journal, run, |event| {
        if let Event::DecisionAsked { question } = event
            && question.id == decision
            && let Subject::Knowledge(id) = question.subject
        {
            found = Some(id);
        }
    })?;
    Ok(found)
}

fn each_decision(
    journal: &Journal,
    run: RunId,
    mut see: impl FnMut(&Event),
) -> Result<(), JournalError> {
    let mut seen = Seq(0);
    loop {
        let page =
            journal.events_of_kinds(run, seen, &["decision.asked", "decision.made"], PAGE)?;
        let Some(last) = page.last() else {
            return Ok(());
        };
        seen = last.seq;
        page.iter().for_each(|fact| see(&fact.event));
    }
}

/// The change as an answer at a gate; none if no gate asks about such a change.
fn verdict_of(wanted: &EntryChange) -> Option<Verdict> {
    match &wanted.change {
        Curation::Approve => Some(Verdict::Approve),
        Curation::Veto => Some(Verdict::Veto {
            reason: wanted.reason.clone(),
        }),
        Curation::Edit(body) | Curation::EditAndApprove(body) => {
            Some(Verdict::EditKnowledge((**body).clone()))
        }
        Curation::Retire
        | Curation::Restore
        | Curation::TakeBack
        | Curation::RollBack(_)
        | Curation::MergeInto(_)
        | Curation::KeepBeside(_) => None,
    }
}
