//! `pithead fork`: a new run with a recorded one's past, with something changed, driven on from there.

use super::options::{Database, Watching, breakpoint, run_id};
use super::resume;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_stderr, print_stdout};
use crate::config;
use pithead_core::domain::experience::thresholds::Thresholds;
use pithead_core::domain::plan::Plan;
use pithead_core::domain::plan::json;
use pithead_core::domain::run::breakpoint::On;
use pithead_engine::runtime::config_of;
use pithead_engine::runtime::fork::{At, ForkError, Wish, fork};
use pithead_world::clock::Clock;
use pithead_world::ids::{AttemptId, KnowledgeId, RunId, Seq};
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The run's number, as in `pithead runs`
    #[arg(value_parser = run_id)]
    run: RunId,
    /// The last event that both runs have, as in `pithead replay RUN --headless`; a little earlier if the
    /// loop was in the middle of something
    #[arg(long, value_name = "EVENT", required_unless_present = "before")]
    at: Option<u64>,
    /// Fork before this attempt begins, for example a7
    #[arg(long, value_name = "ATTEMPT", conflicts_with = "at")]
    before: Option<AttemptId>,
    /// Do not give it this entry of the knowledge base (any number of times)
    #[arg(long, value_name = "ID")]
    without: Vec<KnowledgeId>,
    /// Judge by another threshold, as NAME=VALUE (any number of times)
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    settings: Vec<String>,
    /// Put this plan (PlanJSON) in the place of the one in force; between two attempts
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
    /// Decide as the operator decided later on in the other run, when the same questions come up
    #[arg(long)]
    keep_decisions: bool,
    /// Stop there (any number of times); see `pithead run --help`
    #[arg(long = "break", value_name = "BREAKPOINT", value_parser = breakpoint)]
    breaks: Vec<On>,
    /// Make the run, print its number, and do not drive it
    #[arg(long)]
    only: bool,
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
    let plan = args.plan.as_deref().map(read).transpose()?;
    let look = args.database.open_read_only()?;
    let thresholds = moved(&config_of(&look, args.run)?.thresholds, &args.settings);
    drop(look);
    let mut journal = args
        .database
        .open_with(pithead_engine::journal::Durability::Full)?;
    let wish = Wish {
        from: args.run,
        at: match (args.before, args.at) {
            (Some(attempt), _) => At::Before(attempt),
            (None, at) => At::Event(Seq(at.unwrap_or(u64::MAX))),
        },
        without: args.without.clone(),
        thresholds,
        plan,
        keep_decisions: args.keep_decisions,
        by: config::operator(),
    };
    let forked = fork(&mut journal, wish, Clock::System.now())?;
    drop(journal);
    let (run, at) = (forked.run, forked.at);
    let Some(client) = client else {
        print_stdout(&format!("{run}\n"));
        return Ok(ExitStatus::Done);
    };
    print_stderr(&format!(
        "run {run} is run {} up to event {at}; {} decisions are made again",
        args.run, forked.kept
    ));
    resume::drive(run, client, &args.watching, &args.database, &args.breaks)
}

fn moved(thresholds: &Thresholds, settings: &[String]) -> Option<Thresholds> {
    let mut moved = thresholds.clone();
    for setting in settings {
        // Read once already, when the command line was.
        moved.set(setting).ok()?;
    }
    (!settings.is_empty()).then_some(moved)
}

fn setting(text: &str) -> Result<String, String> {
    let mut thresholds = Thresholds::default();
    let read = thresholds.set(text).map_err(|error| error.to_string());
    read.map(|()| text.to_owned())
}

fn read(path: &Path) -> Result<Plan, CommandError> {
    let text = pithead_core::text::utf8::read(path).map_err(|error| {
        CommandError::usage(format!("could not read {}: {error}", path.display()))
    })?;
    let (plan, _) = json::read(&text)
        .map_err(|fault| CommandError::usage(format!("{}: {fault}", path.display())))?;
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
