//! Experience: points and levels by the formulas of 1.16, and what gives points.
//!
//! Invariant: levels follow from what was gained and spent; points within a level are fewer than the level takes.

use serde::{Deserialize, Serialize};

use crate::block::{self as blocks, BlockId};
use crate::mob::{MobKind, SpawnGroup};

/// A body's experience.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct ExperiencePoints {
    pub level: u32,
    /// Points towards the next level.
    pub points: u32,
}

/// Points from one level to the next.
#[must_use]
pub fn points_to_next(level: u32) -> u32 {
    match level {
        0..=15 => 2 * level + 7,
        16..=30 => 5 * level - 38,
        31.. => level.saturating_mul(9).saturating_sub(158),
    }
}

impl ExperiencePoints {
    /// Level 0 without points: what frames leave unsaid.
    // By reference, for serde asks so.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    pub fn gain(&mut self, points: u32) {
        self.points = self.points.saturating_add(points);
        while self.points >= points_to_next(self.level) {
            self.points -= points_to_next(self.level);
            self.level += 1;
        }
    }

    /// Takes levels; the share of the level begun stays, as in the game.
    pub fn spend(&mut self, levels: u32) -> bool {
        let Some(left) = self.level.checked_sub(levels) else {
            return false;
        };
        let share = u64::from(self.points) * u64::from(points_to_next(left));
        self.points = (share / u64::from(points_to_next(self.level))) as u32;
        self.level = left;
        true
    }
}

/// Points in a block that is mined for what is in it, least and most.
#[must_use]
pub fn in_block(block: BlockId) -> Option<(u32, u32)> {
    Some(match block {
        blocks::COAL_ORE => (0, 2),
        blocks::DIAMOND_ORE | blocks::EMERALD_ORE => (3, 7),
        blocks::LAPIS_ORE => (2, 5),
        blocks::REDSTONE_ORE => (1, 5),
        blocks::SPAWNER => (15, 43),
        _ => return None,
    })
}

/// Points that a grown mob killed by the player gives, least and most; a slime by its size.
#[must_use]
pub fn in_mob(kind: MobKind, size: u8) -> (u32, u32) {
    match kind {
        MobKind::Slime => (size.into(), size.into()),
        MobKind::Villager => (0, 0),
        _ => match kind.facts().group {
            SpawnGroup::Monster => (5, 5),
            SpawnGroup::Animal | SpawnGroup::Water => (1, 3),
            SpawnGroup::Villager => (0, 0),
        },
    }
}

/// Points for young, and for a catch: least and most.
pub const BRED: (u32, u32) = (1, 7);
pub const FISHED: (u32, u32) = (1, 6);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_take_as_many_points_as_in_the_game() {
        let total = |level: u32| (0..level).map(points_to_next).sum::<u32>();
        assert_eq!([1, 16, 30, 31, 40].map(total), [7, 352, 1395, 1507, 2920]);
        let mut body = ExperiencePoints::default();
        body.gain(1395 + 5);
        assert_eq!((body.level, body.points), (30, 5));
    }

    #[test]
    fn spending_takes_whole_levels_and_never_more_than_there_are() {
        let mut body = ExperiencePoints::default();
        body.gain(352);
        assert!(body.spend(3) && !body.spend(14));
        assert_eq!(body.level, 13);
        body.points = points_to_next(13) - 1;
        assert!(body.spend(1) && body.points < points_to_next(12));
    }
}
