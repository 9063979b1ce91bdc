//! People: what they have built is gone to and around, one village after the other.
//!
//! What grows in fields is seen from the streets, all else may be behind walls. Invariant: no place is gone around twice
//! for the same kind of thing.

use super::super::path::goal::PathGoal;
use super::super::primitives::travel::{self, TravelMode};
use super::super::senses::{BodyHandle, Senses};
use super::explore::look;
use super::wanted::{self, Wanted};
use crate::action::ActionFailure;
use crate::natural::is_sign_of_people;
use crate::space::Pos;

/// What people have made is gone to from so far, so many places in a row, and looked for among so many.
const SIGN_FAR: f64 = 64.0;
const VISITS_MAX: u32 = 4;
const SIGNS_MAX: usize = 64;
/// How far around its middle a village reaches, and how far around a single sign there is nothing new behind the walls.
const VILLAGE_REACH: f64 = 48.0;
const SIGN_REACH: f64 = 24.0;
/// How far out one goes around, blocks to each side: among houses, and where fields are to be seen from the streets.
const AMONG_HOUSES: &[i32] = &[9, 20];
const AMONG_FIELDS: &[i32] = &[16];
/// Ticks for a corner of such a round, and how close to it is there.
const CORNER_TICKS: u64 = 400;
const CORNER_THERE: f64 = 3.0;

/// A place to go around.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Place {
    at: Pos,
    reach: f64,
}

/// Something that people have made is known that nobody has gone around for this.
pub(super) fn is_known(s: &Senses, wanted: &Wanted) -> bool {
    next_place(s, wanted.is_in_fields()).is_some()
}

/// The nearest: the village around a sign that is near, the sign itself, or a village that was seen from afar.
fn next_place(s: &Senses, in_fields: bool) -> Option<Place> {
    let feet = s.feet();
    let is_new = |at: &Pos| !s.visited.is_combed(*at, in_fields);
    let village = |at: Pos| Place {
        at,
        reach: VILLAGE_REACH,
    };
    let nearest = |to: Pos, within: f64| {
        let known = s.villages.iter().copied();
        let near = known.filter(|at| to.distance(*at) < within);
        near.min_by(|a, b| to.distance(*a).total_cmp(&to.distance(*b)))
    };
    let signs = s.seen.nearest(feet, SIGN_FAR, SIGNS_MAX, is_sign_of_people);
    let mut signs = signs.into_iter().map(|(at, _)| at);
    let sign = signs.find(|at| is_new(at) && !s.own.contains(at));
    match sign {
        Some(at) => Some(nearest(at, VILLAGE_REACH).map_or(
            Place {
                at,
                reach: SIGN_REACH,
            },
            village,
        )),
        None => {
            let unvisited = s.villages.iter().copied().filter(is_new);
            let nearest = unvisited.min_by(|a, b| feet.distance(*a).total_cmp(&feet.distance(*b)));
            nearest.map(village)
        }
    }
}

/// Goes to the places of people that are known, and around there; true once something is found.
pub(super) async fn visit(body: &BodyHandle, wanted: &Wanted) -> Result<bool, ActionFailure> {
    let found = |s: &Senses| wanted::nearest(s, wanted).is_some();
    let in_fields = wanted.is_in_fields();
    for _ in 0..VISITS_MAX {
        let Some(Place { at, reach }) = body.with(|s| next_place(s, in_fields)) else {
            return Ok(false);
        };
        // Reached or not, it is not gone to again.
        body.with(|s| s.visited.comb(at, reach, in_fields));
        let is_far = body.with(|s| s.feet().distance(at)) > reach;
        if is_far {
            let goal = PathGoal::Flat {
                x: at.x,
                z: at.z,
                range: reach,
            };
            travel::went(travel::walk_until(body, &goal, &found).await)?;
        }
        if go_around(body, wanted, at).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Goes around a place, beginning on this side of it; true once something is found.
async fn go_around(body: &BodyHandle, wanted: &Wanted, at: Pos) -> Result<bool, ActionFailure> {
    let found = |s: &Senses| wanted::nearest(s, wanted).is_some();
    let rings = match wanted.is_in_fields() {
        true => AMONG_FIELDS,
        false => AMONG_HOUSES,
    };
    for ring in rings {
        let corners = body.with(|s| corners(s.feet(), at, *ring));
        for (x, z) in corners {
            if body.with(|s| found(s)) {
                return Ok(true);
            }
            let late = body.with(|s| s.tick) + CORNER_TICKS;
            let enough = |s: &Senses| s.tick > late || found(s);
            let goal = PathGoal::Flat {
                x,
                z,
                range: CORNER_THERE,
            };
            travel::went(travel::travel_until(body, &goal, TravelMode::Walk, &enough).await)?;
            look(body, wanted).await;
        }
    }
    Ok(body.with(|s| found(s)))
}

/// The corners of a round, one after the other from the one that is nearest.
fn corners(feet: Pos, middle: Pos, ring: i32) -> [(i32, i32); 4] {
    let sides = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
    let mut corners = sides.map(|(x, z)| (middle.x + x * ring, middle.z + z * ring));
    let gap = |(x, z): (i32, i32)| feet.distance(Pos::new(x, feet.y, z));
    let nearest = (0..4).min_by(|a, b| gap(corners[*a]).total_cmp(&gap(corners[*b])));
    corners.rotate_left(nearest.unwrap_or(0));
    corners
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_begins_at_the_nearest_corner() {
        let corners = corners(Pos::new(-30, 70, 2), Pos::new(0, 64, 0), 9);
        assert_eq!(corners, [(-9, 9), (-9, -9), (9, -9), (9, 9)]);
    }
}
