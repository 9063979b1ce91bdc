//! Sight lines: which block a straight look meets first.
//!
//! A walk from cell to cell; everything that is neither air nor fluid is in the way of a hand, only
//! opaque blocks are in the way of the eye. Invariant: the walk is at most `CELLS_MAX` cells long.

use super::super::grid::Grid;
use super::REACH_BLOW;
use super::collide::{BoundingBox, height_of};
use crate::block as blocks;
use crate::block::BlockId;
use crate::space::{Facing, Point, Pos};

/// Longer looks are cut; 64 blocks need at most 3 x 64 cells.
const CELLS_MAX: usize = 192;

/// True for blocks that the crosshair stops at.
#[must_use]
pub fn is_handy(block: BlockId) -> bool {
    block != blocks::AIR && !block.is_fluid()
}

/// True if no opaque block is between the two points.
#[must_use]
pub fn is_clear(grid: &Grid, from: Point, to: Point) -> bool {
    first_cell(from, to, |pos| grid.block(pos).is_opaque()).is_none()
}

/// True if a blow or an arrow that flies straight from one point to the other meets no block on the way.
///
/// What counts is the shape of a block: over a lily pad, a carpet or a slab there is room.
#[must_use]
pub fn is_free(block_at: impl Fn(Pos) -> BlockId, from: Point, to: Point) -> bool {
    let way = Point::new(to.x - from.x, to.y - from.y, to.z - from.z);
    let is_met = |pos: Pos| {
        let height = height_of(block_at(pos));
        let shape = || BoundingBox::standing(pos.floor(), 1.0, height);
        height >= 1.0 || (height > 0.0 && shape().met(from, way).is_some_and(|share| share <= 1.0))
    };
    first_cell(from, to, is_met).is_none()
}

/// True if the hand comes to something alive that fills these bounds: some of it is within reach and no block before it.
#[must_use]
pub fn meets(block_at: impl Fn(Pos) -> BlockId, eyes: Point, bounds: &BoundingBox) -> bool {
    // The nearest point may be behind a corner while the head looks over it.
    let aims = [
        bounds.nearest(eyes),
        bounds.at_height(0.9),
        bounds.at_height(0.5),
    ];
    let mut aims = aims.into_iter();
    aims.any(|to| eyes.distance(to) <= REACH_BLOW && is_free(&block_at, eyes, to))
}

/// A point of the block that the hand can reach and the look meets first.
#[must_use]
pub fn point_of_block(grid: &Grid, eyes: Point, pos: Pos, reach: f64) -> Option<Point> {
    // Both: near enough, and nothing in front.
    let reachable = |point: Point| {
        eyes.distance(point) <= reach
            && first_cell(eyes, point, |at| at == pos || is_handy(grid.block(at))) == Some(pos)
    };
    // Nearest first, then the middle, then the faces turned to the eyes.
    // Many blocks are visible only by an edge; the points of the faces find those.
    let nearest = Point::new(
        inside(eyes.x, pos.x),
        inside(eyes.y, pos.y),
        inside(eyes.z, pos.z),
    );
    if reachable(nearest) {
        return Some(nearest);
    }
    let faces = Facing::ALL
        .into_iter()
        // Only faces turned to the eyes can be met from outside.
        .filter(|side| is_before(eyes, pos, *side));
    faces
        .flat_map(|side| face_points(pos, side))
        .find(|point| reachable(*point))
}

/// True if some point of that side can be seen from its outside and reached.
#[must_use]
pub fn sees_side(grid: &Grid, eyes: Point, pos: Pos, side: Facing, reach: f64) -> bool {
    sees_side_past(eyes, pos, side, reach, |at| is_handy(grid.block(at)))
}

/// As `sees_side`, for whoever knows only by `is_in_way` what is around.
pub(in crate::voxel) fn sees_side_past(
    eyes: Point,
    pos: Pos,
    side: Facing,
    reach: f64,
    is_in_way: impl Fn(Pos) -> bool,
) -> bool {
    is_before(eyes, pos, side)
        && face_points(pos, side).into_iter().any(|point| {
            eyes.distance(point) <= reach
                && first_cell(eyes, point, |at| at == pos || is_in_way(at)) == Some(pos)
        })
}

/// The eyes are on the outer side of this face's plane.
fn is_before(eyes: Point, pos: Pos, side: Facing) -> bool {
    match side {
        Facing::Down => eyes.y < f64::from(pos.y),
        Facing::Up => eyes.y > f64::from(pos.y) + 1.0,
        Facing::North => eyes.z < f64::from(pos.z),
        Facing::South => eyes.z > f64::from(pos.z) + 1.0,
        Facing::West => eyes.x < f64::from(pos.x),
        Facing::East => eyes.x > f64::from(pos.x) + 1.0,
    }
}

/// Points just under a face: its middle and near its corners.
fn face_points(pos: Pos, side: Facing) -> [Point; 5] {
    /// Just below the surface, so that the walk ends in this cell and not in its neighbour.
    const DEEP: f64 = 0.499;
    /// Near the corners, but not on the edge.
    const WIDE: f64 = 0.4;
    let middle = pos.centre();
    let [x, y, z] = side.step().map(|v| f64::from(v) * DEEP);
    let face = middle.plus(x, y, z);
    [
        (0.0, 0.0),
        (WIDE, WIDE),
        (WIDE, -WIDE),
        (-WIDE, WIDE),
        (-WIDE, -WIDE),
    ]
    .map(|(a, b)| match side {
        Facing::Down | Facing::Up => face.plus(a, 0.0, b),
        Facing::North | Facing::South => face.plus(a, b, 0.0),
        Facing::West | Facing::East => face.plus(0.0, a, b),
    })
}

fn inside(eye: f64, cell: i32) -> f64 {
    // A hair inside, so that rounding does not put the point into the neighbour.
    eye.clamp(f64::from(cell) + 0.001, f64::from(cell) + 0.999)
}

/// The first cell on the way, both ends included, that the test holds for.
#[must_use]
pub fn first_cell(from: Point, to: Point, mut test: impl FnMut(Pos) -> bool) -> Option<Pos> {
    let delta = [to.x - from.x, to.y - from.y, to.z - from.z];
    let start = [from.x, from.y, from.z];
    let (first, last) = (from.block(), to.block());
    let mut cell = [first.x, first.y, first.z];
    let end = [last.x, last.y, last.z];
    // Distances are shares of the whole way, 0 to 1: where each axis next crosses a border,
    // and how far apart its borders are.
    let (mut next, mut stride, mut step) = ([f64::INFINITY; 3], [f64::INFINITY; 3], [0; 3]);
    for axis in 0..3 {
        if delta[axis] != 0.0 {
            step[axis] = if delta[axis] > 0.0 { 1 } else { -1 };
            let border = f64::from(cell[axis] + i32::from(delta[axis] > 0.0));
            next[axis] = (border - start[axis]) / delta[axis];
            stride[axis] = 1.0 / delta[axis].abs();
        }
    }
    for _ in 0..CELLS_MAX {
        let pos = Pos::from(cell);
        if test(pos) {
            return Some(pos);
        }
        if cell == end {
            return None;
        }
        // The axis whose border comes first; ties go to the later axis, always the same.
        let axis = if next[0] < next[1] {
            if next[0] < next[2] { 0 } else { 2 }
        } else if next[1] < next[2] {
            1
        } else {
            2
        };
        if next[axis] > 1.0 {
            return None;
        }
        cell[axis] += step[axis];
        next[axis] += stride[axis];
    }
    None
}
