//! Crafting: one recipe carried out on the carried items, wholly or not at all.
//!
//! Invariant: what leaves the slots is exactly the recipe's ingredients, what enters is exactly its
//! product and what it returns.

use crate::family::ItemSpec;
use crate::inventory::{Slots, Stack};
use crate::item::ItemId;
use crate::recipe::{Recipe, recipes_for, used_first};

/// Which grid is at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CraftingGrid {
    TwoByTwo,
    ThreeByThree,
}

/// Why nothing can be made; the order is that of how far it got.
/// `max` over all recipes picks the lack of the one that came closest, so the order of the
/// variants matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lack {
    Recipe,
    Table,
    Ingredient,
    Room,
}

impl Lack {
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::Recipe => "there is no recipe",
            Self::Table => "the recipe needs a crafting table",
            Self::Ingredient => "an ingredient is missing",
            Self::Room => "the inventory is full",
        }
    }
}

/// The slots after one crafting of `product`, and how many it made.
///
/// # Errors
/// The lack of the recipe that came closest, if none can be carried out.
pub fn craft(slots: &Slots, product: ItemId, bench: CraftingGrid) -> Result<(Slots, u32), Lack> {
    let mut lack = Lack::Recipe;
    for recipe in recipes_for(product) {
        match carry_out(slots, product, recipe, bench) {
            Ok(after) => return Ok((after, recipe.count)),
            Err(closer) => lack = lack.max(closer),
        }
    }
    Err(lack)
}

fn carry_out(
    slots: &Slots,
    product: ItemId,
    recipe: &Recipe,
    bench: CraftingGrid,
) -> Result<Slots, Lack> {
    if recipe.needs_table && bench == CraftingGrid::TwoByTwo {
        return Err(Lack::Table);
    }
    // Works on a copy: a recipe that fails halfway leaves nothing behind.
    let mut after = slots.clone();
    // Named items first, so that a family does not use up what only one slot of the grid takes.
    let named = |(spec, _): &&(ItemSpec, u32)| matches!(spec, ItemSpec::Item(_));
    let families = recipe
        .ingredients
        .iter()
        .filter(|ingredient| !named(ingredient));
    for &(spec, count) in recipe.ingredients.iter().filter(named).chain(families) {
        if !take_ingredient(&mut after, spec, count) {
            return Err(Lack::Ingredient);
        }
    }
    let returns = recipe
        .returns
        .iter()
        .map(|&(item, count)| Stack::new(item, count));
    for stack in std::iter::once(Stack::new(product, recipe.count)).chain(returns) {
        if after.add(stack).is_some() {
            return Err(Lack::Room);
        }
    }
    Ok(after)
}

/// Takes pieces of a family, kind after kind.
fn take_ingredient(slots: &mut Slots, spec: ItemSpec, count: u32) -> bool {
    let mut left = count;
    while left > 0 {
        let Some((item, held)) = next_kind(slots, spec) else {
            return false;
        };
        let taken = left.min(held);
        slots.remove(item, taken);
        left -= taken;
    }
    true
}

/// The kind that is used up first.
#[must_use]
pub fn next_kind(slots: &Slots, spec: ItemSpec) -> Option<(ItemId, u32)> {
    let held = spec
        .members()
        .iter()
        .map(|item| (*item, slots.count(*item)));
    used_first(held)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(items: &[(&str, u32)]) -> Slots {
        let mut slots = Slots::default();
        for (name, count) in items {
            assert_eq!(slots.add(Stack::new(name.parse().unwrap(), *count)), None);
        }
        slots
    }

    #[track_caller]
    fn check(
        items: &[(&str, u32)],
        product: &str,
        bench: CraftingGrid,
        expected: Result<&[(&str, u32)], Lack>,
    ) {
        let made =
            craft(&slots(items), product.parse().unwrap(), bench).map(|(after, _)| after.counts());
        assert_eq!(made, expected.map(|items| slots(items).counts()));
    }

    #[test]
    fn crafting_takes_the_ingredients_and_gives_the_product() {
        use CraftingGrid::{ThreeByThree, TwoByTwo};
        check(
            &[("oak_log", 3)],
            "oak_planks",
            TwoByTwo,
            Ok(&[("oak_log", 2), ("oak_planks", 4)]),
        );
        check(
            &[("oak_planks", 8)],
            "wooden_pickaxe",
            ThreeByThree,
            Err(Lack::Ingredient),
        );
        check(
            &[("oak_planks", 3), ("stick", 2)],
            "wooden_pickaxe",
            TwoByTwo,
            Err(Lack::Table),
        );
        check(
            &[("oak_planks", 3), ("stick", 2)],
            "wooden_pickaxe",
            ThreeByThree,
            Ok(&[("wooden_pickaxe", 1)]),
        );
        check(
            &[("oak_planks", 3)],
            "bedrock",
            ThreeByThree,
            Err(Lack::Recipe),
        );
    }

    #[test]
    fn a_family_takes_the_most_plentiful_kind_first() {
        check(
            &[("birch_planks", 5), ("oak_planks", 1)],
            "crafting_table",
            CraftingGrid::TwoByTwo,
            Ok(&[
                ("birch_planks", 1),
                ("oak_planks", 1),
                ("crafting_table", 1),
            ]),
        );
    }

    #[test]
    fn woods_of_the_nether_serve_as_others_and_with_them() {
        check(
            &[
                ("crimson_planks", 2),
                ("oak_planks", 1),
                ("warped_planks", 1),
            ],
            "crafting_table",
            CraftingGrid::TwoByTwo,
            Ok(&[("crafting_table", 1)]),
        );
        check(
            &[("oak_planks", 5), ("warped_planks", 3), ("stick", 2)],
            "wooden_pickaxe",
            CraftingGrid::ThreeByThree,
            // What burns is left.
            Ok(&[("oak_planks", 5), ("wooden_pickaxe", 1)]),
        );
        check(
            &[("warped_stem", 3), ("coal", 1), ("stick", 3)],
            "campfire",
            CraftingGrid::ThreeByThree,
            Ok(&[("campfire", 1)]),
        );
    }

    #[test]
    fn a_product_without_room_costs_nothing() {
        let full: Vec<(&str, u32)> = std::iter::repeat_n(("dirt", 64), 35)
            .chain([("oak_log", 2)])
            .collect();
        check(&full, "oak_planks", CraftingGrid::TwoByTwo, Err(Lack::Room));
    }
}
