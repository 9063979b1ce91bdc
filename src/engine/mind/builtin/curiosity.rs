//! Curiosity: what a simulated planner would try to get next, of all that it has not had yet.
//!
//! It goes by its beliefs, by what it has had and by the blocks that it has seen. Invariant: an idea is one step away
//! from what it has had, as it believes.

use super::beliefs::{Beliefs, BelievedRecipe, Gathering};
use super::errors::Level;
use pithead_world::block::BlockId;
use pithead_world::family::ItemSpec;
use pithead_world::item::{ItemId, Tier, ToolKind};
use std::collections::BTreeSet;

/// How it would be got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Means {
    Craft,
    Smelt,
    Gather,
    /// Animals and monsters are not always there.
    Hunt,
}

/// Something to try.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Idea {
    pub means: Means,
    pub item: ItemId,
}

/// A planner that chooses for itself.
#[derive(Debug, Clone)]
pub struct Curiosity {
    beliefs: Beliefs,
    had: BTreeSet<ItemId>,
    seen: BTreeSet<BlockId>,
}

impl Curiosity {
    /// The curiosity of the planner of this level; `seed` decides which of its weak facts fail.
    #[must_use]
    pub fn new(level: Level, seed: u64) -> Self {
        Self {
            beliefs: Beliefs::new(level, seed),
            had: BTreeSet::new(),
            seen: BTreeSet::new(),
        }
    }

    /// Items that it has held; those that are new to it.
    pub fn has_had(&mut self, items: impl IntoIterator<Item = ItemId>) -> Vec<ItemId> {
        let items = items.into_iter();
        items.filter(|item| self.had.insert(*item)).collect()
    }

    pub fn has_seen(&mut self, blocks: impl IntoIterator<Item = BlockId>) {
        self.seen.extend(blocks);
    }

    /// Kinds of items that it has held.
    #[must_use]
    pub fn items(&self) -> usize {
        self.had.len()
    }

    /// All that it could try now, each thing once, in order.
    #[must_use]
    pub fn ideas(&self) -> Vec<Idea> {
        let new = ItemId::all().filter(|item| !self.had.contains(item));
        let idea = |item| {
            Some(Idea {
                means: self.means(item)?,
                item,
            })
        };
        let mut ideas: Vec<Idea> = new.filter_map(idea).collect();
        ideas.sort_unstable();
        ideas
    }

    fn means(&self, item: ItemId) -> Option<Means> {
        let wanted = ItemSpec::from(item);
        let crafts = || {
            self.beliefs
                .recipes(wanted)
                .iter()
                .any(|recipe| self.can_craft(recipe))
        };
        let smelts = || {
            let has_furnace = !self.beliefs.needs_furnace(wanted) || self.has_named("furnace");
            let inputs = self.beliefs.smelted_from(wanted);
            has_furnace && inputs.iter().any(|input| self.has(*input))
        };
        let gathers = || {
            let mut ways = self.beliefs.gatherings(wanted).into_iter();
            ways.any(|way| self.can_gather(&way))
        };
        if crafts() {
            Some(Means::Craft)
        } else if smelts() {
            Some(Means::Smelt)
        } else if gathers() {
            Some(Means::Gather)
        } else {
            (!self.beliefs.hunted(wanted).is_empty()).then_some(Means::Hunt)
        }
    }

    fn can_craft(&self, recipe: &BelievedRecipe) -> bool {
        let mut parts = recipe.ingredients.iter();
        !recipe.ingredients.is_empty()
            && parts.all(|(part, _)| self.has(*part))
            && (!recipe.table || self.has_named("crafting_table"))
    }

    fn can_gather(&self, way: &Gathering) -> bool {
        let is_known = way.common || self.seen.contains(&way.block);
        is_known && way.tool.is_none_or(|tool| self.has_tool(tool))
    }

    fn has_tool(&self, (kind, tier): (ToolKind, Tier)) -> bool {
        let mut tools = self.had.iter().filter_map(|item| item.facts().tool);
        tools.any(|tool| tool.kind == kind && tool.tier.level() >= tier.level())
    }

    fn has(&self, wanted: ItemSpec) -> bool {
        self.had.iter().any(|item| wanted.matches(*item))
    }

    fn has_named(&self, name: &str) -> bool {
        ItemId::named(name).is_some_and(|item| self.had.contains(&item))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(name: &str) -> ItemId {
        ItemId::named(name).unwrap()
    }

    fn means(curiosity: &Curiosity, name: &str) -> Option<Means> {
        let ideas = curiosity.ideas();
        let idea = ideas.iter().find(|idea| idea.item == item(name))?;
        Some(idea.means)
    }

    #[test]
    fn ideas_are_one_step_away_from_what_was_had_and_seen() {
        let mut curiosity = Curiosity::new(Level::Expert, 1);
        assert_eq!(means(&curiosity, "oak_log"), Some(Means::Gather));
        assert_eq!(means(&curiosity, "oak_planks"), None);
        assert_eq!(means(&curiosity, "iron_ore"), None);
        assert_eq!(
            curiosity.has_had([item("oak_log"), item("oak_log")]),
            [item("oak_log")]
        );
        assert_eq!(means(&curiosity, "oak_planks"), Some(Means::Craft));
        assert_eq!(means(&curiosity, "oak_log"), None, "it had that");
        assert_eq!(means(&curiosity, "crafting_table"), None);
        curiosity.has_had(["oak_planks", "stick", "crafting_table", "furnace"].map(item));
        assert_eq!(means(&curiosity, "wooden_pickaxe"), Some(Means::Craft));
        assert_eq!(means(&curiosity, "charcoal"), Some(Means::Smelt));
        assert_eq!(means(&curiosity, "leather"), Some(Means::Hunt));
        // Ore has to be seen, and needs a tool that harvests it.
        let ore = pithead_world::block::IRON_ORE;
        curiosity.has_seen([ore]);
        assert_eq!(means(&curiosity, "iron_ore"), None);
        curiosity.has_had([item("stone_pickaxe")]);
        assert_eq!(means(&curiosity, "iron_ore"), Some(Means::Gather));
        assert_eq!(curiosity.items(), 6);
    }
}
