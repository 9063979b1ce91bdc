//! Where animals and villagers were last seen, one place for each.
//!
//! Every search uses this memory and it outlives the action, so that a body goes back to a herd instead of
//! looking for another one. Invariant: bounded; a place that was looked at and found empty is forgotten.

use super::senses::Living;
use crate::space::{Point, Pos};
use std::collections::BTreeMap;

/// Sightings that are kept; the oldest go first.
const SIGHTINGS_MAX: usize = 256;
/// From so near, in blocks, one sees that it has gone.
const LOOKED_AT: f64 = 8.0;

#[derive(Debug, Clone, Copy)]
struct Sighting {
    mob: Living,
    tick: u64,
}

/// The memory of animals, by the number of the mob.
#[derive(Debug, Clone, Default)]
pub(crate) struct Herds(BTreeMap<u64, Sighting>);

impl Herds {
    /// Keeps what is in sight now and forgets who has left the place where the body is.
    pub(crate) fn note(&mut self, mobs: &[Living], body: Point, tick: u64) {
        self.0
            .retain(|_, seen| seen.mob.at.distance(body) > LOOKED_AT);
        for mob in mobs.iter().filter(|mob| !mob.kind.facts().hostile) {
            self.0.insert(mob.id, Sighting { mob: *mob, tick });
        }
        while self.0.len() > SIGHTINGS_MAX {
            let oldest = self.0.iter().min_by_key(|(id, seen)| (seen.tick, **id));
            let Some(id) = oldest.map(|(id, _)| *id) else {
                break;
            };
            self.0.remove(&id);
        }
    }

    /// Forgets those within `range` blocks of a place that was gone to in vain.
    pub(crate) fn forget(&mut self, place: Pos, range: f64) {
        self.0
            .retain(|_, seen| seen.mob.at.block().distance(place) > range);
    }

    /// Where the nearest that will do was last seen, judged by what it looked like and the tick at which it did.
    pub(crate) fn nearest(&self, feet: Pos, will_do: impl Fn(&Living, u64) -> bool) -> Option<Pos> {
        let known = self.0.values().filter(|seen| will_do(&seen.mob, seen.tick));
        let places = known.map(|seen| seen.mob.at.block());
        places.min_by(|a, b| {
            feet.distance(*a)
                .total_cmp(&feet.distance(*b))
                .then(a.cmp(b))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mob::MobKind;

    fn living(id: u64, kind: MobKind, x: f64) -> Living {
        Living {
            id,
            kind,
            at: Point::new(x, 64.0, 0.0),
            is_baby: false,
            wool: None,
            held: None,
            width: 0.9,
            height: 1.4,
            is_lit: false,
            is_angry: false,
            drawn: 0,
            profession: None,
        }
    }

    #[test]
    fn a_herd_is_remembered_until_its_place_is_empty() {
        let mut herds = Herds::default();
        let start = Point::new(0.0, 64.0, 0.0);
        let seen = [
            living(1, MobKind::Cow, 30.0),
            living(2, MobKind::Cow, 20.0),
            living(3, MobKind::Zombie, 15.0),
        ];
        herds.note(&seen, start, 10);
        let nearest = |herds: &Herds, spent: &[u64]| {
            let is_cow = |mob: &Living, _| mob.kind == MobKind::Cow && !spent.contains(&mob.id);
            let at = herds.nearest(start.block(), is_cow);
            at.map(|at| at.x)
        };
        assert_eq!(nearest(&herds, &[]), Some(20));
        assert_eq!(nearest(&herds, &[2]), Some(30));
        let zombies = herds.nearest(start.block(), |mob, _| mob.kind == MobKind::Zombie);
        assert_eq!(zombies, None, "what comes by itself is not gone back to");
        herds.note(&[], Point::new(14.0, 64.0, 0.0), 20);
        assert_eq!(nearest(&herds, &[]), Some(30), "the near one has gone");
        herds.forget(Pos::new(31, 64, 0), 4.0);
        assert_eq!(nearest(&herds, &[]), None);
    }

    #[test]
    fn the_memory_is_bounded_and_the_oldest_go_first() {
        let mut herds = Herds::default();
        for id in 0..300_u64 {
            let far = [living(id, MobKind::Pig, 20.0 + id as f64)];
            herds.note(&far, Point::new(0.0, 64.0, 0.0), id);
        }
        assert_eq!(herds.0.len(), SIGHTINGS_MAX);
        assert!(!herds.0.contains_key(&0) && herds.0.contains_key(&299));
    }
}
