//! `pithead learn --explore`: lives in which the agent chooses its own tasks; kinds of items found over tasks.

use super::super::eval::write_result;
use super::super::interrupt::interrupt_flag;
use super::{Args, bar, settings, summary};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_document, print_stderr, to_json};
use crate::config::minds;
use pithead_core::domain::run::event::RunConfig;
use pithead_engine::eval::explore::{Exploration, ExploreRun, play_explorations};
use pithead_engine::mind::spec::MindSpec;
use pithead_engine::runtime::worlds::build_world;
use pithead_world::clock::Clock;
use std::sync::atomic::Ordering;

pub(super) fn perform(args: &Args, tasks: u32) -> Result<ExitStatus, CommandError> {
    let MindSpec::Builtin(level) = minds::parse_mind(&args.mind).map_err(CommandError::usage)?
    else {
        return Err(CommandError::usage(format!(
            "--explore chooses tasks by the beliefs of a builtin mind; {} has none that can be asked",
            args.mind
        )));
    };
    let (settings, interrupt) = (settings(args)?, interrupt_flag());
    let factory = |config: &RunConfig, seed: u64| {
        let world = build_world(config, None).map_err(|error| error.to_string())?;
        let mind = minds::build_mind(&config.mind, seed, &config.profile.name, None);
        Ok((world, mind.map_err(|error| error.to_string())?))
    };
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let run = ExploreRun {
        settings: &settings,
        seeds: args.seeds,
        level,
        tasks,
        jobs: args.jobs.map_or_else(cores, usize::from),
        out: args.out.as_deref(),
        factory: &factory,
        interrupt: &interrupt,
    };
    let (bar, began) = (bar(), Clock::System.now());
    let mut kept = None;
    let lives = play_explorations(&run, |done, total| {
        bar.set_length(total as u64);
        bar.set_position(done as u64);
        let kept = *kept.get_or_insert(done);
        if bar.is_hidden() {
            let gone_ms = Clock::System.now().since(began);
            print_stderr(&summary(done, total, kept, gone_ms));
        }
    });
    bar.finish_and_clear();
    let found = Exploration::from_lives(&run, &lives?);
    if let Some(folder) = &args.out {
        write_result(folder, "exploration.json", &to_json(&found)?)?;
        write_result(folder, "exploration.md", &found.markdown())?;
        let chart = found.items_svg().map_err(CommandError::unavailable)?;
        write_result(folder, "items.svg", &chart)?;
    }
    print_document(args.json, &found, Exploration::markdown)?;
    if interrupt.load(Ordering::Relaxed) && !found.complete {
        print_stderr(
            "interrupted; the same command with --out keeps the finished lives and continues",
        );
        return Ok(ExitStatus::Interrupted);
    }
    Ok(ExitStatus::Done)
}
