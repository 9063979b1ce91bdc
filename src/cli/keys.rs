//! `pithead keys`: the console's commands with the keys that they have, and whether a file of keys is good.

use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_stdout, to_json};
use crate::config;
use pithead_console::input::bindings::ROWS;
use pithead_console::input::keymap::Keymap;
use pithead_console::input::keys::names;
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
    /// Where own keys are looked for.
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
            let text = pithead_core::text::utf8::read(path)
                .map_err(|error| CommandError::usage(format!("{place} cannot be read: {error}")))?;
            let read = Keymap::read(&text);
            let keymap = read.map_err(|error| CommandError::usage(format!("{place}: {error}")))?;
            (Some(path.clone()), keymap)
        }
        None => (
            config::keys_file(),
            config::keymap().map_err(CommandError::usage)?,
        ),
    };
    let commands: Vec<Line> = ROWS.iter().map(|row| line(row, &keymap)).collect();
    if args.json {
        let listing = Listing {
            schema: 1,
            file,
            commands,
        };
        print_stdout(&to_json(&listing)?);
        return Ok(ExitStatus::Done);
    }
    let mut text = String::new();
    if let Some(file) = file {
        text += &format!("own keys: {}\n\n", file.display());
    }
    for line in commands {
        let keys = line.keys.join(" ");
        text += &format!(
            "{:<20} {:<18} {:<20} {}\n",
            line.name, keys, line.place, line.help
        );
    }
    print_stdout(&text);
    Ok(ExitStatus::Done)
}

fn line(row: &'static pithead_console::input::keys::Row, keymap: &Keymap) -> Line {
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
