//! `pithead cassette`: a run's questions and answers as a file, for replaying without a network.

use super::options::{Database, run_id};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::print_stdout;
use crate::config::minds;
use pithead_world::ids::RunId;
use std::path::PathBuf;

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Write the answers of a run to a file; `--mind recorded:FILE` answers from it
    Export(Export),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Export {
    /// The run's number, as in `pithead runs`
    #[arg(value_parser = run_id)]
    run: RunId,
    /// The file; gzipped if its name ends in .gz [default: runN.cassette.gz]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file if it is there
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    database: Database,
}

pub(crate) fn perform(command: &Command) -> Result<ExitStatus, CommandError> {
    let Command::Export(args) = command;
    let cassette = minds::cassette(&args.database.open_read_only()?, args.run)?;
    let usual = || PathBuf::from(format!("run{}.cassette.gz", args.run));
    let path = args.out.clone().unwrap_or_else(usual);
    if path.exists() && !args.force {
        return Err(CommandError::usage(format!(
            "{} is there already; name another file, or replace it with --force",
            path.display()
        )));
    }
    cassette.write(&path).map_err(CommandError::unavailable)?;
    print_stdout(&format!(
        "{} questions written to {}",
        cassette.answers.len(),
        path.display()
    ));
    Ok(ExitStatus::Done)
}
