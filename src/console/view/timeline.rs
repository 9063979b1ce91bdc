//! The timeline: one sentence for each event that a person would want to know of.
//!
//! A bounded ring. What is sorted out as not worth a line is decided in `words`.

use pithead_world::clock::Millis;
use pithead_world::ids::Seq;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;

/// Lines kept. Older ones are in the journal; nobody scrolls further by hand.
const LINES_MAX: usize = 2000;

/// How much a line matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Weight {
    Plain,
    Good,
    /// Something to look at.
    Notice,
    Bad,
}

impl Weight {
    /// The word that a filter names it by.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Good => "done",
            Self::Notice => "notice",
            Self::Bad => "failure",
        }
    }
}

/// One line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimelineLine {
    pub seq: Seq,
    pub at: Millis,
    /// How long the run had taken.
    pub elapsed_ms: u64,
    pub tick: u64,
    pub weight: Weight,
    pub text: String,
    /// A stop for the keys that jump: attempt, decision, failure, plan, end.
    pub landmark: bool,
}

/// The last lines, oldest first.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Timeline {
    pub lines: VecDeque<Arc<TimelineLine>>,
    /// Lines that have been dropped.
    pub dropped: u64,
}

impl Timeline {
    pub(crate) fn push(&mut self, line: TimelineLine) {
        if self.lines.len() == LINES_MAX {
            self.lines.pop_front();
            self.dropped += 1;
        }
        self.lines.push_back(Arc::new(line));
    }
}
