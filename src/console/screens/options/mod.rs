//! Options: what was tried to get something, read where one decides about an entry, an attempt or a step.
//!
//! The rows are those of `pithead memory options`. Invariant: what the list is about stands in its heading.

pub mod page;
pub mod state;
pub mod table;
pub mod update;

#[cfg(test)]
mod tests;
