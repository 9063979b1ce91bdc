//! Walking: the steps of a body that leaves the land as it is, told from whole columns at once.
//!
//! It says what `moves` says, many times faster, and notes nothing of what is in the way. Invariant: the same steps in
//! the same order at the same price.

use super::super::nature::Heights;
use super::around::{fall, has, is_free};
use super::beyond::walk_unseen_diagonal;
use super::moves::{DIAGONAL, DIVE_MAX, Moves, RISE, SWIM, WALK, dive_price, fall_price};
use super::{Means, MoveKind, Search};
use crate::space::{Facing, Pos};

impl Means<'_> {
    /// Nothing is dug and nothing put down.
    pub(super) fn leaves_all(&self) -> bool {
        self.dig.is_none() && !self.through_unknown && self.blocks == 0
    }
}

impl Search<'_> {
    /// All steps from a cell.
    pub(super) fn walks(&mut self, p: Pos, into: &mut Moves) {
        self.look_for_harm(p);
        self.around.look(self.seen, p);
        let here = self.around.column(0, 0);
        let is_in_water = has(here.water, 0);
        let stands = has(here.floor, -1);
        for facing in Facing::FLAT {
            let (q, column) = (p.side(facing), self.around.side(facing));
            let known = into.len();
            if is_free(column) {
                self.level_walk(q, column, into);
            }
            if self.means.over_unseen && into.len() == known {
                self.walk_unseen(q, column, into);
            }
            let has_room = has(here.open, 2) && has(column.open, 2) && has(column.open, 1);
            if (stands || is_in_water) && has(column.floor, 0) && has_room {
                let price = RISE + self.lava_near(q.up());
                into.push((q.up(), MoveKind::Rise, price));
            }
        }
        if is_in_water {
            self.float(p, here, into);
        } else {
            self.walk_diagonals(p, into);
        }
    }

    /// On to a cell that is free.
    fn level_walk(&mut self, q: Pos, column: Heights<u32>, into: &mut Moves) {
        if has(column.water, 0) {
            into.push((q, MoveKind::Swim, SWIM));
        } else if has(column.floor, -1) {
            let price = WALK + self.lava_near(q);
            into.push((q, MoveKind::Walk, price));
        } else if has(column.open, -1) {
            self.walk_off(q, column, into);
        }
    }

    /// Over the edge down to where there is a hold.
    fn walk_off(&mut self, q: Pos, column: Heights<u32>, into: &mut Moves) {
        let Some((depth, into_water)) = fall(column, DIVE_MAX) else {
            return;
        };
        let cell = q.plus(0, -depth, 0);
        if into_water {
            into.push((cell, MoveKind::Drop, dive_price(depth) + SWIM));
        } else if self.may_fall(depth) {
            let price = fall_price(depth) + self.lava_near(cell);
            into.push((cell, MoveKind::Drop, price));
        }
    }

    fn walk_diagonals(&mut self, p: Pos, into: &mut Moves) {
        for (x, z) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let column = self.around.column(x, z);
            let corner = [column, self.around.column(x, 0), self.around.column(0, z)];
            if has(column.floor, -1) && corner.into_iter().all(is_free) {
                let q = p.plus(x, 0, z);
                let price = DIAGONAL + self.lava_near(q);
                into.push((q, MoveKind::Diagonal, price));
            } else if self.means.over_unseen {
                walk_unseen_diagonal(p.plus(x, 0, z), column, corner, into);
            }
        }
    }

    /// Up and down in the water.
    fn float(&self, p: Pos, here: Heights<u32>, into: &mut Moves) {
        if has(here.water, 1) && has(here.open, 2) {
            into.push((p.up(), MoveKind::Swim, SWIM));
        }
        if has(here.water, -1) {
            into.push((p.down(), MoveKind::Swim, SWIM));
        }
    }
}
