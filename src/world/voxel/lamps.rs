//! Lamps: which cells of a section hold blocks that shine, so that the dark is told without a look at every cell.
//!
//! It knows no distances; `time` does. Invariant: a cell shines if and only if it is marked.

use super::section::cell;
use crate::block::BlockId;
use std::sync::LazyLock;

/// How bright each block shines, by row of the block table.
static LUMINANCE: LazyLock<Vec<u8>> =
    LazyLock::new(|| BlockId::all().map(|b| b.facts().luminance).collect());

/// The table above, to be fetched once for many blocks.
pub(crate) fn luminance() -> &'static [u8] {
    &LUMINANCE
}

/// The cells of one section that shine: one number for each row, in it one bit for each x.
#[derive(Debug, Clone)]
pub(crate) struct LampRows {
    cells: Box<[u16; 256]>,
    /// The rows that hold any: one number for each layer, in it one bit for each z.
    rows: [u16; 16],
}

impl LampRows {
    pub(crate) fn of_section(blocks: &[BlockId; 4096]) -> Self {
        let mut rows = Self {
            cells: Box::new([0; 256]),
            rows: [0; 16],
        };
        for (at, row) in blocks.chunks_exact(16).enumerate() {
            rows.mark(at >> 4, at & 15, row);
        }
        rows
    }

    /// A block of this row has changed.
    pub(crate) fn changed(&mut self, blocks: &[BlockId; 4096], y: i32, z: i32) {
        let from = cell(0, y, z);
        self.mark(
            (y & 15) as usize,
            (z & 15) as usize,
            &blocks[from..from + 16],
        );
    }

    fn mark(&mut self, layer: usize, z: usize, row: &[BlockId]) {
        let lamps = (0..)
            .zip(row)
            .map(|(x, block)| u16::from(block.shines()) << x);
        let cells = lamps.fold(0, |bits, lamp| bits | lamp);
        self.rows[layer] &= !(1 << z);
        self.rows[layer] |= u16::from(cells != 0) << z;
        self.cells[layer << 4 | z] = cells;
    }

    /// Whether any row does.
    #[inline]
    pub(crate) fn shines(&self) -> bool {
        self.rows != [0; 16]
    }

    /// The rows of one layer.
    #[inline]
    pub(crate) fn layer(&self, y: i32) -> u16 {
        self.rows[(y & 15) as usize]
    }

    /// The cells of one row.
    #[inline]
    pub(crate) fn row(&self, y: i32, z: i32) -> u16 {
        self.cells[cell(0, y, z) >> 4]
    }
}
