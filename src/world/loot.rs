//! Loot: what lies in chests that were filled before anybody came, by place.
//!
//! Invariant: what is drawn follows from the stream alone.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::enchanting::random_book;
use crate::family::ItemSpec;
use crate::inventory::Stack;
use crate::item::ItemId;
use crate::naming::table;
use crate::rng::Rng;

/// Draws from one list of rows.
#[derive(Debug, Deserialize)]
struct Pool {
    draws: (u32, u32),
    /// Item, weight, least and most pieces.
    rows: Vec<(ItemId, u32, u32, u32)>,
}

#[derive(Deserialize)]
struct Read {
    places: BTreeMap<String, Vec<Pool>>,
}

static PLACES: LazyLock<BTreeMap<String, Vec<Pool>>> = LazyLock::new(|| {
    let Read { places } = table("loot.json", include_str!("data/loot.json"));
    places
});

/// Draws what lies in one chest of a place; empty for a place that has none.
#[must_use]
pub fn draw(place: &str, rng: &mut Rng) -> Vec<Stack> {
    let mut stacks = Vec::new();
    for Pool { draws, rows } in PLACES.get(place).into_iter().flatten() {
        for _ in 0..rng.between(draws.0.into(), draws.1.into()) {
            let total: u32 = rows.iter().map(|row| row.1).sum();
            let mut roll = rng.below(u64::from(total)) as u32;
            let row = rows.iter().find(|row| {
                let here = roll < row.1;
                roll = roll.saturating_sub(row.1);
                here
            });
            let Some((item, _, few, many)) = row else {
                continue;
            };
            let count = rng.between(i64::from(*few), i64::from(*many)) as u32;
            stacks.push(if item.name() == "enchanted_book" {
                random_book(rng).unwrap_or(Stack::new(*item, count))
            } else {
                Stack::new(*item, count)
            });
        }
    }
    stacks
}

/// True if chests of that place are filled at all.
#[must_use]
pub fn is_place(place: &str) -> bool {
    PLACES.contains_key(place)
}

/// Whatever may lie in a chest anywhere.
pub fn items() -> impl Iterator<Item = ItemId> {
    let pools = PLACES.values().flatten();
    pools.flat_map(|pool| pool.rows.iter().map(|row| row.0))
}

/// A place where something lies in chests.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LootPlace {
    pub place: &'static str,
    /// Probability that a chest of the place has any.
    pub chance: f32,
}

/// The places whose chests may hold what is wanted, the likeliest first.
#[must_use]
pub fn places_with(wanted: ItemSpec) -> Vec<LootPlace> {
    let mut found: Vec<LootPlace> = PLACES
        .iter()
        .map(|(place, pools)| LootPlace {
            place,
            chance: 1.0
                - pools
                    .iter()
                    .map(|pool| pool.misses(wanted))
                    .product::<f32>(),
        })
        .filter(|found| found.chance > 0.0)
        .collect();
    found.sort_by(|a, b| b.chance.total_cmp(&a.chance));
    found
}

impl Pool {
    /// The chance that none of its draws is what is wanted.
    fn misses(&self, wanted: ItemSpec) -> f32 {
        let total: u32 = self.rows.iter().map(|row| row.1).sum();
        let hits = self.rows.iter().filter(|row| wanted.matches(row.0));
        let share = hits.map(|row| row.1).sum::<u32>() as f32 / total.max(1) as f32;
        let (few, many) = self.draws;
        let each = (few..=many).map(|draws| (1.0 - share).powi(draws as i32));
        each.sum::<f32>() / (many - few + 1) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chances_are_those_that_drawing_shows() {
        let wanted: ItemSpec = "iron_pickaxe".parse().unwrap();
        let places = places_with(wanted);
        let smith = places
            .iter()
            .find(|found| found.place == "toolsmith")
            .unwrap();
        let mut rng = Rng::new(5);
        let holds = |stacks: Vec<Stack>| stacks.iter().any(|stack| wanted.matches(stack.item));
        let hits = (0..4_000)
            .filter(|_| holds(draw("toolsmith", &mut rng)))
            .count();
        assert!(
            (hits as f32 / 4_000.0 - smith.chance).abs() < 0.03,
            "{hits} {smith:?}"
        );
    }

    #[test]
    fn every_place_fits_into_a_chest() {
        for place in PLACES.keys() {
            let mut rng = Rng::new(9);
            assert!(
                (0..200).all(|_| draw(place, &mut rng).len() <= 27),
                "{place}"
            );
        }
        assert!(draw("nowhere", &mut Rng::new(1)).is_empty());
    }
}
