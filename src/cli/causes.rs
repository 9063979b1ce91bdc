//! `pithead causes`: why subgoals failed, over some runs or all, as a table of counts.

use super::options::{Database, run_id};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_stdout, to_json};
use pithead_core::text::clean::clean_line;
use pithead_engine::runtime::heat::{FAILURES_MAX, Heat};
use pithead_world::ids::RunId;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The runs' numbers [default: all runs]
    #[arg(value_parser = run_id)]
    runs: Vec<RunId>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let journal = args.database.open_read_only()?;
    let runs = if args.runs.is_empty() {
        journal.runs()?.iter().map(|row| row.id).collect()
    } else {
        // A run that is not there is told and not counted as one without failures.
        let known = args.runs.iter().map(|run| journal.run(*run));
        let known = known.collect::<Result<Vec<_>, _>>()?;
        known.iter().map(|row| row.id).collect::<Vec<_>>()
    };
    let heat = Heat::of(&journal.failures(&runs, FAILURES_MAX)?);
    print_stdout(&if args.json {
        to_json(&heat)?
    } else {
        text(&heat)
    });
    Ok(ExitStatus::Done)
}

fn text(heat: &Heat) -> String {
    let mut text = format!("{:<28}{:>6}", "SUBGOAL", "RUNS");
    for reason in &heat.reasons {
        text += &format!("  {:>8}", clean_line(reason));
    }
    text.push('\n');
    for row in &heat.rows {
        text += &format!("{:<28}{:>6}", clean_line(&row.subgoal), row.runs);
        for (n, reason) in row.counts.iter().zip(&heat.reasons) {
            let wide = reason.chars().count().max(8);
            text += &format!(
                "  {:>wide$}",
                if *n == 0 {
                    "·".to_owned()
                } else {
                    n.to_string()
                }
            );
        }
        text.push('\n');
    }
    text + &format!("{} failed attempts in {} runs\n", heat.failures, heat.runs)
}
