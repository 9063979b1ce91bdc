//! Readings: what has been read for the Debug screen.

use crate::theme::Role;
use crate::widgets::table::outline::TableOutline;
use crate::widgets::table::{Cell, ListItem, Table, TableColumn, TableRow};
use pithead_core::text::numbers::format_ticks;
use pithead_engine::journal::Bookmark;
use pithead_engine::runtime::attempts::{AttemptRow, Index};
use pithead_engine::runtime::case_file::CaseFile;
use pithead_engine::runtime::questions::MindCall;
use pithead_engine::runtime::relabel::{MovedKnobs, Relabelling};
use pithead_engine::runtime::run_search::{FoundMoment, Write};
use std::sync::Arc;

/// All of it.
#[derive(Debug, Clone, Default)]
pub struct DebugReadings {
    pub index: Arc<Index>,
    pub bookmarks: Vec<Bookmark>,
    pub case: Option<Arc<CaseFile>>,
    pub other: Option<Arc<CaseFile>>,
    pub asked: Option<Arc<MindCall>>,
    /// What other thresholds would change in all runs, as far as it has been looked.
    pub relabelled: Option<(MovedKnobs, Result<Arc<Relabelling>, String>)>,
    /// What came of the last search.
    pub found: Option<SearchResult>,
    pub fault: Option<String>,
}

/// What came of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SearchResult {
    Becomes(FoundMoment),
    Wrote(Write),
    Nowhere,
}

/// One reading.
#[derive(Debug, Clone)]
pub enum DebugReading {
    /// The index with its table, which is made where nobody waits for it.
    Index(Arc<Index>, Table, Vec<Bookmark>),
    CaseFile(Arc<CaseFile>),
    Other(Arc<CaseFile>),
    Asked(Arc<MindCall>),
    StudyResult(SearchResult),
    Relabelled(MovedKnobs, Result<Arc<Relabelling>, String>),
    Fault(String),
}

const COLUMNS: &[TableColumn] = &[
    TableColumn {
        name: "attempt",
        right: false,
    },
    TableColumn {
        name: "step",
        right: false,
    },
    TableColumn {
        name: "plan",
        right: false,
    },
    TableColumn {
        name: "label",
        right: false,
    },
    TableColumn {
        name: "sure",
        right: true,
    },
    TableColumn {
        name: "tick",
        right: true,
    },
    TableColumn {
        name: "took",
        right: true,
    },
    TableColumn {
        name: "what",
        right: false,
    },
];

/// The attempts as a table.
#[must_use]
pub fn table(index: &Index) -> Table {
    Table {
        columns: COLUMNS,
        lesser: &["plan", "step", "sure"],
        rows: index.attempts.iter().map(|row| line(row, index)).collect(),
        empty: "nothing has been attempted yet",
        outline: TableOutline::default(),
    }
}

fn line(row: &AttemptRow, index: &Index) -> TableRow {
    let (role, label) = label(row, index.ended);
    let took = row.to_tick.zip(row.from_tick).map(|(to, from)| to - from);
    let sure = match row.success {
        Some(false) => format!("{:.2}", row.confidence),
        Some(true) | None => String::new(),
    };
    TableRow {
        item: ListItem::Attempt(row.id),
        cells: vec![
            Cell::ranked(Role::Strong, row.id.to_string(), row.id.0 as f64),
            Cell::ranked(Role::Faint, row.subgoal.to_string(), row.subgoal.0 as f64),
            Cell::text(
                Role::Faint,
                row.revision.map_or(String::new(), |r| r.to_string()),
            ),
            Cell::text(role, label),
            Cell::ranked(Role::Faint, sure, row.confidence),
            row.from_tick.map_or_else(
                || Cell::text(Role::Faint, ""),
                |tick| Cell::number(Role::Faint, tick),
            ),
            Cell::ranked(
                Role::Faint,
                took.map_or(String::new(), format_ticks),
                took.map_or(f64::MAX, |took| took as f64),
            ),
            Cell::text(Role::Text, &row.words),
        ],
    }
}

/// How the attempt ended: role, sign and words.
#[must_use]
pub fn label(row: &AttemptRow, run_ended: bool) -> (Role, String) {
    let by_hand = if row.overruled { " (by hand)" } else { "" };
    match (row.success, row.label) {
        (Some(true), _) => (Role::Good, "✔ done".to_owned()),
        (Some(false), _) if row.no_failure.is_some() && !row.overruled => {
            let ended = row.no_failure.unwrap_or_default();
            (Role::Notice, format!("■ {ended}"))
        }
        (Some(false), Some(reason)) => (Role::Bad, format!("✗ {}{by_hand}", reason.name())),
        (Some(false), None) => (Role::Bad, "✗ failed".to_owned()),
        (None, _) if run_ended => (Role::Faint, "■ cut short".to_owned()),
        (None, _) => (Role::Running, "▶ under way".to_owned()),
    }
}

impl DebugReadings {
    /// Takes a reading over; the list of attempts, if it is another one.
    pub fn apply(&mut self, read: DebugReading) -> Option<Table> {
        match read {
            DebugReading::Index(index, table, bookmarks) => {
                if self.index.run != index.run {
                    // What was found in all runs is of no single one.
                    let relabelled = self.relabelled.take();
                    *self = Self {
                        relabelled,
                        ..Self::default()
                    };
                }
                (self.index, self.bookmarks, self.fault) = (index, bookmarks, None);
                return Some(table);
            }
            DebugReading::CaseFile(case) => (self.case, self.fault) = (Some(case), None),
            DebugReading::Other(case) => self.other = Some(case),
            DebugReading::Asked(asked) => self.asked = Some(asked),
            DebugReading::Relabelled(moved, found) => self.relabelled = Some((moved, found)),
            DebugReading::StudyResult(found) => self.found = Some(found),
            DebugReading::Fault(because) => self.fault = Some(because),
        }
        None
    }
}
