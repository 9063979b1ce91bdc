//! `pithead plan`: plan a task with the mind and verify the plan, without a world.

use super::options::{Database, parse_seed};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_document, print_stdout};
use crate::config::{self, minds};
use pithead_core::agent::reading::{read_plan, read_refusal};
use pithead_core::agent::verify::{Known, verify};
use pithead_core::domain::condition::situation::Situation;
use pithead_core::domain::experience::state_summary::StateSummary;
use pithead_core::domain::knowledge::{Entry, Status};
use pithead_core::domain::mind::ask::{Ask, Guide, PlanAsk};
use pithead_core::domain::mind::evidence::Rejected;
use pithead_core::domain::plan::Plan;
use pithead_core::domain::plan::note::{Note, Severity};
use pithead_core::domain::plan::outline::outline_text;
use pithead_core::domain::plan::task::Task;
use pithead_core::domain::run::budget::Limits;
use pithead_core::knowledge::uses::StepUses;
use pithead_core::systems;
use pithead_core::text::clean::clean_lines;
use pithead_core::text::numbers::count_with_noun;
use pithead_engine::journal::EntryFilter;
use pithead_engine::mind::Mind;
use pithead_world::counts::Counts;
use serde::Serialize;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The task, for example "craft an iron pickaxe"
    task: String,
    /// The inventory at the start, for example oak_log=3,stick=2
    #[arg(
        long,
        value_name = "ITEMS",
        default_value = "",
        hide_default_value = true
    )]
    inventory: Counts,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Print only the plan, with one step in each line, as `pithead fork --plan` reads it
    #[arg(long, conflicts_with = "json")]
    outline: bool,
    /// Who plans: builtin:novice, builtin:competent, builtin:expert, llm, llm:MODEL or recorded:FILE
    #[arg(long, value_name = "MIND", default_value = config::MIND)]
    mind: String,
    /// The seed of a builtin mind's random errors
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = parse_seed)]
    seed: u64,
    #[command(flatten)]
    database: Database,
}

/// What is printed; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Answer {
    schema: u32,
    task: String,
    mind: String,
    /// The plan has no errors.
    valid: bool,
    /// Rounds between planner and verifier.
    rounds: u32,
    plan: Plan,
    notes: Vec<Note>,
    /// Why there is no plan, if there is none.
    impossible: Option<String>,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    minds::parse_mind(&args.mind).map_err(CommandError::usage)?;
    let journal = match args.database.path()?.exists() {
        true => Some(args.database.open_read_only()?),
        false => None,
    };
    let mind = || minds::build_mind(&args.mind, args.seed, systems::DEFAULT, journal.as_ref());
    let budget = minds::budget_of_mind(&args.mind).map_err(CommandError::unavailable)?;
    let task = super::goal::task_from_words(&args.task, &args.mind, budget, mind)?.task;
    let mut mind = mind().map_err(CommandError::unavailable)?;
    let ask = first_ask(task, args.inventory.clone(), knowledge(&args.database)?);
    let answer = if is_done(&ask) {
        nothing_to_do(mind.name(), ask.task.text)
    } else {
        plan(mind.as_mut(), ask)?
    };
    if args.outline && answer.valid {
        print_stdout(&clean_lines(&outline_text(&answer.plan)));
    } else {
        print_document(args.json, &answer, text)?;
    }
    Ok(if answer.valid {
        ExitStatus::Done
    } else {
        ExitStatus::Unsuccessful
    })
}

/// The active entries; none if there is no database yet.
fn knowledge(database: &Database) -> Result<Vec<Entry>, CommandError> {
    if !database.path()?.exists() {
        return Ok(Vec::new());
    }
    Ok(database.open_read_only()?.knowledge(EntryFilter {
        status: Some(Status::Active),
        kind: None,
    })?)
}

fn first_ask(task: Task, inventory: Counts, knowledge: Vec<Entry>) -> PlanAsk {
    PlanAsk {
        ticks_left: None,
        around: None,
        failed: None,
        hits: Vec::new(),
        task,
        state: StateSummary::holding(inventory),
        capsule: None,
        knowledge,
        options: pithead_core::domain::experience::option::TriedOptions::default(),
        lessons: Vec::new(),
        rejected: None,
        vetoes: Vec::new(),
        faults: Vec::new(),
        done: Vec::new(),
        guide: Guide::default(),
        track: false,
        form: Default::default(),
        part: None,
        nonce: 0,
    }
}

/// Whether the inventory already fulfils the task.
fn is_done(ask: &PlanAsk) -> bool {
    let now = Situation {
        inventory: Some(&ask.state.inventory),
        ..Situation::default()
    };
    ask.task.is_done(&now)
}

fn nothing_to_do(mind: String, task: String) -> Answer {
    Answer {
        schema: 1,
        task,
        mind,
        valid: true,
        rounds: 0,
        plan: Plan::default(),
        notes: Vec::new(),
        impossible: None,
    }
}

/// Planner and verifier take turns, as in a run, until a plan passes or no rounds are left.
fn plan(mind: &mut dyn Mind, mut ask: PlanAsk) -> Result<Answer, CommandError> {
    let limits = Limits::default();
    let uses = match mind.is_language_model() {
        true => StepUses::seen(&[], &ask.knowledge),
        false => StepUses::default(),
    };
    let mut rounds = 0;
    loop {
        rounds += 1;
        let answer = mind.answer(&Ask::Plan(Box::new(ask.clone())));
        let text = match answer {
            Ok(text) => text,
            // A model that could not be asked has said nothing about the task.
            Err(because) if mind.is_language_model() => {
                return Err(CommandError::unavailable(because));
            }
            Err(because) => return Ok(answer_of(mind, ask, rounds, Some(because))),
        };
        if let Some(because) = read_refusal(&text) {
            return Ok(answer_of(mind, ask, rounds, Some(because)));
        }
        match read_plan(&text) {
            Err(fault) => ask.faults.push(fault),
            Ok(((plan, mut notes), _)) => {
                ask.faults.clear();
                let known = Known {
                    task: &ask.task,
                    state: &ask.state,
                    knowledge: &ask.knowledge,
                    lessons: &ask.lessons,
                    limits: &limits,
                    uses: &uses,
                    counts: mind.is_language_model(),
                };
                notes.extend(verify(&plan, &known));
                let settled = !plan.subgoals.is_empty() && !has_errors(&notes);
                ask.rejected = Some(Rejected {
                    plan,
                    notes,
                    answer: Some(text),
                });
                if settled {
                    return Ok(answer_of(mind, ask, rounds, None));
                }
            }
        }
        ask.nonce += 1;
        if rounds > limits.verify_rounds_max {
            if let Some(fault) = ask.faults.pop() {
                let because = format!("the mind gave no readable plan: {fault}");
                return Err(CommandError::unavailable(because));
            }
            return Ok(answer_of(mind, ask, rounds, None));
        }
    }
}

fn answer_of(mind: &dyn Mind, ask: PlanAsk, rounds: u32, because: Option<String>) -> Answer {
    let rejected = ask.rejected.unwrap_or(Rejected {
        plan: Plan::default(),
        notes: Vec::new(),
        answer: None,
    });
    let Rejected { plan, notes, .. } = rejected;
    let valid = because.is_none() && !plan.subgoals.is_empty() && !has_errors(&notes);
    let impossible = because.or_else(|| {
        let first = notes.iter().find(|note| note.severity == Severity::Error);
        (!valid).then(|| {
            first.map_or("the mind found no plan".to_owned(), |note| {
                note.text.clone()
            })
        })
    });
    Answer {
        schema: 1,
        task: ask.task.text,
        mind: mind.name(),
        valid,
        rounds,
        plan,
        notes,
        impossible,
    }
}

fn has_errors(notes: &[Note]) -> bool {
    notes.iter().any(|note| note.severity == Severity::Error)
}

fn text(answer: &Answer) -> String {
    if answer.valid && answer.plan.subgoals.is_empty() {
        let text = format!(
            "{}\nNothing to do: the inventory already fulfils the task.\n",
            answer.task
        );
        return text;
    }
    let mut text = format!(
        "{}\nplanned by {} in {}\n\n",
        answer.task,
        answer.mind,
        count_with_noun(answer.rounds as usize, "round", "rounds")
    );
    for subgoal in &answer.plan.subgoals {
        let needs: Vec<String> = subgoal.needs.iter().map(ToString::to_string).collect();
        let after = if needs.is_empty() {
            String::new()
        } else {
            format!("  (after {})", needs.join(", "))
        };
        text += &format!("  {}  {}{after}\n", subgoal.id, subgoal.condition);
    }
    for note in &answer.notes {
        let about = note.subgoal.map_or(String::new(), |id| format!(" {id}"));
        text += &format!("{}{about}: {}\n", note.severity.name(), note.text);
    }
    text += &match &answer.impossible {
        Some(because) => format!("\nThis cannot be done with that inventory: {because}\n"),
        None => "\nThe plan passes the verifier.\n".to_owned(),
    };
    text
}
