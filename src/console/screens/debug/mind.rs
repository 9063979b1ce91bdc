//! The mind: the questions around the chosen attempt and what came of each.

use crate::cache::Cache;
use crate::screens::debug::inspection::{Inspection, PartContent};
use crate::theme::Role;
use crate::widgets::rich::{Rich, paragraph};
use pithead_core::text::numbers::format_count;
use pithead_engine::runtime::attempts::Fate;

pub(crate) fn mind_content(
    inspection: &Inspection<'_>,
    cache: &Cache,
    width: usize,
) -> PartContent {
    let row = &inspection.case.row;
    let asks = cache.debug.index.asks_about(row.id);
    if asks.is_empty() {
        let text = "the mind was asked nothing for or because of this attempt";
        let mut lines = Vec::new();
        paragraph(&mut lines, Rich::new(), Role::Faint, text, width);
        return PartContent::from_lines(lines);
    }
    let lines = asks.iter().map(|ask| {
        let (role, word) = match ask.fate {
            Fate::Open => (Role::Running, "▶ not answered"),
            Fate::Answered => (Role::Good, "✔ answered"),
            Fate::Rejected => (Role::Bad, "✗ could not be parsed"),
            Fate::Failed => (Role::Bad, "✗ failed"),
        };
        let when = if ask.seq < row.from {
            "before"
        } else {
            "after"
        };
        Rich::text(Role::Strong, format!("{} ", ask.call))
            .and(Role::Text, format!("{} ", ask.role))
            .and(
                Role::Faint,
                format!("{when} it · event {}", format_count(ask.seq.0)),
            )
            .with_right(Rich::text(role, word), width)
    });
    PartContent {
        title: "enter shows a question in full".to_owned(),
        lines: lines.collect(),
        selected: Some(inspection.ui.ask.min(asks.len() - 1)),
    }
}
