//! Decisions: which questions of all runs are open, and what was decided, read on from where it was.
//!
//! Only the few events about decisions are read, and of each run only what is new. Invariant: an
//! answered question is never open again, and what a fork has copied is told once.

use pithead_core::domain::knowledge::{Author, Status};
use pithead_core::domain::run::decision::{Question, Subject, Verdict};
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_engine::journal::{Journal, JournalError, KNOWLEDGE_LOG, RunRow};
use pithead_world::clock::Millis;
use pithead_world::ids::{DecisionId, KnowledgeId, RunId, Seq};
use std::collections::BTreeMap;

/// Events of decisions, by their stored names.
const KINDS: [&str; 4] = [
    "decision.asked",
    "decision.made",
    "decision.held",
    "decision.released",
];
/// What the knowledge log holds.
const DESK_KINDS: [&str; 1] = ["knowledge.moved"];
/// Events read in one go.
const PAGE: usize = 1000;
/// Decisions kept for each run, and of all runs.
const PAST_OF_RUN_MAX: usize = 200;
const PAST_MAX: usize = 1000;

/// An open question of some run.
#[derive(Debug, Clone, PartialEq)]
pub struct AskedQuestion {
    pub run: RunId,
    pub question: Question,
}

/// What was decided about what.
#[derive(Debug, Clone, PartialEq)]
pub struct PastDecision {
    pub run: RunId,
    pub seq: Seq,
    pub at: Millis,
    pub about: DecidedSubject,
    /// `approved`, `vetoed`, `retired`, ….
    pub word: &'static str,
    pub reason: Option<String>,
    pub by: String,
}

/// What a decision was about.
#[derive(Debug, Clone, PartialEq)]
pub enum DecidedSubject {
    /// A question at a gate.
    Gate(Question),
    /// An entry, outside a gate.
    Log(KnowledgeId),
}

impl DecidedSubject {
    /// The entry that it was about, if it was about one.
    #[must_use]
    pub fn entry(&self) -> Option<KnowledgeId> {
        match self {
            Self::Log(id) => Some(*id),
            Self::Gate(question) => match question.subject {
                Subject::Knowledge(id) => Some(id),
                Subject::Plan(_)
                | Subject::Risk { .. }
                | Subject::End { .. }
                | Subject::Budget { .. } => None,
            },
        }
    }
}

/// All of it: what is open, the oldest first, and what was decided, the newest first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Decisions {
    pub open: Vec<AskedQuestion>,
    pub past: Vec<PastDecision>,
}

impl Decisions {
    /// The open question about an entry.
    #[must_use]
    pub fn about(&self, entry: KnowledgeId) -> Option<&AskedQuestion> {
        let subject = Subject::Knowledge(entry);
        self.open
            .iter()
            .find(|asked| asked.run == entry.run && asked.question.subject == subject)
    }

    #[must_use]
    pub fn asked(&self, run: RunId, id: DecisionId) -> Option<&AskedQuestion> {
        let is = |asked: &&AskedQuestion| asked.run == run && asked.question.id == id;
        self.open.iter().find(is)
    }

    #[must_use]
    pub fn past(&self, run: RunId, seq: Seq) -> Option<&PastDecision> {
        self.past
            .iter()
            .find(|past| (past.run, past.seq) == (run, seq))
    }
}

/// What is known of one run.
#[derive(Debug, Default)]
struct Book {
    read: Seq,
    open: Vec<Question>,
    past: Vec<PastDecision>,
}

/// What is known of all runs.
#[derive(Debug, Default)]
pub struct DecisionReader {
    books: BTreeMap<RunId, Book>,
}

impl DecisionReader {
    /// Reads what is new in these runs and in the knowledge log.
    pub fn read(&mut self, journal: &Journal, runs: &[RunRow]) -> Result<Decisions, JournalError> {
        self.books
            .retain(|run, _| *run == KNOWLEDGE_LOG || runs.iter().any(|row| row.id == *run));
        self.books.entry(KNOWLEDGE_LOG).or_default().read(
            journal,
            KNOWLEDGE_LOG,
            &DESK_KINDS,
            None,
        )?;
        for row in runs {
            let book = self.books.entry(row.id).or_default();
            if let Some(origin) = row.origin.filter(|_| book.read == Seq(0)) {
                // Questions of the copied past were asked before; what was decided is told there.
                book.read(journal, row.id, &KINDS, Some(origin.1))?;
                book.past.clear();
            }
            if book.read.0 < row.events {
                book.read(journal, row.id, &KINDS, None)?;
                book.read = book.read.max(Seq(row.events));
            }
        }
        Ok(self.decisions_of(runs))
    }

    fn decisions_of(&self, runs: &[RunRow]) -> Decisions {
        let mut told = Decisions::default();
        for (run, book) in &self.books {
            let row = runs.iter().find(|row| row.id == *run);
            let is_over = row.is_some_and(|row| row.outcome.is_some());
            let open = book.open.iter();
            // A run that has ended waits for nothing; what it has learnt still does.
            let open = open.filter(|question| !(is_over && question.kind.blocks_run()));
            told.open
                .extend(open.cloned().map(|question| AskedQuestion {
                    run: *run,
                    question,
                }));
            told.past.extend(book.past.iter().cloned());
        }
        told.open.sort_by_key(|asked| asked.question.asked);
        told.past
            .sort_by_key(|past| std::cmp::Reverse((past.at, past.run, past.seq)));
        told.past.truncate(PAST_MAX);
        told
    }
}

impl Book {
    fn read(
        &mut self,
        journal: &Journal,
        run: RunId,
        kinds: &[&str],
        last: Option<Seq>,
    ) -> Result<(), JournalError> {
        loop {
            let facts = journal.events_of_kinds(run, self.read, kinds, PAGE)?;
            let is_end = facts.len() < PAGE;
            for fact in facts {
                if last.is_some_and(|last| fact.seq > last) {
                    return Ok(());
                }
                self.read = fact.seq;
                self.take(run, fact);
            }
            if is_end {
                return Ok(());
            }
        }
    }

    fn take(&mut self, run: RunId, fact: Recorded) {
        let (seq, at) = (fact.seq, fact.at);
        match fact.event {
            Event::DecisionAsked { question } => self.open.push(question),
            Event::DecisionMade {
                decision,
                verdict,
                by,
            } => {
                let found = self.open.iter().position(|open| open.id == decision);
                let Some(found) = found else { return };
                let (word, reason) = word(verdict);
                self.keep(PastDecision {
                    run,
                    seq,
                    at,
                    about: DecidedSubject::Gate(self.open[found].clone()),
                    word,
                    reason,
                    by: by.to_string(),
                });
                self.open.remove(found);
            }
            Event::DecisionHeld { decision, by } => {
                let mut open = self.open.iter_mut();
                if let Some(question) = open.find(|open| open.id == decision) {
                    question.hold(&by);
                }
            }
            Event::DecisionReleased {
                decision, deadline, ..
            } => {
                let mut open = self.open.iter_mut();
                if let Some(question) = open.find(|open| open.id == decision) {
                    question.release(deadline);
                }
            }
            Event::KnowledgeMoved {
                id,
                to,
                reason,
                by,
                other,
            } => {
                let is_kept = other.is_some() && to != Status::Superseded;
                // What acts becomes a proposal in two steps at one moment; that is one decision.
                let is_second = self.past.last().is_some_and(|last| {
                    let is_same = last.about.entry() == Some(id) && last.at == at;
                    is_same && last.word == Status::Retired.name() && to == Status::Proposed
                });
                if is_second {
                    self.past.pop();
                }
                let by = match by {
                    Author::Operator(name) => name,
                    other => other.to_string(),
                };
                self.keep(PastDecision {
                    run,
                    seq,
                    at,
                    about: DecidedSubject::Log(id),
                    word: if is_kept { KEPT } else { to.name() },
                    reason: Some(reason).filter(|reason| !reason.is_empty()),
                    by,
                });
            }
            _ => (), // only the kinds above were asked for
        }
    }

    fn keep(&mut self, past: PastDecision) {
        if self.past.len() >= PAST_OF_RUN_MAX {
            self.past.remove(0);
        }
        self.past.push(past);
    }
}

/// Two entries were let stand beside each other.
pub const KEPT: &str = "kept both";

fn word(verdict: Verdict) -> (&'static str, Option<String>) {
    match verdict {
        Verdict::Approve => ("approved", None),
        Verdict::EditPlan(_) | Verdict::EditKnowledge(_) => ("edited", None),
        Verdict::Veto { reason } => ("vetoed", Some(reason)),
    }
}
