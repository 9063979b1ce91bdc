//! Watching a mind think: how far it is, and the word to stop.
//!
//! Both ends hold the same `Watch`: the mind's thread tells, the client looks, the driver calls
//! off. Progress is a hint for eyes and no fact of the run; it is not stored.

use pithead_core::domain::mind::role::MindRole;
use pithead_core::text::numbers::count_with_noun;
use pithead_world::ids::CallId;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// How far an answer is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerProgress {
    pub call: CallId,
    pub role: MindRole,
    pub model: String,
    pub stage: AnswerStage,
    /// Milliseconds since the Unix epoch at which the question was put.
    pub since: u64,
}

impl AnswerProgress {
    /// The end of the answer as far as it has come.
    #[must_use]
    pub fn said(&self) -> &str {
        match &self.stage {
            AnswerStage::Answering { said, .. } => said,
            AnswerStage::Queued | AnswerStage::Asked | AnswerStage::Waiting { .. } => "",
        }
    }

    /// In a few words.
    #[must_use]
    pub fn describe(&self) -> String {
        let model = &self.model;
        match &self.stage {
            AnswerStage::Queued => format!("{model} is waiting for its turn"),
            AnswerStage::Asked => format!("{model} has not begun"),
            AnswerStage::Answering {
                tokens,
                first_token_ms,
                ..
            } => {
                let tokens = count_with_noun(*tokens, "token", "tokens");
                format!("{model} has written {tokens}, the first after {first_token_ms} ms")
            }
            AnswerStage::Waiting { tries, ms, because } => {
                let tries = count_with_noun(*tries, "try", "tries");
                format!("{model} is asked again in {ms} ms after {tries}: {because}")
            }
        }
    }
}

/// What the mind waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerStage {
    /// For its turn at a server that serves only so many at once.
    Queued,
    /// For the first token.
    Asked,
    /// Tokens are coming.
    Answering {
        tokens: u64,
        first_token_ms: u64,
        /// The end of what has come, without keys and not cleaned for a terminal; empty while a model reasons.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        said: String,
    },
    /// For the next try.
    Waiting {
        tries: u32,
        ms: u64,
        because: String,
    },
}

#[derive(Debug, Default)]
struct Shared {
    /// The last state replaces the one before; nobody needs the history.
    progress: Mutex<Option<AnswerProgress>>,
    /// Calls up to this one are cancelled.
    /// One number is enough, because calls are numbered in order and one is open at a time.
    cancelled: AtomicU64,
}

/// One end of a watch.
#[derive(Debug, Clone, Default)]
pub struct Watch(Arc<Shared>);

impl Watch {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Says how far the answer is; nothing when there is none under way.
    pub fn report(&self, progress: Option<AnswerProgress>) {
        *self
            .0
            .progress
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = progress;
    }

    /// How far the answer is, if one is under way.
    #[must_use]
    pub fn look(&self) -> Option<AnswerProgress> {
        self.0
            .progress
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Calls this question off, and all before it.
    pub fn cancel(&self, call: CallId) {
        // `fetch_max`: a late cancellation never takes back a later one.
        self.0.cancelled.fetch_max(call.0, Ordering::AcqRel);
    }

    /// Calls off all that was and will be asked.
    pub fn cancel_all(&self) {
        // The largest number there is, so that no later call is asked either.
        self.0.cancelled.store(u64::MAX, Ordering::Release);
    }

    #[must_use]
    pub fn is_cancelled(&self, call: CallId) -> bool {
        call.0 <= self.0.cancelled.load(Ordering::Acquire)
    }
}
