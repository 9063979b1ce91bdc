//! Gaze: where the head of a player points, and what its eyes make out there.
//!
//! A scout sees all around at any light; a player sees what is before the eyes, and in the dark only what is
//! near or lit. Invariant: it only takes away: what it lets through, a scout would have seen too.

use super::body::turn;
use super::grid::Grid;
use super::nature::natures;
use super::stretch::reaches;
use super::time;
use crate::block::BlockId;
use crate::space::{Point, Pos};
use std::sync::LazyLock;

/// Half of what the screen shows, in degrees: the game's field of view of 70 on a wide screen.
const HALF_WIDE: f32 = 52.0;
const HALF_HIGH: f32 = 35.0;
/// What the screen shows, seen from above.
const SCREEN: Sector = Sector {
    half: HALF_WIDE,
    within: 0.629_320_4,
    beyond: 0.601_815_0,
};
/// The ground near the feet is known from glances on the way, in front of the body.
const FRONT: Sector = Sector {
    half: 90.0,
    within: 0.017_452_4,
    beyond: -0.017_452_4,
};
/// Degrees that the head turns in a tick while it looks around: a whole turn takes half a second.
const TURN: f32 = 36.0;
/// Where it looks meanwhile: a little down, as the ground is more telling than the sky.
const PITCH_AROUND: f32 = 10.0;
/// What is nearer than this is made out in any light.
pub(super) const NEAR: f64 = 6.0;
/// The least light by which something farther off is made out; moonlight is 4.
pub(super) const LIGHT_LEAST: u8 = 3;
// `Sight` relies on it: under the open sky everything is made out at any hour.
const _: () = assert!(LIGHT_LEAST <= time::NIGHT_LIGHT);
/// Leaves no farther than this have gaps to look through.
const GAPS: f64 = 4.0;
/// Steps and growls are heard from so near, wherever one looks.
const HEARD: f64 = 8.0;

/// A range of directions over the ground.
#[derive(Debug, Clone, Copy)]
struct Sector {
    /// Degrees to each side.
    half: f32,
    /// The cosines of one degree less and one degree more: what lies on either side of both needs no angle.
    within: f64,
    beyond: f64,
}

/// The head of a player.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gaze {
    yaw: f32,
    pitch: f32,
    /// The direction of `yaw`.
    heading: (f64, f64),
}

impl Default for Gaze {
    fn default() -> Self {
        Self::along(0.0, 0.0)
    }
}

impl Gaze {
    fn along(yaw: f32, pitch: f32) -> Self {
        let heading = turn::heading(yaw);
        Self {
            yaw,
            pitch,
            heading,
        }
    }

    /// One tick: the head goes with the view, or turns round.
    pub(crate) fn turn(&mut self, (yaw, pitch): (f32, f32), is_around: bool) {
        *self = if is_around {
            Self::along(wrapped(self.yaw + TURN), PITCH_AROUND)
        } else {
            Self::along(yaw, pitch)
        };
    }

    /// The direction for two numbers of -1 to 1, spread over what is before the eyes.
    pub(crate) fn direction(self, u: f64, v: f64) -> [f64; 3] {
        let yaw = self.yaw + u as f32 * HALF_WIDE;
        let pitch = (self.pitch + v as f32 * HALF_HIGH).clamp(-90.0, 90.0);
        let Point { x, y, z } = turn::view(yaw, pitch);
        [x, y, z]
    }

    /// Whether a place is before the eyes.
    pub(crate) fn faces(self, eyes: Point, to: Point) -> bool {
        let (x, y, z) = (to.x - eyes.x, to.y - eyes.y, to.z - eyes.z);
        self.is_in(SCREEN, x, z) && (turn::pitch_along(x, y, z) - self.pitch).abs() <= HALF_HIGH
    }

    /// Whether a cell near the feet lies in front of the body.
    pub(crate) fn faces_near(self, eyes: Point, to: Point) -> bool {
        let (x, z) = (to.x - eyes.x, to.z - eyes.z);
        x.abs().max(z.abs()) < 1.0 || self.is_in(FRONT, x, z)
    }

    fn is_in(self, sector: Sector, x: f64, z: f64) -> bool {
        let ahead = self.heading.0 * x + self.heading.1 * z;
        let far = (x * x + z * z).sqrt();
        if ahead > sector.within * far {
            return true;
        }
        ahead >= sector.beyond * far
            && wrapped(turn::yaw_along(x, z) - self.yaw).abs() <= sector.half
    }

    /// Whether something alive is noticed, given that nothing opaque is between.
    pub(crate) fn notices(self, grid: &Grid, eyes: Point, at: Point, hour: u32) -> bool {
        eyes.distance(at) <= HEARD || self.sees(grid, eyes, at, hour)
    }

    /// Whether what lies there is made out, given that nothing opaque is between. Of what is near one knows without looking.
    pub(crate) fn knows(self, grid: &Grid, eyes: Point, at: Point, hour: u32) -> bool {
        eyes.distance(at) <= NEAR || self.sees(grid, eyes, at, hour)
    }

    fn sees(self, grid: &Grid, eyes: Point, at: Point, hour: u32) -> bool {
        self.faces(eyes, at)
            && is_made_out(grid, at.block(), eyes.distance(at), hour)
            && reaches(grid, eyes, at, hides)
    }
}

/// Whether what is in this open cell, or next to it, is light enough for so many blocks.
pub(crate) fn is_made_out(grid: &Grid, cell: Pos, far: f64, hour: u32) -> bool {
    far <= NEAR || time::is_light_for_eyes(grid, cell, hour, LIGHT_LEAST)
}

/// Leaves hide what is behind them; up close one sees through their gaps.
pub(crate) fn hides(block: BlockId, far: f64) -> bool {
    looks()[usize::from(block.row())].hides(far)
}

/// What a block is for eyes, as bits.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockLook(u8);

const OPAQUE: u8 = 1;
const LEAVES: u8 = 2;
const AIR: u8 = 4;
const DRAWS_EYES: u8 = 8;

impl BlockLook {
    fn of(block: BlockId) -> Self {
        let nature = natures()[usize::from(block.row())];
        let bit = |bit: u8, on: bool| if on { bit } else { 0 };
        Self(
            bit(OPAQUE, block.is_opaque())
                | bit(LEAVES, block.name().ends_with("_leaves"))
                | bit(AIR, nature.is_air())
                | bit(DRAWS_EYES, nature.is_notable() && !nature.is_lava()),
        )
    }

    #[inline]
    pub(super) fn is_opaque(self) -> bool {
        self.0 & OPAQUE != 0
    }

    #[inline]
    pub(super) fn is_air(self) -> bool {
        self.0 & AIR != 0
    }

    /// It is looked at closely, and so is what is around it.
    #[inline]
    pub(super) fn draws_eyes(self) -> bool {
        self.0 & DRAWS_EYES != 0
    }

    /// Leaves do so from afar.
    #[inline]
    pub(super) fn hides(self, far: f64) -> bool {
        self.0 & LEAVES != 0 && far > GAPS
    }
}

/// The looks of all blocks, by row.
pub(super) fn looks() -> &'static [BlockLook] {
    static TABLE: LazyLock<Vec<BlockLook>> =
        LazyLock::new(|| BlockId::all().map(BlockLook::of).collect());
    &TABLE
}

/// The same direction in -180..180.
fn wrapped(yaw: f32) -> f32 {
    (yaw + 180.0).rem_euclid(360.0) - 180.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_behind_is_seen_when_the_head_turns_round() {
        let (eyes, behind) = (Point::new(0.0, 70.0, 0.0), Point::new(0.5, 70.0, -9.0));
        let mut gaze = Gaze::default();
        gaze.turn((0.0, 0.0), false);
        assert!(!gaze.faces(eyes, behind) && gaze.faces(eyes, Point::new(3.0, 69.0, 9.0)));
        let seen = (0..10).filter(|_| {
            gaze.turn((0.0, 0.0), true);
            gaze.faces(eyes, behind)
        });
        assert_eq!(seen.count(), 3, "of ten turns of 36 degrees");
        gaze.turn((180.0, 0.0), false);
        assert!(
            gaze.faces(eyes, behind),
            "the head goes with the view again"
        );
    }

    #[test]
    fn directions_are_judged_as_their_angles_are() {
        let mut rng = crate::rng::Rng::new(11);
        let mut gaze = Gaze::default();
        for _ in 0..20_000 {
            let mut draw = |far: f64| (rng.unit() - 0.5) * far;
            gaze.turn((draw(360.0) as f32, draw(180.0) as f32), false);
            let (x, z) = (draw(90.0), draw(90.0));
            for sector in [SCREEN, FRONT] {
                let by_angle = wrapped(turn::yaw_along(x, z) - gaze.yaw).abs() <= sector.half;
                assert_eq!(gaze.is_in(sector, x, z), by_angle, "{gaze:?} {x} {z}");
            }
        }
    }

    #[test]
    fn a_torch_shows_what_lies_eleven_blocks_from_it() {
        const MIDNIGHT: u32 = 18_000;
        let mut grid = Grid::flat(60);
        let eyes = Pos::new(8, 30, 8);
        grid.ensure_around(eyes, 2);
        let is_seen =
            |grid: &Grid, x: i32| is_made_out(grid, eyes.plus(x, 0, 0), f64::from(x), MIDNIGHT);
        assert!(is_seen(&grid, 6) && !is_seen(&grid, 7), "in the dark");
        grid.set(eyes, crate::block::TORCH);
        assert!(is_seen(&grid, 11) && !is_seen(&grid, 12), "by a torch");
    }

    #[test]
    fn leaves_hide_what_is_behind_them_except_close_to_the_eyes() {
        const NOON: u32 = 6_000;
        let mut grid = Grid::flat(60);
        grid.ensure_around(Pos::default(), 2);
        let (eyes, at) = (Point::new(0.5, 62.6, 0.5), Point::new(0.5, 62.0, 14.5));
        let gaze = Gaze::default();
        let mut with_leaves_at = |z: i32| {
            grid.set(Pos::new(0, 62, z), "oak_leaves".parse().unwrap());
            let noticed = gaze.notices(&grid, eyes, at, NOON);
            grid.set(Pos::new(0, 62, z), crate::block::AIR);
            noticed
        };
        assert_eq!([3, 9, 20].map(&mut with_leaves_at), [true, false, true]);
    }

    #[test]
    fn of_what_lies_near_one_knows_without_looking() {
        const NOON: u32 = 6_000;
        let mut grid = Grid::flat(60);
        grid.ensure_around(Pos::default(), 2);
        let (eyes, gaze) = (Point::new(0.5, 62.6, 0.5), Gaze::default());
        let is_known = |z: f64| gaze.knows(&grid, eyes, Point::new(0.5, 61.0, z), NOON);
        assert_eq!([12.0, -5.0, -12.0].map(is_known), [true, true, false]);
    }

    #[test]
    fn rays_stay_before_the_eyes() {
        let mut gaze = Gaze::default();
        gaze.turn((170.0, 20.0), false);
        for (u, v) in [(-1.0, -1.0), (0.9, 0.99), (0.0, 0.0), (1.0, -1.0)] {
            let [x, y, z] = gaze.direction(u * 0.999, v * 0.999);
            assert!(
                gaze.faces(Point::default(), Point::new(x * 9.0, y * 9.0, z * 9.0)),
                "{u} {v}"
            );
        }
    }
}
