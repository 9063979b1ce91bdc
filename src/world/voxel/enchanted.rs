//! Enchanted: what the enchantments of carried things do to blows and wear.
//!
//! What they do to digging is in `body::hands`, to drops in `yields`. Invariant: plain things draw no chance and change
//! no figure.

use super::body::{PlayerBody, blow};
use crate::inventory::Stack;
use crate::mob::MobKind;
use crate::rng::Rng;

fn is_undead(kind: MobKind) -> bool {
    use MobKind::{Drowned, Husk, Skeleton, Stray, Zombie};
    matches!(kind, Zombie | Husk | Drowned | Skeleton | Stray)
}

fn is_arthropod(kind: MobKind) -> bool {
    matches!(
        kind,
        MobKind::Spider | MobKind::CaveSpider | MobKind::Silverfish
    )
}

/// Half hearts that an enchanted weapon adds to a blow now.
/// Sharpness adds 0.5 per level and 0.5 once; smite and bane of arthropods 2.5 per level
/// (1.16). A blow that is not ready adds less.
#[must_use]
pub(super) fn sharper(body: &PlayerBody, weapon: Option<&Stack>, on: MobKind) -> f32 {
    let Some(weapon) = weapon.filter(|stack| !stack.extra.enchants.is_empty()) else {
        return 0.0;
    };
    let level = |name: &str| f32::from(weapon.extra.enchants.named(name));
    let sharp = level("sharpness");
    let mut more = if sharp > 0.0 { 0.5 * sharp + 0.5 } else { 0.0 };
    if is_undead(on) {
        more += 2.5 * level("smite");
    }
    if is_arthropod(on) {
        more += 2.5 * level("bane_of_arthropods");
    }
    more * blow::readiness(body, weapon.item.facts().attack_rate)
}

/// As `spared`, for armour, which is spared less.
#[must_use]
pub(super) fn spared_of_armour(piece: &Stack, uses: u32, luck: &mut Rng) -> u32 {
    /// Armour wears in six of ten cases whatever its level; only the rest depends on
    /// unbreaking.
    const WORN_ANYHOW: f64 = 0.6;
    let level = u64::from(piece.extra.enchants.named("unbreaking"));
    if level == 0 {
        return 0;
    }
    (0..uses)
        .filter(|_| !luck.chance(WORN_ANYHOW) && luck.below(level + 1) > 0)
        .count() as u32
}

/// Of so many uses, those that leave no wear.
#[must_use]
pub(super) fn spared(tool: &Stack, uses: u32, luck: &mut Rng) -> u32 {
    let level = u64::from(tool.extra.enchants.named("unbreaking"));
    if level == 0 {
        return 0;
    }
    // Wear happens with a chance of 1 in level + 1.
    (0..uses).filter(|_| luck.below(level + 1) > 0).count() as u32
}
