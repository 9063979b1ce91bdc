//! `pithead watch`: follow a run that another process drives, and answer its questions.

use super::options::Shown;
use super::watching::watch_attached;
use crate::cli::client::Client;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::config;
use pithead_engine::runtime::attach::{Attached, GuestKind};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Report events on standard error instead of opening the console
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
    // The process of a run that has ended stays for its questions while a console is attached.
    if !journal.is_driven(args.shown.run) {
        let run = args.shown.run;
        let (idle, how) = match row.outcome {
            Some(_) => (
                format!(
                    "run {run} is over ({}), and no process drives it",
                    row.state()
                ),
                format!("`pithead replay {run}` replays it"),
            ),
            None => (
                format!("no process drives run {run} now"),
                format!("`{}` resumes it", args.shown.database.resume(run)),
            ),
        };
        return Err(CommandError::usage(idle).hint(how));
    }
    let kind = match client {
        Client::Console => GuestKind::Console,
        Client::Headless { .. } => GuestKind::CommandLine,
    };
    let attached = Attached::open_as(kind, journal, args.shown.run, &config::operator())?;
    watch_attached(attached, client, &args.shown)
}
