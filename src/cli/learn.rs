//! `pithead learn`: does it learn? Success and failures of several systems or strategies over lives of episodes.

mod explore;
mod lives;

use super::eval::write_result;
use super::evals::{self, Noted};
use crate::cli::interrupt::interrupt_flag;
use crate::cli::options::FeelingOptions;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_document, print_stderr, to_json};
use crate::config::{self, minds};
use lives::{Progress, jobs, world_and_mind};
use pithead_core::systems;
use pithead_engine::eval::registry::EvalKind;
use pithead_engine::eval::{
    Curve, EvalPlan, HeldOut, LIFE_SEEDS_END, LearningRun, Seeds, Setting, Strategy, TaskPattern,
    play_lives,
};
use pithead_engine::runtime::Keep;
use pithead_engine::suites::SuiteName;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("measure").required(true).multiple(true).args(["curve", "checkpoints", "strategy", "explore"])))]
pub(crate) struct Args {
    /// Measure the learning curve: success pass by pass in the worlds in which it learns
    #[arg(long)]
    curve: bool,
    /// Measure on held-out seeds in place of that: after each of N equal parts of a life its knowledge is frozen and
    /// examined [default: 5 with --strategy]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    checkpoints: Option<u32>,
    /// The agent chooses its own tasks, so many in a life [default: 100]; kinds of items found over tasks
    #[arg(
        long,
        value_name = "TASKS",
        num_args = 0..=1,
        default_missing_value = "100",
        value_parser = clap::value_parser!(u32).range(1..=100_000),
        conflicts_with_all = ["curve", "checkpoints", "strategy", "groups", "passes", "held_out", "path"]
    )]
    explore: Option<u32>,
    /// Held-out seeds that each task is played with at each checkpoint, for --checkpoints or --strategy
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    held_out: u32,
    /// Compare ways to build knowledge for Diamond tasks in place of systems: cold, diamond-only, freeze, mixed
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        conflicts_with = "groups"
    )]
    strategy: Vec<Strategy>,
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
    /// Passes over all tasks in one life; with --strategy, as many episodes as so many passes over the Diamond tasks
    /// [default: 3, with --strategy 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    passes: Option<u32>,
    /// Systems to compare; with --strategy the one that learns
    /// [default: steve-evolving,no-skills,no-guardrails,no-visibility,planning-only, with --strategy or --explore steve-evolving]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    systems: Vec<String>,
    /// Who plans: builtin:novice, builtin:competent or builtin:expert
    #[arg(long, value_name = "MIND", default_value = config::MIND)]
    mind: String,
    #[command(flatten)]
    feelings: FeelingOptions,
    /// Lives at a time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Keep finished lives, tables and charts in this folder; the same command continues from there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The database whose console lists the folder of --out [default: PITHEAD_DB, or the user's data folder]
    #[arg(id = "path", long = "db", value_name = "PATH", requires = "out")]
    database: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The systems of the paper's ablation.
const ABLATION: [&str; 5] = [
    "steve-evolving",
    "no-skills",
    "no-guardrails",
    "no-visibility",
    "planning-only",
];
/// The tasks that strategies are compared on.
const STRATEGY_GROUP: &str = "diamond";

impl Args {
    fn passes(&self) -> u32 {
        let default = if self.strategy.is_empty() { 3 } else { 20 };
        self.passes.unwrap_or(default)
    }

    fn systems(&self) -> Vec<String> {
        let all = if self.strategy.is_empty() && self.explore.is_none() {
            &ABLATION[..]
        } else {
            &[systems::DEFAULT]
        };
        match self.systems[..] {
            [] => all.iter().map(|name| (*name).to_owned()).collect(),
            _ => self.systems.clone(),
        }
    }

    /// When knowledge is examined, if it is.
    fn examination(&self) -> Option<HeldOut> {
        let default = (!self.strategy.is_empty()).then_some(5);
        let checkpoints = self.checkpoints.or(default)?;
        Some(HeldOut {
            checkpoints,
            seeds: self.held_out,
        })
    }
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    if let Some(tasks) = args.explore {
        return explore::perform(args, tasks);
    }
    minds::parse_mind(&args.mind).map_err(CommandError::usage)?;
    let settings = settings(args)?;
    let suite = SuiteName::Mcu70.suite();
    let tasks = groups(args)?;
    let plan = EvalPlan::select(suite, Some(&tasks), args.seeds).map_err(CommandError::usage)?;
    check_seeds(args)?;
    let interrupt = interrupt_flag();
    let learning_run = LearningRun {
        settings: &settings,
        plan: &plan,
        passes: args.passes(),
        held_out: args.examination(),
        jobs: jobs(args.jobs),
        out: args.out.as_deref(),
        factory: &world_and_mind,
        interrupt: &interrupt,
    };
    let (mut progress, mut lock) = (Progress::begin(), None);
    let mut is_first = true;
    let lives = play_lives(&learning_run, |done, total| {
        if std::mem::take(&mut is_first) {
            lock = registry_note(args, &tasks, done).and_then(evals::register);
        }
        progress.show(done, total);
    });
    progress.end();
    let curve = Curve::from_lives(&settings, &plan, args.examination(), &lives?);
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
        systems: args.systems(),
        aids: args.feelings.aids(),
        learn: true,
        base: None,
        frozen: false,
        hold_out: 0,
        own_worlds: false, // lives give each episode its own anyway
        strategies: args.strategy.clone(),
        held_out: args.examination(),
        passes: args.passes(),
        found,
    })
}

fn settings(args: &Args) -> Result<Vec<Setting>, CommandError> {
    let setting = |name: &String, strategy| {
        Ok(Setting {
            suite: SuiteName::Mcu70.suite(),
            mind: args.mind.clone(),
            profile: config::systems::named_system(name).map_err(CommandError::usage)?,
            world: Setting::world_of(args.feelings.aids()),
            learn: true,
            base: None,
            frozen: false,
            horizon_model: None,
            hold_out: 0, // what is withheld would be missing in the curve
            strategy,
            keep: Keep::Attempts,
            budget: minds::budget_of_mind(&args.mind).map_err(CommandError::unavailable)?,
        })
    };
    let systems = args.systems();
    if args.strategy.is_empty() {
        return systems.iter().map(|name| setting(name, None)).collect();
    }
    let [system] = &systems[..] else {
        return Err(CommandError::usage(
            "--strategy compares strategies of one system; name one with --systems",
        ));
    };
    let strategies = args.strategy.iter();
    strategies.map(|one| setting(system, Some(*one))).collect()
}

/// No life may learn in a world that is kept for examinations.
fn check_seeds(args: &Args) -> Result<(), CommandError> {
    let is_below = args.seeds.last < LIFE_SEEDS_END;
    if args.examination().is_none() || is_below {
        return Ok(());
    }
    Err(CommandError::usage(format!(
        "seeds from {LIFE_SEEDS_END} on are kept for checkpoints; choose lower --seeds"
    )))
}

fn groups(args: &Args) -> Result<TaskPattern, CommandError> {
    let mut known: Vec<&str> = Vec::new();
    for task in &SuiteName::Mcu70.suite().tasks {
        let folder = task.id.split('/').nth(1).unwrap_or_default();
        if !known.contains(&folder) {
            known.push(folder);
        }
    }
    let groups = args.groups.iter().map(String::as_str);
    let asked: Vec<String> = match args.strategy[..] {
        [] => groups.map(|group| group.trim().to_lowercase()).collect(),
        _ => vec![STRATEGY_GROUP.to_owned()],
    };
    if let Some(unknown) = asked.iter().find(|group| !known.contains(&group.as_str())) {
        return Err(CommandError::usage(format!(
            "mcu70 has no group `{unknown}`; it has {}",
            known.join(", ")
        )));
    }
    let pattern = format!("mcu70/{{{}}}/*", asked.join(","));
    pattern.parse().map_err(CommandError::usage)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::options::parse_args;

    /// The arms, the passes, and checkpoints with held-out seeds.
    type Measured = (Vec<String>, u32, Option<(u32, u32)>);

    fn read(words: &[&str]) -> Result<Measured, String> {
        let line = std::iter::once(&"learn").chain(words);
        let args = parse_args::<Args>(line)?;
        check_seeds(&args).map_err(|error| error.to_string())?;
        groups(&args).map_err(|error| error.to_string())?;
        let arms = settings(&args).map_err(|error| error.to_string())?;
        let name = |arm: &Setting| match arm.strategy {
            Some(strategy) => format!("{} {}", arm.profile.name, strategy.name()),
            None => arm.profile.name.clone(),
        };
        let exam = args
            .examination()
            .map(|exam| (exam.checkpoints, exam.seeds));
        Ok((arms.iter().map(name).collect(), args.passes(), exam))
    }

    #[test]
    fn what_is_measured_is_read_from_the_options() {
        let (systems, passes, exam) = read(&["--curve"]).unwrap();
        assert_eq!((systems.len(), passes, exam), (5, 3, None));
        let (systems, passes, exam) = read(&[
            "--checkpoints",
            "4",
            "--systems",
            "no-skills",
            "--held-out",
            "2",
        ])
        .unwrap();
        assert_eq!(
            (systems.join(","), passes, exam),
            ("no-skills".to_owned(), 3, Some((4, 2)))
        );
        let (arms, passes, exam) = read(&["--strategy", "cold,mixed"]).unwrap();
        assert_eq!(arms, ["steve-evolving cold", "steve-evolving mixed"]);
        assert_eq!((passes, exam), (20, Some((5, 3))));
        assert_eq!(read(&["--explore"]).unwrap().0, ["steve-evolving"]);
        let args = parse_args::<Args>(["learn", "--explore"]).unwrap();
        assert_eq!(args.explore, Some(100));
    }

    #[test]
    fn what_cannot_be_measured_is_refused() {
        for (words, because) in [
            (&[][..], "required"),
            (&["--strategy", "warm"][..], "diamond-only"),
            (
                &["--strategy", "cold", "--systems", "a,b"][..],
                "strategies of one system",
            ),
            (
                &["--strategy", "cold", "--groups", "iron"][..],
                "cannot be used with",
            ),
            (&["--explore", "0"][..], "0 is not in 1..=100000"),
            (&["--explore", "--curve"][..], "cannot be used with"),
            (
                &["--explore", "--groups", "iron"][..],
                "cannot be used with",
            ),
            (&["--checkpoints", "0"][..], "0 is not in 1..=100"),
            (
                &["--checkpoints", "2", "--seeds", "900000000"][..],
                "kept for checkpoints",
            ),
            (&["--curve", "--groups", "wool"][..], "no group `wool`"),
        ] {
            let error = read(words).unwrap_err();
            assert!(error.contains(because), "{words:?}: {error}");
        }
    }
}
