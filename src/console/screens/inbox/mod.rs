//! The inbox of all runs: what waits, what was decided and how it is taken back, and the saved rules.
//!
//! A question that blocks a run, or whose clock runs, is answered on that run's own screen, where it is
//! held while it is read. Entries are read and decided here, alone or several alike at once.
//! Invariant: nothing is decided whose end has not been on the screen.

pub mod carry_out;
pub mod decisions;
pub(crate) mod draw;
pub mod overlay;
pub mod pages;
pub mod state;
pub mod tables;
pub mod undo;
pub mod update;

#[cfg(test)]
mod tests;
