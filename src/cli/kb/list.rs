//! `pithead kb list`: the entries, filtered and sorted.

use super::super::options::Database;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_stdout, to_json};
use pithead_core::domain::knowledge::{Entry, Status};
use pithead_core::knowledge::title;
use pithead_core::text::clean::clean_lines;
use pithead_engine::journal::Filter;
use pithead_world::clock::Clock;
use std::cmp::Reverse;

const KINDS: [&str; 6] = [
    "skill",
    "guardrail",
    "task_guardrail",
    "rule",
    "reference_plan",
    "note",
];

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only entries of this kind: skill, guardrail, task_guardrail, rule, reference_plan or note
    #[arg(long, value_name = "KIND", value_parser = KINDS)]
    kind: Option<String>,
    /// Only entries of this status: proposed, active, superseded, retired or vetoed
    #[arg(long, value_name = "STATUS")]
    status: Option<Status>,
    /// Only entries that hold this text, in whatever case
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,
    /// Only entries whose author holds this text: mind, operator, import, policy, or a name
    #[arg(long, value_name = "TEXT")]
    author: Option<String>,
    /// In which order: id, trust, shown, blocked, helped, hurt, newest or title
    #[arg(long, value_name = "BY", value_enum, default_value = "id")]
    sort: Sort,
    /// At most so many
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Print a JSON array of whole entries
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Sort {
    Id,
    Trust,
    Shown,
    Blocked,
    Helped,
    Hurt,
    Newest,
    Title,
}

pub(super) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let kind = args.kind.as_deref();
    let filter = Filter {
        status: args.status,
        kind: KINDS.into_iter().find(|known| Some(*known) == kind),
    };
    let mut entries = args.database.open_read_only()?.knowledge(filter)?;
    entries.retain(|entry| fits(args, entry));
    sort(&mut entries, args.sort);
    let limit = args.limit.and_then(|n| usize::try_from(n).ok());
    entries.truncate(limit.unwrap_or(usize::MAX));
    if args.json {
        print_stdout(&to_json(&entries)?);
        return Ok(ExitStatus::Done);
    }
    let head = "ID        KIND            STATUS     TRUST  SHOWN  BLOCKED  HELPED  HURT  TITLE\n";
    let text = entries
        .iter()
        .map(row)
        .fold(head.to_owned(), |text, row| text + &row);
    print_stdout(&clean_lines(&text));
    Ok(ExitStatus::Done)
}

fn fits(args: &Args, entry: &Entry) -> bool {
    let holds = |text: &str, part: &String| text.to_lowercase().contains(&part.to_lowercase());
    let author = args.author.as_ref();
    author.is_none_or(|part| holds(&entry.author.to_string(), part))
        && args.text.as_ref().is_none_or(|part| {
            let body = serde_json::to_string(&entry.body).unwrap_or_default();
            let words = [&entry.title, &entry.provenance.task, &body];
            words.into_iter().any(|text| holds(text, part)) || holds(&title::of(&entry.body), part)
        })
}

fn sort(entries: &mut [Entry], by: Sort) {
    let now = Clock::System.now();
    let trust = |e: &Entry| Reverse((e.outcomes.confidence(now) * 1_000.0).round() as u64);
    match by {
        Sort::Id => entries.sort_by_key(|e| e.id),
        Sort::Trust => entries.sort_by_key(|e| (trust(e), e.id)),
        Sort::Shown => entries.sort_by_key(|e| (Reverse(e.outcomes.shown), e.id)),
        Sort::Blocked => entries.sort_by_key(|e| (Reverse(e.outcomes.blocked), e.id)),
        Sort::Helped => entries.sort_by_key(|e| (Reverse(e.outcomes.helped), e.id)),
        Sort::Hurt => entries.sort_by_key(|e| (Reverse(e.outcomes.hurt), e.id)),
        Sort::Newest => entries.sort_by_key(|e| (Reverse(e.created), e.id)),
        Sort::Title => entries.sort_by_cached_key(|e| (title::of(&e.body), e.id)),
    }
}

fn row(entry: &Entry) -> String {
    let (status, outcomes) = (entry.status.name(), entry.outcomes);
    let (id, kind, title) = (
        entry.id.to_string(),
        entry.body.kind(),
        title::of(&entry.body),
    );
    let trust = outcomes.confidence(Clock::System.now());
    format!(
        "{id:<9} {kind:<15} {status:<10} {trust:>5.2}{:>7}{:>9}{:>8}{:>6}  {}\n",
        outcomes.shown,
        outcomes.blocked,
        outcomes.helped,
        outcomes.hurt,
        title.replace('\n', " ")
    )
}
