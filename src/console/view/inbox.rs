//! The inbox: questions that wait for the operator, oldest first, and what became of earlier ones.
//!
//! A question carries what it is about as it was when it was asked: that is what is approved.
//! Invariant: a decided question never comes back.

use crate::view::diff::{DiffLine, diff};
use crate::view::{ProposedPlan, View};
use pithead_core::domain::knowledge::Entry;
use pithead_core::domain::plan::Subgoal;
use pithead_core::domain::run::decision::{
    By, Fallback, GateKind, Policy, Question, Subject, Verdict,
};
use pithead_core::domain::run::outcome::Outcome;
use pithead_core::text::numbers::{count_with_noun, format_clock};
use pithead_world::clock::Millis;
use pithead_world::ids::DecisionId;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;

/// Decisions kept in the history.
const HISTORY_MAX: usize = 200;
/// Open questions kept; the agent asks one blocking question and a few about knowledge.
const OPEN_MAX: usize = 1024;

/// Questions and answers.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Inbox {
    pub open: VecDeque<Open>,
    /// Newest first.
    pub history: VecDeque<Decided>,
    /// What the mind made of the failures that the next plan answers.
    pub(crate) cause: Option<String>,
    /// Who asked for the next plan and why, if an operator did.
    pub(crate) asked: Option<String>,
}

/// One open question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Open {
    pub question: Question,
    pub content: Content,
    /// World time when it was asked.
    pub tick: u64,
    /// Why answers to it were refused, oldest first.
    pub refused: Vec<String>,
}

/// What a question is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Content {
    Plan {
        proposal: Arc<ProposedPlan>,
        diff: Arc<Vec<DiffLine>>,
    },
    Knowledge(Arc<Entry>),
    Risk {
        subgoal: Option<Arc<Subgoal>>,
        risk: String,
    },
    End {
        outcome: Outcome,
        because: String,
    },
    /// More for the mind than was allowed.
    Budget {
        because: String,
    },
    /// The events before the question did not say.
    Missing,
}

/// One answered question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    pub id: DecisionId,
    pub kind: GateKind,
    pub title: String,
    pub verdict: String,
    pub reason: Option<String>,
    pub by: By,
    pub at: Millis,
    pub tick: u64,
}

impl Inbox {
    #[must_use]
    pub fn get(&self, id: DecisionId) -> Option<&Open> {
        self.open.iter().find(|open| open.question.id == id)
    }

    /// The question on which the run waits, if it waits.
    #[must_use]
    pub fn blocking(&self) -> Option<&Open> {
        self.open
            .iter()
            .find(|open| open.question.kind.blocks_run())
    }

    /// True if a count-down is on the screen.
    #[must_use]
    pub fn counts_down(&self) -> bool {
        self.open
            .iter()
            .any(|open| open.question.deadline.is_some())
    }

    pub(crate) fn asked(&mut self, question: &Question, content: Content, tick: u64) {
        if self.open.len() < OPEN_MAX {
            self.open.push_back(Open {
                question: question.clone(),
                content,
                tick,
                refused: Vec::new(),
            });
        }
    }

    pub(crate) fn change(&mut self, id: DecisionId, change: impl FnOnce(&mut Open)) {
        if let Some(open) = self.open.iter_mut().find(|open| open.question.id == id) {
            change(open);
        }
    }

    pub(crate) fn decided(
        &mut self,
        id: DecisionId,
        verdict: &Verdict,
        by: &By,
        at: Millis,
        tick: u64,
    ) {
        let Some(index) = self.open.iter().position(|open| open.question.id == id) else {
            return;
        };
        let Some(open) = self.open.remove(index) else {
            return;
        };
        let (word, reason) = match verdict {
            Verdict::Approve => ("approved", None),
            Verdict::EditPlan(_) | Verdict::EditKnowledge(_) => ("edited", None),
            Verdict::Veto { reason } => ("vetoed", Some(reason.clone())),
        };
        self.history.truncate(HISTORY_MAX - 1);
        self.history.push_front(Decided {
            id,
            kind: open.question.kind,
            title: open.title(),
            verdict: word.to_owned(),
            reason,
            by: by.clone(),
            at,
            tick,
        });
    }

    /// What blocked the run blocks nothing any more; knowledge still waits.
    pub(crate) fn run_ended(&mut self) {
        self.open.retain(|open| !open.question.kind.blocks_run());
    }
}

impl Open {
    /// One line for lists.
    #[must_use]
    pub fn title(&self) -> String {
        match &self.content {
            Content::Plan { proposal, .. } => {
                let steps = count_with_noun(proposal.plan.subgoals.len(), "step", "steps");
                format!(
                    "{} {} · {steps}",
                    self.question.kind.name(),
                    proposal.revision
                )
            }
            Content::Knowledge(entry) => {
                format!("{} {} · {}", entry.body.kind(), entry.id, entry.title)
            }
            Content::Risk { risk, .. } => format!("risk · {risk}"),
            Content::End {
                outcome: Outcome::Success,
                because,
            } => format!("end as success · {because}"),
            Content::End { because, .. } => format!("end as failure · {because}"),
            Content::Budget { because } => format!("budget · {because}"),
            Content::Missing => format!("{} {}", self.question.kind.name(), self.question.id),
        }
    }

    /// What waits for the answer.
    #[must_use]
    pub fn blocks(&self) -> &'static str {
        if self.question.kind.blocks_run() {
            "blocks the run"
        } else {
            "blocks nothing"
        }
    }
}

impl Content {
    pub(crate) fn for_question(question: &Question, view: &View) -> Self {
        let found = match &question.subject {
            Subject::Plan(revision) => view
                .proposal
                .as_ref()
                .filter(|proposal| proposal.revision == *revision)
                .map(|proposal| Self::Plan {
                    proposal: Arc::clone(proposal),
                    diff: Arc::new(diff(&view.plan, &proposal.plan)),
                }),
            Subject::Knowledge(id) => view
                .knowledge
                .item(*id)
                .map(|item| Self::Knowledge(Arc::clone(&item.entry))),
            Subject::Risk { subgoal, risk } => Some(Self::Risk {
                subgoal: view.plan.subgoal(*subgoal),
                risk: risk.clone(),
            }),
            Subject::End { outcome, because } => Some(Self::End {
                outcome: *outcome,
                because: because.clone(),
            }),
            Subject::Budget { because } => Some(Self::Budget {
                because: because.clone(),
            }),
        };
        found.unwrap_or(Self::Missing)
    }
}

/// What is answered at a question's timeout and when, for example `approves in 0:48`.
#[must_use]
pub fn timeout_words(question: &Question, now: Millis) -> Option<String> {
    if let Some(by) = &question.held {
        return Some(format!("held while {by} reads"));
    }
    let left = question.deadline?.since(now).div_ceil(1000);
    let verb = match question.policy {
        Policy::AskFor {
            then: Fallback::Veto,
            ..
        } => "vetoes",
        Policy::AskFor {
            then: Fallback::Approve,
            ..
        }
        | Policy::Ask
        | Policy::Auto => "approves",
    };
    Some(format!("{verb} in {}", format_clock(left)))
}
