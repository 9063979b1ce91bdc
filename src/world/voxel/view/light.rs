//! Light: how bright each corner of a face is, from the sky, from lamps, and from what stands near.
//!
//! An estimate from the blocks for the eye only; the rules of the game ask `time`. Invariant: a pure
//! function of the blocks and the hour; what it remembers only saves work.

use super::super::grid::Grid;
use super::appearance::{self, Tone};
use super::march::BlockWindow;
use crate::block as blocks;
use crate::space::Pos;
use rustc_hash::FxHashMap;

/// Light that comes through leaves and water.
const SHADE: f32 = 11.5;
/// Columns away at which an opening to the sky still gives light.
const OPENING_REACH: i32 = 11;
/// So that caves are not quite black on a screen.
const LEAST: f32 = 0.07;
const LAMP_TINT: Tone = [1.0, 0.86, 0.62];
/// A solid neighbour takes so much from a corner.
const CORNER_LOSS: f32 = 0.17;

/// Light at one place, each 0..=15; None inside what is opaque.
type Level = Option<(f32, f32)>;

/// A face: the place in front of it and the axis across it.
type Face = (Pos, usize);

/// Light of a picture in the making.
#[derive(Debug)]
pub(crate) struct Lights<'a> {
    grid: &'a Grid,
    window: &'a BlockWindow<'a>,
    /// Of the open sky, 0..=1.
    sky: f32,
    levels: FxHashMap<Pos, Level>,
    faces: FxHashMap<Face, [Tone; 4]>,
    last: Option<(Face, [Tone; 4])>,
    /// Per section of the window: its lamps, once they have been looked for.
    lamps: Vec<Option<Vec<(Pos, u8)>>>,
}

impl<'a> Lights<'a> {
    pub(crate) fn new(grid: &'a Grid, window: &'a BlockWindow<'a>, sky: f32) -> Self {
        let lamps = vec![None; window.len()];
        Self {
            grid,
            window,
            sky,
            levels: FxHashMap::default(),
            faces: FxHashMap::default(),
            last: None,
            lamps,
        }
    }

    /// The light on a face at a spot; `front` is the place before it, `uv` as in `shape`.
    #[inline]
    pub(crate) fn on_face(&mut self, front: Pos, axis: usize, uv: [f32; 2]) -> Tone {
        let corners = match self.last {
            Some((face, corners)) if face == (front, axis) => corners,
            _ => self.corners(front, axis),
        };
        let (a, b) = if axis == 1 {
            (uv[0], uv[1])
        } else {
            (uv[0], 1.0 - uv[1])
        };
        let low = appearance::blend(corners[0], corners[1], a);
        appearance::blend(low, appearance::blend(corners[2], corners[3], a), b)
    }

    /// The light in the middle of a place.
    pub(crate) fn at(&mut self, pos: Pos) -> Tone {
        let (sky, lamp) = self.level(pos).unwrap_or((0.0, 0.0));
        self.tone(sky, lamp)
    }

    /// Share of the sky's light that reaches a place, 0..=1.
    pub(crate) fn openness(&mut self, pos: Pos) -> f32 {
        self.level(pos).map_or(0.0, |(sky, _)| sky / 15.0)
    }

    fn corners(&mut self, front: Pos, axis: usize) -> [Tone; 4] {
        if let Some(corners) = self.faces.get(&(front, axis)).copied() {
            self.last = Some(((front, axis), corners));
            return corners;
        }
        let around = |a: i32, b: i32| match axis {
            0 => front.plus(0, b, a),
            1 => front.plus(a, 0, b),
            _ => front.plus(a, b, 0),
        };
        let mut near = [[None; 3]; 3];
        for (row, b) in near.iter_mut().zip(-1..) {
            for (level, a) in row.iter_mut().zip(-1..) {
                *level = self.level(around(a, b));
            }
        }
        let corners = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(a, b): (usize, usize)| {
            let cells = [
                near[b][a],
                near[b][a + 1],
                near[b + 1][a],
                near[b + 1][a + 1],
            ];
            self.corner(cells)
        });
        self.faces.insert((front, axis), corners);
        self.last = Some(((front, axis), corners));
        corners
    }

    /// The light where four places meet.
    fn corner(&self, cells: [Level; 4]) -> Tone {
        let (mut sky, mut lamp, mut open) = (0.0, 0.0, 0.0);
        for (s, l) in cells.into_iter().flatten() {
            (sky, lamp, open) = (sky + s, lamp + l, open + 1.0);
        }
        let share = if open > 0.0 { 1.0 / open } else { 0.0 };
        let loss = 1.0 - CORNER_LOSS * (4.0 - open);
        appearance::scaled(self.tone(sky * share, lamp * share), loss)
    }

    fn tone(&self, sky: f32, lamp: f32) -> Tone {
        let (sky, lamp) = (curve(sky) * self.sky, curve(lamp));
        LAMP_TINT.map(|tint| (lamp * tint).max(sky) * (1.0 - LEAST) + LEAST)
    }

    fn level(&mut self, pos: Pos) -> Level {
        if let Some(level) = self.levels.get(&pos) {
            return *level;
        }
        let level = (!self.window.block(pos).is_opaque()).then(|| {
            let sky = self.sky_level(pos);
            // By day lamps are not seen in the open; this spares looking for them.
            let lamp = if sky * self.sky >= 10.0 {
                0.0
            } else {
                self.lamp_level(pos)
            };
            (sky, lamp)
        });
        self.levels.insert(pos, level);
        level
    }

    fn sky_level(&self, pos: Pos) -> f32 {
        if self.grid.sky_lit(pos) {
            return if self.grid.sky_visible(pos) {
                15.0
            } else {
                SHADE
            };
        }
        let mut best = 0.0_f32;
        for (x, z) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            for away in 1..=OPENING_REACH {
                let beside = pos.plus(x * away, 0, z * away);
                if self.window.block(beside).is_opaque() {
                    break;
                }
                if self.grid.sky_lit(beside) {
                    best = best.max(14.0 - away as f32 * 1.1);
                    break;
                }
            }
        }
        best
    }

    fn lamp_level(&mut self, pos: Pos) -> f32 {
        let (x, y, z) = (pos.x >> 4, pos.y >> 4, pos.z >> 4);
        let mut best = 0.0_f32;
        for dz in -1..=1 {
            for dx in -1..=1 {
                for dy in -1..=1 {
                    if let Some(number) = self.window.number(x + dx, y + dy, z + dz) {
                        best = best.max(self.section_level(number, [x + dx, y + dy, z + dz], pos));
                    }
                }
            }
        }
        best
    }

    fn section_level(&mut self, number: usize, at: [i32; 3], pos: Pos) -> f32 {
        let lamps = match &self.lamps[number] {
            Some(lamps) => lamps,
            None => &*self.lamps[number].insert(find_lamps(self.window, number, at)),
        };
        let brightness = |&(lamp, light): &(Pos, u8)| f32::from(light) - lamp.manhattan(pos) as f32;
        lamps.iter().map(brightness).fold(0.0, f32::max)
    }
}

/// Half the levels are two fifths of the light: softer than in the game, as its brightness slider does.
fn curve(level: f32) -> f32 {
    let share = level.clamp(0.0, 15.0) / 15.0;
    share / (1.6 - 0.6 * share)
}

/// The lamps of a section; of lava only what lies at the surface, the rest is in its own light.
fn find_lamps(window: &BlockWindow<'_>, number: usize, at: [i32; 3]) -> Vec<(Pos, u8)> {
    let Some(section) = window.section(number).flatten() else {
        return Vec::new();
    };
    let looks = appearance::all();
    let mut lamps = Vec::new();
    for (i, block) in (0_i32..).zip(section) {
        if !looks[usize::from(block.row())].glows {
            continue;
        }
        let pos = Pos::new(
            at[0] * 16 + (i & 15),
            at[1] * 16 + (i >> 8),
            at[2] * 16 + ((i >> 4) & 15),
        );
        if *block != blocks::LAVA || window.block(pos.up()) == blocks::AIR {
            lamps.push((pos, block.facts().luminance));
        }
    }
    lamps
}
