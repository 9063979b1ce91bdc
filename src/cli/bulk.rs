//! `pithead runs abort` and `pithead runs resume`: one command for several runs, each with its own result.
//!
//! The headless counterparts of what the Runs screen does with marked runs.

use super::options::{Database, parse_run_id};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::print_document;
use pithead_core::text::numbers::count_with_noun;
use pithead_engine::runtime::operator::bulk::{BulkAction, BulkStep, carry_out_step, preview_bulk};
use pithead_world::ids::RunId;
use serde::Serialize;
use std::collections::BTreeSet;

#[derive(Debug, clap::Args)]
pub(crate) struct Abort {
    /// The reason, recorded in each run
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    which: Which,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Resume {
    #[command(flatten)]
    which: Which,
}

#[derive(Debug, clap::Args)]
struct Which {
    /// The runs' numbers, as in `pithead runs`
    #[arg(value_name = "RUN", value_parser = parse_run_id, required = true)]
    runs: Vec<RunId>,
    /// Say what would happen to each run, and do nothing
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

/// What came of it; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Page {
    schema: u32,
    #[serde(rename = "deed")]
    action: &'static str,
    dry_run: bool,
    /// Runs for which something is done, or would be.
    acting: usize,
    runs: Vec<Line>,
}

#[derive(Debug, Serialize)]
struct Line {
    #[serde(flatten)]
    step: BulkStep,
    /// Why it was refused although it seemed possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
}

pub(super) fn abort(args: &Abort) -> Result<ExitStatus, CommandError> {
    if args.reason.trim().is_empty() {
        return Err(CommandError::usage(
            "an abort needs a reason, which is recorded in the run",
        ));
    }
    perform(&args.which, BulkAction::Abort, &args.reason)
}

pub(super) fn resume(args: &Resume) -> Result<ExitStatus, CommandError> {
    perform(&args.which, BulkAction::Resume, "")
}

fn perform(which: &Which, action: BulkAction, reason: &str) -> Result<ExitStatus, CommandError> {
    let runs: BTreeSet<RunId> = which.runs.iter().copied().collect();
    let runs: Vec<RunId> = runs.into_iter().collect();
    let steps = preview_bulk(&which.database.open_read_only()?, &runs, action)?;
    let acting = steps.iter().filter(|step| step.effect.acts()).count();
    let operator = which.database.operator()?;
    let mut lines = Vec::new();
    for step in steps {
        let done = if which.dry_run {
            Ok(())
        } else {
            carry_out_step(&operator, &step, action, reason)
        };
        let refused = done.err().map(|error| error.to_string());
        lines.push(Line { step, refused });
    }
    let page = Page {
        schema: 1,
        action: action.name(),
        dry_run: which.dry_run,
        acting,
        runs: lines,
    };
    let is_refused = page.runs.iter().any(|line| line.refused.is_some());
    print_document(which.json, &page, |page| page.text(action))?;
    Ok(if is_refused {
        ExitStatus::Unsuccessful
    } else {
        ExitStatus::Done
    })
}

impl Page {
    fn text(&self, action: BulkAction) -> String {
        let lead = if self.dry_run { "would " } else { "" };
        let mut text = format!(
            "{lead}{} {} of {}\n",
            self.action,
            self.acting,
            count_with_noun(self.runs.len(), "run", "runs")
        );
        for line in &self.runs {
            let step = &line.step;
            let words = match &line.refused {
                Some(because) => format!("refused: {because}"),
                None => step.effect.sentence(action),
            };
            text += &format!("  run {} · {}: {words}\n", step.run, step.task);
        }
        text
    }
}
