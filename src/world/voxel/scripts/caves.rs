//! Caves: where a search below ground looks into them, by what was seen of them and by the lava and water in them that are heard.
//!
//! Invariant: each place is given once.

use super::super::nature::BlockTraits;
use super::super::seen::square;
use super::super::senses::Senses;
use crate::block::{self as blocks, BlockId};
use crate::ore::ores;
use crate::space::{Facing, Pos};
use std::collections::BTreeSet;

/// Caves are looked into when they open this near to the level of the tunnel.
const CAVE_RANGE: i32 = 20;
const CAVE_BELOW: i32 = 5;
/// Above it they reach farther up than lava stands in them, if the ore lies so high.
const CAVE_ABOVE: i32 = 12;
/// From so far above one still sees what is at the level.
const CAVE_SEEN: i32 = 4;
/// So near one goes to a place to look around there, and not as near to lava.
/// Water is gone right up to: two blocks away a wall may still be in between.
const NEAR: f64 = 2.0;
const NEAR_LAVA: f64 = 3.0;
const NEAR_STREAM: f64 = 1.0;
/// What is heard is gone to within so many blocks, once for each square of ground of this side.
const HEARD_RANGE: i64 = 16;
const HEARD_SQUARE: i32 = 12;
/// Above this height there may be open land around; caves are told from it by a roof so far up.
pub(super) const SHALLOW: i32 = 56;
const ROOF: i32 = 16;

/// Where in the caves along the way the body has been.
#[derive(Debug)]
pub(super) struct Caves {
    /// Heights of the places that are gone to.
    heights: (i32, i32),
    visited: BTreeSet<Pos>,
    /// Squares of ground in which lava or water was heard and gone to.
    listened: BTreeSet<(i32, i32)>,
}

impl Caves {
    /// Those around this level in which something wanted may show.
    pub(super) fn around(level: i32, wanted: &[BlockId]) -> Self {
        let tops = ores().iter().filter(|ore| wanted.contains(&ore.block));
        // The body need not stand so high to see it; rock lies at all heights.
        let top = tops
            .map(|ore| ore.y_max)
            .max()
            .unwrap_or(level + CAVE_ABOVE);
        let high = (level + CAVE_ABOVE).min(top.max(level + CAVE_SEEN));
        Self {
            heights: (level - CAVE_BELOW, high),
            visited: BTreeSet::new(),
            listened: BTreeSet::new(),
        }
    }

    /// Where to look next, and from how near: into the caves that are known, else where a fluid tells of one.
    pub(super) fn next(&mut self, s: &Senses) -> Option<(Pos, f64)> {
        let open = self.next_open(s).map(|at| (at, NEAR));
        open.or_else(|| self.next_heard(s))
    }

    /// The nearest known place of a cave beyond which nothing is known yet; each once.
    fn next_open(&mut self, s: &Senses) -> Option<Pos> {
        let feet = s.feet();
        self.visited.insert(patch(feet));
        let (bottom, top) = self.heights;
        let low = Pos::new(feet.x - CAVE_RANGE, bottom, feet.z - CAVE_RANGE);
        let high = Pos::new(feet.x + CAVE_RANGE, top, feet.z + CAVE_RANGE);
        // Of equally near places the lowest, then the one farthest west, then north.
        let mut best: Option<(i64, [i32; 3])> = None;
        s.seen.each_air(low, high, |at| {
            let this = (square(at, feet), [at.y, at.x, at.z]);
            let is_better = best.is_none_or(|best| this < best);
            // The cheap comparison first: most air is farther than the best so far.
            if is_better && is_frontier(s, at) && !self.visited.contains(&patch(at)) {
                best = Some(this);
            }
        });
        let (_, [y, x, z]) = best?;
        let at = Pos::new(x, y, z);
        self.visited.insert(patch(at));
        Some(at)
    }

    /// Above the nearest fluid that is heard and not seen: it lies open, so a cave is around it.
    fn next_heard(&mut self, s: &Senses) -> Option<(Pos, f64)> {
        let feet = s.feet();
        let square_of = |at: Pos| {
            let along = |n: i32| n.div_euclid(HEARD_SQUARE);
            (along(at.x), along(at.z))
        };
        let is_new = |(at, _): &(&Pos, &BlockId)| {
            at.y <= self.heights.1
                && square(**at, feet) <= HEARD_RANGE * HEARD_RANGE
                && s.seen.nature(at.up()).is_unknown()
                && !self.listened.contains(&square_of(**at))
        };
        let heard = s.heard.iter().filter(is_new);
        let (at, fluid) = heard.min_by_key(|(at, _)| (square(**at, feet), **at))?;
        self.listened.insert(square_of(*at));
        Some(match *fluid {
            blocks::LAVA => (at.plus(0, 2, 0), NEAR_LAVA),
            _ => (at.up(), NEAR_STREAM),
        })
    }
}

/// Patches of 6 × 4 × 6 blocks, so that one look serves a whole corner of a cave.
fn patch(at: Pos) -> Pos {
    Pos::new(at.x.div_euclid(6), at.y.div_euclid(4), at.z.div_euclid(6))
}

/// Room to stand, in the open, with something unknown beside it.
fn is_frontier(s: &Senses, at: Pos) -> bool {
    let nature = |p: Pos| s.seen.nature(p);
    let is_room = nature(at).is_air() && nature(at.up()).is_air() && nature(at.down()).is_floor();
    is_room
        && Facing::FLAT
            .iter()
            .any(|f| nature(at.side(*f)).is_unknown() || nature(at.up().side(*f)).is_unknown())
        && (at.y < SHALLOW || has_roof(s, at))
}

/// Something solid is known above: what lies open is land and no cave.
fn has_roof(s: &Senses, at: Pos) -> bool {
    let mut above = (2..ROOF).map(|up| s.seen.nature(at.plus(0, up, 0)));
    above.any(BlockTraits::is_solid)
}
