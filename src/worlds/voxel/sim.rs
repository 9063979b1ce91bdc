//! The simulation: one world, one body, and the one order in which a tick happens.
//!
//! It knows everything; what a script may use is what the body feels and sees (see the accessors).
//! Invariant: same grid, same start, same controls: same checksum after every tick, on every machine.

use super::body::Body;
use super::chest::Chest;
use super::controls::{Controls, Outcome};
use super::dropped::{Dropped, DroppedItems};
use super::furnace::Furnace;
use super::grid::Grid;
use super::gui::Window;
use super::life::Mobs;
use crate::rng::Rng;
use crate::world::inventory::Counts;
use crate::world::item::ItemId;
use crate::world::space::{Point, Pos};
use std::collections::BTreeMap;

#[derive(Debug, Clone)]
pub struct Simulation {
    pub(super) grid: Grid,
    pub(super) body: Body,
    pub(super) mobs: Mobs,
    pub(super) dropped: DroppedItems,
    pub(super) furnaces: BTreeMap<Pos, Furnace>,
    pub(super) chests: BTreeMap<Pos, Chest>,
    pub(super) window: Window,
    /// Everything crafted or smelted out since the start.
    pub(super) crafted: Counts,
    /// What breaking yields and where it flies.
    pub(super) luck: Rng,
    pub(super) tick: u64,
}

impl Simulation {
    /// A new world of this seed with the body on its surface.
    #[must_use]
    pub fn new(seed: u64) -> Self;
    /// A test scene: this grid, the body's feet at `start`, no mobs.
    #[must_use]
    pub fn with_grid(grid: Grid, start: Point) -> Self;
    /// One tick (1/20 s).
    pub fn step(&mut self, controls: &Controls) -> Outcome;
    /// Equal worlds have equal sums; cheap enough for every frame.
    #[must_use]
    pub fn checksum(&self) -> u64;
    pub fn tick(&self) -> u64;
    /// 0..24000, 0 is sunrise.
    pub fn time_of_day(&self) -> u32;
    /// The whole truth; a script may read only what perception has granted it.
    pub fn grid(&self) -> &Grid;
    /// For test scenes.
    pub fn grid_mut(&mut self) -> &mut Grid;
    pub fn body(&self) -> &Body;
    pub fn mobs(&self) -> &Mobs;
    /// The open window, where it belongs to, and how many were opened and closed.
    pub fn window(&self) -> &Window;
    pub fn crafted(&self) -> &Counts;
    /// Items in the open container, 0 when none is open.
    pub fn container_items(&self) -> u32;
    /// The furnace at a place, if one stands there and has been used.
    pub fn furnace(&self, at: Pos) -> Option<&Furnace>;
    /// Loose items within 16 blocks of the eyes and in line of sight, nearest first.
    pub fn drops_in_sight(&self) -> Vec<&Dropped>;
    /// Puts items into the inventory; what did not fit. For declared aids and test scenes.
    pub fn give(&mut self, item: ItemId, count: u32) -> u32;
}
