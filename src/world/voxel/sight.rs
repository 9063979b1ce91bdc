//! Sight: rays from the eyes into the land fill the memory of what was seen.
//!
//! The fan is a fixed low-discrepancy sequence, so successive scans cover what earlier ones left
//! out; head turns are free glances. It decides nothing. Invariant: a cell is noted only if a ray
//! from the eyes reached it or the body touches it; rays end at opaque blocks.

use super::body::turn;
use super::gaze::{self, Gaze};
use super::gloom::{Gloom, SectionLight};
use super::grid::Grid;
use super::ray::Ray;
use super::seen::Seen;
use super::sim::Simulation;
use super::stretch::{Stretch, reaches};
use super::time;
use crate::aids::SenseLevel;
use crate::space::{Facing, Point, Pos};
use std::collections::VecDeque;

/// How far one sees by day in the open: what a player makes out without a spyglass.
const RANGE_OPEN: f64 = 48.0;
/// How far one sees in caves and at night.
const RANGE_DARK: f64 = 24.0;
/// Rays for each block the eyes move, in the open and under a roof, where all there is to see is near.
const RAYS_PER_MOVE: u32 = 20;
const RAYS_PER_MOVE_INSIDE: u32 = 40;
/// Of each move besides, to the ground ahead: whoever walks looks where the feet will be.
const RAYS_TO_GROUND: u32 = 16;
/// Degrees to each side of the way, blocks ahead of the eyes, and how far below them one stands.
const GROUND_WIDE: f32 = 60.0;
const GROUND_NEAR: f64 = 2.5;
const GROUND_FAR: f64 = 12.5;
const GROUND_BELOW: f64 = 1.82;
/// Where the land falls away such a ray goes on for so many blocks.
const GROUND_SEEN: f64 = 32.0;
/// Rays after the body appears somewhere: one long look around.
const RAYS_AT_START: u32 = 3_000;
/// Rays of a look all around: about one for each block of a sphere nine blocks off.
const RAYS_AROUND: u32 = 1_000;
/// Rays after a block near the body vanished: what lies behind is looked into.
const RAYS_PER_OPENING: u32 = 12;
/// Who looks down at an edge sees the floor so deep below the eyes.
const PIT: i32 = 14;
/// Rays that may wait; more than this and old intentions are dropped.
const RAYS_OWED_MAX: u32 = 3_000;
/// Rays in one tick: a look all around takes ten.
const RAYS_PER_TICK_MAX: u32 = 100;
/// Cells of water or leaves a ray passes before it tells nothing more.
/// Leaves and water are seen through, but not without end.
const HAZE_MAX: u32 = 4;
/// Cells around a notable block to be looked at closely; whole trees and veins become known.
/// More would be forgotten, not put off: a full list drops new glances.
const GLANCES_MAX: usize = 128;
/// From the middle of a cell to just behind one of its faces, in blocks.
const FACE: f64 = 0.55;
/// Glances in one tick.
const GLANCES_PER_TICK_MAX: usize = 8;

/// The wood of a tree is no higher above the ground.
const TREE_MAX: i32 = 32;
/// Changes before the eyes are noticed after this many ticks.
const NOTICE_EVERY: u64 = 2;
/// A body that stands still notices what slides or flows against it this often.
/// Ticks. Blocks against the body are known by touch, so this needs no ray.
const FEEL_EVERY: u64 = 4;

/// The land at this hour, and where in it the eyes are: all rays of a tick begin there.
#[derive(Clone, Copy)]
struct Viewpoint<'a> {
    grid: &'a Grid,
    hour: u32,
    eye: Point,
    /// Their section, and where it is remembered.
    start: Stretch<'a>,
    known: Option<u32>,
}

/// The state of looking around.
#[derive(Debug, Clone)]
pub(crate) struct Sight {
    /// Rays cast since the reset; picks the next directions.
    /// It only goes up: the sequence covers all directions evenly only if none is left out.
    cast: u64,
    /// The same for those to the ground ahead.
    trodden: u64,
    /// Rays that are still to be cast; spread over ticks.
    owed: u32,
    /// Those of them that belong to a look all around, in which a player's head turns.
    around: u32,
    eye: Option<Pos>,
    /// The ground near the feet is to be looked at once more.
    looks_at_feet: bool,
    looks_down: bool,
    /// Changes of the land when it was last looked at.
    edits: u64,
    /// Cells, and the points of them that are looked at.
    glances: VecDeque<(Pos, Point)>,
    /// True when the last look straight up met the sky.
    pub(crate) sky: bool,
    /// Where a player looks; a scout has eyes everywhere.
    gaze: Option<Gaze>,
    gloom: Gloom,
}

impl Sight {
    pub(crate) fn new(level: SenseLevel) -> Self {
        Self {
            gaze: (level == SenseLevel::Player).then(Gaze::default),
            cast: 0,
            trodden: 0,
            owed: RAYS_AT_START,
            around: RAYS_AT_START,
            eye: None,
            looks_at_feet: false,
            looks_down: false,
            edits: 0,
            glances: VecDeque::new(),
            sky: true,
            gloom: Gloom::default(),
        }
    }

    /// Looks around for one tick.
    pub(crate) fn look(&mut self, sim: &Simulation, seen: &mut Seen) {
        let (grid, eye, hour) = (sim.grid(), sim.body().eyes(), sim.time_of_day());
        let at = eye.block();
        self.gloom.refresh(grid);
        if let Some(gaze) = &mut self.gaze {
            gaze.turn((sim.body().yaw, sim.body().pitch), self.around > 0);
        }
        let viewpoint = Viewpoint {
            grid,
            hour,
            eye,
            start: Stretch::around(grid, at),
            known: seen.section_index(at),
        };
        // Only a new cell of the eyes earns rays; turning the head does not, because
        // looking in all directions is free.
        if std::mem::take(&mut self.looks_at_feet) {
            self.look_near(viewpoint, seen, false);
        }
        if std::mem::take(&mut self.looks_down) {
            self.look_down(viewpoint, seen);
        }
        if self.eye != Some(at) {
            self.eye = Some(at);
            self.sky = has_sky(grid, at);
            self.owe(if self.sky {
                RAYS_PER_MOVE
            } else {
                RAYS_PER_MOVE_INSIDE
            });
            feel(grid, at, seen);
            self.look_near(viewpoint, seen, false);
            self.look_ahead(viewpoint, sim.body().yaw, seen);
        } else if sim.tick().is_multiple_of(FEEL_EVERY) {
            feel(grid, at, seen);
        }
        if grid.edits() != self.edits && sim.tick().is_multiple_of(NOTICE_EVERY) {
            // Something fell or flowed: what of it happened before the eyes is noticed.
            self.edits = grid.edits();
            self.look_near(viewpoint, seen, true);
        }
        let range = range(sim, self.sky);
        for _ in 0..self.owed.min(RAYS_PER_TICK_MAX) {
            self.owed -= 1;
            self.around = self.around.saturating_sub(1);
            let direction = match self.gaze {
                None => direction(self.cast, self.sky),
                Some(gaze) => {
                    let (u, v) = spread(self.cast as f64);
                    gaze.direction(u, v)
                }
            };
            self.cast += 1;
            self.trace(viewpoint, Ray::new(eye, direction), range, seen);
        }
        for _ in 0..GLANCES_PER_TICK_MAX {
            let Some((target, point)) = self.glances.pop_front() else {
                break;
            };
            // A glance that a ray has answered meanwhile is dropped.
            let is_before = self.gaze.is_none_or(|gaze| gaze.faces(eye, point));
            if is_before && seen.block(target).is_none() {
                let ray = Ray::towards(eye, point);
                self.trace(viewpoint, ray, range, seen);
            }
        }
    }

    /// A look all around is being taken.
    pub(crate) fn is_looking_around(&self) -> bool {
        self.around > 0
    }

    /// The head of a player turns round.
    pub(crate) fn is_turning(&self) -> bool {
        self.gaze.is_some() && self.around > 0
    }

    /// Whether a place is before the eyes.
    pub(crate) fn faces(&self, eyes: Point, to: Point) -> bool {
        self.gaze.is_none_or(|gaze| gaze.faces(eyes, to))
    }

    /// Whether something alive is noticed, given that it is within range and nothing opaque is between.
    pub(crate) fn notices(&self, sim: &Simulation, eyes: Point, at: Point) -> bool {
        let hour = sim.time_of_day();
        self.gaze
            .is_none_or(|gaze| gaze.notices(sim.grid(), eyes, at, hour))
    }

    /// Whether what lies there is known of, given that it is within range and nothing opaque is between.
    pub(crate) fn knows(&self, sim: &Simulation, eyes: Point, at: Point) -> bool {
        let hour = sim.time_of_day();
        self.gaze
            .is_none_or(|gaze| gaze.knows(sim.grid(), eyes, at, hour))
    }

    /// A block near the body was broken or put down: look at it and at what it uncovers.
    pub(crate) fn changed(&mut self, grid: &Grid, eye: Point, at: Pos, seen: &mut Seen) {
        seen.note(at, grid.block(at));
        // A lid over the head, or its going, is noticed at once.
        self.sky = has_sky(grid, eye.block());
        for facing in Facing::ALL {
            // At the face that shows in the opening: a cell's middle lies behind its neighbours' corners.
            let [x, y, z] = facing.step().map(|step| f64::from(step) * FACE);
            self.glance(at.side(facing), at.centre().plus(x, y, z));
        }
        feel(grid, eye.block(), seen);
        self.owe(RAYS_PER_OPENING);
    }

    /// Wants one more look all around.
    pub(crate) fn look_around(&mut self) {
        self.owe(RAYS_AROUND);
        self.around = self.owed;
    }

    /// Wants one more look at the ground near the feet, from where the eyes are in their cell.
    pub(crate) fn look_at_feet(&mut self) {
        self.looks_at_feet = true;
    }

    /// Wants one more look there and below.
    pub(crate) fn look_straight_down(&mut self) {
        (self.looks_at_feet, self.looks_down) = (true, true);
    }

    /// Turns no further: what was looked for is in sight.
    pub(crate) fn stay(&mut self) {
        self.around = 0;
    }

    fn owe(&mut self, rays: u32) {
        self.owed = (self.owed + rays).min(RAYS_OWED_MAX);
    }

    fn glance(&mut self, at: Pos, point: Point) {
        if self.glances.len() < GLANCES_MAX {
            self.glances.push_back((at, point));
        }
    }

    /// The next steps of the feet: floor and walls two blocks around.
    fn look_near(&mut self, viewpoint: Viewpoint<'_>, seen: &mut Seen, again: bool) {
        let eye = viewpoint.eye;
        let at = eye.block();
        // Five by five columns, from one below the feet to one above the head.
        for (dx, dz) in (-2..=2).flat_map(|x| (-2..=2).map(move |z| (x, z))) {
            for dy in [-3, -2, -1, 0, 1] {
                let target = at.plus(dx, dy, dz);
                let is_before = |gaze: Gaze| gaze.faces_near(eye, target.centre());
                if (again || seen.block(target).is_none()) && self.gaze.is_none_or(is_before) {
                    self.trace(viewpoint, Ray::towards(eye, target.centre()), 6.0, seen);
                }
            }
        }
    }

    /// What lies below, as far as the edge that one stands at does not hide it.
    fn look_down(&mut self, viewpoint: Viewpoint<'_>, seen: &mut Seen) {
        let eye = viewpoint.eye;
        for (dx, dz) in (-2..=2).flat_map(|x| (-2..=2).map(move |z| (x, z))) {
            let bottom = eye.block().plus(dx, -PIT, dz).centre();
            if self.gaze.is_none_or(|gaze| gaze.faces_near(eye, bottom)) {
                self.trace(viewpoint, Ray::towards(eye, bottom), f64::from(PIT), seen);
            }
        }
    }

    /// The ground that the way leads over, as far as it is about level.
    fn look_ahead(&mut self, viewpoint: Viewpoint<'_>, yaw: f32, seen: &mut Seen) {
        let eye = viewpoint.eye;
        for _ in 0..RAYS_TO_GROUND {
            self.trodden += 1;
            let (u, v) = spread(self.trodden as f64);
            let (x, z) = turn::heading(yaw + u as f32 * GROUND_WIDE);
            let far = GROUND_NEAR + (GROUND_FAR - GROUND_NEAR) * (v + 1.0) / 2.0;
            let to = eye.plus(x * far, -GROUND_BELOW, z * far);
            if self.gaze.is_none_or(|gaze| gaze.faces(eye, to)) {
                self.trace(viewpoint, Ray::towards(eye, to), GROUND_SEEN, seen);
            }
        }
    }

    /// Follows a ray through the land at this hour.
    fn trace(&mut self, viewpoint: Viewpoint<'_>, ray: Ray, range: f64, seen: &mut Seen) {
        // A scout's rays ask for no light: each body has a loop of its own.
        if self.gaze.is_some() {
            self.follow::<true>(viewpoint, ray, range, seen);
        } else {
            self.follow::<false>(viewpoint, ray, range, seen);
        }
    }

    fn follow<const IS_PLAYER: bool>(
        &mut self,
        viewpoint: Viewpoint<'_>,
        mut ray: Ray,
        range: f64,
        seen: &mut Seen,
    ) {
        let looks = gaze::looks();
        let mut haze = 0;
        let (grid, hour) = (viewpoint.grid, viewpoint.hour);
        let (mut here, mut known) = (viewpoint.start, viewpoint.known);
        // What stands in the dark is told by the open cell before it.
        let mut open = None;
        loop {
            let (at, distance) = ray.pass();
            if distance > range || haze > HAZE_MAX {
                return;
            }
            if !here.holds(at) {
                here = Stretch::around(grid, at);
                known = seen.section_index(at);
            }
            let Some(block) = here.block(at) else {
                return;
            };
            let look = looks[usize::from(block.row())];
            if look.is_air() || open.is_none() {
                open = Some(at);
            }
            // What is known already need not be made out again.
            if !seen.remembers(known, at, block) {
                let is_near = !IS_PLAYER || distance <= gaze::NEAR;
                let lit_at = open.unwrap_or(at);
                let is_made_out = is_near || self.makes_out(&mut here, (grid, hour), lit_at);
                if is_made_out && seen.note(at, block) {
                    known = seen.section_index(at);
                    // Lava is noted but not looked at closely: pools of it would fill the list.
                    if look.draws_eyes() {
                        self.look_closely(at);
                    }
                }
            }
            if look.is_opaque() || IS_PLAYER && look.hides(distance) {
                return;
            }
            haze += u32::from(!look.is_air());
        }
    }

    /// Whether what is in an open cell far off is light enough.
    fn makes_out(&mut self, here: &mut Stretch<'_>, (grid, hour): (&Grid, u32), cell: Pos) -> bool {
        let light = if here.holds(cell) {
            *here
                .light
                .get_or_insert_with(|| self.gloom.around(grid, cell))
        } else {
            self.gloom.around(grid, cell)
        };
        match light {
            SectionLight::Dark => false,
            // Moonlight is enough.
            SectionLight::Open => true,
            SectionLight::Mixed => {
                time::is_light_from_sky(grid, cell, hour, gaze::LIGHT_LEAST)
                    || self.gloom.is_lit(grid, cell)
            }
        }
    }

    /// All neighbours, edges and corners included: veins and branches touch by corners.
    fn look_closely(&mut self, at: Pos) {
        for dy in [-1, 0, 1] {
            for (dx, dz) in (-1..=1).flat_map(|x| (-1..=1).map(move |z| (x, z))) {
                if (dx, dy, dz) != (0, 0, 0) {
                    let cell = at.plus(dx, dy, dz);
                    self.glance(cell, cell.centre());
                }
            }
        }
    }
}

/// The sky is overhead, or only a tree is: whoever stands under a branch is not underground.
fn has_sky(grid: &Grid, at: Pos) -> bool {
    for up in 0..TREE_MAX {
        let cell = at.plus(0, up, 0);
        if grid.sky_lit(cell) {
            return true;
        }
        let block = grid.block(cell);
        if block.is_opaque() && !block.name().ends_with("_log") {
            return false;
        }
    }
    false
}

/// Blocks that touch the body are known without light or sight.
fn feel(grid: &Grid, eye: Pos, seen: &mut Seen) {
    for part in [eye, eye.down()] {
        seen.note(part, grid.block(part));
        for facing in Facing::ALL {
            let p = part.side(facing);
            seen.note(p, grid.block(p));
        }
    }
}

/// How far one sees here and now.
pub(crate) fn range(sim: &Simulation, sky: bool) -> f64 {
    if sky && time::is_day(sim.time_of_day()) {
        RANGE_OPEN
    } else {
        RANGE_DARK
    }
}

/// True if nothing opaque lies between the eyes and a point.
pub(crate) fn is_in_sight(grid: &Grid, eye: Point, target: Point) -> bool {
    reaches(grid, eye, target, |block, _| block.is_opaque())
}

/// Two numbers of -1 to 1 for each of a row, evenly spread: the R2 sequence (plastic number).
fn spread(n: f64) -> (f64, f64) {
    const A1: f64 = 0.754_877_666_246_692_8;
    const A2: f64 = 0.569_840_290_998_053_3;
    let of = |a: f64| 2.0 * (n * a).fract() - 1.0;
    (of(A1), of(A2))
}

/// The ray's direction: on a cube around the head, by the sequence above.
///
/// On the surface most rays go near the horizon, where the far things are; below ground the
/// fan is even in all directions.
fn direction(cast: u64, is_open: bool) -> [f64; 3] {
    // Four sides take turns, so the sequence advances once per four rays.
    let (u, v) = spread((cast >> 2) as f64);
    let slope = match (is_open, cast % 16 < 8) {
        // v·|v| crowds the rays around the horizon.
        (true, true) => 0.12 + 0.25 * v * v.abs(),
        // The second half leans down, to the ground near the feet.
        (true, false) => -0.18 + 0.75 * v * v.abs(),
        (false, _) => v,
    };
    let side = [
        [1.0, slope, u],
        [-1.0, slope, u],
        [u, slope, 1.0],
        [u, slope, -1.0],
    ];
    // Now and then straight up and down, which the four sides leave out.
    match cast % 32 {
        30 => [u, 1.0, v],
        31 => [u, -1.0, v],
        _ => side[(cast & 3) as usize],
    }
}
