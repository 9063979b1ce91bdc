//! Ambush: who hunts what comes out at night in few kinds of land finds much of such land by day, and stays in it.
//!
//! By day it waits where there is enough, at night it goes around in the most that it knows. Invariant: only hunts do
//! so, and only while the search would lead to other land.

use super::super::primitives::reflexes;
use super::super::senses::{BodyHandle, Senses};
use super::super::terrain::biome::homes::Biomes;
use super::super::time::is_day;
use super::super::visited::{Patch, VisitedPatches, patch_of};
use super::wanted::Wanted;
use super::{End, simple};
use crate::clock::ticks_to_night;
use crate::mob::MobKind;
use crate::observation::Pause;
use std::collections::BTreeSet;

/// Ticks of waiting between two looks around, and between two glances at what happens.
const WAIT_TICKS: u32 = 100;
const WATCH_EVERY: u32 = 10;
/// Waits and ways of one search, as many as there are waits in a day.
pub(super) const MOMENTS_MAX: u32 = 24_000 / WAIT_TICKS;
/// Patches to each side among which one goes around.
const AROUND: i32 = 3;
/// With so many patches of such land around there is no need of more.
const AMPLE: i32 = 12;
/// A patch more of it is worth a way of so many patches.
const WORTH: i32 = 4;
/// A way leads no farther than so many patches at once.
const LEG: i32 = 6;
/// Ticks that a patch of the way back may take, eight for each block.
const BACK_TICKS: u64 = 256;

/// What there is to do in an ambush.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Ambush {
    /// It is day: the prey will come.
    Wait,
    /// Go there: nobody has been there for the longest time, or there is more of such land.
    Go(Patch),
}

/// The land in which the prey of a hunt is waited for; None if it comes out by day or in most kinds of land.
pub(super) fn land(s: &Senses, wanted: &Wanted, homes: Option<Biomes>) -> Option<Biomes> {
    let is_of_night = |mob: &MobKind| mob.facts().hostile;
    let is_hunt = s.monster.is_some() && wanted.mobs.iter().all(is_of_night);
    homes.filter(|_| is_hunt)
}

/// What to do as long as such land is known; `next` is where a search would go from here.
pub(super) fn lie_in(s: &Senses, land: Biomes, next: Patch) -> Option<Ambush> {
    let grounds = Grounds(s.lands.all_of(land));
    let here = patch_of(s.feet());
    if is_day(s.time) {
        let goes_around = simple::lays_in(s);
        grounds.by_day(here, next, ticks_to_night(s.time), goes_around, &s.visited)
    } else {
        grounds.at_night(here, next, &s.visited)
    }
}

/// All patches of such land that are known.
struct Grounds(BTreeSet<Patch>);

impl Grounds {
    /// Looks for more where there is little and the day is long enough, else waits, or goes around for food.
    fn by_day(
        &self,
        here: Patch,
        next: Patch,
        ticks: u64,
        goes_around: bool,
        visited: &VisitedPatches,
    ) -> Option<Ambush> {
        let best = self.best(here, next)?;
        let way = far(here, next) + far(next, best);
        if self.extent(best) < AMPLE && u64::from(way.unsigned_abs()) * BACK_TICKS < ticks {
            return None;
        }
        if goes_around && far(here, best) <= AROUND {
            return self.stalest(here, visited).map(Ambush::Go);
        }
        let nearest = self
            .around(best)
            .min_by_key(|patch| (far(here, *patch), *patch))?;
        Some(match nearest == here {
            true => Ambush::Wait,
            false => Ambush::Go(towards(here, nearest)),
        })
    }

    /// Goes around, or to where there is far more of it.
    fn at_night(&self, here: Patch, next: Patch, visited: &VisitedPatches) -> Option<Ambush> {
        let best = self.best(here, next)?;
        if self.extent(here) * 2 >= self.extent(best) {
            return self.stalest(here, visited).map(Ambush::Go);
        }
        Some(Ambush::Go(towards(here, best)))
    }

    /// The patch with the most of it around, for the way there; None as long as a search leads to such land by itself.
    fn best(&self, here: Patch, next: Patch) -> Option<Patch> {
        if self.0.contains(&next) {
            return None;
        }
        let value = |patch: &Patch| self.extent(*patch) * WORTH - far(here, *patch);
        let best = self.0.iter().max_by_key(|patch| (value(patch), **patch));
        best.copied()
    }

    /// Those near a patch.
    fn around(&self, patch: Patch) -> impl Iterator<Item = Patch> {
        let side = || -AROUND..=AROUND;
        let around = side().flat_map(move |x| side().map(move |z| (patch.0 + x, patch.1 + z)));
        around.filter(|at| self.0.contains(at))
    }

    /// How many there are near a patch.
    fn extent(&self, patch: Patch) -> i32 {
        self.around(patch).count() as i32
    }

    /// The one near here that nobody has looked at for the longest time.
    fn stalest(&self, here: Patch, visited: &VisitedPatches) -> Option<Patch> {
        let others = self.around(here).filter(|patch| *patch != here);
        others.min_by_key(|patch| (visited.last_look(*patch), *patch))
    }
}

/// Steps from patch to patch.
fn far(from: Patch, to: Patch) -> i32 {
    (from.0 - to.0).abs() + (from.1 - to.1).abs()
}

/// A patch on the way to another, or that one if it is not far.
fn towards(from: Patch, to: Patch) -> Patch {
    let (dx, dz) = (to.0 - from.0, to.1 - from.1);
    let longest = dx.abs().max(dz.abs()).max(LEG);
    (from.0 + dx * LEG / longest, from.1 + dz * LEG / longest)
}

/// Waits for a moment, and deals with what comes meanwhile.
pub(super) async fn wait(body: &BodyHandle) -> End {
    for tick in 0..WAIT_TICKS {
        if tick % WATCH_EVERY == 0 {
            reflexes::watch(body).await?;
        }
        body.pause(Pause::Dusk).await;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::super::visited::PATCH;
    use super::*;
    use crate::space::Pos;

    const LONG: u64 = 6_000;
    const SHORT: u64 = 200;
    /// Other land beside the small swamp.
    const NEXT: Patch = (3, 0);

    /// Two patches of swamp at the origin and, if there is one, a large swamp of twelve from twenty patches farther east.
    fn swamps(is_large: bool) -> Grounds {
        let large = (0..4).flat_map(|x| (0..3).map(move |z| (20 + x, z)));
        let large = large.filter(|_| is_large);
        Grounds([(0, 0), (0, 1)].into_iter().chain(large).collect())
    }

    #[test]
    fn by_day_more_of_such_land_is_looked_for_until_there_is_enough_or_it_gets_dark() {
        let visited = VisitedPatches::default();
        let by_day =
            |swamps: &Grounds, here, ticks| swamps.by_day(here, NEXT, ticks, false, &visited);
        let small = swamps(false);
        assert_eq!(by_day(&small, (0, 0), LONG), None, "there may be more");
        assert_eq!(by_day(&small, (0, 0), SHORT), Some(Ambush::Wait));
        assert_eq!(by_day(&small, (2, 1), SHORT), Some(Ambush::Go((0, 1))));
        let large = swamps(true);
        assert_eq!(by_day(&large, (21, 1), LONG), Some(Ambush::Wait));
        assert_eq!(by_day(&large, (0, 0), LONG), Some(Ambush::Go((6, 0))));
        let around = large.by_day((21, 1), NEXT, LONG, true, &visited);
        assert!(matches!(around, Some(Ambush::Go(_))), "food is there too");
        let on_the_way = small.by_day((1, 0), (0, 1), LONG, false, &visited);
        assert_eq!(on_the_way, None, "the search leads there by itself");
    }

    #[test]
    fn at_night_one_goes_around_where_there_is_most_of_it() {
        let mut visited = VisitedPatches::default();
        visited.pass(Pos::new(20 * PATCH, 64, 0), false, 900);
        let (small, large) = (swamps(false), swamps(true));
        let at_night = |swamps: &Grounds, here| swamps.at_night(here, NEXT, &visited);
        assert_eq!(at_night(&small, (0, 0)), Some(Ambush::Go((0, 1))));
        assert_eq!(at_night(&large, (0, 0)), Some(Ambush::Go((6, 0))));
        let stalest = at_night(&large, (21, 0));
        assert_eq!(stalest, Some(Ambush::Go((20, 1))), "not where it was last");
        assert_eq!(
            Grounds(BTreeSet::new()).at_night((0, 0), NEXT, &visited),
            None
        );
    }
}
