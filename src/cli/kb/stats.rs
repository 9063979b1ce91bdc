//! `pithead kb stats`: the knowledge base in figures: kinds, queues and their age, records.

use super::super::options::Database;
use super::history::local_time;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::print_document;
use crate::headless::fields;
use pithead_core::domain::knowledge::{Author, Entry, Outcomes, Status};
use pithead_core::domain::run::budget::Limits;
use pithead_core::knowledge::lint::{has_errors, lint};
use pithead_core::knowledge::queue::{contradictions, duplicates, harmful};
use pithead_engine::journal::EntryFilter;
use pithead_world::clock::{Clock, Millis};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

const DAY_MS: u64 = 24 * 60 * 60 * 1_000;
/// The review rate is over this many days.
const REVIEW_DAYS: u64 = 7;

/// The figures; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Page {
    schema: u32,
    entries: usize,
    /// By kind, then by status.
    by_kind: BTreeMap<&'static str, BTreeMap<&'static str, usize>>,
    by_author: BTreeMap<&'static str, usize>,
    active: usize,
    /// A run is given at most this many.
    active_bound: usize,
    waiting: Waiting,
    duplicates: usize,
    contradictions: usize,
    harmful: usize,
    /// Active and proposed entries in which lint finds errors.
    with_errors: usize,
    retired_by_record: usize,
    outcomes: Outcomes,
    mean_confidence: Option<f64>,
}

/// What waits for approval.
#[derive(Debug, Serialize)]
struct Waiting {
    entries: usize,
    oldest_ms: Option<u64>,
    /// Changes by an operator in the last seven days.
    reviewed_7_days: usize,
    proposed_7_days: usize,
}

pub(super) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let base = args
        .database
        .open_read_only()?
        .knowledge(EntryFilter::default())?;
    let page = page(&base, Clock::System.now());
    print_document(args.json, &page, Page::text)?;
    Ok(ExitStatus::Done)
}

fn page(base: &[Entry], now: Millis) -> Page {
    let (mut by_kind, mut by_author) = (BTreeMap::new(), BTreeMap::new());
    let mut outcomes = Outcomes::default();
    for entry in base {
        let kind: &mut BTreeMap<_, usize> = by_kind.entry(entry.body.kind()).or_default();
        *kind.entry(entry.status.name()).or_default() += 1;
        *by_author.entry(author(&entry.author)).or_default() += 1;
        outcomes.add(&entry.outcomes, now);
    }
    let living = |e: &&Entry| matches!(e.status, Status::Active | Status::Proposed);
    let active: Vec<&Entry> = base.iter().filter(|e| e.status == Status::Active).collect();
    let trust: f64 = active.iter().map(|e| e.outcomes.confidence(now)).sum();
    let by_record = |e: &&Entry| {
        e.status == Status::Retired
            && e.last_move()
                .is_some_and(|m| matches!(m.by, Author::Policy(_)))
    };
    Page {
        schema: 1,
        entries: base.len(),
        by_kind,
        by_author,
        active: active.len(),
        active_bound: Limits::default().shown_max,
        waiting: waiting(base, now),
        duplicates: duplicates(base).len(),
        contradictions: contradictions(base).len(),
        harmful: harmful(base).len(),
        with_errors: base
            .iter()
            .filter(living)
            .filter(|e| has_errors(&lint(&e.body, Some(e.id), &[])))
            .count(),
        retired_by_record: base.iter().filter(by_record).count(),
        outcomes,
        mean_confidence: (!active.is_empty()).then(|| trust / active.len() as f64),
    }
}

fn waiting(base: &[Entry], now: Millis) -> Waiting {
    let recent = |at: Millis| now.since(at) < REVIEW_DAYS * DAY_MS;
    let waits: Vec<&Entry> = base
        .iter()
        .filter(|e| e.status == Status::Proposed)
        .collect();
    let changes = base.iter().flat_map(|e| &e.history);
    let reviewed = changes.filter(|c| recent(c.at) && matches!(c.by, Author::Operator(_)));
    Waiting {
        entries: waits.len(),
        oldest_ms: waits.iter().map(|e| e.created.0).min(),
        reviewed_7_days: reviewed.count(),
        proposed_7_days: base.iter().filter(|e| recent(e.created)).count(),
    }
}

fn author(author: &Author) -> &'static str {
    match author {
        Author::Mind(_) => "mind",
        Author::Operator(_) => "operator",
        Author::Import(_) => "import",
        Author::Policy(_) => "policy",
    }
}

impl Page {
    fn text(&self) -> String {
        let mut rows = vec![("entries".to_owned(), self.entries.to_string())];
        for (kind, statuses) in &self.by_kind {
            let parts: Vec<String> = statuses.iter().map(|(s, n)| format!("{n} {s}")).collect();
            rows.push((format!("  {kind}"), parts.join(", ")));
        }
        rows.extend(self.figures().map(|(name, value)| (name.to_owned(), value)));
        fields(&rows)
    }

    fn figures(&self) -> [(&'static str, String); 8] {
        let authors = self.by_author.iter().map(|(a, n)| format!("{n} by {a}"));
        let (w, o) = (&self.waiting, &self.outcomes);
        let oldest = w.oldest_ms.map_or(String::new(), |ms| {
            format!(", the oldest since {}", local_time(Millis(ms)))
        });
        let trust = self.mean_confidence;
        let trust = trust.map_or("-".to_owned(), |mean| format!("{mean:.2}"));
        [
            ("authors", authors.collect::<Vec<_>>().join(", ")),
            (
                "active",
                format!(
                    "{}; a run is given at most the best {}",
                    self.active, self.active_bound
                ),
            ),
            ("waiting", format!("{}{oldest}", w.entries)),
            (
                "review",
                format!(
                    "{} proposed and {} reviewed in the last {REVIEW_DAYS} days",
                    w.proposed_7_days, w.reviewed_7_days
                ),
            ),
            (
                "queues",
                format!(
                    "{} duplicates, {} contradictions, {} with errors (`pithead kb lint`)",
                    self.duplicates, self.contradictions, self.with_errors
                ),
            ),
            (
                "record",
                format!(
                    "retrieved {}, shown {}, matched {}, blocked {}, helped {}, hurt {}",
                    o.retrieved, o.shown, o.matched, o.blocked, o.helped, o.hurt
                ),
            ),
            (
                "confidence",
                format!("{trust} on average over active entries"),
            ),
            (
                "retired",
                format!("{} because they did harm", self.retired_by_record),
            ),
        ]
    }
}
