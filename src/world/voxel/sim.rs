//! The simulation: the state of one world and one body, and what may be asked of it.
//!
//! It knows everything; what a script may use is what the body feels and sees (see the accessors).
//! Invariant: same grid, same start, same controls: same checksum after every tick, on every machine.

use super::arrows::Arrows;
use super::body::fishing_line::{Bobber, FishingLine};
use super::body::rest::Rest;
use super::body::{PlayerBody, physics, sight};
use super::chest::Chest;
use super::dropped::{Dropped, DroppedItems};
use super::falling::FallingBlocks;
use super::fluids::Fluids;
use super::furnace::Furnace;
use super::grid::Grid;
use super::growth::Growth;
use super::life::Mobs;
use super::orbs::Orbs;
use super::springs::Springs;
use super::terrain::biome::{Biome, Falls};
use super::terrain::spawn::{spawn_point, spawn_point_in};
use super::time;
use super::villagers::Villagers;
use super::weather::{self, Clouds};
use super::window::Window;
use crate::counts::Counts;
use crate::feat::Feats;
use crate::inventory::Stack;
use crate::item::ItemId;
use crate::observation::{Gui, Weather};
use crate::powers::Powers;
use crate::rng::{Rng, Streams};
use crate::space::{Point, Pos};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Loose items are noticed within this distance.
const NOTICE_DROPS: f64 = 16.0;

/// One world with one body. Every part with chance of its own has its own stream (`luck`,
/// `whims`, `charms`, `clouds`), so that one more draw in one does not change the others.
#[derive(Debug, Clone)]
pub struct Simulation {
    pub(super) grid: Grid,
    pub(super) body: PlayerBody,
    pub(super) fluids: Fluids,
    pub(super) springs: Springs,
    pub(super) mobs: Mobs,
    pub(super) arrows: Arrows,
    pub(super) falling: FallingBlocks,
    pub(super) orbs: Orbs,
    pub(super) growth: Growth,
    pub(super) dropped: DroppedItems,
    /// Ordered maps: they are walked through every tick, and the order must be the same on
    /// every machine.
    pub(super) furnaces: BTreeMap<Pos, Furnace>,
    pub(super) chests: BTreeMap<Pos, Chest>,
    pub(super) window: Window,
    /// What the rod has cast.
    pub(super) line: FishingLine,
    /// Sleep, and the hours that were slept through.
    pub(super) rest: Rest,
    /// What the next enchanting table shows; drawn anew when an offer is taken.
    pub(super) charm: u64,
    pub(super) charms: Rng,
    pub(super) villagers: Villagers,
    pub(super) feats: Feats,
    /// Where the last opened furnace stands; scripts come back to it.
    pub(super) furnace_used: Option<Pos>,
    /// Everything crafted or smelted out since the start.
    pub(super) crafted: Counts,
    /// Everything put into crafting grids and furnaces since the start, less what was taken back.
    pub(super) used: Counts,
    /// Windows in which something was made since the action began.
    pub(super) windows: Vec<Gui>,
    /// What breaking yields and where it flies.
    pub(super) luck: Rng,
    /// What the mobs do.
    pub(super) whims: Rng,
    pub(super) clouds: Clouds,
    pub(super) tick: u64,
    /// The chunk of the feet when chunks were last loaded; loading is checked only when it
    /// changes.
    pub(super) chunk: (i32, i32),
    /// Chunks that have got their herds and chests; only ever asked, never walked through.
    pub(super) settled: FxHashSet<(i32, i32)>,
}

impl Simulation {
    /// A new world of this seed with the body on its surface.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut grid = Grid::new(seed);
        let start = spawn_point(&mut grid).floor();
        Self::at(grid, start, seed)
    }

    /// As `new`, with the body in this biome; none if there is no place for it within reach.
    #[must_use]
    pub fn new_in(seed: u64, biome: Biome) -> Option<Self> {
        let mut grid = Grid::new(seed);
        let start = spawn_point_in(&mut grid, biome)?.floor();
        Some(Self::at(grid, start, seed))
    }

    /// A test scene: this grid, the body's feet at `start`.
    #[must_use]
    pub fn with_grid(grid: Grid, start: Point) -> Self {
        Self::at(grid, start, 0)
    }

    fn at(grid: Grid, start: Point, seed: u64) -> Self {
        let home = start.block();
        let mut sim = Self {
            grid,
            body: PlayerBody::new(start),
            fluids: Fluids::new(),
            springs: Springs::default(),
            mobs: Mobs::new(),
            arrows: Arrows::default(),
            falling: FallingBlocks::default(),
            orbs: Orbs::new(seed),
            growth: Growth::new(seed),
            dropped: DroppedItems::default(),
            furnaces: BTreeMap::new(),
            chests: BTreeMap::new(),
            window: Window::default(),
            line: FishingLine::new(seed),
            rest: Rest::default(),
            charm: Streams(seed).salt("charm"),
            charms: Streams(seed).get("charms"),
            villagers: Villagers::new(seed),
            feats: Feats::default(),
            furnace_used: None,
            crafted: Counts::default(),
            used: Counts::default(),
            windows: Vec::new(),
            luck: Streams(seed).get("drops"),
            whims: Streams(seed).get("mobs"),
            clouds: Clouds::new(seed),
            tick: 0,
            chunk: (home.x >> 4, home.z >> 4),
            settled: FxHashSet::default(),
        };
        // The body needs ground under it before it can touch anything: chunks first.
        sim.load_chunks();
        sim.body.touching = physics::touch(&sim.body, &sim.grid);
        sim
    }

    #[must_use]
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// 0..24000; 0 is sunrise.
    #[must_use]
    pub fn time_of_day(&self) -> u32 {
        // Ticks run on evenly; sleeping and the aids only shift the hour.
        time::time_of_day(self.tick + self.rest.slept)
    }

    /// What the sky does; what falls differs from place to place.
    #[must_use]
    pub fn weather(&self) -> Weather {
        self.clouds.now()
    }

    /// For test scenes.
    pub fn set_weather(&mut self, weather: Weather) {
        self.clouds.set(weather);
    }

    /// What comes down on the body now; nothing under a roof.
    #[must_use]
    pub fn falls_here(&self) -> Falls {
        weather::falls_on(&self.grid, self.clouds.now(), self.body.eyes().block())
    }

    /// Rain falls on this cell now.
    pub(super) fn rains_on(&self, at: Pos) -> bool {
        weather::rains_on(&self.grid, self.clouds.now(), at)
    }

    /// The bobber of the rod, while it is cast.
    #[must_use]
    pub fn bobber(&self) -> Option<&Bobber> {
        self.line.bobber.as_ref()
    }

    #[must_use]
    pub fn is_asleep(&self) -> bool {
        self.rest.asleep.is_some()
    }

    /// Moves the hour on to a later time of day, for test scenes and declared aids.
    pub fn pass_hours(&mut self, time: u32) {
        let now = u64::from(self.time_of_day());
        let day = crate::clock::TICKS_PER_DAY;
        // Always forward: the shift is what is missing to the hour, modulo a day.
        self.rest.slept += (day + u64::from(time) % day - now) % day;
    }

    /// The whole truth; a script may read of it only what it sees.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// For test scenes and declared aids.
    pub fn grid_mut(&mut self) -> &mut Grid {
        &mut self.grid
    }

    #[must_use]
    pub fn body(&self) -> &PlayerBody {
        &self.body
    }

    /// For test scenes and declared aids.
    pub fn body_mut(&mut self) -> &mut PlayerBody {
        &mut self.body
    }

    /// All mobs, seen or not.
    #[must_use]
    pub fn mobs(&self) -> &Mobs {
        &self.mobs
    }

    /// For test scenes.
    pub fn mobs_mut(&mut self) -> &mut Mobs {
        &mut self.mobs
    }

    /// Arrows in the air.
    #[must_use]
    pub fn arrows(&self) -> &Arrows {
        &self.arrows
    }

    /// Blocks on their way down.
    #[must_use]
    pub fn falling(&self) -> &FallingBlocks {
        &self.falling
    }

    /// Experience that lies or flies about.
    #[must_use]
    pub fn orbs(&self) -> &Orbs {
        &self.orbs
    }

    #[must_use]
    pub fn fluids(&self) -> &Fluids {
        &self.fluids
    }

    /// The open window, the block it belongs to, and how many were opened and closed.
    #[must_use]
    pub fn window(&self) -> &Window {
        &self.window
    }

    /// Counts what goes into the open window, to be made into something.
    pub(super) fn use_up(&mut self, item: ItemId, count: u32) {
        self.used.add(item, count);
        if !self.windows.contains(&self.window.gui) {
            self.windows.push(self.window.gui);
        }
    }

    #[must_use]
    pub fn used(&self) -> &Counts {
        &self.used
    }

    #[must_use]
    pub fn feats(&self) -> &Feats {
        &self.feats
    }

    #[must_use]
    pub fn villagers(&self) -> &Villagers {
        &self.villagers
    }

    #[must_use]
    pub fn crafted(&self) -> &Counts {
        &self.crafted
    }

    /// Items in the open container, 0 when none is open.
    #[must_use]
    pub fn container_items(&self) -> u32 {
        let Some(at) = self.window.at else { return 0 };
        match self.window.gui {
            Gui::Furnace => self.furnaces.get(&at).map_or(0, Furnace::items),
            Gui::Chest => self.chests.get(&at).map_or(0, Chest::items),
            Gui::Closed | Gui::Inventory | Gui::CraftingTable => 0,
            Gui::EnchantingTable | Gui::Anvil | Gui::Grindstone | Gui::Trade => 0,
        }
    }

    /// The furnace at a place, once it has been opened.
    #[must_use]
    pub fn furnace(&self, at: Pos) -> Option<&Furnace> {
        self.furnaces.get(&at)
    }

    /// The chest at a place, once it has been filled or opened.
    #[must_use]
    pub fn chest(&self, at: Pos) -> Option<&Chest> {
        self.chests.get(&at)
    }

    /// The furnace last opened, while it stands.
    #[must_use]
    pub fn furnace_used(&self) -> Option<(Pos, &Furnace)> {
        let at = self.furnace_used?;
        Some((at, self.furnaces.get(&at)?))
    }

    /// Everything that lies about, seen or not, oldest first.
    #[must_use]
    pub fn dropped(&self) -> &[Dropped] {
        &self.dropped.items
    }

    /// Loose items within 16 blocks and in line of sight, nearest first.
    #[must_use]
    pub fn drops_in_sight(&self) -> Vec<&Dropped> {
        let eyes = self.body.eyes();
        let seen = |item: &&Dropped| {
            eyes.distance(item.at) <= NOTICE_DROPS
                // Seen at half the height of the item, not at its underside, which touches
                // the floor.
                && sight::is_clear(&self.grid, eyes, item.at.plus(0.0, 0.125, 0.0))
        };
        let mut drops: Vec<&Dropped> = self.dropped.items.iter().filter(seen).collect();
        drops.sort_by(|a, b| {
            eyes.distance(a.at)
                .total_cmp(&eyes.distance(b.at))
                // Ties by id, so that the order does not depend on the sort.
                .then(a.id.cmp(&b.id))
        });
        drops
    }

    /// What the hands can do from now on; a declared aid.
    pub fn empower(&mut self, powers: Powers) {
        self.body.hands.powers = powers;
    }

    /// Puts items into the inventory; how many did not fit. For test scenes and declared aids.
    pub fn give(&mut self, item: ItemId, count: u32) -> u32 {
        self.body
            .slots
            .add(Stack::new(item, count))
            .map_or(0, |rest| rest.count)
    }
}
