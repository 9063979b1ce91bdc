//! The lists of the Evaluate screen: evaluations, and the episodes of one of them.

use crate::theme::Role;
use crate::widgets::table::outline::TableOutline;
use crate::widgets::table::{Cell, ListItem, Table, TableColumn, TableRow};
use pithead_core::text::numbers::format_seconds;
use pithead_engine::eval::listing::{EpisodeEnding, EpisodeRow, EvalState, Evaluation};
use std::sync::Arc;

const fn left(name: &'static str) -> TableColumn {
    TableColumn { name, right: false }
}

const fn right(name: &'static str) -> TableColumn {
    TableColumn { name, right: true }
}

const EVALUATIONS: &[TableColumn] = &[
    left("state"),
    right("done"),
    right("of"),
    right("rate"),
    right("95 %"),
    right("left"),
    left("what"),
    left("mind"),
    left("system"),
    left("controller"),
];

/// All evaluations that are kept somewhere, the one begun last first.
pub(crate) fn evaluations(all: &[Arc<Evaluation>]) -> Table {
    Table {
        columns: EVALUATIONS,
        lesser: &[],
        rows: all.iter().map(|evaluation| row(evaluation)).collect(),
        empty: "no evaluation yet; `pithead eval --suite mcu70 --seeds 1..5 --out DIR` makes one",
        outline: TableOutline::default(),
    }
}

fn row(of: &Evaluation) -> TableRow {
    let (role, sign) = state(of.state);
    let rate = of.rate.map_or(Cell::ranked(Role::Faint, "–", -1.0), |r| {
        Cell::ranked(Role::Strong, format!("{:.1}", r.rate), r.rate)
    });
    let interval = of.rate.map_or(Cell::ranked(Role::Faint, "", -1.0), |r| {
        Cell::ranked(Role::Faint, format!("{:.1}-{:.1}", r.low, r.high), r.low)
    });
    let left = of.left_s.filter(|_| of.state == EvalState::Running);
    TableRow {
        item: ListItem::Evaluation(of.id),
        cells: vec![
            Cell::text(role, format!("{sign} {}", of.state.name())),
            Cell::number(Role::Text, of.done),
            Cell::number(Role::Faint, of.total),
            rate,
            interval,
            Cell::ranked(
                Role::Text,
                left.map_or(String::new(), format_seconds),
                left.unwrap_or(u64::MAX) as f64,
            ),
            Cell::text(Role::Text, &of.name),
            Cell::text(Role::Faint, &of.mind),
            Cell::text(Role::Faint, &of.system),
            Cell::text(Role::Faint, &of.controller),
        ],
    }
}

/// What an evaluation is doing, for the eye.
pub(crate) fn state(state: EvalState) -> (Role, &'static str) {
    match state {
        EvalState::Running => (Role::Running, "▶"),
        EvalState::Finished => (Role::Good, "✔"),
        EvalState::Stopped => (Role::Notice, "‖"),
        EvalState::Broken => (Role::Bad, "!"),
    }
}

const EPISODES: &[TableColumn] = &[
    left("state"),
    left("task"),
    right("seed"),
    right("ticks"),
    right("failed"),
    right("of"),
    right("replans"),
    left("because"),
    left("system"),
    right("pass"),
    right("run"),
    left("group"),
];

/// The episodes of one evaluation, in the order in which they are kept.
pub(crate) fn episodes(all: &[EpisodeRow]) -> Table {
    Table {
        columns: EPISODES,
        lesser: &[],
        rows: all.iter().map(episode).collect(),
        empty: "no episode of it is finished yet",
        outline: TableOutline::default(),
    }
}

fn episode(of: &EpisodeRow) -> TableRow {
    let (role, sign, word) = ending(of.ending);
    let because = match (&of.last_failure, of.ending) {
        (_, EpisodeEnding::Success) => "",
        (Some(failure), EpisodeEnding::Failure) => failure,
        (None, _) | (_, EpisodeEnding::Void) => &of.because,
    };
    let run = of.run.map_or(Cell::ranked(Role::Faint, "–", -1.0), |run| {
        Cell::ranked(Role::Faint, run.to_string(), run as f64)
    });
    TableRow {
        item: ListItem::Episode(of.id),
        cells: vec![
            Cell::text(role, format!("{sign} {word}")),
            Cell::text(Role::Strong, &of.task),
            Cell::ranked(Role::Faint, of.seed.to_string(), of.seed as f64),
            Cell::number(Role::Text, of.ticks),
            Cell::number(
                if of.failed > 0 {
                    Role::Bad
                } else {
                    Role::Faint
                },
                of.failed,
            ),
            Cell::number(Role::Faint, of.attempts),
            Cell::number(Role::Faint, of.replans),
            Cell::text(Role::Text, because),
            Cell::text(Role::Faint, &of.system),
            Cell::number(Role::Faint, of.pass),
            run,
            Cell::text(Role::Faint, &of.group),
        ],
    }
}

/// How an episode ended, for the eye.
pub(crate) fn ending(ending: EpisodeEnding) -> (Role, &'static str, &'static str) {
    match ending {
        EpisodeEnding::Success => (Role::Good, "✔", "success"),
        EpisodeEnding::Failure => (Role::Bad, "✗", "failure"),
        EpisodeEnding::Void => (Role::Ghost, "∅", "void"),
    }
}
