//! Slots with stacks: what a body carries, and what a container holds.
//!
//! Invariant: a stack has at least one piece and at most as many as its item stacks to; tools never share a slot.

use serde::{Deserialize, Serialize};

use crate::block::{BlockId, break_ticks, can_harvest};
use crate::counts::Counts;
use crate::extra::Extra;
use crate::family::ItemSpec;
use crate::item::{ItemId, ToolKind};

/// Slots of a player: 9 of the hotbar, then 27.
/// Slots 0 to 8.
pub const SLOTS: usize = 36;
pub const HOTBAR: usize = 9;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Stack {
    pub item: ItemId,
    pub count: u32,
    /// Uses already taken from a tool's durability.
    /// 0 is new; at the durability of the item it breaks.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub damage: u32,
    /// Enchantments, colour and the like.
    #[serde(default, skip_serializing_if = "Extra::is_plain")]
    pub extra: Extra,
}

// Serde hands over a reference.
#[expect(clippy::trivially_copy_pass_by_ref)]
fn is_zero(damage: &u32) -> bool {
    *damage == 0
}

impl Stack {
    #[must_use]
    pub fn new(item: ItemId, count: u32) -> Self {
        Self {
            item,
            count,
            damage: 0,
            extra: Extra::default(),
        }
    }

    /// True if the two may share a slot.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        // Worn or enchanted things have stacks of their own.
        self.item == other.item && self.damage == other.damage && self.extra == other.extra
    }

    fn room_for(&self, other: &Self) -> u32 {
        if !self.is_like(other) {
            return 0;
        }
        self.item.facts().stack_max.saturating_sub(self.count)
    }
}

/// A row of slots; a player's has a selected one in the hotbar.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Slots {
    pub stacks: Vec<Option<Stack>>,
    /// The hotbar slot in hand.
    pub selected: usize,
}

impl Default for Slots {
    fn default() -> Self {
        Self::with_size(SLOTS)
    }
}

impl Slots {
    /// For containers such as a chest (27).
    #[must_use]
    pub fn with_size(size: usize) -> Self {
        Self {
            stacks: vec![None; size],
            selected: 0,
        }
    }

    #[must_use]
    pub fn held(&self) -> Option<Stack> {
        self.stacks.get(self.selected).copied().flatten()
    }

    /// Puts `stack` in, filling what is begun before empty slots; what did not fit comes back.
    #[must_use = "what did not fit would be lost"]
    pub fn add(&mut self, stack: Stack) -> Option<Stack> {
        let mut left = stack;
        // Two passes: begun stacks first, as the game does.
        for slot in self.stacks.iter_mut().flatten() {
            let moved = slot.room_for(&left).min(left.count);
            slot.count += moved;
            left.count -= moved;
        }
        let stack_max = stack.item.facts().stack_max;
        for slot in self.stacks.iter_mut().filter(|slot| slot.is_none()) {
            if left.count == 0 {
                break;
            }
            let moved = left.count.min(stack_max);
            *slot = Some(Stack {
                count: moved,
                ..left
            });
            left.count -= moved;
        }
        (left.count > 0).then_some(left)
    }

    /// Takes `count` pieces that `wanted` asks for, or nothing and answers false when there are fewer.
    pub fn remove(&mut self, wanted: impl Into<ItemSpec>, count: u32) -> bool {
        let wanted = wanted.into();
        // All or nothing: half a removal would be worse than none.
        if self.count(wanted) < count {
            return false;
        }
        let mut left = count;
        // From the back, so that the hotbar is spared.
        for slot in self.stacks.iter_mut().rev() {
            let Some(stack) = slot.as_mut().filter(|stack| wanted.matches(stack.item)) else {
                continue;
            };
            let taken = left.min(stack.count);
            stack.count -= taken;
            left -= taken;
            if stack.count == 0 {
                *slot = None;
            }
        }
        true
    }

    /// The slots after one piece of what is in hand was exchanged for another; None when there is no room for it.
    #[must_use]
    pub fn with_held_exchanged(&self, gained: Stack) -> Option<Self> {
        let mut after = self.clone();
        let slot = after.stacks.get_mut(self.selected)?;
        let held = slot.as_mut()?;
        held.count -= 1;
        // Only the last piece frees its slot for the new thing.
        if held.count == 0 {
            *slot = Some(gained);
            return Some(after);
        }
        after.add(gained).is_none().then_some(after)
    }

    #[must_use]
    pub fn count(&self, wanted: impl Into<ItemSpec>) -> u32 {
        let wanted = wanted.into();
        self.stacks
            .iter()
            .flatten()
            .filter(|stack| wanted.matches(stack.item))
            .map(|stack| stack.count)
            .sum()
    }

    #[must_use]
    pub fn counts(&self) -> Counts {
        self.stacks
            .iter()
            .flatten()
            .map(|stack| (stack.item, stack.count))
            .collect()
    }

    /// The first slot that holds what `wanted` asks for.
    #[must_use]
    pub fn find(&self, wanted: impl Into<ItemSpec>) -> Option<usize> {
        let wanted = wanted.into();
        self.stacks
            .iter()
            .position(|slot| slot.is_some_and(|stack| wanted.matches(stack.item)))
    }

    /// The slot to take such a thing from: the hotbar first, and of several things the most worn, so that tools are used
    /// up one after the other.
    #[must_use]
    pub fn find_for_use(&self, item: ItemId) -> Option<usize> {
        let slots = self.stacks.iter().enumerate();
        let found = slots.filter_map(|(at, slot)| Some((at, slot.filter(|s| s.item == item)?)));
        let best = found.min_by_key(|(at, stack)| (*at >= HOTBAR, std::cmp::Reverse(stack.damage)));
        best.map(|(at, _)| at)
    }

    /// The slot whose item breaks `block` best: one that harvests it, then the quickest, then the tool with least to lose.
    /// None when the bare hand (or anything) does as well.
    #[must_use]
    pub fn best_tool_for(&self, block: BlockId) -> Option<usize> {
        // `false` sorts before `true`: harvesting first, then the ticks.
        let merit = |held: Option<ItemId>| {
            (
                !can_harvest(block, held),
                break_ticks(block, held, false, true),
            )
        };
        // What a sword cuts by the way wears it twice as much as a blow, and it is for blows.
        let is_meant = |item: ItemId| {
            let opens = || can_harvest(block, Some(item)) && !can_harvest(block, None);
            let tool = item.facts().tool;
            tool.is_some_and(|tool| tool.kind != ToolKind::Sword || opens())
        };
        let worth = |stack: &Stack| stack.item.facts().durability.unwrap_or(0);
        let tools = self
            .stacks
            .iter()
            .enumerate()
            .filter_map(|(at, slot)| Some((at, slot.as_ref()?)));
        let best = tools
            .filter(|(_, stack)| is_meant(stack.item))
            .min_by_key(|(at, stack)| (merit(Some(stack.item)), worth(stack), *at))?;
        // No better than the bare hand is no reason to wear a tool.
        (merit(Some(best.1.item)) < merit(None)).then_some(best.0)
    }

    /// Moves up to `count` pieces from slot `from` into `other`; the number moved.
    pub fn transfer(&mut self, from: usize, count: u32, other: &mut Self) -> u32 {
        let Some(stack) = self.stacks.get(from).copied().flatten() else {
            return 0;
        };
        let wanted = count.min(stack.count);
        if wanted == 0 {
            return 0;
        }
        // What does not fit stays where it was.
        let rest = other
            .add(Stack {
                count: wanted,
                ..stack
            })
            .map_or(0, |rest| rest.count);
        let moved = wanted - rest;
        let left = stack.count - moved;
        self.stacks[from] = (left > 0).then_some(Stack {
            count: left,
            ..stack
        });
        moved
    }

    /// Exchanges two slots, as a click with the cursor does.
    pub fn swap(&mut self, a: usize, b: usize) {
        self.stacks.swap(a, b);
    }

    /// Wears the tool in slot `at` by `uses`; true when it broke and is gone.
    pub fn wear(&mut self, at: usize, uses: u32) -> bool {
        let Some(stack) = self.stacks.get_mut(at).and_then(Option::as_mut) else {
            return false;
        };
        let Some(durability) = stack.item.facts().durability else {
            return false;
        };
        stack.damage += uses;
        // Broken at its last use, as in the game.
        let broke = stack.damage >= durability;
        if broke {
            self.stacks[at] = None;
        }
        broke
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(name: &str) -> ItemId {
        name.parse().unwrap()
    }

    fn holding(entries: &[(&str, u32)]) -> Slots {
        let mut slots = Slots::default();
        for (name, count) in entries {
            assert_eq!(slots.add(Stack::new(item(name), *count)), None);
        }
        slots
    }

    #[test]
    fn of_several_tools_the_most_worn_at_hand_is_used_first() {
        let pickaxe = item("stone_pickaxe");
        let mut slots = Slots::default();
        let worn = |damage| {
            Some(Stack {
                damage,
                ..Stack::new(pickaxe, 1)
            })
        };
        (slots.stacks[3], slots.stacks[5]) = (worn(10), worn(90));
        slots.stacks[HOTBAR] = worn(120);
        assert_eq!(slots.find_for_use(pickaxe), Some(5));
        (slots.stacks[3], slots.stacks[5]) = (None, None);
        assert_eq!(slots.find_for_use(pickaxe), Some(HOTBAR));
    }

    #[test]
    fn stacks_fill_up_before_new_ones_begin() {
        let mut slots = holding(&[("dirt", 60), ("stick", 1)]);
        assert_eq!(slots.add(Stack::new(item("dirt"), 10)), None);
        assert_eq!(slots.stacks[0], Some(Stack::new(item("dirt"), 64)));
        assert_eq!(slots.stacks[2], Some(Stack::new(item("dirt"), 6)));
    }

    #[test]
    fn what_does_not_fit_comes_back() {
        let mut slots = Slots::with_size(1);
        assert_eq!(
            slots.add(Stack::new(item("egg"), 20)),
            Some(Stack::new(item("egg"), 4))
        );
        assert_eq!(
            slots.add(Stack::new(item("dirt"), 1)),
            Some(Stack::new(item("dirt"), 1))
        );
    }

    #[test]
    fn removal_is_all_or_nothing() {
        let mut slots = holding(&[("oak_log", 3), ("birch_log", 2)]);
        let logs: ItemSpec = "#logs".parse().unwrap();
        assert!(!slots.remove(logs, 6));
        assert!(slots.remove(logs, 4));
        assert_eq!(slots.counts().to_string(), "oak_log=1");
    }

    #[test]
    fn the_best_tool_harvests_then_is_quick_then_is_cheap() {
        let best = |entries: &[(&str, u32)], block: &str| {
            let slots = holding(entries);
            slots
                .best_tool_for(block.parse().unwrap())
                .map(|at| slots.stacks[at].unwrap().item.name())
        };
        let tools = [
            ("golden_pickaxe", 1),
            ("stone_pickaxe", 1),
            ("stone_axe", 1),
        ];
        assert_eq!(best(&tools, "iron_ore"), Some("stone_pickaxe"));
        assert_eq!(best(&tools, "stone"), Some("golden_pickaxe"));
        assert_eq!(best(&tools, "oak_log"), Some("stone_axe"));
        assert_eq!(best(&tools, "dirt"), None);
        assert_eq!(best(&[("iron_sword", 1)], "oak_leaves"), None);
        assert_eq!(best(&[("iron_sword", 1)], "cobweb"), Some("iron_sword"));
        assert_eq!(best(&tools, "bedrock"), None);
    }

    #[test]
    fn transfer_conserves_items() {
        let (mut body, mut chest) = (holding(&[("egg", 16)]), Slots::with_size(1));
        let _ = chest.add(Stack::new(item("egg"), 10));
        assert_eq!(body.transfer(0, 16, &mut chest), 6);
        assert_eq!(
            (body.count(item("egg")), chest.count(item("egg"))),
            (10, 16)
        );
        assert_eq!(body.transfer(5, 1, &mut chest), 0);
    }

    #[test]
    fn tools_wear_out() {
        let mut slots = holding(&[("wooden_pickaxe", 1)]);
        assert!(!slots.wear(0, 58));
        assert!(slots.wear(0, 1));
        assert_eq!(slots.held(), None);
    }
}
