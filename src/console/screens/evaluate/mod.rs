//! Evaluations as the console shows them: a list, a sheet for the chosen one, the episodes of an opened one.
//!
//! The console does not know how evaluations are made or kept; the program's edge gives it a `Gazette`.
//! Invariant: everything here is text and numbers of others, cleaned where it becomes a line.

pub mod chart;
pub mod sheet;
pub(crate) mod tables;

pub(crate) use crate::screens::evaluate::tables::{episodes, evaluations};

use std::path::Path;
use std::sync::Arc;

/// An evaluation; the same for one folder at all times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EvalId(pub u64);

/// What has become of an evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Running,
    Finished,
    /// Broken off.
    Stopped,
    /// It cannot be read.
    Broken,
}

/// A rate with its interval, percent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
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
    pub state: State,
    pub done: u64,
    pub total: u64,
    /// What is counted: episodes or lives.
    pub unit: &'static str,
    pub rate: Option<Rate>,
    pub left_s: Option<u64>,
    /// What goes on with it.
    pub command: String,
    pub folder: String,
    /// The database of its runs, for commands that are told.
    pub journal: Option<String>,
    pub parts: Vec<Part>,
    pub faults: Vec<String>,
}

/// A part of its sheet.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    Table {
        title: String,
        head: Vec<String>,
        rows: Vec<Vec<String>>,
    },
    Chart(chart::Chart),
    Text {
        title: String,
        lines: Vec<String>,
    },
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
    /// Its run in the evaluation's own database, where it keeps one.
    pub run: Option<u64>,
    pub ending: Ending,
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
pub enum Ending {
    Success,
    Failure,
    /// It could not be played and does not count.
    Void,
}

/// What has changed since the last look.
#[derive(Debug, Clone, Default)]
pub struct News {
    pub evaluations: Vec<Arc<Evaluation>>,
    /// The episodes of the evaluation that is open.
    pub opened: Option<(EvalId, Arc<Vec<EpisodeRow>>)>,
}

/// Reads what evaluations there are; used by one thread that may wait for the disk.
pub trait Gazette: std::fmt::Debug {
    /// The news, if anything has changed since the last time or another one is open now.
    fn look(&mut self, opened: Option<EvalId>) -> Result<Option<News>, String>;
}

/// Makes the reader for a database.
pub type Gazettes = fn(&Path) -> Box<dyn Gazette>;

impl State {
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

#[cfg(test)]
mod tests;
