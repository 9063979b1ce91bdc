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

/// More than what is lost in adding up distances.
const ROUNDING: f64 = 1e-6;

#[derive(Debug, Clone, Copy)]
struct Sighting {
    mob: Living,
    tick: u64,
}

/// The memory of animals.
#[derive(Debug, Clone, Default)]
pub(crate) struct Herds {
    /// By the number of the mob.
    seen: BTreeMap<u64, Sighting>,
    /// A place, and how many blocks from it all of them are at least: while the body is near it, none has to be asked for.
    apart: (Point, f64),
}

impl Herds {
    /// Keeps what is in sight now and forgets who has left the place where the body is.
    pub(crate) fn note(&mut self, mobs: &[Living], body: Point, tick: u64) {
        self.leave_out_near(body);
        for mob in mobs.iter().filter(|mob| !mob.kind.facts().hostile) {
            self.seen.insert(mob.id, Sighting { mob: *mob, tick });
            self.apart.1 = self.apart.1.min(mob.at.distance(self.apart.0));
        }
        while self.seen.len() > SIGHTINGS_MAX {
            let oldest = self.seen.iter().min_by_key(|(id, seen)| (seen.tick, **id));
            let Some(id) = oldest.map(|(id, _)| *id) else {
                break;
            };
            self.seen.remove(&id);
        }
    }

    fn leave_out_near(&mut self, body: Point) {
        let (place, apart) = self.apart;
        if body.distance(place) + LOOKED_AT + ROUNDING < apart {
            return;
        }
        let mut nearest = f64::INFINITY;
        self.seen.retain(|_, seen| {
            let far = seen.mob.at.distance(body);
            let stays = far > LOOKED_AT;
            nearest = if stays { nearest.min(far) } else { nearest };
            stays
        });
        self.apart = (body, nearest);
    }

    /// Forgets those within `range` blocks of a place that was gone to in vain.
    pub(crate) fn forget(&mut self, place: Pos, range: f64) {
        self.seen
            .retain(|_, seen| seen.mob.at.block().distance(place) > range);
    }

    /// Where the nearest that will do was last seen, judged by what it looked like and the tick at which it did.
    pub(crate) fn nearest(&self, feet: Pos, will_do: impl Fn(&Living, u64) -> bool) -> Option<Pos> {
        let known = self
            .seen
            .values()
            .filter(|seen| will_do(&seen.mob, seen.tick));
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
    use crate::rng::Rng;

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
        assert_eq!(herds.seen.len(), SIGHTINGS_MAX);
        assert!(!herds.seen.contains_key(&0) && herds.seen.contains_key(&299));
    }

    #[test]
    fn who_has_gone_is_forgotten_wherever_the_body_walks() {
        let mut rng = Rng::new(3);
        let mut herds = Herds::default();
        let mut known: BTreeMap<u64, f64> = BTreeMap::new();
        let (mut x, mut times) = (0.0, 0);
        for tick in 0..2_000 {
            x += rng.between(-3, 3) as f64;
            let body = Point::new(x, 64.0, 0.0);
            let in_sight: Vec<Living> = (0..rng.below(2))
                .map(|_| living(rng.below(9), MobKind::Cow, x + rng.between(-40, 40) as f64))
                .collect();
            let before = known.len();
            known.retain(|_, at| (*at - x).abs() > LOOKED_AT);
            times += usize::from(known.len() < before);
            known.extend(in_sight.iter().map(|mob| (mob.id, mob.at.x)));
            herds.note(&in_sight, body, tick);
            let kept = herds.seen.iter().map(|(id, seen)| (*id, seen.mob.at.x));
            assert!(kept.eq(known.clone()), "tick {tick}");
        }
        assert!(times > 100, "{times}");
    }
}
