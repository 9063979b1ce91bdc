//! Springs: water and lava that run out of the walls of caves, and have done so since the land was made.
//!
//! In the game they flow as soon as a chunk is there. Here all that comes out of a spring runs at once when a body comes
//! near, and before that it stands still, since most springs are never come to. Invariant: each runs once, and where it
//! runs follows from the blocks that are there then.

use super::chunk::Chunk;
use super::fluids::Fluids;
use super::grid::Grid;
use crate::space::Pos;

/// A spring runs when the feet are so near, in blocks: farther than anybody sees in the dark, and nearer than the end of
/// the loaded land by the length of a stream.
const NEAR: f64 = 32.0;
/// Springs are asked for again when the feet are so far from where they were last asked for.
const ASK_EVERY: f64 = 4.0;

/// The springs of the loaded land.
#[derive(Debug, Clone, Default)]
pub(super) struct Springs {
    /// Those to which no body has come yet, as they were found.
    still: Vec<Pos>,
    /// Where the feet were when the springs were last asked for.
    asked_from: Option<Pos>,
}

impl Springs {
    /// Notes the springs of a chunk that is new.
    pub(super) fn note(&mut self, chunk: &Chunk, (chunk_x, chunk_z): (i32, i32)) {
        let place = |&[x, y, z]: &[u8; 3]| {
            let along = |chunk: i32, n: u8| chunk * 16 + i32::from(n);
            Pos::new(along(chunk_x, x), i32::from(y), along(chunk_z, z))
        };
        self.still.extend(chunk.springs().iter().map(place));
        self.asked_from = None;
    }

    /// Takes out the springs that run from now on, because the feet are near.
    pub(super) fn take_near(&mut self, feet: Pos) -> Vec<Pos> {
        let is_asked = |from: Pos| from.distance(feet) < ASK_EVERY;
        if self.still.is_empty() || self.asked_from.is_some_and(is_asked) {
            return Vec::new();
        }
        self.asked_from = Some(feet);
        self.still
            .extract_if(.., |at| at.distance(feet) <= NEAR)
            .collect()
    }
}

/// Lets all springs run of chunks so near, for whoever looks at land in which nobody lives; what runs then.
pub fn run_around(grid: &mut Grid, centre: Pos, chunks: i32) -> Fluids {
    let (mut springs, mut fluids) = (Springs::default(), Fluids::new());
    let around = -chunks..=chunks;
    for (x, z) in around
        .clone()
        .flat_map(|z| around.clone().map(move |x| (x, z)))
    {
        let at = ((centre.x >> 4) + x, (centre.z >> 4) + z);
        if let Some(chunk) = grid.chunk(at.0, at.1) {
            springs.note(chunk, at);
        }
        // Chunk by chunk, so that the time in which they run is enough. What begins to fall is gone.
        drop(fluids.run_out(grid, std::mem::take(&mut springs.still)));
    }
    fluids
}

#[cfg(test)]
mod tests {
    use super::super::sim::Simulation;
    use super::*;
    use crate::block as blocks;
    use crate::space::Facing;
    use crate::voxel::controls::Controls;

    /// A world, a spring in it, and the open place beside that.
    fn scene() -> (Grid, Pos, Pos) {
        let mut grid = Grid::new(7);
        let found = (0..8).find_map(|x| {
            grid.ensure(x, 0);
            let [in_x, y, z] = grid.chunk(x, 0)?.springs().first()?.map(i32::from);
            Some(Pos::new(x * 16 + in_x, y, z))
        });
        let spring = found.expect("eight chunks hold a spring");
        let beside = Facing::ALL.map(|side| spring.side(side));
        let open = beside.into_iter().find(|at| grid.block(*at) == blocks::AIR);
        (grid, spring, open.expect("it opens to one side"))
    }

    #[test]
    fn a_spring_has_run_when_a_body_comes_near() {
        let (grid, spring, open) = scene();
        let mut sim = Simulation::with_grid(grid, open.floor());
        assert_eq!(sim.grid().block(open), blocks::AIR);
        sim.step(&Controls::default());
        assert_eq!(sim.grid().block(open), sim.grid().block(spring));
        assert!(sim.fluids().is_source(sim.grid(), spring));
        assert!(!sim.fluids().is_source(sim.grid(), open));
    }

    #[test]
    fn no_spring_is_come_nearer_to_before_it_runs() {
        let mut springs = Springs {
            still: vec![Pos::new(0, 40, 0)],
            asked_from: None,
        };
        let mut feet = (0..64).map(|way| Pos::new(64 - way, 40, 0));
        let at = feet.find(|feet| !springs.take_near(*feet).is_empty());
        let distance = at.expect("it runs").x;
        assert!(f64::from(distance) > NEAR - ASK_EVERY, "{distance}");
    }

    #[test]
    fn a_spring_far_from_every_body_stands_still() {
        let (grid, _, open) = scene();
        let far = open.floor().plus(0.0, NEAR + 8.0, 0.0);
        let mut sim = Simulation::with_grid(grid, far);
        sim.step(&Controls::default());
        assert_eq!(sim.grid().block(open), blocks::AIR);
    }
}
