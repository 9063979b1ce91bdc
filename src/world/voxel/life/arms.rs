//! Arms: what a monster carries, what its blows gain by it, and whether it falls with it.
//!
//! The figures are those of 1.16 on Normal. Nobody wears armour: on Normal that takes a world of eleven hours of play
//! and a full moon, see decision 0107. Invariant: what is carried follows from where and as what number a mob came.

use crate::inventory::Stack;
use crate::item::ItemId;
use crate::mob::MobKind;
use crate::rng::{Rng, hash3, mix};
use crate::space::Pos;
use std::sync::LazyLock;

/// One zombie of a hundred has something in its hand, a third of them a sword.
const ARMED_OF: u64 = 100;
const SWORD_OF: u64 = 3;
/// Of sixteen parts of the tenth of the drowned that carry something, so many are rods. The others hold tridents, which
/// this world does not have.
const DROWNED_OF: u64 = 10;
const ROD_PARTS: u64 = 6;
const PARTS: u64 = 16;
/// How often it falls with its bearer, and by how much more for each level of looting.
const FALLS: f64 = 0.085;
const LOOTING: f64 = 0.01;

static SWORD: LazyLock<Option<ItemId>> = LazyLock::new(|| ItemId::named("iron_sword"));
static SHOVEL: LazyLock<Option<ItemId>> = LazyLock::new(|| ItemId::named("iron_shovel"));
static ROD: LazyLock<Option<ItemId>> = LazyLock::new(|| ItemId::named("fishing_rod"));

/// What a monster comes with. No stream is drawn from, so that worlds of older builds stay what they were until one of
/// the few who are armed comes.
pub(super) fn of(kind: MobKind, number: u64, feet: Pos) -> Option<ItemId> {
    let roll = hash3(mix(number), feet.x, feet.y, feet.z);
    match kind {
        MobKind::Zombie | MobKind::Husk if roll.is_multiple_of(ARMED_OF) => {
            if (roll / ARMED_OF).is_multiple_of(SWORD_OF) {
                *SWORD
            } else {
                *SHOVEL
            }
        }
        MobKind::Drowned if roll.is_multiple_of(DROWNED_OF) => {
            ROD.filter(|_| roll / DROWNED_OF % PARTS < ROD_PARTS)
        }
        _ => None,
    }
}

/// Half hearts that a blow with it does more than one with the bare hand.
pub(super) fn more_by(held: ItemId) -> f32 {
    held.facts().attack_damage - 1.0
}

/// What its bearer leaves of it to the player who killed it.
pub(super) fn dropped(held: ItemId, looting: u64, rng: &mut Rng) -> Option<Stack> {
    (rng.unit() - LOOTING * (looting as f64) < FALLS).then(|| used(held, rng))
}

/// As worn as what monsters leave: mostly nearly through.
pub(super) fn used(held: ItemId, rng: &mut Rng) -> Stack {
    let mut stack = Stack::new(held, 1);
    if let Some(uses) = held.facts().durability {
        let spared = 1 + rng.below(u64::from(uses.saturating_sub(3).max(1)));
        stack.damage = uses - rng.below(spared) as u32;
        // The last use is the bearer's.
        stack.damage = stack.damage.min(uses - 1);
    }
    stack
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::how::absent::only_in_the_game;

    fn share(kind: MobKind, name: &str) -> f64 {
        let item = ItemId::named(name);
        let armed = |n: i32| of(kind, 7, Pos::new(n, 64, n / 100)) == item;
        (0..100_000).filter(|n| armed(*n)).count() as f64 / 1e5
    }

    #[test]
    fn few_are_armed_and_with_what_the_game_gives_them() {
        let near = |share: f64, due: f64| assert!((share - due).abs() < due / 5.0, "{share} {due}");
        near(share(MobKind::Zombie, "iron_sword"), 0.01 / 3.0);
        near(share(MobKind::Husk, "iron_shovel"), 0.02 / 3.0);
        near(share(MobKind::Drowned, "fishing_rod"), 0.0375);
        // Who asks how to get a trident is told so.
        assert_eq!(share(MobKind::Drowned, "trident"), 0.0);
        assert!(only_in_the_game("trident".parse().unwrap()).is_some());
        assert_eq!(share(MobKind::Creeper, "iron_sword"), 0.0);
        // Five more with a sword, three and a half with a shovel.
        let more = |name: &str| more_by(name.parse().unwrap());
        assert_eq!((more("iron_sword"), more("iron_shovel")), (5.0, 3.5));
    }

    #[test]
    fn what_was_carried_falls_seldom_and_worn() {
        let (mut rng, sword) = (Rng::new(1), "iron_sword".parse().unwrap());
        let of = |looting, rng: &mut Rng| -> Vec<Stack> {
            let fallen = (0..10_000).filter_map(|_| dropped(sword, looting, rng));
            fallen.collect()
        };
        let (plain, lucky) = (of(0, &mut rng), of(3, &mut rng));
        assert!((750..950).contains(&plain.len()), "{}", plain.len());
        assert!((1_030..1_270).contains(&lucky.len()), "{}", lucky.len());
        assert!(plain.iter().all(|stack| (1..250).contains(&stack.damage)));
    }
}
