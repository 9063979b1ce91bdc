//! Panes: what each part of the live screen says, and what keys do in it; one file per pane.
//!
//! Placing and styling is `draw`'s. Invariant: a pane asks the view and the ui, and nothing else.

pub mod diagnosis;
pub mod goals;
pub mod header;
pub mod inbox;
pub mod knowledge;
pub mod map;
pub mod mind;
pub mod monitor;
pub(crate) mod pane;
pub mod plan;
pub mod reflector;
pub mod rules;
pub mod select;
pub mod timeline;
pub(crate) mod view;

use crate::screens::live::layout::Focus;
use crate::screens::live::panes::pane::Pane;
use crate::view::View;

/// The panes that the run's profile switches on.
#[must_use]
pub(crate) fn switched(view: &View) -> Vec<Focus> {
    let system = &view.system;
    let there = [
        (Focus::Select, system.select.is_some()),
        (Focus::Rules, system.rules.is_some()),
        (Focus::Reflector, system.reflector.is_some()),
        (Focus::Goals, system.goals.is_some()),
    ];
    let there = there.into_iter().filter(|(_, is_there)| *is_there);
    there.map(|(focus, _)| focus).collect()
}

/// A pane with what keys do in it.
#[must_use]
pub(crate) fn pane_of(focus: Focus) -> &'static Pane {
    match focus {
        Focus::Plan => &plan::PANE,
        Focus::Monitor => &monitor::PANE,
        Focus::Diagnosis => &diagnosis::PANE,
        Focus::Inbox => &inbox::PANE,
        Focus::Mind => &mind::PANE,
        Focus::Map => &map::PANE,
        Focus::Knowledge => &knowledge::PANE,
        Focus::Select => &select::PANE,
        Focus::Rules => &rules::PANE,
        Focus::Reflector => &reflector::PANE,
        Focus::Goals => &goals::PANE,
        Focus::Timeline => &timeline::PANE,
        Focus::View => &view::PANE,
    }
}
