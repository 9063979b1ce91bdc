//! Chunk: the blocks of 16×16 columns, 256 high, in sections of 16.
//!
//! Veins of ore are laid when somebody looks at a section of their zone, for most depths are never looked at.
//! Knows nothing of neighbours. Invariant: nobody sees a section without its veins; `top`, `roof` and
//! `lamps` always agree with the blocks; a section that was never written is absent and reads as air.

use super::lamps::LampRows;
use super::section::{Section, Sections, cell, column, section_of};
use super::terrain::biome::Biome;
use super::terrain::ores::Veins;
use crate::block::{self as blocks, BlockId};
use std::ops::Range;
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Blocks along one side of a chunk or section.
pub const SIDE: i32 = 16;
/// The highest y a block can have.
pub const Y_MAX: i32 = 255;

/// Sections whose veins are laid together. Finding the veins of a zone costs as much as laying those of a section.
const ZONES: [Range<usize>; 3] = [0..2, 2..4, 4..16];

/// The blocks of one chunk.
#[derive(Debug)]
pub struct Chunk {
    sections: [OnceLock<Section>; 16],
    /// One bit for each section whose veins are not laid yet.
    bare: AtomicU16,
    /// What is still bare, until the last zone is laid.
    unlaid: Mutex<Option<Unlaid>>,
    /// The land of each column.
    biomes: [Biome; 256],
    /// y of the highest solid or fluid block of each column, -1 for none.
    /// i16 holds -1 and 255; a chunk has 512 of these.
    top: [i16; 256],
    /// y of the highest opaque block of each column, -1 for none: sky light reaches down to it.
    roof: [i16; 256],
    /// The lowest and the highest of them: below the one no column sees the sky, above the other every one does.
    roofs: (i16, i16),
    /// What shines in each section; told when it is first asked for.
    lamps: [OnceLock<LampRows>; 16],
    /// The sections into which anything that shines was ever put, one bit for each: most hold nothing of it.
    ever_lit: u16,
    /// Places in the chunk, x, y and z, where water or lava runs out of a wall of a cave.
    springs: Vec<[u8; 3]>,
}

/// Sections without their veins.
#[derive(Debug, Clone)]
struct Unlaid {
    sections: Sections,
    veins: Veins,
}

impl Default for Chunk {
    fn default() -> Self {
        Self::of_biomes([Biome::Plains; 256])
    }
}

/// Other threads may lay a zone of the original meanwhile; the lock keeps the parts together.
impl Clone for Chunk {
    fn clone(&self) -> Self {
        let unlaid = self.unlaid.lock().unwrap_or_else(PoisonError::into_inner);
        Self {
            sections: self.sections.clone(),
            bare: AtomicU16::new(self.bare.load(Ordering::Acquire)),
            unlaid: Mutex::new(unlaid.clone()),
            biomes: self.biomes,
            top: self.top,
            roof: self.roof,
            roofs: self.roofs,
            lamps: self.lamps.clone(),
            ever_lit: self.ever_lit,
            springs: self.springs.clone(),
        }
    }
}

/// True for what a body stands on or floats in.
#[inline]
fn fills(block: BlockId) -> bool {
    block.is_solid() || block.is_fluid()
}

impl Chunk {
    /// Air over land of these biomes.
    pub(crate) fn of_biomes(biomes: [Biome; 256]) -> Self {
        Self {
            sections: [const { OnceLock::new() }; 16],
            bare: AtomicU16::new(0),
            unlaid: Mutex::new(None),
            biomes,
            top: [-1; 256],
            roof: [-1; 256],
            roofs: (-1, -1),
            lamps: [const { OnceLock::new() }; 16],
            ever_lit: 0,
            springs: Vec::new(),
        }
    }

    /// The land of a column.
    #[inline]
    pub(crate) fn biome(&self, x: i32, z: i32) -> Biome {
        self.biomes[column(x, z)]
    }

    /// The block at a place; `y` must be in 0..=255.
    /// No check of `y`: the mask wraps it. `Grid::block` is the safe way.
    #[inline]
    #[must_use]
    pub fn block(&self, x: i32, y: i32, z: i32) -> BlockId {
        match self.section(y) {
            Some(section) => section[cell(x, y, z)],
            None => blocks::AIR,
        }
    }

    /// The blocks of the section that holds height `y` (layer by layer, each as `column` counts);
    /// None if all are air.
    #[inline]
    pub(crate) fn section(&self, y: i32) -> Option<&[BlockId; 4096]> {
        let section = section_of(y);
        if self.bare.load(Ordering::Acquire) >> section & 1 != 0 {
            self.lay_zone(section);
        }
        self.sections[section].get().map(|blocks| &**blocks)
    }

    /// The springs of the chunk: x, y and z of each.
    pub(crate) fn springs(&self) -> &[[u8; 3]] {
        &self.springs
    }

    /// Lets a spring out of a wall.
    pub(crate) fn put_spring(&mut self, at: [u8; 3], fluid: BlockId) {
        let [x, y, z] = at.map(i32::from);
        self.put(x, y, z, fluid);
        self.springs.push(at);
    }

    /// Leaves the veins to be laid zone by zone, when somebody looks. Nothing may be `put` from now on.
    pub(crate) fn leave_veins(&mut self, veins: Veins) {
        let sections: Sections = std::array::from_fn(|at| self.sections[at].take());
        let bare = sections.iter().enumerate().filter(|(_, s)| s.is_some());
        *self.bare.get_mut() = bare.fold(0, |bits, (at, _)| bits | 1 << at);
        self.unlaid = Mutex::new(Some(Unlaid { sections, veins }));
    }

    /// Lays all veins now.
    pub(crate) fn lay_veins(&self) {
        ZONES.iter().for_each(|zone| self.lay_zone(zone.start));
    }

    /// Lays the veins of the zone of a section.
    #[cold]
    fn lay_zone(&self, section: usize) {
        let mut unlaid = self.unlaid.lock().unwrap_or_else(PoisonError::into_inner);
        let zone = ZONES.into_iter().find(|zone| zone.contains(&section));
        let (Some(rest), Some(zone)) = (unlaid.as_mut(), zone) else {
            return;
        };
        let mut sections = [const { None }; 16];
        for at in zone.clone() {
            sections[at] = rest.sections[at].take();
        }
        rest.veins.lay(&mut sections, &self.biomes);
        for (slot, section) in self.sections.iter().zip(sections) {
            // Only this function sets them, under the lock, and takes each once.
            if let Some(Err(_)) = section.map(|section| slot.set(section)) {
                unreachable!("a section was laid twice");
            }
        }
        let done = zone.fold(0, |bits, at| bits | 1 << at);
        // After the sections are there, for readers who do not take the lock.
        if self.bare.fetch_and(!done, Ordering::Release) & !done == 0 {
            *unlaid = None;
        }
    }

    /// As `block`, but what a vein replaces may still be stone: for whoever asks what is solid, open or wet.
    /// No vein is laid for it.
    #[inline]
    pub(crate) fn rock(&self, x: i32, y: i32, z: i32) -> BlockId {
        let of = |blocks: &[BlockId; 4096]| blocks[cell(x, y, z)];
        self.with_rock(y, of).unwrap_or(blocks::AIR)
    }

    /// The cells of a section that hold a block which no vein replaces.
    pub(crate) fn cells_of(&self, y: i32, wanted: BlockId) -> Vec<i32> {
        let holds = |layer: &[BlockId]| layer.iter().fold(false, |held, b| held | (*b == wanted));
        let find = |blocks: &[BlockId; 4096]| {
            let layers = (0..).step_by(256).zip(blocks.chunks_exact(256));
            let cells = layers
                .filter(|(_, layer)| holds(layer))
                .flat_map(|(low, layer)| (low..).zip(layer));
            let found = cells.filter(|(_, block)| **block == wanted);
            found.map(|(cell, _)| cell).collect()
        };
        self.with_rock(y, find).unwrap_or_default()
    }

    /// Asks a section as it is, its veins laid or not; None if all is air.
    #[inline]
    pub(crate) fn with_rock<T>(&self, y: i32, ask: impl Fn(&[BlockId; 4096]) -> T) -> Option<T> {
        let at = section_of(y);
        if self.bare.load(Ordering::Acquire) >> at & 1 != 0 {
            let unlaid = self.unlaid.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(blocks) = unlaid.as_ref().and_then(|rest| rest.sections[at].as_ref()) {
                return Some(ask(blocks));
            }
        }
        self.sections[at].get().map(|blocks| ask(blocks))
    }

    /// The rows of one layer that hold something that shines, one bit for each z. No vein shines.
    #[inline]
    pub(crate) fn lamp_rows(&self, y: i32) -> u16 {
        self.lamps(y).map_or(0, |rows| rows.layer(y))
    }

    /// Whether anything shines in the section of this height.
    #[inline]
    pub(crate) fn has_lamps(&self, y: i32) -> bool {
        self.lamps(y).is_some_and(LampRows::shines)
    }

    /// True if something in the section of this height may shine.
    #[inline]
    pub(crate) fn may_shine(&self, y: i32) -> bool {
        self.ever_lit >> section_of(y) & 1 != 0
    }

    /// What shines in the section of this height; none where nothing ever has.
    #[inline]
    pub(crate) fn lamps(&self, y: i32) -> Option<&LampRows> {
        if !self.may_shine(y) {
            return None;
        }
        let lamps = &self.lamps[section_of(y)];
        lamps.get().or_else(|| {
            let found = self.with_rock(y, LampRows::of_section)?;
            Some(lamps.get_or_init(|| found))
        })
    }

    /// Writes a block without touching the column heights; `settle` must follow.
    #[inline]
    pub(crate) fn put(&mut self, x: i32, y: i32, z: i32, block: BlockId) {
        if let Some(section) = self.written(y, block) {
            section[cell(x, y, z)] = block;
        }
    }

    /// The section that holds height `y`, to write this block into it; none where it is air and all is air.
    #[inline]
    fn written(&mut self, y: i32, block: BlockId) -> Option<&mut [BlockId; 4096]> {
        debug_assert_eq!(*self.bare.get_mut() >> section_of(y) & 1, 0, "at {y}");
        self.ever_lit |= u16::from(block.shines()) << section_of(y);
        let slot = &mut self.sections[section_of(y)];
        if block != blocks::AIR {
            slot.get_or_init(|| Box::new([blocks::AIR; 4096]));
        }
        slot.get_mut().map(|blocks| &mut **blocks)
    }

    /// Writes those columns of a layer that are this high, without touching the column heights; `settle` must follow.
    pub(crate) fn put_where(&mut self, y: i32, heights: &[i32; 256], block: BlockId) {
        let from = cell(0, y, 0);
        if let Some(section) = self.written(y, block) {
            for (cell, height) in section[from..from + 256].iter_mut().zip(heights) {
                *cell = if *height >= y { block } else { *cell };
            }
        }
    }

    /// Writes one whole layer without touching the column heights; `settle` must follow.
    pub(crate) fn put_layer(&mut self, y: i32, block: BlockId) {
        let from = cell(0, y, 0);
        if let Some(section) = self.written(y, block) {
            section[from..from + 256].fill(block);
        }
    }

    /// Writes a block and keeps the column heights and lamps true.
    pub fn set(&mut self, x: i32, y: i32, z: i32, block: BlockId) {
        // A section that is bare has its veins laid first.
        self.section(y);
        self.put(x, y, z, block);
        let section = section_of(y);
        if let (Some(blocks), Some(rows)) =
            (self.sections[section].get(), self.lamps[section].get_mut())
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
        self.find_roofs();
    }

    fn find_roofs(&mut self) {
        let low = self.roof.iter().fold(i16::MAX, |low, y| low.min(*y));
        let high = self.roof.iter().fold(i16::MIN, |high, y| high.max(*y));
        self.roofs = (low, high);
    }

    /// Computes all column heights anew, after a chunk was filled with `put`.
    pub(crate) fn settle(&mut self) {
        self.lamps = [const { OnceLock::new() }; 16];
        (self.top, self.roof) = ([-1; 256], [-1; 256]);
        self.find_tops();
        self.find_roofs();
    }

    fn find_tops(&mut self) {
        // Layer by layer from above, until every column has met something opaque.
        let mut open = 256;
        for y in (0..=Y_MAX).rev() {
            let Some(layer) = self.layer(y) else {
                continue;
            };
            let layer = *layer;
            if layer.iter().fold(true, |air, b| air & (*b == blocks::AIR)) {
                continue;
            }
            for (at, block) in layer.into_iter().enumerate() {
                if block == blocks::AIR || self.roof[at] >= 0 {
                    continue;
                }
                if self.top[at] < 0 && fills(block) {
                    self.top[at] = y as i16;
                }
                if block.is_opaque() {
                    self.roof[at] = y as i16;
                    open -= 1;
                }
            }
            if open == 0 {
                return;
            }
        }
    }

    /// The blocks of one layer; None where the section is air.
    fn layer(&self, y: i32) -> Option<&[BlockId; 256]> {
        self.section(y)?[cell(0, y, 0)..].first_chunk()
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

    /// y of the lowest and of the highest roof of all columns.
    #[inline]
    pub(crate) fn roofs(&self) -> (i32, i32) {
        (i32::from(self.roofs.0), i32::from(self.roofs.1))
    }

    /// y of the highest opaque block of a column, -1 for none.
    #[inline]
    #[must_use]
    pub fn roof(&self, x: i32, z: i32) -> i32 {
        i32::from(self.roof[column(x, z)])
    }
}
