//! Places: where things were found, searched for in vain, or were deadly, by what recall brought of this world.
//!
//! Invariant: a place that was not tried is never ruled out; without hits of this world every search begins as before.

use super::demand::Step;
use pithead_core::domain::experience::Hit;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::knowledge::pattern::overlaps;
use pithead_world::family::ItemSpec;
use pithead_world::space::Pos;

/// Nearer than this the body sees for itself, blocks.
const IN_SIGHT: f64 = 24.0;
/// Farther than this a search close by costs less, blocks.
const FAR: f64 = 240.0;
/// Within so many blocks of a death or of a search in vain it is the same place.
const SAME_PLACE: f64 = 32.0;
/// The directions of a search that goes elsewhere.
pub(super) const DIRECTIONS: u64 = 4;

/// What is remembered of places.
#[derive(Debug, Clone, Copy)]
pub(super) struct Places<'a> {
    pub(super) hits: &'a [Hit],
    pub(super) here: Pos,
}

impl Places<'_> {
    /// The nearest place where the thing was got, if it is worth the way there. Only for what stands or walks about
    /// on the ground: a vein that was found is a vein that was mined out.
    pub(super) fn known_place(&self, step: &Step) -> Option<Pos> {
        if !step.way.is_above_ground() {
            return None;
        }
        let found = self.tried(step.item).filter(|(hit, _)| hit.success);
        let found: Vec<(Pos, f64)> = found.map(|(_, at)| (at, at.distance(self.here))).collect();
        if found.iter().any(|(_, away)| *away < IN_SIGHT) {
            return None;
        }
        let worth = found
            .iter()
            .filter(|(at, away)| *away < FAR && !self.is_deadly(*at));
        let nearest = worth.min_by(|(_, a), (_, b)| a.total_cmp(b));
        nearest.map(|(at, _)| *at)
    }

    /// Of the directions for a search elsewhere the one in which least was searched in vain; by turns where nothing
    /// tells them apart. `goal` gives the point to which a direction leads.
    pub(super) fn least_searched(
        &self,
        item: ItemSpec,
        turn: u64,
        goal: impl Fn(u64) -> Pos,
    ) -> u64 {
        let in_vain = |direction: u64| {
            let there = goal(direction);
            let failed = self.tried(item).filter(|(hit, _)| !hit.success);
            failed
                .filter(|(_, at)| at.distance(there) < SAME_PLACE)
                .count()
        };
        let turns = (0..DIRECTIONS).map(|step| (turn + step) % DIRECTIONS);
        turns
            .min_by_key(|direction| in_vain(*direction))
            .unwrap_or(turn % DIRECTIONS)
    }

    fn tried(&self, item: ItemSpec) -> impl Iterator<Item = (&Hit, Pos)> {
        let about = move |hit: &&Hit| hit.target.is_some_and(|target| overlaps(target, item));
        let hits = self.hits.iter().filter(about);
        hits.filter_map(|hit| Some((hit, hit.at?)))
    }

    fn is_deadly(&self, place: Pos) -> bool {
        let died = |hit: &&Hit| hit.reason == Some(FailureReason::EnvTerminated);
        let mut deaths = self.hits.iter().filter(died).filter_map(|hit| hit.at);
        deaths.any(|at| at.distance(place) < SAME_PLACE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mind::builtin::beliefs::Beliefs;
    use crate::mind::builtin::ways::Way;
    use pithead_core::domain::samples::hit;

    fn tried(item: &str, success: bool, x: i32) -> Hit {
        Hit {
            target: Some(item.parse().unwrap()),
            at: Some(Pos::new(x, 64, 0)),
            ..hit(1, 1, success)
        }
    }

    fn hunt() -> Step {
        let leather = "leather".parse().unwrap();
        let beliefs = Beliefs::wrong_in(&[]);
        let (mob, _) = beliefs.hunted(leather)[0];
        Step {
            item: leather,
            make: 1,
            way: Way::Attack { mob },
            uses: Default::default(),
            holds: Vec::new(),
            keeps: Vec::new(),
            price: 0,
        }
    }

    fn known(hits: &[Hit]) -> Option<i32> {
        let here = Pos::new(0, 64, 0);
        Places { hits, here }.known_place(&hunt()).map(|at| at.x)
    }

    #[test]
    fn one_goes_back_to_the_nearest_place_that_was_not_deadly() {
        let there = [tried("leather", true, 120), tried("leather", true, 60)];
        assert_eq!(known(&there), Some(60));
        let mut died = tried("stone", false, 70);
        died.reason = Some(FailureReason::EnvTerminated);
        let [far, near] = there;
        assert_eq!(known(&[far.clone(), near, died]), Some(120));
        // What is in sight needs no way, and what is too far or in another world is none.
        assert_eq!(known(&[far.clone(), tried("leather", true, 10)]), None);
        assert_eq!(known(&[tried("leather", true, 400)]), None);
        assert_eq!(known(&[Hit { at: None, ..far }]), None);
        assert_eq!(known(&[tried("beef", true, 60)]), None);
    }

    #[test]
    fn a_search_goes_where_least_was_searched_in_vain() {
        let here = Pos::new(0, 64, 0);
        let goal = |direction| match direction {
            0 => Pos::new(90, 64, 0),
            1 => Pos::new(0, 64, 90),
            2 => Pos::new(-90, 64, 0),
            _ => Pos::new(0, 64, -90),
        };
        let least = |hits: &[Hit], turn| {
            Places { hits, here }.least_searched("leather".parse().unwrap(), turn, goal)
        };
        assert_eq!([least(&[], 4), least(&[], 6)], [0, 2]);
        assert_eq!(least(&[tried("leather", false, 80)], 4), 1);
        assert_eq!(least(&[tried("leather", true, 80)], 4), 0);
    }
}
