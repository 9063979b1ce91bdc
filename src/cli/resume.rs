//! `pithead resume`: go on with a run that was left or killed.

use super::options::{Database, Watching, breakpoint, run_id, set_breaks};
use super::watching::watch;
use crate::cli::client::Client;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::config;
use pithead_core::domain::run::breakpoint::On;
use pithead_core::domain::run::command::Command;
use pithead_engine::runtime::{self, Parts};
use pithead_world::clock::Clock;
use pithead_world::ids::RunId;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The run's number, as in `pithead runs`
    #[arg(value_parser = run_id)]
    run: RunId,
    /// Stop there (any number of times); see `pithead run --help`
    #[arg(long = "break", value_name = "BREAKPOINT", value_parser = breakpoint)]
    breaks: Vec<On>,
    #[command(flatten)]
    watching: Watching,
    #[command(flatten)]
    database: Database,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let client = args.watching.client()?;
    // Looked for first: `resume` must not make a database.
    args.database.open_read_only()?;
    drive(
        args.run,
        client,
        &args.watching,
        &args.database,
        &args.breaks,
    )
}

/// Drives a run that lies in the database on from where it is.
pub(super) fn drive(
    run: RunId,
    client: Client,
    watching: &Watching,
    database: &Database,
    breaks: &[On],
) -> Result<ExitStatus, CommandError> {
    let journal = database.open_for(client)?;
    let config = runtime::config_of(&journal, run)?;
    let is_paused = journal.is_paused(run)?;
    let world = config::body(&config, None).map_err(CommandError::unavailable)?;
    let mind = config::mind(&config, Some(&journal)).map_err(CommandError::unavailable)?;
    let pace = watching.pace(client);
    let embedder = super::options::embedder(&journal)?;
    let parts = Parts {
        journal,
        world,
        mind,
        embedder,
        clock: Clock::System,
        pace,
        operator: config::operator(),
    };
    let mut first = set_breaks(breaks);
    // Without a console nobody else could let a paused run go on.
    if is_paused && matches!(client, Client::Headless { .. }) {
        first.push(Command::Resume);
    }
    let link = runtime::resume_with(run, parts, first)?;
    watch(link, client, database, &watching.console)
}
