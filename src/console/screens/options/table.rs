//! The table of options: one row for each way to get something, and for each circumstance if that is asked for.

use crate::screens::options::state::OptionsReading;
use crate::theme::Role;
use crate::widgets::table::outline::TableOutline;
use crate::widgets::table::{Cell, ListItem, Table, TableColumn, TableRow};
use pithead_core::text::numbers::share_bar;
use pithead_core::text::signature::Signature;
use pithead_engine::runtime::option_table::{OptionRow, format_tries, rows_of_option};

const fn left(name: &'static str) -> TableColumn {
    TableColumn { name, right: false }
}

const fn right(name: &'static str) -> TableColumn {
    TableColumn { name, right: true }
}

const COLUMNS: &[TableColumn] = &[
    left("option"),
    left("when"),
    right("tried"),
    right("done"),
    right("died"),
    right("pieces"),
    right("ticks each"),
    right("95 % within"),
    left("share done"),
];

/// What pieces cost goes before how often it was done, where there is no room for both.
const LESSER: &[&str] = &["95 % within", "pieces", "ticks each", "done"];

/// Columns of the bar.
const BAR: usize = 10;

#[must_use]
pub fn table(reading: &OptionsReading) -> Table {
    let records = reading.records.iter();
    let rows = records.flat_map(|record| rows_of_option(record, reading.subject.by_circumstance));
    Table {
        columns: COLUMNS,
        lesser: LESSER,
        rows: rows.map(|row| table_row(&row)).collect(),
        empty: "no run has tried to get this; a shows the options of all items",
        outline: TableOutline::default(),
    }
}

fn table_row(row: &OptionRow) -> TableRow {
    let when = row.circumstance.as_ref().map(ToString::to_string);
    let signature = when.as_deref().map(Signature::from_normal_form);
    let count = |role, count: f64| Cell::ranked(role, format_tries(count), count);
    let ticks = |ticks: Option<f64>| match ticks {
        Some(ticks) => Cell::ranked(Role::Text, format!("{ticks:.0}"), ticks),
        None => Cell::ranked(Role::Faint, "-", f64::INFINITY),
    };
    let tries = &row.tries;
    let role = if when.is_some() {
        Role::Text
    } else {
        Role::Strong
    };
    let died = if tries.died > 0.0 {
        Role::Bad
    } else {
        Role::Faint
    };
    TableRow {
        item: ListItem::Option(row.key, signature),
        cells: vec![
            Cell::text(role, row.key.to_string()),
            Cell::text(Role::Text, when.unwrap_or_default()),
            count(Role::Text, tries.tried),
            count(Role::Text, tries.done),
            count(died, tries.died),
            count(Role::Text, tries.pieces),
            ticks(row.ticks_a_piece()),
            ticks(row.within),
            share(row),
        ],
    }
}

/// `████░░     42 % (18 to 70)`
fn share(row: &OptionRow) -> Cell {
    match row.share() {
        Some((share, interval)) => {
            let (bar, low, high) = (share_bar(share / 100.0, BAR), interval.low, interval.high);
            let text = format!("{bar} {share:>3.0} % ({low:.0} to {high:.0})");
            Cell::ranked(Role::Text, text, share)
        }
        None => Cell::ranked(Role::Faint, "", f64::NEG_INFINITY),
    }
}
