//! Goals: where a path should end, and how far off a place is at least.
//!
//! Invariant: the estimate is never above the cost of walking the straight line.

use super::super::ray::Ray;
use super::super::seen::{Seen, square};
use crate::space::{Point, Pos};
use std::sync::Arc;

/// Tenths of a tick for one block over level ground.
/// The same as `WALK`, and never more: A* finds the cheapest path only if no estimate is
/// above the true cost.
pub(super) const PER_BLOCK: u32 = 46;
/// Height of the eyes above the feet.
const EYES: f64 = 1.62;
/// From here a block can be worked on; the hand reaches 4.5, the rest is play.
/// In blocks, from the eyes to the middle of the block.
const REACH: f64 = 4.1;

/// Where to get to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum PathGoal {
    /// The feet within `range` blocks of a place.
    Near { at: Pos, range: f64 },
    /// The feet on one of these places; there is at least one.
    OneOf { places: Arc<[Pos]> },
    /// The feet within `range` blocks of a column, at any height.
    Flat { x: i32, z: i32, range: f64 },
    /// A block within reach of the hand and in sight.
    Reach { at: Pos },
    /// As `Reach`, and not standing on it: what is below it is not known.
    ReachBeside { at: Pos },
    /// As `ReachBeside`, standing on dry ground.
    ReachDry { at: Pos },
    /// The feet at this height or below it.
    Below { y: i32 },
    /// The feet at this height or above it.
    Above { y: i32 },
    /// Air for the head.
    Air,
    /// Dry ground under the feet.
    Ashore,
    /// At least `range` blocks away from a place.
    Away { from: Pos, range: f64 },
    /// At least `range` blocks away from each of these.
    /// Four at most, so that a goal stays small and is copied freely.
    Clear { from: [Option<Pos>; 4], range: f64 },
    /// As `Clear`, or with something known and solid between each of these and the head.
    Hidden { from: [Option<Pos>; 4], range: f64 },
}

impl PathGoal {
    pub(crate) fn is_met(&self, seen: &Seen, feet: Pos) -> bool {
        match *self {
            Self::OneOf { ref places } => places.contains(&feet),
            Self::Near { at, range } => square(feet, at) as f64 <= range * range,
            Self::Flat { x, z, range } => flat(feet, x, z) <= range,
            Self::Reach { at } => feet != at && reaches(seen, feet, at),
            Self::ReachBeside { at } => feet != at && feet.down() != at && reaches(seen, feet, at),
            Self::ReachDry { at } => {
                let beside = Self::ReachBeside { at };
                Self::Ashore.is_met(seen, feet) && beside.is_met(seen, feet)
            }
            Self::Below { y } => feet.y <= y,
            // The cell of the block itself does not count: a body does not work on what it
            // stands in.
            Self::Above { y } => feet.y >= y,
            Self::Air => seen.nature(feet.up()).is_air(),
            Self::Ashore => seen.nature(feet).is_air() && seen.nature(feet.down()).is_floor(),
            Self::Away { from, range } => square(feet, from) as f64 >= range * range,
            Self::Clear { from, range } => nearest(from, feet) >= range,
            Self::Hidden { from, range } => {
                let sees = |at: &Pos| at.distance(feet) < range && !is_screened(seen, *at, feet);
                !from.iter().flatten().any(sees)
            }
        }
    }

    /// Cost from here at least.
    pub(crate) fn estimate(&self, feet: Pos) -> u32 {
        let blocks = match *self {
            Self::OneOf { ref places } => {
                let gaps = places.iter().map(|at| at.distance(feet));
                gaps.fold(f64::INFINITY, f64::min)
            }
            Self::Near { at, range } => feet.distance(at) - range,
            Self::Flat { x, z, range } => flat(feet, x, z) - range,
            Self::Reach { at } | Self::ReachBeside { at } | Self::ReachDry { at } => {
                feet.up().distance(at) - REACH + 1.0
            }
            Self::Below { y } => f64::from(feet.y - y),
            Self::Above { y } => f64::from(y - feet.y),
            // Where air or land may be is not known, so the search spreads evenly.
            Self::Air | Self::Ashore | Self::Hidden { .. } => 0.0,
            Self::Away { from, range } => range - feet.distance(from),
            Self::Clear { from, range } => range - nearest(from, feet),
        };
        (blocks.max(0.0) * f64::from(PER_BLOCK)) as u32
    }

    /// Where to walk to if no way is known; none if the goal lies in no direction.
    pub(crate) fn direction(&self) -> Option<Pos> {
        match *self {
            Self::Near { at, .. }
            | Self::Reach { at }
            | Self::ReachBeside { at }
            | Self::ReachDry { at } => Some(at),
            Self::Flat { x, z, .. } => Some(Pos::new(x, 0, z)),
            Self::Below { .. } | Self::Above { .. } | Self::Air | Self::Ashore => None,
            Self::OneOf { .. } => None,
            Self::Away { .. } | Self::Clear { .. } | Self::Hidden { .. } => None,
        }
    }

    /// The place the goal speaks of, for reports.
    pub(crate) fn place(&self, feet: Pos) -> Pos {
        match *self {
            Self::Near { at, .. }
            | Self::Reach { at }
            | Self::ReachBeside { at }
            | Self::ReachDry { at } => at,
            Self::Flat { x, z, .. } => Pos::new(x, feet.y, z),
            Self::OneOf { ref places } => places[0],
            Self::Below { y } | Self::Above { y } => Pos::new(feet.x, y, feet.z),
            Self::Air => feet.up(),
            Self::Ashore => feet,
            Self::Away { from, .. } => from,
            Self::Clear { from, .. } | Self::Hidden { from, .. } => from[0].unwrap_or(feet),
        }
    }
}

fn nearest(of: [Option<Pos>; 4], feet: Pos) -> f64 {
    let gaps = of.into_iter().flatten().map(|at| feet.distance(at));
    gaps.fold(f64::INFINITY, f64::min)
}

fn flat(feet: Pos, x: i32, z: i32) -> f64 {
    feet.distance(Pos::new(x, feet.y, z))
}

/// True if feet standing there bring the block within reach, nothing known being in between.
pub(crate) fn reaches(seen: &Seen, feet: Pos, block: Pos) -> bool {
    let eye = standing_eyes(feet);
    eye.distance(block.centre()) <= REACH && first_in_way(seen, eye, block).is_none()
}

/// Something solid is known to stand between two heads, and between the one and the other's feet.
fn is_screened(seen: &Seen, from: Pos, feet: Pos) -> bool {
    let eye = standing_eyes(from);
    [0.3, EYES].into_iter().all(|height| {
        let to = feet.floor().plus(0.0, height, 0.0);
        let length = eye.distance(to);
        let mut ray = Ray::towards(eye, to);
        loop {
            let visit = ray.advance();
            if visit.distance >= length {
                return false;
            }
            if seen.nature(visit.at).is_solid() {
                return true;
            }
        }
    })
}

/// Where the eyes of who stands in the cell are.
pub(crate) fn standing_eyes(feet: Pos) -> Point {
    feet.floor().plus(0.0, EYES, 0.0)
}

/// True if the cell lies between the eye and the block.
pub(crate) fn is_between(eye: Point, block: Pos, cell: Pos) -> bool {
    let length = eye.distance(block.centre());
    let mut ray = Ray::towards(eye, block.centre());
    loop {
        let visit = ray.advance();
        if visit.at == block || visit.distance > length {
            return false;
        }
        if visit.at == cell {
            return true;
        }
    }
}

/// The first cell between the eye and the block that is not known to be open.
pub(crate) fn first_in_way(seen: &Seen, eye: Point, block: Pos) -> Option<Pos> {
    if eye.block() == block {
        return None;
    }
    let mut ray = Ray::towards(eye, block.centre());
    loop {
        let visit = ray.advance();
        // Eight blocks are more than any reach; the ray would otherwise run on if it missed
        // the cell.
        if visit.at == block || visit.distance > 8.0 {
            return None;
        }
        let nature = seen.nature(visit.at);
        if !(nature.is_air() || nature.is_water()) {
            return Some(visit.at);
        }
    }
}
