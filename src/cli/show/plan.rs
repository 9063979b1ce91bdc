//! `pithead show --plan`: the plan in force at the end of a run, as a text that can be edited.

use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::print_stdout;
use crate::cli::replay::each_page;
use pithead_core::agent::State;
use pithead_core::domain::plan::{json, outline};
use pithead_core::text::clean::clean_lines;
use pithead_engine::runtime::Recording;

pub(super) fn in_force(recording: &Recording, json: bool) -> Result<ExitStatus, CommandError> {
    let mut state = State::new();
    each_page(recording, |facts| {
        facts.iter().for_each(|fact| state.apply(fact));
    })?;
    let Some(plan) = &state.plan else {
        let run = recording.row().id;
        let because =
            format!("run {run} has no plan in force; `pithead show {run}` tells what it has");
        return Err(CommandError::usage(because));
    };
    let text = match json {
        true => json::plan_text(plan) + "\n",
        false => outline::outline_text(plan),
    };
    print_stdout(&clean_lines(&text));
    Ok(ExitStatus::Done)
}
