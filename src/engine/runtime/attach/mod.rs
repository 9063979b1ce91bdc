//! Attaching: following a run that another process drives, and deciding in it.
//!
//! Events are read from the journal, which is the truth; only commands go over a socket, which
//! lives as long as its process. One operator at a time commands, the others observe.

#[cfg(unix)]
mod door;
mod guest;
mod host;
pub mod lines;
#[cfg(unix)]
mod news;
pub mod presence;
#[cfg(unix)]
mod seats;
#[cfg(test)]
#[cfg(unix)]
mod tests;
#[cfg(unix)]
mod voice;

use pithead_core::text::clean::without_hidden;

pub use guest::{Attached, GuestKind, SendError};
pub use host::{Host, Seat};

/// Longest name of an operator, in characters: it stands in every event that came of a command.
const NAME_MAX: usize = 64;

/// A name as a host writes it into events.
#[must_use]
pub fn shown_name(name: &str) -> String {
    without_hidden(name)
        .chars()
        .filter(|c| !c.is_control())
        .take(NAME_MAX)
        .collect()
}
