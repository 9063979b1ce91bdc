//! Hearing: lava that pops and seethes and water that runs near a body below ground, through rock.
//!
//! As in the game, each tick a number of places around the ears are drawn, near ones more often, and lava that lies open or
//! water that runs along in one of them is heard; standing and falling water makes no sound. The ears tell the place to
//! within a few blocks along the ground. Invariant: nothing else passes through rock: what is heard says where a fluid is,
//! not what is around it.

use super::fluids::Fluids;
use super::grid::Grid;
use crate::block::{self as blocks, BlockId};
use crate::rng::{Rng, Streams};
use crate::space::Pos;
use std::collections::BTreeMap;

/// Pairs of places drawn in a tick. The game draws 667 places so near; of those that hold open lava one in a hundred
/// pops and one in two hundred seethes, and of those where water runs one in 64 is heard. Ten that are always heard are as many.
const PAIRS: u32 = 5;
/// Sounds carry so many blocks.
const HEARD: f64 = 16.0;
/// The side of the squares of ground that ears tell apart.
const SQUARE: i32 = 4;

/// The ears of a body.
#[derive(Debug)]
pub(crate) struct Hearing {
    chance: Rng,
}

impl Hearing {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            chance: Streams(seed).get("sounds"),
        }
    }

    /// One tick: notes where a fluid is heard, as the middle of a square of ground at the height of its surface.
    pub(crate) fn listen(
        &mut self,
        grid: &Grid,
        fluids: &Fluids,
        ears: Pos,
        heard: &mut BTreeMap<Pos, BlockId>,
    ) {
        for _ in 0..PAIRS {
            let mut bits = self.chance.next_u64();
            for _ in 0..2 {
                let at = drawn(ears, &mut bits);
                if at.distance(ears) <= HEARD
                    && let Some(fluid) = sound(grid, fluids, at)
                {
                    heard.insert(square_of(at), fluid);
                }
            }
        }
    }
}

/// The fluid that makes a sound here.
fn sound(grid: &Grid, fluids: &Fluids, at: Pos) -> Option<BlockId> {
    if fluids.is_stream(grid, at) {
        return Some(blocks::WATER);
    }
    // Lava shines, and most draws fall where nothing does.
    let is_lava = grid.may_shine(at) && grid.rock(at) == blocks::LAVA;
    (is_lava && grid.rock(at.up()) == blocks::AIR).then_some(blocks::LAVA)
}

/// A place less than sixteen blocks away along each axis: the difference of two numbers of four bits.
fn drawn(from: Pos, bits: &mut u64) -> Pos {
    let mut along = || {
        let offset = (*bits & 15) as i32 - (*bits >> 4 & 15) as i32;
        *bits >>= 8;
        offset
    };
    from.plus(along(), along(), along())
}

fn square_of(at: Pos) -> Pos {
    let middle = |n: i32| n.div_euclid(SQUARE) * SQUARE + SQUARE / 2;
    Pos::new(middle(at.x), at.y, middle(at.z))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const EARS: Pos = Pos::new(8, 30, 8);

    /// What is heard within so many ticks.
    fn heard(grid: &Grid, fluids: &Fluids) -> BTreeMap<Pos, BlockId> {
        let (mut hearing, mut heard) = (Hearing::new(3), BTreeMap::new());
        for _ in 0..4_000 {
            hearing.listen(grid, fluids, EARS, &mut heard);
        }
        heard
    }

    fn rock() -> Grid {
        let mut grid = Grid::flat(60);
        grid.ensure_around(EARS, 2);
        grid
    }

    /// The same of lava in a pit, with another block on it.
    fn lava_heard(lava: Pos, cover: BlockId) -> BTreeMap<Pos, BlockId> {
        let mut grid = rock();
        grid.set(lava, blocks::LAVA);
        grid.set(lava.up(), cover);
        heard(&grid, &Fluids::new())
    }

    #[test]
    fn open_lava_is_heard_through_rock_and_told_to_within_two_blocks() {
        let told = lava_heard(Pos::new(15, 25, 3), blocks::AIR);
        assert_eq!(told, BTreeMap::from([(Pos::new(14, 25, 2), blocks::LAVA)]));
    }

    #[test]
    fn lava_that_rock_covers_or_that_is_far_makes_no_sound() {
        assert!(lava_heard(Pos::new(15, 25, 3), blocks::STONE).is_empty());
        assert!(lava_heard(Pos::new(19, 18, 12), blocks::AIR).is_empty());
    }

    #[test]
    fn water_is_heard_where_it_runs_and_not_where_it_stands_or_falls() {
        // A spring in the wall of a shaft of one block, two blocks above its floor; in the floor a gallery leads away.
        let spring = Pos::new(14, 27, 2);
        let mut grid = rock();
        let mut fluids = Fluids::new();
        let gallery = (0..3).map(|along| spring.plus(1 + along, -2, 0));
        let shaft = (0..2).map(|down| spring.plus(1, -down, 0));
        for open in gallery.chain(shaft) {
            grid.set(open, blocks::AIR);
        }
        grid.set(spring, blocks::WATER);
        assert!(heard(&grid, &fluids).is_empty(), "it stands");
        for _ in 0..100 {
            let _ = fluids.step(&mut grid);
        }
        let told = heard(&grid, &fluids);
        assert!(told.values().all(|fluid| *fluid == blocks::WATER));
        let heights: BTreeSet<i32> = told.keys().map(|at| at.y).collect();
        // Beside the spring it runs, down the shaft it falls, along the gallery it runs again.
        assert_eq!(heights, BTreeSet::from([25, 27]));
    }
}
