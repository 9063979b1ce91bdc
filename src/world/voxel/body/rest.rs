//! How the body rests, as a value: the bed it lies in, and the ticks of the day it has slept through.
//!
//! `bed` changes it. Invariant: `slept` never decreases.

use crate::space::Pos;

/// How the body rests.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rest {
    /// The bed and the ticks in it so far.
    pub asleep: Option<(Pos, u32)>,
    /// Ticks of the day that were slept through since the start.
    pub slept: u64,
    /// Health at lying down; whoever is hurt below it wakes.
    pub(in crate::voxel) health: f32,
}
