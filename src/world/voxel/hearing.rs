//! Hearing: lava that pops and seethes near a body below ground, through rock.
//!
//! As in the game, each tick a number of places around the ears are drawn, near ones more often, and lava that lies open
//! in one of them is heard. The ears tell the place to within a few blocks along the ground. Invariant: nothing else passes
//! through rock: what is heard says where lava is, not what is around it.

use super::grid::Grid;
use crate::block as blocks;
use crate::rng::{Rng, Streams};
use crate::space::Pos;
use std::collections::BTreeSet;

/// Pairs of places drawn in a tick. The game draws 667 places so near, and of those that hold open lava one in a hundred
/// pops and one in two hundred seethes; ten that are always heard are as many.
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

    /// One tick: notes where lava is heard, as the middle of a square of ground at the height of its surface.
    pub(crate) fn listen(&mut self, grid: &Grid, ears: Pos, heard: &mut BTreeSet<Pos>) {
        for _ in 0..PAIRS {
            let mut bits = self.chance.next_u64();
            for _ in 0..2 {
                let at = drawn(ears, &mut bits);
                // Lava shines, and most draws fall where nothing does.
                if grid.may_shine(at)
                    && grid.rock(at) == blocks::LAVA
                    && grid.rock(at.up()) == blocks::AIR
                    && at.distance(ears) <= HEARD
                {
                    heard.insert(square_of(at));
                }
            }
        }
    }
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

    const EARS: Pos = Pos::new(8, 30, 8);

    /// What is heard within so many ticks of lava in a pit, with another block on it.
    fn heard(lava: Pos, cover: blocks::BlockId) -> BTreeSet<Pos> {
        let mut grid = Grid::flat(60);
        grid.ensure_around(EARS, 2);
        grid.set(lava, blocks::LAVA);
        grid.set(lava.up(), cover);
        let (mut hearing, mut heard) = (Hearing::new(3), BTreeSet::new());
        for _ in 0..4_000 {
            hearing.listen(&grid, EARS, &mut heard);
        }
        heard
    }

    #[test]
    fn open_lava_is_heard_through_rock_and_told_to_within_two_blocks() {
        let lava = Pos::new(15, 25, 3);
        let told = heard(lava, blocks::AIR);
        assert_eq!(told, BTreeSet::from([Pos::new(14, 25, 2)]));
    }

    #[test]
    fn lava_that_rock_covers_or_that_is_far_makes_no_sound() {
        assert!(heard(Pos::new(15, 25, 3), blocks::STONE).is_empty());
        assert!(heard(Pos::new(19, 18, 12), blocks::AIR).is_empty());
    }
}
