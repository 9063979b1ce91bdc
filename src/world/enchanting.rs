//! Enchanting: how a table draws what it puts on a thing, by the rules of 1.16.
//!
//! Invariant: same thing, same seed, same bookshelves: the same three offers, until one is taken.

use crate::enchant::{Enchantment, Enchants, enchantability};
use crate::inventory::Stack;
use crate::item::ItemId;
use crate::rng::Rng;
use std::sync::LazyLock;

/// More bookshelves than this add nothing.
pub const SHELVES_MAX: u32 = 15;
/// Offers of a table; the nth costs n levels and n lapis lazuli.
pub const OFFERS: usize = 3;

/// One of the offers of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnchantingOffer {
    /// The level one must have.
    pub level: u32,
    /// One of those that will come, which is all that the table shows.
    pub hint: (Enchantment, u8),
}

/// True if a table takes the thing.
#[must_use]
pub fn can_lay(stack: &Stack) -> bool {
    enchantability(stack.item).is_some() && stack.extra.enchants.is_empty() && stack.count == 1
}

/// What the table offers for a thing; an offer is None where nothing would come of it.
#[must_use]
pub fn offers(stack: &Stack, seed: u64, shelves: u32) -> [Option<EnchantingOffer>; OFFERS] {
    let mut rng = Rng::new(seed);
    let levels: [u32; OFFERS] = std::array::from_fn(|slot| level_of(slot, shelves, &mut rng));
    std::array::from_fn(|slot| {
        let level = levels[slot];
        if level < slot as u32 + 1 || !can_lay(stack) {
            return None;
        }
        let drawn = drawn_for(stack.item, seed, slot, level);
        let hint = *drawn.get(rng.below(drawn.len().max(1) as u64) as usize)?;
        Some(EnchantingOffer { level, hint })
    })
}

fn level_of(slot: usize, shelves: u32, rng: &mut Rng) -> u32 {
    let shelves = shelves.min(SHELVES_MAX);
    let base = rng.below(8) as u32 + 1 + shelves / 2 + rng.below(u64::from(shelves) + 1) as u32;
    match slot {
        0 => (base / 3).max(1),
        1 => base * 2 / 3 + 1,
        _ => base.max(shelves * 2),
    }
}

fn drawn_for(item: ItemId, seed: u64, slot: usize, level: u32) -> Vec<(Enchantment, u8)> {
    let mut rng = Rng::new(seed.wrapping_add(slot as u64 + 1));
    let mut drawn = draw(item, level, false, &mut rng);
    if item.name() == "book" && drawn.len() > 1 {
        drawn.remove(rng.below(drawn.len() as u64) as usize);
    }
    drawn
}

/// The thing after an offer was taken; a book becomes an enchanted one.
#[must_use]
pub fn enchanted(stack: Stack, seed: u64, slot: usize, level: u32) -> Stack {
    put_on(stack, drawn_for(stack.item, seed, slot, level))
}

/// The thing as a villager, a chest or a hook has it: enchanted as with so many levels. An enchanted book without
/// enchantments is taken for the book that it was.
#[must_use]
pub fn enchanted_with(stack: Stack, level: u32, treasure: bool, rng: &mut Rng) -> Stack {
    let mut pairs = enchanted_items().iter();
    let plain = pairs.find(|(_, made)| *made == stack.item);
    let item = plain.map_or(stack.item, |(plain, _)| *plain);
    put_on(Stack { item, ..stack }, draw(item, level, treasure, rng))
}

/// A book with one enchantment.
#[must_use]
pub fn book_of(enchantment: Enchantment, level: u8) -> Option<Stack> {
    let book = Stack::new(ItemId::named("enchanted_book")?, 1);
    Some(put_on(book, vec![(enchantment, level)]))
}

/// A book with any enchantment at any level.
#[must_use]
pub fn random_book(rng: &mut Rng) -> Option<Stack> {
    let all: Vec<Enchantment> = Enchantment::all().collect();
    let one = all[rng.below(all.len() as u64) as usize];
    book_of(one, 1 + rng.below(u64::from(one.facts().max)) as u8)
}

fn put_on(stack: Stack, drawn: Vec<(Enchantment, u8)>) -> Stack {
    let mut after = stack;
    if let ("book", Some(book)) = (stack.item.name(), ItemId::named("enchanted_book")) {
        after.item = book;
    }
    after.extra.enchants = drawn
        .into_iter()
        .fold(after.extra.enchants, |set: Enchants, (one, level)| {
            set.with(one, level)
        });
    after
}

fn draw(item: ItemId, level: u32, treasure: bool, rng: &mut Rng) -> Vec<(Enchantment, u8)> {
    let Some(ease) = enchantability(item) else {
        return Vec::new();
    };
    let extra = |rng: &mut Rng| rng.below(u64::from(ease / 4) + 1) as u32;
    let raised = level + 1 + extra(rng) + extra(rng);
    let swing = (rng.unit() + rng.unit() - 1.0) * 0.15;
    let mut power = (f64::from(raised) * (1.0 + swing)).round().max(1.0) as u32;
    let mut fitting = possible(item, power, treasure);
    let mut drawn = Vec::new();
    while let Some(one) = pick(&fitting, rng) {
        drawn.push(one);
        fitting.retain(|(other, _)| *other != one.0 && !one.0.clashes(*other));
        if rng.below(50) > u64::from(power) {
            break;
        }
        power /= 2;
    }
    drawn
}

/// Each enchantment that the power reaches, at its highest level within it.
fn possible(item: ItemId, power: u32, treasure: bool) -> Vec<(Enchantment, u8)> {
    let is_book = item.name() == "book";
    let fits =
        |one: &Enchantment| (treasure || !one.facts().treasure) && (is_book || one.fits(item));
    let highest = |one: Enchantment| {
        (1..=one.facts().max)
            .rev()
            .find(|level| one.window(*level).contains(&power))
            .map(|level| (one, level))
    };
    Enchantment::all()
        .filter(fits)
        .filter_map(highest)
        .collect()
}

fn pick(from: &[(Enchantment, u8)], rng: &mut Rng) -> Option<(Enchantment, u8)> {
    let total: u32 = from.iter().map(|(one, _)| one.facts().weight).sum();
    if total == 0 {
        return None;
    }
    let mut roll = rng.below(u64::from(total)) as u32;
    from.iter().copied().find(|(one, _)| {
        let here = roll < one.facts().weight;
        roll = roll.saturating_sub(one.facts().weight);
        here
    })
}

/// What an offer is paid with besides levels.
#[must_use]
pub fn enchants_with() -> Option<ItemId> {
    ItemId::named("lapis_lazuli")
}

/// The items of which a table makes another, each with that one: of a book an enchanted book.
#[must_use]
pub fn enchanted_items() -> &'static [(ItemId, ItemId)] {
    /// Looked up once: planners ask this of every item.
    static PAIRS: LazyLock<Vec<(ItemId, ItemId)>> = LazyLock::new(|| {
        let pair = ItemId::named("book").zip(ItemId::named("enchanted_book"));
        pair.into_iter().collect()
    });
    &PAIRS
}

/// The other item that a table makes of this one, if it makes one.
#[must_use]
pub fn made_of(item: ItemId) -> Option<ItemId> {
    let mut pairs = enchanted_items().iter();
    let (_, made) = pairs.find(|(plain, _)| *plain == item)?;
    Some(*made)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stack(name: &str) -> Stack {
        Stack::new(name.parse().unwrap(), 1)
    }

    #[test]
    fn bookshelves_raise_the_offers_as_in_the_game() {
        let mut best = 0;
        for seed in 0..2_000 {
            let bare = offers(&stack("iron_pickaxe"), seed, 0);
            assert!(bare.iter().flatten().all(|offer| offer.level <= 8));
            let full = offers(&stack("iron_pickaxe"), seed, 20);
            let levels: Vec<u32> = full.iter().flatten().map(|offer| offer.level).collect();
            assert_eq!(levels[2], 30, "the last of a full room is always 30");
            assert!(levels[0] <= 10 && levels[1] <= 21, "{levels:?}");
            best = best.max(levels[1]);
        }
        assert_eq!(best, 21);
    }

    #[test]
    fn what_is_hinted_comes_and_nothing_that_clashes() {
        for seed in 0..500 {
            for name in ["diamond_sword", "book", "golden_boots"] {
                let thing = stack(name);
                let offers = offers(&thing, seed, 15);
                for (slot, offer) in offers.iter().enumerate() {
                    let Some(offer) = offer else { continue };
                    let made = enchanted(thing, seed, slot, offer.level);
                    let set = made.extra.enchants;
                    assert_eq!(set.level(offer.hint.0), offer.hint.1);
                    let all: Vec<Enchantment> = set.iter().map(|(one, _)| one).collect();
                    for a in &all {
                        assert!(all.iter().all(|b| !a.clashes(*b)) && !a.facts().treasure);
                    }
                    assert_eq!(made.item.name() == "enchanted_book", name == "book");
                }
            }
        }
    }

    #[test]
    fn a_book_that_is_found_is_written_in() {
        for seed in 0..50 {
            let found = enchanted_with(stack("enchanted_book"), 30, true, &mut Rng::new(seed));
            assert_eq!(found.item.name(), "enchanted_book");
            assert!(!found.extra.enchants.is_empty(), "{seed}");
        }
    }

    #[test]
    fn a_table_takes_neither_sticks_nor_what_it_had_before() {
        let made = enchanted(stack("iron_axe"), 3, 2, 30);
        assert!(!can_lay(&made) && !can_lay(&stack("stick")) && can_lay(&stack("book")));
        assert_eq!(offers(&stack("stick"), 1, 15), [None; 3]);
    }
}
