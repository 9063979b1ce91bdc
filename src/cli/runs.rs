//! `pithead runs`: the runs of the database, and commands over many of them.

use super::options::Database;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{Align, print_document, text_table};
use pithead_engine::journal::RunRow;
use serde::Serialize;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// Print a JSON array
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// List the runs of the database
    List(List),
    /// Show one run: plan, attempts, decisions, knowledge
    Show(super::show::Args),
    /// Compare runs side by side: outcome, failures, knowledge, costs
    Compare(super::compare::Args),
    /// Count why steps failed, over some runs or all
    Causes(super::causes::Args),
    /// List, set or remove the bookmarks of a run
    Bookmarks(super::bookmarks::Args),
    /// Write a run as OpenTelemetry or as a log of Inspect
    Export(super::export::Args),
    /// End runs, driven or left, with a reason
    Abort(super::bulk::Abort),
    /// Resume runs that are paused, and, each in its own background process, runs that were left
    Resume(super::bulk::Resume),
    /// Delete recordings; the attempts and knowledge entries of these runs stay
    Delete(super::delete::Args),
}

/// The list by its own name.
#[derive(Debug, clap::Args)]
struct List {
    /// Print a JSON array
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

/// A run in the list; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Line {
    run: u64,
    task: String,
    seed: u64,
    mind: String,
    system: String,
    state: &'static str,
    because: Option<String>,
    started_ms: u64,
    ended_ms: Option<u64>,
    ticks: u64,
    attempts: u64,
    failed_attempts: u64,
    events: u64,
    /// The run it was forked from, and the last event that both have.
    #[serde(skip_serializing_if = "Option::is_none")]
    forked_from: Option<Forked>,
}

#[derive(Debug, Serialize)]
struct Forked {
    run: u64,
    event: u64,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    match &args.command {
        Some(_) if args.json => Err(CommandError::usage(
            "--json before a command of `pithead runs` says nothing; write it behind the command",
        )),
        Some(Command::List(own)) => list(own.json, &own.database),
        Some(Command::Show(args)) => super::show::perform(args),
        Some(Command::Compare(args)) => super::compare::perform(args),
        Some(Command::Causes(args)) => super::causes::perform(args),
        Some(Command::Bookmarks(args)) => super::bookmarks::perform(args),
        Some(Command::Export(args)) => super::export::perform(args),
        Some(Command::Abort(args)) => super::bulk::abort(args),
        Some(Command::Resume(args)) => super::bulk::resume(args),
        Some(Command::Delete(args)) => super::delete::perform(args),
        None => list(args.json, &args.database),
    }
}

fn list(json: bool, database: &Database) -> Result<ExitStatus, CommandError> {
    let lines: Vec<Line> = database
        .open_read_only()?
        .runs()?
        .into_iter()
        .map(line_of_run)
        .collect();
    print_document(json, &lines, |lines| table_of_runs(lines))?;
    Ok(ExitStatus::Done)
}

fn table_of_runs(lines: &[Line]) -> String {
    let head = [
        ("RUN", Align::Right),
        ("STATE", Align::Left),
        ("TICKS", Align::Right),
        ("ATTEMPTS", Align::Right),
        ("FAILED", Align::Right),
        ("SEED", Align::Right),
        ("TASK", Align::Left),
    ];
    let row = |line: &Line| {
        let origin = line.forked_from.as_ref().map_or(String::new(), |from| {
            format!("  (forked from run {} at event {})", from.run, from.event)
        });
        vec![
            line.run.to_string(),
            line.state.to_owned(),
            line.ticks.to_string(),
            line.attempts.to_string(),
            line.failed_attempts.to_string(),
            line.seed.to_string(),
            format!("{}{origin}", line.task),
        ]
    };
    text_table(&head, &lines.iter().map(row).collect::<Vec<_>>())
}

fn line_of_run(row: RunRow) -> Line {
    let state = row.state();
    Line {
        run: row.id.0,
        task: row.task,
        seed: row.seed,
        mind: row.mind,
        system: row.system,
        state,
        because: row.because,
        started_ms: row.started.0,
        ended_ms: row.ended.map(|at| at.0),
        ticks: row.ticks,
        attempts: row.attempts,
        failed_attempts: row.failed,
        events: row.events,
        forked_from: row.origin.map(|(run, event)| Forked {
            run: run.0,
            event: event.0,
        }),
    }
}
