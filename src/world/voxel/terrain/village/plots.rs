//! Plots: fields, streets and the well, block by block, clipped to one chunk; houses are in `house`.
//!
//! Invariant: what is built depends on the plot only, so that both sides of a chunk border agree.

use super::style::Style;
use super::{Plot, REACH, Village};
use crate::block::{self as blocks, BlockId};
use crate::rng::{Streams, hash3};
use crate::space::Pos;
use crate::trade::Profession;
use crate::voxel::chunk::Chunk;
use crate::voxel::terrain::shape::TerrainRegion;

/// Half the sides of a field, its border included.
const FIELD: (i32, i32) = (4, 3);
/// Cleared above a plot, and filled below it.
const CLEAR: i32 = 24;
const DEEP: i32 = 8;

/// A chunk under construction.
pub(super) struct Site<'a> {
    chunk: &'a mut Chunk,
    at: (i32, i32),
    pub(super) style: &'static Style,
}

// Every plot is built in full for every chunk it touches; `holds` drops what lies outside.
impl<'a> Site<'a> {
    pub(super) fn new(chunk: &'a mut Chunk, at: (i32, i32), style: &'static Style) -> Self {
        Self { chunk, at, style }
    }

    fn holds(&self, x: i32, z: i32) -> bool {
        (x >> 4, z >> 4) == self.at
    }

    pub(super) fn put(&mut self, at: Pos, block: BlockId) {
        if self.holds(at.x, at.z) {
            self.chunk.put(at.x, at.y, at.z, block);
        }
    }

    /// Levels a column: ground below, air above.
    pub(super) fn level(&mut self, floor: Pos, ground: BlockId) {
        if !self.holds(floor.x, floor.z) {
            return;
        }
        for up in 1..=CLEAR {
            self.put(floor.plus(0, up, 0), blocks::AIR);
        }
        self.put(floor, ground);
        for down in 1..=DEEP {
            let at = floor.plus(0, -down, 0);
            // Filling stops at the first opaque block, so a floor on firm ground costs one
            // look.
            if self.chunk.block(at.x, at.y, at.z).is_opaque() {
                break;
            }
            self.put(at, blocks::DIRT);
        }
    }

    /// Makes the ground of a column a path, where it is ground.
    pub(super) fn pave(&mut self, region: &TerrainRegion, x: i32, z: i32) {
        if !self.holds(x, z) {
            return;
        }
        let y = region.column(x, z).height;
        let ground = self.chunk.block(x, y, z);
        let above = self.chunk.block(x, y + 1, z);
        let bears = matches!(
            ground,
            blocks::GRASS_BLOCK
                | blocks::DIRT
                | blocks::SAND
                | blocks::PODZOL
                | blocks::COARSE_DIRT
        );
        // Streets do not bridge water and do not run over rocks.
        if bears && !above.is_solid() && !above.is_fluid() {
            let at = Pos::new(x, y, z);
            self.put(at, self.style.path);
            for up in 1..=2 {
                self.put(at.plus(0, up, 0), blocks::AIR);
            }
        }
    }
}

/// Two streets, three wide, that cross in the middle.
pub(super) fn streets(site: &mut Site<'_>, region: &TerrainRegion, village: &Village) {
    let middle = village.middle;
    for along in -REACH..=REACH {
        for across in -1..=1 {
            site.pave(region, middle.x + along, middle.z + across);
            site.pave(region, middle.x + across, middle.z + along);
        }
    }
}

/// A well in the middle, with a bell beside it.
/// Three by three of stone around one column of water two deep, on a floor that `level`
/// made.
pub(super) fn well(site: &mut Site<'_>, middle: Pos) {
    for dz in -2_i32..=2 {
        for dx in -2_i32..=2 {
            let at = middle.plus(dx, 0, dz);
            let far = dx.abs().max(dz.abs());
            site.level(at, blocks::COBBLESTONE);
            if far <= 1 {
                site.put(at.down(), blocks::COBBLESTONE);
                site.put(
                    at,
                    if far == 0 {
                        blocks::WATER
                    } else {
                        blocks::COBBLESTONE
                    },
                );
                if far == 0 {
                    site.put(at.down(), blocks::WATER);
                    site.put(at.plus(0, -2, 0), blocks::COBBLESTONE);
                }
            }
        }
    }
    if let Some(bell) = BlockId::named("bell") {
        site.put(middle.plus(2, 1, 2), bell);
    }
}

/// The step to the right of the front.
fn right((x, z): (i32, i32)) -> (i32, i32) {
    (-z, x)
}

/// A place of a plot: so far to the right, up, and towards the street.
/// `front` is one step along an axis, so a plot is turned by quarter turns without any
/// trigonometry.
pub(super) fn place(plot: &Plot, aside: i32, up: i32, ahead: i32) -> Pos {
    let (fx, fz) = plot.front;
    let (rx, rz) = right(plot.front);
    plot.at
        .plus(rx * aside + fx * ahead, up, rz * aside + fz * ahead)
}

/// Beds of earth on both sides of a ditch, each of one crop, full grown.
pub(super) fn field(site: &mut Site<'_>, plot: &Plot, seed: u64) {
    let (wide, long) = FIELD;
    let log = site.style.corner;
    let crops = [
        blocks::WHEAT,
        blocks::WHEAT,
        blocks::CARROTS,
        blocks::POTATOES,
        blocks::BEETROOTS,
    ];
    let salt = Streams(seed).salt("fields");
    // All rows on one side of the ditch share a draw: `signum` is the same for them.
    for ahead in -long..=long {
        let roll = hash3(salt, plot.at.x, ahead.signum(), plot.at.z);
        let crop = crops[(roll % crops.len() as u64) as usize];
        for aside in -wide..=wide {
            let at = place(plot, aside, 0, ahead);
            let is_border = aside.abs() == wide || ahead.abs() == long;
            let ground = match ahead {
                _ if is_border => log,
                0 => blocks::WATER,
                _ => blocks::FARMLAND,
            };
            site.level(at, ground);
            if ground == blocks::WATER {
                site.put(at.down(), blocks::DIRT);
            } else if !is_border {
                site.put(at.up(), crop);
            }
        }
    }
    site.put(place(plot, -wide, 1, -long), blocks::HAY_BLOCK);
    site.put(place(plot, wide, 1, -long), Profession::Farmer.site());
}
