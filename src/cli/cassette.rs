//! `pithead cassette`: a run's questions and answers as a file, to replay the run without a network.

use super::options::{Database, parse_run_id};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::print_stdout;
use crate::config::minds;
use pithead_core::text::numbers::count_with_noun;
use pithead_world::ids::RunId;
use std::path::PathBuf;

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Write a run's answers to a file, from which `--mind recorded:FILE` answers
    Export(Export),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Export {
    /// The run's number, as in `pithead runs`
    #[arg(value_parser = parse_run_id)]
    run: RunId,
    /// The file; compressed if its name ends in .gz [default: runN.cassette.gz]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite the file if it exists
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    database: Database,
}

pub(crate) fn perform(command: &Command) -> Result<ExitStatus, CommandError> {
    let Command::Export(args) = command;
    let cassette = minds::cassette_of_run(&args.database.open_read_only()?, args.run)?;
    let usual = || PathBuf::from(format!("run{}.cassette.gz", args.run));
    let path = args.out.clone().unwrap_or_else(usual);
    if path.exists() && !args.force {
        return Err(CommandError::usage(format!(
            "{} already exists; name another file, or overwrite it with --force",
            path.display()
        )));
    }
    cassette.write(&path).map_err(CommandError::unavailable)?;
    print_stdout(&format!(
        "{} written to {}",
        count_with_noun(cassette.answers.len(), "question", "questions"),
        path.display()
    ));
    Ok(ExitStatus::Done)
}
