//! Section: the blocks of a cube of 16 × 16 × 16, and how its cells are counted.
//!
//! It knows neither its place nor its neighbours. Invariant: layer by layer, each row by row, as everybody counts.

use crate::block::BlockId;
use crate::space::Pos;

/// 8 KiB in one piece on the heap: y outermost, then z, then x, so that a layer is
/// contiguous.
pub(crate) type Section = Box<[BlockId; 4096]>;
/// All sections of a chunk, from the bottom up; absent where all is air.
pub(crate) type Sections = [Option<Section>; 16];

/// The index of a column; `x` and `z` may be world coordinates.
#[inline]
pub(crate) fn column(x: i32, z: i32) -> usize {
    // The mask works for negative coordinates too, where a remainder would not.
    ((z & 15) << 4 | (x & 15)) as usize
}

/// The index of a block in its section; coordinates may be those of the world.
#[inline]
pub(crate) fn cell(x: i32, y: i32, z: i32) -> usize {
    ((y & 15) << 8) as usize | column(x, z)
}

/// The section that holds a place, counted in sections along each axis.
#[inline]
pub(crate) fn section_at(p: Pos) -> Pos {
    Pos::new(p.x >> 4, p.y >> 4, p.z >> 4)
}

/// The section of its chunk that holds height `y`; wraps beyond the world.
#[inline]
pub(crate) fn section_of(y: i32) -> usize {
    ((y >> 4) & 15) as usize
}
