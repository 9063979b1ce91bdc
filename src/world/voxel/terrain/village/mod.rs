//! Villages: where they stand, and which house or field is on which plot.
//!
//! How a plot is built is in `plots` and `house`. At most one village in a square of 32×32 chunks, on dry and even land. Invariant: a
//! village follows from the seed and its square only, and lies wholly inside the square.

mod house;
mod plots;
mod style;

use super::super::chunk::Chunk;
use super::super::grid::Grid;
use super::biome::Biome;
use super::shape::{Landscape, SEA_LEVEL, TerrainRegion};
use crate::inventory::Stack;
use crate::loot;
use crate::rng::{Rng, Streams, hash3};
use crate::space::Pos;
use crate::trade::Profession;
use house::House;
use style::Style;

/// Chunks along a side of the square that may have a village.
/// 32 is the spacing of villages in 1.16.
const SQUARE: i32 = 32;
/// Its middle keeps so many chunks from the edge of the square.
const EDGE: i32 = 4;
/// Places of a square that are tried for one.
const TRIES: usize = 6;
/// How far it reaches from its middle, in blocks and in chunks.
const REACH: i32 = 24;
const REACH_CHUNKS: i32 = 2;
/// The ground of a plot lies at most so much above or below the middle.
const STEEP: i32 = 5;
/// Fewer plots than this are no village.
const PLOTS_MIN: usize = 5;

/// Middles of the plots, from the middle of the village; two streets cross there.
/// Within each ring of four, plots alternate between corners, so a village that loses plots
/// to steep ground still has houses on all sides.
const PLOTS: [(i32, i32); 12] = [
    (8, 8),
    (-8, -8),
    (8, -8),
    (-8, 8),
    (19, 8),
    (-19, -8),
    (8, -19),
    (-8, 19),
    (-19, 8),
    (19, -8),
    (8, 19),
    (-8, -19),
];
/// Of so many plots one is a field.
const FIELD_EVERY: usize = 4;

/// A village of the land.
#[derive(Debug, Clone, PartialEq)]
pub struct Village {
    /// The middle, on the ground.
    pub middle: Pos,
    pub biome: Biome,
    pub plots: Vec<Plot>,
}

/// A piece of land with something on it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plot {
    /// Its middle; y is that of the floor.
    pub at: Pos,
    pub use_of: PlotUse,
    /// One step towards the street.
    /// Doors are on this side.
    front: (i32, i32),
    /// What its house looks like is drawn from this.
    look: u64,
}

/// What is on a plot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlotUse {
    /// The house of a villager who works in it.
    House(Profession),
    Field,
}

impl Village {
    /// What its people live by.
    #[must_use]
    pub fn trades(&self) -> Vec<Profession> {
        let trade = |plot: &Plot| match plot.use_of {
            PlotUse::House(who) => Some(who),
            PlotUse::Field => None,
        };
        self.plots.iter().filter_map(trade).collect()
    }
}

/// Whether villages stand in such land.
pub(crate) fn stands_in(biome: Biome) -> bool {
    style::style_of(biome).is_some()
}

/// Whether the middle of a village may lie in this column, by its place in its square alone.
pub(crate) fn may_stand_at(x: i32, z: i32) -> bool {
    let within = EDGE..SQUARE - EDGE;
    [x, z]
        .iter()
        .all(|n| within.contains(&(n >> 4).rem_euclid(SQUARE)))
}

/// The square of land that a column lies in.
pub(crate) fn square_at(x: i32, z: i32) -> (i32, i32) {
    (square_of(x >> 4), square_of(z >> 4))
}

fn square_of(chunk: i32) -> i32 {
    chunk.div_euclid(SQUARE)
}

/// The places of a square that are tried, as chunks, in order.
/// Drawn as chunks; a village stands around the middle of its chunk.
fn tries(seed: u64, square: (i32, i32)) -> [(i32, i32); TRIES] {
    let mut rng = Rng::new(hash3(Streams(seed).salt("villages"), square.0, 0, square.1));
    // Middles keep away from the edge, so a village lies wholly inside its square and no
    // neighbour has to ask.
    let mut step = || EDGE + rng.below((SQUARE - 2 * EDGE) as u64) as i32;
    [(); TRIES].map(|()| (square.0 * SQUARE + step(), square.1 * SQUARE + step()))
}

/// The village of the square that holds a chunk, if one fits there.
#[must_use]
pub(crate) fn village_of(land: &Landscape, seed: u64, chunk: (i32, i32)) -> Option<Village> {
    let square = (square_of(chunk.0), square_of(chunk.1));
    tries(seed, square)
        .into_iter()
        .find_map(|(x, z)| found_at(land, seed, x * 16 + 8, z * 16 + 8))
}

/// As `village_of`, if it may reach into the chunk; most chunks are told at a glance.
pub(crate) fn village_near(land: &Landscape, seed: u64, chunk: (i32, i32)) -> Option<Village> {
    let square = (square_of(chunk.0), square_of(chunk.1));
    let is_near =
        |(x, z): &(i32, i32)| (x - chunk.0).abs().max((z - chunk.1).abs()) <= REACH_CHUNKS;
    if !tries(seed, square).iter().any(is_near) {
        return None;
    }
    village_of(land, seed, chunk)
        .filter(|village| is_near(&(village.middle.x >> 4, village.middle.z >> 4)))
}

/// The village around a column, if the land bears one.
fn found_at(land: &Landscape, seed: u64, x: i32, z: i32) -> Option<Village> {
    let column = land.column(x, z);
    style::style_of(column.biome)?;
    let is_level = |y: i32| y > SEA_LEVEL && (y - column.height).abs() <= STEEP;
    // Points on the streets, not in the corners of the land: the streets are what must be
    // walkable.
    let far = REACH - 8;
    let corners = [(far, 0), (-far, 0), (0, far), (0, -far)];
    let even = corners
        .iter()
        .all(|(dx, dz)| is_level(land.column(x + dx, z + dz).height));
    if !is_level(column.height) || !even {
        return None;
    }
    let salt = Streams(seed).salt("village plots");
    // Its own stream of chance, so that a change in how villages are placed does not change
    // their houses.
    let mut rng = Rng::new(hash3(salt, x, 0, z));
    let mut professions: Vec<Profession> = Profession::ALL[1..].to_vec();
    // The first house is a farmer's: every village has fields.
    professions.push(Profession::Farmer);
    let mut plots = Vec::new();
    for (n, (dx, dz)) in PLOTS.into_iter().enumerate() {
        let y = land.column(x + dx, z + dz).height;
        if !is_level(y) {
            continue;
        }
        let use_of = if n % FIELD_EVERY == 1 {
            PlotUse::Field
        // Professions are drawn without putting back: no two houses of a village share one
        // before all are used.
        } else {
            let who = match plots.len() {
                0 => professions.len() - 1,
                _ => rng.below(professions.len() as u64) as usize,
            };
            PlotUse::House(professions.remove(who))
        };
        // Plots at equal distance from both streets face the one that runs along x.
        let front = if dx.abs() > dz.abs() || dx.abs() == dz.abs() {
            (0, -dz.signum())
        } else {
            (-dx.signum(), 0)
        };
        plots.push(Plot {
            at: Pos::new(x + dx, y, z + dz),
            use_of,
            front,
            look: hash3(salt, x + dx, 1, z + dz),
        });
    }
    (plots.len() >= PLOTS_MIN).then_some(Village {
        middle: Pos::new(x, column.height, z),
        biome: column.biome,
        plots,
    })
}

/// Builds what of a village reaches into a chunk.
pub(crate) fn build(
    seed: u64,
    chunk: &mut Chunk,
    region: &TerrainRegion,
    village: &Village,
    at: (i32, i32),
) {
    let Some(style) = style::style_of(village.biome) else {
        return;
    };
    let mut site = plots::Site::new(chunk, at, style);
    plots::streets(&mut site, region, village);
    plots::well(&mut site, village.middle);
    for plot in &village.plots {
        match plot.use_of {
            PlotUse::House(who) => house::build(&mut site, region, plot, who),
            PlotUse::Field => plots::field(&mut site, plot, seed),
        }
    }
}

/// The villagers who live in a chunk: what each is and where its home is. Call once for each chunk that is new.
#[must_use]
pub(crate) fn folk(grid: &Grid, chunk: (i32, i32)) -> Vec<(Profession, Pos)> {
    houses(grid, chunk)
        .into_iter()
        .map(|(_, who, plot)| (who, plot.at.up()))
        .filter(|(_, home)| (home.x >> 4, home.z >> 4) == chunk)
        .collect()
}

/// The chests of a village in a chunk and what is in them. Call once for each chunk that is new.
#[must_use]
pub(crate) fn chests(grid: &Grid, chunk: (i32, i32)) -> Vec<(Pos, Vec<Stack>)> {
    let Some(generator) = grid.generator() else {
        return Vec::new();
    };
    let salt = Streams(generator.seed()).salt("village chests");
    let filled = |(style, who, plot): (&'static Style, Profession, Plot)| {
        let at = House::of(&plot).chest(&plot);
        let mut rng = Rng::new(hash3(salt, at.x, at.y, at.z));
        let place = if loot::is_place(who.name()) {
            who.name()
        } else {
            style.loot
        };
        (at, loot::draw(place, &mut rng))
    };
    let all = houses(grid, chunk).into_iter().map(filled);
    all.filter(|(at, _)| (at.x >> 4, at.z >> 4) == chunk)
        .collect()
}

fn houses(grid: &Grid, chunk: (i32, i32)) -> Vec<(&'static Style, Profession, Plot)> {
    let near = grid
        .generator()
        .and_then(|generator| village_near(&generator.land, generator.seed(), chunk));
    let Some((village, style)) =
        near.and_then(|v| style::style_of(v.biome).map(|style| (v, style)))
    else {
        return Vec::new();
    };
    let plots = village.plots.into_iter();
    plots
        .filter_map(|plot| match plot.use_of {
            PlotUse::House(who) => Some((style, who, plot)),
            PlotUse::Field => None,
        })
        .collect()
}

#[cfg(test)]
mod tests;
