//! State of the Debug screen: what the operator has chosen there, and what lies over it.

use pithead_core::diagnosis::series::Series;
use pithead_core::diagnosis::whatif::Rejudgement;
use pithead_core::domain::condition::Condition;
use pithead_core::domain::experience::thresholds::Thresholds;
use pithead_core::domain::plan::Plan;
use pithead_core::domain::run::breakpoint::Breakpoint;
use pithead_engine::runtime::relabel::MovedKnobs;
use pithead_engine::runtime::run_search::WatchedValue;
use pithead_world::ids::{AttemptId, KnowledgeId, RunId, Seq};
use std::sync::Arc;

/// A part of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DebugPart {
    #[default]
    Attempts,
    Observed,
    Checks,
    Charts,
    Trace,
    Thresholds,
    Mind,
}

impl DebugPart {
    pub const ALL: [Self; 7] = [
        Self::Attempts,
        Self::Observed,
        Self::Checks,
        Self::Charts,
        Self::Trace,
        Self::Thresholds,
        Self::Mind,
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Attempts => "Attempts",
            Self::Observed => "Observables",
            Self::Checks => "Checks",
            Self::Charts => "Indicators",
            Self::Trace => "Diagnosis",
            Self::Thresholds => "Thresholds",
            Self::Mind => "Mind",
        }
    }
}

/// What the operator has chosen.
#[derive(Debug, Clone, Default)]
pub struct DebugState {
    pub part: DebugPart,
    /// What stands in the place that parts share.
    pub shared: DebugPart,
    pub zoom: bool,
    /// The frame in sight; none is the attempt's end. Kept when another attempt is chosen, so that two
    /// are looked at at the same time.
    pub stand: Option<Stand>,
    /// Thresholds as they were moved, and what is different with them.
    pub moved: Option<Thresholds>,
    pub change: Option<Arc<Rejudgement>>,
    pub series: Option<Arc<Vec<Series>>>,
    /// The attempt that those two are about.
    pub(crate) judged: Option<(AttemptId, Option<Seq>)>,
    pub knob: usize,
    pub chart: usize,
    pub step: usize,
    pub ask: usize,
    pub scroll: usize,
    /// Two attempts beside each other.
    pub side: bool,
    pub search: Option<RunSearch>,
    /// The thresholds with which all runs are to be judged.
    pub relabel: Option<MovedKnobs>,
    /// Where the playing of a recording stops.
    pub breaks: Vec<Breakpoint>,
    /// The run whose attempts have been in sight.
    pub(crate) entered: Option<RunId>,
    /// An attempt was asked for before they were.
    pub(crate) is_aimed: bool,
}

/// A frame, by its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stand {
    /// From the attempt's beginning.
    pub ticks: u64,
    /// Among the frames of that tick.
    pub nth: usize,
}

/// What is looked for over the run.
#[derive(Debug, Clone, PartialEq)]
pub enum RunSearch {
    /// Where a condition becomes true, from there on.
    Becomes { condition: Condition, after: Seq },
    /// What changed a value last, up to and with this event.
    Wrote { value: WatchedValue, until: Seq },
}

/// What is to be read for the screen.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Wants {
    pub run: Option<RunId>,
    pub attempt: Option<AttemptId>,
    pub other: Option<AttemptId>,
    pub asked: Option<Seq>,
    pub search: Option<RunSearch>,
    pub relabel: Option<MovedKnobs>,
}

/// What lies over the screen.
#[derive(Debug, Clone, PartialEq)]
pub enum DebugOverlay {
    Line {
        what: LinePrompt,
        text: String,
        /// Among the words that are offered.
        at: usize,
    },
    Breaks {
        at: usize,
    },
    Bookmarks {
        at: usize,
    },
    Fork(ForkForm),
}

/// What a line of text is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinePrompt {
    Set,
    Overrule,
    Where,
    Wrote,
    Break,
    Bookmark,
}

/// What is read in full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DebugPage {
    Trace,
    /// What the moved thresholds would change in all runs.
    Relabelled,
}

impl LinePrompt {
    /// Heading, hint, and what stands before the text.
    #[must_use]
    pub fn texts(self) -> [&'static str; 3] {
        match self {
            Self::Set => [
                "Move a threshold",
                "NAME=VALUE; tab or enter takes a name, ↓ chooses",
                "set ",
            ],
            Self::Overrule => [
                "Overrule the label",
                "LABEL because REASON; tab or enter takes a label, ↓ chooses",
                "the label is ",
            ],
            Self::Where => [
                "First tick where",
                "a condition, for example inv iron_ore >= 3 or health < 8",
                "first where ",
            ],
            Self::Wrote => [
                "What wrote it",
                "a value: health, hunger, y, gui, held, …, an item, or crafted ITEM",
                "what wrote ",
            ],
            Self::Break => [
                "Break",
                "phase NAME, subgoal PATTERN, reason NAME, guardrail [ID], check CONDITION, tick N",
                "stop at ",
            ],
            Self::Bookmark => [
                "Bookmark",
                "A note; it is stored with the run and changes nothing in it",
                "note ",
            ],
        }
    }
}

/// What has been chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct ForkForm {
    pub run: RunId,
    pub attempt: AttemptId,
    /// The frame in sight, and whether the fork is made there or before the attempt.
    pub frame: Seq,
    pub at_frame: bool,
    pub without: Option<KnowledgeId>,
    pub keep: bool,
    /// Whether the thresholds as they are moved go with it; none if none is moved.
    pub moved: Option<bool>,
    pub plan: Option<Plan>,
}
