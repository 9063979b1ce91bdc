//! `pithead evals`: the evaluations that keep results in folders.

mod note;

pub(in crate::cli) use note::{Noted, put};

use super::options::Database;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_stdout, to_json};
use pithead_core::text::numbers::format_seconds;
use pithead_engine::eval::listing::{EvalState, Evaluation};
use pithead_engine::eval::reader::EvalReader;
use serde::Serialize;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print a JSON array
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

/// An evaluation in the list; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Listed<'a> {
    state: &'static str,
    done: u64,
    total: u64,
    unit: &'static str,
    rate: Option<f64>,
    wilson95: Option<(f64, f64)>,
    left_s: Option<u64>,
    what: &'a str,
    mind: &'a str,
    system: &'a str,
    controller: &'a str,
    folder: &'a str,
    command: &'a str,
    faults: &'a [String],
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let mut reader = EvalReader::new(&args.database.path()?);
    let listing = reader
        .read_changes(None)
        .map_err(CommandError::unavailable)?;
    let all = listing.unwrap_or_default().evaluations;
    let listed: Vec<Listed<'_>> = all.iter().map(|one| list(one)).collect();
    print_stdout(&if args.json {
        to_json(&listed)?
    } else {
        text(&listed)
    });
    Ok(ExitStatus::Done)
}

fn list(of: &Evaluation) -> Listed<'_> {
    Listed {
        state: of.state.name(),
        done: of.done,
        total: of.total,
        unit: of.unit,
        rate: of.rate.map(|rate| rate.rate),
        wilson95: of.rate.map(|rate| (rate.low, rate.high)),
        left_s: of.left_s.filter(|_| of.state == EvalState::Running),
        what: &of.name,
        mind: &of.mind,
        system: &of.system,
        controller: &of.controller,
        folder: &of.folder,
        command: &of.command,
        faults: &of.faults,
    }
}

fn text(listed: &[Listed<'_>]) -> String {
    let mut text = String::from("STATE           DONE      OF   RATE       95 %  LEFT      WHAT\n");
    for l in listed {
        let rate = l.rate.map_or("-".to_owned(), |rate| format!("{rate:.1}"));
        let interval = l
            .wilson95
            .map_or("-".to_owned(), |(low, high)| format!("{low:.1}-{high:.1}"));
        let left = l.left_s.map_or(String::new(), format_seconds);
        let row = format!(
            "{:<12}{:>8}{:>8}{rate:>7}{interval:>11}  {left:<9} ",
            l.state, l.done, l.total
        );
        if l.state == "unreadable" {
            text += &format!("{row}{}\n", l.what);
            continue;
        }
        text += &format!("{row}{} · {} · {}\n", l.what, l.mind, l.system);
        if l.state == "stopped" {
            text += &format!("            go on: {}\n", l.command);
        }
        for fault in l.faults {
            text += &format!("            unread: {fault}\n");
        }
    }
    pithead_core::text::clean::clean_lines(&text)
}
