//! Lakes and springs: standing water and lava away from the sea.
//!
//! A lake lies wholly inside its chunk and is left out unless ground holds it on all sides.
//! Invariant: `covers` depends on the seed only, so neighbours can keep their trees off.

use super::super::chunk::Chunk;
use super::shape::{SEA_LEVEL, TerrainRegion};
use crate::block::{self as blocks, BlockId};
use crate::rng::{Rng, Streams, hash3};

/// One chunk in so many has a place for a water lake, or a lava lake.
const WATER_ONE_IN: u64 = 16;
const LAVA_ONE_IN: u64 = 200;
/// Tries for springs in each chunk; few find a wall of a cave.
const SPRINGS: u64 = 24;

/// A basin: an ellipse in the plane.
/// x and z are world coordinates of the middle; `wide` and `long` are half axes in blocks.
#[derive(Debug, Clone, Copy)]
struct Basin {
    x: i32,
    z: i32,
    wide: i32,
    long: i32,
    fluid: BlockId,
}

impl Basin {
    fn in_chunk(salt: u64, chunk_x: i32, chunk_z: i32) -> Option<Self> {
        let mut rng = Rng::new(hash3(salt, chunk_x, 0, chunk_z));
        let fluid = match (rng.below(WATER_ONE_IN), rng.below(LAVA_ONE_IN)) {
            (_, 0) => blocks::LAVA,
            (0, _) => blocks::WATER,
            _ => return None,
        };
        // A middle at 7 or 8 and a half axis of at most 5 leave two columns for the shore
        // inside the chunk.
        let mut middle = || 7 + rng.below(2) as i32;
        let (x, z) = (chunk_x * 16 + middle(), chunk_z * 16 + middle());
        let (wide, long) = (3 + rng.below(3) as i32, 3 + rng.below(3) as i32);
        Some(Self {
            x,
            z,
            wide,
            long,
            fluid,
        })
    }

    /// How far a column is from the middle, 1.0 at the shore.
    /// The square of the distance, so that no root is needed: 1.0 is still the shore.
    fn depth(&self, x: i32, z: i32) -> f32 {
        let (dx, dz) = (
            (x - self.x) as f32 / self.wide as f32,
            (z - self.z) as f32 / self.long as f32,
        );
        dx * dx + dz * dz
    }

    /// The columns of the lake, or of the lake and its shore.
    fn columns(self, shore: i32) -> impl Iterator<Item = (i32, i32)> {
        let (w, l) = (self.wide + shore, self.long + shore);
        (-l..=l).flat_map(move |dz| (-w..=w).map(move |dx| (self.x + dx, self.z + dz)))
    }
}

/// The basins of a chunk and its neighbours.
/// The salt is kept for the springs; `own` is the middle one of `around`.
#[derive(Debug)]
pub(crate) struct Lakes {
    salt: u64,
    own: Option<Basin>,
    around: [Option<Basin>; 9],
}

impl Lakes {
    pub(crate) fn new(seed: u64, chunk_x: i32, chunk_z: i32) -> Self {
        let salt = Streams(seed).salt("lakes");
        let around = std::array::from_fn(|i| {
            let i = i as i32;
            Basin::in_chunk(salt, chunk_x + i % 3 - 1, chunk_z + i / 3 - 1)
        });
        Self {
            salt,
            own: around[4],
            around,
        }
    }

    /// True where a lake or its shore may be.
    pub(crate) fn covers(&self, x: i32, z: i32) -> bool {
        self.around
            .iter()
            .flatten()
            // 2.2 takes in the stone rim of a lava lake, which ends at 1.8, and the nearest
            // columns beyond.
            .any(|basin| basin.depth(x, z) < 2.2)
    }

    /// True if the lake of this chunk would be rimmed with stone.
    pub(crate) fn have_rims(&self) -> bool {
        self.own.is_some_and(|basin| basin.fluid == blocks::LAVA)
    }

    /// Digs and fills the lake of this chunk, if it has one and the ground holds it.
    pub(crate) fn fill(&self, chunk: &mut Chunk, region: &TerrainRegion) {
        let Some(basin) = self.own else { return };
        let shore = |(x, z)| region.column(x, z).height;
        let low = basin.columns(1).map(shore).min().unwrap_or(0);
        let high = basin.columns(1).map(shore).max().unwrap_or(0);
        let flat = high - low <= 3 && low > SEA_LEVEL;
        if flat && holds(chunk, basin, low) {
            dig(chunk, basin, low, high);
        }
    }

    /// Lets a few springs out of the walls of caves.
    pub(crate) fn springs(&self, chunk: &mut Chunk, chunk_x: i32, chunk_z: i32) {
        let mut rng = Rng::new(hash3(self.salt, chunk_x, 1, chunk_z));
        for n in 0..SPRINGS {
            // Every third try is for lava.
            let fluid = if n % 3 == 0 {
                blocks::LAVA
            } else {
                blocks::WATER
            };
            let mut inner = || 2 + rng.below(12) as u8;
            let (in_x, in_z) = (inner(), inner());
            let in_y = 12 + rng.below(44) as u8;
            let [x, y, z] = [in_x, in_y, in_z].map(i32::from);
            // A spring needs rock above, and on all but one of the other sides: it flows out of a wall or the
            // roof of a cave.
            let stone = |dx: i32, dy: i32, dz: i32| chunk.block(x + dx, y + dy, z + dz).is_opaque();
            if !stone(0, 0, 0) || !stone(0, 1, 0) {
                continue;
            }
            let sides = [(1, 0, 0), (-1, 0, 0), (0, 0, 1), (0, 0, -1), (0, -1, 0)];
            let open = sides.iter().filter(|(dx, dy, dz)| !stone(*dx, *dy, *dz));
            if open.count() == 1 {
                chunk.put_spring([in_x, in_y, in_z], fluid);
            }
        }
    }
}

/// y of the lowest fluid block of a column of a lake with its surface at `level`.
fn bed(basin: Basin, level: i32, x: i32, z: i32) -> i32 {
    level - (3.0 * (1.0 - basin.depth(x, z))) as i32
}

/// True if no cave opens under or beside the lake.
fn holds(chunk: &Chunk, basin: Basin, level: i32) -> bool {
    basin
        .columns(1)
        // Five layers: the bed is at most three blocks deep, with its bottom one below
        // that.
        .all(|(x, z)| (level - 5..=level).all(|y| chunk.block(x, y, z).is_opaque()))
}

fn dig(chunk: &mut Chunk, basin: Basin, level: i32, high: i32) {
    for (x, z) in basin.columns(0).filter(|(x, z)| basin.depth(*x, *z) < 1.0) {
        let low = bed(basin, level, x, z);
        for y in low..=level {
            chunk.put(x, y, z, basin.fluid);
        }
        for y in level + 1..=high {
            // Uneven shores are cut down to the surface, or grass would hang over the
            // water.
            chunk.put(x, y, z, blocks::AIR);
        }
        let bottom = if basin.fluid == blocks::LAVA {
            blocks::STONE
        } else {
            blocks::DIRT
        };
        chunk.put(x, low - 1, z, bottom);
    }
    // As in the game, a lake of lava has a rim of stone.
    if basin.fluid == blocks::LAVA {
        let rim = |(x, z): &(i32, i32)| (1.0..1.8).contains(&basin.depth(*x, *z));
        for (x, z) in basin.columns(1).filter(rim) {
            chunk.put(x, level, z, blocks::STONE);
        }
    }
}
