//! Seen: what the body remembers of the blocks around it.
//!
//! It is filled by `Sight` only; scripts and the path finder read nothing else of the land. A
//! cell that was never seen is unknown, which is neither air nor stone. Invariant: it never
//! holds a block that no ray met and no hand touched.

use super::nature::{Nature, natures};
use crate::world::block::BlockId;
use crate::world::space::Pos;
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// Marks a cell that was never seen; no block has this number.
const UNKNOWN: u16 = u16::MAX;
const SIDE: i32 = 16;
const CELLS: usize = 4096;
/// Slots of the direct-mapped table: 8 × 16 × 8 sections, wider than any search.
const NEAR: usize = 1024;
/// Marks a section of which nothing was seen.
const ABSENT: u32 = u32::MAX;
/// Newly seen cells kept for the next frame; beyond it the oldest news are not reported.
const FRESH_MAX: usize = 65_536;

/// One cube of 16 × 16 × 16 remembered cells.
#[derive(Debug, Clone)]
struct Section {
    at: Pos,
    cells: Box<[u16; CELLS]>,
    /// How many cells hold each kind of block, air left out; short, so scanned in order.
    kinds: Vec<(u16, u16)>,
}

/// The memory of blocks.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    index: FxHashMap<Pos, u32>,
    sections: Vec<Section>,
    /// Direct-mapped in front of `index`, absent sections included: the path finder asks for
    /// millions of cells, many of them unknown.
    near: Vec<Cell<(Pos, u32)>>,
    fresh: Vec<(Pos, BlockId)>,
    /// Counts changes, so that plans made before can be known to be stale.
    changes: u64,
}

impl Default for Seen {
    fn default() -> Self {
        Self {
            index: FxHashMap::default(),
            sections: Vec::new(),
            near: vec![Cell::new((Pos::new(i32::MAX, 0, 0), ABSENT)); NEAR],
            fresh: Vec::new(),
            changes: 0,
        }
    }
}

#[inline]
fn slot(section: Pos) -> usize {
    ((section.y & 15) << 6 | (section.z & 7) << 3 | (section.x & 7)) as usize
}

#[inline]
fn section_of(p: Pos) -> Pos {
    Pos::new(p.x >> 4, p.y >> 4, p.z >> 4)
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
    pub(crate) fn nature(&self, p: Pos) -> Nature {
        match self.raw(p) {
            UNKNOWN => Nature::UNKNOWN,
            raw => natures()[usize::from(raw)],
        }
    }

    #[inline]
    fn raw(&self, p: Pos) -> u16 {
        match self.find(section_of(p)) {
            Some(index) => self.sections[index as usize].cells[cell_of(p)],
            None => UNKNOWN,
        }
    }

    #[inline]
    fn find(&self, at: Pos) -> Option<u32> {
        let near = &self.near[slot(at)];
        let (known, mut index) = near.get();
        if known != at {
            index = self.index.get(&at).copied().unwrap_or(ABSENT);
            near.set((at, index));
        }
        (index != ABSENT).then_some(index)
    }

    /// Remembers a block that was seen or touched; true if that is news.
    pub(crate) fn note(&mut self, p: Pos, block: BlockId) -> bool {
        let at = section_of(p);
        let index = self.find(at).unwrap_or_else(|| self.add_section(at));
        let section = &mut self.sections[index as usize];
        let old = section.cells[cell_of(p)];
        if old == block.row() {
            return false;
        }
        section.cells[cell_of(p)] = block.row();
        self.changes += 1;
        let was_there = old != UNKNOWN && !is_air(old);
        if was_there {
            section.forget_kind(old);
        }
        if !is_air(block.row()) {
            section.add_kind(block.row());
        }
        if (was_there || !is_air(block.row())) && self.fresh.len() < FRESH_MAX {
            self.fresh.push((p, block));
        }
        true
    }

    fn add_section(&mut self, at: Pos) -> u32 {
        let index = self.sections.len() as u32;
        self.sections.push(Section { at, cells: Box::new([UNKNOWN; CELLS]), kinds: Vec::new() });
        self.index.insert(at, index);
        self.near[slot(at)].set((at, index));
        index
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
        let reach = (range * range) as i64;
        for (index, section) in self.sections.iter().enumerate() {
            let gap = section.gap(from);
            if gap <= reach && section.kinds.iter().any(|(kind, _)| kind_of(*kind).is_some_and(&wanted)) {
                near.push((gap, index as u32));
            }
        }
        near.sort_unstable();
        let mut best: Vec<(i64, Pos, BlockId)> = Vec::new();
        for (gap, index) in near {
            if best.len() >= count && best[count - 1].0 < gap {
                break;
            }
            let before = best.len();
            self.sections[index as usize].collect(from, reach, &wanted, &mut best);
            if best.len() > before {
                best.sort_unstable();
                best.truncate(count);
            }
        }
        best.into_iter().map(|(_, p, b)| (p, b)).collect()
    }
}

fn kind_of(raw: u16) -> Option<BlockId> {
    BlockId::from_row(raw)
}

fn is_air(raw: u16) -> bool {
    natures()[usize::from(raw)].is_air()
}

/// Square of the distance, in whole blocks.
pub(crate) fn square(a: Pos, b: Pos) -> i64 {
    let (x, y, z) = (i64::from(a.x - b.x), i64::from(a.y - b.y), i64::from(a.z - b.z));
    x * x + y * y + z * z
}

impl Section {
    fn add_kind(&mut self, raw: u16) {
        match self.kinds.iter_mut().find(|(kind, _)| *kind == raw) {
            Some((_, count)) => *count += 1,
            None => self.kinds.push((raw, 1)),
        }
    }

    fn forget_kind(&mut self, raw: u16) {
        if let Some(i) = self.kinds.iter().position(|(kind, _)| *kind == raw) {
            self.kinds[i].1 -= 1;
            if self.kinds[i].1 == 0 {
                self.kinds.swap_remove(i);
            }
        }
    }

    /// Square of the distance from a cell to the nearest cell of the section.
    fn gap(&self, from: Pos) -> i64 {
        let axis = |at: i32, p: i32| {
            let low = at * SIDE;
            i64::from((low - p).max(p - (low + SIDE - 1)).max(0))
        };
        let (x, y, z) = (axis(self.at.x, from.x), axis(self.at.y, from.y), axis(self.at.z, from.z));
        x * x + y * y + z * z
    }

    fn collect(
        &self,
        from: Pos,
        reach: i64,
        wanted: &impl Fn(BlockId) -> bool,
        best: &mut Vec<(i64, Pos, BlockId)>,
    ) {
        // Few kinds are wanted and a section holds few kinds: compare numbers, not properties.
        let kinds: Vec<u16> =
            self.kinds.iter().map(|(k, _)| *k).filter(|k| kind_of(*k).is_some_and(wanted)).collect();
        for (i, raw) in self.cells.iter().enumerate() {
            if kinds.contains(raw) {
                let i = i as i32;
                let p = Pos::new(
                    self.at.x * SIDE + (i & 15),
                    self.at.y * SIDE + (i >> 8),
                    self.at.z * SIDE + ((i >> 4) & 15),
                );
                let distance = square(p, from);
                if distance <= reach {
                    best.extend(kind_of(*raw).map(|block| (distance, p, block)));
                }
            }
        }
    }
}
