//! The console: one operator supervises a run, or looks at a recorded one, in a terminal.
//!
//! A client of the runtime like any other: events come in and are folded into a `View`, keys become
//! changes of the `Ui` or commands. Invariant: drawing takes shared references only.

mod answer;
mod cast;
mod clipboard;
pub mod curate;
pub mod debug;
pub mod desk;
pub mod draw;
mod edge;
pub mod edit;
pub mod evals;
pub mod export;
pub mod feed;
#[cfg(test)]
mod hostile_tests;
pub mod inbox;
pub mod keys;
mod look;
pub mod msg;
mod outside;
pub mod pages;
pub mod panes;
pub mod pictures;
pub mod player;
pub mod remember;
pub mod rich;
mod run;
pub mod screen;
pub mod select;
mod session;
pub mod shell;
pub mod sitting;
pub mod start;
pub mod table;
mod terminal;
#[cfg(test)]
pub(crate) mod testing;
pub mod theme;
pub mod ui;
pub mod update;
pub mod view;

pub use feed::Feed;
pub use msg::Exit;
pub use run::{ConsoleError, Departure, Options, run};
