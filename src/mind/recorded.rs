//! The recorded mind: answers from a cassette, without a network.
//!
//! An answer is found by its question's hash; where the question has changed since (a run number
//! in it, say), by its number and role, and the log says so. It costs nothing.

use super::Mind;
use super::cassette::{Answer, Cassette, Take, hash};
use super::{Question, Reply, Silence};
use crate::domain::ask::Ask;
use crate::domain::study::DISTILLERS;
use crate::ids::CallId;

/// Answers of another run.
#[derive(Debug, Clone)]
pub struct RecordedMind {
    cassette: Cassette,
    /// As the operator named it, for example `recorded:3`.
    name: String,
}

impl RecordedMind {
    #[must_use]
    pub fn new(cassette: Cassette, name: &str) -> Self {
        Self {
            cassette,
            name: name.to_owned(),
        }
    }

    fn find(&self, call: CallId, ask: &Ask) -> Option<&Take> {
        let takes = &self.cassette.takes;
        let (question, role) = (hash(ask), ask.role());
        let by_number = takes.iter().find(|take| take.call == call.0);
        if let Some(take) = by_number.filter(|take| take.question == question) {
            return Some(take);
        }
        if let Some(take) = takes.iter().find(|take| take.question == question) {
            return Some(take);
        }
        let take = by_number.filter(|take| take.role == role)?;
        tracing::warn!(%call, role, "the question differs from the recorded one");
        Some(take)
    }
}

impl Mind for RecordedMind {
    fn name(&self) -> String {
        format!("{} (answers of {})", self.name, self.cassette.head.mind)
    }

    fn distils(&self) -> Vec<String> {
        let head = &self.cassette.head;
        let known = |role: &&String| DISTILLERS.contains(&role.as_str());
        head.distillers.iter().filter(known).cloned().collect()
    }

    fn answer(&mut self, ask: &Ask) -> Result<String, String> {
        let reply = said(self.find(CallId(0), ask), CallId(0), ask);
        reply.map_err(|silence| silence.because().to_owned())
    }

    fn think(&mut self, question: &Question<'_>) -> Reply {
        let take = self.find(question.call, question.ask);
        Reply {
            result: said(take, question.call, question.ask),
            spent: None,
        }
    }
}

fn said(take: Option<&Take>, call: CallId, ask: &Ask) -> Result<String, Silence> {
    match take.map(|take| &take.answer) {
        Some(Answer::Text(text)) => Ok(text.clone()),
        Some(Answer::Silence(because)) => Err(Silence::Failed(because.clone())),
        None => Err(Silence::Failed(format!(
            "the recording has no answer to question {call} ({})",
            ask.role()
        ))),
    }
}
