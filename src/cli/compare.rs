//! `pithead compare`: runs beside each other.

use super::options::{Database, run_id};
use crate::app::{self, Exit, Fault, out};
use pithead_core::text::clean::clean_line;
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

pub(crate) fn perform(args: &Args) -> Result<Exit, Fault> {
    let sides = compare(&args.database.look()?, &args.runs)?;
    if args.json {
        out(&app::to_json(&sides)?);
        return Ok(Exit::Done);
    }
    let mut text = String::new();
    for line in lines(&sides) {
        let mark = if line.differs() { '*' } else { ' ' };
        text += &format!("{mark} {:<20}", line.name);
        for value in &line.values {
            text += &format!("  {:<28}", clean_line(value));
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    out(&text);
    Ok(Exit::Done)
}
