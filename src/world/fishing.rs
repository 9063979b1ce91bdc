//! Fishing: what may hang on the hook, and how likely.
//!
//! The figures of 1.16. Invariant: shares of all catches at one place add up to 1.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::family::ItemSpec;
use crate::item::ItemId;
use crate::naming::table;

/// The kind of catch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pool {
    Fish,
    Junk,
    /// Only where the water is wide, deep and open above.
    /// Open water is a rule of 1.16.
    Treasure,
}

impl Pool {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fish => "fish",
            Self::Junk => "junk",
            Self::Treasure => "treasure",
        }
    }
}

/// One thing that may be caught.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Catch {
    pub pool: Pool,
    pub item: ItemId,
    /// Against the others of its pool.
    pub weight: u32,
    #[serde(default = "one")]
    pub count: u32,
    /// The part of its uses that may be gone, at most.
    #[serde(default)]
    pub damage: f32,
    /// It comes up enchanted.
    #[serde(default)]
    pub enchanted: bool,
    /// Caught only in biomes of this name.
    #[serde(default)]
    pub biome: Option<String>,
}

fn one() -> u32 {
    1
}

/// How often one of a pool is caught.
#[derive(Deserialize)]
struct Odds {
    /// Against the other pools.
    weight: i32,
    /// What each level of luck adds to the weight.
    /// Negative for junk, which becomes rarer.
    luck: i32,
}

#[derive(Deserialize)]
struct FishingTable {
    pools: std::collections::BTreeMap<Pool, Odds>,
    catches: Vec<Catch>,
}

static TABLE: LazyLock<FishingTable> =
    LazyLock::new(|| table("fishing.json", include_str!("data/fishing.json")));

/// Everything that may be caught anywhere.
#[must_use]
pub fn catches() -> &'static [Catch] {
    &TABLE.catches
}

/// What may be caught at a place with so much luck of the sea, each with its share of all catches there.
#[must_use]
pub fn catches_at(open_water: bool, biome: &str, luck: u8) -> Vec<(&'static Catch, f64)> {
    // Elsewhere the share of treasure goes to the others.
    let here = |pool: Pool| open_water || pool != Pool::Treasure;
    // Never below zero: high luck would make junk negative.
    let lucky = |odds: &Odds| (odds.weight + odds.luck * i32::from(luck)).max(0);
    let pools = TABLE.pools.iter().filter(|(pool, _)| here(**pool));
    let pools = pools.map(|(pool, odds)| (pool, lucky(odds)));
    let all: i32 = pools.clone().map(|(_, weight)| weight).sum();
    let fits = |catch: &&Catch, pool: Pool| {
        catch.pool == pool && catch.biome.as_deref().is_none_or(|b| biome.contains(b))
    };
    let mut shares = Vec::new();
    for (pool, pool_weight) in pools {
        let of_pool: Vec<&Catch> = TABLE.catches.iter().filter(|c| fits(c, *pool)).collect();
        let sum: u32 = of_pool.iter().map(|catch| catch.weight).sum();
        let pool_share = f64::from(pool_weight) / f64::from(all);
        let share = |catch: &Catch| pool_share * f64::from(catch.weight) / f64::from(sum);
        shares.extend(of_pool.into_iter().map(|catch| (catch, share(catch))));
    }
    shares
}

/// Everything with its share of catches in open water, in some biome where it is caught.
#[must_use]
pub fn shares() -> &'static [(&'static Catch, f64)] {
    /// Summed once: planners ask this of every item.
    static SHARES: LazyLock<Vec<(&'static Catch, f64)>> = LazyLock::new(|| {
        let local = |(catch, _): &(&Catch, f64)| catch.biome.is_some();
        // A share in open water and without luck is what a planner can count on.
        let mut shares = catches_at(true, "", 0);
        let biomes = catches().iter().filter_map(|catch| catch.biome.as_deref());
        for biome in biomes {
            shares.extend(catches_at(true, biome, 0).into_iter().filter(local));
        }
        shares
    });
    &SHARES
}

/// The chance that one catch in open water is what is wanted; 0 for what no rod brings up.
#[must_use]
pub fn chance_of(wanted: ItemSpec) -> f64 {
    shares()
        .iter()
        .filter(|(catch, _)| wanted.matches(catch.item))
        .map(|(_, share)| share)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_those_of_the_game_and_add_up() {
        for (open, biome) in [(true, "plains"), (false, "plains"), (true, "jungle")] {
            let sum: f64 = catches_at(open, biome, 0)
                .iter()
                .map(|(_, share)| share)
                .sum();
            assert!((sum - 1.0).abs() < 1e-9, "{sum}");
        }
        let cod = catches_at(true, "plains", 0)[0].1;
        assert!((cod - 0.85 * 0.6).abs() < 1e-9, "{cod}");
        let treasure = |open, luck| {
            let shares = catches_at(open, "plains", luck).into_iter();
            let of_pool = shares.filter(|(catch, _)| catch.pool == Pool::Treasure);
            of_pool.map(|(_, share)| share).sum::<f64>()
        };
        assert!((treasure(true, 0) - 0.05).abs() < 1e-9);
        assert!((treasure(true, 3) - 11.0 / 97.0).abs() < 1e-9);
        assert_eq!(treasure(false, 3), 0.0);
    }

    #[test]
    fn bamboo_hangs_on_the_hook_in_the_jungle_only() {
        let has = |biome| {
            catches_at(false, biome, 0)
                .iter()
                .any(|(catch, _)| catch.item.name() == "bamboo")
        };
        assert!(has("jungle") && has("bamboo_jungle") && !has("ocean"));
        assert_eq!(chance_of("diamond".parse().unwrap()), 0.0);
    }
}
