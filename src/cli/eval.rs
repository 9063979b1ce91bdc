//! `pithead eval`: plays the tasks of a suite over many seeds and counts the successes.

use super::evals::{self, Noted};
use super::options::Frames;
use crate::cli::interrupt::interrupt_flag;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_stderr, print_stdout, to_json};
use crate::config::{self, WorldAndMind, minds};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pithead_core::domain::run::event::RunConfig;
use pithead_core::systems;
use pithead_core::text::atomic_file::write_atomically;
use pithead_engine::config::consent::Consent;
use pithead_engine::eval::registry::EvalKind;
use pithead_engine::eval::{
    self, Ended, Episode, EvalBudget, EvalLimits, EvalPlan, EvalProgress, Report, Seeds, Setting,
    SuiteRun, TaskPattern,
};
use pithead_engine::mind::spec::MindSpec;
use pithead_engine::runtime::Keep;
use pithead_engine::runtime::worlds::{Film, build_world};
use pithead_engine::suites::SuiteName;
use pithead_world::aids::Controller;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The task suite: mcu70, deps71, metagent50 or gitm262
    #[arg(long, value_name = "SUITE")]
    suite: SuiteName,
    /// Only tasks whose id or text matches this pattern, for example `mcu70/iron/*` or `*pickaxe`
    #[arg(long, value_name = "GLOB")]
    tasks: Option<TaskPattern>,
    /// Seeds A..B, both included; each task is played with each
    #[arg(long, value_name = "A..B")]
    seeds: Seeds,
    /// Who plans: builtin:novice, builtin:competent, builtin:expert, llm or llm:MODEL
    #[arg(long, value_name = "MIND", default_value = config::MIND)]
    mind: String,
    /// Calls to the mind, over all episodes and all starts with this --out
    #[arg(long, value_name = "N")]
    calls: Option<u64>,
    /// Tokens, in and out, over all episodes and all starts with this --out
    #[arg(long, value_name = "N")]
    tokens: Option<u64>,
    /// Money, in units of the price table, over all episodes and all starts with this --out
    #[arg(long, value_name = "MONEY", value_parser = super::run::parse_money)]
    money: Option<u64>,
    /// The system, which says what parts of the loop are on
    #[arg(long, value_name = "NAME", default_value = systems::DEFAULT)]
    system: String,
    /// What carries out actions: scripted, or table18 (simulated, as reliable as a learned controller)
    #[arg(long, value_name = "NAME", default_value = "scripted")]
    controller: Controller,
    /// Let all episodes share one knowledge base, one after the other; otherwise each begins with an empty one
    #[arg(long)]
    learn: bool,
    /// Episodes at a time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Keep episodes and results in this folder; the same command continues from there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Record every frame in the journal of --out, not only attempts
    #[arg(long = "journal-frames", requires = "out")]
    journal_frames: bool,
    /// The database whose console lists the folder of --out [default: PITHEAD_DB, or the user's data folder]
    #[arg(long = "db", value_name = "PATH", requires = "out")]
    database: Option<PathBuf>,
    #[command(flatten)]
    frames: Frames,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let setting = setting(args)?;
    let plan = EvalPlan::select(setting.suite, args.tasks.as_ref(), args.seeds)
        .map_err(CommandError::usage)?;
    let jobs = jobs(args)?;
    let film = args.frames.film()?;
    let factory = move |config: &RunConfig, task: &str| world_and_mind(config, task, film.as_ref());
    let interrupt = interrupt_flag();
    let (budget, is_counted) = budget(args)?;
    let suite_run = SuiteRun {
        budget: Arc::clone(&budget),
        setting: &setting,
        plan: &plan,
        jobs,
        out: args.out.as_deref(),
        factory: &factory,
        interrupt: &interrupt,
    };
    let bar = bar();
    let mut lock = None;
    let episodes = eval::run_suite(&suite_run, |progress, episode| {
        if episode.is_none() {
            lock = registry_note(args, progress.found).and_then(evals::register);
        }
        if is_counted {
            bar.set_message(budget.summary());
        }
        show_progress(&bar, args.json, progress, episode);
    });
    bar.finish_and_clear();
    let mut report = Report::from_episodes(&setting, &plan, &episodes.map_err(CommandError::from)?);
    report.spending = is_counted.then(|| budget.spent());
    if let Some(folder) = &args.out {
        write_result(folder, "results.json", &to_json(&report)?)?;
        write_result(folder, "results.md", &report.markdown())?;
    }
    drop(lock);
    print_stdout(&match (args.json, is_counted) {
        (true, _) => to_json(&report)?,
        (false, true) => format!("{}\nthe mind used {}", report.text(), budget.summary()),
        (false, false) => report.text(),
    });
    Ok(exit(
        args,
        &report,
        &budget,
        interrupt.load(Ordering::Relaxed),
    ))
}

/// The registry entry that makes the console list it; only what is kept can be listed.
fn registry_note(args: &Args, found: usize) -> Option<Noted<'_>> {
    Some(Noted {
        kind: EvalKind::Suite,
        database: args.database.as_ref(),
        folder: args.out.as_deref()?,
        suite: args.suite,
        tasks: args.tasks.as_ref(),
        seeds: args.seeds,
        mind: &args.mind,
        systems: vec![args.system.clone()],
        controller: args.controller,
        learn: args.learn,
        passes: 1,
        found,
    })
}

/// What all episodes may spend together, and whether it is counted: a mind without costs or limits is not.
fn budget(args: &Args) -> Result<(Arc<EvalBudget>, bool), CommandError> {
    let limits = EvalLimits {
        calls: args.calls,
        tokens: args.tokens,
        micros: args.money,
    };
    let is_llm = matches!(minds::parse_mind(&args.mind), Ok(MindSpec::Llm(_)));
    let is_counted = is_llm || limits != EvalLimits::default();
    let folder = args.out.as_deref().filter(|_| is_counted);
    let budget = EvalBudget::open(limits, folder).map_err(CommandError::unavailable)?;
    Ok((Arc::new(budget), is_counted))
}

/// Says why it stopped, if it did.
fn exit(args: &Args, report: &Report, budget: &EvalBudget, interrupted: bool) -> ExitStatus {
    if report.complete {
        return ExitStatus::Done;
    }
    match budget.reached() {
        Some(because) => {
            let next = match args.out {
                Some(_) => "the same command with a larger budget continues from there",
                None => "with --out, a larger budget could continue from here",
            };
            print_stderr(&format!("pithead: stopped: {because}; {next}"));
            ExitStatus::Unsuccessful
        }
        None if interrupted => ExitStatus::Interrupted,
        None => ExitStatus::Done,
    }
}

fn setting(args: &Args) -> Result<Setting, CommandError> {
    minds::parse_mind(&args.mind).map_err(CommandError::usage)?;
    Ok(Setting {
        suite: args.suite.suite(),
        mind: args.mind.clone(),
        profile: systems::named(&args.system).map_err(CommandError::usage)?,
        world: Setting::world_of(args.controller),
        learn: args.learn,
        budget: minds::budget_of_mind(&args.mind).map_err(CommandError::unavailable)?,
        keep: if args.journal_frames {
            Keep::Everything
        } else {
            Keep::Attempts
        },
    })
}

fn jobs(args: &Args) -> Result<usize, CommandError> {
    match (args.jobs, args.learn) {
        (Some(n), true) if n > 1 => Err(CommandError::usage(
            "--learn plays one episode after the other, because later ones build on earlier ones; leave out --jobs",
        )),
        (Some(n), _) => Ok(usize::from(n)),
        (None, _) => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
    }
}

/// World and mind of an episode; its pictures go into a folder of its own.
fn world_and_mind(
    config: &RunConfig,
    task: &str,
    film: Option<&Film>,
) -> Result<WorldAndMind, String> {
    let film = film
        .map(|film| {
            let name = format!("{}/seed-{}", task, config.world.seed);
            let folder = film.folder.join(name);
            std::fs::create_dir_all(&folder)
                .map_err(|error| format!("could not create {}: {error}", folder.display()))?;
            Ok::<_, String>(Film {
                folder,
                size: film.size,
            })
        })
        .transpose()?;
    let world = build_world(config, film).map_err(|error| error.to_string())?;
    let mind =
        config::mind_of_run(config, None, &Consent::Typed).map_err(|error| error.to_string())?;
    Ok((world, mind))
}

/// On standard error, and only if that is a terminal.
fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
    let style =
        ProgressStyle::with_template("{bar:30} {pos}/{len}  {elapsed} elapsed, {eta} left  {msg}");
    bar.with_style(style.expect("the template is sound; a test draws it"))
}

/// One line per episode: on standard output, or with `--json` nowhere.
fn show_progress(bar: &ProgressBar, json: bool, progress: EvalProgress, episode: Option<&Episode>) {
    bar.set_length(progress.total as u64);
    let Some(episode) = episode else {
        bar.set_position(progress.done as u64);
        // What was done before says nothing about the time that is left.
        bar.reset_eta();
        if progress.found > 0 && !json {
            bar.suspend(|| {
                print_stdout(&format!(
                    "{} of {} episodes are already finished",
                    progress.found, progress.total
                ));
            });
        }
        return;
    };
    bar.set_position(progress.done as u64);
    if !json {
        bar.suspend(|| print_stdout(&line(episode)));
    }
}

fn line(episode: &Episode) -> String {
    let mark = match (episode.success, episode.ended) {
        (true, _) => "success",
        (false, Ended::Void) => "void",
        (false, _) => "failure",
    };
    let line = format!(
        "{mark:<7}  {:<32} seed {:<4} {:>6} ticks  {:>3} attempts, {} failed  {} replans  {}",
        episode.task,
        episode.seed,
        episode.ticks,
        episode.attempts,
        episode.failed_attempts,
        episode.replans,
        if episode.success {
            ""
        } else {
            &episode.because
        }
    );
    pithead_core::text::clean::clean_lines(line.trim_end())
        .trim_end()
        .to_owned()
}

/// Writes a file of results. Whole or not at all: a kill must not leave half a report.
pub(super) fn write_result(folder: &Path, name: &str, text: &str) -> Result<(), CommandError> {
    let path = folder.join(name);
    write_atomically(&path, text.as_bytes()).map_err(|error| {
        CommandError::unavailable(format!("could not write {}: {error}", path.display()))
    })
}
