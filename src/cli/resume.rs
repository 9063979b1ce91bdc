//! `pithead resume`: go on with a run that was left or killed.

use super::options::{Database, Watching, run_id};
use crate::app::{self, Exit, Fault};
use crate::clock::Clock;
use crate::config;
use crate::ids::RunId;
use crate::runtime::{self, Parts};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The run's number, as in `pithead runs`
    #[arg(value_parser = run_id)]
    run: RunId,
    #[command(flatten)]
    watching: Watching,
    #[command(flatten)]
    database: Database,
}

pub(crate) fn perform(args: &Args) -> Result<Exit, Fault> {
    let client = args.watching.client()?;
    // Looked for first: `resume` must not make a database.
    args.database.look()?;
    let journal = args.database.open(client)?;
    let config = runtime::config_of(&journal, args.run)?;
    let world = config::body(&config, None).map_err(Fault::unavailable)?;
    let mind = config::mind(&config, Some(&journal)).map_err(Fault::unavailable)?;
    let pace = args.watching.pace(client);
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
    app::watch(
        runtime::resume(args.run, parts)?,
        client,
        &args.database.sitting(&args.watching.look)?,
        &args.database.resume(args.run),
    )
}
