//! The operator's part: commands, answers to questions, and the steering of a run under way.
//!
//! Invariant: every command becomes events or one refusal that says why.

pub(super) mod answers;
pub(super) mod commands;
pub(super) mod steering;
