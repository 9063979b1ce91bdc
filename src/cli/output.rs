//! What the program prints: text for people, and JSON for scripts.
//!
//! Invariant: nothing else writes to standard output or standard error.

use super::outcome::CommandError;
use pithead_core::text::clean::clean_lines;
use serde::Serialize;
use std::io::Write;

/// Prints one JSON document, or what it says in words.
pub(crate) fn print_document<T: Serialize>(
    as_json: bool,
    document: &T,
    text: impl FnOnce(&T) -> String,
) -> Result<(), CommandError> {
    if as_json {
        print_stdout(&to_json(document)?);
    } else {
        print_text(&text(document));
    }
    Ok(())
}

/// Prints text that may quote minds and worlds: no control characters get through.
pub(crate) fn print_text(text: &str) {
    print_stdout(&clean_lines(text));
}

/// One JSON document, indented for people who look at it too.
pub(crate) fn to_json<T: Serialize>(document: &T) -> Result<String, CommandError> {
    serde_json::to_string_pretty(document).map_err(CommandError::unavailable)
}

/// Writes to standard output as it is. A reader that has gone (`| head`) is not an error.
pub(crate) fn print_stdout(text: &str) {
    let mut stdout = std::io::stdout().lock();
    let _ = stdout.write_all(text.as_bytes());
    let _ = if text.ends_with('\n') {
        Ok(())
    } else {
        stdout.write_all(b"\n")
    };
    let _ = stdout.flush();
}

/// Writes a line to standard error; where that has gone there is nobody to tell.
pub(crate) fn print_stderr(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}
