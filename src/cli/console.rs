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

impl Args {
    /// Whether an option of the console was given; any command may have a database.
    pub(super) fn is_set(&self) -> bool {
        self.console.is_set()
    }
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    // The lists need a terminal; what they show without one is `runs --json` and `kb list --json`.
    Client::choose(false, false, false)?;
    open_lists(&args.database, &args.console)
}
