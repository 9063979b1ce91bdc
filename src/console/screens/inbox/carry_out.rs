//! Carries out what is decided on the lists of the inbox through the operator module, and says what came of it.
//!
//! Invariant: "approved" is said only after the journal holds the answer; each entry is answered by
//! itself, so that one that is refused keeps no other back.

use crate::effect::{GateRule, InboxAction, Reach};
use pithead_core::domain::run::decision::Verdict;
use pithead_core::domain::run::triage::{TriageAct, TriageSubject};
use pithead_engine::journal::KNOWLEDGE_LOG;
use pithead_engine::runtime::operator::Operator;
use pithead_engine::runtime::operator::answer::answer_entry;
use pithead_engine::runtime::operator::curate::{Curation, EntryChange, OnErrors, change_entry};
use pithead_engine::runtime::operator::rules::{remove_rule, save_rule, set_run_policy};
use pithead_engine::runtime::operator::triage::triage;
use pithead_world::ids::KnowledgeId;
use std::path::Path;

/// Carries an act out; what has come of it in words.
pub fn carry_out(
    act: InboxAction,
    operator: &Operator,
    file: Option<&Path>,
) -> Result<String, String> {
    match act {
        InboxAction::Answer { ids, verdict } => answer_all(operator, &ids, &verdict),
        InboxAction::TakeBack(id) => {
            let wanted = entry_change(id, Curation::TakeBack, "taken back");
            let done = change_entry(operator, &wanted).map_err(|error| error.to_string())?;
            Ok(format!("{id} is {}", done.entry.status.name()))
        }
        InboxAction::Save(ruling) => save(operator, ruling, file),
        InboxAction::Forget(kind) => {
            let file = file.ok_or("this console keeps no rules")?;
            remove_rule(file, kind).map_err(|error| error.to_string())?;
            Ok(format!("the rule about {} is removed", kind.name()))
        }
        InboxAction::Triage { subjects, order } => {
            let act = order.act(operator.clock.now());
            triage_all(operator, &subjects, &act)
        }
        InboxAction::Open { run, decision } => {
            Err(format!("{decision} of run {run} is not on this screen"))
        }
    }
}

/// Each by itself; what was refused is told with its reason.
fn triage_all(
    operator: &Operator,
    subjects: &[TriageSubject],
    act: &TriageAct,
) -> Result<String, String> {
    let (mut kept, mut faults) = (Vec::new(), Vec::new());
    for subject in subjects {
        match triage(operator, *subject, act.clone()) {
            Ok(act) => kept.push(format!("{subject}: {act}")),
            Err(error) => faults.push(format!("{subject}: {error}")),
        }
    }
    match (&faults[..], &kept[..]) {
        ([], [one]) => Ok(one.clone()),
        ([], many) => Ok(format!("{act} for {} rows", many.len())),
        (faults, _) => Err(faults.join("; ")),
    }
}

/// Each by itself; what was refused is told with its reason.
fn answer_all(
    operator: &Operator,
    ids: &[KnowledgeId],
    verdict: &Verdict,
) -> Result<String, String> {
    let mut faults = Vec::new();
    for id in ids {
        let wanted = match verdict {
            Verdict::Approve => entry_change(*id, Curation::Approve, "approved"),
            Verdict::EditKnowledge(body) => {
                let change = Curation::EditAndApprove(Box::new(body.clone()));
                entry_change(*id, change, "edited and approved")
            }
            Verdict::Veto { reason } => entry_change(*id, Curation::Veto, reason),
            Verdict::EditPlan(_) => return Err(format!("{id} is no plan")),
        };
        if let Err(error) = answer_entry(operator, &wanted) {
            faults.push(format!("{id}: {error}"));
        }
    }
    match (&faults[..], ids) {
        ([], [id]) => Ok(format!("{id} {verdict}; z undoes it")),
        ([], _) => Ok(format!(
            "{} {verdict}; z undoes the last, h in the inbox shows all",
            ids.len()
        )),
        ([first, ..], _) => Err(format!(
            "{} of {} were not answered; {first}",
            faults.len(),
            ids.len()
        )),
    }
}

fn entry_change(id: KnowledgeId, change: Curation, reason: &str) -> EntryChange {
    EntryChange {
        id,
        change,
        reason: reason.to_owned(),
        on_errors: OnErrors::Refuse,
    }
}

fn save(operator: &Operator, ruling: GateRule, file: Option<&Path>) -> Result<String, String> {
    let (name, policy) = (ruling.kind.name(), ruling.policy);
    let mut saved = String::new();
    if ruling.reach == Reach::Always {
        let file = file.ok_or("this console keeps no rules")?;
        save_rule(file, ruling.kind, ruling.policy).map_err(|error| error.to_string())?;
        saved = format!("saved: {name} = {policy}; ");
    }
    if ruling.run == KNOWLEDGE_LOG {
        return Ok(saved.trim_end_matches("; ").to_owned());
    }
    match set_run_policy(operator, ruling.run, (ruling.kind, ruling.policy)) {
        Ok(()) => Ok(format!("{saved}run {} has {name} = {policy}", ruling.run)),
        // What was saved holds all the same.
        Err(error) if !saved.is_empty() => Ok(format!("{saved}run {}: {error}", ruling.run)),
        Err(error) => Err(error.to_string()),
    }
}
