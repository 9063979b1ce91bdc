//! A table as lines: heading, rows around the selected one, marks, and what the filter hides.

use crate::theme::Role;
use crate::widgets::rich::Rich;
use crate::widgets::scroll::window;
use crate::widgets::table::{Cell, ListItem, Table, TableUi};
use pithead_core::text::clean::fit_columns;
use std::collections::BTreeSet;
use unicode_width::UnicodeWidthStr;

/// Columns between two cells.
const GAP: usize = 2;
/// A column wider than this gives way, unless it is the last.
const WIDTH_MAX: usize = 28;
/// Before the last column has less than it needs, or less than this, lesser ones are left out.
const LAST_MIN: usize = 44;
/// On terminals narrower than `NARROW`, columns are left out before the last one has less than this.
const LAST_LEAST: usize = 12;
const NARROW: usize = 60;

/// The lines of a table within some room.
#[derive(Debug, Default)]
pub struct TableContent {
    pub heading: Rich,
    pub lines: Vec<Rich>,
    /// The selected line among them.
    pub selected: Option<usize>,
    /// Which row each line is, of all that fit the filter; none for a heading.
    pub rows: Vec<Option<usize>>,
}

#[must_use]
pub fn show(table: &Table, ui: &TableUi, width: usize, height: usize) -> TableContent {
    let Some(row) = ui.row(table) else {
        let text = if table.rows.is_empty() {
            table.empty.to_owned()
        } else {
            "no row fits the filter; esc takes it off".to_owned()
        };
        return TableContent {
            lines: vec![Rich::text(Role::Faint, text)],
            ..TableContent::default()
        };
    };
    let in_sight = in_sight(table, ui, row, height);
    let rows = in_sight.iter().map(|line| line.ok());
    let rows: Vec<Option<usize>> = rows.collect();
    let seen: Vec<usize> = rows.iter().flatten().map(|row| ui.order[*row]).collect();
    let (columns, widths) = fitting(table, ui, (&seen, width));
    let format = Format {
        table,
        columns: &columns,
        widths: &widths,
        width,
    };
    let folds = table.outline.folds();
    let lines = in_sight.iter().map(|line| match line {
        Err(words) => heading_line(words, width),
        Ok(row) => {
            let row = &table.rows[ui.order[*row]];
            format.line(mark(row.item, ui, &folds), &row.cells)
        }
    });
    TableContent {
        lines: lines.collect(),
        heading: format.line(Rich::text(Role::Text, "  "), &heading(table, ui)),
        selected: rows.iter().position(|line| *line == Some(row)),
        rows,
    }
}

/// The lines in sight: rows, and the headings above some of them.
fn in_sight(
    table: &Table,
    ui: &TableUi,
    row: usize,
    height: usize,
) -> Vec<Result<usize, &'static str>> {
    if table.outline.headings.is_empty() {
        let first = window(row, ui.order.len(), height);
        return (first..ui.order.len()).take(height).map(Ok).collect();
    }
    let mut lines = Vec::new();
    for (at, place) in ui.order.iter().enumerate() {
        let above = ui.heading_above(table, table.rows[*place].item);
        lines.extend(above.map(Err));
        lines.push(Ok(at));
    }
    let place = lines.iter().position(|line| *line == Ok(row)).unwrap_or(0);
    let first = window(place, lines.len(), height);
    lines.split_off(first).into_iter().take(height).collect()
}

/// `── Going on ──────`
fn heading_line(words: &str, width: usize) -> Rich {
    let name = Rich::text(Role::Border, "── ").and(Role::Title, words);
    let rest = width.saturating_sub(name.width() + 1);
    name.and(Role::Border, format!(" {}", "─".repeat(rest)))
        .cut(width)
}

/// The first column is the selection's.
fn mark(item: ListItem, ui: &TableUi, folds: &BTreeSet<ListItem>) -> Rich {
    match (ui.marks.contains(&item), folds.contains(&item)) {
        (true, _) => Rich::text(Role::Notice, "● "),
        (false, true) if ui.unfolded.contains(&item) => Rich::text(Role::Key, " ▾"),
        (false, true) => Rich::text(Role::Key, " ▸"),
        (false, false) => Rich::text(Role::Text, "  "),
    }
}

fn heading(table: &Table, ui: &TableUi) -> Vec<Cell> {
    let names = table.columns.iter().enumerate().map(|(at, column)| {
        let arrow = match ui.sort {
            Some((by, true)) if by == at => "▼",
            Some((by, false)) if by == at => "▲",
            _ => "",
        };
        Cell::text(
            Role::Title,
            format!("{}{arrow}", column.name.to_uppercase()),
        )
    });
    names.collect()
}

/// The columns that there is room for, and their widths. What somebody has chosen stays.
fn fitting(table: &Table, ui: &TableUi, room: (&[usize], usize)) -> (Vec<usize>, Vec<usize>) {
    let mut columns = ui.shown(table);
    let mut found = widths(table, ui, &columns, room);
    let last_of = |row: &usize| table.rows[*row].cells.last();
    let widest = room
        .0
        .iter()
        .filter_map(last_of)
        .map(|cell| cell.text.width());
    let needed = widest.max().unwrap_or(0).min(LAST_MIN);
    let own = ui.columns.is_empty();
    // What says nothing about any row in sight gives way before what says little.
    let empty = columns.iter().filter(|at| is_empty(table, **at, room.0));
    let empty: Vec<&str> = empty.map(|at| table.columns[*at].name).collect();
    for name in empty.iter().chain(table.lesser).filter(|_| own) {
        if found.last().is_none_or(|last| *last >= needed) {
            break;
        }
        columns.retain(|at| table.columns[*at].name != *name);
        found = widths(table, ui, &columns, room);
    }
    // On the smallest terminals the first and the last column are what a row is known by.
    let least = needed.min(LAST_LEAST);
    while own
        && room.1 < NARROW
        && columns.len() > 2
        && found.last().is_some_and(|last| *last < least)
    {
        columns.remove(columns.len() - 2);
        found = widths(table, ui, &columns, room);
    }
    (columns, found)
}

/// Whether no row in sight has anything in the column.
fn is_empty(table: &Table, column: usize, seen: &[usize]) -> bool {
    let mut cells = seen
        .iter()
        .filter_map(|row| table.rows[*row].cells.get(column));
    cells.all(|cell| cell.text.is_empty())
}

/// As wide as what is in sight needs, column by column.
fn widths(
    table: &Table,
    ui: &TableUi,
    columns: &[usize],
    (seen, width): (&[usize], usize),
) -> Vec<usize> {
    let heading = heading(table, ui);
    let wide = |at: &usize| {
        let cells = seen
            .iter()
            .filter_map(|row| table.rows[*row].cells.get(*at));
        let widest = cells.map(|cell| cell.text.width().min(WIDTH_MAX)).max();
        widest.unwrap_or(0).max(heading[*at].text.width())
    };
    let mut widths: Vec<usize> = columns.iter().map(wide).collect();
    if let Some((last, others)) = widths.split_last_mut() {
        let taken: usize = others.iter().map(|wide| wide + GAP).sum();
        *last = width.saturating_sub(taken + 2);
    }
    widths
}

/// How the lines of a table are laid out.
struct Format<'a> {
    table: &'a Table,
    columns: &'a [usize],
    widths: &'a [usize],
    width: usize,
}

impl Format<'_> {
    fn line(&self, mut out: Rich, cells: &[Cell]) -> Rich {
        for (place, (at, wide)) in self.columns.iter().zip(self.widths).enumerate() {
            let Some(cell) = cells.get(*at) else { continue };
            let text = fit_columns(&cell.text, *wide);
            let pad = " ".repeat(wide.saturating_sub(text.width()));
            let right = self
                .table
                .columns
                .get(*at)
                .is_some_and(|column| column.right);
            let (before, after) = if right {
                (pad, String::new())
            } else {
                (String::new(), pad)
            };
            out.add(Role::Text, before);
            out.add(cell.role, text);
            if place + 1 < self.columns.len() {
                out.add(Role::Text, after + &" ".repeat(GAP));
            }
        }
        out.cut(self.width)
    }
}
