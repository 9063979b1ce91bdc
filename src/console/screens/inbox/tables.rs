//! The tables of the inbox: what waits, what was decided, and the rules.

use crate::screens::inbox::decisions::{AskedQuestion, DecidedSubject, Decisions, PastDecision};
use crate::screens::inbox::undo;
use crate::theme::Role;
use crate::triage::triage_words;
use crate::view::inbox::timeout_words;
use crate::widgets::table::outline::TableOutline;
use crate::widgets::table::{Cell, ListItem, Table, TableColumn, TableRow};
use pithead_core::domain::knowledge::{Entry, Status};
use pithead_core::domain::run::decision::{Gates, Question, Subject};
use pithead_core::domain::run::triage::{Triage, TriageSubject, Triages};
use pithead_core::knowledge::queue::harmful;
use pithead_core::text::numbers::{format_count, format_seconds};
use pithead_engine::journal::RunRow;
use pithead_world::clock::Millis;
use std::collections::BTreeMap;
use std::sync::Arc;

const fn left(name: &'static str) -> TableColumn {
    TableColumn { name, right: false }
}

const fn right(name: &'static str) -> TableColumn {
    TableColumn { name, right: true }
}

const WAITING: &[TableColumn] = &[
    left("what"),
    left("kind"),
    left("blocks"),
    left("on timeout"),
    right("waits"),
    right("alike"),
    left("title and run"),
];

/// One thing that waits, before it is a row.
struct Waiting<'a> {
    since: Millis,
    asked: Option<&'a AskedQuestion>,
    entry: Option<&'a Arc<Entry>>,
    /// Why an active entry should be looked at.
    harm: Option<&'a str>,
}

impl Waiting<'_> {
    fn subject(&self) -> Option<TriageSubject> {
        let entry = self.entry.map(|entry| TriageSubject::Entry(entry.id));
        entry.or(self.asked.map(|asked| TriageSubject::Question {
            run: asked.run,
            decision: asked.question.id,
        }))
    }
}

/// All that waits in all runs, the oldest first. `now` is for ages and count-downs.
#[must_use]
pub fn waiting(
    decisions: &Decisions,
    entries: &[Arc<Entry>],
    runs: &[RunRow],
    (triages, now): (&Triages, Millis),
) -> Table {
    let proposed = entries
        .iter()
        .filter(|entry| entry.status == Status::Proposed);
    let proposed = proposed.map(|entry| {
        let asked = decisions.about(entry.id);
        Waiting {
            since: asked.map_or(entry.created, |asked| asked.question.asked),
            asked,
            entry: Some(entry),
            harm: None,
        }
    });
    let is_entry = |asked: &&AskedQuestion| matches!(asked.question.subject, Subject::Knowledge(_));
    let others = decisions.open.iter().filter(|asked| !is_entry(asked));
    let others = others.map(|asked| Waiting {
        since: asked.question.asked,
        asked: Some(asked),
        entry: None,
        harm: None,
    });
    let found = harmful(entries.iter().map(AsRef::as_ref));
    let harmful = found.iter().filter_map(|queued| {
        let entry = entries.iter().find(|entry| entry.id == queued.id)?;
        Some(Waiting {
            since: entry
                .history
                .last()
                .map_or(entry.created, |change| change.at),
            asked: None,
            entry: Some(entry),
            harm: Some(&queued.because),
        })
    });
    let mut all: Vec<Waiting<'_>> = proposed.chain(others).chain(harmful).collect();
    // What is snoozed stands behind everything else until its time has come.
    let triage_of = |waiting: &Waiting<'_>| waiting.subject().and_then(|of| triages.get(&of));
    let is_snoozed = |waiting: &Waiting<'_>| {
        let triage = triage_of(waiting);
        triage.is_some_and(|triage| triage.is_snoozed(now))
    };
    all.sort_by_key(|waiting| (is_snoozed(waiting), waiting.since));
    let mut alike: BTreeMap<String, u64> = BTreeMap::new();
    let decidable = all.iter().filter(|waiting| waiting.harm.is_none());
    for entry in decidable.filter_map(|waiting| waiting.entry) {
        *alike
            .entry(likeness(entry.body.kind(), &entry.title))
            .or_default() += 1;
    }
    let rows = all
        .iter()
        .filter_map(|one| row(one, runs, &alike, (triage_of(one), now)));
    Table {
        columns: WAITING,
        lesser: &["alike", "waits", "kind"],
        rows: rows.collect(),
        empty: "nothing waits for you in any run; d shows what was decided",
        outline: TableOutline::default(),
    }
}

fn row(
    waiting: &Waiting<'_>,
    runs: &[RunRow],
    alike: &BTreeMap<String, u64>,
    (triage, now): (Option<&Triage>, Millis),
) -> Option<TableRow> {
    let (run, item, what, kind, title) = match (waiting.entry, waiting.asked) {
        (Some(entry), _) => (
            entry.id.run,
            ListItem::Entry(entry.id),
            entry.id.to_string(),
            waiting.harm.map_or(entry.body.kind(), |_| "▼ harmful"),
            match waiting.harm {
                Some(because) => format!("{because} · {}", entry.title),
                None => entry.title.clone(),
            },
        ),
        (None, Some(asked)) => (
            asked.run,
            ListItem::Question(asked.run, asked.question.id),
            asked.question.id.to_string(),
            asked.question.kind.name(),
            title(&asked.question),
        ),
        (None, None) => return None,
    };
    let row = runs.iter().find(|row| row.id == run);
    let blocks = waiting
        .asked
        .is_some_and(|asked| asked.question.kind.blocks_run());
    let blocked = match (blocks, row) {
        (true, _) => Cell::text(Role::Notice, format!("◆ run {run}")),
        (false, _) => Cell::text(Role::Faint, "◇ nothing"),
    };
    let many = waiting
        .entry
        .filter(|_| waiting.harm.is_none())
        .map_or(1, |entry| alike[&likeness(entry.body.kind(), &entry.title)]);
    let age = now.since(waiting.since) / 1000;
    let of = row.map_or(String::new(), |row| {
        format!(" · run {run} ({}) {}", of_run(row), row.task)
    });
    let clock = waiting.asked.map_or(String::new(), |asked| {
        timeout_words(&asked.question, now).unwrap_or_default()
    });
    let triaged = triage.map_or(String::new(), |triage| before_title(triage, now));
    let some = |n: u64| {
        if n > 1 {
            format_count(n)
        } else {
            String::new()
        }
    };
    Some(TableRow {
        item,
        cells: vec![
            Cell::text(Role::Strong, what),
            Cell::text(Role::Notice, kind),
            blocked,
            Cell::text(Role::Notice, clock),
            Cell::ranked(Role::Faint, format_seconds(age), age as f64),
            Cell::ranked(Role::Text, some(many), many as f64),
            Cell::text(Role::Text, format!("{triaged}{title}{of}")),
        ],
    })
}

fn before_title(triage: &Triage, now: Millis) -> String {
    match triage_words(triage, now) {
        words if words.is_empty() => words,
        words => format!("{words} · "),
    }
}

fn of_run(row: &RunRow) -> &'static str {
    match (&row.outcome, row.alive) {
        (Some(_), _) => "over",
        (None, true) => "running",
        (None, false) => "left",
    }
}

/// What a question is about, as far as it says so itself.
#[must_use]
pub fn title(question: &Question) -> String {
    match &question.subject {
        Subject::Plan(revision) => format!("{} {revision}", question.kind.name()),
        Subject::Knowledge(id) => id.to_string(),
        Subject::Risk { risk, .. } => risk.clone(),
        Subject::End { because, .. } | Subject::Budget { because } => because.clone(),
    }
}

const DECIDED: &[TableColumn] = &[
    left("when"),
    left("run"),
    left("what"),
    left("kind"),
    left("decided"),
    left("by"),
    left("z undoes"),
    left("title and reason"),
];

/// What was decided, the newest first.
#[must_use]
pub fn decided(decisions: &Decisions, entries: &[Arc<Entry>], now: Millis) -> Table {
    let row = |past: &PastDecision| {
        let entry = past.about.entry();
        let entry = entry.and_then(|id| entries.iter().find(|entry| entry.id == id));
        let (what, kind, about) = match (&past.about, entry) {
            (_, Some(entry)) => (entry.id.to_string(), entry.body.kind(), entry.title.clone()),
            (DecidedSubject::Gate(question), None) => (
                question.id.to_string(),
                question.kind.name(),
                title(question),
            ),
            (DecidedSubject::Log(id), None) => (id.to_string(), "entry", String::new()),
        };
        let role = match past.word {
            "vetoed" => Role::Bad,
            "approved" | "edited" | "active" => Role::Good,
            _ => Role::Faint,
        };
        let age = now.since(past.at) / 1000;
        let why = past.reason.as_ref();
        let why = why.map_or(String::new(), |reason| format!(" · {reason}"));
        let undo = match undo::undo_of(past, entry.map(AsRef::as_ref)) {
            Ok(undo) => Cell::text(Role::Text, undo.short_effect()),
            Err(_) => Cell::text(Role::Ghost, "cannot be"),
        };
        TableRow {
            item: ListItem::Past(past.run, past.seq),
            cells: vec![
                Cell::ranked(
                    Role::Faint,
                    format!("{} ago", format_seconds(age)),
                    age as f64,
                ),
                Cell::text(
                    Role::Faint,
                    if past.run.0 == 0 {
                        "desk".to_owned()
                    } else {
                        past.run.to_string()
                    },
                ),
                Cell::text(Role::Strong, what),
                Cell::text(Role::Text, kind),
                Cell::text(role, past.word),
                Cell::text(Role::Faint, &past.by),
                undo,
                Cell::text(Role::Text, format!("{about}{why}")),
            ],
        }
    };
    Table {
        columns: DECIDED,
        lesser: &["kind", "by", "z undoes"],
        rows: decisions.past.iter().map(row).collect(),
        empty: "nothing has been decided yet",
        outline: TableOutline::default(),
    }
}

const RULES: &[TableColumn] = &[left("gate"), left("policy"), left("where")];

/// The rules: those that were saved, then what the console does without them.
#[must_use]
pub fn rules(saved: &Gates) -> Table {
    let usual = Gates::console();
    let row = |kind| {
        let own = saved.0.get(&kind).copied();
        let (role, place) = match own {
            Some(_) => (Role::Strong, "saved; x removes it"),
            None => (Role::Faint, "the program's own; P changes it"),
        };
        let policy = own.unwrap_or_else(|| usual.of(kind));
        TableRow {
            item: ListItem::Rule(kind),
            cells: vec![
                Cell::text(role, kind.name()),
                Cell::text(role, policy.to_string()),
                Cell::text(Role::Faint, place),
            ],
        }
    };
    let kinds = pithead_core::domain::run::decision::GateKind::ALL.into_iter();
    let (own, others): (Vec<_>, Vec<_>) = kinds.partition(|kind| saved.0.contains_key(kind));
    Table {
        columns: RULES,
        lesser: &[],
        rows: own.into_iter().chain(others).map(row).collect(),
        empty: "no gates",
        outline: TableOutline::default(),
    }
}

/// The words by which entries are alike: their kind, and their title without its numbers.
#[must_use]
pub fn likeness(kind: &str, title: &str) -> String {
    let mut out = format!("{kind} ");
    let mut in_number = false;
    for c in title.chars() {
        let is_number = c.is_ascii_digit() || (in_number && matches!(c, ',' | '.'));
        if is_number && !in_number {
            out.push('#');
        } else if !is_number {
            out.push(c);
        }
        in_number = is_number;
    }
    out
}
