//! Cells: the spatial hash of a place at two scales (Eq. 5).
//!
//! Places of different worlds never share a cell. Invariant: same world and position, same cells,
//! on every machine and in every version.

use pithead_world::rng::{hash3, mix};
use pithead_world::space::Pos;
use serde::{Deserialize, Serialize};

/// Edge of the small cell: what can be seen and reached from within in a few steps.
const NEAR_BLOCKS: i32 = 16;
/// Edge of the large cell: a valley or a hill, half a minute's walk.
const REGION_BLOCKS: i32 = 128;
/// The letters "near" and "regi": without them the two cells at the origin would be equal.
const NEAR_SALT: u64 = 0x6E65_6172;
const REGION_SALT: u64 = 0x7265_6769;

/// A place at two scales.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cells {
    pub near: u64,
    pub region: u64,
}

impl Cells {
    /// The cells of a position in the world of `seed`.
    #[must_use]
    pub fn containing(seed: u64, at: Pos) -> Self {
        let cell = |edge: i32, salt: u64| {
            // Euclidean, so that cells do not double in size around zero.
            let [x, y, z] = [at.x, at.y, at.z].map(|along| along.div_euclid(edge));
            hash3(mix(seed ^ salt), x, y, z)
        };
        Self {
            near: cell(NEAR_BLOCKS, NEAR_SALT),
            region: cell(REGION_BLOCKS, REGION_SALT),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_hold_what_is_near_in_one_world() {
        let at = |x, y, z| Cells::containing(7, Pos::new(x, y, z));
        assert_eq!(at(1, 64, -1), at(15, 79, -16));
        assert_ne!(at(1, 64, -1).near, at(1, 64, 1).near);
        assert_ne!(at(15, 64, 0).near, at(16, 64, 0).near);
        assert_eq!(at(15, 64, 0).region, at(127, 127, 0).region);
        assert_ne!(at(0, 64, 0).region, at(-1, 64, 0).region);
        assert_ne!(at(0, 64, 0), Cells::containing(8, Pos::new(0, 64, 0)));
    }
}
