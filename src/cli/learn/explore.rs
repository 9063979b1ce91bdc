//! `pithead learn --explore`: lives in which the agent chooses its own tasks; kinds of items found over tasks.

use super::super::eval::write_result;
use super::super::interrupt::interrupt_flag;
use super::lives::{Progress, jobs, world_and_mind};
use super::{Args, settings};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_document, print_stderr, to_json};
use crate::config::minds;
use pithead_engine::eval::explore::{Exploration, ExploreRun, play_explorations};
use pithead_engine::mind::spec::MindSpec;
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
    let run = ExploreRun {
        settings: &settings,
        seeds: args.seeds,
        level,
        tasks,
        jobs: jobs(args.jobs),
        out: args.out.as_deref(),
        factory: &world_and_mind,
        interrupt: &interrupt,
    };
    let mut progress = Progress::begin();
    let lives = play_explorations(&run, |done, total| progress.show(done, total));
    progress.end();
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
