//! `pithead compare`: runs side by side, one column each.

use super::options::{Database, parse_run_id};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{Align, print_stdout, text_table, to_json};
use pithead_engine::runtime::compare::{RUNS_MAX, compare, lines};
use pithead_world::ids::RunId;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The runs' numbers, two or more, as in `pithead runs`
    #[arg(value_parser = parse_run_id, required = true, num_args = 2..=RUNS_MAX)]
    runs: Vec<RunId>,
    /// Print a JSON array, one object for each run
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let sides = compare(&args.database.open_read_only()?, &args.runs)?;
    if args.json {
        print_stdout(&to_json(&sides)?);
        return Ok(ExitStatus::Done);
    }
    // A mark stands before what differs, so that it is found without comparing.
    let rows = lines(&sides).into_iter().map(|line| {
        let mark = if line.differs() { "*" } else { " " };
        let name = format!("{mark} {}", line.name);
        std::iter::once(name).chain(line.values).collect()
    });
    let head = vec![("", Align::Left); sides.len() + 1];
    print_stdout(&text_table(&head, &rows.collect::<Vec<_>>()));
    Ok(ExitStatus::Done)
}
