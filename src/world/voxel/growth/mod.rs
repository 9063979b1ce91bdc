//! Growth: what grows, spreads and withers by itself.
//!
//! The game ticks random cells of every chunk; here each cell that can change waits in a queue for
//! its own next random tick, which is the same by chance and costs nothing in between. Cells come
//! in when something changes at or beside them, so land as nature made it stands still.
//! Invariant: same grid, same player, same seed, same growth; a tick with nothing due costs nothing.

pub mod hands;
mod leaves;
mod rules;
mod saplings;
mod spread;
mod turn;

use super::grid::Grid;
use crate::block::{self as blocks, BlockId};
use crate::observation::Weather;
use crate::rng::{Rng, Streams, hash3, mix};
use crate::space::{Facing, Pos};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use turn::{Next, Turn};

/// Cells worked on in one tick.
const UPDATES_MAX: usize = 64;
/// Cells that may wait; what is beyond is forgotten until touched again.
const QUEUE_MAX: usize = 1 << 13;
/// Beyond this distance over the ground nothing grows, as in the game's loaded chunks.
const GROWS_WITHIN: f64 = 128.0;
/// Three of the 4096 cells of a section are ticked per tick; drawn in steps of 64 ticks.
const STEP: u64 = 64;
const CHANCE_PER_STEP: f64 = 0.0458;
const STEPS_MAX: u64 = 400;
/// How far leaves hang from their log.
const LEAF_REACH: i32 = 6;

/// Something that left drops; the block is air already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GrowthEvent {
    /// Leaves without a log, or a plant without its ground. Drops as of a bare hand.
    Withered { at: Pos, block: BlockId, ripe: bool },
}

/// The cells that will change by themselves.
#[derive(Debug, Clone)]
pub struct Growth {
    salt: u64,
    tick: u64,
    /// What the sky does in the coming step.
    pub(super) weather: Weather,
    queue: BTreeSet<(u64, Pos)>,
    due: FxHashMap<Pos, u64>,
    touched: Vec<(Pos, BlockId)>,
}

impl Growth {
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            salt: Streams(seed).salt("growth"),
            tick: 0,
            weather: Weather::Clear,
            queue: BTreeSet::new(),
            due: FxHashMap::default(),
            touched: Vec::new(),
        }
    }

    /// Lets one tick pass around the player.
    pub fn step(&mut self, grid: &mut Grid, player: Pos, day_time: u32) -> Vec<GrowthEvent> {
        self.tick += 1;
        if grid.is_touched() {
            self.notice(grid);
        }
        let mut events = Vec::new();
        for _ in 0..UPDATES_MAX {
            match self.queue.first() {
                Some((due, _)) if *due <= self.tick => {}
                _ => break,
            }
            let Some((_, at)) = self.queue.pop_first() else {
                break;
            };
            self.due.remove(&at);
            self.turn(grid, player, at, day_time, &mut events);
        }
        events
    }

    /// Cells that wait for their turn.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// Stands for everything that will grow, and when.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        let cells = self.queue.iter();
        cells.fold(mix(self.tick), |sum, (due, p)| {
            sum ^ hash3(mix(*due), p.x, p.y, p.z)
        })
    }

    fn turn(
        &mut self,
        grid: &mut Grid,
        player: Pos,
        at: Pos,
        day_time: u32,
        events: &mut Vec<GrowthEvent>,
    ) {
        let block = grid.block(at);
        let near = at.floor().distance_flat(player.floor()) <= GROWS_WITHIN;
        if !near || !grid.is_loaded(at) {
            return self.wait(at);
        }
        let rng = Rng::new(hash3(self.salt ^ mix(self.tick), at.x, at.y, at.z));
        let mut turn = Turn {
            grid,
            at,
            day_time,
            weather: self.weather,
            rng,
        };
        match rules::tick(&mut turn, block) {
            Next::Again => self.wait(at),
            Next::Done => {}
            Next::Withered => {
                let ripe = hands::is_ripe(grid, at);
                grid.set(at, blocks::AIR);
                events.push(GrowthEvent::Withered { at, block, ripe });
            }
        }
    }

    /// Queues a cell for its next random tick, unless it waits already.
    fn wait(&mut self, at: Pos) {
        if self.queue.len() >= QUEUE_MAX || self.due.contains_key(&at) {
            return;
        }
        let mut rng = Rng::new(hash3(self.salt ^ self.tick, at.x, at.y, at.z));
        let steps = (0..STEPS_MAX)
            .take_while(|_| !rng.chance(CHANCE_PER_STEP))
            .count() as u64;
        let due = self.tick + 1 + steps * STEP + rng.below(STEP);
        self.queue.insert((due, at));
        self.due.insert(at, due);
    }

    fn notice(&mut self, grid: &mut Grid) {
        let mut touched = std::mem::take(&mut self.touched);
        grid.take_touched(&mut touched);
        for (pos, old) in touched.drain(..) {
            for at in [pos, pos.up(), pos.down()] {
                if rules::ticks(grid, at) {
                    self.wait(at);
                }
            }
            if leaves::is_log(old) {
                self.loosen(grid, pos);
            } else if leaves::is_leaves(old) {
                for at in Facing::ALL.map(|side| pos.side(side)) {
                    if leaves::may_wither(grid, at) {
                        self.wait(at);
                    }
                }
            }
        }
        self.touched = touched;
    }

    /// A log is gone: all leaves that may have hung from it are looked at in time.
    fn loosen(&mut self, grid: &Grid, pos: Pos) {
        let around = || -LEAF_REACH..=LEAF_REACH;
        let cells = around()
            .flat_map(|dy| around().flat_map(move |dz| around().map(move |dx| (dx, dy, dz))));
        for (dx, dy, dz) in cells {
            let at = pos.plus(dx, dy, dz);
            if dx.abs() + dy.abs() + dz.abs() <= LEAF_REACH && leaves::may_wither(grid, at) {
                self.wait(at);
            }
        }
    }
}

#[cfg(test)]
mod tests;
