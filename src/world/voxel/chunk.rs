//! Chunk: the blocks of 16×16 columns, 256 high, in sections of 16.
//!
//! Knows nothing of neighbours or of how it was generated. Invariant: `top`, `roof` and
//! `lamps` always agree with the blocks; a section that was never written is absent and reads as air.

use super::lamps::LampRows;
use crate::block::{self as blocks, BlockId};
use std::sync::OnceLock;

/// Blocks along one side of a chunk or section.
pub const SIDE: i32 = 16;
/// The highest y a block can have.
pub const Y_MAX: i32 = 255;

/// 8 KiB in one piece on the heap: y outermost, then z, then x, so that a layer is
/// contiguous.
type Section = Box<[BlockId; 4096]>;

/// The blocks of one chunk.
#[derive(Debug, Clone)]
pub struct Chunk {
    sections: [Option<Section>; 16],
    /// y of the highest solid or fluid block of each column, -1 for none.
    /// i16 holds -1 and 255; a chunk has 512 of these.
    top: [i16; 256],
    /// y of the highest opaque block of each column, -1 for none: sky light reaches down to it.
    roof: [i16; 256],
    /// What shines in each section; told when it is first asked for.
    lamps: [OnceLock<LampRows>; 16],
}

impl Default for Chunk {
    fn default() -> Self {
        Self {
            sections: [const { None }; 16],
            top: [-1; 256],
            roof: [-1; 256],
            lamps: [const { OnceLock::new() }; 16],
        }
    }
}

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

/// True for what a body stands on or floats in.
#[inline]
fn fills(block: BlockId) -> bool {
    block.is_solid() || block.is_fluid()
}

impl Chunk {
    /// The block at a place; `y` must be in 0..=255.
    /// No check of `y`: the mask wraps it. `Grid::block` is the safe way.
    #[inline]
    #[must_use]
    pub fn block(&self, x: i32, y: i32, z: i32) -> BlockId {
        match &self.sections[((y >> 4) & 15) as usize] {
            Some(section) => section[cell(x, y, z)],
            None => blocks::AIR,
        }
    }

    /// The blocks of the section that holds height `y` (layer by layer, each as `column` counts);
    /// None if all are air.
    #[inline]
    pub(crate) fn section(&self, y: i32) -> Option<&[BlockId; 4096]> {
        self.sections[((y >> 4) & 15) as usize].as_deref()
    }

    /// The rows of one layer that hold something that shines, one bit for each z.
    #[inline]
    pub(crate) fn lamp_rows(&self, y: i32) -> u16 {
        let section = ((y >> 4) & 15) as usize;
        let rows = self.sections[section]
            .as_ref()
            .map(|blocks| self.lamps[section].get_or_init(|| LampRows::of_section(blocks)));
        rows.map_or(0, |rows| rows.layer(y))
    }

    /// Writes a block without touching the column heights; `settle` must follow.
    #[inline]
    pub(crate) fn put(&mut self, x: i32, y: i32, z: i32, block: BlockId) {
        let section = &mut self.sections[((y >> 4) & 15) as usize];
        match section {
            Some(section) => section[cell(x, y, z)] = block,
            // Writing air into air must not allocate a section.
            None if block == blocks::AIR => {}
            None => section.insert(Box::new([blocks::AIR; 4096]))[cell(x, y, z)] = block,
        }
    }

    /// The section that holds height `y`, if it was written before, to look and write at once;
    /// `settle` must follow.
    #[inline]
    pub(crate) fn written(&mut self, y: i32) -> Option<&mut [BlockId; 4096]> {
        self.sections[((y >> 4) & 15) as usize].as_deref_mut()
    }

    /// Writes one whole layer without touching the column heights; `settle` must follow.
    pub(crate) fn put_layer(&mut self, y: i32, block: BlockId) {
        let section = &mut self.sections[((y >> 4) & 15) as usize];
        let section = section.get_or_insert_with(|| Box::new([blocks::AIR; 4096]));
        let from = cell(0, y, 0);
        section[from..from + 256].fill(block);
    }

    /// Writes a block and keeps the column heights and lamps true.
    pub fn set(&mut self, x: i32, y: i32, z: i32, block: BlockId) {
        self.put(x, y, z, block);
        let section = ((y >> 4) & 15) as usize;
        if let (Some(blocks), Some(rows)) = (&self.sections[section], self.lamps[section].get_mut())
        {
            rows.changed(blocks, y, z);
        }
        let at = column(x, z);
        let y = y as i16;
        if fills(block) {
            self.top[at] = self.top[at].max(y);
        // Only if the top itself was taken away is the column searched, downwards from
        // there.
        } else if self.top[at] == y {
            self.top[at] = self.highest(x, z, y, fills);
        }
        if block.is_opaque() {
            self.roof[at] = self.roof[at].max(y);
        } else if self.roof[at] == y {
            self.roof[at] = self.highest(x, z, y, BlockId::is_opaque);
        }
    }

    /// Computes all column heights anew, after a chunk was filled with `put`.
    pub(crate) fn settle(&mut self) {
        self.lamps = [const { OnceLock::new() }; 16];
        // Everything above the highest section is air.
        let high = self
            .sections
            .iter()
            .rposition(Option::is_some)
            .map_or(-1, |s| s as i16 * 16 + 15);
        for z in 0..SIDE {
            for x in 0..SIDE {
                let at = column(x, z);
                self.top[at] = self.highest(x, z, high, fills);
                // Opaque blocks are solid, so the search for the roof begins at the top.
                self.roof[at] = self.highest(x, z, self.top[at], BlockId::is_opaque);
            }
        }
    }

    fn highest(&self, x: i32, z: i32, from: i16, is: fn(BlockId) -> bool) -> i16 {
        (0..=from)
            .rev()
            .find(|&y| is(self.block(x, i32::from(y), z)))
            .unwrap_or(-1)
    }

    /// y of the highest solid or fluid block of a column, -1 for none.
    #[inline]
    #[must_use]
    pub fn top(&self, x: i32, z: i32) -> i32 {
        i32::from(self.top[column(x, z)])
    }

    /// y of the highest opaque block of a column, -1 for none.
    #[inline]
    #[must_use]
    pub fn roof(&self, x: i32, z: i32) -> i32 {
        i32::from(self.roof[column(x, z)])
    }
}
