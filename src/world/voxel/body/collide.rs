//! Collision: how far a box can go before blocks stop it.
//!
//! Axis by axis as the game does it. Walls that the box is already inside of never stop it, so what
//! is buried can dig itself out. Invariant: nothing is allocated here.

use super::super::grid::Grid;
use crate::block as blocks;
use crate::block::BlockId;
use crate::space::{Point, Pos, floor};
use std::sync::LazyLock;

/// Touching is not overlapping: sums of halves and tenths are off by less than this.
const EPSILON: f64 = 1e-7;
/// What a walker climbs without a jump: slabs, but no full block.
/// Blocks, as in the game.
const STEP: f64 = 0.6;
/// The tallest collision shape (fences).
/// Fences are one block and a half, so that nobody jumps over them.
const TALL: f64 = 1.5;

/// Heights of collision shapes in sixteenths, by row; 0 lets everything through.
/// Looked up for every cell of every move, so it is a table and not a match of names.
static HEIGHTS: LazyLock<Vec<u8>> = LazyLock::new(|| BlockId::all().map(sixteenths).collect());

fn sixteenths(block: BlockId) -> u8 {
    let name = block.name();
    match name {
        _ if !block.is_solid() => 0,
        "farmland" | "grass_path" => 15,
        "lily_pad" => 1,
        // No full block and nothing to stand on: these are passed by.
        "ladder" | "snow" => 0,
        "soul_sand" => 14,
        _ if name.ends_with("_carpet") => 1,
        _ if name.ends_with("_slab") => 8,
        _ if name.ends_with("_bed") => 9,
        // Doors and trapdoors have no open state here; they count as open.
        _ if name.ends_with("_door") || name.ends_with("_trapdoor") => 0,
        _ if name.ends_with("_fence") || name.ends_with("_wall") => 24,
        _ => 16,
    }
}

/// Height of what a body collides with in this block, in blocks.
#[must_use]
pub fn height_of(block: BlockId) -> f64 {
    if block == blocks::AIR {
        return 0.0;
    }
    f64::from(HEIGHTS[usize::from(block.row())]) / 16.0
}

/// A box standing on its foot point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoundingBox {
    pub low: [f64; 3],
    pub high: [f64; 3],
}

impl BoundingBox {
    #[must_use]
    pub fn standing(at: Point, width: f64, height: f64) -> Self {
        let half = width / 2.0;
        Self {
            low: [at.x - half, at.y, at.z - half],
            high: [at.x + half, at.y + height, at.z + half],
        }
    }

    /// The copy is moved, never the body's own box.
    #[must_use]
    pub fn moved(mut self, by: [f64; 3]) -> Self {
        for (axis, by) in by.into_iter().enumerate() {
            self.low[axis] += by;
            self.high[axis] += by;
        }
        self
    }

    /// The point of the box nearest to another point.
    #[must_use]
    pub fn nearest(&self, to: Point) -> Point {
        let along = |axis: usize, v: f64| v.clamp(self.low[axis], self.high[axis]);
        Point::new(along(0, to.x), along(1, to.y), along(2, to.z))
    }

    /// The point in the middle of the box, at this share of its height from below.
    #[must_use]
    pub fn at_height(&self, share: f64) -> Point {
        let along =
            |axis: usize, share: f64| self.low[axis] + (self.high[axis] - self.low[axis]) * share;
        Point::new(along(0, 0.5), along(1, share), along(2, 0.5))
    }

    /// The share of the straight way after which something that flies so from a point is in the box; None if it passes by.
    #[must_use]
    pub fn met(&self, from: Point, way: Point) -> Option<f64> {
        let (from, way) = ([from.x, from.y, from.z], [way.x, way.y, way.z]);
        // The slab method: the latest entry and the earliest exit over the three axes.
        let (mut enters, mut leaves) = (0.0_f64, f64::INFINITY);
        for axis in 0..3 {
            let sides = [self.low[axis] - from[axis], self.high[axis] - from[axis]];
            // Parallel to the slab: inside it always or never.
            if way[axis] == 0.0 {
                if sides[0] > 0.0 || sides[1] < 0.0 {
                    return None;
                }
                continue;
            }
            let [one, other] = sides.map(|side| side / way[axis]);
            enters = enters.max(one.min(other));
            leaves = leaves.min(one.max(other));
        }
        (enters <= leaves).then_some(enters)
    }

    /// True if the box and the full cube of the block share room.
    /// Boxes that only touch do not overlap.
    #[must_use]
    pub fn overlaps(&self, pos: Pos, height: f64) -> bool {
        let low = [f64::from(pos.x), f64::from(pos.y), f64::from(pos.z)];
        let high = [low[0] + 1.0, low[1] + height, low[2] + 1.0];
        (0..3).all(|axis| {
            low[axis] < self.high[axis] - EPSILON && high[axis] > self.low[axis] + EPSILON
        })
    }

    /// The cells that the box reaches into, as inclusive corners.
    #[must_use]
    pub fn cells(&self) -> ([i32; 3], [i32; 3]) {
        // A box that ends exactly on a border does not reach into the next cell.
        let low = self.low.map(|v| floor(v + EPSILON));
        let high = self.high.map(|v| floor(v - EPSILON));
        (low, high)
    }
}

/// How far the box gets of `wish`, y first, then the longer of x and z.
/// Downwards first: a body that lands in this tick has its footing before it walks.
#[must_use]
pub fn slide(grid: &Grid, bounds: BoundingBox, wish: [f64; 3]) -> [f64; 3] {
    let mut got = [0.0; 3];
    let order = if wish[0].abs() < wish[2].abs() {
        [1, 2, 0]
    } else {
        [1, 0, 2]
    };
    let mut bounds = bounds;
    for axis in order {
        if wish[axis] == 0.0 {
            continue;
        }
        got[axis] = along(grid, &bounds, axis, wish[axis]);
        let mut by = [0.0; 3];
        by[axis] = got[axis];
        bounds = bounds.moved(by);
    }
    got
}

/// As `slide`, and climbs what is at most a step high when it has footing.
#[must_use]
pub fn walk(grid: &Grid, bounds: BoundingBox, wish: [f64; 3], footing: bool) -> [f64; 3] {
    let got = slide(grid, bounds, wish);
    let clipped = got[0] != wish[0] || got[2] != wish[2];
    let lands = wish[1] < 0.0 && got[1] != wish[1];
    // Without footing nothing is climbed: a body in the air slides down the wall.
    if !clipped || !(footing || lands) {
        return got;
    }
    // Straight up a whole step, or only as far as the ceiling ahead lets it, as through a door.
    let mut swept = bounds;
    for axis in [0, 2] {
        swept.low[axis] += wish[axis].min(0.0);
        swept.high[axis] += wish[axis].max(0.0);
    }
    let rises = [bounds, swept].map(|room| along(grid, &room, 1, STEP));
    let climbs = rises.map(|up| climb(grid, bounds, wish, up));
    let far = |got: [f64; 3]| got[0] * got[0] + got[2] * got[2];
    // A climb counts only if it brings the body farther over the ground.
    let best = |so_far, climb| {
        if far(climb) > far(so_far) {
            climb
        } else {
            so_far
        }
    };
    climbs.into_iter().fold(got, best)
}

/// Up, ahead, and down again by what it rose.
fn climb(grid: &Grid, bounds: BoundingBox, wish: [f64; 3], up: f64) -> [f64; 3] {
    let raised = bounds.moved([0.0, up, 0.0]);
    let over = slide(grid, raised, [wish[0], 0.0, wish[2]]);
    let down = along(grid, &raised.moved(over), 1, wish[1] - up);
    [over[0], up + down, over[2]]
}

/// True if no block is in the box.
#[must_use]
pub fn is_free(grid: &Grid, bounds: &BoundingBox) -> bool {
    let (low, high) = bounds.cells();
    // One layer lower, because fences are taller than their cell.
    for y in low[1] - 1..=high[1] {
        for z in low[2]..=high[2] {
            for x in low[0]..=high[0] {
                let pos = Pos::new(x, y, z);
                let height = height_of(grid.block(pos));
                if height > 0.0 && bounds.overlaps(pos, height) {
                    return false;
                }
            }
        }
    }
    true
}

/// How far the box gets along one axis.
fn along(grid: &Grid, bounds: &BoundingBox, axis: usize, wish: f64) -> f64 {
    // Only the room that the leading face passes through can hold a new wall.
    let mut swept = *bounds;
    if wish > 0.0 {
        swept.low[axis] = bounds.high[axis] - 2.0 * EPSILON;
        swept.high[axis] = bounds.high[axis] + wish + 2.0 * EPSILON;
    } else {
        swept.high[axis] = bounds.low[axis] + 2.0 * EPSILON;
        swept.low[axis] = bounds.low[axis] + wish - 2.0 * EPSILON;
    }
    let (mut low, high) = swept.cells();
    // A fence one cell lower may still stand in the way.
    // Half a block is what a fence reaches above its own cell.
    low[1] = floor(swept.low[1] - (TALL - 1.0) + EPSILON).min(low[1]);
    let mut left = wish;
    for y in low[1]..=high[1] {
        for z in low[2]..=high[2] {
            for x in low[0]..=high[0] {
                let height = height_of(grid.block(Pos::new(x, y, z)));
                if height > 0.0 {
                    left = clip(
                        bounds,
                        axis,
                        left,
                        [f64::from(x), f64::from(y), f64::from(z)],
                        height,
                    );
                }
            }
        }
    }
    left
}

/// What one wall leaves of the way along one axis.
fn clip(bounds: &BoundingBox, axis: usize, wish: f64, low: [f64; 3], height: f64) -> f64 {
    let high = [low[0] + 1.0, low[1] + height, low[2] + 1.0];
    // Beside the box on another axis: not in the way.
    let beside =
        |a: usize| bounds.high[a] <= low[a] + EPSILON || bounds.low[a] >= high[a] - EPSILON;
    if (0..3).any(|a| a != axis && beside(a)) {
        return wish;
    }
    // A wall that the box is already inside of has its near side behind the front: it does
    // not stop it.
    if wish > 0.0 && low[axis] >= bounds.high[axis] - EPSILON {
        wish.min(low[axis] - bounds.high[axis]).max(0.0)
    } else if wish < 0.0 && high[axis] <= bounds.low[axis] + EPSILON {
        wish.max(high[axis] - bounds.low[axis]).min(0.0)
    } else {
        wish
    }
}
