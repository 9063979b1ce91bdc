//! What the body sees now, as a picture.
//!
//! It lies below the World port and the camera of filmed runs, which both take such pictures.
//! Invariant: taking a picture changes nothing in the simulation.

use super::sim::Simulation;
use super::view::figure::Figure;
use super::view::picture::{Picture, Size};
use super::view::{self, Camera, FOV, ViewConditions};

/// What the body sees now.
#[must_use]
pub fn picture_from_body(sim: &Simulation, size: Size) -> Picture {
    let body = sim.body();
    let camera = Camera {
        eye: body.eyes(),
        yaw: body.yaw,
        pitch: body.pitch,
        fov: FOV,
    };
    // All mobs: the picture itself decides who is hidden.
    let figures: Vec<Figure> = sim
        .mobs()
        .iter()
        .map(|mob| Figure {
            kind: mob.kind,
            at: mob.position,
            number: mob.number,
        })
        .collect();
    let falling: Vec<_> = sim
        .falling()
        .iter()
        .map(|one| (one.at, one.block))
        .collect();
    let scene = ViewConditions {
        hour: sim.time_of_day(),
        weather: sim.weather(),
        falls: sim.falls_here(),
        figures: &figures,
        falling: &falling,
        fluids: Some(sim.fluids()),
        ..ViewConditions::NOON
    };
    view::render(sim.grid(), &camera, size, &scene)
}
