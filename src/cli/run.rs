//! `pithead run`: start a run and follow it.

use super::options::{Database, GateOptions, Watching};
use crate::app::{self, Exit, Fault};
use crate::clock::Clock;
use crate::config;
use crate::domain::task::Task;
use crate::runtime::{self, Parts};
use crate::systems;

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
    config::level(&args.mind).map_err(Fault::usage)?;
    let profile = systems::named(&args.system).map_err(Fault::usage)?;
    let mut config = config::run_config(task, args.seed, &args.mind, profile);
    config.gates = args.gates.gates(client)?;
    config.budget.ticks = args.budget.unwrap_or(config.budget.ticks);
    let (world, mind) = config::body_and_mind(&config).map_err(Fault::unavailable)?;
    let parts = Parts {
        journal: args.database.open(client)?,
        world,
        mind,
        clock: Clock::System,
        pace: args.watching.pace(client),
        operator: config::operator(),
    };
    app::watch(
        runtime::start(config, parts)?,
        client,
        args.watching.look.theme.as_ref(),
    )
}
