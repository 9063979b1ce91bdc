//! Currents: where flowing water and lava push what is in them.
//!
//! Directions and strengths are those of 1.16. Invariant: fluid that has always stood still pushes nothing.

use super::body::collide::BoundingBox;
use super::fluids::{Fluids, PARTS};
use super::grid::Grid;
use crate::block as blocks;
use crate::space::{Facing, Point, Pos};

/// Blocks per tick, gained in each tick.
const WATER: f64 = 0.014;
const LAVA: f64 = 0.007 / 3.0;
/// What stands still is moved at least so much, or the rounding of rest would hold it for good.
const LEAST: f64 = 0.0045;
const AT_REST: f64 = 0.003;
/// A source fills this share of its cell.
const SOURCE: f64 = 8.0 / PARTS;
/// Water that comes down along a wall pulls down more than aside.
const PULL: f64 = -6.0;
/// Shallower than this, the push fades with the depth.
const SHALLOW: f64 = 0.4;
/// The box is so much smaller on each side.
const SKIN: f64 = 0.001;

/// What is pushed: a player is moved less where the currents in its box disagree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Drifter {
    Player,
    Other,
}

/// The push of one tick on a box that moves with this velocity.
#[inline]
pub(super) fn push(
    fluids: &Fluids,
    grid: &Grid,
    bounds: BoundingBox,
    velocity: Point,
    who: Drifter,
) -> Point {
    // Nothing flows near: the usual case.
    let [x, y, z] = bounds.low;
    match fluids.flow_near(Point::new(x, y, z).block()) {
        true => push_of_flows(fluids, grid, bounds, velocity, who),
        false => Point::default(),
    }
}

#[inline(never)]
fn push_of_flows(
    fluids: &Fluids,
    grid: &Grid,
    bounds: BoundingBox,
    velocity: Point,
    who: Drifter,
) -> Point {
    let mut push = Point::default();
    let smaller = BoundingBox {
        low: bounds.low.map(|v| v + SKIN),
        high: bounds.high.map(|v| v - SKIN),
    };
    let (low, high) = smaller.cells();
    let mut flows = [(Point::default(), 0_u32); 2];
    for y in low[1]..=high[1] {
        for z in low[2]..=high[2] {
            for x in low[0]..=high[0] {
                let pos = Pos::new(x, y, z);
                let (sum, count) = match grid.block(pos) {
                    blocks::WATER => &mut flows[0],
                    blocks::LAVA => &mut flows[1],
                    _ => continue,
                };
                let depth = f64::from(y) + height(fluids, grid, pos) - smaller.low[1];
                if depth < 0.0 {
                    continue;
                }
                let share = if depth < SHALLOW { depth } else { 1.0 };
                let flow = flow(fluids, grid, pos);
                *sum = sum.plus(flow.x * share, flow.y * share, flow.z * share);
                *count += 1;
            }
        }
    }
    for ((sum, count), strength) in flows.into_iter().zip([WATER, LAVA]) {
        let length = sum.distance(Point::default());
        if length == 0.0 {
            continue;
        }
        let by = match who {
            Drifter::Player => strength / f64::from(count),
            Drifter::Other => strength / length,
        };
        let still = velocity.x.abs() < AT_REST && velocity.z.abs() < AT_REST;
        let by = if still && length * by < LEAST {
            LEAST / length
        } else {
            by
        };
        push = push.plus(sum.x * by, sum.y * by, sum.z * by);
    }
    push
}

/// How high the fluid of a cell stands in it.
fn height(fluids: &Fluids, grid: &Grid, pos: Pos) -> f64 {
    if grid.block(pos.up()) == grid.block(pos) {
        1.0
    } else {
        f64::from(fluids.thickness(pos)) / PARTS
    }
}

/// The direction in which the fluid of a cell flows, of length one; 0 where it stands.
fn flow(fluids: &Fluids, grid: &Grid, pos: Pos) -> Point {
    let block = grid.block(pos);
    let thick = |at| f64::from(fluids.thickness(at)) / PARTS;
    let own = thick(pos);
    let mut sum = Point::default();
    for side in Facing::FLAT {
        let beside = pos.side(side);
        let there = grid.block(beside);
        let lower = if there == block {
            own - thick(beside)
        } else if !there.is_solid() && !there.is_fluid() && grid.block(beside.down()) == block {
            // Over an edge.
            own - (thick(beside.down()) - SOURCE)
        } else {
            continue;
        };
        let [x, _, z] = side.step();
        sum = sum.plus(f64::from(x) * lower, 0.0, f64::from(z) * lower);
    }
    let is_wall = |side: &Facing| {
        let beside = pos.side(*side);
        grid.block(beside).is_solid() || grid.block(beside.up()).is_solid()
    };
    if fluids.is_falling(pos) && Facing::FLAT.iter().any(is_wall) {
        sum = unit(sum).plus(0.0, PULL, 0.0);
    }
    unit(sum)
}

fn unit(v: Point) -> Point {
    let length = v.distance(Point::default());
    if length < 1e-4 {
        return Point::default();
    }
    Point::new(v.x / length, v.y / length, v.z / length)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOOR: i32 = 10;

    /// A source on flat ground that has run out to all sides.
    fn scene() -> (Grid, Fluids) {
        let mut grid = Grid::flat(FLOOR);
        grid.ensure_around(Pos::default(), 2);
        let mut fluids = Fluids::new();
        grid.set(Pos::new(0, FLOOR + 1, 0), blocks::WATER);
        for _ in 0..200 {
            drop(fluids.step(&mut grid));
        }
        (grid, fluids)
    }

    fn pushed(scene: &(Grid, Fluids), at: Pos, who: Drifter) -> Point {
        let bounds = BoundingBox::standing(at.floor(), 0.6, 1.8);
        push(&scene.1, &scene.0, bounds, Point::default(), who)
    }

    #[test]
    fn running_water_pushes_away_from_its_source() {
        let scene = scene();
        let east = pushed(&scene, Pos::new(3, FLOOR + 1, 0), Drifter::Other);
        assert!((east.x - WATER).abs() < 1e-9 && east.z == 0.0, "{east:?}");
        let north = pushed(&scene, Pos::new(0, FLOOR + 1, -3), Drifter::Player);
        assert!(north.z < -0.004 && north.x == 0.0, "{north:?}");
        assert_eq!(
            pushed(&scene, Pos::new(12, FLOOR + 1, 0), Drifter::Player),
            Point::default()
        );
    }

    #[test]
    fn a_still_pond_pushes_nothing_even_while_water_runs_elsewhere() {
        let (mut grid, fluids) = scene();
        for at in 0..9 {
            grid.set(Pos::new(20 + at % 3, FLOOR, at / 3), blocks::WATER);
        }
        let scene = (grid, fluids);
        let there = pushed(&scene, Pos::new(21, FLOOR, 1), Drifter::Other);
        assert_eq!(there, Point::default());
    }

    #[test]
    fn a_fall_along_a_wall_pulls_down() {
        let mut grid = Grid::flat(FLOOR);
        grid.ensure_around(Pos::default(), 2);
        for up in 1..8 {
            grid.set(Pos::new(1, FLOOR + up, 0), blocks::STONE);
        }
        grid.set(Pos::new(1, FLOOR + 8, 0), blocks::WATER);
        let mut fluids = Fluids::new();
        for _ in 0..200 {
            drop(fluids.step(&mut grid));
        }
        let down = pushed(&(grid, fluids), Pos::new(2, FLOOR + 4, 0), Drifter::Other);
        assert!(down.y < -0.013, "{down:?}");
    }
}
