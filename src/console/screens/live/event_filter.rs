//! The filter of the Events pane: which of the run's events are in sight.
//!
//! Its words are those of lists. Invariant: a filter that cannot be read hides nothing.

use crate::theme::Role;
use crate::view::timeline::{Timeline, TimelineLine};
use crate::widgets::table::filter::RowFilter;
use crate::widgets::table::{Cell, TableColumn};
use pithead_world::clock::Millis;
use std::sync::Arc;

/// What a word can name: `tick:>3000`, `kind:failure`.
const COLUMNS: &[TableColumn] = &[
    TableColumn {
        name: "tick",
        right: true,
    },
    TableColumn {
        name: "kind",
        right: false,
    },
    TableColumn {
        name: "event",
        right: false,
    },
];

/// A filter as it was typed and read.
#[derive(Debug, Clone, Default)]
pub struct EventFilter {
    text: String,
    read: Arc<RowFilter>,
}

impl EventFilter {
    /// The filter, and what is wrong with it.
    pub(crate) fn typed(text: String) -> (Self, Option<String>) {
        match RowFilter::read(&text, COLUMNS, Millis(0)) {
            Ok(read) => {
                let read = Arc::new(read);
                (Self { text, read }, None)
            }
            Err(because) => {
                let read = Arc::default();
                (Self { text, read }, Some(because))
            }
        }
    }

    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The places of the lines in sight, oldest first.
    #[must_use]
    pub fn in_sight(&self, timeline: &Timeline) -> Vec<usize> {
        let lines = timeline.lines.iter().enumerate();
        let fit = lines.filter(|(_, line)| self.text.is_empty() || self.fits(line));
        fit.map(|(at, _)| at).collect()
    }

    fn fits(&self, line: &TimelineLine) -> bool {
        self.read.fits_cells(&[
            Cell::number(Role::Text, line.tick),
            Cell::text(Role::Text, line.weight.word()),
            Cell::text(Role::Text, line.text.as_str()),
        ])
    }
}
