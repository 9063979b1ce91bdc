//! Fluids: what flows by itself after a block has changed, and which blocks lose their hold.
//!
//! Generated water and lava stand still until something beside them changes. Work is a queue of
//! cells ordered by (tick, position), so equal edits flow equally; idle it costs one comparison.
//! Invariant: at most `UPDATES_MAX` cells are worked on per tick, the rest waits.

use super::edges;
use super::falling;
use super::flows::Flows;
use super::grid::Grid;
use crate::block::{self as blocks, BlockId};
use crate::rng::{hash3, mix};
use crate::space::{Facing, Pos};
use std::collections::BTreeSet;

/// Cells worked on in one tick.
/// The bound on the time of a tick when a lake breaks into a cave.
const UPDATES_MAX: usize = 256;
/// Cells that may wait; what is beyond is forgotten and stands still until touched again.
/// Forgetting is safe: fluid that stands still is a state of the game, only not its final
/// one.
const QUEUE_MAX: usize = 1 << 14;
/// Ticks that springs have run for when somebody comes to them: lava has gone forty blocks.
const RUN_OUT_TICKS: u32 = 1_200;
/// Ticks between two steps of a fluid, as in the Overworld; falling blocks wait two.
const WATER_DELAY: u64 = 5;
const LAVA_DELAY: u64 = 30;
const FALL_DELAY: u64 = 2;
/// Thickness of a source, and of a fluid that falls.
const FULL: u8 = 8;
/// Of so many parts of the height of a cell.
pub(super) const PARTS: f64 = 9.0;

/// The moving part of the blocks.
#[derive(Debug, Clone, Default)]
pub struct Fluids {
    tick: u64,
    /// Ordered by the tick at which it is due, then by place. A set, so a cell waits only
    /// once for a tick.
    queue: BTreeSet<(u64, Pos)>,
    flowing: Flows,
    /// Blocks that lost their hold in this tick.
    loose: Vec<(Pos, BlockId)>,
    /// Reused between ticks to spare the allocation.
    disturbed: Vec<Pos>,
}

/// How a kind of fluid flows.
/// Thickness is the game's level turned around: 8 is a source, 1 the thinnest flow.
#[derive(Debug, Clone, Copy)]
struct Kind {
    block: BlockId,
    /// Thickness lost per block: 1 carries 7 blocks, 2 carries 3.
    loss: u8,
    /// An edge draws the flow from so many cells away.
    feels: u8,
    delay: u64,
}

const WATER: Kind = Kind {
    block: blocks::WATER,
    loss: 1,
    feels: 4,
    delay: WATER_DELAY,
};
const LAVA: Kind = Kind {
    block: blocks::LAVA,
    loss: 2,
    feels: 2,
    delay: LAVA_DELAY,
};

fn kind_of(block: BlockId) -> Option<Kind> {
    match block {
        blocks::WATER => Some(WATER),
        blocks::LAVA => Some(LAVA),
        _ => None,
    }
}

impl Fluids {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets one tick pass; the blocks that begin to fall, which are no longer in the grid.
    #[must_use]
    pub fn step(&mut self, grid: &mut Grid) -> Vec<(Pos, BlockId)> {
        self.tick += 1;
        // The usual case, a world at rest.
        if self.queue.is_empty() && !grid.is_disturbed() {
            return Vec::new();
        }
        self.notice(grid);
        for _ in 0..UPDATES_MAX {
            match self.queue.first() {
                Some((due, _)) if *due <= self.tick => {}
                _ => break,
            }
            let Some((_, pos)) = self.queue.pop_first() else {
                break;
            };
            self.update(grid, pos);
            self.notice(grid);
        }
        std::mem::take(&mut self.loose)
    }

    /// Lets these springs run until everything stands or runs as it will, as if they had for a long time; the blocks that
    /// begin to fall.
    #[must_use]
    pub(super) fn run_out(&mut self, grid: &mut Grid, springs: Vec<Pos>) -> Vec<(Pos, BlockId)> {
        let mut loose = Vec::new();
        if springs.is_empty() {
            return loose;
        }
        // What changed before is noticed in the time of this world.
        self.notice(grid);
        let mut past = Self {
            flowing: std::mem::take(&mut self.flowing),
            ..Self::default()
        };
        springs.into_iter().for_each(|at| past.schedule(grid, at));
        for _ in 0..RUN_OUT_TICKS {
            if past.is_idle() {
                break;
            }
            loose.append(&mut past.step(grid));
        }
        // What runs for longer goes on running.
        let rest = past
            .queue
            .iter()
            .map(|(due, at)| (self.tick + due - past.tick, *at));
        self.queue.extend(rest);
        self.flowing = past.flowing;
        loose
    }

    /// True if nothing waits to move.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.queue.is_empty()
    }

    /// True if any fluid may flow near this place.
    #[inline]
    pub(super) fn flow_near(&self, pos: Pos) -> bool {
        self.flowing.are_near(pos)
    }

    /// True if the fluid here comes down from above.
    pub(super) fn is_falling(&self, pos: Pos) -> bool {
        self.flowing.get(pos) == Some(FULL)
    }

    /// True if water runs along here, neither standing nor falling.
    pub(super) fn is_stream(&self, grid: &Grid, pos: Pos) -> bool {
        let runs = || self.flowing.get(pos).is_some_and(|thick| thick < FULL);
        self.flow_near(pos) && runs() && grid.rock(pos) == blocks::WATER
    }

    /// True if the fluid here is a source, as a bucket needs.
    #[must_use]
    pub fn is_source(&self, grid: &Grid, pos: Pos) -> bool {
        grid.block(pos).is_fluid() && !self.flowing.runs_in(pos)
    }

    /// Stands for everything that will move and how thick what flows is.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        let waiting = |sum, (due, p): &(u64, Pos)| sum ^ hash3(mix(due + 0x100), p.x, p.y, p.z);
        self.queue.iter().fold(self.flowing.checksum(), waiting)
    }

    /// Queues what the latest changes touch: the changed cell and its neighbours.
    fn notice(&mut self, grid: &mut Grid) {
        if !grid.is_disturbed() {
            return;
        }
        let mut disturbed = std::mem::take(&mut self.disturbed);
        grid.take_disturbed(&mut disturbed);
        for pos in disturbed.drain(..) {
            // A block that replaced flowing fluid takes its thickness away, or a later
            // fluid here would inherit it.
            if !grid.block(pos).is_fluid() {
                self.flowing.end(pos);
            }
            self.schedule(grid, pos);
            for side in Facing::ALL {
                self.schedule(grid, pos.side(side));
            }
        }
        self.disturbed = disturbed;
    }

    fn schedule(&mut self, grid: &Grid, pos: Pos) {
        let block = grid.block(pos);
        let delay = match kind_of(block) {
            Some(kind) => kind.delay,
            None if block.falls() => FALL_DELAY,
            None => return,
        };
        if self.queue.len() < QUEUE_MAX {
            self.queue.insert((self.tick + delay, pos));
        }
    }

    fn update(&mut self, grid: &mut Grid, pos: Pos) {
        let block = grid.block(pos);
        if let Some(kind) = kind_of(block) {
            self.flow(grid, pos, kind);
        } else if block.falls() && pos.y > 0 && falling::gives_way(grid.block(pos.down())) {
            grid.set(pos, blocks::AIR);
            self.loose.push((pos, block));
        }
    }

    /// Of the fluid in a cell: 8 is a source, or what falls.
    pub(super) fn thickness(&self, pos: Pos) -> u8 {
        self.flowing.get(pos).unwrap_or(FULL)
    }

    /// The part of its cell up to which fluid that runs stands; none for a source.
    pub(super) fn surface(&self, pos: Pos) -> Option<f32> {
        let thickness = self.flowing.get(pos)?;
        Some(f32::from(thickness) / PARTS as f32)
    }

    fn flow(&mut self, grid: &mut Grid, pos: Pos, kind: Kind) {
        // Lava hardens before it flows: a cell beside water must not spread first.
        if kind.block == blocks::LAVA && self.cool(grid, pos) {
            return;
        }
        if self.flowing.runs_in(pos) && !self.settle(grid, pos, kind) {
            return;
        }
        let thick = self.thickness(pos);
        // Down before sideways: a fluid that can fall does not spread.
        if self.spread(grid, pos.down(), FULL, kind) {
            return;
        }
        let below = grid.block(pos.down());
        // Over its own kind a fluid goes down, not sideways, unless it is a source.
        if below == kind.block && self.flowing.runs_in(pos) || thick <= kind.loss {
            return;
        }
        for side in self.ways_down(grid, pos, kind).into_iter().flatten() {
            self.spread(grid, pos.side(side), thick - kind.loss, kind);
        }
    }

    /// The sides to which the fluid of a cell runs: to the nearest edge, or all that are open.
    fn ways_down(&self, grid: &Grid, pos: Pos, kind: Kind) -> [Option<Facing>; 4] {
        let is_open = |at: Pos| self.lets_in(grid, at, kind);
        let is_edge = |at: Pos| grid.block(at.down()) == kind.block || is_open(at.down());
        edges::ways_down(pos, kind.feels, is_open, is_edge)
    }

    /// A fluid of this kind can run through here.
    fn lets_in(&self, grid: &Grid, at: Pos, kind: Kind) -> bool {
        let there = grid.block(at);
        if there == kind.block {
            return self.flowing.runs_in(at);
        }
        there.is_fluid() || takes_in(there)
    }

    /// Brings a flowing cell to what its neighbours feed; false if it has dried up or changed.
    fn settle(&mut self, grid: &mut Grid, pos: Pos, kind: Kind) -> bool {
        let same = |p: Pos| grid.block(p) == kind.block;
        let fed_sideways = |side| {
            let from = pos.side(side);
            if same(from) {
                self.thickness(from).saturating_sub(kind.loss)
            } else {
                0
            }
        };
        let fed = if same(pos.up()) {
            FULL
        } else {
            Facing::FLAT
                .map(fed_sideways)
                .into_iter()
                .max()
                .unwrap_or(0)
        };
        let sources = Facing::FLAT
            .iter()
            .filter(|s| self.is_source(grid, pos.side(**s)) && same(pos.side(**s)));
        if kind.block == blocks::WATER && sources.count() >= 2 && grid.block(pos.down()).is_solid()
        {
            // Two sources beside it over firm ground: water renews itself.
            self.flowing.end(pos);
            return true;
        }
        if fed == self.thickness(pos) {
            return true;
        }
        if fed == 0 {
            self.flowing.end(pos);
            grid.set(pos, blocks::AIR);
            return false;
        }
        // The cell takes the new thickness now and flows in its next turn, so waves move
        // one block per delay.
        self.flowing.set(pos, fed);
        for side in Facing::ALL {
            self.schedule(grid, pos.side(side));
        }
        self.schedule(grid, pos);
        false
    }

    /// Lets the fluid into a cell; true if it went there.
    fn spread(&mut self, grid: &mut Grid, to: Pos, thick: u8, kind: Kind) -> bool {
        let there = grid.block(to);
        if there.is_fluid() {
            if there != kind.block {
                self.meet(grid, to, there, kind);
            } else if self.flowing.get(to).is_some_and(|level| level < thick) {
                self.flowing.set(to, thick);
                self.schedule(grid, to);
                return true;
            }
            return false;
        }
        if to.y < 0 || !takes_in(there) {
            return false;
        }
        grid.set(to, kind.block);
        self.flowing.set(to, thick);
        true
    }

    /// Water that runs into lava, or lava that runs into water.
    /// Water on a source of lava makes obsidian, on flowing lava cobblestone; lava from
    /// above onto water makes stone.
    fn meet(&mut self, grid: &mut Grid, to: Pos, there: BlockId, kind: Kind) {
        let hard = match (kind.block, there) {
            (blocks::WATER, _) if self.is_source(grid, to) => blocks::OBSIDIAN,
            (blocks::WATER, _) => blocks::COBBLESTONE,
            _ => blocks::STONE,
        };
        grid.set(to, hard);
        self.flowing.end(to);
    }

    /// Lava beside or below water hardens; true if it did.
    fn cool(&mut self, grid: &mut Grid, pos: Pos) -> bool {
        let wet = |p: Pos| grid.block(p) == blocks::WATER;
        if !wet(pos.up()) && !Facing::FLAT.iter().any(|side| wet(pos.side(*side))) {
            return false;
        }
        let hard = if self.flowing.runs_in(pos) {
            blocks::COBBLESTONE
        } else {
            blocks::OBSIDIAN
        };
        self.flowing.end(pos);
        grid.set(pos, hard);
        true
    }
}

/// A fluid runs in here, over what is washed away.
fn takes_in(block: BlockId) -> bool {
    !block.is_solid() && (block == blocks::AIR || block.is_replaceable() || washes(block))
}

/// Small things that a fluid washes away.
fn washes(block: BlockId) -> bool {
    !block.is_solid()
        && !block.is_fluid()
        && !matches!(
            block,
            blocks::LADDER | blocks::SUGAR_CANE | blocks::SEAGRASS | blocks::KELP
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene() -> (Grid, Fluids) {
        let mut grid = Grid::flat(10);
        grid.ensure_around(Pos::default(), 2);
        (grid, Fluids::new())
    }

    fn run(grid: &mut Grid, fluids: &mut Fluids, ticks: u32) {
        (0..ticks).for_each(|_| drop(fluids.step(grid)));
    }

    #[test]
    fn water_spreads_seven_blocks_and_dries_up_without_its_source() {
        let (mut grid, mut fluids) = scene();
        let source = Pos::new(0, 11, 0);
        grid.set(source, blocks::WATER);
        run(&mut grid, &mut fluids, 100);
        let wet = |grid: &Grid, d| grid.block(source.plus(d, 0, 0)) == blocks::WATER;
        assert_eq!((wet(&grid, 7), wet(&grid, 8)), (true, false));
        assert!(fluids.is_source(&grid, source) && !fluids.is_source(&grid, source.plus(1, 0, 0)));
        assert!(fluids.is_idle());
        grid.set(source, blocks::AIR);
        run(&mut grid, &mut fluids, 200);
        assert!((-8..9).all(|d| !wet(&grid, d)));
        assert!(fluids.is_idle() && fluids.flowing.is_empty());
    }

    #[test]
    fn water_runs_down_a_hole_and_lava_spreads_three() {
        let (mut grid, mut fluids) = scene();
        for y in 5..11 {
            grid.set(Pos::new(1, y, 0), blocks::AIR);
        }
        grid.set(Pos::new(0, 11, 0), blocks::WATER);
        grid.set(Pos::new(20, 11, 20), blocks::LAVA);
        run(&mut grid, &mut fluids, 300);
        assert_eq!(grid.block(Pos::new(1, 5, 0)), blocks::WATER);
        let lava = |d| grid.block(Pos::new(20 + d, 11, 20)) == blocks::LAVA;
        assert_eq!((lava(3), lava(4)), (true, false));
    }

    #[test]
    fn what_is_near_an_edge_runs_there_and_nowhere_else() {
        let (mut grid, mut fluids) = scene();
        grid.set(Pos::new(3, 10, 0), blocks::AIR);
        grid.set(Pos::new(23, 10, 20), blocks::AIR);
        grid.set(Pos::new(0, 11, 0), blocks::WATER);
        grid.set(Pos::new(20, 11, 20), blocks::LAVA);
        run(&mut grid, &mut fluids, 300);
        let at = |x, y, z| grid.block(Pos::new(x, y, z));
        assert_eq!(
            [at(1, 11, 0), at(2, 11, 0), at(3, 10, 0)],
            [blocks::WATER; 3]
        );
        assert_eq!(
            [at(-1, 11, 0), at(0, 11, 1), at(4, 11, 0)],
            [blocks::AIR; 3]
        );
        // Lava feels an edge three cells off, and none farther.
        assert_eq!(
            [at(23, 10, 20), at(19, 11, 20)],
            [blocks::LAVA, blocks::AIR]
        );
    }

    #[test]
    fn water_turns_still_lava_to_obsidian_and_running_lava_to_cobblestone() {
        let (mut grid, mut fluids) = scene();
        grid.set(Pos::new(0, 11, 0), blocks::LAVA);
        run(&mut grid, &mut fluids, 200);
        grid.set(Pos::new(0, 12, 0), blocks::WATER);
        run(&mut grid, &mut fluids, 100);
        assert_eq!(grid.block(Pos::new(0, 11, 0)), blocks::OBSIDIAN);
        assert_eq!(grid.block(Pos::new(2, 11, 0)), blocks::COBBLESTONE);
    }

    #[test]
    fn equal_edits_flow_equally() {
        let end = || {
            let (mut grid, mut fluids) = scene();
            grid.set(Pos::new(4, 14, 4), blocks::WATER);
            grid.set(Pos::new(9, 11, 4), blocks::LAVA);
            run(&mut grid, &mut fluids, 37);
            (grid.checksum(), fluids.checksum())
        };
        assert_eq!(end(), end());
    }
}
