//! `pithead console`: the console over everything in the database, with no run started.

use super::options::{Database, Look};
use crate::app::{self, Client, Exit, Fault};

#[derive(Debug, clap::Args, Default)]
pub(crate) struct Args {
    #[command(flatten)]
    look: Look,
    #[command(flatten)]
    database: Database,
}

pub(crate) fn perform(args: &Args) -> Result<Exit, Fault> {
    // The lists need a terminal; what they show without one is `runs --json` and `kb list --json`.
    Client::choose(false, false, false)?;
    app::console_lists(&args.database.sitting(&args.look)?)
}
