//! Seen: what the body remembers of the blocks around it.
//!
//! It is filled by `Sight` only; scripts and the path finder read nothing else of the land. A
//! cell that was never seen is unknown, which is neither air nor stone. Invariant: it never
//! holds a block that neither a ray reached nor a hand touched.

use super::nature::{BlockTraits, Heights, natures};
use super::section::section_at;
use crate::block::BlockId;
use crate::infested::as_seen;
use crate::space::Pos;
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// Marks a cell that was never seen; no block has this number.
/// Block rows are far fewer than 65,535.
const UNKNOWN: u16 = u16::MAX;
const SIDE: i32 = 16;
/// The bits of x and z of a section.
const WIDE: u64 = (1 << 28) - 1;
/// Nothing is remembered higher or deeper; no eyes get there.
const HEIGHTS: std::ops::Range<i32> = -2048..2048;
const CELLS: usize = 4096;
/// Slots of the direct-mapped table: 8 × 16 × 8 sections, wider than any search.
const NEAR: usize = 1024;
/// Marks a section of which nothing was seen.
const ABSENT: u32 = u32::MAX;
/// Newly seen cells kept for the next frame; beyond it the oldest news are not reported.
/// A bound on the memory of a body whose frames nobody takes.
const FRESH_MAX: usize = 65_536;

/// One cube of 16 × 16 × 16 remembered cells.
#[derive(Debug, Clone)]
struct Section {
    at: Pos,
    cells: Box<[u16; CELLS]>,
    /// The same, column by column, for whoever only wants to walk.
    columns: Box<[Heights<u16>; 256]>,
    /// How many of them are known to do harm.
    harmful: u16,
    /// Where each kind of block is, air left out; few kinds, so scanned in order.
    /// Air is most of every section and never searched for by kind.
    kinds: Vec<Kind>,
}

/// One kind of block in a section and the cells that hold it, in no order.
#[derive(Debug, Clone)]
struct Kind {
    row: u16,
    cells: Vec<u16>,
}

/// The memory of blocks.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    /// From the key of a section to its index; the sections themselves never move.
    index: FxHashMap<u64, u32>,
    sections: Vec<Section>,
    natures: &'static [BlockTraits],
    /// Direct-mapped in front of `index`, absent sections included: the path finder asks for
    /// millions of cells, many of them unknown.
    /// `Cell`, so that looking up does not need exclusive access; one thread owns the
    /// memory.
    near: Box<[Cell<(u64, u32)>; NEAR]>,
    fresh: Vec<(Pos, BlockId)>,
    /// Counts changes, so that plans made before can be known to be stale.
    changes: u64,
}

/// Two sections above each other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SectionPair<'a> {
    /// The lower one.
    at: Pos,
    sections: [Option<&'a Section>; 2],
}

impl SectionPair<'_> {
    /// Whether the lower one holds a place.
    #[inline]
    pub(crate) fn holds(&self, p: Pos) -> bool {
        section_at(p) == self.at
    }

    /// The heights of a column from a place of the lower one on.
    #[inline]
    pub(crate) fn from(&self, p: Pos) -> Heights<u32> {
        let at = cell_of(p) & 255;
        let [below, above] = self.sections;
        let of = |section: Option<&Section>| section.map_or(Heights::default(), |s| s.columns[at]);
        of(below).join(of(above), p.y)
    }
}

impl Default for Seen {
    fn default() -> Self {
        Self {
            index: FxHashMap::default(),
            sections: Vec::new(),
            natures: natures(),
            near: Box::new([const { Cell::new((0, ABSENT)) }; NEAR]),
            fresh: Vec::new(),
            changes: 0,
        }
    }
}

/// The section of a cell as one number: 28 bits of x and z each, 8 of y.
#[inline]
fn key_of(p: Pos) -> u64 {
    let bits = |v: i32| u64::from((v >> 4).cast_unsigned());
    // 28 bits of section coordinates are more than any body can walk.
    (bits(p.x) & WIDE) << 36 | (bits(p.z) & WIDE) << 8 | bits(p.y) & 0xFF
}

/// Neighbours in all three directions fall into different slots.
#[inline]
fn slot(key: u64) -> usize {
    ((key & 15) << 6 | (key >> 8 & 7) << 3 | (key >> 36 & 7)) as usize
}

#[inline]
fn cell_of(p: Pos) -> usize {
    (((p.y & 15) << 8) | ((p.z & 15) << 4) | (p.x & 15)) as usize
}

impl Seen {
    /// The block known to be there.
    pub(crate) fn block(&self, p: Pos) -> Option<BlockId> {
        let raw = self.raw(p);
        BlockId::from_row(raw)
    }

    /// What is known of the cell for moving and digging.
    #[inline]
    pub(crate) fn nature(&self, p: Pos) -> BlockTraits {
        match self.raw(p) {
            UNKNOWN => BlockTraits::UNKNOWN,
            raw => self.natures[usize::from(raw)],
        }
    }

    #[inline]
    fn raw(&self, p: Pos) -> u16 {
        match self.find(key_of(p)) {
            // The key has 8 bits for y: heights beyond would fall into other sections.
            _ if !HEIGHTS.contains(&p.y) => UNKNOWN,
            Some(index) => self.sections[index as usize].cells[cell_of(p)],
            None => UNKNOWN,
        }
    }

    #[inline]
    fn find(&self, at: u64) -> Option<u32> {
        let near = &self.near[slot(at)];
        let (known, mut index) = near.get();
        if known != at {
            // Also that a section is absent is remembered, until `add_section` puts it
            // there.
            index = self.index.get(&at).copied().unwrap_or(ABSENT);
            near.set((at, index));
        }
        (index != ABSENT).then_some(index)
    }

    /// Where the section of a place is kept, if anything of it was seen.
    #[inline]
    pub(crate) fn section_index(&self, p: Pos) -> Option<u32> {
        self.find(key_of(p)).filter(|_| HEIGHTS.contains(&p.y))
    }

    /// Whether a place of the section that is kept there is known to hold a block.
    #[inline]
    pub(crate) fn remembers(&self, section: Option<u32>, p: Pos, block: BlockId) -> bool {
        section.is_some_and(|at| self.sections[at as usize].cells[cell_of(p)] == block.row())
    }

    /// Remembers a block that was seen or touched, as it looks; true if that is news.
    pub(crate) fn note(&mut self, p: Pos, block: BlockId) -> bool {
        if !HEIGHTS.contains(&p.y) {
            return false;
        }
        let block = as_seen(block);
        let index = self.find(key_of(p)).unwrap_or_else(|| self.add_section(p));
        let section = &mut self.sections[index as usize];
        let old = section.cells[cell_of(p)];
        if old == block.row() {
            return false;
        }
        section.cells[cell_of(p)] = block.row();
        self.changes += 1;
        let nature_of = |row: u16| match row {
            UNKNOWN => BlockTraits::UNKNOWN,
            row => self.natures[usize::from(row)],
        };
        let nature = nature_of(block.row());
        section.columns[cell_of(p) & 255].write(p.y, nature);
        section.harmful += u16::from(nature.is_harmful());
        section.harmful -= u16::from(nature_of(old).is_harmful());
        let is_air = |row: u16| self.natures[usize::from(row)].is_air();
        let was_there = old != UNKNOWN && !is_air(old);
        // Air is in no list, so it need not be taken out.
        if was_there {
            section.forget(old, cell_of(p));
        }
        let is_there = !is_air(block.row());
        if is_there {
            section.remember(block.row(), cell_of(p));
        }
        if (was_there || is_there) && self.fresh.len() < FRESH_MAX {
            self.fresh.push((p, block));
        }
        true
    }

    #[cold]
    fn add_section(&mut self, p: Pos) -> u32 {
        let key = key_of(p);
        let index = self.sections.len() as u32;
        self.sections.push(Section {
            at: section_at(p),
            cells: Box::new([UNKNOWN; CELLS]),
            columns: Box::new([Heights::default(); 256]),
            harmful: 0,
            kinds: Vec::new(),
        });
        self.index.insert(key, index);
        self.near[slot(key)].set((key, index));
        index
    }

    /// Hands over every cell between two corners, both included, that is known to be air.
    pub(crate) fn each_air(&self, low: Pos, high: Pos, mut each: impl FnMut(Pos)) {
        let sections = |low: i32, high: i32| (low >> 4)..=(high >> 4);
        for y in sections(low.y, high.y) {
            for z in sections(low.z, high.z) {
                for x in sections(low.x, high.x) {
                    let corner = Pos::new(x * SIDE, y * SIDE, z * SIDE);
                    if let Some(index) = self.find(key_of(corner)) {
                        let cells = &self.sections[index as usize].cells;
                        self.each_air_of(cells, corner, (low, high), &mut each);
                    }
                }
            }
        }
    }

    fn each_air_of(
        &self,
        cells: &[u16; CELLS],
        corner: Pos,
        (low, high): (Pos, Pos),
        each: &mut impl FnMut(Pos),
    ) {
        let within =
            |corner: i32, low: i32, high: i32| low.max(corner)..=high.min(corner + SIDE - 1);
        // Rows are contiguous in memory, so each is one slice.
        let (west, east) = (low.x.max(corner.x), high.x.min(corner.x + SIDE - 1));
        for y in within(corner.y, low.y, high.y) {
            for z in within(corner.z, low.z, high.z) {
                let row = &cells[cell_of(Pos::new(west, y, z))..=cell_of(Pos::new(east, y, z))];
                for (x, raw) in (west..).zip(row) {
                    if *raw != UNKNOWN && self.natures[usize::from(*raw)].is_air() {
                        each(Pos::new(x, y, z));
                    }
                }
            }
        }
    }

    /// The section of a place and the one above it.
    #[inline]
    pub(crate) fn section_pair(&self, p: Pos) -> SectionPair<'_> {
        let section = |p: Pos| {
            let index = self.section_index(p)?;
            self.sections.get(index as usize)
        };
        SectionPair {
            at: section_at(p),
            sections: [section(p), section(p.plus(0, SIDE, 0))],
        }
    }

    /// Whether a section between two corners holds anything that does harm.
    #[inline]
    pub(crate) fn may_harm(&self, low: Pos, high: Pos) -> bool {
        let (low, high) = (section_at(low), section_at(high));
        for (y, z) in (low.y..=high.y).flat_map(|y| (low.z..=high.z).map(move |z| (y, z))) {
            for x in low.x..=high.x {
                let section = self.find(key_of(Pos::new(x * SIDE, y * SIDE, z * SIDE)));
                if section.is_some_and(|index| self.sections[index as usize].harmful > 0) {
                    return true;
                }
            }
        }
        false
    }

    /// How often the memory has changed.
    pub(crate) fn changes(&self) -> u64 {
        self.changes
    }

    /// Takes what was newly seen since the last call.
    pub(crate) fn take_fresh(&mut self) -> Vec<(Pos, BlockId)> {
        std::mem::take(&mut self.fresh)
    }

    /// The nearest known blocks that `wanted` accepts, nearest first, within `range` blocks.
    pub(crate) fn nearest(
        &self,
        from: Pos,
        range: f64,
        count: usize,
        wanted: impl Fn(BlockId) -> bool,
    ) -> Vec<(Pos, BlockId)> {
        let mut near: Vec<(i64, u32)> = Vec::new();
        // Squares of whole blocks, so no root is needed to compare.
        let reach = (range * range) as i64;
        for (index, section) in self.sections.iter().enumerate() {
            let gap = section.gap(from);
            let has_any = || section.kinds.iter().any(|kind| kind.is(&wanted));
            if gap <= reach && has_any() {
                near.push((gap, index as u32));
            }
        }
        // Nearest sections first: the search can stop at the first that cannot be better.
        near.sort_unstable();
        let mut best: Vec<(i64, Pos, BlockId)> = Vec::new();
        for (gap, index) in near {
            // Strictly: a place at the same distance may still win by its position.
            if best.len() >= count && best[count - 1].0 < gap {
                break;
            }
            self.sections[index as usize].collect(from, (reach, count), &wanted, &mut best);
        }
        best.into_iter().map(|(_, p, b)| (p, b)).collect()
    }
}

/// Square of the distance, in whole blocks.
pub(crate) fn square(a: Pos, b: Pos) -> i64 {
    let (x, y, z) = (
        i64::from(a.x - b.x),
        i64::from(a.y - b.y),
        i64::from(a.z - b.z),
    );
    x * x + y * y + z * z
}

impl Section {
    fn remember(&mut self, row: u16, cell: usize) {
        let cell = cell as u16;
        match self.kinds.iter_mut().find(|kind| kind.row == row) {
            Some(kind) => kind.cells.push(cell),
            None => self.kinds.push(Kind {
                row,
                cells: vec![cell],
            }),
        }
    }

    fn forget(&mut self, row: u16, cell: usize) {
        let Some(i) = self.kinds.iter().position(|kind| kind.row == row) else {
            return;
        };
        let cells = &mut self.kinds[i].cells;
        if let Some(at) = cells.iter().position(|held| usize::from(*held) == cell) {
            // Order within a kind means nothing.
            cells.swap_remove(at);
        }
        if cells.is_empty() {
            self.kinds.swap_remove(i);
        }
    }

    /// Square of the distance from a cell to the nearest cell of the section.
    fn gap(&self, from: Pos) -> i64 {
        let axis = |at: i32, p: i32| {
            let low = at * SIDE;
            i64::from((low - p).max(p - (low + SIDE - 1)).max(0))
        };
        let (x, y, z) = (
            axis(self.at.x, from.x),
            axis(self.at.y, from.y),
            axis(self.at.z, from.z),
        );
        x * x + y * y + z * z
    }

    /// Adds to the best so many within reach.
    fn collect(
        &self,
        from: Pos,
        (reach, count): (i64, usize),
        wanted: &impl Fn(BlockId) -> bool,
        best: &mut Vec<(i64, Pos, BlockId)>,
    ) {
        for kind in self.kinds.iter().filter(|kind| kind.is(wanted)) {
            let Some(block) = BlockId::from_row(kind.row) else {
                continue;
            };
            for cell in &kind.cells {
                let i = i32::from(*cell);
                let p = Pos::new(
                    self.at.x * SIDE + (i & 15),
                    self.at.y * SIDE + (i >> 8),
                    self.at.z * SIDE + ((i >> 4) & 15),
                );
                // Sorted by distance, then position, so the result is always the same.
                let found = (square(p, from), p, block);
                let is_better = best.len() < count || best.last().is_some_and(|last| found < *last);
                if found.0 <= reach && is_better {
                    best.truncate(count.saturating_sub(1));
                    best.insert(best.partition_point(|known| *known < found), found);
                }
            }
        }
    }
}

impl Kind {
    #[inline]
    fn is(&self, wanted: &impl Fn(BlockId) -> bool) -> bool {
        BlockId::from_row(self.row).is_some_and(wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block as blocks;
    use crate::rng::Rng;

    #[test]
    fn the_nearest_are_those_that_a_look_at_every_cell_finds() {
        const KINDS: [BlockId; 4] = [blocks::AIR, blocks::STONE, blocks::DIRT, blocks::OAK_LOG];
        let (mut seen, mut rng, mut cells) = (Seen::default(), Rng::new(3), FxHashMap::default());
        for _ in 0..20_000 {
            let mut draw = || rng.below(60) as i32 - 30;
            let p = Pos::new(draw(), draw(), draw());
            let block = KINDS[rng.below(4) as usize];
            seen.note(p, block);
            cells.insert(p, block);
        }
        let from = Pos::new(3, -2, 9);
        for (range, count) in [(6.0, 5), (40.0, 16), (90.0, 1)] {
            let wanted = |block| block == blocks::OAK_LOG || block == blocks::DIRT;
            let mut all: Vec<_> = cells
                .iter()
                .filter(|(p, block)| wanted(**block) && square(**p, from) as f64 <= range * range)
                .map(|(p, block)| (square(*p, from), *p, *block))
                .collect();
            all.sort_unstable();
            let expected: Vec<_> = all
                .into_iter()
                .take(count)
                .map(|(_, p, b)| (p, b))
                .collect();
            assert_eq!(seen.nearest(from, range, count, wanted), expected);
        }
        let (low, high) = (Pos::new(-20, -17, 3), Pos::new(15, 12, 29));
        let is_between = |p: &Pos| {
            (low.x..=high.x).contains(&p.x)
                && (low.y..=high.y).contains(&p.y)
                && (low.z..=high.z).contains(&p.z)
        };
        let mut air = Vec::new();
        seen.each_air(low, high, |p| air.push(p));
        let mut expected: Vec<Pos> = cells
            .iter()
            .filter(|(p, block)| **block == blocks::AIR && is_between(p))
            .map(|(p, _)| *p)
            .collect();
        air.sort_unstable();
        expected.sort_unstable();
        assert_eq!(air, expected);
    }

    #[test]
    fn far_and_high_cells_are_not_taken_for_each_other() {
        let mut seen = Seen::default();
        let place = Pos::new(5, 70, -9);
        seen.note(place, blocks::STONE);
        for other in [
            place.plus(1 << 28, 0, 0),
            place.plus(0, 4096, 0),
            place.plus(0, 0, -(1 << 28)),
            place.plus(128, 0, 128),
        ] {
            assert_eq!(seen.block(other), None, "{other}");
        }
        assert!(!seen.note(Pos::new(0, 5000, 0), blocks::STONE));
        assert_eq!(seen.block(place), Some(blocks::STONE));
    }
}
