//! Effects: what is to be done outside the screen.

use crate::msg::ReplayMsg;
use crate::saved_views::KeptView;
use crate::screens::home::launch::Launch;
use crate::screens::knowledge;
use crate::screens::runs::state::Bulk;
use crate::triage::TriageOrder;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::knowledge::Entry;
use pithead_core::domain::run::breakpoint::Breakpoint;
use pithead_core::domain::run::decision::{GateKind, Policy, Verdict};
use pithead_core::domain::run::event::Event;
use pithead_core::domain::run::triage::TriageSubject;
use pithead_engine::runtime::fork::ForkRequest;
use pithead_world::ids::{AttemptId, DecisionId, KnowledgeId, RunId};
use std::sync::Arc;

/// What is to be done about decisions outside the screen.
#[derive(Debug, Clone, PartialEq)]
pub enum InboxAction {
    /// Answers for entries, each by itself.
    Answer {
        ids: Vec<KnowledgeId>,
        verdict: Verdict,
    },
    /// Takes back what was decided about an entry.
    TakeBack(KnowledgeId),
    /// Saves a rule, for a run or for all that will be started.
    Save(GateRule),
    /// Takes a saved rule off.
    Forget(GateKind),
    /// Keeps who looks into something, until when it is out of sight, or a comment.
    Triage {
        subjects: Vec<TriageSubject>,
        order: TriageOrder,
    },
    /// Shows a question on its run's own screen.
    Open { run: RunId, decision: DecisionId },
}

/// How far a rule reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// This question and no other: no rule is saved.
    Once,
    /// What is still to come in this run.
    Run,
    /// This run, and all that the console starts.
    Always,
}

impl Reach {
    pub const ALL: [Self; 3] = [Self::Once, Self::Run, Self::Always];

    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Once => "once: this question only",
            Self::Run => "in this run, from now on",
            Self::Always => "always: in this run and in every run that the console starts",
        }
    }
}

/// A rule that is being made out of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GateRule {
    pub kind: GateKind,
    /// The run whose question it was.
    pub run: RunId,
    pub reach: Reach,
    pub policy: Policy,
}

/// What is asked of the process that drives a run, beside commands to the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostWish {
    /// The right to command: at once if nobody has it.
    AskSeat,
    /// To give it to another console.
    GiveSeat(u64),
    /// To let go of the run, which can be resumed.
    Stop,
}

/// What becomes of a run in its own process when the console is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeaveChoice {
    Running,
    /// Its process lets go of it; it can be resumed.
    Stopped,
    /// It is aborted.
    Ended,
}

/// What is to be done outside the screen.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    Send(pithead_core::domain::run::command::Command),
    Replay(ReplayMsg),
    /// Of the process that drives the run in sight.
    Host(HostWish),
    /// Leaves a run that has a process of its own.
    Leave(LeaveChoice),
    /// A command for a run whose process does not take it, because the run is over.
    Tell(RunId, pithead_core::domain::run::command::Command),
    Quit(Leaving),
    Suspend,
    /// Everything on the terminal anew.
    Redraw,
    /// Shows another run of the database.
    OpenRun(RunId),
    /// Begins a run, or goes on with one.
    Begin(Launch),
    Copy(String),
    NextTheme,
    /// The theme of this name, which comes with the program.
    Theme(&'static str),
    NextPictures,
    Mouse(bool),
    Export,
    /// All breakpoints of the run, or of the playing of its recording, from now on.
    SetBreaks(Vec<Breakpoint>),
    Overrule {
        run: RunId,
        attempt: AttemptId,
        label: FailureReason,
        reason: String,
    },
    /// Keeps a bookmark, or takes one off; the event's author is put in by who has a name.
    Mark(Event),
    Fork(Box<ForkRequest>),
    /// About decisions of all runs.
    Inbox(InboxAction),
    /// Changes an entry of the knowledge base.
    Curate(crate::screens::knowledge::state::EntryRequest),
    /// Looks into an entry in the background.
    Study(Arc<Entry>, knowledge::state::StudyKind),
    DeleteRuns(Vec<RunId>),
    /// Ends runs, or lets them go on.
    Bulk(Bulk),
    /// Keeps a view of a list under a name, or takes it off.
    KeepView(KeptView),
    /// Gives a text to the operator's own editor; what it is, as a file's ending.
    EditOutside {
        text: String,
        ending: &'static str,
    },
}

/// How the console was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaving {
    /// The run is over, or it was a recording.
    Over,
    /// The run was stopped cleanly and can be resumed.
    Left,
    /// The run goes on in its own process.
    Running,
    /// The run was told to end.
    Ended,
    /// A signal asked the program to end.
    Interrupted,
}
