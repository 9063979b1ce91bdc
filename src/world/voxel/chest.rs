//! Chests: 27 slots at a place in the world.

use crate::inventory::Slots;

/// Three rows of nine: a single chest. Double chests do not occur in this world.
const SLOTS: usize = 27;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chest {
    pub slots: Slots,
}

impl Default for Chest {
    fn default() -> Self {
        Self {
            slots: Slots::with_size(SLOTS),
        }
    }
}

impl Chest {
    /// All pieces in it.
    #[must_use]
    pub fn items(&self) -> u32 {
        self.slots
            .stacks
            .iter()
            .flatten()
            .map(|stack| stack.count)
            .sum()
    }
}
