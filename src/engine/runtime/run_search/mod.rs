//! Searching a recorded run: for the moments at which a condition became true or a value changed.
//!
//! The frames are read in order; plan, attempt and action say what was under way at each.
//! Invariant: only what a recorded frame shows is reported; nothing is inferred between two frames.

mod truths;
mod values;
mod walk;

pub use truths::became_true;
pub use values::{WatchedValue, Write, last_write, writes};

use pithead_world::ids::{AttemptId, Seq};
use serde::Serialize;

/// A place of a run, and what was under way there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FoundMoment {
    pub seq: Seq,
    pub tick: u64,
    pub attempt: Option<AttemptId>,
    /// Ticks since that attempt began.
    pub elapsed: Option<u64>,
    /// What it was after, for example `mine iron_ore ×3`.
    pub subgoal: Option<String>,
    /// The order under way.
    pub action: Option<String>,
}
