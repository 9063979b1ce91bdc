//! Mending: what two things become in a crafting grid, at a grindstone and at an anvil.
//!
//! Pure rules of 1.16 over stacks; who pays and where is the world's business. Invariant: what a rule makes never has
//! more wear than the better of what went in, and uses up what it says.

use crate::enchant::mended_with;
use crate::inventory::Stack;
use crate::item::ItemId;

/// From this cost on an anvil refuses.
/// In levels, as in survival of the game.
pub const TOO_EXPENSIVE: u32 = 40;
/// Wear made good beyond the sum of two things, in hundredths of a new one.
/// As in the game: 5 % at a grid and a grindstone, 12 % at an anvil.
const GRID_BONUS: u32 = 5;
const ANVIL_BONUS: u32 = 12;
/// Pieces of material make good a quarter each.
const QUARTERS: u32 = 4;

/// What an anvil would make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Work {
    pub made: Stack,
    /// Levels it costs.
    pub levels: u32,
    /// Pieces of the second thing that are used up.
    pub used: u32,
}

fn durability(stack: &Stack) -> Option<u32> {
    stack.item.facts().durability
}

/// Wear of two like things made one.
fn joined_wear(a: &Stack, b: &Stack, bonus: u32) -> Option<u32> {
    let whole = durability(a).filter(|_| a.item == b.item)?;
    let left = (whole - a.damage.min(whole)) + (whole - b.damage.min(whole));
    Some(whole.saturating_sub(left + whole * bonus / 100))
}

/// Two things of a kind in a crafting grid: one with the sum of what was left of both; enchantments are lost.
#[must_use]
pub fn in_grid(a: &Stack, b: &Stack) -> Option<Stack> {
    let damage = joined_wear(a, b, GRID_BONUS)?;
    let mut made = Stack::new(a.item, 1);
    made.damage = damage;
    // Curses cannot be taken off, by no station.
    made.extra.enchants = a.extra.enchants.curses();
    Some(made)
}

/// A grindstone: two things joined, or one freed of its enchantments; and the points that come out.
#[must_use]
pub fn at_grindstone(a: &Stack, b: Option<&Stack>) -> Option<(Stack, u32)> {
    let mut made = match b {
        Some(b) => in_grid(a, b)?,
        None if a.extra.enchants == a.extra.enchants.curses() || a.count > 1 => return None,
        None => *a,
    };
    made.extra.enchants = a.extra.enchants.curses();
    made.extra.colour = a.extra.colour;
    // A grindstone also forgives the prior work.
    made.extra.toil = 0;
    if let ("enchanted_book", true, Some(book)) = (
        made.item.name(),
        made.extra.enchants.is_empty(),
        ItemId::named("book"),
    ) {
        made.item = book;
    }
    let worth: u32 = [Some(a), b].into_iter().flatten().map(worth).sum();
    // The game gives between half and all of it; here it is the half, without chance.
    Some((made, worth.div_ceil(2)))
}

/// The powers at which the enchantments of a thing begin, added up.
fn worth(stack: &Stack) -> u32 {
    let enchants = stack.extra.enchants.iter();
    enchants
        .filter(|(one, _)| !one.facts().curse)
        .map(|(one, level)| *one.window(level).start())
        .sum()
}

/// An anvil: mends with material, joins like things, puts a book's enchantments on; None if nothing comes of it.
#[must_use]
pub fn at_anvil(left: &Stack, right: &Stack) -> Option<Work> {
    let mut made = *left;
    let before = left.extra.toil + right.extra.toil;
    let (cost, used) = if mended_with(left.item).is_some_and(|with| with.matches(right.item)) {
        with_material(&mut made, right.count)?
    } else {
        (with_another(&mut made, right)?, 1)
    };
    let levels = before + cost;
    // Prior work doubles and adds one: 0, 1, 3, 7 …
    made.extra.toil = left.extra.toil.max(right.extra.toil) * 2 + 1;
    (cost > 0 && levels < TOO_EXPENSIVE && left.count == 1).then_some(Work { made, levels, used })
}

fn with_material(made: &mut Stack, pieces: u32) -> Option<(u32, u32)> {
    let quarter = (durability(made)? / QUARTERS).max(1);
    // Never more than four, and never more than is worn.
    let used = made.damage.div_ceil(quarter).min(pieces).min(QUARTERS);
    made.damage = made.damage.saturating_sub(used * quarter);
    (used > 0).then_some((used, used))
}

fn with_another(made: &mut Stack, right: &Stack) -> Option<u32> {
    let from_book = right.item.name() == "enchanted_book";
    if !from_book && (right.item != made.item || durability(made).is_none()) {
        return None;
    }
    let mut cost = 0;
    if let Some(wear) = joined_wear(made, right, ANVIL_BONUS).filter(|_| !from_book)
        && wear < made.damage
    {
        made.damage = wear;
        // Two levels for mending.
        cost += 2;
    }
    let onto_book = made.item.name() == "enchanted_book";
    let (mut took, mut refused) = (false, false);
    for (one, level) in right.extra.enchants.iter() {
        let clashes = made
            .extra
            .enchants
            .iter()
            .filter(|(had, _)| one.clashes(*had));
        let clashing = clashes.count() as u32;
        cost += clashing;
        if clashing > 0 || !(onto_book || one.fits_from_a_book(made.item)) {
            refused = true;
            continue;
        }
        let had = made.extra.enchants.level(one);
        let raised = if had == level {
            // Two of one level give the next.
            level + 1
        } else {
            level.max(had)
        };
        let level = raised.min(one.facts().max);
        made.extra.enchants = made.extra.enchants.with(one, level);
        cost += one.anvil_cost(from_book) * u32::from(level);
        took = true;
    }
    // Something was put on, or nothing was refused.
    (took || !refused).then_some(cost)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enchanting::book_of;

    fn worn(name: &str, damage: u32) -> Stack {
        Stack {
            damage,
            ..Stack::new(name.parse().unwrap(), 1)
        }
    }

    fn book(name: &str, level: u8) -> Stack {
        book_of(name.parse().unwrap(), level).unwrap()
    }

    #[test]
    fn two_worn_picks_make_a_better_one_in_the_grid() {
        let made = in_grid(&worn("iron_pickaxe", 200), &worn("iron_pickaxe", 180)).unwrap();
        // 50 and 70 left, and 12 on top.
        assert_eq!(made.damage, 250 - 50 - 70 - 12);
        assert_eq!(
            in_grid(&worn("iron_pickaxe", 1), &worn("iron_axe", 1)),
            None
        );
        assert_eq!(in_grid(&worn("stick", 0), &worn("stick", 0)), None);
    }

    #[test]
    fn a_grindstone_takes_enchantments_off_and_gives_points() {
        let mut sword = worn("iron_sword", 10);
        assert_eq!(at_grindstone(&sword, None), None);
        sword.extra = book("sharpness", 3).extra;
        let (made, points) = at_grindstone(&sword, None).unwrap();
        assert!(
            made.extra.is_plain() && made.damage == 10 && points == 12,
            "{points}"
        );
        let (plain, _) = at_grindstone(&book("mending", 1), None).unwrap();
        assert_eq!(plain.item.name(), "book");
    }

    #[test]
    fn an_anvil_mends_a_quarter_for_each_piece_and_grows_dear() {
        let iron = |count| Stack::new("iron_ingot".parse().unwrap(), count);
        let work = at_anvil(&worn("iron_pickaxe", 200), &iron(9)).unwrap();
        assert_eq!((work.made.damage, work.levels, work.used), (0, 4, 4));
        let work = at_anvil(&worn("iron_pickaxe", 60), &iron(9)).unwrap();
        assert_eq!((work.used, work.made.extra.toil), (1, 1));
        assert_eq!(at_anvil(&worn("iron_pickaxe", 0), &iron(1)), None);
        let mut old = worn("iron_pickaxe", 60);
        old.extra.toil = 63;
        assert_eq!(at_anvil(&old, &iron(1)), None);
    }

    #[test]
    fn books_add_up_at_an_anvil_and_clashes_do_not() {
        let work = at_anvil(&book("efficiency", 3), &book("efficiency", 3)).unwrap();
        assert_eq!(work.made.extra.enchants.named("efficiency"), 4);
        let silk = at_anvil(&worn("iron_axe", 0), &book("silk_touch", 1)).unwrap();
        assert_eq!(
            (silk.levels, silk.made.extra.enchants.named("silk_touch")),
            (4, 1)
        );
        assert_eq!(at_anvil(&silk.made, &book("fortune", 1)), None);
        assert_eq!(
            at_anvil(&worn("iron_axe", 0), &book("respiration", 1)),
            None
        );
    }
}
