//! Moves: the steps a body can make from one cell, with what each costs.
//!
//! It reads what was seen and decides nothing about the goal. Invariant: every move ends where a
//! body can stand or swim, once the cells of its `Step` are open.

use super::super::nature::{BlockTraits, Heights};
use super::super::senses::DigCosts;
use super::around::{fall, ground, has, is_free};
use super::board::Border;
use super::{MoveKind, PathStep, SAFE_FALL, Search};
use crate::ore::LAVA_LEVEL;
use crate::space::{Facing, Pos};

/// Costs in tenths of a tick, from the speeds of the body: at 4.3 blocks a second a block takes 4.6 ticks.
/// Ways that put blocks down cost more than they last, because blocks run out. A diagonal is √2 blocks long.
/// One block over level ground. All other costs are relative to it, and `goal` estimates
/// with the same number.
pub(super) const WALK: u32 = 46;
pub(super) const DIAGONAL: u32 = 66;
pub(super) const RISE: u32 = 75;
const DROP: u32 = 50;
/// For each block fallen, on top of the step over the edge.
const DROP_EACH: u32 = 15;
/// For each half heart that a fall costs: as long as three blocks of walking. As long as there is enough food it heals
/// while one goes on.
const HURT: u32 = 3 * WALK;
const SINK: u32 = 40;
const PILLAR: u32 = 180;
const BRIDGE: u32 = 160;
pub(super) const SWIM: u32 = 110;
/// Who digs does not swim if there is any other way: a shaft begun under water stays there.
const SWIM_DIGGING: u32 = 900;
/// Beyond the break time: the rest after it, and turning to the block.
const DIG: u32 = 60;
/// Water behind a wall floods the way; possible, but unpleasant.
const FLOOD: u32 = 600;
/// With the head under water digging takes so many times longer.
const WET: u32 = 5;
/// Each block of sand or gravel above comes down and has to be dug too, by hand; so many of them are counted.
const SLIDE: u32 = 200;
const SLIDES_MAX: i32 = 8;
/// What comes down on the head hurts for as long as it is dug.
const SMOTHER: u32 = 2 * HURT;
/// Rock not seen yet may be anything.
const UNKNOWN: u32 = 60;
/// Standing beside lava.
/// As long as seventeen blocks of walking: a detour of that length is taken instead.
const LAVA_NEAR: u32 = 800;
/// A bridge over lava: one blow and it is the end. So deep it is looked for.
const LAVA_BELOW: u32 = 4000;
/// A bridge from which no fall is to be dared: a detour of ten blocks for each of it is taken instead, or steps that are
/// dug.
const HIGH: u32 = 10 * WALK;
/// Deeper lava is not found; a fall that long ends the body anyway.
const LAVA_DEPTH: i32 = 10;
/// Levels above the lava of the caves within which no fall that hurts is dared.
const LAVA_SHORE: i32 = 4;
/// Into water one may fall further.
/// Water takes all of a fall, but the search must end somewhere.
pub(super) const DIVE_MAX: i32 = 12;

pub(super) type Moves = Vec<(Pos, MoveKind, u32)>;

/// What it costs to go over an edge and come down so many blocks lower, on ground.
pub(super) fn fall_price(depth: i32) -> u32 {
    dive_price(depth) + HURT * (depth - SAFE_FALL).max(0) as u32
}

/// What it costs to go over an edge and come down so many blocks lower, in water.
pub(super) fn dive_price(depth: i32) -> u32 {
    DROP + DROP_EACH * depth as u32
}

// The list is cleared and reused for every cell, as allocation would dominate the search.
impl Search<'_> {
    /// All steps from a cell that was come to in this way.
    pub(super) fn moves(&mut self, p: Pos, by: MoveKind, into: &mut Moves) {
        self.look_for_harm(p);
        self.around.look(self.seen, p);
        let is_in_water = self.is_water(p);
        // Digging with the head under water is five times slower, so all costs of this cell
        // depend on it.
        self.is_wet = self.is_water(p.up());
        // The block put under the feet is not there yet.
        let is_built = by.builds();
        let stands = is_built || self.has_floor(p.down());
        for facing in Facing::FLAT {
            self.level(p, facing, stands, into);
            self.rise(p, facing, stands || is_in_water, into);
        }
        if !is_in_water {
            self.diagonals(p, into);
        }
        if stands && !is_built {
            self.sink(p, into);
        }
        if stands && self.blocks > 0 && !is_in_water {
            let price = PILLAR + self.smothering(p.up().up());
            self.push(p.up(), MoveKind::Pillar, price, &[p.up().up()], into);
        }
        if is_in_water {
            if self.is_water(p.up()) {
                self.push(p.up(), MoveKind::Swim, SWIM, &[p.up().up()], into);
            }
            if self.is_water(p.down()) {
                into.push((p.down(), MoveKind::Swim, self.swim()));
            }
        }
    }

    /// Leaves out the steps that the walker would not make: only on blocks of its own does it come to lava.
    pub(super) fn leave_out_lava(&mut self, from: Pos, steps: &mut Moves) {
        if self.may_harm && !self.borders_lava(from) {
            steps.retain(|(to, way, _)| {
                let (to, way) = (*to, *way);
                let step = PathStep { from, to, way };
                way.builds() || !step.cells().any(|at| self.borders_lava(at))
            });
        }
    }

    fn swim(&self) -> u32 {
        if self.means.through_unknown {
            SWIM_DIGGING
        } else {
            SWIM
        }
    }

    /// What was never seen has a nature of its own, `unknown`, not air.
    #[inline]
    fn nature(&mut self, p: Pos) -> BlockTraits {
        self.board.nature(self.seen, p)
    }

    /// A floor that is known, or taken for rock.
    fn is_floor(&mut self, p: Pos) -> bool {
        if let Some((column, up)) = self.around.find(p) {
            let is_rock = self.means.through_unknown && !has(column.known, up);
            return has(column.floor, up) || is_rock;
        }
        let nature = self.nature(p);
        nature.is_floor() || (nature.is_unknown() && self.means.through_unknown)
    }

    /// A floor that is known.
    fn has_floor(&mut self, p: Pos) -> bool {
        match self.around.find(p) {
            Some((column, up)) => has(column.floor, up),
            None => self.nature(p).is_floor(),
        }
    }

    fn is_open(&mut self, p: Pos) -> bool {
        match self.around.find(p) {
            Some((column, up)) => has(column.open, up),
            None => self.nature(p).is_open(),
        }
    }

    fn is_water(&mut self, p: Pos) -> bool {
        match self.around.find(p) {
            Some((column, up)) => has(column.water, up),
            None => self.nature(p).is_water(),
        }
    }

    fn level(&mut self, p: Pos, facing: Facing, stands: bool, into: &mut Moves) {
        let (q, column) = (p.side(facing), self.around.side(facing));
        let clear = match is_free(column) {
            true => Some(0),
            false => self.clear_all(&[q.up(), q]),
        };
        let Some(clear) = clear else { return };
        if has(column.water, 0) {
            into.push((q, MoveKind::Swim, self.swim() + clear));
            return;
        }
        if self.is_floor(q.down()) {
            into.push((q, MoveKind::Walk, WALK + clear + self.lava_near(q)));
            self.stairs(p, q, clear, into);
            return;
        }
        // Fluids and open air below: over the edge, or across on placed blocks.
        if has(column.open, -1) {
            self.drop(q, column, clear, into);
        }
        if stands && self.blocks > 0 && has(column.known, -1) {
            let risk = self.lava_near(q) + self.hollow_below(q, column);
            into.push((q, MoveKind::Bridge, BRIDGE + clear + risk));
        }
    }

    /// Down into the floor ahead, as deep as a fall does no harm: a hole of three costs five blocks,
    /// three stairs cost six.
    fn stairs(&mut self, p: Pos, q: Pos, clear: u32, into: &mut Moves) {
        // From the water one does not lean over an edge.
        let deepest = if self.is_floor(p.down()) {
            SAFE_FALL
        } else {
            1
        };
        let mut dug = clear;
        for depth in 1..=deepest {
            let cell = q.plus(0, -depth, 0);
            // Where lava stands in the caves one goes down step by step, with every wall in sight.
            if !self.is_floor(cell.down()) || (depth > 1 && cell.y <= LAVA_LEVEL) {
                return;
            }
            match self.clear(cell) {
                Some(cost) => dug += cost,
                None => return self.refuse(cell),
            }
            into.push((cell, MoveKind::Drop, fall_price(depth) + dug));
        }
    }

    /// Over the edge at `q` down to where there is a hold.
    fn drop(&mut self, q: Pos, column: Heights<u32>, clear: u32, into: &mut Moves) {
        // Only the first floor below counts. Too deep a fall gives no move at all.
        let Some((depth, into_water)) = fall(column, DIVE_MAX) else {
            return;
        };
        let cell = q.plus(0, -depth, 0);
        if into_water {
            let price = dive_price(depth) + clear + self.swim();
            into.push((cell, MoveKind::Drop, price));
            return;
        }
        let is_dared = depth <= SAFE_FALL || cell.y > LAVA_LEVEL + LAVA_SHORE;
        if is_dared && self.may_fall(depth) {
            let price = fall_price(depth) + clear + self.lava_near(cell);
            into.push((cell, MoveKind::Drop, price));
        }
    }

    fn rise(&mut self, p: Pos, facing: Facing, has_hold: bool, into: &mut Moves) {
        let q = p.side(facing).up();
        if has_hold && self.is_floor(q.down()) {
            let cells = [p.up().up(), q.up(), q];
            let price = RISE + self.lava_near(q) + self.smothering(cells[0]);
            self.push(q, MoveKind::Rise, price, &cells, into);
        }
    }

    fn diagonals(&mut self, p: Pos, into: &mut Moves) {
        // A body cuts the corner, so both columns beside the diagonal must be open at two
        // heights.
        for (x, z) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let column = self.around.column(x, z);
            let corner = [column, self.around.column(x, 0), self.around.column(0, z)];
            if has(column.floor, -1) && corner.into_iter().all(is_free) {
                let q = p.plus(x, 0, z);
                into.push((q, MoveKind::Diagonal, DIAGONAL + self.lava_near(q)));
            }
        }
    }

    fn sink(&mut self, p: Pos, into: &mut Moves) {
        let q = p.down();
        // Straight down only onto a floor that is known: who digs on, falls into the cave below.
        if self.has_floor(q.down()) {
            self.push(q, MoveKind::Sink, SINK, &[q], into);
        }
    }

    fn push(&mut self, to: Pos, way: MoveKind, price: u32, cells: &[Pos], into: &mut Moves) {
        if let Some(clear) = self.clear_all(cells) {
            into.push((to, way, price + clear));
        }
    }

    fn clear_all(&mut self, cells: &[Pos]) -> Option<u32> {
        let mut sum = 0;
        for cell in cells {
            match self.clear(*cell) {
                Some(cost) => sum += cost,
                None => {
                    // The first cell that cannot be opened is kept for the report: it names
                    // what blocked the way.
                    self.refuse(*cell);
                    return None;
                }
            }
        }
        Some(sum)
    }

    /// What it costs to have the cell open; nothing if it must not be touched.
    fn clear(&mut self, p: Pos) -> Option<u32> {
        // Lava in the cell itself; the costs of digging do not matter then.
        if self.is_open(p) {
            return Some(0);
        }
        let costs = self.means.dig?;
        // Under water is seldom, so only the costs of dry digging are kept.
        if self.is_wet {
            return self.dig(p, costs);
        }
        let kept = self.board.cell(p).and_then(|cell| cell.clear());
        kept.unwrap_or_else(|| {
            let cost = self.dig(p, costs);
            if let Some(cell) = self.board.cell(p) {
                cell.set_clear(cost);
            }
            cost
        })
    }

    /// What it costs to dig out a cell that is not open.
    fn dig(&mut self, p: Pos, costs: &DigCosts) -> Option<u32> {
        let nature = self.nature(p);
        if nature.is_lava() {
            return None;
        }
        let ticks = if nature.is_unknown() {
            if !self.means.through_unknown {
                return None;
            }
            // Unknown ground is priced as stone, the commonest.
            u32::from(costs.ticks(crate::block::STONE)) * 10 + UNKNOWN
        } else {
            let ticks = costs.ticks(self.seen.block(p)?);
            if ticks == DigCosts::NEVER {
                return None;
            }
            u32::from(ticks) * 10
        };
        let mut cost = ticks * if self.is_wet { WET } else { 1 } + DIG;
        // Lava beside a dug cell would flow in: never. Water below does not rise into it.
        for facing in Facing::ALL {
            let beside = self.nature(p.side(facing));
            if beside.is_lava() {
                return None;
            }
            if beside.is_water() && facing != Facing::Down {
                cost += FLOOD;
            }
        }
        Some(cost + SLIDE * self.loose_above(p))
    }

    /// Blocks that come down into the cell once it is open.
    fn loose_above(&mut self, p: Pos) -> u32 {
        let above = (1..=SLIDES_MAX).map(|up| self.nature(p.plus(0, up, 0)));
        above.take_while(|nature| nature.falls()).count() as u32
    }

    /// What it costs who stands below that the cell over the head is dug open.
    fn smothering(&mut self, p: Pos) -> u32 {
        if self.is_open(p) {
            return 0;
        }
        SMOTHER * self.loose_above(p)
    }

    /// The risk of a bridge: what one falls into, and that there is no way down from it.
    fn hollow_below(&mut self, p: Pos, column: Heights<u32>) -> u32 {
        match ground(column, LAVA_DEPTH) {
            Some(depth) if self.nature(p.plus(0, -depth, 0)).is_lava() => LAVA_BELOW,
            Some(_) => 0,
            None => HIGH,
        }
    }

    /// Beside the feet and beside the block they stand on: from both a step aside or a push
    /// ends in lava.
    pub(super) fn lava_near(&mut self, p: Pos) -> u32 {
        if self.may_harm && (self.borders_harm(p) || self.borders_harm(p.down())) {
            LAVA_NEAR
        } else {
            0
        }
    }

    /// Whether any end of a step from here may have something harmful beside it; hardly any section holds such a thing.
    pub(super) fn look_for_harm(&mut self, p: Pos) {
        self.may_harm = self
            .seen
            .may_harm(p.plus(-2, -self.means.fall - 1, -2), p.plus(2, 3, 2));
    }

    fn borders_harm(&mut self, p: Pos) -> bool {
        self.borders(p, Border::Harm, &Facing::FLAT, BlockTraits::is_harmful)
    }

    /// Above and below count as well.
    fn borders_lava(&mut self, p: Pos) -> bool {
        self.borders(p, Border::Lava, &Facing::ALL, BlockTraits::is_lava)
    }

    /// Asked once a search for each cell.
    fn borders(
        &mut self,
        p: Pos,
        border: Border,
        sides: &[Facing],
        holds: impl Fn(BlockTraits) -> bool,
    ) -> bool {
        let known = self.board.cell(p);
        if let Some(known) = known.and_then(|cell| cell.borders(border)) {
            return known;
        }
        let mut sides = sides.iter();
        let is_so = sides.any(|side| holds(self.nature(p.side(*side))));
        if let Some(cell) = self.board.cell(p) {
            cell.set_borders(border, is_so);
        }
        is_so
    }
}
