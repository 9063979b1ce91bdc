//! Landmarks: villages and kinds of land that are seen from farther off than single blocks are.
//!
//! A house stands out as far as the game draws the land, long before one can tell what it is made of, and so do a
//! desert, snow or a jungle. Invariant: by day and under the open sky only, before the eyes, and with neither land nor
//! woods known to stand in between.

use super::gaze;
use super::grid::Grid;
use super::lands::Lands;
use super::ray::Ray;
use super::sight::Sight;
use super::sim::Simulation;
use super::terrain::shape::{SEA_LEVEL, TerrainColumn};
use super::terrain::village::{self, PlotUse, Village};
use super::time;
use super::visited::{self, Patch};
use crate::space::{Point, Pos};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// How far one sees houses and land, in blocks: ten chunks, the distance that servers send by default.
const RANGE: i32 = 160;
/// A turning head passes a place in three ticks.
const LOOK_EVERY: u64 = 2;
/// Blocks from the floor of a house to its eaves.
const EAVES: f64 = 4.0;
/// Beyond the land that is loaded, the height of the ground is asked this often, in blocks: towards a house, and
/// towards land, whose next hills hide as much as the small ones before them.
const STEP: f64 = 4.0;
const STEP_TO_LAND: f64 = 16.0;
/// So far around a house its own plot is level.
const LEVEL: f64 = 8.0;
/// Woods are so high, and land is wood from so many trees on: per 4×4 columns, in 1/1000.
const CANOPY: i32 = 6;
const WOODED: u32 = 100;

/// What is known of villages around, and which of them were seen.
#[derive(Debug, Default)]
pub(crate) struct Landmarks {
    /// The village of each square of land that came within range.
    squares: BTreeMap<(i32, i32), Option<Village>>,
    seen: Vec<Pos>,
    /// The ground in the middle of each chunk that a look at the land passed over.
    ground: FxHashMap<(i32, i32), TerrainColumn>,
    /// The patches that this look was at already.
    looked_at: BTreeSet<Patch>,
}

impl Landmarks {
    /// The middle of a village that comes into sight now for the first time.
    pub(crate) fn look_for_village(&mut self, sim: &Simulation, sight: &Sight) -> Option<Pos> {
        let is_clear = sight.sky && time::is_day(sim.time_of_day());
        let generator = sim.grid().generator()?;
        if !is_clear || !sim.tick().is_multiple_of(LOOK_EVERY) {
            return None;
        }
        let eyes = sim.body().eyes();
        let at = eyes.block();
        let corners = [(-1, -1), (-1, 1), (1, -1), (1, 1)];
        for (x, z) in corners.map(|(x, z)| (at.x + x * RANGE, at.z + z * RANGE)) {
            let village = self
                .squares
                .entry(village::square_at(x, z))
                .or_insert_with(|| generator.village(x >> 4, z >> 4));
            let Some(village) = village else { continue };
            let is_near = village.middle.distance(at) <= f64::from(RANGE);
            if !is_near || self.seen.contains(&village.middle) {
                continue;
            }
            let roofs = village
                .plots
                .iter()
                .filter(|plot| plot.use_of != PlotUse::Field);
            let mut roofs = roofs.map(|plot| plot.at.centre().plus(0.0, EAVES, 0.0));
            let mut ground = |x, z| generator.column(x, z);
            if roofs.any(|roof| {
                sight.faces(eyes, roof) && is_open(sim.grid(), eyes, roof, STEP, &mut ground)
            }) {
                self.seen.push(village.middle);
                return Some(village.middle);
            }
        }
        None
    }

    /// Notes the land around that comes into sight, while the head looks around.
    pub(crate) fn look_at_land(&mut self, sim: &Simulation, sight: &Sight, lands: &mut Lands) {
        let eyes = sim.body().eyes();
        let here = visited::patch_of(eyes.block());
        let Some(generator) = sim.grid().generator() else {
            return;
        };
        let own = sim.grid().biome(eyes.block().x, eyes.block().z);
        lands.stand_in(own);
        if !sight.is_looking_around() {
            // Below ground one goes for minutes without looking around.
            if !sight.sky && lands.get(here).is_none() {
                lands.note(here, own);
            }
            self.looked_at.clear();
            return;
        }
        lands.note(here, own);
        if !sight.sky || !time::is_day(sim.time_of_day()) {
            return;
        }
        let reach = RANGE / visited::PATCH;
        let around = (-reach..=reach).flat_map(|x| (-reach..=reach).map(move |z| (x, z)));
        let Self {
            ground, looked_at, ..
        } = self;
        let mut ground = |x: i32, z: i32| {
            let (x, z) = (x | 8, z | 8);
            *ground
                .entry((x >> 4, z >> 4))
                .or_insert_with(|| generator.column(x & !7, z & !7))
        };
        for (dx, dz) in around.filter(|(x, z)| x * x + z * z <= reach * reach) {
            let patch = (here.0 + dx, here.1 + dz);
            if lands.get(patch).is_some() || looked_at.contains(&patch) {
                continue;
            }
            let (x, z) = visited::middle(patch);
            let column = ground(x, z);
            let top = column.height.max(SEA_LEVEL) + 1 + canopy(column);
            let target = Pos::new(x, top, z).centre();
            if !sight.faces(eyes, target) {
                continue;
            }
            looked_at.insert(patch);
            if is_open(sim.grid(), eyes, target, STEP_TO_LAND, &mut ground) {
                lands.note(patch, column.biome);
            }
        }
    }
}

/// How high the woods stand on a column, if there are any.
fn canopy(column: TerrainColumn) -> i32 {
    let is_wood = column.biome.facts().tree_density >= WOODED;
    if is_wood { CANOPY } else { 0 }
}

/// Whether nothing hides what stands out somewhere: blocks as far as they are loaded, then the ground, asked every so
/// many blocks, and what grows on it.
fn is_open(
    grid: &Grid,
    eyes: Point,
    target: Point,
    step: f64,
    ground: &mut dyn FnMut(i32, i32) -> TerrainColumn,
) -> bool {
    let far = eyes.distance(target);
    let mut ray = Ray::towards(eyes, target);
    let mut from = loop {
        let cell = ray.advance();
        if cell.distance > far - LEVEL {
            return true;
        }
        if !grid.is_loaded(cell.at) {
            break cell.distance;
        }
        let block = grid.block(cell.at);
        if block.is_opaque() || gaze::hides(block, cell.distance) {
            return false;
        }
    };
    while from < far - LEVEL {
        let share = from / far;
        let along = |a: f64, b: f64| a + (b - a) * share;
        let at = Point::new(
            along(eyes.x, target.x),
            along(eyes.y, target.y),
            along(eyes.z, target.z),
        )
        .block();
        let column = ground(at.x, at.z);
        if at.y <= column.height + canopy(column) {
            return false;
        }
        from += step;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::super::terrain::biome::Biome;
    use super::*;
    use crate::aids::SenseLevel;

    /// A village in the open land of some seed.
    fn village() -> (Grid, Village) {
        (1..40)
            .find_map(|seed| {
                let grid = Grid::new(seed);
                let village = grid.generator()?.village(0, 0)?;
                (village.biome == Biome::Plains).then_some((grid, village))
            })
            .unwrap()
    }

    fn seen_from(eyes: Point, seen_before: bool) -> Option<Pos> {
        let (grid, _) = village();
        let sim = Simulation::with_grid(grid, eyes);
        let mut landmarks = Landmarks::default();
        let sight = Sight::new(SenseLevel::Scout);
        let first = landmarks.look_for_village(&sim, &sight);
        if seen_before {
            return landmarks.look_for_village(&sim, &sight);
        }
        first
    }

    #[test]
    fn a_village_is_seen_from_above_once_and_not_through_the_land_or_from_too_far() {
        let middle = village().1.middle;
        let far = |by: i32, up: i32| middle.plus(by, up, 0).floor();
        assert_eq!(seen_from(far(100, 70), false), Some(middle));
        assert_eq!(seen_from(far(100, 70), true), None, "it is known already");
        assert_eq!(
            seen_from(far(100, -20), false),
            None,
            "there is rock in between"
        );
        assert_eq!(seen_from(far(RANGE + 10, 70), false), None);
    }

    #[test]
    fn hills_and_woods_hide_villages_from_some_places_on_the_ground() {
        let (grid, village) = village();
        let generator = grid.generator().unwrap();
        let roof = village.plots[0].at.centre().plus(0.0, EAVES, 0.0);
        let around = (0..64).map(|n| {
            let (x, z) = [(1, 0), (0, 1), (-1, 0), (0, -1)][n % 4];
            let far = 60 + n as i32;
            let at = village.middle.plus(x * far, 0, z * far);
            let y = generator.column(at.x, at.z).height + 2;
            Pos::new(at.x, y, at.z).centre()
        });
        let seen = around
            .filter(|eyes| {
                let mut ground = |x, z| generator.column(x, z);
                is_open(&grid, *eyes, roof, STEP, &mut ground)
            })
            .count();
        assert!((1..64).contains(&seen), "{seen} of 64");
    }

    /// What a look around from above the village, at this hour, tells of the land.
    fn lands_seen_at(hour: u32) -> (Point, Lands) {
        let (grid, village) = village();
        let eyes = village.middle.plus(0, 70, 0).floor();
        let mut sim = Simulation::with_grid(grid, eyes);
        sim.pass_hours(hour);
        let mut sight = Sight::new(SenseLevel::Scout);
        sight.look_around();
        let mut lands = Lands::default();
        Landmarks::default().look_at_land(&sim, &sight, &mut lands);
        (sim.body().eyes(), lands)
    }

    #[test]
    fn land_is_seen_from_afar_as_it_is_by_day_only() {
        const NOON: u32 = 6_000;
        const MIDNIGHT: u32 = 18_000;
        let (grid, _) = village();
        let generator = grid.generator().unwrap();
        let (eyes, lands) = lands_seen_at(NOON);
        let here = visited::patch_of(eyes.block());
        let reach = RANGE / visited::PATCH + 2;
        let around = (-reach..=reach).flat_map(|x| (-reach..=reach).map(move |z| (x, z)));
        let seen = around.filter_map(|(x, z)| {
            let patch = (here.0 + x, here.1 + z);
            Some((x, z, patch, lands.get(patch)?))
        });
        let seen: Vec<_> = seen.collect();
        assert!(seen.len() > 20, "{} patches", seen.len());
        for (x, z, patch, biome) in seen {
            assert!(x * x + z * z <= (reach - 2).pow(2), "too far: {x} {z}");
            let (x, z) = visited::middle(patch);
            let near = [(x, z), ((x | 8) & !7, (z | 8) & !7)];
            let is_here = patch == here;
            assert!(
                is_here || near.iter().any(|(x, z)| generator.biome(*x, *z) == biome),
                "{biome:?} at {x} {z}"
            );
        }
        let (_, dark) = lands_seen_at(MIDNIGHT);
        let far = (1..reach).filter(|x| dark.get((here.0 + x, here.1)).is_some());
        assert_eq!(far.count(), 0, "at night one sees no land far off");
    }
}
