//! Arrows: what archers have loosed, in flight until it meets a block or the body.
//!
//! Speed, drag and harm are those of 1.16. An arrow that met something is gone: those of mobs cannot be picked up.
//! Invariant: none passes through a solid block, and at most `ARROWS_MAX` fly.

use super::body::collide::BoundingBox;
use super::body::{HEIGHT, PlayerBody, WIDTH, sight};
use super::grid::Grid;
use crate::block as blocks;
use crate::mob::MobKind;
use crate::space::Point;

/// A bound for the list; twelve archers have some twenty in the air.
const ARROWS_MAX: usize = 64;
/// Speed lost to the fall in a tick, and the share of it that is kept in air and in water.
const GRAVITY: f64 = 0.05;
const DRAG: f64 = 0.99;
const DRAG_WATER: f64 = 0.6;
/// A hit counts so far beyond the box of the body.
const MARGIN: f64 = 0.3;
/// Below this it has left the world.
const VOID_Y: f64 = -64.0;

/// An arrow in the air.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arrow {
    pub at: Point,
    /// Blocks per tick.
    pub velocity: Point,
    /// Harm for each block per tick of its speed, in half hearts.
    pub strength: f64,
    pub by: MobKind,
}

/// An arrow that met the body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ArrowHit {
    pub(super) damage: f32,
    pub(super) by: MobKind,
    /// Where it came from.
    pub(super) from: Point,
}

/// All arrows in the air, oldest first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Arrows(Vec<Arrow>);

impl Arrows {
    pub fn iter(&self) -> impl Iterator<Item = &Arrow> {
        self.0.iter()
    }

    /// Lets one more fly.
    pub(super) fn loose(&mut self, arrow: Arrow) {
        if self.0.len() >= ARROWS_MAX {
            self.0.remove(0);
        }
        self.0.push(arrow);
    }

    /// One tick of flight; those that met the body.
    pub(super) fn step(&mut self, grid: &Grid, body: &PlayerBody) -> Vec<ArrowHit> {
        let mut hits = Vec::new();
        self.0.retain_mut(|arrow| {
            let to = ahead(arrow, 1.0);
            let met = share_to(arrow, body).map(|share| ahead(arrow, share));
            let is_open = |end| sight::is_free(|at| grid.block(at), arrow.at, end);
            if met.is_some_and(|end| body.alive() && is_open(end)) {
                let speed = arrow.velocity.distance(Point::default());
                hits.push(ArrowHit {
                    damage: (speed * arrow.strength).ceil() as f32,
                    by: arrow.by,
                    from: arrow.at,
                });
                return false;
            }
            let flies = is_open(to) && to.y > VOID_Y && grid.is_loaded(to.block());
            arrow.at = to;
            slow(arrow, grid);
            flies
        });
        hits
    }
}

/// Where it is after a share of a tick.
fn ahead(arrow: &Arrow, share: f64) -> Point {
    let v = arrow.velocity;
    arrow.at.plus(v.x * share, v.y * share, v.z * share)
}

fn slow(arrow: &mut Arrow, grid: &Grid) {
    let is_wet = grid.block(arrow.at.block()) == blocks::WATER;
    let kept = if is_wet { DRAG_WATER } else { DRAG };
    let v = arrow.velocity;
    arrow.velocity = Point::new(v.x * kept, v.y * kept - GRAVITY, v.z * kept);
}

/// The share of this tick's way after which it meets the body, if it does.
fn share_to(arrow: &Arrow, body: &PlayerBody) -> Option<f64> {
    let low = body.at.plus(0.0, -MARGIN, 0.0);
    let bounds = BoundingBox::standing(low, WIDTH + 2.0 * MARGIN, HEIGHT + 2.0 * MARGIN);
    let share = bounds.met(arrow.at, arrow.velocity);
    share.filter(|share| *share <= 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::BlockId;
    use crate::space::Pos;

    const FLOOR: i32 = 60;

    fn arrow(velocity: [f64; 3]) -> Arrow {
        Arrow {
            at: Point::new(10.5, 62.0, 0.5),
            velocity: velocity.into(),
            strength: 2.22,
            by: MobKind::Skeleton,
        }
    }

    /// What the arrow does to a body at the origin within three seconds.
    fn shot(built: &[(Pos, BlockId)], velocity: [f64; 3]) -> Vec<ArrowHit> {
        let mut grid = Grid::flat(FLOOR);
        grid.ensure_around(Pos::default(), 3);
        for (at, block) in built {
            grid.set(*at, *block);
        }
        let body = PlayerBody::new(Pos::new(0, FLOOR + 1, 0).floor());
        let mut arrows = Arrows::default();
        arrows.loose(arrow(velocity));
        let hits = (0..60).flat_map(|_| arrows.step(&grid, &body)).collect();
        assert_eq!(arrows.iter().count(), 0, "it ends somewhere");
        hits
    }

    #[test]
    fn an_arrow_hits_what_is_in_its_way_and_falls_on_it() {
        let hits = shot(&[], [-1.6, 0.1, 0.0]);
        let [hit] = hits.as_slice() else {
            panic!("{hits:?}");
        };
        assert_eq!((hit.damage, hit.by), (4.0, MobKind::Skeleton));
        assert!(hit.from.x > 0.0, "it comes from the archer: {hit:?}");
        assert_eq!(shot(&[], [-1.6, 0.1, 0.4]), [], "it flies past");
        assert_eq!(shot(&[], [-0.4, 0.0, 0.0]), [], "it falls short");
    }

    #[test]
    fn no_arrow_passes_through_a_wall() {
        let wall = (0..4).map(|up| (Pos::new(5, FLOOR + 1 + up, 0), blocks::STONE));
        let wall: Vec<_> = wall.collect();
        assert_eq!(shot(&wall, [-1.6, 0.1, 0.0]), []);
        // Faster than a block in a tick, it still meets what it flies through.
        assert_eq!(shot(&wall, [-9.0, 0.0, 0.0]), []);
    }

    #[test]
    fn an_arrow_flies_over_what_is_flat() {
        let at_arrow = |name: &str| [(Pos::new(5, FLOOR + 2, 0), name.parse().unwrap())];
        let hits = |name: &str| shot(&at_arrow(name), [-1.6, 0.1, 0.0]).len();
        assert_eq!(["white_carpet", "lily_pad"].map(hits), [1, 1]);
        assert_eq!(["oak_slab", "oak_fence"].map(hits), [0, 0]);
    }
}
