//! The console: one operator supervises a run, or looks at a recorded one, in a terminal.
//!
//! A client of the runtime like any other: events come in and are folded into a `View`, keys become
//! changes of the `Ui` or commands. Invariant: drawing takes shared references only.

mod available;
pub mod cache;
pub mod context;
pub mod draw;
pub(crate) mod edge;
pub mod effect;
pub mod export;
pub mod feed;
pub mod input;
pub mod lists;
pub mod msg;
pub(crate) mod operations;
pub(crate) mod options;
pub mod overlay;
pub mod overlays;
pub mod recording;
pub mod remember;
pub(crate) mod run;
pub mod saved_views;
pub mod screen;
pub mod screens;
pub(crate) mod session;
pub mod shell;
mod subjects;
mod tabs;
pub mod terminal;
pub mod theme;
pub mod triage;
pub mod update;
pub mod view;
pub mod widgets;

pub use crate::effect::Leaving;
pub use crate::feed::Feed;
pub use crate::options::{ConsoleError, Departure, Options};
pub use crate::run::run;

#[cfg(test)]
mod hostile_tests;

#[cfg(test)]
mod list_tests;
#[cfg(test)]
mod looks_tests;

#[cfg(test)]
pub(crate) mod testing;
