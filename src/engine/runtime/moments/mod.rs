//! Moments: places of a recorded run that are asked for by what was so, or by what became of a value.
//!
//! A run is walked through its frames; plan, attempt and action tell what was under way at each.
//! Invariant: only what the frames of the journal show is told; between two frames nothing is known.

mod truths;
mod values;
mod walk;

pub use truths::became_true;
pub use values::{Value, Write, last_write, writes};

use pithead_world::ids::{AttemptId, Seq};
use serde::Serialize;

/// A place of a run, and what was under way there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Moment {
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
