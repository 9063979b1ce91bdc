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
use pithead_core::text::numbers::count_with_noun;
use pithead_engine::eval::Seeds;
use pithead_engine::eval::paired::Difference;
use pithead_engine::eval::trial::{self, PAIRS_MAX, Trial, TrialError, TrialPair, TrialResult};
use pithead_engine::journal::{EntryFilter, Journal};
use pithead_engine::mind::Mind;
use pithead_world::ids::KnowledgeId;
use pithead_world::port::World;
use serde::Serialize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    chosen: Chosen,
    /// The task of the runs [default: the task in which the entry was learnt]
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

/// The result; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Page {
    schema: u32,
    id: KnowledgeId,
    task: String,
    mind: String,
    system: String,
    seeds: String,
    /// Other entries that both arms had.
    others: usize,
    methods: Methods,
    #[serde(flatten)]
    findings: TrialResult,
}

#[derive(Debug, Serialize)]
struct Methods {
    success: &'static str,
    failed_attempts: &'static str,
}

const METHODS: Methods = Methods {
    success: "paired difference, Newcombe's score interval (method 10), 95 %; exact McNemar test",
    failed_attempts: "mean paired difference, percentile bootstrap over pairs (10,000 resamples), 95 %",
};

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
    let found = trial::run_trial(
        &Trial {
            entry,
            others: &others,
            config: config.clone(),
            seeds,
            jobs: args.jobs.map_or(cores, usize::from),
            factory: &factory,
            interrupt: &interrupt,
        },
        |pair| {
            if !args.chosen.json {
                print_stdout(&pair_line(pair));
            }
        },
    );
    let page = Page {
        schema: 1,
        id: entry.id,
        task: config.task.text,
        mind: format!("{} (simulated planner)", args.mind),
        system: args.system.clone(),
        seeds: args.seeds.to_string(),
        others: others.len(),
        methods: METHODS,
        findings: found?,
    };
    print_document(args.chosen.json, &page, |page| page.text())?;
    Ok(
        if interrupt.load(Ordering::Relaxed) && !page.findings.complete {
            ExitStatus::Interrupted
        } else {
            ExitStatus::Done
        },
    )
}

/// Seeds of a trial that the console plays: enough for an interval, few enough to wait for.
const INLINE_SEEDS: std::ops::RangeInclusive<u64> = 1..=20;

/// A trial for the console, with the defaults of the command. One core is left to the screen and to
/// runs.
pub(crate) fn trial_for_console(
    database: &Path,
    id: KnowledgeId,
    stop: &AtomicBool,
) -> Result<Vec<String>, String> {
    let journal = Journal::look(database).map_err(|error| error.to_string())?;
    let base = journal.knowledge(EntryFilter::default());
    let base = base.map_err(|error| error.to_string())?;
    let entry = base.iter().find(|entry| entry.id == id);
    let entry = entry.ok_or_else(|| format!("{id} is no longer in the database"))?;
    let words = entry.provenance.task.as_str();
    if words.is_empty() {
        return Err(format!(
            "it was not learnt in a task; `pithead kb trial {id} --task TEXT` names one"
        ));
    }
    let task = Task::parse(words).map_err(|error| error.to_string())?;
    let profile = systems::named(systems::DEFAULT).map_err(|error| error.to_string())?;
    let config = config::run_config(task, 0, config::MIND, profile);
    let active = |e: &&Entry| e.status == Status::Active && e.id != id;
    let others: Vec<Entry> = base.iter().filter(active).cloned().collect();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let trial = Trial {
        entry,
        others: &others,
        config,
        seeds: INLINE_SEEDS.collect(),
        jobs: cores.saturating_sub(1).max(1),
        factory: &factory,
        interrupt: stop,
    };
    let findings = trial::run_trial(&trial, |_| ()).map_err(|error| error.to_string())?;
    let page = Page {
        schema: 1,
        id,
        task: words.to_owned(),
        mind: format!("{} (simulated planner)", config::MIND),
        system: systems::DEFAULT.to_owned(),
        seeds: format!("{}..{}", INLINE_SEEDS.start(), INLINE_SEEDS.end()),
        others: others.len(),
        methods: METHODS,
        findings,
    };
    Ok(page.text().trim().lines().map(str::to_owned).collect())
}

/// What a run is played with.
type Made = (Box<dyn World>, Box<dyn Mind>);

/// World and mind of one run.
fn factory(config: &RunConfig, _: &str) -> Result<Made, String> {
    let world = config::body(config, None).map_err(|error| error.to_string())?;
    let mind = config::mind(config, None).map_err(|error| error.to_string())?;
    Ok((world, mind))
}

fn setting(args: &Args, entry: &Entry) -> Result<RunConfig, CommandError> {
    minds::spec(&args.mind).map_err(CommandError::usage)?;
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
                "{} was not learnt in a task; name one with --task",
                entry.id
            )));
        }
        (None, learnt_in) => learnt_in,
    };
    let task = Task::parse(words).map_err(CommandError::usage)?;
    let profile = systems::named(&args.system).map_err(CommandError::usage)?;
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

impl Page {
    fn text(&self) -> String {
        let (found, wins) = (&self.findings, &self.findings.successes);
        let n = found.pairs.len();
        let (with, without) = (wins.both + wins.with_only, wins.both + wins.without_only);
        let interval = |d: &Difference, unit: &str| {
            format!(
                "{:+.1}{unit} (95 %: {:+.1} to {:+.1})",
                d.value, d.low, d.high
            )
        };
        let mut text = format!(
            "\n{} on \"{}\", seeds {}, {}, system {}, beside {}\n",
            self.id,
            self.task,
            self.seeds,
            self.mind,
            self.system,
            count_with_noun(self.others, "other entry", "other entries")
        );
        text += &format!(
            "success          {with} of {n} with, {without} of {n} without: {}, exact p {:.3}\n",
            interval(&wins.difference, " points"),
            wins.mcnemar_p
        );
        text += &format!(
            "failed attempts  {} per run\n",
            interval(&found.failed_attempts, "")
        );
        text += &format!(
            "replans          {} per run\n",
            interval(&found.replans, "")
        );
        let blocked: u64 = found.pairs.iter().map(|p| p.with.blocked).sum();
        if blocked == 0 && found.failed_attempts.value == 0.0 {
            text += "no visible effect in any of these runs\n";
        }
        if !found.complete {
            text += "interrupted; some pairs are missing\n";
        }
        text + &format!(
            "{}\n{}\n",
            self.methods.success, self.methods.failed_attempts
        )
    }
}

impl From<TrialError> for CommandError {
    fn from(error: TrialError) -> Self {
        match error {
            TrialError::Open(error) => error.into(),
            TrialError::Journal(error) => error.into(),
            TrialError::Made(_) => Self::unavailable(error),
        }
    }
}
