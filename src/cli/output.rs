//! What the program prints: text for people, and JSON for scripts.
//!
//! Invariant: nothing else writes to standard output or standard error, and no control character and no hidden
//! one leaves here, whatever a caller forgot.

use super::outcome::CommandError;
use pithead_core::text::clean::{clean_line, clean_lines, clean_output, escape_hidden_json};
use serde::Serialize;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use unicode_width::UnicodeWidthStr;

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
    let json = serde_json::to_string_pretty(document).map_err(CommandError::unavailable)?;
    Ok(escape_hidden_json(&json))
}

/// Why standard output could not be written, the first time; a program that says "done" has printed all.
static FAULT: OnceLock<String> = OnceLock::new();

/// Writes to standard output. A reader that has gone (`| head`) is not an error; any other fault is one
/// when the command is over.
pub(crate) fn print_stdout(text: &str) {
    match write_stdout(text) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            FAULT.get_or_init(|| error.to_string());
        }
        Ok(()) | Err(_) => (),
    }
}

/// The error of a command whose output could not be written.
pub(crate) fn output_fault() -> Option<CommandError> {
    let because = FAULT.get()?;
    Some(CommandError::unavailable(format!(
        "the output could not be written: {because}"
    )))
}

/// Writes whole lines to standard output, or says why not.
#[expect(clippy::disallowed_methods, reason = "the one writer")]
pub(crate) fn write_stdout(text: &str) -> std::io::Result<()> {
    let text = clean_output(text);
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        stdout.write_all(b"\n")?;
    }
    stdout.flush()
}

/// Writes a line to standard error; where that has gone there is nobody to tell.
#[expect(clippy::disallowed_methods, reason = "the one writer")]
pub(crate) fn print_stderr(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", clean_output(text));
}

/// Whether a person reads standard output.
#[expect(clippy::disallowed_methods, reason = "nothing is written")]
pub(crate) fn is_stdout_terminal() -> bool {
    std::io::stdout().is_terminal()
}

/// Whether a person reads standard error.
#[expect(clippy::disallowed_methods, reason = "nothing is written")]
pub(crate) fn is_stderr_terminal() -> bool {
    std::io::stderr().is_terminal()
}

/// On which side of its column a cell stands: names left, numbers right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// What `--columns` asked for, and which of it some table had.
#[derive(Debug, Default)]
struct ChosenColumns {
    wanted: Vec<String>,
    found: Vec<bool>,
    /// The columns of the tables that were printed.
    there: Vec<String>,
}

static CHOSEN: Mutex<Option<ChosenColumns>> = Mutex::new(None);

/// From now on tables have these columns only; none asks for nothing.
pub(crate) fn choose_columns(wanted: Vec<String>) {
    let found = vec![false; wanted.len()];
    let chosen = ChosenColumns {
        wanted,
        found,
        there: Vec::new(),
    };
    *chosen_columns() = Some(chosen).filter(|chosen| !chosen.wanted.is_empty());
}

fn chosen_columns() -> MutexGuard<'static, Option<ChosenColumns>> {
    // A panic while it was held leaves nothing half done.
    CHOSEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The error of a command none of whose tables had a column that was asked for.
pub(crate) fn columns_fault() -> Option<CommandError> {
    let chosen = chosen_columns().take()?;
    let missing = chosen.wanted.iter().zip(&chosen.found);
    let missing = missing.filter_map(|(name, found)| (!found).then_some(name));
    let name = missing.into_iter().next()?;
    Some(CommandError::usage(if chosen.there.is_empty() {
        "--columns chooses the columns of tables, and this command printed none".to_owned()
    } else {
        let there = chosen.there.join(", ");
        format!("there is no column `{name}`; the columns are {there}")
    }))
}

/// The places of the columns that are to be printed.
fn places(head: &[(&str, Align)]) -> Vec<usize> {
    let all = || (0..head.len()).collect();
    let mut chosen = chosen_columns();
    let Some(chosen) = chosen.as_mut() else {
        return all();
    };
    let named = |name: &str| name.trim().to_lowercase();
    let mut places = Vec::new();
    for (wanted, found) in chosen.wanted.iter().zip(&mut chosen.found) {
        let place = head
            .iter()
            .position(|(name, _)| named(name) == named(wanted));
        *found |= place.is_some();
        places.extend(place);
    }
    let names = head.iter().map(|(name, _)| named(name));
    let names = names.filter(|name| !name.is_empty() && !chosen.there.contains(name));
    let names: Vec<String> = names.collect();
    chosen.there.extend(names);
    // A table without names is not meant. One that has none of them is the wrong one, and the fault tells.
    if head.iter().all(|(name, _)| name.is_empty()) {
        all()
    } else {
        places
    }
}

/// A table, its columns as wide as their widest cells. A head without any names is left out.
pub(crate) fn text_table(head: &[(&str, Align)], rows: &[Vec<String>]) -> String {
    let places = places(head);
    if places.is_empty() {
        return String::new();
    }
    let picked = |row: &Vec<String>| {
        let cells = places.iter().map(|at| row.get(*at).cloned());
        cells.map(Option::unwrap_or_default).collect()
    };
    let rows: Vec<Vec<String>> = rows.iter().map(picked).collect();
    let head: Vec<(&str, Align)> = places.iter().map(|at| head[*at]).collect();
    aligned(&head, &rows)
}

fn aligned(head: &[(&str, Align)], rows: &[Vec<String>]) -> String {
    let names: Vec<String> = head.iter().map(|(name, _)| (*name).to_owned()).collect();
    let has_names = names.iter().any(|name| !name.is_empty());
    let cells: Vec<Vec<String>> = std::iter::once(&names)
        .filter(|_| has_names)
        .chain(rows)
        .map(|row| row.iter().map(|cell| clean_line(cell)).collect())
        .collect();
    let width = |at: usize| {
        let column = cells.iter().filter_map(|row| row.get(at));
        column.map(|cell| cell.width()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let mut text = String::new();
    for row in &cells {
        let mut line = String::new();
        for ((cell, wide), (_, align)) in row.iter().zip(&widths).zip(head) {
            let pad = " ".repeat(wide - cell.width());
            line += &match align {
                Align::Left => format!("{cell}{pad}  "),
                Align::Right => format!("{pad}{cell}  "),
            };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// A table of words without names above its columns. An empty first cell in each row indents it.
pub(crate) fn text_columns(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    text_table(&vec![("", Align::Left); columns], rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows =
            [["k1.1", "7"], ["k1.10", "鉄\u{1b}"]].map(|row| row.map(str::to_owned).to_vec());
        let table = text_table(&[("ID", Align::Left), ("SHOWN", Align::Right)], &rows);
        assert_eq!(table, "ID     SHOWN\nk1.1       7\nk1.10    鉄·\n");
        let bare = text_table(&[("", Align::Left), ("", Align::Left)], &rows[..1]);
        assert_eq!(bare, "k1.1  7\n");
    }
}
