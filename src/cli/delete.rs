//! `pithead runs delete`: recordings go, what was learnt in them stays.

use super::options::{Database, run_id};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_stdout, to_json};
use pithead_core::text::numbers::{count_with_noun, format_count};
use pithead_engine::journal::{Deletion, Durability};
use pithead_world::ids::RunId;
use serde::Serialize;
use std::collections::BTreeSet;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The runs' numbers, as in `pithead runs`
    #[arg(value_name = "RUN", value_parser = run_id, required = true)]
    runs: Vec<RunId>,
    /// Say what would go and what stays, and delete nothing
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

/// What came of it; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Page {
    schema: u32,
    dry_run: bool,
    deleted: Vec<Deletion>,
}

pub(super) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let runs: BTreeSet<RunId> = args.runs.iter().copied().collect();
    let runs: Vec<RunId> = runs.into_iter().collect();
    // Looking first: what is refused opens nothing for writing.
    let mut deleted = args.database.open_read_only()?.deletions(&runs)?;
    if !args.dry_run {
        let mut journal = args.database.open_with(Durability::Full)?;
        deleted = journal.delete_runs(&runs)?;
    }
    if args.json {
        print_stdout(&to_json(&Page {
            schema: 1,
            dry_run: args.dry_run,
            deleted,
        })?);
        return Ok(ExitStatus::Done);
    }
    let verb = if args.dry_run { "would go" } else { "deleted" };
    let mut text = String::new();
    for one in &deleted {
        text += &format!(
            "run {}: {} events {verb}; {} and {} stay\n",
            one.run,
            format_count(one.events),
            count_with_noun(number(one.attempts), "attempt", "attempts"),
            count_with_noun(number(one.entries), "entry", "entries"),
        );
    }
    print_stdout(&text);
    Ok(ExitStatus::Done)
}

fn number(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}
