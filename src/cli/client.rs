//! Who watches a run: the console, or nobody but a script.

use super::outcome::CommandError;
use super::output::is_stdout_terminal;
use std::io::IsTerminal;

/// The client of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Client {
    Console,
    Headless { json: bool, verbose: bool },
}

impl Client {
    /// The client that was asked for, if there is a terminal for it.
    pub(crate) fn choose(headless: bool, json: bool, verbose: bool) -> Result<Self, CommandError> {
        if headless || json {
            return Ok(Self::Headless { json, verbose });
        }
        if std::io::stdin().is_terminal() && is_stdout_terminal() {
            return Ok(Self::Console);
        }
        Err(
            CommandError::usage("the console needs a terminal, and there is none here")
                .hint("add --headless, or --json"),
        )
    }
}
