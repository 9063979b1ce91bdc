//! `pithead compare`: runs beside each other.

use super::options::{Database, run_id};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_stdout, to_json};
use pithead_engine::runtime::compare::{RUNS_MAX, compare, lines};
use pithead_world::ids::RunId;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The runs' numbers, two or more, as in `pithead runs`
    #[arg(value_parser = run_id, required = true, num_args = 2..=RUNS_MAX)]
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
    let mut text = String::new();
    for line in lines(&sides) {
        let mark = if line.differs() { '*' } else { ' ' };
        text += &format!("{mark} {:<20}", line.name);
        for value in &line.values {
            text += &format!("  {:<28}", pithead_core::text::clean::clean_line(value));
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    print_stdout(&text);
    Ok(ExitStatus::Done)
}
