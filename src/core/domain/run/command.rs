//! Commands: the wishes of an operator. Each becomes an event or is refused with a reason.

use crate::domain::experience::diagnosis::FailureReason;
use crate::domain::run::breakpoint::Breakpoint;
use crate::domain::run::decision::{GateKind, Policy, Verdict};
use crate::domain::run::steering::Steering;
use pithead_world::ids::{AttemptId, DecisionId};
use serde::{Deserialize, Serialize};

/// One wish.
/// The tag travels over the socket of attached consoles.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum Command {
    /// Let no world time pass until resumed.
    /// The mind is not interrupted; its answer waits.
    Pause,
    Resume,
    /// While paused: let things continue to the next frame, answer or phase.
    Step,
    /// End the run now.
    /// The reason is stored as that of the end.
    Abort {
        reason: String,
    },
    /// Answer a question.
    Decide {
        decision: DecisionId,
        verdict: Verdict,
    },
    /// Someone looks at a question: its time-out must not answer under their hands.
    HoldDecision {
        decision: DecisionId,
    },
    /// Nobody looks at it any more: its time-out starts anew.
    ReleaseDecision {
        decision: DecisionId,
    },
    /// Say that an attempt failed for another reason than its label.
    /// The old label stays in the journal.
    Overrule {
        attempt: AttemptId,
        label: FailureReason,
        reason: String,
    },
    /// Act for the agent for one subgoal, in the words of `act`.
    Act {
        words: String,
    },
    /// Have the body say a line in the chat of the server, which the operator was asked about.
    Say {
        text: String,
    },
    /// Change the course of the run.
    Steer {
        how: Steering,
    },
    /// Change a gate for the rest of this run.
    SetPolicy {
        kind: GateKind,
        policy: Policy,
    },
    /// Change how fast the world passes; 0 is as fast as it can.
    SetPace {
        times_realtime: f64,
    },
    /// Stop the run at these from now on, and at no others.
    /// The whole list replaces the one before.
    SetBreaks {
        breaks: Vec<Breakpoint>,
    },
}

impl Command {
    /// The command's name as it is written in refusals and logs.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Pause => "pause",
            Self::Resume => "resume",
            Self::Step => "step",
            Self::Abort { .. } => "abort",
            Self::Decide { .. } => "decide",
            Self::HoldDecision { .. } => "hold decision",
            Self::ReleaseDecision { .. } => "release decision",
            Self::Overrule { .. } => "overrule",
            Self::Act { .. } => "act",
            Self::Say { .. } => "say",
            Self::Steer { .. } => "steer",
            Self::SetPolicy { .. } => "set policy",
            Self::SetPace { .. } => "set pace",
            Self::SetBreaks { .. } => "set breakpoints",
        }
    }
}
