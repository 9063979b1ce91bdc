//! Loose things: how items and orbs sink, slide along blocks and come within the grasp of a body.
//!
//! The figures that both share are those of 1.16; what differs stands in `Loose`.

use super::body::collide::{self, BoundingBox};
use super::body::{HEIGHT, WIDTH};
use super::grid::Grid;
use crate::block as blocks;
use crate::space::Point;

/// Five minutes, as in the game: what is not fetched by then is lost.
pub(super) const LIFE_TICKS: u32 = 6_000;
/// Shares of speed kept per tick: in the air, on the ground and in water.
const DRAG: f64 = 0.98;
const DRAG_GROUND: f64 = 0.6;
const DRAG_WATER: f64 = 0.99;
/// Blocks per tick: what is gained upwards in water per tick, and the most that comes of it.
const LIFT: f64 = 0.0005;
const BUOYANCY: f64 = 0.06;
/// How far beyond its own box the body reaches, sideways and up or down.
const GRASP_FLAT: f64 = 1.0;
const GRASP_HIGH: f64 = 0.5;

/// What sets one sort of loose thing apart.
pub(super) struct Loose {
    /// Side of the box, in blocks.
    pub(super) size: f64,
    /// Speed gained downwards, in blocks per tick and tick.
    pub(super) gravity: f64,
    /// The share of its speed with which it leaves the ground again; `None` for what stays there.
    pub(super) bounce: Option<f64>,
}

impl Loose {
    /// The box of a thing whose underside has its middle here.
    pub(super) fn bounds(&self, at: Point) -> BoundingBox {
        BoundingBox::standing(at, self.size, self.size)
    }

    /// Weight in the air, or drag and lift in water, so that things bob at the surface.
    pub(super) fn sink(&self, grid: &Grid, at: Point, v: &mut Point) {
        if grid.block(at.block()) == blocks::WATER {
            (v.x, v.z) = (v.x * DRAG_WATER, v.z * DRAG_WATER);
            v.y = (v.y + LIFT).min(BUOYANCY);
        } else {
            v.y -= self.gravity;
        }
    }

    /// Moves it as far as blocks allow and slows it down; true if it lies on something.
    pub(super) fn slide(&self, grid: &Grid, at: &mut Point, v: &mut Point) -> bool {
        let wish = [v.x, v.y, v.z];
        let got = collide::slide(grid, self.bounds(*at), wish);
        *at = at.plus(got[0], got[1], got[2]);
        // It wanted down and did not get there: something holds it.
        let lies = wish[1] < 0.0 && got[1] != wish[1];
        let drag = if lies { DRAG * DRAG_GROUND } else { DRAG };
        let kept = |axis: usize| {
            if got[axis] == wish[axis] {
                wish[axis]
            } else {
                0.0
            }
        };
        let up = match self.bounce {
            Some(share) if lies => wish[1] * -share,
            _ => kept(1),
        };
        *v = Point::new(kept(0) * drag, up * DRAG, kept(2) * drag);
        lies
    }

    /// Does a body that stands here reach it?
    pub(super) fn is_in_grasp(&self, at: Point, feet: Point) -> bool {
        let flat = WIDTH / 2.0 + GRASP_FLAT + self.size / 2.0;
        (at.x - feet.x).abs() < flat
            && (at.z - feet.z).abs() < flat
            && at.y + self.size > feet.y - GRASP_HIGH
            && at.y < feet.y + HEIGHT + GRASP_HIGH
    }
}
