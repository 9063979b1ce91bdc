//! Outlines: headings above some rows of a table, and rows that lie folded below others.
//!
//! Only the source's own order has an outline: a filter shows all that fits, and a sorted table has no headings.

use super::{ListItem, Table, TableUi};
use std::collections::{BTreeMap, BTreeSet};

/// What is above and below the rows of a table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TableOutline {
    /// By the row that the heading stands above.
    pub headings: BTreeMap<ListItem, &'static str>,
    /// The row that a row lies below.
    pub parents: BTreeMap<ListItem, ListItem>,
}

impl TableOutline {
    /// The rows that others lie below.
    #[must_use]
    pub fn folds(&self) -> BTreeSet<ListItem> {
        self.parents.values().copied().collect()
    }

    /// Not hidden below a row that is folded.
    pub(super) fn is_open(&self, item: ListItem, unfolded: &BTreeSet<ListItem>) -> bool {
        let parent = self.parents.get(&item);
        parent.is_none_or(|parent| unfolded.contains(parent))
    }
}

impl TableUi {
    /// Unfolds what lies below a row, or folds it again.
    pub fn fold_or_unfold(&mut self, item: ListItem) {
        if !self.unfolded.remove(&item) {
            self.unfolded.insert(item);
        }
    }

    /// The heading above a row, where headings are shown.
    #[must_use]
    pub fn heading_above(&self, table: &Table, item: ListItem) -> Option<&'static str> {
        let has_headings = self.sort.is_none() && self.filter.is_empty();
        let found = table.outline.headings.get(&item).copied();
        found.filter(|_| has_headings)
    }
}
