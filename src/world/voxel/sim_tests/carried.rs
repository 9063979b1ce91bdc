//! What the world moves: running water carries, sand comes down, experience flies to the body.

use super::super::sim::Simulation;
use super::{HERE, TOP, dig, idle, item, scene};
use crate::block as blocks;
use crate::inventory::Stack;
use crate::mob::MobKind;
use crate::space::{Point, Pos};

/// A ditch of one block's depth and width that runs east from the body, with a source at its head.
fn ditch() -> Simulation {
    let mut sim = scene();
    for along in 0..9 {
        let at = Pos::new(HERE.x + along, TOP, HERE.z);
        sim.grid_mut().set(at, blocks::AIR);
    }
    let head = Pos::new(HERE.x, TOP, HERE.z);
    sim.grid_mut().set(head, blocks::WATER);
    idle(&mut sim, 60);
    sim
}

#[test]
fn running_water_carries_the_body_animals_and_things() {
    let mut sim = ditch();
    let start = Point::new(f64::from(HERE.x) + 2.5, f64::from(TOP), HERE.centre().z);
    let pig = sim.mobs_mut().add(MobKind::Pig, start);
    sim.mobs_mut().rest(pig, 1_000);
    let apple = Stack::new(item("apple"), 1);
    // Away from the body, or it picks the apple up.
    sim.body_mut().at = start.plus(-2.0, 0.0, 0.0);
    sim.dropped
        .toss(apple, start.plus(0.5, 0.3, 0.0), Point::default());
    let body = sim.body().at.x;
    idle(&mut sim, 60);
    assert!(sim.body().at.x > body + 0.5, "{:?}", sim.body().at);
    // The pig bobs, and is in the water half of the time.
    let drifted = |x: f64| assert!(x > start.x + 0.6, "{x} from {}", start.x);
    drifted(sim.mobs().get(pig).unwrap().position.x);
    drifted(sim.dropped()[0].at.x);
}

#[test]
fn a_still_pond_carries_nothing() {
    let mut sim = scene();
    for side in 0..9 {
        let at = Pos::new(HERE.x - 1 + side % 3, TOP, HERE.z - 1 + side / 3);
        sim.grid_mut().set(at, blocks::WATER);
    }
    idle(&mut sim, 200);
    let at = sim.body().at;
    assert_eq!((at.x, at.z), (HERE.floor().x, HERE.floor().z));
}

#[test]
fn sand_that_comes_down_is_seen_on_its_way_and_buries_the_body() {
    let mut sim = scene();
    // A shaft around the body, so that it stays where it is.
    for up in 0..12 {
        for (x, z) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            sim.grid_mut().set(HERE.plus(x, up, z), blocks::STONE);
        }
    }
    sim.grid_mut().set(HERE.plus(0, 8, 0), blocks::DIRT);
    for up in 9..12 {
        sim.grid_mut().set(HERE.plus(0, up, 0), blocks::SAND);
    }
    sim.grid_mut().set(HERE.plus(0, 8, 0), blocks::AIR);
    idle(&mut sim, 8);
    let falling: Vec<f64> = sim.falling().iter().map(|one| one.at.y).collect();
    assert!(!falling.is_empty() && falling[0] < f64::from(HERE.y) + 9.0);
    assert_eq!(sim.grid().block(HERE), blocks::AIR, "still in the air");
    idle(&mut sim, 60);
    let column = [0, 1, 2].map(|up| sim.grid().block(HERE.plus(0, up, 0)));
    assert_eq!(column, [blocks::SAND; 3]);
    assert!(sim.body().vitals.health < 20.0, "it gets no air");
}

#[test]
fn what_an_ore_teaches_comes_as_orbs() {
    let mut sim = scene();
    sim.give(item("iron_pickaxe"), 1);
    let at = HERE.plus(2, 0, 0);
    sim.grid_mut().set(at, blocks::DIAMOND_ORE);
    dig(&mut sim, at).unwrap();
    let about: u32 = sim.orbs().iter().map(|orb| orb.points).sum();
    assert!((3..=7).contains(&about), "{about}");
    assert_eq!(sim.body().experience.points, 0, "not yet");
    idle(&mut sim, 60);
    assert_eq!(
        (sim.body().experience.points, sim.orbs().iter().count()),
        (about, 0)
    );
}
