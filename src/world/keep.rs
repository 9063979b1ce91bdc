//! Keeping: what a body must not eat, burn, build with or throw away of its own accord, because its plan still needs it.
//!
//! Only things that bodies do away with unasked are named. Invariant: more of a thing than is kept is the body's to use.

use crate::counts::Counts;
use crate::family::ItemSpec;
use crate::farming::feed_of;
use crate::item::ItemId;
use crate::mob::MobKind;
use crate::recipe::recipes_for_spec;
use crate::smelting::{COOK_TICKS, burn_ticks, smelt_inputs};
use crate::trade::offers_for;

/// What a miner throws away first; cobblestone and dirt are for building.
pub const RUBBLE: [&str; 9] = [
    "granite",
    "diorite",
    "andesite",
    "gravel",
    "flint",
    "sand",
    "oak_sapling",
    "birch_sapling",
    "wheat_seeds",
];
/// What a body builds its ways and shelters of, the best first.
pub const FILLERS: [&str; 6] = [
    "cobblestone",
    "dirt",
    "andesite",
    "diorite",
    "granite",
    "netherrack",
];
/// What a body burns unasked beside what it is told to.
pub const COALS: [&str; 2] = ["coal", "charcoal"];
/// A pair eats so many pieces before it has young.
const FEED: u32 = 2;

/// What is kept for the steps of a plan, added up one step at a time.
#[derive(Debug, Clone, Default)]
pub struct Keeping {
    /// What steps are to end with: the most that one of them asks for.
    wanted: Counts,
    /// What steps use up, all together.
    used: Counts,
}

impl Keeping {
    /// So many pieces are to be held at the end of a step.
    pub fn hold(&mut self, item: ItemSpec, count: u32) {
        for item in expendable(item) {
            let more = count.saturating_sub(self.wanted.count(item));
            self.wanted.add(item, more);
        }
    }

    /// So many pieces are to be crafted, by the plainest recipe.
    pub fn craft(&mut self, item: ItemSpec, count: u32) {
        let Some(recipe) = recipes_for_spec(item).first() else {
            return;
        };
        let times = count.div_ceil(recipe.count.max(1));
        for (ingredient, each) in &recipe.ingredients {
            self.take(*ingredient, each.saturating_mul(times));
        }
    }

    /// So many pieces are to come out of a furnace, over this fuel if one is named.
    pub fn smelt(&mut self, item: ItemSpec, count: u32, fuel: Option<ItemSpec>) {
        for input in smelt_inputs(item) {
            self.take(input.into(), count);
        }
        let burn = |fuel: &ItemSpec| fuel.members().iter().find_map(|item| burn_ticks(*item));
        if let Some((fuel, burn)) = fuel.and_then(|fuel| Some((fuel, burn(&fuel)?))) {
            self.take(fuel, count.saturating_mul(COOK_TICKS).div_ceil(burn.max(1)));
        }
    }

    /// So many pieces are to be traded for: what any villager asks for them.
    pub fn trade(&mut self, item: ItemSpec, count: u32) {
        for (_, trade) in offers_for(item) {
            let times = count.div_ceil(trade.get.1.max(1));
            for (asked, each) in trade.usual_price() {
                // As much as the dearest asks, not as all of them together.
                self.hold(asked.into(), each.saturating_mul(times));
            }
        }
    }

    /// Two of a kind are to be fed.
    pub fn breed(&mut self, mob: MobKind) {
        for food in feed_of(mob) {
            self.take(food.into(), FEED);
        }
    }

    /// So many pieces are used up by a step.
    pub fn take(&mut self, item: ItemSpec, count: u32) {
        for item in expendable(item) {
            self.used.add(item, count);
        }
    }

    /// What the body leaves alone, and how much of each.
    #[must_use]
    pub fn kept(mut self) -> Counts {
        for (item, count) in self.wanted.iter() {
            let more = count.saturating_sub(self.used.count(item));
            self.used.add(item, more);
        }
        self.used
    }
}

/// What a body might eat, burn, build with or throw away.
fn expendable(item: ItemSpec) -> impl Iterator<Item = ItemId> {
    let is_expendable = |item: &ItemId| {
        let named = [&RUBBLE[..], &FILLERS, &COALS];
        item.facts().food.is_some() || named.iter().any(|names| names.contains(&item.name()))
    };
    item.members().iter().copied().filter(is_expendable)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(name: &str) -> ItemSpec {
        name.parse().unwrap()
    }

    #[test]
    fn ingredients_inputs_and_feed_are_kept_if_a_body_would_use_them_up() {
        let mut keeping = Keeping::default();
        keeping.hold(item("apple"), 1);
        keeping.craft(item("golden_apple"), 1);
        keeping.craft(item("iron_pickaxe"), 1);
        keeping.smelt(item("glass"), 2, Some(item("#coals")));
        keeping.breed(MobKind::Pig);
        let kept = keeping.kept();
        assert_eq!(kept.count(item("apple")), 1, "got and used: one is enough");
        assert_eq!(kept.count(item("sand")), 2);
        assert_eq!(kept.count(item("carrot")), 2);
        assert_eq!(kept.count(ItemId::named("coal").unwrap()), 1);
        assert_eq!(kept.count(item("stick")), 0, "no body eats sticks");
        assert_eq!(kept.count(item("gold_ingot")), 0);
    }

    #[test]
    fn what_a_villager_asks_for_is_kept() {
        let mut keeping = Keeping::default();
        keeping.trade(item("emerald"), 2);
        let carrots = |(_, trade): &(_, &crate::trade::Trade)| {
            let price = trade.usual_price();
            price
                .into_iter()
                .find(|(asked, _)| asked.name() == "carrot")
        };
        let (_, each) = offers_for(item("emerald"))
            .iter()
            .find_map(carrots)
            .expect("a farmer buys carrots");
        assert_eq!(keeping.kept().count(item("carrot")), 2 * each);
    }
}
