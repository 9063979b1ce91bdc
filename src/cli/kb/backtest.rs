//! `pithead kb backtest`: what a guardrail would have done to all recorded attempts.

use super::super::options::Database;
use super::find::find_entry;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_stdout, to_json};
use pithead_core::domain::experience::Experience;
use pithead_core::domain::knowledge::title;
use pithead_core::domain::knowledge::{Body, Guardrail};
use pithead_core::knowledge::backtest::Backtest;
use pithead_core::text::clean::clean_lines;
use pithead_engine::journal::{EntryFilter, Journal};
use pithead_engine::runtime;
use pithead_world::clock::Clock;
use pithead_world::ids::{ExperienceId, KnowledgeId};
use serde::Serialize;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The guardrail's id, or an unambiguous beginning of it
    #[arg(
        value_name = "ID",
        required_unless_present = "body",
        conflicts_with = "body"
    )]
    entry: Option<String>,
    /// A guardrail in a file instead of an entry; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    body: Option<PathBuf>,
    /// List at most this many of the attempts that it would have blocked
    #[arg(long, value_name = "N", default_value_t = 10)]
    list: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

/// The result; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Page {
    schema: u32,
    id: Option<KnowledgeId>,
    #[serde(flatten)]
    backtest: Backtest,
    ms: u64,
}

pub(super) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let journal = args.database.open_read_only()?;
    let (id, title, rail) = guardrail(args, &journal)?;
    let began = Clock::System.now();
    let backtest = runtime::backtest(&journal, &rail)?.listed();
    let ms = Clock::System.now().since(began);
    if args.json {
        print_stdout(&to_json(&Page {
            schema: 1,
            id,
            backtest,
            ms,
        })?);
        return Ok(ExitStatus::Done);
    }
    let mut text = format!("{title}\n{}\n", backtest.sentence());
    for (name, side) in [
        ("failures", &backtest.failures),
        ("successes", &backtest.successes),
    ] {
        text += &attempts_listed(
            &journal,
            &format!("{name} blocked"),
            &side.blocked_attempts,
            args.list,
        )?;
        text += &attempts_listed(
            &journal,
            &format!("{name} unknown"),
            &side.unknown_attempts,
            args.list,
        )?;
    }
    text += &format!("{} attempts in {ms} ms\n", backtest.attempts);
    print_stdout(&clean_lines(&text));
    Ok(ExitStatus::Done)
}

fn guardrail(
    args: &Args,
    journal: &Journal,
) -> Result<(Option<KnowledgeId>, String, Guardrail), CommandError> {
    let (id, body) = match (&args.body, &args.entry) {
        (Some(path), _) => (None, super::decide::read_body(path)?.0),
        (None, given) => {
            let base = journal.knowledge(EntryFilter::default())?;
            let entry = find_entry(&base, given.as_deref().unwrap_or_default())?;
            (Some(entry.id), entry.body.clone())
        }
    };
    let title = title::title_of(&body);
    match body {
        Body::Guardrail(rail) => Ok((id, title, rail)),
        other => Err(CommandError::usage(format!(
            "only guardrails block attempts, and this entry is a {}; `pithead kb trial` compares runs with and without it",
            other.kind()
        ))),
    }
}

fn attempts_listed(
    journal: &Journal,
    head: &str,
    ids: &[ExperienceId],
    most: usize,
) -> Result<String, CommandError> {
    if ids.is_empty() || most == 0 {
        return Ok(String::new());
    }
    let mut text = format!("\n{head}, newest first\n");
    for id in ids.iter().take(most) {
        let document = journal.document(*id)?;
        let line = document.map_or(String::new(), |d| attempt_line(&d.experience));
        text += &format!("  {id}  run {} attempt {}  {line}\n", id.run, id.n);
    }
    Ok(text + "  `pithead memory show ID` shows an attempt in full\n")
}

fn attempt_line(past: &Experience) -> String {
    let verdict = match past.diagnosis.reason {
        Some(reason) => reason.name(),
        None => "done",
    };
    format!(
        "{} {verdict}: {}",
        past.action.label(),
        past.diagnosis.summary
    )
}
