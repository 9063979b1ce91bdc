//! Evaluations as lists and detail pages show them: plain values, made by the reader, drawn by its callers.
//!
//! Invariant: texts may come from files of others; whoever shows them cleans them.

use std::sync::Arc;

/// An evaluation; made from its folder, so it never changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EvalId(pub u64);

/// Whether an evaluation is running, finished or neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvalState {
    Running,
    Finished,
    /// Interrupted or killed; the same command resumes it.
    Stopped,
    /// It cannot be read.
    Broken,
}

impl EvalState {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Finished => "finished",
            Self::Stopped => "stopped",
            Self::Broken => "unreadable",
        }
    }
}

/// A success rate with its interval, percent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SuccessRate {
    pub rate: f64,
    pub low: f64,
    pub high: f64,
}

/// One evaluation.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    pub id: EvalId,
    /// Suite and pattern, or the groups of a curve.
    pub name: String,
    pub mind: String,
    pub system: String,
    pub controller: String,
    pub state: EvalState,
    pub done: u64,
    pub total: u64,
    /// What is counted: episodes or lives.
    pub unit: &'static str,
    pub rate: Option<SuccessRate>,
    pub left_s: Option<u64>,
    /// The command that resumes it.
    pub command: String,
    pub folder: String,
    /// The database of its runs, quoted for use in a command.
    pub journal: Option<String>,
    pub sections: Vec<EvalSection>,
    pub faults: Vec<String>,
}

/// A section of an evaluation's detail page.
#[derive(Debug, Clone, PartialEq)]
pub enum EvalSection {
    Table {
        title: String,
        head: Vec<String>,
        rows: Vec<Vec<String>>,
    },
    Chart(LineChart),
    Text {
        title: String,
        lines: Vec<String>,
    },
}

/// A chart over the passes of a learning curve.
#[derive(Debug, Clone, PartialEq)]
pub struct LineChart {
    pub title: String,
    /// The top of the scale, which starts at 0.
    pub most: f64,
    pub lines: Vec<ChartLine>,
}

/// A value, with its interval if it has one.
pub type ChartValue = (f64, Option<(f64, f64)>);

/// One line: a value for each pass.
#[derive(Debug, Clone, PartialEq)]
pub struct ChartLine {
    pub name: String,
    pub points: Vec<ChartValue>,
}

/// One episode of the opened evaluation.
#[derive(Debug, Clone, PartialEq)]
pub struct EpisodeRow {
    pub id: u64,
    pub task: String,
    pub group: String,
    pub system: String,
    pub seed: u64,
    pub pass: u64,
    /// Its run in the evaluation's own database, if the evaluation keeps one.
    pub run: Option<u64>,
    pub ending: EpisodeEnding,
    pub because: String,
    pub ticks: u64,
    pub attempts: u64,
    pub failed: u64,
    pub replans: u64,
    pub mind_calls: u64,
    pub reasons: Vec<(String, u64)>,
    pub last_failure: Option<String>,
    pub wall_ms: u64,
}

/// How an episode counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EpisodeEnding {
    Success,
    Failure,
    /// It could not be played and does not count.
    Void,
}

/// The evaluations as they are now.
#[derive(Debug, Clone, Default)]
pub struct EvalListing {
    pub evaluations: Vec<Arc<Evaluation>>,
    /// The episodes of the evaluation that is open, if they were read anew.
    pub opened: Option<(EvalId, Arc<Vec<EpisodeRow>>)>,
}
