//! Caves: winding tunnels, rooms in the depth, and ravines.
//!
//! A tunnel runs where a gently rolling sheet meets a steep one, so that it can mostly be walked.
//! Fields are computed on a 4×8×4 lattice. Invariant: `hollow_at` and `carve` agree to the bit,
//! and nothing is carved that could let a sea, river or lake in.

use super::super::chunk::Chunk;
use super::noise::{Noise, lerp, smooth};
use super::shape::{SEA_LEVEL, TerrainRegion};
use crate::block as blocks;

/// Caves are full of lava up to here.
pub const LAVA_LEVEL: i32 = 10;
/// Caves end above the bedrock, which reaches up to 4.
const FLOOR: i32 = 5;
/// Blocks between lattice points along the ground, and up. Powers of two, so that masks
/// find the cell.
const ACROSS: i32 = 4;
const UP: i32 = 8;
/// Ground that stays closed over tunnels where they have no mouth.
const CRUST: i32 = 7;
/// From this lattice layer on no field is strong enough for a room, see `room_least`.
const ROOMLESS: i32 = 56;
/// Ground that stays closed under and beside water.
const SEAL: i32 = 5;

/// The fields from which caves are made.
/// `sheet` and `wall` are zero on surfaces in space. A tunnel follows the line where both
/// surfaces meet; `room` opens where the field is high.
#[derive(Debug, Clone)]
pub(crate) struct Caves {
    sheet: Noise,
    wall: Noise,
    room: Noise,
    /// Where tunnels are wide, narrow or none.
    girth: Noise,
    mouth: Noise,
    ravine: Noise,
    ravine_here: Noise,
}

/// The fields at one lattice point.
#[derive(Debug, Clone, Copy, Default)]
struct Fields {
    sheet: f32,
    wall: f32,
    room: f32,
}

/// The eight corners of a lattice cell; bit 0 of the index is x, bit 1 z, bit 2 y.
type Cell = [Fields; 8];

/// The fields of the plane at one column.
struct Paths {
    girth: f32,
    mouth: f32,
    ravine: f32,
}

/// What holds for a whole column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bore {
    /// No hollow above this.
    /// None at all if this is below `FLOOR`.
    ceiling: i32,
    /// Widths of tunnels, squared and inverted for the two fields.
    /// Squared and inverted so that the test in `hollow` has no root and no division.
    sheet: f32,
    wall: f32,
    /// Lowest y of a ravine.
    ravine: i32,
}

impl Caves {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            // The sheet is wide and flat (72 across, 22 up), so tunnels rise slowly; the
            // wall is tall, so they have sides.
            sheet: Noise::stretched(seed, "cave sheet", 72.0, 22.0, 1),
            wall: Noise::stretched(seed, "cave wall", 44.0, 90.0, 1),
            room: Noise::stretched(seed, "cave room", 52.0, 26.0, 1),
            girth: Noise::new(seed, "cave girth", 150.0, 1),
            mouth: Noise::new(seed, "cave mouth", 70.0, 1),
            ravine: Noise::new(seed, "ravine", 130.0, 1),
            ravine_here: Noise::new(seed, "ravine here", 170.0, 1),
        }
    }

    fn fields(&self, x: i32, y: i32, z: i32) -> Fields {
        Fields {
            sheet: self.sheet.solid(x, y, z),
            wall: self.wall.solid(x, y, z),
            room: if y < ROOMLESS {
                self.room.solid(x, y, z)
            } else {
                0.0
            },
        }
    }

    /// What holds for a column with this ground and this lowest ground around it.
    pub(crate) fn bore(&self, x: i32, z: i32, height: i32, lowest: i32) -> Bore {
        let fields = Paths {
            girth: self.girth.flat(x, z),
            mouth: self.mouth.flat(x, z),
            ravine: self.ravine.flat(x, z),
        };
        self.bored(x, z, [height, lowest], &fields)
    }

    fn bored(&self, x: i32, z: i32, [height, lowest]: [i32; 2], fields: &Paths) -> Bore {
        // Girth runs from 0.75 to 1.35; `may_be_hollow` relies on the upper end.
        let girth = 0.75 + 0.6 * smooth(-0.5, 0.6, fields.girth);
        let (sheet, wall) = (1.0 / (0.125 * girth), 1.0 / (0.070 * girth));
        let dry = lowest > SEA_LEVEL;
        let cleft = fields.ravine.abs();
        // The zero line of the ravine field is long and winding. The second field keeps
        // ravines to few places.
        let split = dry && cleft < 0.035 && self.ravine_here.flat(x, z) > 0.45;
        let ceiling = if !dry {
            lowest - SEAL
        } else if split || fields.mouth > 0.3 {
            height
        } else {
            height - CRUST
        };
        // A ravine narrows downwards: the middle is deepest.
        // From 18 in the middle to 42 at the edges.
        let ravine = if split {
            18 + (cleft * 700.0) as i32
        } else {
            i32::MAX
        };
        Bore {
            ceiling,
            sheet: sheet * sheet,
            wall: wall * wall,
            ravine,
        }
    }

    /// True if the block of this column is hollow; for single questions about any column.
    pub(crate) fn hollow_at(&self, x: i32, y: i32, z: i32, bore: &Bore) -> bool {
        let (px, py, pz) = (x & !(ACROSS - 1), y & !(UP - 1), z & !(ACROSS - 1));
        let cell: Cell = std::array::from_fn(|i| {
            let i = i as i32;
            self.fields(
                px + (i & 1) * ACROSS,
                py + (i >> 2) * UP,
                pz + (i >> 1 & 1) * ACROSS,
            )
        });
        let edge = edge(&cell, x & (ACROSS - 1), z & (ACROSS - 1));
        y >= FLOOR && y <= bore.ceiling && hollow(&edge, y, bore)
    }

    /// Hollows out a chunk; what is carved at `LAVA_LEVEL` and below holds lava.
    pub(crate) fn carve(
        &self,
        chunk: &mut Chunk,
        region: &TerrainRegion,
        chunk_x: i32,
        chunk_z: i32,
    ) {
        let (x0, z0) = (chunk_x * 16, chunk_z * 16);
        let square = |field: &Noise| field.square::<16, 256>((x0, z0), 1);
        let girth = square(&self.girth);
        let (mouth, ravine) = (square(&self.mouth), square(&self.ravine));
        let lowest = region.lowest_around_all();
        let bores: [Bore; 256] = std::array::from_fn(|at| {
            let (x, z) = (x0 + (at as i32 & 15), z0 + (at as i32 >> 4));
            let heights = [region.column(x, z).height, lowest[at]];
            let fields = Paths {
                girth: girth[at],
                mouth: mouth[at],
                ravine: ravine[at],
            };
            self.bored(x, z, heights, &fields)
        });
        // The highest ground lies in the layer `highest >> 3`: one is added to make a
        // count, and one for the layer above.
        let layers = (region.highest() >> 3) + 2;
        // Each layer of points serves as the head of one row of cells and the foot of the
        // next.
        let mut below = self.layer(x0, 0, z0);
        for layer in 0..layers {
            let above = self.layer(x0, (layer + 1) * UP, z0);
            for at in 0..16_usize {
                let (i, j) = (at & 3, at >> 2);
                let corner = |k: usize| {
                    let points = if k & 4 == 0 { &below } else { &above };
                    points[(j + (k >> 1 & 1)) * 5 + i + (k & 1)]
                };
                let cell: Cell = std::array::from_fn(corner);
                carve_cell(
                    chunk,
                    &cell,
                    &bores,
                    [i as i32 * ACROSS, layer * UP, j as i32 * ACROSS],
                );
            }
            below = above;
        }
    }

    /// The fields at the lattice points of a chunk at one height, row by row.
    fn layer(&self, x0: i32, y: i32, z0: i32) -> [Fields; 25] {
        let at = |field: &Noise| field.slab::<5, 25>([x0, y, z0], ACROSS);
        let (sheet, wall) = (at(&self.sheet), at(&self.wall));
        let room = if y < ROOMLESS {
            at(&self.room)
        } else {
            [0.0; 25]
        };
        std::array::from_fn(|at| Fields {
            sheet: sheet[at],
            wall: wall[at],
            room: room[at],
        })
    }
}

/// The fields along the vertical line through one column of a cell, at its foot and its head.
#[inline]
fn edge(cell: &Cell, dx: i32, dz: i32) -> [Fields; 2] {
    let (u, w) = (dx as f32 * 0.25, dz as f32 * 0.25);
    let at = |base: usize, field: fn(&Fields) -> f32| {
        let near = lerp(field(&cell[base]), field(&cell[base + 1]), u);
        lerp(
            near,
            lerp(field(&cell[base + 2]), field(&cell[base + 3]), u),
            w,
        )
    };
    let end = |base| Fields {
        sheet: at(base, |f| f.sheet),
        wall: at(base, |f| f.wall),
        room: at(base, |f| f.room),
    };
    [end(0), end(4)]
}

#[inline]
fn hollow([foot, head]: &[Fields; 2], y: i32, bore: &Bore) -> bool {
    let t = (y & (UP - 1)) as f32 * 0.125;
    let sheet = lerp(foot.sheet, head.sheet, t);
    let wall = lerp(foot.wall, head.wall, t);
    // An ellipse around the line where both fields are zero.
    sheet * sheet * bore.sheet + wall * wall * bore.wall < 1.0
        || lerp(foot.room, head.room, t) > room_least(y)
        || y >= bore.ravine
}

/// Rooms are for the depth only, and their roofs close upwards.
#[inline]
fn room_least(y: i32) -> f32 {
    0.60 + (y - 26).max(0) as f32 * 0.025
}

/// Most cells hold nothing to carve: a blend never leaves the range of its corners.
/// The bounds are the widest tunnels: 0.125 and 0.070 times the largest girth of 1.35,
/// rounded up.
fn may_be_hollow(cell: &Cell, y: i32) -> bool {
    let crosses = |field: fn(&Fields) -> f32, reach: f32| {
        cell.iter().any(|f| field(f) < reach) && cell.iter().any(|f| field(f) > -reach)
    };
    (crosses(|f| f.sheet, 0.17) && crosses(|f| f.wall, 0.10))
        || cell.iter().any(|f| f.room > room_least(y))
}

/// Whether any height from `low` on can be hollow without a ravine. The bounds leave room for what a blend is rounded by.
fn may_be_hollow_along([foot, head]: &[Fields; 2], low: i32, bore: &Bore) -> bool {
    let least = |a: f32, b: f32| {
        let crosses = a * b <= 0.0;
        if crosses {
            0.0
        } else {
            a.abs().min(b.abs()) * 0.999
        }
    };
    let (sheet, wall) = (least(foot.sheet, head.sheet), least(foot.wall, head.wall));
    sheet * sheet * bore.sheet + wall * wall * bore.wall < 1.0
        || foot.room.max(head.room) + 0.001 > room_least(low)
}

fn carve_cell(chunk: &mut Chunk, cell: &Cell, bores: &[Bore; 256], [x0, y0, z0]: [i32; 3]) {
    let may = may_be_hollow(cell, y0);
    for at in 0..16 {
        let (dx, dz) = (at & 3, at >> 2);
        let bore = &bores[((z0 + dz) * 16 + x0 + dx) as usize];
        let high = bore.ceiling.min(y0 + UP - 1);
        let low = y0.max(FLOOR);
        // A cell without tunnels or rooms is passed over, but a ravine can cut through it
        // all the same.
        if low > high || (!may && high < bore.ravine) {
            continue;
        }
        let edge = edge(cell, dx, dz);
        if high < bore.ravine && !may_be_hollow_along(&edge, low, bore) {
            continue;
        }
        for y in low..=high {
            if hollow(&edge, y, bore) {
                let block = if y <= LAVA_LEVEL {
                    blocks::LAVA
                } else {
                    blocks::AIR
                };
                chunk.put(x0 + dx, y, z0 + dz, block);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::shape::Landscape;
    use super::*;

    #[test]
    fn a_single_question_gets_the_answer_of_the_whole_chunk() {
        let (land, caves) = (Landscape::new(7), Caves::new(7));
        for (cx, cz) in [(0, 0), (-3, 5), (11, -7)] {
            let region = land.region(cx, cz);
            let mut chunk = Chunk::default();
            for at in 0..256 * 128 {
                chunk.put(at & 15, at >> 8, at >> 4 & 15, blocks::STONE);
            }
            caves.carve(&mut chunk, &region, cx, cz);
            for at in 0..256 * 64 {
                let (x, y, z) = (cx * 16 + (at & 15), at >> 8, cz * 16 + (at >> 4 & 15));
                let bore = caves.bore(x, z, region.column(x, z).height, region.lowest_around(x, z));
                let carved = chunk.block(x, y, z) != blocks::STONE;
                assert_eq!(carved, caves.hollow_at(x, y, z, &bore), "at {x} {y} {z}");
            }
        }
    }
}
