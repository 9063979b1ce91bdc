//! Starting runs from the console: what is wished, and who can do it.
//!
//! The console knows no worlds and no minds; the program's edge gives it a `Starter`. Invariant:
//! starting happens in a thread of its own, so that no key waits for it.

pub(crate) mod draw;
pub mod form;
pub mod launch;
pub(crate) mod table;
pub mod tasks;
pub(crate) mod update;
