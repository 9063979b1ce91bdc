//! The furnace: what becomes what, and how long a fuel burns.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::Deserialize;

use crate::family::{FamilyId, ItemSpec};
use crate::item::ItemId;
use crate::naming::table;

/// Ticks one piece takes in a furnace, whatever it is.
/// Ten seconds.
pub const COOK_TICKS: u32 = 200;

/// What one piece of `input` becomes.
#[must_use]
pub fn smelts_to(input: ItemId) -> Option<ItemId> {
    smelted(input).map(|(output, _)| output)
}

/// Experience points for smelting one piece of `input`.
#[must_use]
pub fn smelting_xp(input: ItemId) -> f32 {
    // Fractions; they add up in the furnace.
    smelted(input).map_or(0.0, |(_, xp)| xp)
}

fn smelted(input: ItemId) -> Option<(ItemId, f32)> {
    BY_ROW.get(usize::from(input.row())).copied().flatten()
}

/// The items that smelt into one that `output` asks for; raw material before worn-out gear.
#[must_use]
pub fn smelt_inputs(output: ItemSpec) -> Vec<ItemId> {
    let made = output.members().iter();
    let mut inputs: Vec<ItemId> = made
        .filter_map(|item| INPUTS.get(item))
        .flatten()
        .copied()
        .collect();
    inputs.sort_unstable();
    inputs
}

/// Ticks one piece of `fuel` burns.
#[must_use]
pub fn burn_ticks(fuel: ItemId) -> Option<u32> {
    FUEL.get(&fuel).copied()
}

/// Of what was asked for, that which burns: the same where all of it does, or the family of those that do.
#[must_use]
pub fn part_that_burns(fuel: ItemSpec) -> ItemSpec {
    let burning = fuel
        .members()
        .iter()
        .filter(|item| burn_ticks(**item).is_some());
    let burning: Vec<ItemId> = burning.copied().collect();
    let mut families = FamilyId::all().filter(|family| family.members() == burning);
    if burning.len() == fuel.members().len() {
        fuel
    } else {
        families.next().map_or(fuel, ItemSpec::Family)
    }
}

static SMELTING: LazyLock<FxHashMap<ItemId, (ItemId, f32)>> = LazyLock::new(|| {
    let read: SmeltingTable = table("smelting.json", include_str!("data/smelting.json"));
    let each = |(input, output, xp): (ItemSpec, ItemId, f32)| {
        input
            .members()
            .iter()
            .map(move |item| (*item, (output, xp)))
    };
    read.smelting.into_iter().flat_map(each).collect()
});

/// The same by row of the item: planners ask of every item.
static BY_ROW: LazyLock<Vec<Option<(ItemId, f32)>>> = LazyLock::new(|| {
    ItemId::all()
        .map(|item| SMELTING.get(&item).copied())
        .collect()
});

/// By what comes out of them.
static INPUTS: LazyLock<FxHashMap<ItemId, Vec<ItemId>>> = LazyLock::new(|| {
    let mut inputs: FxHashMap<ItemId, Vec<ItemId>> = FxHashMap::default();
    for (input, (output, _)) in SMELTING.iter() {
        inputs.entry(*output).or_default().push(*input);
    }
    inputs
});

static FUEL: LazyLock<FxHashMap<ItemId, u32>> = LazyLock::new(|| {
    let read: FuelTable = table("fuel.json", include_str!("data/fuel.json"));
    // Families sort after items, so they are entered first and an item's own figure wins.
    let rows = read.fuel.into_iter().rev();
    let mut fuel: FxHashMap<ItemId, u32> = rows
        .flat_map(|(spec, ticks)| spec.members().iter().map(move |item| (*item, ticks)))
        .collect();
    fuel.retain(|_, ticks| *ticks > 0);
    fuel
});

#[derive(Deserialize)]
struct SmeltingTable {
    smelting: Vec<(ItemSpec, ItemId, f32)>,
}

#[derive(Deserialize)]
struct FuelTable {
    fuel: BTreeMap<ItemSpec, u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(name: &str) -> ItemId {
        name.parse().unwrap()
    }

    #[test]
    fn the_furnace_knows_ores_food_and_logs() {
        assert_eq!(smelts_to(item("iron_ore")), Some(item("iron_ingot")));
        assert_eq!(smelts_to(item("birch_log")), Some(item("charcoal")));
        assert_eq!(smelts_to(item("cobblestone")), Some(item("stone")));
        assert_eq!(smelts_to(item("beef")), Some(item("cooked_beef")));
        assert_eq!(smelts_to(item("dirt")), None);
        assert_eq!(
            smelt_inputs(ItemSpec::Item(item("glass"))),
            [item("sand"), item("red_sand")]
        );
        assert_eq!(smelting_xp(item("iron_ore")), 0.7);
    }

    #[test]
    fn fuels_burn_as_long_as_in_the_game() {
        let burn = |name| burn_ticks(item(name));
        assert_eq!(burn("coal"), Some(8 * COOK_TICKS));
        assert_eq!(burn("charcoal"), Some(1600));
        assert_eq!(burn("oak_planks"), Some(300));
        assert_eq!(burn("stick"), Some(100));
        assert_eq!(burn("lava_bucket"), Some(20_000));
        assert_eq!(burn("dirt"), None);
    }

    #[test]
    fn woods_of_the_nether_neither_burn_nor_become_charcoal() {
        let woods = ItemId::all().filter(|item| {
            let name = item.name();
            let grown = ["fungus", "roots", "nylium", "wart_block"];
            (name.contains("crimson") || name.contains("warped"))
                && !grown.iter().any(|other| name.contains(other))
        });
        let woods: Vec<ItemId> = woods.collect();
        // Four kinds of stems and ten things made of planks, of either wood.
        assert_eq!(woods.len(), 2 * (4 + 10), "{woods:?}");
        for wood in woods {
            assert_eq!((burn_ticks(wood), smelts_to(wood)), (None, None), "{wood}");
        }
        // What is made of them and has no colour of theirs burns.
        assert_eq!(burn_ticks(item("chest")), Some(300));
        let part = |name: &str| part_that_burns(name.parse().unwrap()).to_string();
        assert_eq!(
            (part("#planks"), part("#logs")),
            ("#planks_that_burn".to_owned(), "#logs".to_owned())
        );
    }
}
