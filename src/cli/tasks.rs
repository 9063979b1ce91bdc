//! `pithead tasks`: the published task suites, with the doubts about them.

use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{Align, print_stdout, text_table, to_json};
use pithead_core::domain::check::Check;
use pithead_core::text::numbers::{count_with_noun, format_count};
use pithead_engine::suites::{Suite, SuiteName, SuiteTask};
use pithead_world::start::start_inventory_text;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// One suite: mcu70, deps71, metagent50, gitm262, parallel or blueprints [default: all]
    #[arg(long, value_name = "SUITE")]
    suite: Option<SuiteName>,
    /// Print a JSON array of suites
    #[arg(long)]
    json: bool,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let asked = |name: &SuiteName| args.suite.is_none_or(|suite| suite == *name);
    let suites: Vec<&Suite> = SuiteName::ALL
        .into_iter()
        .filter(asked)
        .map(SuiteName::suite)
        .collect();
    let text = if args.json {
        to_json(&suites)?
    } else {
        suites
            .into_iter()
            .map(suite_text)
            .collect::<Vec<_>>()
            .join("\n")
    };
    print_stdout(&text);
    Ok(ExitStatus::Done)
}

fn suite_text(suite: &Suite) -> String {
    let infeasible = suite
        .tasks
        .iter()
        .filter(|task| task.feasible.is_err())
        .count();
    let mut text = format!(
        "{}: {} ({}, {infeasible} infeasible)\nSource: {}\n",
        suite.name.name(),
        suite.title,
        count_with_noun(suite.tasks.len(), "task", "tasks"),
        suite.source
    );
    for doubt in &suite.doubts {
        text += &format!("  ? {doubt}\n");
    }
    let rows: Vec<Vec<String>> = suite.tasks.iter().map(task_row).collect();
    let head = [
        ("TASK", Align::Left),
        ("WHAT TO DO", Align::Left),
        ("DONE WHEN", Align::Left),
        ("TICKS", Align::Right),
        ("AIDS", Align::Left),
    ];
    let table = text_table(&head, &rows);
    let notes = std::iter::once(Vec::new()).chain(suite.tasks.iter().map(task_notes));
    for (notes, line) in notes.zip(table.lines()) {
        text += &format!("{line}\n");
        for note in notes {
            text += &format!("    {note}\n");
        }
    }
    text
}

fn task_row(task: &SuiteTask) -> Vec<String> {
    let all = |checks: &Vec<Check>| {
        let each: Vec<String> = checks.iter().map(Check::describe).collect();
        each.join(" and ")
    };
    let success: Vec<String> = task.success.iter().map(all).collect();
    let aid = task
        .aids
        .biome
        .as_ref()
        .map(|biome| format!("starts in {biome}"));
    let given = &task.aids.given;
    let given = (!given.is_empty()).then(|| format!("begins with {}", start_inventory_text(given)));
    let aid: Vec<String> = aid.into_iter().chain(given).collect();
    vec![
        task.id.clone(),
        task.instruction.clone(),
        success.join(", or "),
        format_count(task.budget_ticks),
        aid.join("; "),
    ]
}

/// What a reader of its results should know.
fn task_notes(task: &SuiteTask) -> Vec<String> {
    let notes = [
        task.feasible
            .as_ref()
            .err()
            .map(|why| format!("infeasible: {why}")),
        task.unseen
            .as_ref()
            .map(|part| format!("not checked: {part}")),
        (!task.decidable)
            .then(|| "not counted: its checks would accept a precursor as success".to_owned()),
        (!task.needs.is_empty()).then(|| format!("needs {}", task.needs.join("; "))),
    ];
    let doubts = task.doubts.iter().map(|doubt| format!("? {doubt}"));
    notes.into_iter().flatten().chain(doubts).collect()
}
