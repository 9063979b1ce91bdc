//! First held: the tick at which each item of the tech tree was first in the inventory (DEPS, Figure 9).
//!
//! Every frame of a run is looked at, whether or not it is kept.

use pithead_world::family::ItemSpec;
use pithead_world::observation::Frame;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The way to a diamond, in the order of the game.
pub const TECH_TREE: [&str; 13] = [
    "#logs",
    "#planks",
    "stick",
    "crafting_table",
    "wooden_pickaxe",
    "cobblestone",
    "stone_pickaxe",
    "furnace",
    "coal",
    "iron_ore",
    "iron_ingot",
    "iron_pickaxe",
    "diamond",
];

static ITEMS: LazyLock<Vec<(&str, ItemSpec)>> = LazyLock::new(|| {
    let item = |name: &'static str| (name, name.parse().expect("a test reads the names"));
    TECH_TREE.map(item).to_vec()
});

/// By item, for those that were held.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FirstHeld(BTreeMap<&'static str, u64>);

impl FirstHeld {
    /// Looks at a frame.
    pub(super) fn see(&mut self, frame: &Frame) {
        for (name, item) in ITEMS.iter() {
            if !self.0.contains_key(name) && frame.inventory.count(*item) > 0 {
                self.0.insert(name, frame.tick);
            }
        }
    }

    /// The tick of each item that was held.
    #[must_use]
    pub fn ticks(&self) -> BTreeMap<String, u64> {
        let rows = self.0.iter();
        rows.map(|(name, tick)| ((*name).to_owned(), *tick))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_counts_from_the_first_frame_that_shows_it() {
        let frame = |tick, held: &str| Frame {
            tick,
            inventory: held.parse().unwrap(),
            ..Frame::standing()
        };
        let mut first = FirstHeld::default();
        first.see(&frame(20, "birch_log=1,dirt=3"));
        first.see(&frame(40, "birch_planks=4"));
        first.see(&frame(60, "oak_log=2,oak_planks=4"));
        let expected = [("#logs".to_owned(), 20), ("#planks".to_owned(), 40)];
        assert_eq!(first.ticks(), expected.into());
        assert_eq!(ITEMS.len(), TECH_TREE.len());
    }
}
