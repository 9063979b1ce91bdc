//! Lamps: which rows of a section hold blocks that shine, so that the dark is told without a look at every cell.
//!
//! It knows no distances; `time` does. Invariant: a row that is not marked holds nothing that shines.

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

/// The rows of one section that shine: one number for each layer, in it one bit for each z.
#[derive(Debug, Clone)]
pub(crate) struct LampRows([u16; 16]);

impl LampRows {
    pub(crate) fn of_section(blocks: &[BlockId; 4096]) -> Self {
        let mut rows = Self([0; 16]);
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
        let luminance = luminance();
        let shines = row
            .iter()
            .fold(0, |most, block| most | luminance[usize::from(block.row())]);
        self.0[layer] &= !(1 << z);
        self.0[layer] |= u16::from(shines > 0) << z;
    }

    /// Whether any row does.
    #[inline]
    pub(crate) fn shines(&self) -> bool {
        self.0 != [0; 16]
    }

    /// The rows of one layer.
    #[inline]
    pub(crate) fn layer(&self, y: i32) -> u16 {
        self.0[(y & 15) as usize]
    }
}
