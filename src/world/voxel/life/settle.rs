//! Settling: mobs that belong to a place stay near it.
//!
//! Invariant: a mob that flees or is after someone is left alone.

use super::Mobs;
use super::mob::{Mob, Mood, direction};
use crate::space::Point;

/// Ticks of walking back before looking again.
const WALK_TICKS: u64 = 60;

impl Mobs {
    fn numbered(&mut self, number: u64) -> Option<&mut Mob> {
        // Numbers grow along the list, so a binary search finds them.
        let at = self.mobs.binary_search_by_key(&number, |mob| mob.number);
        at.ok().map(|i| &mut self.mobs[i])
    }

    /// Tells a mob what to be up to.
    pub(in crate::voxel) fn set_mood(&mut self, number: u64, mood: Mood) {
        if let Some(mob) = self.numbered(number) {
            mob.mood = mood;
        }
    }

    /// Keeps a calm mob where it is for so long.
    pub(in crate::voxel) fn rest(&mut self, number: u64, ticks: u64) {
        let until = self.tick + ticks;
        if let Some(mob) = self.numbered(number).filter(|mob| is_calm(mob)) {
            mob.mood = Mood::Idle { until };
        }
    }

    /// Sends a mob that has strayed back home.
    pub(in crate::voxel) fn turn_home(&mut self, number: u64, home: Point, roam: f64) {
        let tick = self.tick;
        let Some(mob) = self.numbered(number) else {
            return;
        };
        if is_calm(mob) && mob.position.distance_flat(home) > roam {
            let (x, z) = direction(mob.position, home);
            mob.mood = Mood::Stroll {
                x,
                z,
                until: tick + WALK_TICKS,
            };
        }
    }
}

fn is_calm(mob: &Mob) -> bool {
    matches!(mob.mood, Mood::Idle { .. } | Mood::Stroll { .. })
}
