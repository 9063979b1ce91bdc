//! Inputs: anything that reaches the core. Not stored; the events that they cause are.

use crate::domain::experience::Hit;
use crate::domain::experience::option::TriedOptions;
use crate::domain::knowledge::hindsight::Blocked;
use crate::domain::knowledge::{Entry, Status};
use crate::domain::mind::evidence::FailedAttempt;
use crate::domain::mind::sequences::Sequences;
use crate::domain::mind::spending::Spent;
use crate::domain::run::command::Command;
use pithead_world::action::ActionReport;
use pithead_world::ids::{ActionId, CallId, KnowledgeId, SubgoalId};
use pithead_world::observation::Frame;
use pithead_world::port::Reflex;

/// One thing that reached the agent.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// The run was opened (again), by whom and at which pace; whatever is open is asked for again
    /// by the driver.
    /// For a resumed run as well.
    Started {
        times_realtime: f64,
        operator: String,
    },
    /// An operator's wish, and who it was.
    Commanded {
        command: Command,
        operator: String,
    },
    /// The world stands.
    Ready(Box<Frame>),
    Framed(Box<Frame>),
    Acted {
        action: ActionId,
        report: ActionReport,
        frame: Box<Frame>,
    },
    /// The body did something by itself.
    Reacted(Reflex),
    /// The world is gone.
    Lost {
        because: String,
    },
    /// The mind answered with text.
    Answered {
        call: CallId,
        text: String,
        // Milliseconds of real time.
        ms: u64,
    },
    /// The mind could not answer.
    Unanswered {
        call: CallId,
        because: String,
    },
    /// The question was not put, since answering it might cost more than may be spent.
    Withheld {
        call: CallId,
        because: String,
    },
    /// No server of the mind could be asked; lasting if trying again is of no use.
    Unavailable {
        call: CallId,
        because: String,
        lasting: bool,
    },
    /// What the answer cost; comes before the answer.
    /// A separate input, since a question that failed may have cost something.
    Charged {
        call: CallId,
        spent: Box<Spent>,
    },
    /// Recall came back.
    Recalled {
        hits: Vec<Hit>,
        knowledge: Vec<Entry>,
        options: TriedOptions,
    },
    /// Failures of earlier runs like the one asked about.
    SimilarFailuresFound {
        subgoal: SubgoalId,
        earlier: Vec<FailedAttempt>,
    },
    /// What the knowledge base already holds like the drafts asked about, in their order.
    LookedUp {
        found: Vec<Option<(KnowledgeId, Status)>>,
        /// What each draft would have blocked of the recorded attempts.
        blocked: Vec<Blocked>,
        /// Goals of the drafts that enough runs have reached to be summarised, with what these runs did.
        sequences: Vec<Sequences>,
    },
    /// A deadline may have passed.
    /// Carries nothing: the core compares deadlines with the time itself.
    Woken,
}
