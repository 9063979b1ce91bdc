//! Curating the knowledge base: reading an entry, changing it, and going back to what it was.
//!
//! What is wished is tried on what the screen knows, with the rules of the command line, before it is
//! asked for; the database has the last word. Invariant: nothing is decided whose end has not been on
//! the screen, and no text that was written is lost.

pub mod carry_out;
pub(crate) mod draw;
pub mod evidence;
pub mod history;
pub mod overlay;
pub mod pages;
pub mod pair;
pub mod queue;
pub mod record;
pub(crate) mod standing;
pub mod state;
pub mod study;
pub mod study_result;
pub mod update;

#[cfg(test)]
mod tests;
