//! The console: one operator supervises a run, or looks at a recorded one, in a terminal.
//!
//! A client of the runtime like any other: events come in and are folded into a `View`, keys become
//! changes of the `Ui` or commands. Invariant: drawing takes shared references only.

pub mod clean;
pub mod numbers;
pub mod view;
