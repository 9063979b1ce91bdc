//! `pithead run`: start a run and follow it.

use super::options::{Database, GateOptions, Watching};
use crate::app::{self, Exit, Fault};
use crate::clock::Clock;
use crate::config;
use crate::domain::budget::{Budget, Limits};
use crate::domain::diagnosis::Thresholds;
use crate::domain::event::RunConfig;
use crate::domain::task::Task;
use crate::ids::RunId;
use crate::runtime::{self, Parts};
use crate::systems;
use crate::world::port::WorldSpec;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What is to be achieved, for example "craft an iron pickaxe"
    task: String,
    /// The world's seed; the same seed is the same world
    #[arg(long, value_name = "N", default_value_t = 7)]
    seed: u64,
    /// World ticks that the run may take [default: 36000, half an hour]
    #[arg(long, value_name = "TICKS", value_parser = clap::value_parser!(u64).range(1..))]
    budget: Option<u64>,
    /// Who plans: builtin:novice, builtin:competent or builtin:expert
    #[arg(long, value_name = "MIND", default_value = config::MIND)]
    mind: String,
    /// Which parts of the loop are on: a system's name
    #[arg(long, value_name = "NAME", default_value = systems::DEFAULT)]
    system: String,
    #[command(flatten)]
    gates: GateOptions,
    #[command(flatten)]
    watching: Watching,
    #[command(flatten)]
    database: Database,
}

pub(crate) fn perform(args: &Args) -> Result<Exit, Fault> {
    let task = Task::parse(&args.task).map_err(Fault::usage)?;
    let client = args.watching.client()?;
    let mut budget = Budget::default();
    budget.ticks = args.budget.unwrap_or(budget.ticks);
    config::level(&args.mind).map_err(Fault::usage)?;
    let config = RunConfig {
        run: RunId(0), // handed out by the journal
        task,
        world: WorldSpec {
            kind: config::VOXEL.to_owned(),
            seed: args.seed,
            frame_ticks: config::FRAME_TICKS,
        },
        mind: args.mind.clone(),
        profile: systems::named(&args.system).map_err(Fault::usage)?,
        gates: args.gates.gates(client)?,
        budget,
        limits: Limits::default(),
        thresholds: Thresholds::default(),
    };
    let (world, mind) = config::body_and_mind(&config).map_err(Fault::unavailable)?;
    let journal = args.database.open(client)?;
    let embedder = super::options::embedder(&journal)?;
    let parts = Parts {
        journal,
        world,
        mind,
        embedder,
        clock: Clock::System,
        pace: args.watching.pace(client),
        operator: config::operator(),
    };
    app::watch(runtime::start(config, parts)?, client)
}
