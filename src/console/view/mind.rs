//! The mind in this run: its questions, newest last, and what came of each.
//!
//! Prompts and answers are in the journal; this is what a list of them says.

use pithead_core::domain::mind::role::MindRole;
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_world::ids::{CallId, Seq};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Questions kept; a budget allows fewer.
const QUESTIONS_MAX: usize = 1_000;

/// The last questions.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct MindView {
    pub questions: VecDeque<QuestionView>,
}

/// One question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionView {
    pub seq: Seq,
    pub call: CallId,
    pub role: MindRole,
    pub fate: QuestionFate,
    /// How long the mind took.
    pub ms: u64,
    /// Tokens in and out, if a model was paid for it.
    pub tokens: Option<(u64, u64)>,
    pub micros: Option<u64>,
}

/// What came of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum QuestionFate {
    Open,
    Answered,
    /// The answer could not be read.
    Rejected,
    Failed,
    /// It might have crossed the budget.
    Withheld,
    /// No server could be asked.
    Unavailable,
}

impl MindView {
    pub(crate) fn apply(&mut self, recorded: &Recorded) {
        match &recorded.event {
            Event::MindAsked { call, ask } => {
                if self.questions.len() == QUESTIONS_MAX {
                    self.questions.pop_front();
                }
                self.questions.push_back(QuestionView {
                    seq: recorded.seq,
                    call: *call,
                    role: ask.role(),
                    fate: QuestionFate::Open,
                    ms: 0,
                    tokens: None,
                    micros: None,
                });
            }
            Event::MindAnswered { call, ms, .. } => self.change(*call, |question| {
                (question.fate, question.ms) = (QuestionFate::Answered, *ms);
            }),
            Event::AnswerRejected { call, .. } => self.settle(*call, QuestionFate::Rejected),
            Event::MindFailed { call, .. } => self.settle(*call, QuestionFate::Failed),
            Event::MindWithheld { call, .. } => self.settle(*call, QuestionFate::Withheld),
            Event::MindUnavailable { call, .. } => self.settle(*call, QuestionFate::Unavailable),
            Event::MindCharged { call, spent } => self.change(*call, |question| {
                question.tokens = Some((spent.tokens_in, spent.tokens_out));
                (question.micros, question.ms) = (spent.micros, spent.ms);
            }),
            _ => (), // nothing of the mind's
        }
    }

    fn settle(&mut self, call: CallId, fate: QuestionFate) {
        self.change(call, |question| question.fate = fate);
    }

    /// Changes the newest question of that number.
    fn change(&mut self, call: CallId, change: impl FnOnce(&mut QuestionView)) {
        let mut newest_first = self.questions.iter_mut().rev();
        if let Some(question) = newest_first.find(|question| question.call == call) {
            change(question);
        }
    }

    /// The place of the question of an event; the newest before it if there is none.
    #[must_use]
    pub fn row(&self, seq: Seq) -> Option<usize> {
        let after = self.questions.partition_point(|known| known.seq <= seq);
        after.checked_sub(1)
    }
}
