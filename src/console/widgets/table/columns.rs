//! Columns: which of a table's columns are in sight, and in which order.
//!
//! They are kept by name, so that a later version with other columns finds those that it still has.
//! Invariant: one column is always in sight.

use crate::widgets::table::{Table, TableUi};

/// The columns of a table while they are being chosen, each with whether it is in sight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnChoice {
    pub columns: Vec<(&'static str, bool)>,
    pub at: usize,
}

impl ColumnChoice {
    /// What is chosen now: those in sight in their order, then the others.
    #[must_use]
    pub fn from_list(ui: &TableUi, table: &Table) -> Self {
        let shown = ui.shown(table);
        let name = |at: usize| table.columns[at].name;
        let hidden = (0..table.columns.len()).filter(|at| !shown.contains(at));
        let in_sight = shown.iter().map(|at| (name(*at), true));
        Self {
            columns: in_sight.chain(hidden.map(|at| (name(at), false))).collect(),
            at: 0,
        }
    }

    /// Puts the selected one in sight or out of it; false if it is the last one.
    pub fn toggle(&mut self) -> bool {
        let in_sight = self.columns.iter().filter(|(_, is_on)| *is_on).count();
        match self.columns.get_mut(self.at) {
            Some((_, is_on)) if *is_on && in_sight == 1 => false,
            Some((_, is_on)) => {
                *is_on = !*is_on;
                true
            }
            None => false,
        }
    }

    /// Moves the selected one a place up or down.
    pub fn shift(&mut self, down: bool) {
        let to = if down {
            (self.at + 1).min(self.columns.len().saturating_sub(1))
        } else {
            self.at.saturating_sub(1)
        };
        self.columns.swap(self.at, to);
        self.at = to;
    }

    /// Takes it over. What a table has by itself is not kept.
    pub fn apply(&self, ui: &mut TableUi, table: &Table) {
        let in_sight = self.columns.iter().filter(|(_, is_on)| *is_on);
        ui.columns = in_sight.map(|(name, _)| (*name).to_owned()).collect();
        if ui.columns.iter().eq(table.columns.iter().map(|c| c.name)) {
            ui.columns.clear();
        }
    }
}

impl TableUi {
    /// The places of the columns in sight, in their order.
    #[must_use]
    pub fn shown(&self, table: &Table) -> Vec<usize> {
        let all = || (0..table.columns.len()).collect();
        let place = |name: &String| table.columns.iter().position(|c| c.name == name);
        let mut chosen: Vec<usize> = self.columns.iter().filter_map(place).collect();
        let mut seen = std::collections::BTreeSet::new();
        chosen.retain(|at| seen.insert(*at));
        if chosen.is_empty() { all() } else { chosen }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widgets::table::TableColumn;

    fn table() -> Table {
        const COLUMNS: &[TableColumn] = &[
            TableColumn {
                name: "run",
                right: true,
            },
            TableColumn {
                name: "ticks",
                right: true,
            },
            TableColumn {
                name: "task",
                right: false,
            },
        ];
        Table {
            columns: COLUMNS,
            lesser: &[],
            ..Table::default()
        }
    }

    fn named(names: &[&str]) -> TableUi {
        TableUi {
            columns: names.iter().map(|name| (*name).to_owned()).collect(),
            ..TableUi::default()
        }
    }

    #[test]
    fn names_that_a_table_does_not_have_are_passed_over() {
        assert_eq!(named(&[]).shown(&table()), [0, 1, 2]);
        assert_eq!(
            named(&["task", "colour", "run", "task"]).shown(&table()),
            [2, 0]
        );
        assert_eq!(named(&["colour"]).shown(&table()), [0, 1, 2]);
    }

    #[test]
    fn columns_are_hidden_and_moved_but_for_the_last() {
        let (table, mut ui) = (table(), named(&["task", "run"]));
        let mut choice = ColumnChoice::from_list(&ui, &table);
        assert_eq!(
            choice.columns,
            [("task", true), ("run", true), ("ticks", false)]
        );
        assert!(choice.toggle());
        choice.at = 1;
        assert!(!choice.toggle(), "one stays");
        choice.shift(true);
        assert_eq!(choice.at, 2);
        choice.at = 0;
        assert!(choice.toggle());
        choice.apply(&mut ui, &table);
        assert_eq!(ui.columns, ["task", "run"]);
        let mut whole = ColumnChoice::from_list(&TableUi::default(), &table);
        whole.shift(false);
        whole.apply(&mut ui, &table);
        assert!(ui.columns.is_empty(), "what it has by itself is not kept");
    }
}
