//! `pithead kb trial`: the same runs with and without an entry, and a confidence interval of the difference.

use super::find::{Chosen, find_entry};
use crate::cli::interrupt::interrupt_flag;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_document, print_stdout};
use crate::config::{self, minds};
use pithead_core::domain::knowledge::{Entry, Status};
use pithead_core::domain::plan::task::Task;
use pithead_core::domain::run::event::RunConfig;
use pithead_core::systems;
use pithead_engine::eval::Seeds;
use pithead_engine::eval::trial::{self, PAIRS_MAX, Trial, TrialError, TrialPair};
use pithead_engine::eval::trial_page::TrialPage;
use pithead_engine::journal::EntryFilter;
use std::sync::atomic::Ordering;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    chosen: Chosen,
    /// The task of the runs [default: the task in which the entry was learned]
    #[arg(long, value_name = "TASK")]
    task: Option<String>,
    /// Seeds A..B, both included; each is played with and without the entry
    #[arg(long, value_name = "A..B", default_value = "1..20")]
    seeds: Seeds,
    /// World ticks that each run may use [default: 36000, half an hour]
    #[arg(long, value_name = "TICKS", value_parser = clap::value_parser!(u64).range(1..))]
    budget: Option<u64>,
    /// Who plans: builtin:novice, builtin:competent or builtin:expert
    #[arg(long, value_name = "MIND", default_value = config::MIND)]
    mind: String,
    /// The system, which says what parts of the loop are on
    #[arg(long, value_name = "NAME", default_value = systems::DEFAULT)]
    system: String,
    /// Give the runs only this entry, not the other active ones
    #[arg(long)]
    alone: bool,
    /// Runs at a time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

pub(super) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let base = args
        .chosen
        .database
        .open_read_only()?
        .knowledge(EntryFilter::default())?;
    let entry = find_entry(&base, &args.chosen.entry)?;
    let config = setting(args, entry)?;
    let active = |e: &&Entry| !args.alone && e.status == Status::Active && e.id != entry.id;
    let others: Vec<Entry> = base.iter().filter(active).cloned().collect();
    let seeds: Vec<u64> = (args.seeds.first..=args.seeds.last).collect();
    if seeds.len() as u64 > PAIRS_MAX {
        return Err(CommandError::usage(format!("at most {PAIRS_MAX} seeds")));
    }
    let interrupt = interrupt_flag();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let trial = Trial {
        entry,
        others: &others,
        config,
        seeds,
        jobs: args.jobs.map_or(cores, usize::from),
        interrupt: &interrupt,
    };
    let findings = trial::run_trial(&trial, |pair| {
        if !args.chosen.json {
            print_stdout(&pair_line(pair));
        }
    })?;
    let task = trial.config.task.text.clone();
    let page = TrialPage::new(&trial, args.seeds, task, findings);
    print_document(args.chosen.json, &page, |page| page.text())?;
    Ok(
        if interrupt.load(Ordering::Relaxed) && !page.findings.complete {
            ExitStatus::Interrupted
        } else {
            ExitStatus::Done
        },
    )
}

fn setting(args: &Args, entry: &Entry) -> Result<RunConfig, CommandError> {
    minds::parse_mind(&args.mind).map_err(CommandError::usage)?;
    if !args.mind.starts_with("builtin:") {
        return Err(CommandError::usage(format!(
            "`{}` is not a simulated planner; a trial plays many runs, which only builtin:LEVEL does at no cost",
            args.mind
        )));
    }
    let words = match (&args.task, entry.provenance.task.as_str()) {
        (Some(task), _) => task.as_str(),
        (None, "") => {
            return Err(CommandError::usage(format!(
                "{} was not learned in a task; name one with --task",
                entry.id
            )));
        }
        (None, learnt_in) => learnt_in,
    };
    let task = Task::parse(words).map_err(CommandError::usage)?;
    let profile = config::systems::system(&args.system).map_err(CommandError::usage)?;
    let mut config = config::run_config(task, 0, &args.mind, profile);
    config.budget.ticks = args.budget.unwrap_or(config.budget.ticks);
    Ok(config)
}

fn pair_line(pair: &TrialPair) -> String {
    let arm = |arm: &trial::Arm| {
        let won = if arm.success { "success" } else { "failure" };
        format!(
            "{won} {:>2} of {:>2} attempts failed, blocked {}",
            arm.failed_attempts, arm.attempts, arm.blocked
        )
    };
    format!(
        "seed {:<4} with: {}   without: {}",
        pair.seed,
        arm(&pair.with),
        arm(&pair.without)
    )
}

impl From<TrialError> for CommandError {
    fn from(error: TrialError) -> Self {
        match error {
            TrialError::Open(error) => error.into(),
            TrialError::Journal(error) => error.into(),
            TrialError::Config(_) | TrialError::Outage(_) => Self::unavailable(error),
            TrialError::NoEntry(_)
            | TrialError::NoTask(_)
            | TrialError::Task(_)
            | TrialError::System(_) => Self::usage(error),
        }
    }
}
