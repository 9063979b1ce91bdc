//! The index of a run: its attempts, plans and questions to the mind, found once and then kept up.
//!
//! Made from the few events that begin and end something; the frames between them are never read.
//! Invariant: reading on from an index gives the index of the whole.

use crate::journal::{Journal, JournalError};
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::knowledge::EntryUse;
use pithead_core::domain::mind::role::MindRole;
use pithead_core::domain::plan::{Plan, Subgoal};
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_world::ids::{AttemptId, CallId, KnowledgeId, Revision, RunId, Seq, SubgoalId};
use std::collections::BTreeSet;

/// The kinds of events that it is made of.
/// Only these are read from the database; a run has many times more frames.
const KINDS: [&str; 11] = [
    "plan.proposed",
    "plan.adopted",
    "attempt.started",
    "attempt.ended",
    "label.overruled",
    "mind.asked",
    "mind.answered",
    "mind.failed",
    "mind.rejected",
    "knowledge.used",
    "run.ended",
];
/// Events read in one go.
const PAGE: usize = 512;
/// Plans that are kept; forks and words of the oldest need none.
/// A bound on memory.
const PLANS_MAX: usize = 64;

/// One attempt.
#[derive(Debug, Clone, PartialEq)]
pub struct AttemptRow {
    pub id: AttemptId,
    pub subgoal: SubgoalId,
    /// For example `mine iron_ore ×3`.
    pub words: String,
    pub revision: Option<Revision>,
    /// Its first and its last event.
    pub from: Seq,
    pub to: Option<Seq>,
    pub from_tick: Option<u64>,
    pub to_tick: Option<u64>,
    pub success: Option<bool>,
    /// In words, if its label is no failure: it was called off, or was an operator's own act.
    pub no_failure: Option<&'static str>,
    /// The label as it stands.
    pub label: Option<FailureReason>,
    pub confidence: f64,
    pub overruled: bool,
}

/// One question to the mind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskRow {
    pub seq: Seq,
    pub call: CallId,
    pub role: MindRole,
    pub fate: Fate,
}

/// What came of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Open,
    Answered,
    /// Answered, and the answer could not be read.
    Rejected,
    Failed,
}

/// All of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Index {
    pub run: Option<RunId>,
    pub attempts: Vec<AttemptRow>,
    pub asks: Vec<AskRow>,
    /// Plans by the event that put them in force.
    pub plans: Vec<(Seq, Plan)>,
    /// Entries that were shown, matched or blocked.
    pub used: BTreeSet<KnowledgeId>,
    pub ended: bool,
    /// The last event looked at.
    last: Seq,
    proposed: Option<(Revision, Plan)>,
    revision: Option<Revision>,
}

impl Index {
    #[must_use]
    pub fn of_run(run: RunId) -> Self {
        Self {
            run: Some(run),
            ..Self::default()
        }
    }

    /// Takes in what has come since; true if anything has.
    pub fn read_on(&mut self, journal: &Journal) -> Result<bool, JournalError> {
        let Some(run) = self.run else {
            return Ok(false);
        };
        let end = journal.last_seq(run)?;
        let mut came = false;
        loop {
            let page = journal.events_of_kinds(run, self.last, &KINDS, PAGE)?;
            let Some(last) = page.last() else {
                // What lies between is of other kinds, and is not looked at again.
                // So a run that only adds frames costs one look at its end.
                self.last = end.max(self.last);
                return Ok(came);
            };
            came = true;
            self.last = last.seq;
            page.iter().for_each(|fact| self.apply(fact));
        }
    }

    fn apply(&mut self, fact: &Recorded) {
        match &fact.event {
            Event::PlanProposed { revision, plan, .. } => {
                self.proposed = Some((*revision, plan.clone()));
            }
            Event::PlanAdopted { .. } => {
                if let Some((revision, plan)) = self.proposed.take() {
                    self.revision = Some(revision);
                    if self.plans.len() == PLANS_MAX {
                        self.plans.remove(0);
                    }
                    self.plans.push((fact.seq, plan));
                }
            }
            Event::AttemptStarted { attempt, subgoal } => self.started(fact, *attempt, *subgoal),
            Event::AttemptEnded { .. } | Event::LabelOverruled { .. } => self.judged(fact),
            Event::MindAsked { call, ask } => self.asks.push(AskRow {
                // Open until an event about its call comes.
                seq: fact.seq,
                call: *call,
                role: ask.role(),
                fate: Fate::Open,
            }),
            Event::MindAnswered { call, .. } => self.fate(*call, Fate::Answered),
            Event::MindFailed { call, .. } => self.fate(*call, Fate::Failed),
            Event::AnswerRejected { call, .. } => self.fate(*call, Fate::Rejected),
            Event::KnowledgeUsed { id, how, .. } if *how != EntryUse::Retrieved => {
                self.used.insert(*id);
            }
            Event::RunEnded { .. } => self.ended = true,
            _ => (), // no other kind is asked for
        }
    }

    fn fate(&mut self, call: CallId, fate: Fate) {
        // From the end: the newest question of that number.
        let asked = self.asks.iter_mut().rev().find(|ask| ask.call == call);
        if let Some(ask) = asked {
            ask.fate = fate;
        }
    }

    fn started(&mut self, fact: &Recorded, attempt: AttemptId, subgoal: SubgoalId) {
        let plan = self.plans.last().and_then(|(_, plan)| plan.get(subgoal));
        self.attempts.push(AttemptRow {
            id: attempt,
            subgoal,
            words: plan.map_or_else(|| subgoal.to_string(), Subgoal::label),
            revision: self.revision,
            from: fact.seq,
            to: None,
            from_tick: None,
            to_tick: None,
            success: None,
            label: None,
            no_failure: None,
            confidence: 0.0,
            overruled: false,
        });
    }

    fn judged(&mut self, fact: &Recorded) {
        let (Event::AttemptEnded { attempt: id, .. } | Event::LabelOverruled { attempt: id, .. }) =
            &fact.event
        else {
            return;
        };
        let row = self.attempts.iter_mut().rev().find(|row| row.id == *id);
        match (row, &fact.event) {
            (Some(row), Event::AttemptEnded { experience, .. }) => {
                let diagnosis = &experience.diagnosis;
                row.to = Some(fact.seq);
                row.words = experience.action.label();
                (row.from_tick, row.to_tick) =
                    (Some(experience.pre.tick), Some(experience.post.tick));
                (row.success, row.label) = (Some(diagnosis.success), diagnosis.reason);
                row.confidence = diagnosis.confidence;
                row.no_failure = experience.no_failure();
            }
            (Some(row), Event::LabelOverruled { label, .. }) => {
                (row.label, row.overruled, row.confidence) = (Some(*label), true, 1.0);
            }
            _ => (), // an attempt that never began
        }
    }

    #[must_use]
    pub fn attempt(&self, id: AttemptId) -> Option<&AttemptRow> {
        self.attempts.iter().find(|row| row.id == id)
    }

    /// The questions from the last that asked for a plan, or from the end of the attempt before, to the
    /// beginning of the one after: those that led to it and those that follow from it.
    #[must_use]
    pub fn asks_about(&self, id: AttemptId) -> &[AskRow] {
        let Some(at) = self.attempts.iter().position(|row| row.id == id) else {
            return &[];
        };
        let before = at.checked_sub(1).map(|before| &self.attempts[before]);
        let from = before.map_or(Seq(0), |row| row.to.unwrap_or(row.from));
        let until = self.attempts.get(at + 1).map(|row| row.from);
        let between = self.asks.partition_point(|ask| ask.seq <= from);
        // The plan that it is part of came from an earlier question, if not from one of these.
        let planned = self
            .asks
            .partition_point(|ask| ask.seq < self.attempts[at].from);
        let planned = self.asks[..planned]
            .iter()
            .rposition(|ask| ask.role == MindRole::Planner);
        let first = between.min(planned.unwrap_or(between));
        let last = self
            .asks
            .partition_point(|ask| until.is_none_or(|until| ask.seq < until));
        self.asks.get(first..last).unwrap_or(&[])
    }

    /// The plan in force at an event.
    #[must_use]
    pub fn plan_at(&self, seq: Seq) -> Option<&Plan> {
        let upto = self.plans.partition_point(|(since, _)| *since <= seq);
        self.plans.get(upto.checked_sub(1)?).map(|(_, plan)| plan)
    }

    /// The attempt at the same node that lies nearest: before this one if there is one.
    #[must_use]
    pub fn twin(&self, id: AttemptId) -> Option<AttemptId> {
        let own = self.attempt(id)?;
        let same = |row: &&AttemptRow| row.subgoal == own.subgoal && row.id != id;
        let mut before = self.attempts.iter().rev().filter(same);
        let before = before.find(|row| row.from < own.from);
        before
            .or_else(|| self.attempts.iter().find(|row| same(row)))
            .map(|row| row.id)
    }
}
