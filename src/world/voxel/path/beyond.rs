//! Beyond: the walk over land that nobody has seen yet, as if it were level or sloped towards the goal.
//!
//! So a wall is gone round whose far side is hidden, and a search ends soon where it would go through all known land.
//! Invariant: what was seen is never taken for other than it is, and no path that is given out leads over unseen land.

use super::around::has;
use super::goal::PER_BLOCK;
use super::moves::{DIAGONAL, Moves, RISE, WALK, fall_price};
use super::{MoveKind, PathStep, Search};
use crate::space::Pos;
use crate::voxel::nature::Heights;

/// What a block of unseen land costs more, in tenths of a tick: half a block of known land.
const UNSEEN: u32 = WALK / 2;

/// Whether a cell of a column is so, as far as was seen.
fn may(column: Heights<u32>, set: u32, up: i32) -> bool {
    has(set, up) || !has(column.known, up)
}

fn may_hold_body(column: Heights<u32>, up: i32) -> bool {
    may(column, column.open, up) && may(column, column.open, up + 1)
}

/// Feet, head and floor were all seen.
fn is_seen(column: Heights<u32>, up: i32) -> bool {
    [up - 1, up, up + 1]
        .into_iter()
        .all(|at| has(column.known, at))
}

/// Askew over what was not seen.
pub(super) fn walk_unseen_diagonal(
    q: Pos,
    column: Heights<u32>,
    corner: [Heights<u32>; 3],
    into: &mut Moves,
) {
    let is_room = corner.into_iter().all(|column| may_hold_body(column, 0));
    if is_room && may(column, column.floor, -1) {
        // The same for each block as straight on.
        let price = DIAGONAL + UNSEEN * DIAGONAL / WALK;
        into.push((q, MoveKind::Diagonal, price));
    }
}

impl Search<'_> {
    /// Straight on over what was not seen, from where no known step leads to this side.
    pub(super) fn walk_unseen(&self, q: Pos, column: Heights<u32>, into: &mut Moves) {
        let is_land = |up: i32| {
            may_hold_body(column, up) && may(column, column.floor, up - 1) && !is_seen(column, up)
        };
        let mut push = |to: Pos, way: MoveKind, price: u32| into.push((to, way, price + UNSEEN));
        let is_edge = has(column.open, -1);
        if is_land(0) && !is_edge {
            push(q, MoveKind::Walk, WALK);
        }
        let higher = self.goal.place(q).y - q.y;
        if higher > 0 && is_land(1) {
            push(q.up(), MoveKind::Rise, RISE);
        }
        if (higher < 0 || is_edge) && may_hold_body(column, 0) && is_land(-1) {
            push(q.down(), MoveKind::Drop, fall_price(1));
        }
    }

    /// What is still to come of the way, by this estimate.
    pub(super) fn ahead(&self, estimate: u32) -> u32 {
        if self.means.over_unseen {
            // Most of it is unseen, and an honest search would look for a cheaper way through all that was seen.
            estimate + estimate / PER_BLOCK * UNSEEN
        } else {
            estimate.saturating_mul(self.weight)
        }
    }

    /// How many of the steps lead over what was seen.
    pub(super) fn seen_part(&self, steps: &[PathStep]) -> usize {
        if !self.means.over_unseen {
            return steps.len();
        }
        let is_seen = |at: Pos| !self.seen.nature(at).is_unknown();
        let has_room = |at: Pos| is_seen(at) && is_seen(at.up());
        let is_known = |step: &&PathStep| {
            let PathStep { from, to, way } = **step;
            // The corner is cut on both sides.
            let beside = [
                Pos::new(to.x, from.y, from.z),
                Pos::new(from.x, from.y, to.z),
            ];
            let is_cut = way == MoveKind::Diagonal;
            has_room(to) && is_seen(to.down()) && (!is_cut || beside.into_iter().all(has_room))
        };
        steps.iter().take_while(is_known).count()
    }
}
