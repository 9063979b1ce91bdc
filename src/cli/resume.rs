//! `pithead resume`: drive a run that was left or killed on from its last event.

use super::consent::TrustRecorded;
use super::options::{Database, Watching, breakpoint_commands, parse_breakpoint, parse_run_id};
use super::server::AllowServer;
use super::watching::{watch, watch_order};
use crate::cli::client::Client;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::config::{self, consent::Consent};
use pithead_core::domain::run::breakpoint::BreakOn;
use pithead_core::domain::run::command::Command;
use pithead_engine::launch::order::OrderedRun;
use pithead_engine::runtime::worlds::build_world;
use pithead_engine::runtime::{self, Parts};
use pithead_world::clock::Clock;
use pithead_world::ids::RunId;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The run's number, as in `pithead runs`
    #[arg(value_parser = parse_run_id)]
    run: RunId,
    /// Stop at a breakpoint (repeatable); see `pithead run --help`
    #[arg(long = "break", value_name = "BREAKPOINT", value_parser = parse_breakpoint)]
    breaks: Vec<BreakOn>,
    #[command(flatten)]
    trust: TrustRecorded,
    #[command(flatten)]
    allow: AllowServer,
    #[command(flatten)]
    watching: Watching,
    #[command(flatten)]
    database: Database,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let client = args.watching.client()?;
    // Opened read-only first: `resume` must not create a database.
    let config = runtime::config_of(&args.database.open_read_only()?, args.run)?;
    args.allow.ask(&config.world)?;
    let consent = args.trust.consent(args.run, &config, &args.database)?;
    drive(
        args.run,
        &consent,
        client,
        &args.watching,
        &args.database,
        &args.breaks,
    )
}

/// Drives a recorded run on from its last event. A file that its config names is read with consent only.
pub(super) fn drive(
    run: RunId,
    consent: &Consent,
    client: Client,
    watching: &Watching,
    database: &Database,
    breaks: &[BreakOn],
) -> Result<ExitStatus, CommandError> {
    if watching.has_own_process(client) {
        let consent = consent.clone();
        let ordered = OrderedRun::Resumed { run, consent };
        return watch_order((ordered, breakpoint_commands(breaks)), watching, database);
    }
    let journal = database.open_for(client)?;
    let config = runtime::config_of(&journal, run)?;
    let is_paused = journal.is_paused(run)?;
    let world = build_world(&config, None).map_err(CommandError::unavailable)?;
    let mind =
        config::mind_of_run(&config, Some(&journal), consent).map_err(CommandError::unavailable)?;
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
    let mut first = breakpoint_commands(breaks);
    // Without a console nobody could resume a paused run.
    if is_paused && matches!(client, Client::Headless { .. }) {
        first.push(Command::Resume);
    }
    let link = runtime::resume_with(run, parts, first)?;
    watch(link, client, database, &watching.console)
}
