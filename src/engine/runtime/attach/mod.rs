//! Attaching: following a run that another process drives, and deciding in it.
//!
//! Events are read from the journal, which is the truth; only commands go over a socket beside the
//! database, which lives as long as its process. One operator at a time commands, the others observe.

mod guest;
mod host;
#[cfg(test)]
#[cfg(unix)]
mod tests;

use pithead_core::domain::run::command::Command;
use pithead_core::text::clean::without_hidden;
use pithead_world::ids::RunId;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

pub use guest::{Attached, SendError};
pub use host::{Host, Seat};

/// The form of the lines below; another one is refused.
const SCHEMA: u32 = 1;
/// Longest line: a plan that an operator has edited is the longest command.
const LINE_BYTES_MAX: u64 = 1 << 20;

/// What a guest says first.
#[derive(Debug, Serialize, Deserialize)]
struct Hello {
    schema: u32,
    operator: String,
}

/// What a guest asks for after that.
#[derive(Debug, Serialize, Deserialize)]
struct Ask {
    command: Command,
}

/// What the host answers to each line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Reply {
    /// The run has it; its events tell what came of it.
    Taken,
    Refused(String),
}

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

/// Where guests of a run knock.
fn socket(database: &Path, run: RunId) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(format!(".run{run}.sock"));
    PathBuf::from(name)
}
