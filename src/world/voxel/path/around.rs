//! Around: what was seen of the columns around one cell, as bits.
//!
//! It knows nothing of moves. Invariant: what it says of a cell is what the memory of blocks says.

use super::super::nature::Heights;
use super::super::seen::Seen;
use crate::space::{Facing, Pos};

/// The heights of a column that matter for one cell: from so many below it to two above it.
const BELOW: i32 = 14;
const ABOVE: i32 = 2;

/// The nine columns around a cell, and the cell.
#[derive(Debug, Default)]
pub(super) struct Around {
    columns: [[Heights<u32>; 3]; 3],
    middle: Pos,
}

/// Whether a height so far above or below the cell in the middle is among these.
#[inline]
pub(super) fn has(heights: u32, up: i32) -> bool {
    heights >> (BELOW + up) & 1 != 0
}

impl Around {
    /// Looks around another cell.
    pub(super) fn look(&mut self, seen: &Seen, middle: Pos) {
        self.middle = middle;
        let low = middle.plus(-1, -BELOW, -1);
        let mut pair = seen.section_pair(low);
        let is_whole = pair.holds(low.plus(2, 0, 2));
        for (z, row) in (0..).zip(&mut self.columns) {
            for (x, column) in (0..).zip(row) {
                let at = low.plus(x, 0, z);
                if !is_whole && !pair.holds(at) {
                    pair = seen.section_pair(at);
                }
                *column = pair.from(at);
            }
        }
    }

    #[inline]
    pub(super) fn column(&self, x: i32, z: i32) -> Heights<u32> {
        self.columns[(z + 1) as usize][(x + 1) as usize]
    }

    pub(super) fn side(&self, facing: Facing) -> Heights<u32> {
        let [x, _, z] = facing.step();
        self.column(x, z)
    }

    /// The column of a place, and how high above the middle it is; none if it is too far off.
    #[inline]
    pub(super) fn find(&self, p: Pos) -> Option<(Heights<u32>, i32)> {
        let (x, y, z) = (
            p.x - self.middle.x,
            p.y - self.middle.y,
            p.z - self.middle.z,
        );
        let row = self.columns.get((z + 1) as usize)?;
        let column = row.get((x + 1) as usize)?;
        (-BELOW..=ABOVE).contains(&y).then_some((*column, y))
    }
}
