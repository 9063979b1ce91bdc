//! Trace: the colour of one line of sight: blocks, water and glass on its way, light, and mist.
//!
//! Colours add up from the eye outwards: `sum` is what has been seen, `pass` what still comes
//! through. Invariant: a line ends at the first thing that lets nothing through.

use super::super::fluids::Fluids;
use super::super::grid::Grid;
use super::ViewConditions;
use super::appearance::{self, BlockAppearance, Pattern, Tone, blend, scaled};
use super::figure::Stand;
use super::light::Lights;
use super::march::{BlockWindow, March, MarchCell};
use super::shape::{self, Meeting, Shape};
use super::sky::Sky;
use super::texture::{self, Side, Spot};
use crate::block::{self as blocks, BlockId};
use crate::rng::hash3;
use crate::space::{Point, Pos};

/// Light lost per block of water: red goes first.
/// As in nature: deep water looks blue.
const WATER_LOSS: Tone = [0.34, 0.17, 0.11];
const WATER_TONE: Tone = [0.07, 0.20, 0.42];
/// Share of the reach from which mist thickens.
const MIST_FROM: f32 = 0.5;
/// How much ice and slime hide.
const ICE_COVER: f32 = 0.7;
/// What glass lets through.
const GLASS_PASS: f32 = 0.93;
/// Things a line passes through before it is given up.
/// A line through endless leaves must end somewhere.
const CROSSED_MAX: u32 = 96;

/// Light on faces that look along x, up or down, and along z, as in the game.
const FACE_LIGHT: [f32; 3] = [0.66, 1.0, 0.82];
/// The undersides of blocks are the darkest.
const FACE_LIGHT_BELOW: f32 = 0.52;

pub(super) struct Tracer<'a> {
    window: &'a BlockWindow<'a>,
    looks: &'static [BlockAppearance],
    lights: Lights<'a>,
    fluids: Option<&'a Fluids>,
    sky: Sky,
    stands: Vec<Stand>,
    eye: Pos,
    /// Where in its cell the eye is, 0 to 1 on each axis.
    inside: [f32; 3],
    reach: f32,
    /// Pixels per unit of angle; decides how much of a pattern is visible.
    focal: f32,
    /// How much of the mist is sky: none in a cave.
    open: f32,
    in_water: bool,
}

/// What a line has gathered.
struct Gathered {
    sum: Tone,
    pass: Tone,
    /// Where the line went into the water it is in.
    water_from: Option<f32>,
    /// The block it came through last.
    last: BlockId,
}

impl<'a> Tracer<'a> {
    pub(super) fn new(
        grid: &'a Grid,
        window: &'a BlockWindow<'a>,
        eye: Point,
        scene: &ViewConditions<'a>,
        focal: f32,
    ) -> Self {
        let at = eye.block();
        let sky = Sky::new(
            scene.hour,
            (scene.weather, scene.falls),
            [eye.x, eye.y, eye.z].map(|v| v as f32),
        );
        let mut lights = Lights::new(grid, window, sky.brightness());
        let open = lights.openness(at);
        let away = |figure: &&super::Figure| figure.at.distance(eye) < f64::from(scene.reach);
        let stands = scene
            .figures
            .iter()
            .filter(away)
            .map(|figure| Stand::new(figure, eye));
        let looks = appearance::all();
        let blocks = scene
            .falling
            .iter()
            .filter(|(at, _)| at.distance(eye) < f64::from(scene.reach))
            .map(|(at, block)| Stand::of_block(*at, looks[usize::from(block.row())].colour, eye));
        let stands = stands.chain(blocks).collect();
        let inside = [
            eye.x - f64::from(at.x),
            eye.y - f64::from(at.y),
            eye.z - f64::from(at.z),
        ];
        Self {
            window,
            looks,
            lights,
            sky,
            stands,
            eye: at,
            inside: inside.map(|v| v as f32),
            fluids: scene.fluids,
            reach: scene.reach as f32,
            focal,
            open,
            in_water: is_wet(window.block(at)),
        }
    }

    /// The colour seen along a direction of length one, through what falls.
    pub(super) fn colour(&mut self, along: [f32; 3]) -> Tone {
        let behind = self.behind(along);
        self.sky.through_what_falls(behind, along)
    }

    fn behind(&mut self, along: [f32; 3]) -> Tone {
        let mut limit = self.reach;
        let mut figure = None;
        for stand in &self.stands {
            if let Some(met) = stand.meet(along, limit) {
                limit = met.at;
                figure = Some(met);
            }
        }
        let mut seen = Gathered {
            // Premultiplied: `pass` weighs everything that comes later.
            sum: [0.0; 3],
            pass: [1.0; 3],
            water_from: self.in_water.then_some(0.0),
            last: blocks::AIR,
        };
        let mut march = March::new(self.window, self.eye, self.inside, along);
        for _ in 0..CROSSED_MAX {
            let Some(visit) = march.next(limit, seen.water_from.is_some()) else {
                break;
            };
            if let Some((tone, at)) = self.visit(&mut seen, visit, along) {
                return seen.ended(self.misted(tone, at, along));
            }
        }
        match figure {
            Some(met) => {
                self.leave_water(&mut seen, met.at);
                let point = [0, 1, 2].map(|i| self.inside[i] + along[i] * met.at);
                let [x, y, z] = point.map(|v| v.floor() as i32);
                let light = self.lights.at(self.eye.plus(x, y, z));
                let tone = lit(met.tone, light, face_light(met.axis, along));
                seen.ended(self.misted(tone, met.at, along))
            }
            None => {
                self.leave_water(&mut seen, self.reach * 0.5);
                seen.ended(self.beyond(along))
            }
        }
    }

    /// Passes a cell; the colour and distance of what ends the line there.
    #[inline]
    fn visit(
        &mut self,
        seen: &mut Gathered,
        visit: MarchCell,
        along: [f32; 3],
    ) -> Option<(Tone, f32)> {
        let look = &self.looks[usize::from(visit.block.row())];
        if look.pattern == Pattern::Water {
            self.enter_water(seen, visit, look, along);
            seen.last = visit.block;
            return None;
        }
        if seen.water_from.is_some() && !is_wet(visit.block) {
            self.leave_water(seen, visit.at);
        }
        let from = self.relative(visit.pos);
        let meetings = self.meetings(visit, look, from, along);
        for met in meetings.into_iter().flatten() {
            let front = self.front(visit, look, met, along);
            let side = side_of(met.axis, along);
            // Each block has its own pattern, the same at every look.
            let seed = hash3(0x766F, visit.pos.x, visit.pos.y, visit.pos.z) as u32;
            let [u, v] = met.uv.map(|c| ((c * 16.0) as u32).min(15));
            // Texels per pixel: at 1 each texel is seen, below that they blend.
            let detail = (self.focal / (16.0 * met.at.max(0.01))).min(1.0);
            let spot = Spot {
                side,
                u,
                v,
                seed: seed & 0xFFFF,
            };
            let Some(tone) = texture::texel(look, spot, detail) else {
                // Neighbouring panes count as one.
                if look.pattern == Pattern::Glass && seen.last != visit.block {
                    let tint = blend([1.0; 3], look.colour, 0.35);
                    seen.pass = [0, 1, 2].map(|i| seen.pass[i] * tint[i] * GLASS_PASS);
                }
                continue;
            };
            // What glows needs no light.
            let tone = if look.glows && look.pattern != Pattern::Furnace {
                tone
            } else {
                let level = if look.shape == Shape::Cross {
                    1.0
                } else {
                    face_light(met.axis, along)
                };
                lit(tone, self.lights.on_face(front, met.axis, met.uv), level)
            };
            if look.pattern != Pattern::Ice {
                return Some((tone, met.at));
            }
            if seen.last != visit.block {
                seen.cover(self.misted(tone, met.at, along), ICE_COVER);
            }
        }
        seen.last = visit.block;
        None
    }

    /// Where the line meets the block of a cell, nearest first.
    #[inline]
    fn meetings(
        &self,
        visit: MarchCell,
        look: &BlockAppearance,
        from: [f32; 3],
        along: [f32; 3],
    ) -> [Option<Meeting>; 2] {
        let whole = || Meeting {
            at: visit.at,
            axis: visit.axis,
            uv: shape::face_uv(from, along, visit.at, visit.axis),
        };
        match look.shape {
            Shape::Nothing => [None; 2],
            Shape::Cube => [Some(whole()), None],
            Shape::Boxes(boxes) => {
                // The nearest of several boxes.
                let met = boxes
                    .iter()
                    .filter_map(|cuboid| shape::meet_box(from, along, *cuboid));
                [met.min_by(|a, b| a.at.total_cmp(&b.at)), None]
            }
            Shape::Cross => shape::meet_cross(from, along),
            Shape::Hung => self.hung(visit.pos, from, along),
            Shape::Fluid if self.looks_alike(visit.pos.up(), look) => [Some(whole()), None],
            Shape::Fluid => {
                let surface = self.fluids.and_then(|fluids| fluids.surface(visit.pos));
                let top = surface.unwrap_or(shape::SURFACE);
                let met = shape::enter(from, along, [0.0; 3], [1.0, top, 1.0]);
                [
                    met.map(|(at, axis)| Meeting {
                        at,
                        axis,
                        uv: shape::face_uv(from, along, at, axis),
                    }),
                    None,
                ]
            }
        }
    }

    fn looks_alike(&self, pos: Pos, look: &BlockAppearance) -> bool {
        self.looks[usize::from(self.window.block(pos).row())].pattern == look.pattern
    }

    /// What hangs does so at the first wall there is.
    fn hung(&self, pos: Pos, from: [f32; 3], along: [f32; 3]) -> [Option<Meeting>; 2] {
        let walls = [(2, true), (2, false), (0, true), (0, false)];
        let stands = |&(axis, high): &(usize, bool)| {
            let step = if high { 1 } else { -1 };
            let beside = if axis == 0 {
                pos.plus(step, 0, 0)
            } else {
                pos.plus(0, 0, step)
            };
            self.window.block(beside).is_solid()
        };
        let (axis, high) = walls.into_iter().find(stands).unwrap_or((2, true));
        [shape::meet_hung(from, along, axis, high), None]
    }

    /// The place before the face that was met.
    #[inline]
    fn front(
        &self,
        visit: MarchCell,
        look: &BlockAppearance,
        met: Meeting,
        along: [f32; 3],
    ) -> Pos {
        // A path ends a little below the top of its cell, which lets no light in: it has the light above it.
        let is_inside = look.shape != Shape::Cube && (met.at - visit.at).abs() > 1e-3;
        if is_inside && !visit.block.is_opaque() {
            return visit.pos;
        }
        let back = |axis: usize| {
            if met.axis != axis {
                0
            } else if along[axis] > 0.0 {
                -1
            } else {
                1
            }
        };
        visit.pos.plus(back(0), back(1), back(2))
    }

    #[inline]
    fn relative(&self, pos: Pos) -> [f32; 3] {
        let off = [self.eye.x - pos.x, self.eye.y - pos.y, self.eye.z - pos.z];
        [0, 1, 2].map(|i| self.inside[i] + off[i] as f32)
    }

    fn enter_water(
        &mut self,
        seen: &mut Gathered,
        visit: MarchCell,
        look: &BlockAppearance,
        along: [f32; 3],
    ) {
        if seen.water_from.is_some() {
            return;
        }
        let from = self.relative(visit.pos);
        let Some(met) = self.meetings(visit, look, from, along)[0] else {
            return;
        };
        seen.water_from = Some(met.at);
        let level = self.lights.on_face(visit.pos.up(), 1, met.uv);
        let detail = (self.focal / (16.0 * met.at.max(0.01))).min(1.0);
        let [u, v] = met.uv.map(|c| ((c * 16.0) as u32).min(15));
        let spot = Spot {
            side: Side::Top,
            u,
            v,
            seed: (visit.pos.x ^ visit.pos.z) as u32 & 0xFF,
        };
        let ripple = texture::texel(look, spot, detail).unwrap_or(look.colour);
        // The flatter one looks on water, the more it mirrors the sky.
        let flat = 1.0 - along[1].abs();
        let mirror = if met.axis == 1 {
            0.05 + 0.55 * flat * flat * flat
        } else {
            0.05
        };
        let sky = scaled(
            self.sky.horizon(along),
            self.lights.openness(visit.pos.up()),
        );
        let surface = blend(lit(ripple, level, 0.9), sky, mirror / (mirror + 0.18));
        seen.cover(
            self.misted(surface, met.at, along),
            (mirror + 0.18).min(0.85),
        );
    }

    fn leave_water(&self, seen: &mut Gathered, at: f32) {
        let Some(from) = seen.water_from.take() else {
            return;
        };
        let length = (at - from).max(0.0);
        let light = 0.12 + 0.88 * self.sky.brightness() * self.open.max(0.4);
        for i in 0..3 {
            // Beer's law: light falls exponentially with the way through water.
            let clear = (-WATER_LOSS[i] * length).exp();
            seen.sum[i] += seen.pass[i] * (1.0 - clear) * WATER_TONE[i] * light;
            seen.pass[i] *= clear;
        }
    }

    /// What is seen where no block is.
    fn beyond(&self, along: [f32; 3]) -> Tone {
        if along[1] < 0.0 {
            return self.mist(along);
        }
        // From a cave one sees the sky through its mouth only.
        self.sky.colour(along)
    }

    fn mist(&self, along: [f32; 3]) -> Tone {
        scaled(self.sky.horizon(along), 0.04 + 0.96 * self.open)
    }

    fn misted(&self, tone: Tone, at: f32, along: [f32; 3]) -> Tone {
        let share = ((at / self.reach - MIST_FROM) / (1.0 - MIST_FROM)).clamp(0.0, 1.0);
        if share == 0.0 {
            return tone;
        }
        // Smooth at both ends, so that no ring of mist shows.
        blend(tone, self.mist(along), share * share * (3.0 - 2.0 * share))
    }
}

impl Gathered {
    fn ended(&self, tone: Tone) -> Tone {
        [0, 1, 2].map(|i| self.sum[i] + self.pass[i] * tone[i])
    }

    /// Something half transparent on the way.
    fn cover(&mut self, tone: Tone, share: f32) {
        for (i, part) in tone.into_iter().enumerate() {
            self.sum[i] += self.pass[i] * part * share;
            self.pass[i] *= 1.0 - share;
        }
    }
}

/// Plants that grow in water and are full of it.
fn is_wet(block: BlockId) -> bool {
    matches!(block, blocks::WATER | blocks::SEAGRASS | blocks::KELP)
        || (block != blocks::AIR
            && matches!(
                block.name(),
                "tall_seagrass" | "kelp_plant" | "bubble_column"
            ))
}

fn lit(tone: Tone, light: Tone, level: f32) -> Tone {
    [0, 1, 2].map(|i| tone[i] * light[i] * level)
}

fn face_light(axis: usize, along: [f32; 3]) -> f32 {
    if axis == 1 && along[1] > 0.0 {
        FACE_LIGHT_BELOW
    } else {
        FACE_LIGHT[axis]
    }
}

fn side_of(axis: usize, along: [f32; 3]) -> Side {
    match axis {
        1 if along[1] > 0.0 => Side::Bottom,
        1 => Side::Top,
        _ => Side::Wall,
    }
}
