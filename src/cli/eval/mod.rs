//! `pithead eval`: plays the tasks of a suite over many seeds and counts the successes.
//!
//! Several systems or bases are arms: each is an evaluation in a folder of its own, and they are compared.

mod arms;
mod progress;

use super::evals::{self, Noted};
use super::options::{BodyOptions, Frames};
use super::rounds::Rounds;
use super::server::WorldOptions;
use crate::cli::interrupt::interrupt_flag;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_stderr, print_stdout, to_json};
use crate::config::{self, WorldAndMind, minds};
use arms::EvalArm;
use pithead_core::domain::mind::spending::Spending;
use pithead_core::domain::run::event::RunConfig;
use pithead_core::domain::run::profile::Selector;
use pithead_core::systems;
use pithead_core::text::atomic_file::write_atomically;
use pithead_core::text::clean::clean_lines;
use pithead_engine::config::consent::Consent;
use pithead_engine::eval::registry::EvalKind;
use pithead_engine::eval::{
    self, ArmsReport, BaseKinds, EvalBudget, EvalLimits, EvalPlan, PlayedArm, Report, Seeds,
    SuiteRun, TaskPattern,
};
use pithead_engine::mind::spec::MindSpec;
use pithead_engine::runtime::worlds::{Film, build_world};
use pithead_engine::suites::SuiteName;
use progress::{bar, show_progress};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The task suite: mcu70, deps71, metagent50, gitm262, parallel or blueprints
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
    /// Systems to compare on the same tasks and seeds, with commas; each is an arm
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        conflicts_with = "system"
    )]
    systems: Vec<String>,
    /// Rounds of planning anew that a system has in each run (DEPS, Table 4): numbers, or `inf` for no bound of its own,
    /// with commas; each is an arm
    #[arg(long, value_name = "N", value_delimiter = ',')]
    rounds: Vec<Rounds>,
    /// How the next step is chosen among those that can be begun: first, random, similarity or horizon, with commas; each
    /// is an arm [default: the system's]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    selectors: Vec<Selector>,
    /// The model of `pithead selector train` that the selector `horizon` predicts with [default: the program's own]
    #[arg(long, value_name = "FILE")]
    horizon_model: Option<PathBuf>,
    #[command(flatten)]
    world: WorldOptions,
    /// On a server: let each body walk to a place of its own before its episode begins, so many blocks from the next
    /// [default: all begin where the server puts them]
    #[arg(long, value_name = "BLOCKS", value_parser = clap::value_parser!(u32).range(8..=1000))]
    spread: Option<u32>,
    #[command(flatten)]
    body: BodyOptions,
    /// Let all episodes share one knowledge base, one after the other; otherwise each begins with an empty one
    #[arg(long)]
    learn: bool,
    /// Begin with the active entries of a database or a file of `kb export` and what was tried there (options); `none`
    /// for nothing. Each --kb is an arm
    #[arg(long, value_name = "FILE")]
    kb: Vec<PathBuf>,
    /// Take only these kinds from --kb, with commas: skill (or one-step-skill, whole-skill), guardrail,
    /// task-guardrail, rule, reference-plan, note, option or all. Each --kinds is an arm
    #[arg(long, value_name = "KINDS", requires = "kb")]
    kinds: Vec<BaseKinds>,
    /// Take entries of a file of `kb export` even if lint finds errors in them
    #[arg(long, requires = "kb")]
    anyway: bool,
    /// Learn nothing: no entry is distilled, and every episode begins with the same entries
    #[arg(long, conflicts_with = "learn")]
    frozen: bool,
    /// Withhold each entry from an episode with this percentage by a seeded draw, 0 to 50, to measure its effect
    /// (`kb show --db DIR/journal.db`). 0 for comparisons: what is withheld is missing in the result
    #[arg(long, value_name = "PERCENT", default_value_t = 0, requires = "learn", value_parser = super::options::hold_out())]
    hold_out: u8,
    /// Give each episode a world and wrong beliefs of its own; otherwise the tasks of a seed share both, and one unlucky
    /// place counts once for each task
    #[arg(long)]
    own_worlds: bool,
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
    #[arg(id = "path", long = "db", value_name = "PATH", requires = "out")]
    database: Option<PathBuf>,
    #[command(flatten)]
    frames: Frames,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let arms = arms::arms_of(args)?;
    let plan = EvalPlan::select(args.suite.suite(), args.tasks.as_ref(), args.seeds)
        .map_err(CommandError::usage)?
        .with_own_worlds(args.own_worlds);
    let (budget, is_counted) = budget(args)?;
    let interrupt = interrupt_flag();
    let stage = Stage {
        args,
        plan: &plan,
        jobs: jobs(args)?,
        film: args.frames.film()?,
        budget: Arc::clone(&budget),
        is_counted,
        interrupt: &interrupt,
    };
    let mut played = Vec::new();
    for arm in &arms {
        if arms.len() > 1 && !args.json {
            print_stdout(&format!("── {} ──", clean_lines(&arm.name).trim_end()));
        }
        played.push(stage.play_arm(arm)?);
    }
    let is_complete = played.iter().all(|arm| arm.report.complete);
    let spending = is_counted.then(|| budget.spent());
    let text = match played.pop() {
        Some(only) if played.is_empty() => finish_only(args, only.report, spending)?,
        last => {
            played.extend(last);
            finish_arms(args, &ArmsReport::new(played, spending))?
        }
    };
    print_stdout(&match (args.json, is_counted) {
        (false, true) => format!("{text}\nthe mind used {}", budget.summary()),
        _ => text,
    });
    let interrupted = interrupt.load(Ordering::Relaxed);
    Ok(exit(args, is_complete, &budget, interrupted))
}

/// What all arms are played with.
struct Stage<'a> {
    args: &'a Args,
    plan: &'a EvalPlan,
    jobs: usize,
    film: Option<Film>,
    budget: Arc<EvalBudget>,
    is_counted: bool,
    interrupt: &'a AtomicBool,
}

impl Stage<'_> {
    fn play_arm(&self, arm: &EvalArm) -> Result<PlayedArm, CommandError> {
        let film = self.film.as_ref().map(|film| Film {
            folder: film.folder.join(&arm.subfolder),
            size: film.size,
        });
        let factory =
            move |config: &RunConfig, task: &str| world_and_mind(config, task, film.as_ref());
        let suite_run = SuiteRun {
            budget: Arc::clone(&self.budget),
            setting: &arm.setting,
            plan: self.plan,
            jobs: self.jobs,
            out: arm.folder.as_deref(),
            factory: &factory,
            interrupt: self.interrupt,
        };
        let bar = bar();
        let mut lock = None;
        let episodes = eval::run_suite(&suite_run, |progress, episode| {
            if episode.is_none() {
                lock = registry_note(self.args, arm, progress.found).and_then(evals::register);
            }
            if self.is_counted {
                bar.set_message(self.budget.summary());
            }
            show_progress(&bar, self.args.json, progress, episode);
        });
        bar.finish_and_clear();
        let episodes = episodes.map_err(CommandError::from)?;
        let report = Report::from_episodes(&arm.setting, self.plan, &episodes);
        if let Some(folder) = &arm.folder {
            write_result(folder, "results.json", &to_json(&report)?)?;
            write_result(folder, "results.md", &report.markdown())?;
        }
        drop(lock);
        Ok(PlayedArm {
            name: arm.name.clone(),
            report,
            episodes,
        })
    }
}

/// The results of the only arm, which lie in the folder itself.
fn finish_only(
    args: &Args,
    report: Report,
    spending: Option<Spending>,
) -> Result<String, CommandError> {
    let report = Report { spending, ..report };
    if let Some(folder) = args.out.as_ref().filter(|_| report.spending.is_some()) {
        write_result(folder, "results.json", &to_json(&report)?)?;
    }
    if args.json {
        return to_json(&report);
    }
    Ok(report.text())
}

/// The comparison of several arms, which lies above their folders.
fn finish_arms(args: &Args, report: &ArmsReport) -> Result<String, CommandError> {
    if let Some(folder) = &args.out {
        write_result(folder, "comparison.json", &to_json(report)?)?;
        write_result(folder, "comparison.md", &report.markdown())?;
    }
    if args.json {
        return to_json(report);
    }
    Ok(report.text())
}

/// The registry entry that makes the console list it; only what is kept can be listed.
fn registry_note<'a>(args: &'a Args, arm: &'a EvalArm, found: usize) -> Option<Noted<'a>> {
    let setting = &arm.setting;
    Some(Noted {
        kind: EvalKind::Suite,
        database: args.database.as_ref(),
        folder: arm.folder.as_deref()?,
        suite: args.suite,
        tasks: args.tasks.as_ref(),
        seeds: args.seeds,
        mind: &args.mind,
        systems: vec![setting.profile.name.clone()],
        aids: args.body.aids(),
        learn: args.learn,
        base: setting.base.as_ref().map(|base| base.label.clone()),
        frozen: args.frozen,
        hold_out: args.hold_out,
        own_worlds: args.own_worlds,
        strategies: Vec::new(),
        held_out: None,
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
fn exit(args: &Args, is_complete: bool, budget: &EvalBudget, interrupted: bool) -> ExitStatus {
    if is_complete {
        return ExitStatus::Done;
    }
    if let Some(because) = budget.outage() {
        let next = match args.out {
            Some(_) => "the same command continues from there when it answers again",
            None => "with --out, the same command could continue from here",
        };
        print_stderr(&format!("pithead: stopped: {because}; {next}"));
        return ExitStatus::Unavailable;
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

fn jobs(args: &Args) -> Result<usize, CommandError> {
    if args.world.is_microsoft() {
        return match args.jobs {
            None | Some(1) => Ok(1),
            Some(_) => Err(CommandError::usage(
                "one Microsoft account plays one body at a time; leave out --jobs",
            )),
        };
    }
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

/// Writes a file of results. Whole or not at all: a kill must not leave half a report.
pub(super) fn write_result(folder: &Path, name: &str, text: &str) -> Result<(), CommandError> {
    let path = folder.join(name);
    write_atomically(&path, text.as_bytes()).map_err(|error| {
        CommandError::unavailable(format!("could not write {}: {error}", path.display()))
    })
}
