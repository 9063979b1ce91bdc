//! What the phases of other systems did in the whole run: every selection, every reflection, newest first.

use crate::screens::live::panes::{goals, reflector, select};
use crate::theme::Role;
use crate::view::View;
use crate::widgets::page::heading;
use crate::widgets::rich::Rich;
use pithead_core::text::numbers::format_count;

#[must_use]
pub fn selection_lines(view: &View, width: usize) -> Vec<Rich> {
    let mut out = Vec::new();
    let record = view.system.select.iter();
    for selection in record.flat_map(|record| record.selections.iter().rev()) {
        let event = format_count(selection.event.0);
        heading(&mut out, &format!("{} · event {event}", selection.selected));
        for candidate in &selection.candidates {
            out.extend(select::lines(candidate, selection, width));
        }
    }
    if out.is_empty() {
        out.push(Rich::text(Role::Faint, "Nothing was predicted yet."));
    }
    out
}

#[must_use]
pub fn reflection_lines(view: &View, width: usize) -> Vec<Rich> {
    let mut out = Vec::new();
    if let Some(record) = &view.system.reflector {
        for line in record.reflections.iter().rev() {
            heading(&mut out, &format!("Event {}", format_count(line.event.0)));
            reflector::push_reflection(&mut out, line, record.trust_min, width);
        }
    }
    if out.is_empty() {
        out.push(Rich::text(Role::Faint, "Nothing was reflected on yet."));
    }
    out
}

/// The tree of goals, then each step with what was expected of it and what became of it.
#[must_use]
pub fn goal_lines(view: &View, width: usize) -> Vec<Rich> {
    match &view.system.goals {
        Some(record) => goals::page_lines(record, width),
        None => vec![Rich::text(
            Role::Faint,
            "This system plans for the whole task.",
        )],
    }
}
