//! Lack: which ingredient was short, by the game's tables and what is carried.
//!
//! The side process knows only that nothing could be made; the report names what was missing, as the embedded body does.

use pithead_world::action::ActionFailure;
use pithead_world::counts::Counts;
use pithead_world::family::ItemSpec;
use pithead_world::recipe::{Recipe, recipes_for};
use pithead_world::smelting::smelt_inputs;

/// Why `count` pieces of the item could not be crafted.
pub(crate) fn craft_failure(item: ItemSpec, count: u32, held: &Counts) -> ActionFailure {
    let members = item.members().iter();
    let ways: Vec<&Recipe> = members
        .flat_map(|product| recipes_for(*product).iter())
        .collect();
    let plain = ways.iter().filter(|recipe| !recipe.reversible);
    let short = plain.chain(&ways).filter_map(|recipe| {
        let crafts = count.div_ceil(recipe.count.max(1));
        let lacks = recipe.ingredients.iter().map(|(needs, each)| {
            let (have, need) = (held.count(*needs), each * crafts);
            (*needs, have, need)
        });
        lacks.into_iter().find(|(_, have, need)| have < need)
    });
    let least = short.min_by_key(|(_, have, need)| need - have);
    match least {
        Some((needs, have, need)) => ActionFailure::MissingIngredient {
            item,
            needs,
            have,
            need,
        },
        None => ActionFailure::NoRecipe { item },
    }
}

/// Why `count` pieces of the item could not be smelted.
pub(crate) fn smelt_failure(item: ItemSpec, count: u32, held: &Counts) -> ActionFailure {
    let inputs = smelt_inputs(item);
    let most = inputs.iter().max_by_key(|input| held.count(**input));
    match most {
        Some(input) => ActionFailure::MissingIngredient {
            item,
            needs: (*input).into(),
            have: held.count(*input),
            need: count,
        },
        None => ActionFailure::NoRecipe { item },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(failure: &ActionFailure, expected: &str) {
        assert_eq!(failure.to_string(), expected);
    }

    #[test]
    fn the_ingredient_that_is_short_is_named() {
        let held: Counts = "oak_planks=3,stick=1".parse().unwrap();
        let pickaxe = craft_failure("wooden_pickaxe".parse().unwrap(), 1, &held);
        check(&pickaxe, "wooden_pickaxe needs 2 stick, only 1 held");
        let ingots = smelt_failure("iron_ingot".parse().unwrap(), 3, &Counts::default());
        check(&ingots, "iron_ingot needs 3 iron_ore, only 0 held");
        let bedrock = craft_failure("bedrock".parse().unwrap(), 1, &held);
        check(&bedrock, "there is no recipe for bedrock");
    }
}
