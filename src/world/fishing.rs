//! Fishing: what a rod pulls out of the water, with the chances of 1.16.
//!
//! Without enchantments. Invariant: the chances of all catches add up to one.

use super::family::ItemSpec;
use super::item::ItemId;

/// The parts of a hundred casts that end so, and what they give by weight.
const POOLS: [(f64, &[(&str, u32)]); 3] = [
    (
        0.85,
        &[
            ("cod", 60),
            ("salmon", 25),
            ("tropical_fish", 2),
            ("pufferfish", 13),
        ],
    ),
    (
        0.10,
        &[
            ("lily_pad", 17),
            ("bowl", 10),
            ("fishing_rod", 2),
            ("leather", 10),
            ("leather_boots", 10),
            ("rotten_flesh", 10),
            ("stick", 5),
            ("string", 5),
            ("potion", 10),
            ("bone", 10),
            ("ink_sac", 1),
            ("tripwire_hook", 10),
        ],
    ),
    (
        0.05,
        &[
            ("bow", 1),
            ("enchanted_book", 1),
            ("fishing_rod", 1),
            ("name_tag", 1),
            ("nautilus_shell", 1),
            ("saddle", 1),
        ],
    ),
];

/// Everything that can be caught, with the chance of each cast.
pub fn catches() -> impl Iterator<Item = (ItemId, f64)> {
    POOLS.into_iter().flat_map(|(share, rows)| {
        let total: u32 = rows.iter().map(|row| row.1).sum();
        rows.iter().filter_map(move |(name, weight)| {
            let chance = share * f64::from(*weight) / f64::from(total);
            ItemId::named(name).map(|item| (item, chance))
        })
    })
}

/// The chance that one cast gives what is wanted.
#[must_use]
pub fn chance_of(wanted: ItemSpec) -> f64 {
    catches()
        .filter(|(item, _)| wanted.matches(*item))
        .map(|(_, chance)| chance)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chances_add_up_and_fish_leads() {
        let sum: f64 = catches().map(|(_, chance)| chance).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
        let cod = chance_of("cod".parse().unwrap());
        assert!((cod - 0.51).abs() < 1e-9, "{cod}");
    }
}
