//! `pithead runs delete`: deletes recordings.
//!
//! Invariant: attempts and knowledge entries outlive the run that made them.

use super::options::{Database, parse_run_id};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::print_document;
use pithead_core::text::numbers::count_with_noun;
use pithead_engine::journal::{Deletion, Durability};
use pithead_world::ids::RunId;
use serde::Serialize;
use std::collections::BTreeSet;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The runs' numbers, as in `pithead runs`
    #[arg(value_name = "RUN", value_parser = parse_run_id, required = true)]
    runs: Vec<RunId>,
    /// Say what would be deleted and what stays, and delete nothing
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

/// What was deleted; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Page {
    schema: u32,
    dry_run: bool,
    deleted: Vec<Deletion>,
}

pub(super) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let runs: BTreeSet<RunId> = args.runs.iter().copied().collect();
    let runs: Vec<RunId> = runs.into_iter().collect();
    // Read-only first: a refused deletion must not open the database for writing.
    let mut deleted = args.database.open_read_only()?.deletions(&runs)?;
    if !args.dry_run {
        let mut journal = args.database.open_with(Durability::Full)?;
        deleted = journal.delete_runs(&runs)?;
    }
    let page = Page {
        schema: 1,
        dry_run: args.dry_run,
        deleted,
    };
    print_document(args.json, &page, text)?;
    Ok(ExitStatus::Done)
}

fn text(page: &Page) -> String {
    let verb = if page.dry_run {
        "would be deleted"
    } else {
        "deleted"
    };
    let mut text = String::new();
    for one in &page.deleted {
        text += &format!(
            "run {}: {} {verb}; {} and {} stay\n",
            one.run,
            count_with_noun(one.events, "event", "events"),
            count_with_noun(number(one.attempts), "attempt", "attempts"),
            count_with_noun(number(one.entries), "entry", "entries"),
        );
    }
    text
}

fn number(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}
