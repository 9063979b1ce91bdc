//! Plots: houses, fields, streets and the well, block by block, clipped to one chunk.
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

// The floor of a house:
//
//   house, floor:   C w w w w w C     b bed   s where the villager works   k chest
//                   w b . . . s w     t torch   the gap in the wall is the door, towards the street
//                   w . . . . . w
//                   w . . . . . w
//                   w . . . . . w
//                   w t . . . k w
//                   C w w   w w C
/// Half the side of a house, walls included, and the height of its walls.
const HALF: i32 = 3;
const WALLS: i32 = 3;
/// Half the sides of a field, its border included.
const FIELD: (i32, i32) = (4, 3);
/// Cleared above a plot, and filled below it.
const CLEAR: i32 = 24;
const DEEP: i32 = 8;

/// A chunk under construction.
pub(super) struct Site<'a> {
    chunk: &'a mut Chunk,
    at: (i32, i32),
    style: &'static Style,
}

// Every plot is built in full for every chunk it touches; `holds` drops what lies outside.
impl<'a> Site<'a> {
    pub(super) fn new(chunk: &'a mut Chunk, at: (i32, i32), style: &'static Style) -> Self {
        Self { chunk, at, style }
    }

    fn holds(&self, x: i32, z: i32) -> bool {
        (x >> 4, z >> 4) == self.at
    }

    fn put(&mut self, at: Pos, block: BlockId) {
        if self.holds(at.x, at.z) {
            self.chunk.put(at.x, at.y, at.z, block);
        }
    }

    /// Levels a column: ground below, air above.
    fn level(&mut self, floor: Pos, ground: BlockId) {
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
    fn pave(&mut self, region: &TerrainRegion, x: i32, z: i32) {
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
fn place(plot: &Plot, aside: i32, up: i32, ahead: i32) -> Pos {
    let (fx, fz) = plot.front;
    let (rx, rz) = right(plot.front);
    plot.at
        .plus(rx * aside + fx * ahead, up, rz * aside + fz * ahead)
}

/// Where the chest of a house stands.
pub(super) fn chest_of(plot: &Plot) -> Pos {
    place(plot, HALF - 1, 1, HALF - 1)
}

pub(super) fn house(site: &mut Site<'_>, region: &TerrainRegion, plot: &Plot, who: Profession) {
    let style = site.style;
    for ahead in -HALF..=HALF {
        for aside in -HALF..=HALF {
            let (a, b) = (ahead.abs() == HALF, aside.abs() == HALF);
            let floor = place(plot, aside, 0, ahead);
            site.level(floor, style.floor);
            for up in 1..=WALLS {
                let block = match (a, b) {
                    (true, true) => style.corner,
                    (false, false) => continue,
                    _ if up == 2 && (ahead == 0 || aside == 0) => blocks::GLASS,
                    _ => style.wall,
                };
                site.put(floor.plus(0, up, 0), block);
            }
            site.put(floor.plus(0, WALLS + 1, 0), style.roof);
            // A second layer over the inner part makes the roof a flat pyramid.
            if !a && !b {
                site.put(floor.plus(0, WALLS + 2, 0), style.roof);
            }
        }
    }
    for up in 1..=2 {
        site.put(place(plot, 0, up, HALF), blocks::AIR);
    }
    furnish(site, plot, who);
    // From the door to the street.
    for ahead in HALF + 1..=HALF + 4 {
        let at = place(plot, 0, 0, ahead);
        site.pave(region, at.x, at.z);
    }
}

fn furnish(site: &mut Site<'_>, plot: &Plot, who: Profession) {
    let inner = HALF - 1;
    let bed = site.style.bed;
    site.put(place(plot, -inner, 1, -inner), bed);
    site.put(place(plot, inner, 1, -inner), who.site());
    site.put(chest_of(plot), blocks::CHEST);
    site.put(place(plot, -inner, 1, inner), blocks::TORCH);
    if who == Profession::Librarian {
        for up in 1..=2 {
            site.put(place(plot, 0, up, -inner), blocks::BOOKSHELF);
        }
    }
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
