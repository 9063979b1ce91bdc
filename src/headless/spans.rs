//! Spans: what of a run took time, with its beginning and end, as other programs want it.
//!
//! A fold of the few events that count. Invariant: a span that was begun and not ended ends with the run.

use pithead_core::domain::experience::Experience;
use pithead_core::domain::mind::role::MindRole;
use pithead_core::domain::mind::spending::Spent;
use pithead_core::domain::run::decision::{By, GateKind, Verdict};
use pithead_core::domain::run::event::{Event, Recorded, RunConfig};
use pithead_core::domain::run::outcome::Outcome;
use pithead_engine::journal::{Journal, JournalError};
use pithead_world::clock::Millis;
use pithead_world::ids::{AttemptId, CallId, DecisionId, RunId, Seq};
use std::collections::BTreeMap;

/// The events that spans are made of.
const KINDS: [&str; 14] = [
    "run.started",
    "attempt.started",
    "attempt.ended",
    "mind.asked",
    "mind.answered",
    "mind.failed",
    "mind.charged",
    "mind.withheld",
    "mind.unavailable",
    "decision.asked",
    "decision.made",
    "replan.started",
    "knowledge.proposed",
    "run.ended",
];
/// Events read in one go.
const PAGE: usize = 512;

/// What took time.
#[derive(Debug, Clone, PartialEq)]
pub enum SpanKind {
    Attempt(AttemptId, Option<Box<Experience>>),
    Call(CallSpan),
    Decision {
        decision: DecisionId,
        kind: GateKind,
        answer: Option<(Verdict, By)>,
    },
}

/// A question to the mind.
#[derive(Debug, Clone, PartialEq)]
pub struct CallSpan {
    pub call: CallId,
    pub role: MindRole,
    pub is_answered: bool,
    /// Why there is no answer.
    pub fault: Option<String>,
    pub spent: Option<Box<Spent>>,
}

/// One span.
#[derive(Debug, Clone, PartialEq)]
pub struct RunSpan {
    /// The event that begins it.
    pub seq: Seq,
    pub from: Millis,
    pub to: Millis,
    pub kind: SpanKind,
}

/// Something that took no time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunMark {
    pub seq: Seq,
    pub at: Millis,
    pub name: &'static str,
    pub text: String,
}

/// A run as its spans.
#[derive(Debug, Clone, PartialEq)]
pub struct RunSpans {
    pub run: RunId,
    pub from: Millis,
    pub to: Millis,
    pub config: Option<Box<RunConfig>>,
    pub outcome: Option<(Outcome, String)>,
    /// In the order in which they began.
    pub spans: Vec<RunSpan>,
    pub marks: Vec<RunMark>,
}

/// Reads the spans of a run.
pub fn spans_of(journal: &Journal, run: RunId) -> Result<RunSpans, JournalError> {
    let row = journal.run(run)?;
    let mut fold = SpanFold {
        out: RunSpans {
            run,
            from: row.started,
            to: row.ended.unwrap_or(row.started),
            config: None,
            outcome: None,
            spans: Vec::new(),
            marks: Vec::new(),
        },
        attempts: BTreeMap::new(),
        calls: BTreeMap::new(),
        decisions: BTreeMap::new(),
        is_ended: Vec::new(),
    };
    let mut last = Seq(0);
    loop {
        let page = journal.events_of_kinds(run, last, &KINDS, PAGE)?;
        let Some(end) = page.last() else { break };
        last = end.seq;
        page.iter().for_each(|fact| fold.apply(fact));
    }
    Ok(fold.finish())
}

struct SpanFold {
    out: RunSpans,
    /// Where the open ones stand.
    attempts: BTreeMap<AttemptId, usize>,
    calls: BTreeMap<CallId, usize>,
    decisions: BTreeMap<DecisionId, usize>,
    is_ended: Vec<bool>,
}

impl SpanFold {
    fn begin(&mut self, fact: &Recorded, kind: SpanKind) -> usize {
        self.out.spans.push(RunSpan {
            seq: fact.seq,
            from: fact.at,
            to: fact.at,
            kind,
        });
        self.is_ended.push(false);
        self.out.spans.len() - 1
    }

    fn end(&mut self, at: usize, when: Millis) {
        // A clock that was set back makes no span end before it began.
        let span = &mut self.out.spans[at];
        span.to = when.max(span.from);
        self.is_ended[at] = true;
    }

    fn mark(&mut self, fact: &Recorded, name: &'static str, text: String) {
        self.out.marks.push(RunMark {
            seq: fact.seq,
            at: fact.at,
            name,
            text,
        });
    }

    fn apply(&mut self, fact: &Recorded) {
        self.out.to = self.out.to.max(fact.at);
        match &fact.event {
            Event::RunStarted { config } => {
                self.out.config = Some(config.clone());
                self.out.from = fact.at;
            }
            Event::RunEnded { outcome, because } => {
                self.out.outcome = Some((*outcome, because.clone()));
                self.out.to = fact.at;
            }
            Event::AttemptStarted { attempt, .. } => {
                let at = self.begin(fact, SpanKind::Attempt(*attempt, None));
                self.attempts.insert(*attempt, at);
            }
            Event::AttemptEnded {
                attempt,
                experience,
            } => {
                if let Some(at) = self.attempts.remove(attempt) {
                    self.out.spans[at].kind = SpanKind::Attempt(*attempt, Some(experience.clone()));
                    self.end(at, fact.at);
                }
            }
            Event::DecisionAsked { question } => {
                let kind = SpanKind::Decision {
                    decision: question.id,
                    kind: question.kind,
                    answer: None,
                };
                let at = self.begin(fact, kind);
                self.decisions.insert(question.id, at);
            }
            Event::DecisionMade {
                decision,
                verdict,
                by,
            } => {
                if let Some(at) = self.decisions.remove(decision) {
                    if let SpanKind::Decision { answer, .. } = &mut self.out.spans[at].kind {
                        *answer = Some((verdict.clone(), by.clone()));
                    }
                    self.end(at, fact.at);
                }
            }
            Event::ReplanStarted { because, .. } => self.mark(fact, "replan", because.clone()),
            Event::KnowledgeProposed { entry } => {
                let text = format!("{} {}", entry.id, entry.title);
                self.mark(fact, "knowledge proposed", text);
            }
            _ => self.apply_call(fact),
        }
    }

    fn apply_call(&mut self, fact: &Recorded) {
        let (id, because) = match &fact.event {
            Event::MindAsked { call, ask } => {
                let kind = SpanKind::Call(CallSpan {
                    call: *call,
                    role: ask.role(),
                    is_answered: false,
                    fault: None,
                    spent: None,
                });
                let at = self.begin(fact, kind);
                self.calls.insert(*call, at);
                return;
            }
            Event::MindCharged { call, spent } => {
                if let Some((_, of)) = self.call(*call) {
                    of.spent = Some(spent.clone());
                }
                return;
            }
            Event::MindAnswered { call, .. } => (call, None),
            Event::MindFailed { call, because }
            | Event::MindWithheld { call, because }
            | Event::MindUnavailable { call, because } => (call, Some(because.clone())),
            _ => return, // no other event is about a question
        };
        if let Some((at, of)) = self.call(*id) {
            (of.is_answered, of.fault) = (because.is_none(), because);
            self.end(at, fact.at);
        }
    }

    /// A question and its place. It stays known after its answer: what it cost may be told later.
    fn call(&mut self, id: CallId) -> Option<(usize, &mut CallSpan)> {
        let at = *self.calls.get(&id)?;
        match &mut self.out.spans[at].kind {
            SpanKind::Call(call) => Some((at, call)),
            SpanKind::Attempt(..) | SpanKind::Decision { .. } => None,
        }
    }

    fn finish(mut self) -> RunSpans {
        for (span, is_ended) in self.out.spans.iter_mut().zip(&self.is_ended) {
            if !is_ended {
                span.to = self.out.to.max(span.from);
            }
        }
        self.out
    }
}
