//! `pithead keys`: the console's commands and their keys, and a check of a key file before it is used.

use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{Align, print_document, text_table};
use crate::config::{self, ConfigError};
use pithead_console::input::bindings::ROWS;
use pithead_console::input::keymap::Keymap;
use pithead_console::input::keys::names;
use pithead_core::text::untrusted_file::{TEXT_BYTES_MAX, read_text};
use serde::Serialize;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Check this file instead of the one in use
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Listing {
    schema: u32,
    /// Where the operator's own keys are read from.
    file: Option<PathBuf>,
    commands: Vec<Line>,
}

#[derive(Debug, Serialize)]
struct Line {
    name: &'static str,
    place: String,
    keys: Vec<String>,
    help: &'static str,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let (file, keymap) = match &args.check {
        Some(path) => {
            let place = path.display();
            let text = read_text(path, TEXT_BYTES_MAX)
                .map_err(|error| CommandError::usage(format!("{place} cannot be read: {error}")))?;
            let read = Keymap::parse(&text);
            let keymap = read.map_err(|error| CommandError::usage(format!("{place}: {error}")))?;
            (Some(path.clone()), keymap)
        }
        None => (
            config::keys_file(),
            configured_keymap().map_err(CommandError::usage)?,
        ),
    };
    let commands: Vec<Line> = ROWS.iter().map(|row| line(row, &keymap)).collect();
    let listing = Listing {
        schema: 1,
        file,
        commands,
    };
    print_document(args.json, &listing, Listing::text)?;
    Ok(ExitStatus::Done)
}

/// The operator's own keys: the file that `PITHEAD_KEYS` names, else `keys.toml` in the user's config
/// folder, else the table's.
pub(super) fn configured_keymap() -> Result<Keymap, ConfigError> {
    let Some(path) = config::keys_file() else {
        return Ok(Keymap::default());
    };
    let fault = |because: String| ConfigError::File {
        path: path.clone(),
        because,
    };
    match read_text(&path, TEXT_BYTES_MAX) {
        Ok(text) => Keymap::parse(&text).map_err(|error| fault(error.to_string())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && !config::are_keys_named() => {
            Ok(Keymap::default())
        }
        Err(error) => Err(fault(error.to_string())),
    }
}

impl Listing {
    fn text(&self) -> String {
        let file = self.file.as_ref();
        let file = file.map_or(String::new(), |file| {
            format!("key file: {}\n\n", file.display())
        });
        let row = |line: &Line| {
            let (name, keys) = (line.name.to_owned(), line.keys.join(" "));
            vec![name, keys, line.place.clone(), line.help.to_owned()]
        };
        let rows: Vec<_> = self.commands.iter().map(row).collect();
        let head = [
            ("COMMAND", Align::Left),
            ("KEYS", Align::Left),
            ("WHERE", Align::Left),
            ("WHAT IT DOES", Align::Left),
        ];
        file + &text_table(&head, &rows)
    }
}

fn line(row: &'static pithead_console::input::keys::Binding, keymap: &Keymap) -> Line {
    let scope = [row.scope];
    let keys = keymap
        .rows(&scope)
        .find(|(other, _)| other.name == row.name);
    let keys = keys.map_or(&[][..], |(_, keys)| keys);
    Line {
        name: row.name,
        place: row.scope.title(),
        keys: keys.iter().map(|key| names(&[*key])).collect(),
        help: row.help,
    }
}
