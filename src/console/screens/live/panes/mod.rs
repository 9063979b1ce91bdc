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
pub(crate) mod view;

use crate::screens::live::layout::Focus;
use crate::screens::live::state::LiveState;
use crate::view::View;
use crate::widgets::pane::{PaneContent, Room};

/// The pane as it is now.
#[must_use]
pub fn show(focus: Focus, view: &View, ui: &LiveState, room: Room) -> PaneContent {
    match focus {
        Focus::Plan => plan::show(view, ui, room),
        Focus::Monitor => monitor::show(view, ui, room),
        Focus::Diagnosis => diagnosis::show(view, ui, room),
        Focus::Inbox => inbox::show(view, ui, room),
        Focus::Map => map::show(view, ui, room),
        Focus::Knowledge => knowledge::show(view, ui, room),
        Focus::Timeline => timeline::show(view, ui, room),
        Focus::View => view::words(ui),
    }
}
