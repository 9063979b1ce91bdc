//! `pithead run`: start a run and follow it.
//!
//! Invariant: everything that can be refused is refused before the database is created.

use super::options::{
    BodyOptions, Database, Frames, GateOptions, Watching, breakpoint_commands, parse_breakpoint,
    parse_seed,
};
use super::rounds::Rounds;
use super::server::WorldOptions;
use super::watching::{watch, watch_order};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::config::{self, minds};
use pithead_core::domain::run::breakpoint::BreakOn;
use pithead_core::domain::run::budget::Budget;
use pithead_core::domain::run::profile::{Profile, Selector};
use pithead_core::systems;
use pithead_engine::launch::order::OrderedRun;
use pithead_engine::mind::spec::MindSpec;
use pithead_engine::runtime::worlds::build_world;
use pithead_engine::runtime::{self, Parts};
use pithead_engine::suites::SuiteTask;
use pithead_world::clock::Clock;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The task, for example "craft an iron pickaxe", or the id of a published one with its budget and its aids, for
    /// example mcu70/armor/03 (`pithead tasks` lists them)
    task: String,
    /// The world's seed; the same seed is the same world
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = parse_seed)]
    seed: u64,
    /// World ticks that the run may use [default: 36000, half an hour, or those of the
    /// published task]
    #[arg(long, value_name = "TICKS", value_parser = clap::value_parser!(u64).range(1..))]
    budget: Option<u64>,
    /// Tokens that language models may use, in and out [default: the config's]
    #[arg(long, value_name = "N")]
    budget_tokens: Option<u64>,
    /// Money that language models may spend, in units of the price table [default: the config's]
    #[arg(long, value_name = "MONEY", value_parser = parse_money)]
    budget_money: Option<u64>,
    /// Calls to the mind [default: the config's, or 200]
    #[arg(long, value_name = "N")]
    budget_calls: Option<u64>,
    /// Who plans: builtin:novice, builtin:competent, builtin:expert, llm, llm:MODEL, recorded:RUN or recorded:FILE
    #[arg(long, value_name = "MIND", default_value = config::MIND)]
    mind: String,
    /// The system, which says what parts of the loop are on; or a folder with a system.toml of one's own (./mine/)
    #[arg(long, value_name = "NAME", default_value = systems::DEFAULT)]
    system: String,
    /// Rounds of planning anew that the system has (DEPS, Table 4): a number, or `inf` for no bound of its own [default: the system's]
    #[arg(long, value_name = "N")]
    rounds: Option<Rounds>,
    /// How the next step is chosen among those that can be begun: first, random, similarity or horizon [default: the system's]
    #[arg(long, value_name = "NAME")]
    selector: Option<Selector>,
    /// The model of `pithead selector train` that the selector `horizon` predicts with [default: the program's own]
    #[arg(long, value_name = "FILE")]
    horizon_model: Option<PathBuf>,
    #[command(flatten)]
    world: WorldOptions,
    #[command(flatten)]
    body: BodyOptions,
    /// Withhold each entry from the run with this percentage by a seeded draw, 0 to 50, to measure its effect
    #[arg(long, value_name = "PERCENT", default_value_t = config::HOLD_OUT, value_parser = super::options::hold_out())]
    hold_out: u8,
    #[command(flatten)]
    frames: Frames,
    #[command(flatten)]
    gates: GateOptions,
    /// Stop at a breakpoint (repeatable): phase=NAME, subgoal=PATTERN, reason=NAME, guardrail or
    /// guardrail=ID, check=CONDITION, tick=N
    #[arg(long = "break", value_name = "BREAKPOINT", value_parser = parse_breakpoint)]
    breaks: Vec<BreakOn>,
    #[command(flatten)]
    watching: Watching,
    #[command(flatten)]
    database: Database,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    minds::parse_mind(&args.mind).map_err(CommandError::usage)?;
    let client = args.watching.client()?;
    let profile = profile(args)?;
    let horizon_model = super::options::horizon_model(args.horizon_model.as_deref())?;
    let published = super::goal::published_task(&args.task)?;
    let budget = budget(args, published)?;
    // Recorded answers need an existing database; one must not be created just to look for them.
    let recorded = match minds::parse_mind(&args.mind) {
        Ok(MindSpec::Recorded(_)) => Some(args.database.open_read_only()?),
        Ok(_) | Err(_) => None,
    };
    let system = profile.name.clone();
    let mind = || minds::build_mind(&args.mind, args.seed, &system, recorded.as_ref());
    let understood = super::goal::task_from_words(&args.task, &args.mind, budget, mind)?;
    let mut config = config::run_config(understood.task, args.seed, &args.mind, profile);
    config.world = args.world.spec(
        args.seed,
        args.body.aids(),
        &args.body.feelings,
        &format!("pithead_{}", args.seed),
    )?;
    // A server gives no aids.
    if let Some(published) = published.filter(|_| config.world.server.is_none()) {
        published.aids.help(&mut config.world.aids);
    }
    config.gates = args.gates.gates(client)?;
    config.rulebook = args.gates.rulebook(client)?;
    config.budget = budget;
    config.hold_out = args.hold_out;
    config.horizon_model = horizon_model;
    let film = args.frames.film()?;
    let commands = breakpoint_commands(&args.breaks);
    if args.watching.has_own_process(client) {
        let run = OrderedRun::New {
            config: Box::new(config),
            conversation: understood.events,
            film,
        };
        return watch_order((run, commands), &args.watching, &args.database);
    }
    let world = build_world(&config, film).map_err(CommandError::unavailable)?;
    let mind = mind().map_err(CommandError::unavailable)?;
    drop(recorded);
    let journal = args.database.open_for(client)?;
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
    let opening = runtime::Opening {
        conversation: understood.events,
        commands,
    };
    let link = runtime::start_with(config, parts, opening)?;
    watch(link, client, &args.database, &args.watching.console)
}

/// The system, with what the command line says otherwise.
fn profile(args: &Args) -> Result<Profile, CommandError> {
    let profile = config::systems::system(&args.system).map_err(CommandError::usage)?;
    let profile = match args.rounds {
        Some(rounds) => rounds.given_to(profile),
        None => profile,
    };
    Ok(Profile {
        selector: args.selector.unwrap_or(profile.selector),
        ..profile
    })
}

/// The config's budget with the ticks of a published task, overridden by the command line.
fn budget(args: &Args, published: Option<&SuiteTask>) -> Result<Budget, CommandError> {
    let mut budget = minds::budget_of_mind(&args.mind).map_err(CommandError::unavailable)?;
    let usual = published.map_or(budget.ticks, |task| task.budget_ticks);
    budget.ticks = args.budget.unwrap_or(usual);
    budget.mind_calls = args.budget_calls.unwrap_or(budget.mind_calls);
    budget.tokens = args.budget_tokens.or(budget.tokens);
    budget.micros = args.budget_money.or(budget.micros);
    Ok(budget)
}

pub(super) fn parse_money(text: &str) -> Result<u64, String> {
    let money: f64 = text
        .parse()
        .map_err(|_| format!("`{text}` is not an amount of money"))?;
    if !money.is_finite() || money < 0.0 {
        return Err(format!(
            "`{text}` is not an amount of money; it must be zero or more"
        ));
    }
    Ok(minds::micros(money))
}
