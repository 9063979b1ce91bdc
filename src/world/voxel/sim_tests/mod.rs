//! Tests of the simulation as a whole: the figures of the game come out of the rules.
//!
//! Here are the scene and the short words that the tests share.

mod archers;
mod audit;
mod carried;
mod clicking;
mod fuzz;
mod harm;
mod monkey;
mod moving;
mod powers;
pub(super) mod valid;
mod wearing;
mod working;

use super::controls::{AimTarget, ControlOutcome, Controls, HandAction};
use super::grid::Grid;
use super::sim::Simulation;
use crate::item::ItemId;
use crate::space::Pos;

const TOP: i32 = 10;
const HERE: Pos = Pos::new(8, TOP + 1, 8);

/// A body on flat grass, at rest.
fn scene() -> Simulation {
    let mut sim = Simulation::with_grid(Grid::flat(TOP), HERE.floor());
    idle(&mut sim, 2);
    sim
}

fn idle(sim: &mut Simulation, ticks: u32) {
    hold(sim, &Controls::default(), ticks);
}

fn hold(sim: &mut Simulation, controls: &Controls, ticks: u32) {
    for _ in 0..ticks {
        sim.step(controls);
    }
}

fn action(sim: &mut Simulation, action: HandAction) -> ControlOutcome {
    sim.step(&Controls {
        action: Some(action),
        ..Controls::default()
    })
}

fn item(name: &str) -> ItemId {
    name.parse().unwrap()
}

fn held(sim: &Simulation, name: &str) -> u32 {
    sim.body().slots.count(item(name))
}

/// Digs until the block breaks; the ticks it took.
fn dig(sim: &mut Simulation, at: Pos) -> Result<u32, &'static str> {
    let controls = Controls {
        attack: true,
        aim: Some(AimTarget::Block(at)),
        ..Controls::default()
    };
    for tick in 1..=10_000 {
        match sim.step(&controls) {
            ControlOutcome::Broke(..) => return Ok(tick),
            ControlOutcome::Refused(because) => return Err(because),
            _ => {}
        }
    }
    Err("it never broke")
}
