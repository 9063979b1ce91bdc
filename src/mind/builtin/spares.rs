//! Spares: what is taken along so that the one good tool lasts to the end.
//!
//! It knows what tools wear, not where anything lies. Invariant: below ground nothing is asked for
//! that the wood at hand does not give.

use super::beliefs::tool_item;
use super::ways::{Amount, Knowing, Part};
use crate::world::family::ItemSpec;
use crate::world::item::{ItemId, Tier};

/// Plain tools and sticks to go down with where a dear tool is needed at the end.
const PLAIN_TOOLS: u32 = 3;
const SPARE_STICKS: u32 = 12;
/// From this height on, trees are not far.
const WOOD_Y: i32 = 50;

impl Knowing<'_> {
    /// What to take along for a long search in the rock: plain tools that spare the dear one, wood
    /// for more, and a sword. Who is down already makes do with the wood at hand.
    pub(super) fn spares(&self, tool: ItemId) -> Vec<Part> {
        let plain = tool
            .facts()
            .tool
            .filter(|t| t.tier > Tier::Stone)
            .and_then(|t| tool_item(t.kind, Tier::Stone));
        let (Some(plain), Some(stick)) = (plain, ItemId::named("stick")) else {
            return Vec::new();
        };
        let held = |item: ItemId, count: u32| Part {
            item: item.into(),
            amount: Amount::Held(count),
        };
        if self.here.y >= WOOD_Y {
            let sword = ItemId::named("stone_sword").map(|sword| held(sword, 1));
            let spares = [held(plain, PLAIN_TOOLS), held(stick, SPARE_STICKS)];
            return spares.into_iter().chain(sword).collect();
        }
        let wood = |name: &str| {
            name.parse::<ItemSpec>()
                .map_or(0, |item| self.stock.count(item))
        };
        let sticks = self.stock.count(stick) + 2 * wood("#planks") + 8 * wood("#logs");
        let plain_max = self.stock.count(plain) + sticks / 2;
        match plain_max.min(PLAIN_TOOLS) {
            0 => Vec::new(),
            count => vec![held(plain, count)],
        }
    }
}
