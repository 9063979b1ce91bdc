//! The lines between guest and host: one JSON object each.
//!
//! Invariant: a line that was written is read as it was meant, and any other one is a fault, never a panic.

use super::shown_name;
use pithead_core::domain::run::command::Command;
use serde::{Deserialize, Serialize};

/// The form of these lines; another one is refused.
pub(super) const SCHEMA: u32 = 1;
/// Longest line: a plan that an operator has edited is the longest command.
#[cfg(unix)]
pub(super) const LINE_BYTES_MAX: u64 = 1 << 20;

/// What a guest says first.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Hello {
    pub(super) schema: u32,
    pub(super) operator: String,
}

/// What a guest asks for after that.
#[derive(Debug, Serialize, Deserialize)]
pub struct SentCommand {
    pub command: Command,
}

/// What the host answers to each line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// The run has it; its events tell what came of it.
    Taken,
    Refused(String),
}

/// The guest's name, from its first line.
pub fn parse_hello(line: &str) -> Result<String, String> {
    let hello: Hello = serde_json::from_str(line).map_err(|error| error.to_string())?;
    if hello.schema != SCHEMA {
        return Err(format!(
            "this run speaks form {SCHEMA} of attaching, not {}; use the same version of pithead",
            hello.schema
        ));
    }
    Ok(shown_name(&hello.operator))
}
