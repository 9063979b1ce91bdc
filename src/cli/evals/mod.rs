//! `pithead evals`: lists evaluations that are kept in folders, for the shell and for the console.

mod note;

pub(in crate::cli) use note::{Noted, register};

use super::options::Database;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{Align, print_document, text_table};
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
    print_document(args.json, &listed, |listed| text(listed))?;
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
    if listed.is_empty() {
        return "no evaluation is known to this database; `pithead eval … --out DIR` makes one\n"
            .to_owned();
    }
    let head = [
        ("STATE", Align::Left),
        ("DONE", Align::Right),
        ("OF", Align::Right),
        ("RATE", Align::Right),
        ("95 %", Align::Right),
        ("LEFT", Align::Left),
        ("WHAT", Align::Left),
    ];
    let rows: Vec<_> = listed.iter().map(Listed::cells).collect();
    let mut text = String::new();
    for (at, line) in text_table(&head, &rows).lines().enumerate() {
        text += &format!("{line}\n");
        // Below the line of an evaluation: what to type, and what was not readable.
        if let Some(one) = at.checked_sub(1).map(|at| &listed[at]) {
            text += &one.notes();
        }
    }
    text
}

impl Listed<'_> {
    fn cells(&self) -> Vec<String> {
        let rate = self.rate;
        let interval = self.wilson95;
        let interval = interval.map(|(low, high)| format!("{low:.1}-{high:.1}"));
        let what = match self.state {
            "unreadable" => self.what.to_owned(),
            _ => format!("{} · {} · {}", self.what, self.mind, self.system),
        };
        vec![
            self.state.to_owned(),
            self.done.to_string(),
            self.total.to_string(),
            rate.map_or("-".to_owned(), |rate| format!("{rate:.1}")),
            interval.unwrap_or("-".to_owned()),
            self.left_s.map_or(String::new(), format_seconds),
            what,
        ]
    }

    fn notes(&self) -> String {
        let resume = (self.state == "stopped").then(|| format!("resume with: {}", self.command));
        let faults = self.faults.iter().filter(|_| self.state != "unreadable");
        let faults = faults.map(|fault| format!("not readable: {fault}"));
        let notes = resume.into_iter().chain(faults);
        notes.map(|note| format!("            {note}\n")).collect()
    }
}
