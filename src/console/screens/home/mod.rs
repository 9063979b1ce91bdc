//! Home: what goes on, what can be started, and the form that describes a new run.
//!
//! Worlds and minds are made by the engine's `Launcher`. Invariant: starting happens in a thread of its
//! own, so that no key waits for it.

pub(crate) mod draw;
pub mod form;
pub mod launch;
pub mod starters;
pub(crate) mod table;
pub mod tasks;
pub(crate) mod update;
pub mod wall;
