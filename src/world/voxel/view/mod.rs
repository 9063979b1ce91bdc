//! View: what an eye in the world sees, as a picture: a software ray caster without assets.
//!
//! It reads blocks and figures and changes nothing. What is not loaded is mist. Invariant: same
//! blocks, camera, hour and figures, same picture.

pub(crate) mod appearance;
mod built;
pub mod figure;
mod light;
mod march;
pub mod picture;
mod plant;
mod shape;
mod sky;
#[cfg(test)]
mod tests;
pub(crate) mod texture;
mod trace;

use super::fluids::Fluids;
use super::grid::Grid;
use super::terrain::biome::Falls;
use crate::block::BlockId;
use crate::observation::Weather;
use crate::space::Point;
use figure::Figure;
use picture::{Picture, Size};
use trace::Tracer;

/// Where one looks from and to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    pub eye: Point,
    /// Degrees clockwise from south.
    pub yaw: f32,
    /// Degrees, 90 straight down.
    pub pitch: f32,
    /// Degrees from the lower to the upper edge.
    pub fov: f32,
}

/// The field of view of the game.
pub const FOV: f32 = 70.0;
/// A wider or narrower view than this is a mistake.
const FOV_RANGE: [f32; 2] = [10.0, 130.0];
/// Blocks one can see at most.
const REACH_MAX: i32 = 256;

/// What there is to see besides blocks, and how far.
#[derive(Debug, Clone, Copy)]
pub struct ViewConditions<'a> {
    /// Time of day, 0..24000.
    pub hour: u32,
    pub weather: Weather,
    /// What comes down where the eye is, if it is under the open sky.
    pub falls: Falls,
    /// Blocks after which all is mist; no more than is loaded around the eye.
    pub reach: i32,
    pub figures: &'a [Figure],
    /// Blocks on their way down: the middle of the underside of each.
    pub falling: &'a [(Point, BlockId)],
    /// How high water and lava stand where they run; if it is not told, all are taken for sources.
    pub fluids: Option<&'a Fluids>,
}

impl ViewConditions<'_> {
    /// A day without anybody; `reach` as far as chunks are loaded around a body.
    pub const NOON: Self = Self {
        hour: 6000,
        weather: Weather::Clear,
        falls: Falls::Nothing,
        reach: 96,
        figures: &[],
        falling: &[],
        fluids: None,
    };
}

/// What a camera sees.
#[must_use]
pub fn render(grid: &Grid, camera: &Camera, size: Size, scene: &ViewConditions<'_>) -> Picture {
    let mut picture = Picture::new(size);
    let scene = ViewConditions {
        reach: scene.reach.clamp(1, REACH_MAX),
        ..*scene
    };
    if !camera.eye.is_finite() {
        return picture;
    }
    let lens = Lens::new(camera, size);
    let window = march::BlockWindow::new(grid, camera.eye.block(), scene.reach);
    let mut tracer = Tracer::new(grid, &window, camera.eye, &scene, lens.focal);
    for (y, row) in (0_u32..).zip(picture.rows_mut()) {
        for (x, pixel) in (0_u32..).zip(row) {
            *pixel = appearance::to_rgb(tracer.colour(lens.along(x, y)));
        }
    }
    picture
}

/// Directions of the pixels of a picture.
#[derive(Debug)]
struct Lens {
    forward: [f32; 3],
    right: [f32; 3],
    up: [f32; 3],
    /// Distance of the picture from the eye in pixels.
    focal: f32,
    half: [f32; 2],
}

impl Lens {
    fn new(camera: &Camera, size: Size) -> Self {
        let (yaw, pitch) = (
            camera.yaw.to_radians(),
            camera.pitch.clamp(-90.0, 90.0).to_radians(),
        );
        let (sin, cos) = yaw.sin_cos();
        let (down, level) = pitch.sin_cos();
        let fov = camera.fov.clamp(FOV_RANGE[0], FOV_RANGE[1]).to_radians();
        let half = [size.width as f32 * 0.5, size.height as f32 * 0.5];
        Self {
            forward: [-sin * level, -down, cos * level],
            right: [-cos, 0.0, -sin],
            up: [-sin * down, level, cos * down],
            focal: half[1] / (fov * 0.5).tan(),
            half,
        }
    }

    /// The direction of a pixel, of length one.
    fn along(&self, x: u32, y: u32) -> [f32; 3] {
        let right = (x as f32 + 0.5 - self.half[0]) / self.focal;
        let up = (self.half[1] - y as f32 - 0.5) / self.focal;
        let v = [0, 1, 2].map(|i| self.forward[i] + self.right[i] * right + self.up[i] * up);
        let length = v.iter().map(|c| c * c).sum::<f32>().sqrt();
        v.map(|c| c / length)
    }
}
