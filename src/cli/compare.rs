//! `pithead compare`: runs side by side, one column each.

use super::options::{Database, parse_run_id};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{Align, print_stdout, text_table, to_json};
use pithead_engine::journal::Journal;
use pithead_engine::runtime::compare::{RUNS_MAX, compare, family, sections};
use pithead_world::ids::RunId;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The runs' numbers, as in `pithead runs`; of one run: with its forks, or with what it was forked from
    #[arg(value_parser = parse_run_id, required = true, num_args = 1..=RUNS_MAX)]
    runs: Vec<RunId>,
    /// Print a JSON array, one object for each run
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let journal = args.database.open_read_only()?;
    let sides = compare(&journal, &runs(&journal, &args.runs)?)?;
    if args.json {
        print_stdout(&to_json(&sides)?);
        return Ok(ExitStatus::Done);
    }
    let mut rows = Vec::new();
    for section in sections(&sides) {
        if !section.title.is_empty() {
            let blank = || vec![String::new(); sides.len()];
            rows.push(std::iter::once(String::new()).chain(blank()).collect());
            rows.push(
                std::iter::once(section.title.to_owned())
                    .chain(blank())
                    .collect(),
            );
        }
        // A mark stands before what differs, so that it is found without comparing.
        rows.extend(section.lines.into_iter().map(|line| {
            let mark = if line.differs() { "*" } else { " " };
            let name = format!("{mark} {}", line.name);
            let row: Vec<String> = std::iter::once(name).chain(line.values).collect();
            row
        }));
    }
    let head = vec![("", Align::Left); sides.len() + 1];
    print_stdout(&text_table(&head, &rows));
    Ok(ExitStatus::Done)
}

/// The runs that are named; one alone stands for its family of forks.
fn runs(journal: &Journal, named: &[RunId]) -> Result<Vec<RunId>, CommandError> {
    let [alone] = named else {
        return Ok(named.to_vec());
    };
    let run = journal.run(*alone)?.id;
    match family(&journal.runs()?, run) {
        all if all.len() > 1 => Ok(all),
        _ => Err(CommandError::usage(format!(
            "run {run} has no forks and is none; name another run to compare it with"
        ))),
    }
}
