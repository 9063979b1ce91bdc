//! The window that is open, as a value.
//!
//! What is clicked in it is in `gui` and `stations`. Invariant: at most one window is open, and
//! every opening and closing is counted.

use super::controls::{ControlOutcome, HandAction};
use crate::item::ItemId;
use crate::observation::Gui;
use crate::space::Pos;

#[derive(Debug, Clone, PartialEq)]
pub struct Window {
    pub gui: Gui,
    /// The block the window belongs to.
    pub at: Option<Pos>,
    /// Counted over the whole run: the diagnosis compares two moments.
    pub opened: u32,
    pub closed: u32,
    /// The recipe being clicked together and for how many ticks.
    pub(super) clicks: Option<(ItemId, u32)>,
    /// The action being clicked together at a station and for how many ticks.
    pub(super) busy: Option<(HandAction, u32)>,
    /// The villager the window belongs to.
    pub mob: Option<u64>,
    /// The slot whose thing lies on the enchanting table.
    pub laid: Option<usize>,
}

impl Default for Window {
    fn default() -> Self {
        Self {
            gui: Gui::Closed,
            at: None,
            opened: 0,
            closed: 0,
            clicks: None,
            busy: None,
            mob: None,
            laid: None,
        }
    }
}

impl Window {
    /// Everything but the counters begins anew.
    pub(super) fn close(&mut self) {
        if self.gui.is_open() {
            self.closed += 1;
        }
        *self = Self {
            opened: self.opened,
            closed: self.closed,
            ..Self::default()
        };
    }

    pub(super) fn open(&mut self, gui: Gui, at: Option<Pos>) -> ControlOutcome {
        // Nothing is counted that was refused.
        if self.gui.is_open() {
            return ControlOutcome::Refused("another window is open");
        }
        (self.gui, self.at, self.clicks) = (gui, at, None);
        self.opened += 1;
        ControlOutcome::Done
    }
}
