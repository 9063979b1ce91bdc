//! Around: what was seen of the columns around one cell, as bits.
//!
//! It knows nothing of moves. Invariant: what it says of a cell is what the memory of blocks says.

use super::super::nature::Heights;
use super::super::seen::Seen;
use crate::space::{Facing, Pos};

/// The heights of a column that matter for one cell: from so many below it to two above it.
const BELOW: i32 = 14;
const ABOVE: i32 = 2;

/// By so many bits the height below the middle becomes the highest of all.
const FROM_EDGE: u32 = u32::BITS - BELOW as u32;

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

/// Whether there is room for feet and head beside the cell in the middle.
pub(super) fn is_free(column: Heights<u32>) -> bool {
    has(column.open, 0) && has(column.open, 1)
}

/// How many blocks one falls over the edge into a column, and whether into water; none if no hold is known within so many.
pub(super) fn fall(column: Heights<u32>, deepest: i32) -> Option<(i32, bool)> {
    // The height below the edge becomes the highest bit, and the floor one falls onto stands for the cell above it.
    let open = column.open << FROM_EDGE;
    let holds = column.water << FROM_EDGE | column.floor << FROM_EDGE << 1;
    let depth = holds.leading_zeros() as i32 + 1;
    let is_open = open.leading_ones() as i32 >= depth;
    (is_open && depth <= deepest).then(|| (depth, has(column.water, -depth)))
}

/// How many blocks below the middle a column is no longer empty as far as is known; none if that is deeper than so many. What
/// a body walks through, as grass, is nothing.
pub(super) fn ground(column: Heights<u32>, deepest: i32) -> Option<i32> {
    let empty = column.open & !column.water;
    let depth = (empty << FROM_EDGE).leading_ones() as i32 + 1;
    (depth <= deepest).then_some(depth)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// A column with whatever in each of its cells.
    fn drawn(rng: &mut Rng) -> Heights<u32> {
        let mut column = Heights::default();
        for bit in (0..=BELOW + ABOVE).map(|up| 1_u32 << up) {
            let [open, floor, water] = match rng.below(12) {
                0..8 => [bit, 0, 0],
                8 => [bit, 0, bit],
                9 => [0, bit, 0],
                // What is solid and does harm, and what nobody has seen.
                _ => [0, 0, 0],
            };
            column.open |= open;
            column.floor |= floor;
            column.water |= water;
        }
        column
    }

    /// Cell by cell.
    fn stepwise_fall(column: Heights<u32>, deepest: i32) -> Option<(i32, bool)> {
        let depths = (1..=deepest).take_while(|depth| has(column.open, -depth));
        let mut holds = depths.filter_map(|depth| {
            let is_water = has(column.water, -depth);
            (is_water || has(column.floor, -depth - 1)).then_some((depth, is_water))
        });
        holds.next()
    }

    #[test]
    fn a_fall_and_the_ground_are_those_that_are_found_cell_by_cell() {
        let mut rng = Rng::new(1);
        let mut found = [0; 4];
        for _ in 0..10_000 {
            let column = drawn(&mut rng);
            let lands = stepwise_fall(column, 12);
            assert_eq!(fall(column, 12), lands, "{column:?}");
            found[lands.map_or(0, |(_, is_water)| 1 + usize::from(is_water))] += 1;
            let is_empty = |up: i32| has(column.open, up) && !has(column.water, up);
            let lies = (1..=10).find(|depth| !is_empty(-depth));
            assert_eq!(ground(column, 10), lies, "{column:?}");
            found[3] += usize::from(lies.is_none());
        }
        assert!(found.iter().all(|times| *times > 100), "{found:?}");
    }
}
