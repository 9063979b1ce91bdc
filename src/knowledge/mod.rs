//! Knowledge: what experience is distilled into, and the words for it.
//!
//! Pure: the entries themselves are kept by the journal and moved along by the agent's events.

pub mod deadlock;
pub mod skills;
pub mod title;
