//! `pithead runs abort` and `pithead runs resume`: one command for several runs, each with its own result.
//!
//! The headless counterparts of what the Runs screen does with marked runs.

use super::options::{Database, parse_run_id};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::print_document;
use crate::config;
use pithead_engine::runtime::background;
use pithead_engine::runtime::bulk::{Deed, Part, Will, carry_out, dry_run};
use pithead_engine::runtime::tell::Teller;
use pithead_world::clock::Clock;
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
    deed: &'static str,
    dry_run: bool,
    /// Runs for which something is done, or would be.
    acting: usize,
    runs: Vec<Line>,
}

#[derive(Debug, Serialize)]
struct Line {
    #[serde(flatten)]
    part: Part,
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
    perform(&args.which, Deed::Abort, &args.reason)
}

pub(super) fn resume(args: &Resume) -> Result<ExitStatus, CommandError> {
    perform(&args.which, Deed::Resume, "")
}

fn perform(which: &Which, deed: Deed, reason: &str) -> Result<ExitStatus, CommandError> {
    let runs: BTreeSet<RunId> = which.runs.iter().copied().collect();
    let runs: Vec<RunId> = runs.into_iter().collect();
    let parts = dry_run(&which.database.open_read_only()?, &runs, deed)?;
    let acting = parts.iter().filter(|part| part.will.acts()).count();
    let mut lines = Vec::new();
    for part in parts {
        let refused = if which.dry_run {
            None
        } else {
            refusal(which, &part, deed, reason)?
        };
        lines.push(Line { part, refused });
    }
    let page = Page {
        schema: 1,
        deed: deed.name(),
        dry_run: which.dry_run,
        acting,
        runs: lines,
    };
    let is_refused = page.runs.iter().any(|line| line.refused.is_some());
    print_document(which.json, &page, |page| page.text(deed))?;
    Ok(if is_refused {
        ExitStatus::Unsuccessful
    } else {
        ExitStatus::Done
    })
}

/// Carries out one part; the reason if it was refused after all.
fn refusal(
    which: &Which,
    part: &Part,
    deed: Deed,
    reason: &str,
) -> Result<Option<String>, CommandError> {
    match part.will {
        Will::Stay(_) => Ok(None),
        Will::GoOn => Ok(background::go_on(&which.database.path()?, part.run).err()),
        Will::TellDriver | Will::End => {
            let (path, operator) = (which.database.path()?, config::operator());
            let teller = Teller {
                database: &path,
                operator: &operator,
                clock: &Clock::System,
            };
            let told = carry_out(&teller, part.run, deed, reason);
            Ok(told.err().map(|error| error.to_string()))
        }
    }
}

impl Page {
    fn text(&self, deed: Deed) -> String {
        let lead = if self.dry_run { "would " } else { "" };
        let mut text = format!(
            "{lead}{} {} of {} runs\n",
            self.deed,
            self.acting,
            self.runs.len()
        );
        for line in &self.runs {
            let part = &line.part;
            let words = match &line.refused {
                Some(because) => format!("refused: {because}"),
                None => part.will.words(deed),
            };
            text += &format!("  run {} · {}: {words}\n", part.run, part.task);
        }
        text
    }
}
