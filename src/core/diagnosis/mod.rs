//! Diagnosis: what came of an attempt, and why. Pure; the verdict explains itself.
//!
//! `monitor` reads checks, `stall` watches a running attempt, `classify` names the reason of an
//! ended one. Invariant: same evidence and thresholds, same verdict and trace.

pub mod attempt_window;
pub mod classify;
mod ground;
pub mod indicators;
mod inferred;
mod lacks;
pub mod monitor;
pub mod observables;
mod predicates;
mod progress;
mod reports;
pub mod series;
pub mod shelter;
pub mod stall;
pub mod table;
mod trace;
pub mod whatif;
mod window;

#[cfg(test)]
mod cases;
