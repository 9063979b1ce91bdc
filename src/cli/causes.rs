//! `pithead causes`: why steps failed, over some runs or all, as a table of counts.

use super::options::{Database, parse_run_id};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{Align, print_document, text_table};
use pithead_core::text::numbers::count_with_noun;
use pithead_engine::runtime::failure_heatmap::{FAILURES_MAX, FailureHeatmap, HeatmapRow};
use pithead_world::ids::RunId;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The runs' numbers [default: all runs]
    #[arg(value_parser = parse_run_id)]
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
        // A missing run is an error here: counted, it would look like a run without failures.
        let known = args.runs.iter().map(|run| journal.run(*run));
        let known = known.collect::<Result<Vec<_>, _>>()?;
        known.iter().map(|row| row.id).collect::<Vec<_>>()
    };
    let heat = FailureHeatmap::from_failures(&journal.failures(&runs, FAILURES_MAX)?);
    print_document(args.json, &heat, text)?;
    Ok(ExitStatus::Done)
}

fn text(heat: &FailureHeatmap) -> String {
    let mut head = vec![("STEP", Align::Left), ("RUNS", Align::Right)];
    head.extend(
        heat.reasons
            .iter()
            .map(|reason| (reason.as_str(), Align::Right)),
    );
    let count = |n: &u64| match n {
        0 => "·".to_owned(), // so that the counts stand out
        n => n.to_string(),
    };
    let row = |row: &HeatmapRow| {
        let name = [row.subgoal.clone(), row.runs.to_string()];
        name.into_iter()
            .chain(row.counts.iter().map(count))
            .collect()
    };
    let rows: Vec<Vec<String>> = heat.rows.iter().map(row).collect();
    let failures = count_with_noun(heat.failures, "failed attempt", "failed attempts");
    let runs = count_with_noun(heat.runs, "run", "runs");
    format!("{}{failures} in {runs}\n", text_table(&head, &rows))
}
