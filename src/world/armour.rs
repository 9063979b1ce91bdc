//! Armour: what it is worn on and how much of a blow it keeps off.
//!
//! Figures of 1.16. Invariant: only what this table knows can be worn.

use super::enchant::Enchants;
use super::item::ItemId;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// Where a thing is worn; the shield is carried in the other hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArmourSlot {
    Head,
    Chest,
    Legs,
    Feet,
    OffHand,
}

impl ArmourSlot {
    pub const ALL: [Self; 5] = [
        Self::Head,
        Self::Chest,
        Self::Legs,
        Self::Feet,
        Self::OffHand,
    ];
}

/// What a thing does while it is worn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Armour {
    pub place: ArmourSlot,
    pub points: f32,
    pub toughness: f32,
}

/// Points of helmet, chestplate, leggings and boots, and the toughness of each.
const MATERIALS: [(&str, [f32; 4], f32); 6] = [
    ("leather", [1.0, 3.0, 2.0, 1.0], 0.0),
    ("golden", [2.0, 5.0, 3.0, 1.0], 0.0),
    ("chainmail", [2.0, 5.0, 4.0, 1.0], 0.0),
    ("iron", [2.0, 6.0, 5.0, 2.0], 0.0),
    ("diamond", [3.0, 8.0, 6.0, 3.0], 2.0),
    ("netherite", [3.0, 8.0, 6.0, 3.0], 3.0),
];
const PARTS: [&str; 4] = ["helmet", "chestplate", "leggings", "boots"];
/// No enchantments keep off more than this share.
const PROTECTION_MAX: f32 = 20.0;

static TABLE: LazyLock<Vec<(ItemId, Armour)>> = LazyLock::new(build);

fn build() -> Vec<(ItemId, Armour)> {
    let mut table = Vec::new();
    let mut add = |name: &str, place, points, toughness| {
        if let Some(item) = ItemId::named(name) {
            let armour = Armour {
                place,
                points,
                toughness,
            };
            table.push((item, armour));
        }
    };
    for (material, points, toughness) in MATERIALS {
        for ((part, place), points) in PARTS.iter().zip(ArmourSlot::ALL).zip(points) {
            add(&format!("{material}_{part}"), place, points, toughness);
        }
    }
    add("turtle_helmet", ArmourSlot::Head, 2.0, 0.0);
    add("shield", ArmourSlot::OffHand, 0.0, 0.0);
    table.sort_unstable_by_key(|(item, _)| *item);
    table
}

/// What the item does when worn; none if it cannot be.
#[must_use]
pub fn armour_of(item: ItemId) -> Option<&'static Armour> {
    let found = TABLE.binary_search_by_key(&item, |(item, _)| *item).ok()?;
    Some(&TABLE[found].1)
}

/// What comes through armour of so many points and so much toughness.
#[must_use]
pub fn through_armour(damage: f32, points: f32, toughness: f32) -> f32 {
    let held = (points - damage / (2.0 + toughness / 4.0)).clamp(points * 0.2, 20.0);
    damage * (1.0 - held / 25.0)
}

/// What kind of harm it is, as enchantments tell it apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Harm {
    Blow,
    Shot,
    Blast,
    Fire,
    Fall,
    /// Potions and the like.
    Magic,
}

/// How much the enchantments of one worn thing count against a kind of harm.
#[must_use]
pub fn protection(enchants: Enchants, harm: Harm) -> f32 {
    let level = |name: &str| f32::from(enchants.named(name));
    let special = match harm {
        Harm::Blow | Harm::Magic => 0.0,
        Harm::Shot => 2.0 * level("projectile_protection"),
        Harm::Blast => 2.0 * level("blast_protection"),
        Harm::Fire => 2.0 * level("fire_protection"),
        Harm::Fall => 3.0 * level("feather_falling"),
    };
    level("protection") + special
}

/// What comes through enchantments that count so much.
#[must_use]
pub fn through_protection(damage: f32, protection: f32) -> f32 {
    damage * (1.0 - protection.clamp(0.0, PROTECTION_MAX) / 25.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn armour(name: &str) -> &'static Armour {
        armour_of(name.parse().unwrap()).expect(name)
    }

    #[test]
    fn every_piece_of_armour_is_known_and_nothing_else_is() {
        assert_eq!(TABLE.len(), 26);
        assert_eq!(armour("iron_chestplate").points, 6.0);
        assert_eq!(armour("diamond_boots").toughness, 2.0);
        assert_eq!(armour_of("stick".parse().unwrap()), None);
    }

    #[test]
    fn a_full_suit_keeps_off_what_it_does_in_the_game() {
        // Iron: 15 points. A blow of 3 comes through as 3 * (1 - 13.5 / 25).
        assert!((through_armour(3.0, 15.0, 0.0) - 1.38).abs() < 1e-5);
        // Hard blows are kept off less: a fifth of the points at least.
        assert!((through_armour(43.0, 15.0, 0.0) - 43.0 * (1.0 - 3.0 / 25.0)).abs() < 1e-4);
        // Diamond: 20 points, toughness 8.
        assert!((through_armour(10.0, 20.0, 8.0) - 10.0 * (1.0 - 17.5 / 25.0)).abs() < 1e-5);
        assert_eq!(through_armour(5.0, 0.0, 0.0), 5.0);
        for most in [20.0, 99.0] {
            assert!((through_protection(10.0, most) - 2.0).abs() < 1e-5);
        }
    }
}
