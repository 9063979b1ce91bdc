//! `pithead fork`: a new run that shares a recorded run's past up to a point, with something changed.
//!
//! Invariant: the recorded run stays as it is.

use super::consent::TrustRecorded;
use super::options::{
    Database, Watching, changed_thresholds, parse_breakpoint, parse_run_id, parse_threshold,
};
use super::resume;
use super::server::AllowServer;
use crate::cli::kb::find_entry;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_document, print_stderr};
use crate::config::{self, consent::Consent};
use pithead_core::domain::plan::Plan;
use pithead_core::domain::plan::outline;
use pithead_core::domain::run::breakpoint::BreakOn;
use pithead_core::text::clean::clean_line;
use pithead_core::text::untrusted_file::{TEXT_BYTES_MAX, read_text};
use pithead_engine::journal::{EntryFilter, Journal};
use pithead_engine::runtime::config_of;
use pithead_engine::runtime::fork::{ForkError, ForkPoint, ForkRequest, fork, plan_at};
use pithead_world::clock::Clock;
use pithead_world::ids::{AttemptId, KnowledgeId, RunId, Seq};
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("point").args(["at", "before"]).required(true))]
pub(crate) struct Args {
    /// The run's number, as in `pithead runs`
    #[arg(value_parser = parse_run_id)]
    run: RunId,
    /// The last event that both runs share, as in `pithead replay RUN --headless`; slightly earlier if the
    /// loop was between two states
    #[arg(long, value_name = "EVENT")]
    at: Option<u64>,
    /// Fork before this attempt begins, for example a7
    #[arg(long, value_name = "ATTEMPT")]
    before: Option<AttemptId>,
    /// Hide this knowledge entry, named by its id or an unambiguous beginning, from the new run (repeatable)
    #[arg(long, value_name = "ID")]
    without: Vec<String>,
    /// Change a threshold of the diagnosis, as NAME=VALUE (repeatable)
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_threshold)]
    settings: Vec<String>,
    /// Replace the plan in force by this one, as `pithead show --plan` prints it or as PlanJSON; only between two
    /// attempts
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
    /// Repeat the operator's later decisions of the recorded run when the same questions come up
    #[arg(long)]
    keep_decisions: bool,
    /// Stop at a breakpoint (repeatable); see `pithead run --help`
    #[arg(long = "break", value_name = "BREAKPOINT", value_parser = parse_breakpoint)]
    breaks: Vec<BreakOn>,
    /// Create the run and print its number, without driving it
    #[arg(long)]
    only: bool,
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
    let client = if args.only {
        None
    } else {
        Some(args.watching.client()?)
    };
    let look = args.database.open_read_only()?;
    let plan = args
        .plan
        .as_deref()
        .map(|path| read_plan(path, &look, args));
    let plan = plan.transpose()?;
    let config = config_of(&look, args.run)?;
    let without = entries_named(&look, &args.without)?;
    drop(look);
    let thresholds = changed_thresholds(&config.thresholds, &args.settings);
    // Asked before there is a fork; what is only made reads nothing.
    let consent = match client {
        Some(_) => args.trust.consent(args.run, &config, &args.database)?,
        None => Consent::Recorded(args.run),
    };
    if client.is_some() {
        args.allow.ask(&config.world)?;
        consent.check(&config).map_err(CommandError::unavailable)?;
    }
    let mut journal = args
        .database
        .open_with(pithead_engine::journal::Durability::Full)?;
    let wish = ForkRequest {
        from: args.run,
        at: point(args),
        without,
        thresholds,
        plan,
        keep_decisions: args.keep_decisions,
        by: config::operator(),
    };
    let forked = fork(&mut journal, wish, Clock::System.now())?;
    drop(journal);
    let server = config.world.server.as_ref();
    if let Some(server) = server.filter(|_| config.world.goes_on_by_itself()) {
        print_stderr(&clean_line(&format!(
            "the fork joins {server} as it is then, which is a new world: only its past is that of run {}",
            args.run
        )));
    }
    let (run, at) = (forked.run, forked.at);
    let Some(client) = client else {
        let made = Made { schema: 1, run, at };
        print_document(args.watching.is_json(), &made, |made| {
            format!("{}\n", made.run)
        })?;
        return Ok(ExitStatus::Done);
    };
    print_stderr(&format!(
        "run {run} shares the past of run {} up to event {at}; later decisions to repeat: {}",
        args.run, forked.kept
    ));
    resume::drive(
        run,
        &consent.of_fork(run),
        client,
        &args.watching,
        &args.database,
        &args.breaks,
    )
}

/// A fork that nobody drives yet; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Made {
    schema: u32,
    run: RunId,
    /// The last event that both runs share.
    at: Seq,
}

/// The entries that the operator means.
fn entries_named(journal: &Journal, given: &[String]) -> Result<Vec<KnowledgeId>, CommandError> {
    if given.is_empty() {
        return Ok(Vec::new());
    }
    let base = journal.knowledge(EntryFilter::default())?;
    let named = given.iter().map(|given| Ok(find_entry(&base, given)?.id));
    named.collect()
}

fn point(args: &Args) -> ForkPoint {
    match (args.before, args.at) {
        (Some(attempt), _) => ForkPoint::Before(attempt),
        (None, at) => ForkPoint::Event(Seq(at.unwrap_or(u64::MAX))),
    }
}

/// A plan from a file; what an outline does not say is kept from the plan in force at the point.
fn read_plan(path: &Path, journal: &Journal, args: &Args) -> Result<Plan, CommandError> {
    let text = read_text(path, TEXT_BYTES_MAX).map_err(|error| {
        CommandError::usage(format!("could not read {}: {error}", path.display()))
    })?;
    let known = plan_at(journal, args.run, point(args))?.unwrap_or_default();
    let (plan, notes) = outline::parse_either(&text, &known)
        .map_err(|fault| CommandError::usage(format!("{}: {fault}", path.display())))?;
    for note in notes {
        print_stderr(&clean_line(&note.text));
    }
    Ok(plan)
}

impl From<ForkError> for CommandError {
    fn from(error: ForkError) -> Self {
        match error {
            ForkError::Open(error) => error.into(),
            ForkError::Point { .. } | ForkError::Plan(_) => Self::usage(error),
        }
    }
}
