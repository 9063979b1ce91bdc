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
use pithead_core::text::numbers::count_with_noun;
use pithead_engine::journal::{EntryFilter, Journal};
use pithead_engine::runtime;
use pithead_engine::runtime::BacktestChange;
use pithead_world::clock::Clock;
use pithead_world::ids::{ExperienceId, KnowledgeId};
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The guardrail's id, or an unambiguous beginning of it
    #[arg(value_name = "ID", required_unless_present = "body")]
    entry: Option<String>,
    /// A guardrail in a file; `-` reads standard input. With an entry, both are compared, as before an edit is saved
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
    if let (Some(given), Some(path)) = (&args.entry, &args.body) {
        return compare(args, &journal, given, path);
    }
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
    let attempts = count_with_noun(backtest.attempts, "attempt", "attempts");
    text += &format!("{attempts} in {ms} ms\n");
    print_stdout(&clean_lines(&text));
    Ok(ExitStatus::Done)
}

/// The result of an edit; the JSON form is stable.
#[derive(Debug, Serialize)]
struct ChangePage {
    schema: u32,
    id: Option<KnowledgeId>,
    #[serde(flatten)]
    change: BacktestChange,
    ms: u64,
}

/// An entry as it is saved beside what a file says.
fn compare(
    args: &Args,
    journal: &Journal,
    given: &str,
    path: &Path,
) -> Result<ExitStatus, CommandError> {
    let (id, title, saved) = of_entry(journal, given)?;
    let edited = only_guardrail(super::decide::read_body(path)?.0)?;
    let began = Clock::System.now();
    let change = runtime::backtest_change(journal, &saved, &edited)?;
    let ms = Clock::System.now().since(began);
    if args.json {
        let page = ChangePage {
            schema: 1,
            id,
            change,
            ms,
        };
        print_stdout(&to_json(&page)?);
        return Ok(ExitStatus::Done);
    }
    let mut text = format!(
        "{title}\nas saved: {}\nas edited: {}\n",
        change.saved.sentence(),
        change.edited.sentence()
    );
    for (head, ids) in [
        ("blocked now", &change.blocked_now),
        ("blocked no more", &change.blocked_no_more),
    ] {
        let head = format!("{head}: {}", ids.len());
        text += &attempts_listed(journal, &head, ids, args.list)?;
    }
    let attempts = count_with_noun(change.edited.attempts, "attempt", "attempts");
    text += &format!("{attempts} twice in {ms} ms\n");
    print_stdout(&clean_lines(&text));
    Ok(ExitStatus::Done)
}

fn of_entry(
    journal: &Journal,
    given: &str,
) -> Result<(Option<KnowledgeId>, String, Guardrail), CommandError> {
    let base = journal.knowledge(EntryFilter::default())?;
    let entry = find_entry(&base, given)?;
    let title = title::title_of(&entry.body);
    Ok((Some(entry.id), title, only_guardrail(entry.body.clone())?))
}

fn only_guardrail(body: Body) -> Result<Guardrail, CommandError> {
    match body {
        Body::Guardrail(rail) => Ok(rail),
        other => Err(CommandError::usage(format!(
            "only guardrails block attempts, and this entry is a {}; `pithead kb trial` compares runs with and without it",
            other.kind()
        ))),
    }
}

fn guardrail(
    args: &Args,
    journal: &Journal,
) -> Result<(Option<KnowledgeId>, String, Guardrail), CommandError> {
    let Some(path) = &args.body else {
        return of_entry(journal, args.entry.as_deref().unwrap_or_default());
    };
    let body = super::decide::read_body(path)?.0;
    let title = title::title_of(&body);
    Ok((None, title, only_guardrail(body)?))
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
