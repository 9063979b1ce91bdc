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

/// The same of all columns of a chunk, row by row.
struct Bores {
    ceiling: [i32; 256],
    sheet: [f32; 256],
    wall: [f32; 256],
    ravine: [i32; 256],
}

impl Bores {
    fn of(columns: &[Bore; 256]) -> Self {
        Self {
            ceiling: columns.map(|bore| bore.ceiling),
            sheet: columns.map(|bore| bore.sheet),
            wall: columns.map(|bore| bore.wall),
            ravine: columns.map(|bore| bore.ravine),
        }
    }

    fn at(&self, column: usize) -> Bore {
        Bore {
            ceiling: self.ceiling[column],
            sheet: self.sheet[column],
            wall: self.wall[column],
            ravine: self.ravine[column],
        }
    }
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
        if y < FLOOR || y > bore.ceiling {
            return false;
        }
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
        hollow(&edge, y, bore)
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
        let bores = Bores::of(&std::array::from_fn(|at| {
            let (x, z) = (x0 + (at as i32 & 15), z0 + (at as i32 >> 4));
            let heights = [region.column(x, z).height, lowest[at]];
            let fields = Paths {
                girth: girth[at],
                mouth: mouth[at],
                ravine: ravine[at],
            };
            self.bored(x, z, heights, &fields)
        }));
        // The highest ground lies in the layer `highest >> 3`: one is added to make a
        // count, and one for the layer above.
        let layers = (region.highest() >> 3) + 2;
        // Each plane serves as the head of one layer and the foot of the next.
        let mut foot = self.plane(x0, 0, z0);
        for layer in 0..layers {
            let head = self.plane(x0, (layer + 1) * UP, z0);
            carve_layer(chunk, [&foot, &head], &bores, layer * UP);
            foot = head;
        }
    }

    /// The fields of a chunk at a height of the lattice.
    fn plane(&self, x0: i32, y: i32, z0: i32) -> Plane {
        let at = |field: &Noise| blended(&field.slab::<5, 25>([x0, y, z0], ACROSS));
        Plane {
            sheet: at(&self.sheet),
            wall: at(&self.wall),
            room: if y < ROOMLESS {
                at(&self.room)
            } else {
                [0.0; 256]
            },
        }
    }
}

/// The fields over all columns of a chunk at a height of the lattice, row by row.
struct Plane {
    sheet: [f32; 256],
    wall: [f32; 256],
    room: [f32; 256],
}

impl Plane {
    fn at(&self, column: usize) -> Fields {
        Fields {
            sheet: self.sheet[column],
            wall: self.wall[column],
            room: self.room[column],
        }
    }
}

/// The values between five by five lattice points, as `edge` blends them.
fn blended(points: &[f32; 25]) -> [f32; 256] {
    let part = |n: usize| (n & 3) as f32 * 0.25;
    let rows: [[f32; 16]; 5] = std::array::from_fn(|j| {
        std::array::from_fn(|x| {
            let at = j * 5 + (x >> 2);
            lerp(points[at], points[at + 1], part(x))
        })
    });
    let mut values = [0.0; 256];
    for (z, row) in values.chunks_exact_mut(16).enumerate() {
        let (near, far) = (&rows[z >> 2], &rows[(z >> 2) + 1]);
        for (value, (near, far)) in row.iter_mut().zip(near.iter().zip(far)) {
            *value = lerp(*near, *far, part(z));
        }
    }
    values
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

/// Hollows out the blocks between two planes of the lattice.
fn carve_layer(chunk: &mut Chunk, [foot, head]: [&Plane; 2], bores: &Bores, y0: i32) {
    for z in 0..16 {
        let mut hollow = may_be_hollow([foot, head], bores, y0, z * 16);
        while hollow != 0 {
            let x = hollow.trailing_zeros() as usize;
            hollow &= hollow - 1;
            let at = z * 16 + x;
            carve_column(
                chunk,
                &[foot.at(at), head.at(at)],
                &bores.at(at),
                (x, y0, z),
            );
        }
    }
}

/// The columns of a row that may hold anything to carve, one bit for each: most hold nothing. The bounds leave room for
/// what a blend is rounded by. Written without branches, so that several columns are asked at once.
fn may_be_hollow([foot, head]: [&Plane; 2], bores: &Bores, y0: i32, row: usize) -> u32 {
    let low = y0.max(FLOOR);
    let (top, room) = (y0 + UP - 1, room_least(low));
    let least = |a: f32, b: f32| {
        let (a_off, b_off) = (a.abs(), b.abs());
        let nearest = if a_off < b_off { a_off } else { b_off };
        // Between values of two signs a blend is zero somewhere.
        if a * b <= 0.0 { 0.0 } else { nearest * 0.999 }
    };
    let of = |field: &[f32; 256]| -> [f32; 16] { std::array::from_fn(|x| field[row + x]) };
    let (sheets, walls) = (
        [of(&foot.sheet), of(&head.sheet)],
        [of(&foot.wall), of(&head.wall)],
    );
    let rooms = [of(&foot.room), of(&head.room)];
    let mut may = [0_u32; 16];
    for (x, may) in may.iter_mut().enumerate() {
        let sheet = least(sheets[0][x], sheets[1][x]);
        let wall = least(walls[0][x], walls[1][x]);
        let (ceiling, ravine) = (bores.ceiling[row + x], bores.ravine[row + x]);
        let in_tunnel =
            sheet * sheet * bores.sheet[row + x] + wall * wall * bores.wall[row + x] < 1.0;
        let in_room = (rooms[0][x] + 0.001 > room) | (rooms[1][x] + 0.001 > room);
        let in_ravine = (ceiling >= ravine) & (top >= ravine);
        *may = u32::from((low <= ceiling) & (in_tunnel | in_room | in_ravine));
    }
    let bits = may.iter().zip(0..).map(|(may, x)| may << x);
    bits.fold(0, |all, bit| all | bit)
}

fn carve_column(
    chunk: &mut Chunk,
    edge: &[Fields; 2],
    bore: &Bore,
    (x, y0, z): (usize, i32, usize),
) {
    for y in y0.max(FLOOR)..=bore.ceiling.min(y0 + UP - 1) {
        if hollow(edge, y, bore) {
            let block = if y <= LAVA_LEVEL {
                blocks::LAVA
            } else {
                blocks::AIR
            };
            chunk.put(x as i32, y, z as i32, block);
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
