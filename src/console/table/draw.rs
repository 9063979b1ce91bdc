//! A table as lines: heading, rows around the selected one, marks, and what the filter hides.

use super::{Cell, Column, Table, TableUi};
use crate::console::clean;
use crate::console::rich::Rich;
use crate::console::select;
use crate::console::theme::Role;
use unicode_width::UnicodeWidthStr;

/// Columns between two cells.
const GAP: usize = 2;
/// A column wider than this gives way, unless it is the last.
const WIDTH_MAX: usize = 28;

/// The lines of a table within some room.
#[derive(Debug, Default)]
pub struct Shown {
    pub heading: Rich,
    pub lines: Vec<Rich>,
    /// The selected line among them.
    pub selected: Option<usize>,
    /// The first row in sight, of all that fit the filter.
    pub first: usize,
}

#[must_use]
pub fn show(table: &Table, ui: &TableUi, width: usize, height: usize) -> Shown {
    let Some(row) = ui.row(table) else {
        let text = if table.rows.is_empty() {
            table.empty.to_owned()
        } else {
            "no row fits the filter; esc takes it off".to_owned()
        };
        return Shown {
            lines: vec![Rich::of(Role::Faint, text)],
            ..Shown::default()
        };
    };
    let first = select::window(row, ui.order.len(), height);
    let seen: Vec<usize> = ui.order.iter().skip(first).take(height).copied().collect();
    let widths = widths(table, ui, &seen, width);
    let lines = seen.iter().map(|at| {
        let row = &table.rows[*at];
        let mark = if ui.marks.contains(&row.item) {
            Rich::of(Role::Notice, "● ")
        } else {
            Rich::of(Role::Text, "  ")
        };
        line(mark, table.columns, &row.cells, &widths, width)
    });
    Shown {
        lines: lines.collect(),
        heading: line(
            Rich::of(Role::Text, "  "),
            table.columns,
            &heading(table, ui),
            &widths,
            width,
        ),
        selected: Some(row - first),
        first,
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

/// As wide as what is in sight needs.
fn widths(table: &Table, ui: &TableUi, seen: &[usize], width: usize) -> Vec<usize> {
    let heading = heading(table, ui);
    let rows = seen.iter().map(|at| &table.rows[*at].cells);
    let mut widths: Vec<usize> = heading.iter().map(|cell| cell.text.width()).collect();
    for cells in rows {
        for (wide, cell) in widths.iter_mut().zip(cells) {
            *wide = (*wide).max(cell.text.width().min(WIDTH_MAX));
        }
    }
    if let Some((last, others)) = widths.split_last_mut() {
        let taken: usize = others.iter().map(|wide| wide + GAP).sum();
        *last = width.saturating_sub(taken + 2);
    }
    widths
}

fn line(mut out: Rich, columns: &[Column], cells: &[Cell], widths: &[usize], width: usize) -> Rich {
    for (at, (cell, wide)) in cells.iter().zip(widths).enumerate() {
        let text = clean::fit(&cell.text, *wide);
        let pad = " ".repeat(wide.saturating_sub(text.width()));
        let right = columns.get(at).is_some_and(|column| column.right);
        let (before, after) = if right {
            (pad, String::new())
        } else {
            (String::new(), pad)
        };
        out.add(Role::Text, before);
        out.add(cell.role, text);
        if at + 1 < cells.len() {
            out.add(Role::Text, after + &" ".repeat(GAP));
        }
    }
    out.cut(width)
}
