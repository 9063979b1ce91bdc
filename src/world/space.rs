//! Space: block positions, points inside the world, directions.
//!
//! One unit is one block (1 m). Axes are Minecraft's: x east, y up, z south. Yaw is degrees
//! clockwise seen from above with 0 = south; pitch is degrees with 90 = straight down.

use serde::{Deserialize, Serialize};

/// A block position.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(from = "[i32; 3]", into = "[i32; 3]")]
pub struct Pos {
    pub x: i32,
    pub y: i32,
    pub z: i32,
}

impl From<[i32; 3]> for Pos {
    fn from([x, y, z]: [i32; 3]) -> Self {
        Self { x, y, z }
    }
}

impl From<Pos> for [i32; 3] {
    fn from(p: Pos) -> Self {
        [p.x, p.y, p.z]
    }
}

impl std::fmt::Display for Pos {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} {}", self.x, self.y, self.z)
    }
}

impl Pos {
    #[inline]
    #[must_use]
    pub const fn new(x: i32, y: i32, z: i32) -> Self {
        Self { x, y, z }
    }

    /// The position moved by whole blocks.
    #[inline]
    #[must_use]
    pub const fn plus(self, x: i32, y: i32, z: i32) -> Self {
        Self::new(self.x + x, self.y + y, self.z + z)
    }

    /// The block above.
    #[inline]
    #[must_use]
    pub const fn up(self) -> Self {
        self.plus(0, 1, 0)
    }

    /// The block below.
    #[inline]
    #[must_use]
    pub const fn down(self) -> Self {
        self.plus(0, -1, 0)
    }

    /// The neighbour on one side.
    #[inline]
    #[must_use]
    pub const fn side(self, facing: Facing) -> Self {
        let [x, y, z] = facing.step();
        self.plus(x, y, z)
    }

    /// The middle of the block.
    #[inline]
    #[must_use]
    pub fn centre(self) -> Point {
        Point::new(
            f64::from(self.x) + 0.5,
            f64::from(self.y) + 0.5,
            f64::from(self.z) + 0.5,
        )
    }

    /// The middle of the block's floor, where a body stands.
    #[inline]
    #[must_use]
    pub fn floor(self) -> Point {
        Point::new(
            f64::from(self.x) + 0.5,
            f64::from(self.y),
            f64::from(self.z) + 0.5,
        )
    }

    /// Distance in blocks, straight line.
    #[inline]
    #[must_use]
    pub fn distance(self, other: Self) -> f64 {
        self.centre().distance(other.centre())
    }

    /// Sum of the distances along the axes.
    #[inline]
    #[must_use]
    pub fn manhattan(self, other: Self) -> i32 {
        (self.x - other.x).abs() + (self.y - other.y).abs() + (self.z - other.z).abs()
    }
}

/// A point in the world, in blocks.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(from = "[f64; 3]", into = "[f64; 3]")]
pub struct Point {
    pub x: f64,
    pub y: f64,
    pub z: f64,
}

impl From<[f64; 3]> for Point {
    fn from([x, y, z]: [f64; 3]) -> Self {
        Self { x, y, z }
    }
}

impl From<Point> for [f64; 3] {
    fn from(p: Point) -> Self {
        [p.x, p.y, p.z]
    }
}

/// The whole number below; without the call that `f64::floor` is on machines of the oldest kind.
#[inline]
#[must_use]
pub fn floor(v: f64) -> i32 {
    let whole = v as i32;
    whole.saturating_sub(i32::from(f64::from(whole) > v))
}

impl Point {
    #[inline]
    #[must_use]
    pub const fn new(x: f64, y: f64, z: f64) -> Self {
        Self { x, y, z }
    }

    /// The block that contains the point.
    #[inline]
    #[must_use]
    pub fn block(self) -> Pos {
        Pos::new(floor(self.x), floor(self.y), floor(self.z))
    }

    #[inline]
    #[must_use]
    pub fn plus(self, x: f64, y: f64, z: f64) -> Self {
        Self::new(self.x + x, self.y + y, self.z + z)
    }

    #[inline]
    #[must_use]
    pub fn distance(self, other: Self) -> f64 {
        let (x, y, z) = (self.x - other.x, self.y - other.y, self.z - other.z);
        (x * x + y * y + z * z).sqrt()
    }

    /// Distance over the ground, heights ignored.
    #[inline]
    #[must_use]
    pub fn distance_flat(self, other: Self) -> f64 {
        let (x, z) = (self.x - other.x, self.z - other.z);
        (x * x + z * z).sqrt()
    }

    /// True if no coordinate is infinite or not a number.
    #[inline]
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }
}

/// One of the six sides of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Facing {
    Down,
    Up,
    North,
    South,
    West,
    East,
}

impl Facing {
    pub const ALL: [Self; 6] = [
        Self::Down,
        Self::Up,
        Self::North,
        Self::South,
        Self::West,
        Self::East,
    ];
    pub const FLAT: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The step to the neighbour on this side.
    #[inline]
    #[must_use]
    pub const fn step(self) -> [i32; 3] {
        match self {
            Self::Down => [0, -1, 0],
            Self::Up => [0, 1, 0],
            Self::North => [0, 0, -1],
            Self::South => [0, 0, 1],
            Self::West => [-1, 0, 0],
            Self::East => [1, 0, 0],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floor_is_the_whole_number_below_everywhere() {
        for v in [
            0.0, -0.0, 0.5, -0.5, -1.0, 7.0, -7.999, 2e9, -2e9, 9e18, -9e18,
        ] {
            assert_eq!(floor(v), v.floor() as i32, "{v}");
        }
    }
}
