//! Pages: what is read in full, line by line, before anything is drawn.
//!
//! Scrolling and "its end has been seen" count these lines, so drawing and keys agree on them.

pub mod costs;
pub mod decision;
pub mod entry;
pub mod node;
pub mod policy;
pub mod trace;

use crate::screens::live::state::{Overlay, Page, Ui};
use crate::theme::Role;
use crate::view::View;
use crate::widgets::page::reading_area;
use crate::widgets::rich::Rich;

/// Lines below a question: count-down and the keys that decide.
const DECISION_BAR: u16 = 2;

/// The rows that the overlay keeps below its text.
#[must_use]
pub fn bar(overlay: &Overlay) -> u16 {
    if matches!(overlay, Overlay::Decision { .. }) {
        DECISION_BAR
    } else {
        0
    }
}

/// The lines of the overlay that is being read; none if none is.
#[must_use]
pub fn lines(ui: &Ui, view: &View) -> Vec<Rich> {
    let width = usize::from(reading_area(ui.size, 0).width);
    match &ui.overlay {
        Overlay::Decision { id, .. } => match view.inbox.get(*id) {
            Some(open) => decision::lines(open, view, width),
            None => vec![Rich::of(Role::Faint, format!("{id} is decided."))],
        },
        Overlay::Page { page, .. } => match page {
            Page::Node(id) => node::lines(*id, view, width),
            Page::Entry(id) => entry::page(*id, view, width),
            Page::Trace => trace::lines(view, width),
            Page::Costs => costs::lines(view, width),
            Page::Policy => policy::lines(view, width),
            Page::Event(seq) => event(*seq, view, width),
        },
        Overlay::None
        | Overlay::Veto { .. }
        | Overlay::Editor(_)
        | Overlay::Confirm(_)
        | Overlay::Jump { .. } => Vec::new(),
    }
}

/// Lines of the overlay, and how many of them fit on the screen.
#[must_use]
pub fn extent(ui: &Ui, view: &View) -> (usize, usize) {
    let height = reading_area(ui.size, bar(&ui.overlay)).height;
    (lines(ui, view).len(), usize::from(height))
}

fn event(seq: pithead_world::ids::Seq, view: &View, width: usize) -> Vec<Rich> {
    let Some(line) = view.timeline.lines.iter().find(|line| line.seq == seq) else {
        return vec![Rich::of(
            Role::Faint,
            "This event is no longer kept on the screen.",
        )];
    };
    let mut out = Vec::new();
    let place = format!(
        "event {} · tick {}",
        line.seq,
        pithead_core::text::numbers::format_count(line.tick)
    );
    out.push(Rich::of(Role::Strong, place));
    out.push(Rich::new());
    crate::widgets::rich::paragraph(&mut out, Rich::new(), Role::Text, &line.text, width);
    out
}
