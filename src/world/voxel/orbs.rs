//! Orbs: experience on its way to the body, from what was mined, smelted, killed or bred.
//!
//! The figures are those of 1.16; a mended tool takes its share when an orb arrives, see `learning`. Invariant: at most
//! `ORBS_MAX` lie about, and a point is lost only to age and lava.

use super::body::{EYES, PlayerBody};
use super::currents::{self, Drifter};
use super::fluids::Fluids;
use super::grid::Grid;
use super::loose::{LIFE_TICKS, Loose};
use crate::block as blocks;
use crate::rng::{Rng, Streams};
use crate::space::Point;

/// A bound for the list; beyond it the points go to the youngest orb.
const ORBS_MAX: usize = 256;
/// Sizes of orbs, largest first: points come in as few as these allow.
const SIZES: [u32; 11] = [2477, 1237, 617, 307, 149, 73, 37, 17, 7, 3, 1];
/// An orb bounces off the ground with nine tenths of its speed.
const ORB: Loose = Loose {
    size: 0.5,
    gravity: 0.03,
    bounce: Some(0.9),
};
/// It flies to a body within this distance, the faster the nearer.
const DRAWN_WITHIN: f64 = 8.0;
const DRAW: f64 = 0.1;
/// Ticks between two orbs that the body takes.
const TAKE_TICKS: u8 = 2;
/// Points that lie or fly about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Orb {
    pub points: u32,
    /// The middle of its underside.
    pub at: Point,
    /// Blocks per tick.
    pub velocity: Point,
    pub age: u32,
}

/// All orbs, oldest first.
#[derive(Debug, Clone, PartialEq)]
pub struct Orbs {
    orbs: Vec<Orb>,
    /// Ticks until the body takes the next one.
    rest: u8,
    /// Where they fly at first.
    chance: Rng,
    is_used: bool,
}

impl Orbs {
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            orbs: Vec::new(),
            rest: 0,
            chance: Streams(seed).get("orbs"),
            is_used: false,
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Orb> {
        self.orbs.iter()
    }

    /// The state that is not seen, for checksums: none as long as there never was an orb.
    #[must_use]
    pub(super) fn private_state(&self) -> Option<(u8, u64)> {
        self.is_used.then(|| (self.rest, self.chance.state()))
    }

    /// Lets points fly out of a place.
    pub(super) fn scatter(&mut self, mut points: u32, from: Point) {
        while let Some(size) = SIZES.into_iter().find(|size| *size <= points) {
            if self.orbs.len() >= ORBS_MAX {
                if let Some(last) = self.orbs.last_mut() {
                    last.points += points;
                }
                return;
            }
            points -= size;
            self.is_used = true;
            let mut draw = |low: f64, span: f64| low + self.chance.unit() * span;
            let velocity = Point::new(draw(-0.2, 0.4), draw(0.0, 0.4), draw(-0.2, 0.4));
            self.orbs.push(Orb {
                points: size,
                at: from,
                velocity,
                age: 0,
            });
        }
    }

    /// One tick of flight; the points that reached the body.
    pub(super) fn step(&mut self, grid: &Grid, fluids: &Fluids, body: &PlayerBody) -> u32 {
        self.rest = self.rest.saturating_sub(1);
        if self.orbs.is_empty() {
            return 0;
        }
        let (mut taken, rest) = (0, &mut self.rest);
        self.orbs.retain_mut(|orb| {
            orb.age += 1;
            fly(orb, grid, fluids, body);
            if *rest == 0 && body.alive() && ORB.is_in_grasp(orb.at, body.at) {
                *rest = TAKE_TICKS;
                taken += orb.points;
                return false;
            }
            orb.age < LIFE_TICKS && grid.block(orb.at.block()) != blocks::LAVA
        });
        taken
    }
}

fn fly(orb: &mut Orb, grid: &Grid, fluids: &Fluids, body: &PlayerBody) {
    let bounds = ORB.bounds(orb.at);
    let push = currents::push(fluids, grid, bounds, orb.velocity, Drifter::Other);
    let mut v = orb.velocity.plus(push.x, push.y, push.z);
    ORB.sink(grid, orb.at, &mut v);
    let to = body.at.plus(0.0, EYES / 2.0, 0.0);
    let away = orb.at.distance(to);
    if body.alive() && away < DRAWN_WITHIN && away > 0.0 {
        let near = 1.0 - away / DRAWN_WITHIN;
        let pull = near * near * DRAW / away;
        v = v.plus(
            (to.x - orb.at.x) * pull,
            (to.y - orb.at.y) * pull,
            (to.z - orb.at.z) * pull,
        );
    }
    ORB.slide(grid, &mut orb.at, &mut v);
    orb.velocity = v;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Pos;

    const FLOOR: i32 = 60;

    /// What a body at the origin has got of 20 points after so many ticks, and what still lies about.
    fn left_after(ticks: u32, from: Point, built: &[Pos]) -> (u32, u32) {
        let mut grid = Grid::flat(FLOOR);
        grid.ensure_around(Pos::default(), 2);
        for at in built {
            grid.set(*at, blocks::STONE);
        }
        let body = PlayerBody::new(Pos::new(0, FLOOR + 1, 0).floor());
        let (mut orbs, fluids) = (Orbs::new(1), Fluids::new());
        orbs.scatter(20, from);
        assert_eq!(orbs.iter().count(), 2, "17 and 3");
        let got = (0..ticks).map(|_| orbs.step(&grid, &fluids, &body)).sum();
        (got, orbs.iter().map(|orb| orb.points).sum())
    }

    #[test]
    fn orbs_fly_to_a_body_that_is_near_and_lie_where_none_is() {
        let at = |x: f64| Point::new(x, f64::from(FLOOR) + 1.5, 0.5);
        assert_eq!(left_after(1, at(6.0), &[]), (0, 20), "not at once");
        assert_eq!(left_after(200, at(6.0), &[]), (20, 0));
        assert_eq!(left_after(200, at(20.0), &[]), (0, 20));
        assert_eq!(left_after(LIFE_TICKS, at(20.0), &[]), (0, 0), "too old");
    }

    #[test]
    fn a_wall_keeps_orbs_from_the_body() {
        let wall: Vec<Pos> = (0..9 * 12)
            .map(|n| Pos::new(3, FLOOR + 1 + n / 12, n % 12 - 6))
            .collect();
        let from = Point::new(6.0, f64::from(FLOOR) + 1.5, 0.5);
        assert_eq!(left_after(60, from, &wall), (0, 20));
    }
}
