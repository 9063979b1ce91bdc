//! `pithead prompt`: the exact text that a language model gets.

use super::options::{Database, parse_run_id};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_stdout, text_columns};
use crate::config::file;
use pithead_core::agent::State;
use pithead_core::domain::experience::state_summary::StateSummary;
use pithead_core::domain::mind::ask::Ask;
use pithead_core::domain::mind::role::MindRole;
use pithead_core::domain::run::event::Event;
use pithead_core::text::clean::clean_lines;
use pithead_engine::mind::llm::prompt::{Prompt, Prompts};
use pithead_engine::mind::llm::slots::PromptContext;
use pithead_engine::runtime::Recording;
use pithead_world::ids::{RunId, Seq};

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// List the roles that have prompts
    List,
    /// Show the prompt of a role at a moment of a recorded run
    Render(Render),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Render {
    /// The role, as in `pithead prompt list`
    role: String,
    /// The run's number, as in `pithead runs`
    #[arg(long, value_parser = parse_run_id)]
    run: RunId,
    /// The moment, as the number of an event: shows the last question up to it [default: the last event]
    #[arg(long, value_name = "EVENT")]
    at: Option<u64>,
    /// The system whose prompts are used [default: the run's]
    #[arg(long, value_name = "NAME")]
    system: Option<String>,
    #[command(flatten)]
    database: Database,
}

pub(crate) fn perform(command: &Command) -> Result<ExitStatus, CommandError> {
    match command {
        Command::List => {
            let row = |role: MindRole| vec![role.to_string(), when_asked(role).to_owned()];
            print_stdout(&text_columns(&MindRole::ALL.map(row)));
        }
        Command::Render(args) => print_stdout(&clean_lines(&text(&render(args)?))),
    }
    Ok(ExitStatus::Done)
}

/// When the loop asks a role.
fn when_asked(role: MindRole) -> &'static str {
    match role {
        MindRole::Planner => "for each plan and replan",
        MindRole::Recall => "once, if what was recalled takes about 1,500 tokens or more",
        MindRole::Diagnosis => {
            "when a step keeps failing and the body does not say what was lacking"
        }
        MindRole::Goal => "before the run, for a task in free words",
        MindRole::Skill => {
            "after a success with failures, if the program's own draft does not play through"
        }
        MindRole::Guardrail => "after a diagnosis whose constraint the record speaks against",
        MindRole::Decomposer => "before the first plan (gitm)",
        MindRole::Explainer => "when a step keeps failing, in place of diagnosis (gitm, deps)",
        MindRole::RuleGenerator => {
            "at the end, if plans were rejected or steps failed (metagent-p)"
        }
        MindRole::RuleScorer => "for the rules generated (metagent-p)",
        MindRole::Judge => "for each plan with steps that no rule decides (metagent-p)",
        MindRole::Reflector => "when the plan failed; after each failure (metagent-p)",
        MindRole::Summariser => "at the end (gitm)",
        MindRole::ReferencePlan => "at the end, for a goal that five runs have reached (gitm)",
    }
}

/// Roles whose question cannot be derived from the state of the run.
const ALWAYS: [MindRole; 4] = [
    MindRole::Planner,
    MindRole::Recall,
    MindRole::Diagnosis,
    MindRole::Goal,
];

fn render(args: &Render) -> Result<Prompt, CommandError> {
    let role: MindRole = args.role.parse().map_err(|_| {
        CommandError::usage(format!(
            "there is no prompt for the role `{}`; use {}",
            args.role,
            MindRole::list_names(MindRole::ALL)
        ))
    })?;
    let recording = Recording::open(args.database.open_read_only()?, args.run)?;
    let until = Seq(args.at.unwrap_or(u64::MAX));
    let (mut state, mut asked): (State, Option<Ask>) = (State::new(), None);
    super::replay::each_page(&recording, |page| {
        for fact in page.iter().filter(|fact| fact.seq <= until) {
            state.apply(fact);
            if let Event::MindAsked { ask, .. } = &fact.event
                && ask.role() == role
            {
                asked = Some((**ask).clone());
            }
        }
    })?;
    let run_system = state.config().map(|config| config.profile.name.clone());
    let system = args.system.clone().or(run_system).unwrap_or_default();
    let folder = file::settings()
        .map_err(CommandError::unavailable)?
        .llm
        .prompts;
    let prompts =
        Prompts::for_system(&system, folder.as_deref()).map_err(CommandError::unavailable)?;
    let rendered = match asked {
        Some(ask) => prompts.of_ask(&ask),
        None if ALWAYS.contains(&role) => {
            return Err(CommandError::usage(format!(
                "run {} has asked nothing of the {} up to that moment; `pithead replay {} --headless` lists its events",
                args.run, args.role, args.run
            )));
        }
        None => {
            let scene = scene(&state).ok_or_else(|| {
                CommandError::usage(
                    "no frame of the world was recorded up to that moment; name a later event",
                )
            })?;
            prompts.of_scene(role, &scene)
        }
    };
    rendered.map_err(CommandError::unavailable)
}

/// The slots of the other roles' prompts at this moment.
fn scene(state: &State) -> Option<PromptContext> {
    let planning = match &state.phase {
        pithead_core::agent::state::Phase::ToPlan(planning)
        | pithead_core::agent::state::Phase::Planning { planning, .. } => planning.rejected.clone(),
        _ => None, // no other phase has a plan that was sent back
    };
    Some(PromptContext {
        task: state.config()?.task.clone(),
        state: StateSummary::from_frame(state.frame.as_deref()?),
        plan: state.plan.clone().unwrap_or_default(),
        done: state.done.clone(),
        failures: state
            .nodes
            .values()
            .flat_map(|node| node.failures.clone())
            .collect(),
        successes: state.successes.clone(),
        hits: state.hits.clone(),
        knowledge: state.visible().cloned().collect(),
        rejected: planning,
    })
}

fn text(prompt: &Prompt) -> String {
    format!(
        "── system ──\n{}\n\n── user ──\n{}\n\n── about {} tokens ──\n",
        prompt.system, prompt.user, prompt.tokens
    )
}
