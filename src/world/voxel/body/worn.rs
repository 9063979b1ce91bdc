//! Worn: what is on the body and in the other hand, and how much harm it keeps off.
//!
//! `wearing` changes it. Invariant: a place holds at most one piece.

use super::cause::Cause;
use crate::armour::{ArmourSlot, Harm, armour_of, protection, through_armour, through_protection};
use crate::inventory::Stack;
use crate::mob::MobKind;

/// What is worn, by place.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Worn {
    pub(in crate::voxel) places: [Option<Stack>; ArmourSlot::ALL.len()],
    /// Uses that the next tick takes off each piece, and off the shield.
    pub(in crate::voxel) wear: u32,
    pub(in crate::voxel) shield_wear: u32,
    /// Ticks that the shield has been held up.
    pub(in crate::voxel) raised: u8,
}

impl Worn {
    #[must_use]
    pub fn at(&self, place: ArmourSlot) -> Option<Stack> {
        self.places[place as usize]
    }

    /// All that is worn, head first.
    pub fn iter(&self) -> impl Iterator<Item = Stack> {
        self.places.iter().flatten().copied()
    }

    /// What of a harm comes through; what does not care for armour is only kept off by enchantments.
    pub(in crate::voxel) fn softened(&self, damage: f32, cause: Cause) -> f32 {
        let (harm, is_armour_in_the_way) = nature(cause);
        let facts = || self.iter().filter_map(|stack| armour_of(stack.item));
        let mut left = damage;
        if is_armour_in_the_way {
            let points = facts().map(|armour| armour.points).sum();
            let toughness = facts().map(|armour| armour.toughness).sum();
            left = through_armour(left, points, toughness);
        }
        let Some(harm) = harm else { return left };
        let kept = self
            .iter()
            .map(|stack| protection(stack.extra.enchants, harm));
        through_protection(left, kept.sum())
    }

    /// Stands for all of it in checksums.
    pub(in crate::voxel) fn state(&self) -> (&[Option<Stack>], u64) {
        let wear = u64::from(self.wear) << 32 | u64::from(self.shield_wear);
        (&self.places, wear << 8 | u64::from(self.raised))
    }
}

/// The kind of a harm, if enchantments know it, and whether it has to get through armour.
fn nature(cause: Cause) -> (Option<Harm>, bool) {
    match cause {
        Cause::Fall => (Some(Harm::Fall), false),
        Cause::Lava => (Some(Harm::Fire), true),
        // Flames that one carries along are inside.
        Cause::Fire => (Some(Harm::Fire), false),
        Cause::Cactus => (Some(Harm::Blow), true),
        Cause::Drowning | Cause::Suffocation => (Some(Harm::Magic), false),
        Cause::Starvation | Cause::Void => (None, false),
        Cause::Mob(MobKind::Creeper) => (Some(Harm::Blast), true),
        Cause::Mob(MobKind::Skeleton | MobKind::Stray) => (Some(Harm::Shot), true),
        Cause::Mob(MobKind::Witch) => (Some(Harm::Magic), false),
        Cause::Mob(_) => (Some(Harm::Blow), true),
    }
}

/// True for harm that has to get through armour, which wears it.
pub(in crate::voxel) fn has_armour_in_its_way(cause: Cause) -> bool {
    nature(cause).1
}
