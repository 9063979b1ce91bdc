//! `pithead watch`: follow a run that another process drives, and decide in it.

use super::options::{Database, Look, run_id};
use crate::app::{self, Client, Exit, Fault};
use crate::config;
use crate::ids::RunId;
use crate::runtime::attach::Attached;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The run's number, as in `pithead runs`
    #[arg(value_parser = run_id)]
    run: RunId,
    /// Tell what happens on standard error instead of opening the console
    #[arg(long)]
    headless: bool,
    /// Print one JSON object at the end (implies --headless)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    look: Look,
    #[command(flatten)]
    database: Database,
}

pub(crate) fn perform(args: &Args) -> Result<Exit, Fault> {
    let client = Client::choose(args.headless, args.json, args.headless && !args.json)?;
    let journal = args.database.look()?;
    let row = journal.run(args.run)?;
    if !row.alive {
        let run = args.run;
        let how = match row.ended {
            Some(_) => format!("`pithead replay {run}` plays it"),
            None => format!("`{}` goes on with it", args.database.resume(run)),
        };
        return Err(Fault::usage(format!(
            "no process drives run {run} now; {how}"
        )));
    }
    let attached = Attached::open(journal, args.run, &config::operator())?;
    let sitting = args.database.sitting(&args.look)?;
    app::watch_attached(attached, client, &sitting, &args.database.resume(args.run))
}
