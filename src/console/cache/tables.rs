//! The tables of the list screens: which columns they have and what stands in them.

use crate::cache::log::LogLine;
use crate::screens::knowledge::queue::QueuedPair;
use crate::screens::knowledge::record::{Record, Records};
use crate::theme::Role;
use crate::widgets::effect_bar::effect_bar;
use crate::widgets::table::outline::TableOutline;
use crate::widgets::table::{Cell, ListItem, Table, TableColumn, TableRow};
use crate::widgets::time::{Zone, moment};
use pithead_core::domain::knowledge::{Entry, Status};
use pithead_core::domain::run::outcome::Outcome;
use pithead_core::knowledge::queue::QueuedEntry;
use pithead_core::text::numbers::format_seconds;
use pithead_engine::journal::{Doubt, LabelledFailure, LabelsByRun, RunRow};
use pithead_world::ids::KnowledgeId;
use std::collections::BTreeMap;
use std::sync::Arc;

const fn left(name: &'static str) -> TableColumn {
    TableColumn { name, right: false }
}

const fn right(name: &'static str) -> TableColumn {
    TableColumn { name, right: true }
}

const RUNS: &[TableColumn] = &[
    right("run"),
    left("state"),
    right("ticks"),
    right("failed"),
    right("of"),
    right("seed"),
    left("mind"),
    left("system"),
    left("started"),
    right("took"),
    left("labels"),
    left("task"),
];

/// What a run is for goes before these, where there is no room for both.
const LESSER_OF_RUN: &[&str] = &["labels", "took", "mind", "system", "seed", "of", "started"];

/// All runs, the newest first.
pub(crate) fn runs(runs: &[RunRow], labels: &LabelsByRun, zone: &Zone) -> Table {
    let row = |run: &RunRow| {
        let (role, sign, word) = state(run);
        let took = run.ended.map(|ended| ended.since(run.started) / 1000);
        TableRow {
            item: ListItem::Run(run.id),
            cells: vec![
                Cell::ranked(Role::Strong, run.id.to_string(), run.id.0 as f64),
                Cell::text(role, format!("{sign} {word}")),
                Cell::number(Role::Text, run.ticks),
                Cell::number(fault_role(run.failed), run.failed),
                Cell::number(Role::Faint, run.attempts),
                Cell::ranked(Role::Faint, run.seed.to_string(), run.seed as f64),
                Cell::text(Role::Faint, &run.mind),
                Cell::text(Role::Faint, &run.system),
                Cell::ranked(Role::Faint, moment(run.started, zone), run.started.0 as f64),
                Cell::ranked(
                    Role::Faint,
                    took.map_or(String::new(), format_seconds),
                    took.unwrap_or(u64::MAX) as f64,
                ),
                Cell::text(Role::Bad, labels_told(labels.get(&run.id))),
                Cell::text(Role::Text, task(run)),
            ],
        }
    };
    Table {
        columns: RUNS,
        lesser: LESSER_OF_RUN,
        rows: runs.iter().rev().map(row).collect(),
        empty: "no runs yet; `pithead run \"craft an iron pickaxe\"` makes one",
        outline: TableOutline::default(),
    }
}

/// `NAV_STUCK 2 · TIMEOUT`: why attempts of the run failed, and how often.
pub(crate) fn labels_told(labels: Option<&Vec<(String, u64)>>) -> String {
    let told = labels
        .into_iter()
        .flatten()
        .map(|(label, count)| match count {
            1 => label.clone(),
            _ => format!("{label} {count}"),
        });
    told.collect::<Vec<_>>().join(" · ")
}

/// The task, and where a forked run comes from.
fn task(run: &RunRow) -> String {
    match run.origin {
        Some((from, at)) => format!("{} · forked from {from} at {at}", run.task),
        None => run.task.clone(),
    }
}

/// What has become of a run: a sign, a word, and how it is to be seen.
pub(crate) fn state(run: &RunRow) -> (Role, &'static str, &'static str) {
    match (run.outcome, run.alive) {
        (Some(Outcome::Success), _) => (Role::Good, "✔", "success"),
        (Some(Outcome::Failure), _) => (Role::Bad, "✗", "failure"),
        (Some(Outcome::Aborted), _) => (Role::Bad, "■", "aborted"),
        (None, true) => (Role::Running, "▶", "running"),
        (None, false) => (Role::Notice, "‖", "left"),
    }
}

fn fault_role(failed: u64) -> Role {
    if failed > 0 { Role::Bad } else { Role::Faint }
}

const KNOWLEDGE: &[TableColumn] = &[
    left("id"),
    left("kind"),
    left("status"),
    right("sure"),
    right("shown"),
    right("blocked"),
    right("helped"),
    right("hurt"),
    left("did"),
    left("effect"),
    left("title"),
];

/// What an entry has done goes before what it is called, where there is no room for both.
const LESSER: &[&str] = &["shown", "blocked", "hurt", "helped", "did", "sure"];
/// The same while no effect was measured.
const LESSER_UNMEASURED: &[&str] = &[
    "effect", "shown", "blocked", "hurt", "helped", "did", "sure",
];

/// The knowledge base, the newest first.
pub(crate) fn knowledge(
    entries: &[Arc<Entry>],
    records: &Records,
    doubts: &BTreeMap<KnowledgeId, Doubt>,
) -> Table {
    let newest_first = entries.iter().rev();
    let mut effects = entries.iter().map(|entry| entry.outcomes.effect());
    Table {
        columns: KNOWLEDGE,
        lesser: if effects.any(|effect| effect.is_some()) {
            LESSER
        } else {
            LESSER_UNMEASURED
        },
        rows: newest_first
            .map(|entry| {
                entry_row(
                    entry,
                    records.get(&entry.id),
                    doubts.contains_key(&entry.id),
                )
            })
            .collect(),
        empty: "no knowledge yet; runs distil it",
        outline: TableOutline::default(),
    }
}

fn entry_row(entry: &Entry, record: Option<&Record>, is_in_doubt: bool) -> TableRow {
    let outcomes = entry.outcomes;
    let number = |role, n: u32| Cell::number(if n == 0 { Role::Faint } else { role }, n.into());
    TableRow {
        item: ListItem::Entry(entry.id),
        cells: vec![
            id(entry),
            Cell::text(Role::Text, entry.body.kind()),
            match is_in_doubt {
                // It rests on a label that was overruled.
                true => Cell::text(Role::Notice, format!("{} ? review", entry.status.name())),
                false => status(entry.status),
            },
            Cell::ranked(
                Role::Text,
                format!("{:.2}", entry.confidence),
                entry.confidence,
            ),
            number(Role::Text, outcomes.shown),
            number(Role::Notice, outcomes.blocked),
            number(Role::Good, outcomes.helped),
            number(Role::Bad, outcomes.hurt),
            Cell::text(Role::Text, record.map_or(String::new(), Record::lately)),
            effect(entry),
            Cell::text(Role::Text, &entry.title),
        ],
    }
}

/// Columns of an effect's bar on each side of zero.
const EFFECT_HALF: i32 = 4;

/// `··─◆─│····· -40 ▼`: what hold-out has measured, in points of success; ▼ if all of it is below zero. Sorted,
/// the worst come first and what was not measured last.
fn effect(entry: &Entry) -> Cell {
    let Some(effect) = entry.outcomes.effect() else {
        return Cell::ranked(Role::Faint, "", f64::INFINITY);
    };
    let (bar, value) = (
        effect_bar(&effect.success, EFFECT_HALF),
        effect.success.value,
    );
    let (role, mark) = match effect.success {
        _ if effect.is_harmful() => (Role::Bad, " ▼"),
        points if points.low > 0.0 => (Role::Good, " ▲"),
        _ => (Role::Text, ""),
    };
    Cell::ranked(role, format!("{bar} {value:+.0}{mark}"), value)
}

/// Ids are ordered by run and number, not as text.
fn id(entry: &Entry) -> Cell {
    let rank = entry.id.run.0 as f64 * 1e6 + f64::from(u32::try_from(entry.id.n).unwrap_or(0));
    Cell::ranked(Role::Strong, entry.id.to_string(), rank)
}

fn status(status: Status) -> Cell {
    let role = match status {
        Status::Proposed => Role::Notice,
        Status::Active => Role::Good,
        Status::Superseded | Status::Retired => Role::Ghost,
        Status::Vetoed => Role::Bad,
    };
    Cell::text(role, status.name())
}

const QUEUE: &[TableColumn] = &[left("what"), left("one"), left("other"), left("because")];

/// What the curator should look at together.
pub(crate) fn queue(pairs: &[QueuedPair], harmful: &[QueuedEntry]) -> Table {
    let entry = |of: &QueuedEntry| TableRow {
        item: ListItem::Entry(of.id),
        cells: vec![
            Cell::text(Role::Bad, "harmful"),
            Cell::text(Role::Strong, of.id.to_string()),
            Cell::text(Role::Strong, ""),
            Cell::text(Role::Text, &of.because),
        ],
    };
    let row = |of: &QueuedPair| TableRow {
        item: ListItem::Pair(of.pair.one, of.pair.other),
        cells: vec![
            Cell::text(Role::Notice, of.kind.word()),
            Cell::text(Role::Strong, of.pair.one.to_string()),
            Cell::text(Role::Strong, of.pair.other.to_string()),
            Cell::text(Role::Text, &of.pair.because),
        ],
    };
    Table {
        columns: QUEUE,
        lesser: &[],
        rows: harmful
            .iter()
            .map(entry)
            .chain(pairs.iter().map(row))
            .collect(),
        empty: "no two entries are duplicates, none contradicts another, and none is harmful",
        outline: TableOutline::default(),
    }
}

const FAILURES: &[TableColumn] = &[right("run"), right("attempt"), left("reason"), left("step")];

/// The failed attempts of some runs, the newest first.
pub(crate) fn failures(failures: &[LabelledFailure]) -> Table {
    let row = |of: &LabelledFailure| TableRow {
        item: ListItem::Failure(of.run, of.attempt),
        cells: vec![
            Cell::ranked(Role::Strong, of.run.to_string(), of.run.0 as f64),
            Cell::ranked(Role::Faint, of.attempt.to_string(), of.attempt.0 as f64),
            Cell::text(Role::Bad, &of.reason),
            Cell::text(Role::Text, &of.subgoal),
        ],
    };
    Table {
        columns: FAILURES,
        lesser: &[],
        rows: failures.iter().map(row).collect(),
        empty: "no attempt has failed in these runs",
        outline: TableOutline::default(),
    }
}

const LOG: &[TableColumn] = &[right("line"), left("level"), left("text")];

/// The log, the newest line first.
pub(crate) fn log(lines: &[LogLine]) -> Table {
    let row = |line: &LogLine| {
        let role = match line.level.as_str() {
            "ERROR" => Role::Bad,
            "WARN" => Role::Notice,
            _ => Role::Faint,
        };
        TableRow {
            item: ListItem::Line(line.n),
            cells: vec![
                Cell::number(Role::Faint, line.n),
                Cell::text(role, &line.level),
                Cell::text(Role::Text, &line.text),
            ],
        }
    };
    Table {
        columns: LOG,
        lesser: &[],
        rows: lines.iter().rev().map(row).collect(),
        empty: "the log is empty; PITHEAD_LOG=info logs more",
        outline: TableOutline::default(),
    }
}
