//! The eye: what the body sees at this moment, as a picture for minds that take one.
//!
//! It looks and changes nothing: with or without a picture the world goes the same way.

use super::sim::Simulation;
use super::view::figure::Figure;
use super::view::picture::Size;
use super::view::{self, Camera, FOV, Scene};

/// The PNG of the first-person view; none if it could not be written.
pub(super) fn picture(sim: &Simulation) -> Option<Vec<u8>> {
    let body = sim.body();
    let figures: Vec<Figure> = sim
        .mobs()
        .iter()
        .map(|mob| Figure {
            kind: mob.kind,
            at: mob.position,
            number: mob.number,
        })
        .collect();
    let camera = Camera {
        eye: body.eyes(),
        yaw: body.yaw,
        pitch: body.pitch,
        fov: FOV,
    };
    let scene = Scene {
        hour: sim.time_of_day(),
        figures: &figures,
        ..Scene::NOON
    };
    let picture = view::render(sim.grid(), &camera, Size::MIND, &scene);
    picture.to_png().ok()
}
