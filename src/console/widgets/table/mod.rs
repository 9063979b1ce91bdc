//! Tables: rows of cells with filter, order, selection and marks; one kind for every list screen.
//!
//! Invariant: the order is made when data, filter or sorting change, never while drawing; a selection
//! is an item, so that it stays on it whatever moves.

pub mod columns;
pub mod draw;
pub mod filter;
pub mod outline;

use crate::theme::Role;
use crate::widgets::scroll::{Motion, moved};
use crate::widgets::table::filter::RowFilter;
use crate::widgets::table::outline::TableOutline;
use pithead_core::domain::experience::option::OptionKey;
use pithead_core::domain::run::decision::GateKind;
use pithead_core::text::clean::clean_line;
use pithead_core::text::signature::Signature;
use pithead_engine::eval::listing::EvalId;
use pithead_world::clock::Millis;
use pithead_world::ids::{AttemptId, DecisionId, KnowledgeId, RunId, Seq};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// What a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ListItem {
    Run(RunId),
    Entry(KnowledgeId),
    /// Two entries that the curator should look at together.
    Pair(KnowledgeId, KnowledgeId),
    /// A question at a gate of a run.
    Question(RunId, DecisionId),
    /// What was decided, by its event.
    Past(RunId, Seq),
    /// A saved rule about a gate.
    Rule(GateKind),
    /// Of the run in sight.
    Attempt(AttemptId),
    /// A run of the operator's own words, that is yet to be begun.
    New,
    /// A published task, by its place among all of them.
    Task(usize),
    /// A group of published tasks, by the place of its first.
    Group(usize),
    /// A task to start with.
    Starter(usize),
    /// A run like this one, that is yet to be begun.
    Again(RunId),
    /// Some runs beside each other.
    Comparison,
    /// An attempt that failed, of any run.
    Failure(RunId, AttemptId),
    Evaluation(EvalId),
    /// Of the evaluation that is open.
    Episode(u64),
    /// A line of the log, counted from its beginning.
    Line(u64),
    /// A way to get something; with a signature, its tries in that circumstance.
    Option(OptionKey, Option<Signature>),
    /// A line of the lineage that is open, counted from its beginning.
    Lineage(usize),
    /// Lines of that lineage that lie below one heading, by the place of the first.
    Fold(usize),
}

/// A column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableColumn {
    pub name: &'static str,
    /// Numbers stand at the right.
    pub right: bool,
}

/// One cell: what it shows and by what it is ordered.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    pub role: Role,
    pub text: String,
    /// The order of numbers; texts are ordered by themselves.
    pub rank: Option<f64>,
}

/// One row.
#[derive(Debug, Clone, PartialEq)]
pub struct TableRow {
    pub item: ListItem,
    pub cells: Vec<Cell>,
}

/// The rows of a screen, in the order of their source. The last column takes what room is left.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    pub columns: &'static [TableColumn],
    /// Columns that give way, in this order, before the last has too little room.
    pub lesser: &'static [&'static str],
    pub rows: Vec<TableRow>,
    /// Said in place of rows if there are none.
    pub empty: &'static str,
    /// Headings, and rows that lie folded below others.
    pub outline: TableOutline,
}

/// What the operator has chosen about a table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TableUi {
    pub selected: Option<ListItem>,
    pub filter: String,
    /// The moment that a filter counts spans from.
    pub now: Millis,
    /// Column and whether the largest comes first.
    pub sort: Option<(usize, bool)>,
    pub marks: BTreeSet<ListItem>,
    /// The columns in sight by name, in their order; all of them if none is named.
    pub columns: Vec<String>,
    /// The row that was marked or unmarked last, from which a range is marked.
    pub anchor: Option<ListItem>,
    /// Rows whose own rows below them are in sight.
    pub unfolded: BTreeSet<ListItem>,
    /// The rows in sight, as places in the table.
    pub order: Vec<usize>,
}

impl Cell {
    #[must_use]
    pub fn text(role: Role, text: impl Into<String>) -> Self {
        Self {
            role,
            text: clean_line(&text.into()),
            rank: None,
        }
    }

    #[must_use]
    pub fn number(role: Role, n: u64) -> Self {
        Self {
            rank: Some(n as f64),
            ..Self::text(role, pithead_core::text::numbers::format_count(n))
        }
    }

    /// A text that stands for a number, such as a share or a span of time.
    #[must_use]
    pub fn ranked(role: Role, text: impl Into<String>, rank: f64) -> Self {
        Self {
            rank: Some(rank),
            ..Self::text(role, text)
        }
    }

    fn compare(&self, other: &Self) -> Ordering {
        match (self.rank, other.rank) {
            (Some(a), Some(b)) => a.total_cmp(&b),
            _ => self.text.cmp(&other.text),
        }
    }
}

impl TableUi {
    /// Makes the order anew: data, filter or sorting have changed. Says what is wrong with the filter.
    pub fn settle(&mut self, table: &Table) -> Result<(), String> {
        let filter = RowFilter::read(&self.filter, table.columns, self.now)?;
        let rows = &table.rows;
        let folds = table.outline.folds();
        let is_in_sight = |item: ListItem| match self.filter.is_empty() {
            true => table.outline.is_open(item, &self.unfolded),
            // What fits is shown wherever it lies, and nothing that only holds others.
            false => !folds.contains(&item),
        };
        self.order = (0..rows.len())
            .filter(|at| is_in_sight(rows[*at].item) && filter.fits(&rows[*at]))
            .collect();
        if let Some((column, descending)) = self.sort {
            // Stable: rows that are alike keep the order of their source.
            self.order.sort_by(|a, b| {
                let (a, b) = (rows[*a].cells.get(column), rows[*b].cells.get(column));
                let order = match (a, b) {
                    (Some(a), Some(b)) => a.compare(b),
                    _ => Ordering::Equal,
                };
                if descending { order.reverse() } else { order }
            });
        }
        let all: BTreeSet<ListItem> = rows.iter().map(|row| row.item).collect();
        self.marks.retain(|item| all.contains(item));
        Ok(())
    }

    /// The selected row among those in sight; the first if its item is not there.
    #[must_use]
    pub fn row(&self, table: &Table) -> Option<usize> {
        let is_selected = |at: &usize| Some(table.rows[*at].item) == self.selected;
        let found = self.order.iter().position(is_selected);
        found.or_else(|| (!self.order.is_empty()).then_some(0))
    }

    /// The selected item.
    #[must_use]
    pub fn item(&self, table: &Table) -> Option<ListItem> {
        self.row(table).map(|row| table.rows[self.order[row]].item)
    }

    pub fn go(&mut self, table: &Table, page: usize, motion: Motion) {
        if let Some(row) = self.row(table) {
            let to = moved(row, self.order.len(), page, motion);
            self.selected = Some(table.rows[self.order[to]].item);
        }
    }

    /// Sorts by the next column, from the source's order through all of them and back.
    pub fn sort_next(&mut self, table: &Table) {
        let shown = self.shown(table);
        let place = self
            .sort
            .map(|(column, _)| shown.iter().position(|at| *at == column));
        let next = place.map_or(0, |place| place.map_or(0, |place| place + 1));
        self.sort = shown.get(next).map(|column| (*column, false));
    }

    pub fn sort_reverse(&mut self) {
        let (column, descending) = self.sort.unwrap_or((0, false));
        self.sort = Some((column, !descending));
    }

    /// Marks the selected row or takes its mark off, and goes on to the next.
    pub fn mark(&mut self, table: &Table) {
        if let Some(item) = self.item(table) {
            self.anchor = Some(item);
            if !self.marks.remove(&item) {
                self.marks.insert(item);
            }
            self.go(table, 1, Motion::Down);
        }
    }

    /// Marks all rows in sight from the one that was marked last to the selected one; how many.
    pub fn mark_range(&mut self, table: &Table) -> usize {
        let place = |wanted| {
            let mut order = self.order.iter();
            order.position(|at| Some(table.rows[*at].item) == wanted)
        };
        let Some(here) = self.row(table) else {
            return 0;
        };
        // Without a mark, or if that row is hidden, the range is this row.
        let from = place(self.anchor).unwrap_or(here);
        let range = from.min(here)..=from.max(here);
        let items: Vec<ListItem> = self.order[range]
            .iter()
            .map(|at| table.rows[*at].item)
            .collect();
        let n = items.len();
        self.marks.extend(items);
        self.anchor = self.item(table);
        n
    }

    /// Marks all rows in sight; if all are marked, none.
    pub fn mark_all(&mut self, table: &Table) {
        let in_sight: BTreeSet<ListItem> =
            self.order.iter().map(|at| table.rows[*at].item).collect();
        if in_sight.is_subset(&self.marks) {
            self.marks.retain(|item| !in_sight.contains(item));
        } else {
            self.marks.extend(in_sight);
        }
    }

    /// The marked rows, or else all in sight.
    #[must_use]
    pub fn in_hand(&self, table: &Table) -> Vec<ListItem> {
        if self.marks.is_empty() {
            return self.order.iter().map(|at| table.rows[*at].item).collect();
        }
        self.marks.iter().copied().collect()
    }

    /// What an action on rows is done to: the marked rows, or else the selected one.
    #[must_use]
    pub fn chosen(&self, table: &Table) -> Vec<ListItem> {
        if self.marks.is_empty() {
            return self.item(table).into_iter().collect();
        }
        self.marks.iter().copied().collect()
    }
}

#[cfg(test)]
mod tests;
