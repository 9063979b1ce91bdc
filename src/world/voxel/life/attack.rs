//! Attack: how each hostile kind fights, as rows of a table.
//!
//! What a mob does with it is in `mind`; where it appears is in `spawn`.

use crate::mob::MobKind;

/// What happens when an attack comes off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AttackKind {
    /// It presses on until it touches.
    Touch,
    /// It keeps its distance, draws its bow and looses an arrow.
    Shoot,
    /// It throws from where it stands.
    Throw,
    /// It hisses beside the player, then it is gone with all around it.
    Explode,
}

/// How a hostile kind attacks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Attack {
    pub(crate) kind: MobKind,
    pub(crate) manner: AttackKind,
    /// From how far, middle to middle over the ground.
    pub(crate) reach: f64,
    /// Ticks between two strikes; of an archer from a shot to the next drawing, of a creeper those it hisses.
    pub(crate) rest: u64,
    /// Strikes that hit, of 1; whether an arrow does is seen when it arrives.
    pub(crate) aim: f64,
    pub(crate) burns_by_day: bool,
    /// Leaves the player alone in the light.
    pub(crate) night_only: bool,
    /// Leaves the player alone until it is hit.
    pub(crate) neutral: bool,
}

/// Values that most kinds share; the rows name only what differs.
const TOUCH: Attack = Attack {
    kind: MobKind::Zombie,
    manner: AttackKind::Touch,
    // The reach of a touch is half of both boxes and a little more.
    reach: 1.45,
    rest: 20,
    aim: 1.0,
    burns_by_day: false,
    night_only: false,
    neutral: false,
};
const SHOOT: Attack = Attack {
    kind: MobKind::Skeleton,
    manner: AttackKind::Shoot,
    reach: 15.0,
    // In ticks, and drawing takes another second: a shot in three seconds, as on Normal.
    rest: 40,
    ..TOUCH
};

/// One row per hostile kind that lives here.
const ATTACKS: [Attack; 12] = [
    Attack {
        burns_by_day: true,
        // The zombie, the kind of the base row. Husks, below, do not burn.
        ..TOUCH
    },
    Attack {
        kind: MobKind::Husk,
        ..TOUCH
    },
    Attack {
        kind: MobKind::Drowned,
        burns_by_day: true,
        ..TOUCH
    },
    Attack {
        burns_by_day: true,
        ..SHOOT
    },
    Attack {
        kind: MobKind::Stray,
        burns_by_day: true,
        ..SHOOT
    },
    Attack {
        kind: MobKind::Spider,
        reach: 1.7,
        night_only: true,
        ..TOUCH
    },
    Attack {
        kind: MobKind::CaveSpider,
        night_only: true,
        ..TOUCH
    },
    Attack {
        kind: MobKind::Creeper,
        manner: AttackKind::Explode,
        reach: 3.0,
        // A creeper's fuse: 1.5 seconds, as in the game.
        rest: 30,
        ..TOUCH
    },
    Attack {
        kind: MobKind::Enderman,
        neutral: true,
        ..TOUCH
    },
    Attack {
        kind: MobKind::Slime,
        reach: 1.6,
        ..TOUCH
    },
    // Its potions harm and poison; one throw in three seconds, half of them miss one who moves.
    Attack {
        kind: MobKind::Witch,
        manner: AttackKind::Throw,
        reach: 10.0,
        rest: 60,
        aim: 0.5,
        ..TOUCH
    },
    Attack {
        kind: MobKind::Silverfish,
        reach: 1.1,
        ..TOUCH
    },
];

/// None for animals: they never attack.
pub(crate) fn attack_of(kind: MobKind) -> Option<&'static Attack> {
    ATTACKS.iter().find(|attack| attack.kind == kind)
}

/// True if the kind burns under the open sky by day.
pub(crate) fn burns(kind: MobKind) -> bool {
    attack_of(kind).is_some_and(|attack| attack.burns_by_day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hostile_kind_has_its_row() {
        for kind in MobKind::ALL {
            assert_eq!(attack_of(kind).is_some(), kind.facts().hostile, "{kind}");
        }
    }
}
