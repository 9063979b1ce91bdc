//! `pithead watch`: follow a run that another process drives, and decide in it.

use super::options::Shown;
use super::watching::watch_attached;
use crate::cli::client::Client;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::config;
use pithead_engine::runtime::attach::Attached;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Tell what happens on standard error instead of opening the console
    #[arg(long)]
    headless: bool,
    /// Print one JSON object at the end (implies --headless)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    shown: Shown,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let client = Client::choose(args.headless, args.json, args.headless && !args.json)?;
    let journal = args.shown.database.open_read_only()?;
    let row = journal.run(args.shown.run)?;
    if !row.alive {
        let run = args.shown.run;
        let how = match row.ended {
            Some(_) => format!("`pithead replay {run}` plays it"),
            None => format!("`{}` goes on with it", args.shown.database.resume(run)),
        };
        return Err(CommandError::usage(format!(
            "no process drives run {run} now; {how}"
        )));
    }
    let attached = Attached::open(journal, args.shown.run, &config::operator())?;
    watch_attached(attached, client, &args.shown)
}
