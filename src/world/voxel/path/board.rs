//! Board: what a search has worked out about the cells around its start, each of them once.
//!
//! It knows nothing of moves and their costs. One board serves all searches of a thread, so that none has to make one.
//! Invariant: what an earlier search wrote is never read; a cell off the board is worked out anew each time.

use super::super::nature::BlockTraits;
use super::super::seen::Seen;
use crate::space::Pos;

/// Bits of the coordinates along the ground and up that tell the cells of the board apart. Beyond, places share a
/// cell, and who comes first in a search keeps it; few searches get so far.
const ACROSS: u32 = 7;
const UP: u32 = 5;
const CELLS: usize = 1 << (ACROSS + ACROSS + UP);
/// Bits of a coordinate that tell places of one cell apart; no search reaches farther than these count.
const APART: u32 = (1 << 10) - 1;

/// No node stands on a cell.
const NOBODY: u16 = u16::MAX;
/// Prices of `clear` that stand for an answer: not worked out yet, and impossible.
const NOT_ASKED: u32 = u32::MAX;
const NEVER: u32 = u32::MAX - 1;
/// The bits of `marks`: its nature is written; it was asked whether something beside the cell does harm; something
/// does; the cell was in the way, and that was noted; the same as of harm for lava, above and below as well.
const NATURE: u8 = 8;
const HARM_ASKED: u8 = 1;
const HARM: u8 = 2;
const REFUSED: u8 = 4;
const LAVA_ASKED: u8 = 16;
const LAVA: u8 = 32;

/// What may be beside a cell.
#[derive(Debug, Clone, Copy)]
pub(super) enum Border {
    /// What does harm, on its four sides.
    Harm,
    /// Lava, also above and below.
    Lava,
}

impl Border {
    /// The bits of `marks` that say that it was asked, and that it is so.
    fn marks(self) -> (u8, u8) {
        match self {
            Self::Harm => (HARM_ASKED, HARM),
            Self::Lava => (LAVA_ASKED, LAVA),
        }
    }
}

/// What is known of one cell. Sixteen bytes, since a search touches thousands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    /// The search that wrote it, and for which of the places that share it.
    owner: (u32, u32),
    clear: u32,
    node: u16,
    nature: BlockTraits,
    marks: u8,
}

impl Cell {
    const fn owned_by(owner: (u32, u32)) -> Self {
        Self {
            owner,
            clear: NOT_ASKED,
            node: NOBODY,
            nature: BlockTraits::UNKNOWN,
            marks: 0,
        }
    }

    /// The node that stands on it.
    pub(super) fn node(&self) -> Option<u32> {
        (self.node != NOBODY).then_some(u32::from(self.node))
    }

    /// There are far fewer nodes than a cell can tell apart.
    pub(super) fn set_node(&mut self, node: u32) {
        self.node = u16::try_from(node).unwrap_or(NOBODY);
    }

    /// What it costs to have it open, if that was worked out; `Some(None)` if it is impossible.
    pub(super) fn clear(&self) -> Option<Option<u32>> {
        (self.clear != NOT_ASKED).then(|| (self.clear != NEVER).then_some(self.clear))
    }

    pub(super) fn set_clear(&mut self, cost: Option<u32>) {
        self.clear = cost.unwrap_or(NEVER);
    }

    /// What was worked out of its border, if that was.
    pub(super) fn borders(&self, border: Border) -> Option<bool> {
        let (asked, holds) = border.marks();
        (self.marks & asked != 0).then_some(self.marks & holds != 0)
    }

    pub(super) fn set_borders(&mut self, border: Border, is_so: bool) {
        let (asked, holds) = border.marks();
        self.marks |= asked | if is_so { holds } else { 0 };
    }

    /// Notes that it was in the way; false if that was noted before.
    pub(super) fn refuse(&mut self) -> bool {
        let is_news = self.marks & REFUSED == 0;
        self.marks |= REFUSED;
        is_news
    }
}

/// The bits of a coordinate along the ground and up that tell cells of one tile apart.
const ACROSS_TILE: u32 = 3;
const UP_TILE: u32 = 2;

/// Which cell of the board it is. They lie in tiles of a page of memory each, so that a search stays on few pages.
#[inline]
fn place_of(x: u32, y: u32, z: u32) -> u32 {
    let bits = |v: u32, from: u32, to: u32| v >> from & ((1 << (to - from)) - 1);
    let across = |v: u32| bits(v, ACROSS_TILE, ACROSS);
    let tile =
        (across(z) << (ACROSS - ACROSS_TILE) | across(x)) << (UP - UP_TILE) | bits(y, UP_TILE, UP);
    let within = (bits(z, 0, ACROSS_TILE) << ACROSS_TILE | bits(x, 0, ACROSS_TILE)) << UP_TILE;
    tile << (2 * ACROSS_TILE + UP_TILE) | within | bits(y, 0, UP_TILE)
}

/// The cells that searches walk over.
#[derive(Debug, Clone, Default)]
pub(super) struct Board {
    /// Tile by tile; empty before the first search.
    cells: Vec<Cell>,
    /// Counts the searches. Cells begin with that of no search.
    search: u32,
}

impl Board {
    /// Clears the board for a search.
    pub(super) fn begin(&mut self) {
        self.search = self.search.wrapping_add(1);
        // After so many searches the number of an old one comes again.
        if self.cells.is_empty() || self.search == 0 {
            self.search = 1;
            self.cells = vec![Cell::owned_by((0, 0)); CELLS];
        }
    }

    /// What is known of a place, if it has a cell of the board.
    #[inline]
    pub(super) fn cell(&mut self, p: Pos) -> Option<&mut Cell> {
        let (x, y, z) = (p.x as u32, p.y as u32, p.z as u32);
        let at = place_of(x, y, z);
        let high = |v: u32, bits: u32| v >> bits & APART;
        let owner = (
            self.search,
            high(z, ACROSS) << 20 | high(x, ACROSS) << 10 | high(y, UP),
        );
        let cell = self.cells.get_mut(at as usize)?;
        if cell.owner != owner {
            if cell.owner.0 == self.search {
                return None;
            }
            *cell = Cell::owned_by(owner);
        }
        Some(cell)
    }

    /// What was seen at a place.
    #[inline]
    pub(super) fn nature(&mut self, seen: &Seen, p: Pos) -> BlockTraits {
        let Some(cell) = self.cell(p) else {
            return seen.nature(p);
        };
        if cell.marks & NATURE == 0 {
            cell.nature = seen.nature(p);
            cell.marks |= NATURE;
        }
        cell.nature
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_of_the_board_is_one_place() {
        let (across, up) = (1 << ACROSS, 1 << UP);
        let mut taken = vec![false; CELLS];
        for (x, z) in (0..across).flat_map(|x| (0..across).map(move |z| (x, z))) {
            for y in 0..up {
                let at = place_of(x, y, z) as usize;
                assert!(!std::mem::replace(&mut taken[at], true), "{x} {y} {z}");
                assert_eq!(place_of(x + across, y + up, z + 2 * across) as usize, at);
            }
        }
    }
}
