//! Rays: which cells a straight line passes, in order.
//!
//! Three-dimensional digital differential analyser (Amanatides and Woo). It knows nothing of
//! blocks. Invariant: no trigonometry, so the same line visits the same cells on every machine.

use crate::space::{Facing, Point, Pos};

/// The walk of one line through the cells; the cell of the origin is not visited.
#[derive(Debug, Clone)]
pub(crate) struct Ray {
    at: Pos,
    step: [i32; 3],
    /// Distance along the line to the next boundary of each axis.
    next: [f64; 3],
    /// Distance along the line between two boundaries of each axis.
    delta: [f64; 3],
}

/// One cell on the line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RayCell {
    pub(crate) at: Pos,
    /// Distance from the origin to the side where the line enters.
    pub(crate) distance: f64,
    /// The side where the line enters.
    pub(crate) side: Facing,
}

impl Ray {
    /// A line from `origin` along `direction`, which need not have length one.
    pub(crate) fn new(origin: Point, direction: [f64; 3]) -> Self {
        let [x, y, z] = direction;
        let length = (x * x + y * y + z * z).sqrt().max(1e-12);
        let at = origin.block();
        let from = [origin.x, origin.y, origin.z];
        let cell = [at.x, at.y, at.z];
        let mut ray = Self {
            at,
            step: [0; 3],
            next: [f64::INFINITY; 3],
            delta: [f64::INFINITY; 3],
        };
        for axis in 0..3 {
            let d = direction[axis] / length;
            if d > 1e-9 {
                ray.step[axis] = 1;
                ray.delta[axis] = 1.0 / d;
                ray.next[axis] = (f64::from(cell[axis]) + 1.0 - from[axis]) / d;
            } else if d < -1e-9 {
                ray.step[axis] = -1;
                ray.delta[axis] = -1.0 / d;
                ray.next[axis] = (f64::from(cell[axis]) - from[axis]) / d;
            }
        }
        ray
    }

    /// A line from one point towards another.
    pub(crate) fn towards(origin: Point, target: Point) -> Self {
        Self::new(
            origin,
            [
                target.x - origin.x,
                target.y - origin.y,
                target.z - origin.z,
            ],
        )
    }

    /// The cell that the line has come to.
    pub(crate) fn at(&self) -> Pos {
        self.at
    }

    /// The next cell on the line and its distance, as `advance` tells them: for loops over so many cells that it is worth
    /// to have no branch here, for the axis of the next step of a slanted line cannot be foretold.
    #[inline]
    pub(crate) fn pass(&mut self) -> (Pos, f64) {
        let [x, y, z] = self.next;
        let along_x = (x <= y) & (x <= z);
        let along_y = !along_x & (y <= z);
        let along = [along_x, along_y, !(along_x | along_y)];
        let low = if x <= y { x } else { y };
        let distance = if low <= z { low } else { z };
        let parts = self.next.iter_mut().zip(self.delta);
        for ((next, delta), is_along) in parts.zip(along) {
            let mask = u64::from(is_along).wrapping_neg();
            *next += f64::from_bits(delta.to_bits() & mask);
        }
        let step = |axis: usize| self.step[axis] & i32::from(along[axis]).wrapping_neg();
        self.at = self.at.plus(step(0), step(1), step(2));
        (self.at, distance)
    }

    /// The next cell on the line.
    #[inline]
    pub(crate) fn advance(&mut self) -> RayCell {
        let [x, y, z] = self.next;
        let axis = if x <= y && x <= z {
            0
        } else if y <= z {
            1
        } else {
            2
        };
        let distance = self.next[axis];
        self.next[axis] += self.delta[axis];
        let ahead = self.step[axis] > 0;
        let side = match axis {
            0 => {
                self.at.x += self.step[0];
                if ahead { Facing::West } else { Facing::East }
            }
            1 => {
                self.at.y += self.step[1];
                if ahead { Facing::Down } else { Facing::Up }
            }
            _ => {
                self.at.z += self.step[2];
                if ahead { Facing::North } else { Facing::South }
            }
        };
        RayCell {
            at: self.at,
            distance,
            side,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_ray_visits_neighbours_in_order() {
        let mut ray = Ray::new(Point::new(0.5, 0.5, 0.5), [1.0, 0.0, 0.0]);
        let seen: Vec<RayCell> = (0..3).map(|_| ray.advance()).collect();
        assert_eq!(seen.iter().map(|v| v.at.x).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!((seen[1].distance, seen[1].side), (1.5, Facing::West));
    }

    #[test]
    fn a_ray_passes_the_cells_that_it_advances_through() {
        let mut rng = crate::rng::Rng::new(4);
        for n in 0..500 {
            // Whole numbers and zeros too, where the ways along two axes are equally long.
            let mut draw = || {
                let v = rng.unit() * 8.0 - 4.0;
                if n % 2 == 0 { v } else { v.round() }
            };
            let ray = Ray::new(Point::new(draw(), draw(), draw()), [draw(), draw(), draw()]);
            let (mut one, mut other) = (ray.clone(), ray);
            for _ in 0..60 {
                let (passed, visit) = (one.pass(), other.advance());
                assert_eq!(passed, (visit.at, visit.distance));
            }
        }
    }

    #[test]
    fn a_slanted_ray_reaches_its_target() {
        let target = Pos::new(-7, 12, 5);
        let mut ray = Ray::towards(Point::new(0.3, 0.4, 0.5), target.centre());
        assert!((0..40).any(|_| ray.advance().at == target));
    }
}
