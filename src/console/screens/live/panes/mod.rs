//! Panes: what each part of the live screen says, as rich lines; one file per pane.
//!
//! Placing and styling is `draw`'s. Invariant: a pane asks the view and the ui, and nothing else.

pub mod diagnosis;
pub mod header;
pub mod inbox;
pub mod knowledge;
pub mod map;
pub mod monitor;
pub mod plan;
pub mod timeline;

use crate::screens::live::camera;
use crate::screens::live::layout::Focus;
use crate::screens::live::state::Ui;
use crate::view::View;
use crate::widgets::rich::Rich;

/// Room inside a pane.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    pub width: usize,
    pub height: usize,
}

/// What a pane shows.
#[derive(Debug, Clone, Default)]
pub struct PaneContent {
    /// After the pane's name, for example `revision 3`.
    pub title: String,
    pub lines: Vec<Rich>,
    /// The selected line among them.
    pub selected: Option<usize>,
    /// There is more above or below.
    pub above: bool,
    pub below: bool,
}

/// The pane as it is now.
#[must_use]
pub fn show(focus: Focus, view: &View, ui: &Ui, room: Room) -> PaneContent {
    match focus {
        Focus::Plan => plan::show(view, ui, room),
        Focus::Monitor => monitor::show(view, ui, room),
        Focus::Diagnosis => diagnosis::show(view, ui, room),
        Focus::Inbox => inbox::show(view, ui, room),
        Focus::Map => map::show(view, ui, room),
        Focus::Knowledge => knowledge::show(view, ui, room),
        Focus::Timeline => timeline::show(view, ui, room),
        Focus::View => camera::words(view, ui),
    }
}

/// A list of `len` lines around the selected one; only what is in sight is made.
fn list(len: usize, row: usize, room: Room, make: impl FnMut(usize) -> Rich) -> PaneContent {
    let first = crate::widgets::scroll::window(row, len, room.height);
    let last = (first + room.height).min(len);
    PaneContent {
        lines: (first..last).map(make).collect(),
        selected: (len > 0).then(|| row.saturating_sub(first)),
        above: first > 0,
        below: last < len,
        ..PaneContent::default()
    }
}

/// A text of which the first `scroll` lines are above the pane.
fn scrolled(lines: Vec<Rich>, scroll: usize, room: Room) -> PaneContent {
    let first = scroll.min(lines.len().saturating_sub(room.height));
    let below = lines.len() > first + room.height;
    let lines = lines.into_iter().skip(first).take(room.height).collect();
    PaneContent {
        lines,
        above: first > 0,
        below,
        ..PaneContent::default()
    }
}
