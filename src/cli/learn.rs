//! `pithead learn --curve`: does it learn? Success and failures of several systems over a life of episodes.

use super::eval::write_result;
use super::evals::{self, Noted};
use crate::cli::interrupt::interrupt_flag;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_document, print_stderr, to_json};
use crate::config::{self, minds};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pithead_core::domain::run::event::RunConfig;
use pithead_core::systems;
use pithead_engine::eval::registry::EvalKind;
use pithead_engine::eval::{Curve, EvalPlan, LearningRun, Seeds, Setting, TaskPattern, play_lives};
use pithead_engine::runtime::Keep;
use pithead_engine::runtime::worlds::build_world;
use pithead_engine::suites::SuiteName;
use pithead_world::aids::Controller;
use pithead_world::clock::Clock;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Measure the learning curve (required; there is no other measurement yet)
    #[arg(long, required = true)]
    curve: bool,
    /// Task groups of mcu70 to play, in the suite's order
    #[arg(
        long,
        value_name = "GROUP",
        value_delimiter = ',',
        default_value = "iron,redstone,diamond,armor"
    )]
    groups: Vec<String>,
    /// Seeds A..B, both included; each seed is one life of each system
    #[arg(long, value_name = "A..B", default_value = "1..20")]
    seeds: Seeds,
    /// Passes over all tasks in one life
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    passes: u32,
    /// Systems to compare
    #[arg(
        long,
        value_name = "NAME",
        value_delimiter = ',',
        default_value = "steve-evolving,no-skills,no-guardrails,no-visibility,planning-only"
    )]
    systems: Vec<String>,
    /// Who plans: builtin:novice, builtin:competent or builtin:expert
    #[arg(long, value_name = "MIND", default_value = config::MIND)]
    mind: String,
    /// Lives at a time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Keep finished lives, tables and charts in this folder; the same command continues from there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The database whose console lists the folder of --out [default: PITHEAD_DB, or the user's data folder]
    #[arg(long = "db", value_name = "PATH", requires = "out")]
    database: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    minds::parse_mind(&args.mind).map_err(CommandError::usage)?;
    let settings = settings(args)?;
    let suite = SuiteName::Mcu70.suite();
    let tasks = groups(args)?;
    let plan = EvalPlan::select(suite, Some(&tasks), args.seeds).map_err(CommandError::usage)?;
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let interrupt = interrupt_flag();
    let factory = |config: &RunConfig, seed: u64| {
        let world = build_world(config, None).map_err(|error| error.to_string())?;
        let mind = minds::build_mind(&config.mind, seed, &config.profile.name, None);
        Ok((world, mind.map_err(|error| error.to_string())?))
    };
    let learning_run = LearningRun {
        settings: &settings,
        plan: &plan,
        passes: args.passes,
        jobs: args.jobs.map_or_else(cores, usize::from),
        out: args.out.as_deref(),
        factory: &factory,
        interrupt: &interrupt,
    };
    let bar = bar();
    let began = Clock::System.now();
    let mut found = None;
    let mut lock = None;
    let lives = play_lives(&learning_run, |done, total| {
        if found.is_none() {
            lock = registry_note(args, &tasks, done).and_then(evals::register);
        }
        bar.set_length(total as u64);
        bar.set_position(done as u64);
        let kept = *found.get_or_insert(done);
        if bar.is_hidden() {
            let gone_ms = Clock::System.now().since(began);
            print_stderr(&summary(done, total, kept, gone_ms));
        }
    });
    bar.finish_and_clear();
    let curve = Curve::from_lives(&settings, &plan, &lives?);
    if let Some(folder) = &args.out {
        write_result(folder, "curve.json", &to_json(&curve)?)?;
        write_result(folder, "curve.md", &curve.markdown())?;
        write_result(
            folder,
            "success.svg",
            &curve.success_svg().map_err(CommandError::unavailable)?,
        )?;
        write_result(
            folder,
            "failed-attempts.svg",
            &curve.failures_svg().map_err(CommandError::unavailable)?,
        )?;
    }
    drop(lock);
    print_document(args.json, &curve, |curve| curve.markdown())?;
    if interrupt.load(Ordering::Relaxed) && !curve.complete {
        print_stderr(
            "interrupted; the same command with --out keeps the finished lives and continues",
        );
        return Ok(ExitStatus::Interrupted);
    }
    Ok(ExitStatus::Done)
}

/// The registry entry that makes the console list it; only what is kept can be listed.
fn registry_note<'a>(args: &'a Args, tasks: &'a TaskPattern, found: usize) -> Option<Noted<'a>> {
    Some(Noted {
        kind: EvalKind::Curve,
        database: args.database.as_ref(),
        folder: args.out.as_deref()?,
        suite: SuiteName::Mcu70,
        tasks: Some(tasks),
        seeds: args.seeds,
        mind: &args.mind,
        systems: args.systems.clone(),
        controller: Controller::Scripted,
        learn: true,
        base: None,
        frozen: false,
        passes: args.passes,
        found,
    })
}

fn settings(args: &Args) -> Result<Vec<Setting>, CommandError> {
    let setting = |name: &String| {
        Ok(Setting {
            suite: SuiteName::Mcu70.suite(),
            mind: args.mind.clone(),
            profile: systems::named(name).map_err(CommandError::usage)?,
            world: Setting::world_of(Controller::Scripted),
            learn: true,
            base: None,
            frozen: false,
            keep: Keep::Attempts,
            budget: minds::budget_of_mind(&args.mind).map_err(CommandError::unavailable)?,
        })
    };
    args.systems.iter().map(setting).collect()
}

fn groups(args: &Args) -> Result<TaskPattern, CommandError> {
    let mut known: Vec<&str> = Vec::new();
    for task in &SuiteName::Mcu70.suite().tasks {
        let folder = task.id.split('/').nth(1).unwrap_or_default();
        if !known.contains(&folder) {
            known.push(folder);
        }
    }
    let asked: Vec<String> = args
        .groups
        .iter()
        .map(|group| group.trim().to_lowercase())
        .collect();
    if let Some(unknown) = asked.iter().find(|group| !known.contains(&group.as_str())) {
        return Err(CommandError::usage(format!(
            "mcu70 has no group `{unknown}`; it has {}",
            known.join(", ")
        )));
    }
    let pattern = format!("mcu70/{{{}}}/*", asked.join(","));
    pattern.parse().map_err(CommandError::usage)
}

/// A line for logs; `kept` lives were there from the start and took no time.
fn summary(done: usize, total: usize, kept: usize, gone_ms: u64) -> String {
    let lived = (done - kept) as u64;
    let left = match lived {
        0 => String::new(),
        lived => format!(
            ", about {} s left",
            gone_ms * (total - done) as u64 / lived / 1_000
        ),
    };
    format!(
        "{done} of {total} lives, {} s elapsed{left}",
        gone_ms / 1_000
    )
}

/// On standard error, and only if that is a terminal.
fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
    let style =
        ProgressStyle::with_template("{bar:30} {pos}/{len} lives  {elapsed} elapsed, {eta} left");
    bar.with_style(style.expect("the template is sound"))
}
