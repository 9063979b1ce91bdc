//! Natures: what a block means for a body that looks, walks and digs, as one byte per block.
//!
//! Only facts that every player knows by sight; no positions. Built once from the block table.

use crate::block as blocks;
use crate::block::BlockId;
use crate::natural::is_notable;
use std::sync::LazyLock;

/// The properties of one kind of cell, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BlockTraits(u8);

const AIR: u8 = 1;
const SOLID: u8 = 2;
const WATER: u8 = 4;
const LAVA: u8 = 8;
const HARM: u8 = 16;
const FALLS: u8 = 32;
const NOTABLE: u8 = 64;
const UNKNOWN: u8 = 128;

impl BlockTraits {
    /// A cell that was never seen.
    pub(crate) const UNKNOWN: Self = Self(UNKNOWN);

    #[inline]
    fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }

    #[inline]
    pub(crate) fn is_unknown(self) -> bool {
        self.has(UNKNOWN)
    }

    #[inline]
    pub(crate) fn is_air(self) -> bool {
        self.has(AIR)
    }

    #[inline]
    pub(crate) fn is_solid(self) -> bool {
        self.has(SOLID)
    }

    #[inline]
    pub(crate) fn is_water(self) -> bool {
        self.has(WATER)
    }

    #[inline]
    pub(crate) fn is_lava(self) -> bool {
        self.has(LAVA)
    }

    #[inline]
    pub(crate) fn falls(self) -> bool {
        self.has(FALLS)
    }

    /// Worth naming to the mind: stations, ores, logs and the like.
    #[inline]
    pub(crate) fn is_notable(self) -> bool {
        self.has(NOTABLE)
    }

    /// A body can be there without harm: known, not solid, not burning.
    #[inline]
    pub(crate) fn is_open(self) -> bool {
        self.0 & (SOLID | LAVA | HARM | UNKNOWN) == 0
    }

    /// A body can stand on it without harm.
    #[inline]
    pub(crate) fn is_floor(self) -> bool {
        self.0 & (SOLID | HARM) == SOLID
    }

    /// It must not be touched or entered.
    #[inline]
    pub(crate) fn is_harmful(self) -> bool {
        self.0 & (LAVA | HARM) != 0
    }
}

/// Which heights of a piece of a column are of which nature, one bit for each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Heights<Bits> {
    pub(crate) open: Bits,
    pub(crate) floor: Bits,
    pub(crate) water: Bits,
    pub(crate) known: Bits,
}

impl Heights<u16> {
    /// Writes what the cell at this height is.
    #[inline]
    pub(crate) fn write(&mut self, y: i32, nature: BlockTraits) {
        let at = y & 15;
        let put = |bits: &mut u16, on: bool| *bits = *bits & !(1 << at) | u16::from(on) << at;
        put(&mut self.open, nature.is_open());
        put(&mut self.floor, nature.is_floor());
        put(&mut self.water, nature.is_water());
        put(&mut self.known, !nature.is_unknown());
    }

    /// The heights from `from` on, of this piece and the one above it.
    #[inline]
    pub(crate) fn join(self, above: Self, from: i32) -> Heights<u32> {
        let all = |low: u16, high: u16| (u32::from(low) | u32::from(high) << 16) >> (from & 15);
        Heights {
            open: all(self.open, above.open),
            floor: all(self.floor, above.floor),
            water: all(self.water, above.water),
            known: all(self.known, above.known),
        }
    }
}

/// The natures of all blocks, by row.
pub(crate) fn natures() -> &'static [BlockTraits] {
    static TABLE: LazyLock<Vec<BlockTraits>> =
        LazyLock::new(|| BlockId::all().map(nature_of).collect());
    &TABLE
}

fn nature_of(block: BlockId) -> BlockTraits {
    let name = block.name();
    let mut bits = 0;
    let mut set = |bit: u8, on: bool| bits |= if on { bit } else { 0 };
    set(
        AIR,
        block == blocks::AIR || name == "cave_air" || name == "void_air",
    );
    set(SOLID, block.is_solid());
    set(
        WATER,
        block == blocks::WATER || name == "seagrass" || name.starts_with("kelp"),
    );
    set(LAVA, block == blocks::LAVA);
    set(HARM, is_harmful(name));
    set(FALLS, block.falls());
    set(NOTABLE, is_notable(name));
    BlockTraits(bits)
}

fn is_harmful(name: &str) -> bool {
    let burns = matches!(
        name,
        "cactus" | "fire" | "soul_fire" | "magma_block" | "campfire" | "sweet_berry_bush"
    );
    // A cobweb does not hurt, but who walks into one hardly gets out again.
    burns || matches!(name, "wither_rose" | "cobweb")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn natures_tell_what_a_body_may_enter() {
        let nature_of = |block: BlockId| natures()[usize::from(block.row())];
        assert!(
            nature_of(blocks::AIR).is_open()
                && nature_of(blocks::WATER).is_open()
                && nature_of(blocks::GRASS).is_open()
        );
        assert!(
            !nature_of(blocks::LAVA).is_open()
                && !nature_of(blocks::STONE).is_open()
                && !BlockTraits::UNKNOWN.is_open()
        );
        assert!(
            nature_of(blocks::STONE).is_floor()
                && !nature_of(blocks::CACTUS).is_floor()
                && !nature_of(blocks::WATER).is_floor()
        );
        assert!(
            nature_of(blocks::IRON_ORE).is_notable()
                && nature_of(blocks::OAK_LOG).is_notable()
                && !nature_of(blocks::STONE).is_notable()
        );
    }
}
