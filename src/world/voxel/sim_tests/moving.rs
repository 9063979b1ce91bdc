//! Moving: speeds, jumps, swimming, climbing.

use super::super::controls::{Controls, HandAction};
use super::super::grid::Grid;
use super::super::sim::Simulation;
use super::{HERE, hold, item, scene};
use crate::block as blocks;
use crate::space::Facing;

#[track_caller]
fn check_speed(controls: &Controls, blocks_per_second: f64) {
    let mut sim = scene();
    hold(&mut sim, controls, 40);
    let from = sim.body().at;
    hold(&mut sim, controls, 100);
    let speed = sim.body().at.distance_flat(from) / 5.0;
    assert!((speed - blocks_per_second).abs() < 0.01, "{speed}");
}

#[test]
fn the_body_walks_sprints_and_sneaks_as_fast_as_in_the_game() {
    let walk = Controls {
        forward: 1,
        ..Controls::default()
    };
    check_speed(&walk, 4.317);
    check_speed(
        &Controls {
            yaw: 37.0,
            ..walk.clone()
        },
        4.317,
    );
    check_speed(
        &Controls {
            sprint: true,
            ..walk.clone()
        },
        5.612,
    );
    check_speed(
        &Controls {
            sneak: true,
            ..walk
        },
        1.295,
    );
}

#[track_caller]
fn check_wall(high: i32, jump: bool, gets_over: bool) {
    let mut sim = scene();
    for y in 0..high {
        for x in -3..3 {
            sim.grid_mut().set(HERE.plus(x, y, 3), blocks::STONE);
        }
    }
    hold(
        &mut sim,
        &Controls {
            forward: 1,
            jump,
            ..Controls::default()
        },
        60,
    );
    assert_eq!(
        sim.body().at.z > f64::from(HERE.z) + 4.0,
        gets_over,
        "{}",
        sim.body().at.z
    );
}

#[test]
fn a_jump_clears_one_block_and_not_two() {
    check_wall(1, false, false);
    check_wall(1, true, true);
    check_wall(2, true, false);
}

#[test]
fn one_walks_from_a_path_through_a_door_that_is_no_higher_than_the_head() {
    let mut sim = scene();
    let (path, sill) = (HERE.plus(0, -1, 1), HERE.plus(0, -1, 2));
    sim.grid_mut().set(path, blocks::GRASS_PATH);
    sim.grid_mut().set(sill.plus(0, 3, 0), blocks::STONE);
    let keys = Controls {
        forward: 1,
        ..Controls::default()
    };
    for _ in 0..20 {
        sim.step(&keys);
    }
    let at = sim.body().at;
    assert!(at.z > f64::from(sill.z) + 0.5, "{at:?}");
}

#[test]
fn slabs_are_climbed_without_a_jump() {
    let mut sim = scene();
    sim.grid_mut()
        .set(HERE.plus(0, 0, 2), "oak_slab".parse().unwrap());
    hold(
        &mut sim,
        &Controls {
            forward: 1,
            ..Controls::default()
        },
        10,
    );
    assert_eq!(sim.body().at.y, f64::from(HERE.y) + 0.5);
}

#[test]
fn jumping_and_placing_below_builds_a_pillar() {
    let mut sim = scene();
    sim.give(item("dirt"), 64);
    for _ in 0..100 {
        let below = sim.body().feet().down();
        let place = HandAction::Place {
            against: below,
            side: Facing::Up,
        };
        sim.step(&Controls {
            jump: true,
            action: Some(place.clone()),
            ..Controls::default()
        });
        let under = sim.body().feet().plus(0, -2, 0);
        if sim.grid().block(below) == blocks::AIR {
            sim.step(&Controls {
                jump: true,
                action: Some(HandAction::Place {
                    against: under,
                    side: Facing::Up,
                }),
                ..Controls::default()
            });
        }
    }
    assert!(
        sim.body().at.y > f64::from(HERE.y) + 5.0,
        "{}",
        sim.body().at.y
    );
}

#[test]
fn a_swimmer_comes_up_and_breathes() {
    let mut sim = scene();
    for (x, y, z) in (0..25).flat_map(|i| (0..6).map(move |y| (i % 5 - 2, y, i / 5 - 2))) {
        sim.grid_mut().set(HERE.plus(x, y, z), blocks::WATER);
    }
    hold(
        &mut sim,
        &Controls {
            jump: true,
            ..Controls::default()
        },
        100,
    );
    assert!(sim.body().at.y > f64::from(HERE.y) + 4.0 && !sim.body().touching.eyes_in_water);
    assert_eq!(sim.body().vitals.air, 300);
}

#[test]
fn a_ladder_is_climbed() {
    let mut sim = scene();
    for y in 0..6 {
        sim.grid_mut().set(HERE.plus(0, y, 1), blocks::STONE);
        sim.grid_mut().set(HERE.plus(0, y, 0), blocks::LADDER);
    }
    for z in 2..20 {
        sim.grid_mut().set(HERE.plus(0, 5, z), blocks::STONE);
    }
    hold(
        &mut sim,
        &Controls {
            forward: 1,
            ..Controls::default()
        },
        80,
    );
    assert_eq!(sim.body().at.y, f64::from(HERE.y) + 6.0);
}

#[test]
fn a_sneaking_body_stays_on_its_block() {
    let mut sim = Simulation::with_grid(Grid::empty(), HERE.floor());
    sim.grid_mut().set(HERE.down(), blocks::STONE);
    hold(
        &mut sim,
        &Controls {
            forward: 1,
            sneak: true,
            ..Controls::default()
        },
        100,
    );
    assert_eq!(sim.body().at.y, f64::from(HERE.y));
}
