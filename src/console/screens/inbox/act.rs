//! Acts: decisions carried out on the disk or in the process that drives the run, and rules saved.
//!
//! An entry is answered where it is asked about: in the run that this console or another process
//! drives, in the parked run, or, where no run asks, at the desk. Invariant: each entry is answered by
//! itself, so that one that is refused keeps no other back.

use crate::screens::inbox::ledger::Decisions;
use crate::screens::inbox::{Act, Reach, Ruling, rules};
use pithead_core::domain::knowledge::Entry;
use pithead_core::domain::plan::note::Severity;
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::decision::Verdict;
use pithead_core::domain::run::event::Event;
use pithead_core::knowledge::life;
use pithead_core::knowledge::life::ChangeRequest;
use pithead_core::knowledge::lint;
use pithead_engine::journal::{DESK, Durability, Filter, Journal, JournalError, Refused};
use pithead_engine::runtime::attach::Attached;
use pithead_engine::runtime::bulk;
use pithead_engine::runtime::bulk::Deed;
use pithead_engine::runtime::tell::{Teller, tell};
use pithead_engine::runtime::{OpenError, Parked};
use pithead_world::clock::Clock;
use pithead_world::ids::{KnowledgeId, RunId};
use std::path::Path;

/// In whose name, and where.
#[derive(Debug, Clone, Copy)]
pub struct Hand<'a> {
    pub database: &'a Path,
    pub operator: &'a str,
    pub clock: &'a Clock,
}

/// Carries an act out; what has come of it in words.
pub fn carry_out(
    act: Act,
    hand: &Hand<'_>,
    file: Option<&Path>,
    decisions: &Decisions,
) -> Result<String, String> {
    match act {
        Act::Answer { ids, verdict } => answer_all(hand, &ids, &verdict, decisions),
        Act::TakeBack(id) => {
            hand.take_back(id)?;
            Ok(format!("{id} is {}", hand.entry(id)?.status.name()))
        }
        Act::Save(ruling) => save(hand, ruling, file),
        Act::Forget(kind) => {
            let file = file.ok_or("this console keeps no rules")?;
            rules::remove(file, kind)?;
            Ok(format!("the rule about {} is taken off", kind.name()))
        }
        Act::Open { run, decision } => Err(format!("{decision} of run {run} is not in sight")),
    }
}

/// Each by itself; what was refused is told with its reason.
fn answer_all(
    hand: &Hand<'_>,
    ids: &[KnowledgeId],
    verdict: &Verdict,
    decisions: &Decisions,
) -> Result<String, String> {
    let mut faults = Vec::new();
    for id in ids {
        if let Err(because) = hand.answer(*id, verdict, decisions) {
            faults.push(format!("{id}: {because}"));
        }
    }
    match (&faults[..], ids) {
        ([], [id]) => Ok(format!("{id} {verdict}; h shows it, z takes it back")),
        ([], _) => Ok(format!(
            "{} {verdict}; h shows them, z takes each back",
            ids.len()
        )),
        ([first, ..], _) => Err(format!(
            "{} of {} were not answered; {first}",
            faults.len(),
            ids.len()
        )),
    }
}

fn save(hand: &Hand<'_>, ruling: Ruling, file: Option<&Path>) -> Result<String, String> {
    let (name, policy) = (ruling.kind.name(), ruling.policy);
    let mut told = String::new();
    if ruling.reach == Reach::Always {
        let file = file.ok_or("this console keeps no rules")?;
        rules::save(file, ruling.kind, ruling.policy)?;
        told = format!("saved: {name} = {policy}; ");
    }
    if ruling.run == DESK {
        return Ok(told.trim_end_matches("; ").to_owned());
    }
    let command = Command::SetPolicy {
        kind: ruling.kind,
        policy: ruling.policy,
    };
    match hand.tell_run(ruling.run, command) {
        Ok(()) => Ok(format!("{told}run {} has {name} = {policy}", ruling.run)),
        // What was saved holds all the same.
        Err(because) if !told.is_empty() => Ok(format!("{told}run {}: {because}", ruling.run)),
        Err(because) => Err(because),
    }
}

impl Hand<'_> {
    /// To whoever drives the run, or into the run if nobody does.
    fn tell_run(&self, run: RunId, command: Command) -> Result<(), String> {
        let told = tell(&self.teller(), run, command);
        told.map(|_| ()).map_err(|error| error.to_string())
    }

    /// Ends a run, or lets one go on that its process holds.
    pub fn with_run(&self, run: RunId, deed: Deed, reason: &str) -> Result<(), String> {
        let done = bulk::carry_out(&self.teller(), run, deed, reason);
        done.map_err(|error| format!("run {run}: {error}"))
    }

    fn teller(&self) -> Teller<'_> {
        Teller {
            database: self.database,
            operator: self.operator,
            clock: self.clock,
        }
    }

    fn journal(&self) -> Result<Journal, String> {
        Journal::open(self.database, Durability::Full).map_err(|error| error.to_string())
    }

    /// Answers for one entry of a run that this console does not drive.
    pub fn answer(
        &self,
        id: KnowledgeId,
        verdict: &Verdict,
        decisions: &Decisions,
    ) -> Result<(), String> {
        if id.run == DESK {
            return self.at_desk(id, verdict);
        }
        match Parked::open(id.run, self.journal()?, self.clock.clone()) {
            Ok(mut run) => match run.question_about(id) {
                Some(decision) => {
                    let verdict = verdict.clone();
                    let command = Command::Decide { decision, verdict };
                    let told = run.tell(command, self.operator.to_owned());
                    told.map_err(|error| error.to_string())?
                }
                None => {
                    drop(run);
                    self.at_desk(id, verdict)
                }
            },
            // The base has outlived its run.
            Err(OpenError::Journal(JournalError::NoRun { .. })) => self.at_desk(id, verdict),
            Err(OpenError::Journal(JournalError::Driven { .. })) => match decisions.about(id) {
                Some(asked) => self.tell(
                    id.run,
                    Command::Decide {
                        decision: asked.question.id,
                        verdict: verdict.clone(),
                    },
                ),
                None => self.at_desk(id, verdict),
            },
            Err(error) => Err(error.to_string()),
        }
    }

    /// Gives a command to the process that drives a run.
    pub fn tell(&self, run: RunId, command: Command) -> Result<(), String> {
        let journal = Journal::look(self.database).map_err(|error| error.to_string())?;
        let guest = Attached::open(journal, run, self.operator);
        guest.map_err(|error| error.to_string())?.send(command)
    }

    /// Answers where no run asks.
    fn at_desk(&self, id: KnowledgeId, verdict: &Verdict) -> Result<(), String> {
        let wish = |reason: &str| ChangeRequest {
            by: self.operator.to_owned(),
            reason: reason.to_owned(),
        };
        self.curate(id, |entry, base| match verdict {
            Verdict::Approve => {
                let remarks = lint::lint(&entry.body, Some(id), base);
                match remarks.iter().find(|r| r.severity == Severity::Error) {
                    Some(remark) => Err(format!(
                        "{id} has errors, edit it: {}: {}",
                        remark.path, remark.message
                    )),
                    None => life::approve(entry, &wish("approved")),
                }
            }
            Verdict::EditKnowledge(body) => {
                let mut events = life::edit(entry, body, &wish("edited"))?;
                events.extend(life::approve(entry, &wish("edited and approved"))?);
                Ok(events)
            }
            Verdict::Veto { reason } => life::veto(entry, &wish(reason)),
            Verdict::EditPlan(_) => Err(format!("{id} is no plan")),
        })
    }

    /// Takes back what was decided about an entry.
    pub fn take_back(&self, id: KnowledgeId) -> Result<(), String> {
        let wish = ChangeRequest {
            by: self.operator.to_owned(),
            reason: "taken back".to_owned(),
        };
        self.curate(id, |entry, _| life::take_back(entry, &wish))
    }

    /// Changes an entry at the desk, on the base as it is at that moment.
    pub fn curate(
        &self,
        id: KnowledgeId,
        wished: impl Fn(&Entry, &[Entry]) -> Result<Vec<Event>, String>,
    ) -> Result<(), String> {
        let done = self.journal()?.curate(self.clock.now(), |base| {
            let entry = base.iter().find(|entry| entry.id == id);
            let entry = entry.ok_or_else(|| Refused(format!("{id} is not in the database")))?;
            wished(entry, base).map_err(Refused)
        });
        match done.map_err(|error| error.to_string())? {
            Ok(_) => Ok(()),
            Err(Refused(because)) => Err(because),
        }
    }

    /// An entry as it is now.
    pub fn entry(&self, id: KnowledgeId) -> Result<Entry, String> {
        let journal = Journal::look(self.database).map_err(|error| error.to_string())?;
        let base = journal.knowledge(Filter::default());
        let mut base = base.map_err(|error| error.to_string())?.into_iter();
        base.find(|entry| entry.id == id)
            .ok_or_else(|| format!("{id} is not in the database any more"))
    }
}
