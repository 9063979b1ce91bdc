//! `pithead replay`: a recorded run in the console, as lines, or as its summary.

use super::options::Shown;
use super::watching::replay_in_console;
use crate::cli::client::Client;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_stdout, to_json};
use crate::headless::{Summary, line};
use pithead_console::msg::ReplayMsg;
use pithead_console::screens::live::update::parse_jump;
use pithead_engine::runtime::Recording;
use pithead_world::ids::Seq;

/// Events read at a time: enough to be fast, few enough to keep memory small.
const PAGE: usize = 1000;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print one line per event instead of opening the console
    #[arg(long)]
    headless: bool,
    /// Print the run's summary as one JSON object
    #[arg(long)]
    json: bool,
    /// Start paused at this place: an event (120) or a tick (t3400)
    #[arg(long, value_name = "PLACE", value_parser = parse_jump, conflicts_with_all = ["headless", "json"])]
    at: Option<ReplayMsg>,
    #[command(flatten)]
    shown: Shown,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let client = Client::choose(args.headless, args.json, false)?;
    let recording = Recording::open(args.shown.database.open_read_only()?, args.shown.run)?;
    match client {
        Client::Console => {
            return replay_in_console(recording, args.at, &args.shown);
        }
        Client::Headless { json: true, .. } => print_stdout(&to_json(&summary(&recording)?)?),
        Client::Headless { json: false, .. } => print_lines(&recording)?,
    }
    Ok(ExitStatus::Done)
}

/// The summary of a recorded run.
pub(super) fn summary(recording: &Recording) -> Result<Summary, CommandError> {
    let mut summary = Summary::default();
    each_page(recording, |page| {
        page.iter().for_each(|fact| summary.apply(fact));
    })?;
    Ok(summary)
}

fn print_lines(recording: &Recording) -> Result<(), CommandError> {
    each_page(recording, |page| {
        print_stdout(
            &page
                .iter()
                .map(|fact| line(fact) + "\n")
                .collect::<String>(),
        );
    })
}

/// Visits all events of a recording in order, a page at a time.
pub(super) fn each_page(
    recording: &Recording,
    mut visit: impl FnMut(&[pithead_core::domain::run::event::Recorded]),
) -> Result<(), CommandError> {
    let mut last = Seq(0);
    loop {
        let page = recording.page(last, PAGE)?;
        let Some(end) = page.last() else {
            return Ok(());
        };
        last = end.seq;
        visit(&page);
    }
}
