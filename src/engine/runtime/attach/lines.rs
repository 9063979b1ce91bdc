//! The lines between guest and host: one JSON object each (docs/FORMATS.md, "Attaching").
//!
//! Invariant: a line that was written is read as it was meant, and any other one is a fault, never a panic.

use super::presence::Presence;
use super::shown_name;
use crate::mind::watch::AnswerProgress;
use pithead_core::domain::run::command::Command;
use serde::{Deserialize, Serialize};

/// The form of these lines; another one is refused.
pub(super) const SCHEMA: u32 = 2;
/// Longest line: a plan that an operator has edited is the longest command, a picture the longest notice.
#[cfg(unix)]
pub(super) const LINE_BYTES_MAX: u64 = 1 << 20;
/// Pixels of the largest picture that a guest may ask for; a larger one has no room in a line.
pub(super) const PIXELS_MAX: u32 = 200_000;

/// What a guest says first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    pub schema: u32,
    pub operator: String,
    /// It stays and is told what concerns eyes; others only give a command or two.
    #[serde(default)]
    pub console: bool,
}

/// What a guest says after that. All but `look` are answered, in their order.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GuestLine {
    /// To the run; the first who commands takes the seat.
    Command(Command),
    /// A picture of what the body sees, in so many pixels.
    Look { width: u32, height: u32 },
    /// To have the seat: at once if it is free, else when the commander gives it.
    AskSeat,
    /// To give the seat to another guest.
    GiveSeat { to: u64 },
    /// To let the run stop where it is; it can be resumed.
    Stop,
}

/// What the host says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HostLine {
    /// The run has it; its events tell what came of it.
    Taken,
    Refused(String),
    /// Who is here, whenever that changes.
    Present(Presence),
    /// How far the mind is with its answer; nothing once there is none under way.
    Thinking(Option<AnswerProgress>),
    /// The driver waits for another program that writes to the database, or no longer.
    Waits(bool),
    /// What the body sees.
    Picture {
        width: u32,
        height: u32,
        /// Three bytes a pixel, in base64.
        rgb: String,
    },
    /// The driver ends, for this reason; nobody drives the run after it.
    Stopped(String),
}

/// What a guest says first, if it speaks this form.
pub fn parse_hello(line: &str) -> Result<Hello, String> {
    let hello: Hello = serde_json::from_str(line).map_err(|error| error.to_string())?;
    if hello.schema != SCHEMA {
        return Err(format!(
            "this run speaks form {SCHEMA} of attaching, not {}; use the same version of pithead",
            hello.schema
        ));
    }
    Ok(Hello {
        operator: shown_name(&hello.operator),
        ..hello
    })
}
