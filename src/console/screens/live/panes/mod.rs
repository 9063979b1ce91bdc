//! Panes: what each part of the live screen says, and what keys do in it; one file per pane.
//!
//! Placing and styling is `draw`'s. Invariant: a pane asks the view and the ui, and nothing else.

pub mod diagnosis;
pub mod header;
pub mod inbox;
pub mod knowledge;
pub mod map;
pub mod monitor;
pub(crate) mod pane;
pub mod plan;
pub mod timeline;
pub(crate) mod view;

use crate::screens::live::layout::Focus;
use crate::screens::live::panes::pane::Pane;

/// A pane with what keys do in it.
#[must_use]
pub(crate) fn pane_of(focus: Focus) -> &'static Pane {
    match focus {
        Focus::Plan => &plan::PANE,
        Focus::Monitor => &monitor::PANE,
        Focus::Diagnosis => &diagnosis::PANE,
        Focus::Inbox => &inbox::PANE,
        Focus::Map => &map::PANE,
        Focus::Knowledge => &knowledge::PANE,
        Focus::Timeline => &timeline::PANE,
        Focus::View => &view::PANE,
    }
}
