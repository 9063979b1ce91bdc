//! The mind: the questions around the chosen attempt and what came of each; one of them in full.

use crate::cache::Cache;
use crate::screens::debug::inspection::{Inspection, PartContent};
use crate::screens::debug::readings::MindCall;
use crate::theme::Role;
use crate::widgets::page::heading;
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

/// A question in full, and what came of it.
#[must_use]
pub fn page(asked: &MindCall, width: usize) -> Vec<Rich> {
    let title = format!("{} · {} · event {}", asked.call, asked.role, asked.seq);
    let mut out = vec![Rich::text(Role::Strong, title).cut(width)];
    for (name, text) in [("System", &asked.system), ("Question", &asked.user)] {
        if !text.is_empty() {
            heading(&mut out, name);
            whole(&mut out, text, width);
        }
    }
    for (seq, what, text) in &asked.replies {
        heading(&mut out, &format!("Event {seq} · {what}"));
        whole(&mut out, text, width);
    }
    if asked.replies.is_empty() {
        heading(&mut out, "No answer yet");
    }
    out
}

/// Lines of a text that are shown of one part; a model may answer without end.
const LINES_MAX: usize = 4_000;

fn whole(out: &mut Vec<Rich>, text: &str, width: usize) {
    for line in text.lines().take(LINES_MAX) {
        paragraph(out, Rich::new(), Role::Text, line, width);
    }
    if text.lines().count() > LINES_MAX {
        out.push(Rich::text(Role::Notice, "… the rest is in the journal"));
    }
}
