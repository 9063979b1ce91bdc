//! `pithead console`: the console over everything in the database, with no run started.

use super::options::{ConsoleOptions, Database};
use super::watching::open_lists;
use crate::cli::client::Client;
use crate::cli::outcome::{CommandError, ExitStatus};

#[derive(Debug, clap::Args, Default)]
pub(crate) struct Args {
    #[command(flatten)]
    console: ConsoleOptions,
    #[command(flatten)]
    database: Database,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    // The lists need a terminal; what they show without one is `runs --json` and `kb list --json`.
    Client::choose(false, false, false)?;
    open_lists(&args.database, &args.console)
}
