//! `pithead kb list`: the entries, filtered and sorted; the JSON form has them whole.

use super::super::options::Database;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{Align, print_document, text_table};
use pithead_core::domain::knowledge::effect::EntryEffect;
use pithead_core::domain::knowledge::interval::DifferenceInterval;
use pithead_core::domain::knowledge::kind::EntryKind;
use pithead_core::domain::knowledge::title;
use pithead_core::domain::knowledge::{Entry, Status};
use pithead_engine::journal::EntryFilter;
use pithead_world::clock::Clock;
use serde::Serialize;
use std::cmp::Reverse;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only entries of this kind: skill, guardrail, task_guardrail, rule, reference_plan or note
    #[arg(long, value_name = "KIND", value_parser = EntryKind::ALL.map(EntryKind::name))]
    kind: Option<String>,
    /// Only entries of this status: proposed, active, superseded, retired or vetoed
    #[arg(long, value_name = "STATUS")]
    status: Option<Status>,
    /// Only entries that contain this text; upper and lower case are the same
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,
    /// Only entries whose author contains this text: mind, operator, import, policy, or a name
    #[arg(long, value_name = "TEXT")]
    author: Option<String>,
    /// The order: id, trust, shown, blocked, helped, hurt, newest or title
    #[arg(long, value_name = "BY", value_enum, default_value = "id")]
    sort: Sort,
    /// List at most this many
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
    let filter = EntryFilter {
        status: args.status,
        kind: kind.and_then(|name| name.parse().ok()),
    };
    let mut entries = args.database.open_read_only()?.knowledge(filter)?;
    entries.retain(|entry| fits(args, entry));
    sort(&mut entries, args.sort);
    let limit = args.limit.and_then(|n| usize::try_from(n).ok());
    entries.truncate(limit.unwrap_or(usize::MAX));
    let listed: Vec<ListedEntry<'_>> = entries.iter().map(ListedEntry::new).collect();
    print_document(args.json, &listed, |_| table_of_entries(&entries))?;
    Ok(ExitStatus::Done)
}

/// An entry in the JSON form, whole.
#[derive(Debug, Serialize)]
struct ListedEntry<'a> {
    #[serde(flatten)]
    entry: &'a Entry,
    /// None if it was not measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    effect: Option<EntryEffect>,
}

impl<'a> ListedEntry<'a> {
    fn new(entry: &'a Entry) -> Self {
        let effect = entry.outcomes.effect();
        Self { entry, effect }
    }
}

fn fits(args: &Args, entry: &Entry) -> bool {
    let holds = |text: &str, part: &String| text.to_lowercase().contains(&part.to_lowercase());
    let author = args.author.as_ref();
    author.is_none_or(|part| holds(&entry.author.to_string(), part))
        && args.text.as_ref().is_none_or(|part| {
            let body = serde_json::to_string(&entry.body).unwrap_or_default();
            let words = [&entry.title, &entry.provenance.task, &body];
            words.into_iter().any(|text| holds(text, part))
                || holds(&title::title_of(&entry.body), part)
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
        Sort::Title => entries.sort_by_cached_key(|e| (title::title_of(&e.body), e.id)),
    }
}

/// `-40 (-60 to -20) harmful`: points of success; empty if it was not measured.
fn effect_text(entry: &Entry) -> String {
    let Some(effect) = entry.outcomes.effect() else {
        return String::new();
    };
    let DifferenceInterval { value, low, high } = effect.success;
    let harmful = if effect.is_harmful() { " harmful" } else { "" };
    format!("{value:+.0} ({low:+.0} to {high:+.0}){harmful}")
}

fn table_of_entries(entries: &[Entry]) -> String {
    let head = [
        ("ID", Align::Left),
        ("KIND", Align::Left),
        ("STATUS", Align::Left),
        ("SURE", Align::Right),
        ("SHOWN", Align::Right),
        ("BLOCKED", Align::Right),
        ("HELPED", Align::Right),
        ("HURT", Align::Right),
        ("EFFECT", Align::Right),
        ("TITLE", Align::Left),
    ];
    let now = Clock::System.now();
    let row = |entry: &Entry| {
        let outcomes = entry.outcomes;
        vec![
            entry.id.to_string(),
            entry.body.kind().to_owned(),
            entry.status.name().to_owned(),
            format!("{:.2}", outcomes.confidence(now)),
            outcomes.shown.to_string(),
            outcomes.blocked.to_string(),
            outcomes.helped.to_string(),
            outcomes.hurt.to_string(),
            effect_text(entry),
            title::title_of(&entry.body),
        ]
    };
    text_table(&head, &entries.iter().map(row).collect::<Vec<_>>())
}
