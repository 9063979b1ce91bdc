//! Minds: who answers the typed questions of the loop.
//!
//! A mind may use only what the ask holds. Its answers are text and are validated by whoever asked.

pub mod builtin;
pub mod cassette;
pub mod llm;
pub mod recorded;
pub mod spec;
pub mod watch;

use pithead_core::domain::mind::ask::Ask;
use pithead_core::domain::mind::role::MindRole;
use pithead_core::domain::mind::spending::{Allowance, Estimate, Spent};
use pithead_world::ids::CallId;
use watch::Watch;

/// Who answers.
/// `Send`, because a slow mind answers in a thread of its own.
pub trait Mind: Send {
    /// The name shown with every result, for example `builtin:competent (simulated planner)`.
    fn name(&self) -> String;

    /// Answers with the JSON that the ask's role calls for, or says why it cannot.
    /// Only text goes out: whatever it says is parsed and checked by the agent.
    fn answer(&mut self, ask: &Ask) -> Result<String, String>;

    /// Whether answers take so long that they are to be waited for in a thread of their own.
    /// A quick mind is asked on the driver's thread, which keeps a run without models
    /// deterministic.
    fn is_slow(&self) -> bool {
        false
    }

    /// Whether this role is to be shown what the body sees.
    fn takes_pictures(&self, _role: MindRole) -> bool {
        false
    }

    /// The roles of distillation that it answers; the program's own distiller does the others.
    fn distils(&self) -> Vec<MindRole> {
        Vec::new()
    }

    /// Whether a language model answers, now or when the answers were recorded. Its plans are counted after.
    fn is_language_model(&self) -> bool {
        false
    }

    /// The most that this question may cost.
    /// Compared with the budget before the question is put: the most, not the likely.
    fn estimate(&mut self, _question: &MindQuestion<'_>) -> Estimate {
        Estimate::NOTHING
    }

    /// As `answer`, within an allowance, watched, and telling what it cost.
    fn think(&mut self, question: &MindQuestion<'_>) -> MindReply {
        MindReply {
            result: self.answer(question.ask).map_err(Silence::Failed),
            spent: None,
        }
    }
}

/// A question and what bounds its answer.
#[derive(Debug)]
pub struct MindQuestion<'a> {
    pub call: CallId,
    pub ask: &'a Ask,
    /// What the body sees, as a PNG, if it was wanted.
    pub picture: Option<&'a [u8]>,
    /// What is left of the budget; a mind that might exceed it withholds the question.
    pub allowance: Allowance,
    pub watch: &'a Watch,
}

/// What came of a question.
#[derive(Debug, Clone, PartialEq)]
pub struct MindReply {
    pub result: Result<String, Silence>,
    /// None for minds that cost nothing.
    /// Charged whether or not the answer can be read.
    pub spent: Option<Box<Spent>>,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Silence {
    Failed(String),
    /// It was not asked: the answer might cost more than is allowed.
    /// Distinct from a failure: more budget may help.
    Withheld(String),
    /// No server could be asked. That says nothing about the question, which is as good later.
    Unavailable {
        because: String,
        /// Asking again would go the same way until somebody changes something.
        lasting: bool,
    },
}

impl Silence {
    /// The reason, in words.
    #[must_use]
    pub fn because(&self) -> &str {
        match self {
            Self::Failed(because) | Self::Withheld(because) | Self::Unavailable { because, .. } => {
                because
            }
        }
    }
}
