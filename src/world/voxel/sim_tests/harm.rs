//! Harm: falls, lava, water, hunger, and what mends them.

use super::super::body::blow::blow_ticks;
use super::super::body::turn::look_at;
use super::super::controls::{AimTarget, ControlOutcome, Controls, HandAction};
use super::super::grid::Grid;
use super::super::sim::Simulation;
use super::{HERE, TOP, action, dig, held, idle, item, scene};
use crate::block::{self as blocks, BlockId};
use crate::mob::MobKind;
use crate::testing::block;

#[track_caller]
fn check_fall(blocks: i32, health: f32) {
    let mut sim = Simulation::with_grid(Grid::flat(TOP), HERE.plus(0, blocks, 0).floor());
    // Too hungry to heal at once.
    sim.body_mut().vitals.hunger = 10;
    idle(&mut sim, 60);
    assert_eq!(sim.body().vitals.health, health, "after {blocks} blocks");
}

#[test]
fn a_fall_hurts_for_every_block_beyond_three() {
    check_fall(3, 20.0);
    check_fall(4, 19.0);
    check_fall(10, 13.0);
    check_fall(23, 0.0);
}

#[test]
fn the_dead_do_nothing() {
    let mut sim = Simulation::with_grid(Grid::flat(TOP), HERE.plus(0, 30, 0).floor());
    idle(&mut sim, 100);
    let sum = sim.checksum();
    assert_eq!(sim.body().death.map(|cause| cause.name()), Some("fall"));
    assert_eq!(
        sim.step(&Controls {
            forward: 1,
            ..Controls::default()
        }),
        ControlOutcome::Refused("the body is dead")
    );
    assert_eq!(sim.checksum(), sum);
}

#[track_caller]
fn check_death(block: BlockId, cause: &str, ticks: std::ops::Range<u64>) {
    let mut sim = scene();
    for y in 0..4 {
        for (x, z) in [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1)] {
            let fill = if (x, z) == (0, 0) {
                block
            } else {
                blocks::STONE
            };
            sim.grid_mut().set(HERE.plus(x, y, z), fill);
        }
    }
    idle(&mut sim, 2_000);
    assert_eq!(sim.body().death.map(|cause| cause.name()), Some(cause));
    assert!(ticks.contains(&sim.tick()), "{}", sim.tick());
}

#[test]
fn lava_water_and_stone_kill_in_their_ways() {
    check_death(blocks::LAVA, "lava", 40..60);
    // 320 ticks of breath, then ten gasps of 20, and some healing in between.
    check_death(blocks::WATER, "drowning", 490..600);
    check_death(blocks::STONE, "suffocation", 190..330);
}

#[test]
fn the_fed_heal_and_the_starved_do_not_die() {
    let mut sim = scene();
    sim.body_mut().vitals.health = 10.0;
    (
        sim.body_mut().vitals.hunger,
        sim.body_mut().vitals.saturation,
    ) = (18, 0.0);
    idle(&mut sim, 80);
    assert_eq!(sim.body().vitals.health, 11.0);
    sim.body_mut().vitals.hunger = 0;
    idle(&mut sim, 2_000);
    assert_eq!((sim.body().vitals.health, sim.body().alive()), (1.0, true));
}

#[test]
fn eating_takes_32_ticks_and_feeds() {
    let mut sim = scene();
    sim.give(item("bread"), 1);
    assert_eq!(
        action(&mut sim, HandAction::Eat),
        ControlOutcome::Refused("not hungry")
    );
    sim.body_mut().vitals.hunger = 10;
    for _ in 0..31 {
        assert_eq!(action(&mut sim, HandAction::Eat), ControlOutcome::Working);
    }
    assert_eq!(
        action(&mut sim, HandAction::Eat),
        ControlOutcome::Ate(item("bread"))
    );
    assert_eq!((sim.body().vitals.hunger, held(&sim, "bread")), (15, 0));
}

#[test]
fn a_cow_dies_of_blows_and_leaves_beef() {
    let mut sim = scene();
    let cow = sim.mobs_mut().add(MobKind::Cow, HERE.plus(2, 0, 0).floor());
    let mut landed = 0;
    for _ in 0..2_000 {
        let Some(mob) = sim.mobs().get(cow) else {
            break;
        };
        let (yaw, pitch) = look_at(sim.body().eyes(), mob.position);
        let ready = sim.body().hands.since_blow >= blow_ticks(None);
        let aim = Some(AimTarget::Mob(cow));
        let keys = Controls {
            forward: 1,
            yaw,
            pitch,
            attack: ready,
            aim,
            ..Controls::default()
        };
        landed += u32::from(sim.step(&keys) == ControlOutcome::Struck(cow));
    }
    assert_eq!((landed, sim.mobs().get(cow)), (10, None));
    idle(&mut sim, 1);
    assert!(
        held(&sim, "beef") > 0
            || sim
                .dropped()
                .iter()
                .any(|drop| drop.stack.item == item("beef"))
    );
}

#[test]
fn a_blow_goes_over_what_is_flat_and_not_through_what_is_not() {
    let blow = |between: &str| {
        let mut sim = scene();
        sim.grid_mut().set(HERE.plus(1, 0, 0), block(between));
        let slime = sim.mobs_mut().add_slime(1, HERE.plus(2, 0, 0).floor());
        sim.step(&Controls {
            attack: true,
            aim: Some(AimTarget::Mob(slime)),
            ..Controls::default()
        })
    };
    for flat in ["lily_pad", "white_carpet", "oak_slab", "grass"] {
        assert!(matches!(blow(flat), ControlOutcome::Struck(_)), "{flat}");
    }
    for wall in ["stone", "oak_fence"] {
        let refused = ControlOutcome::Refused("out of reach or out of sight");
        assert_eq!(blow(wall), refused, "{wall}");
    }
}

#[test]
fn a_zombie_kills_who_stands_still_at_night() {
    let mut sim = scene();
    sim.tick = 14_000;
    sim.mobs_mut()
        .add(MobKind::Zombie, HERE.plus(6, 0, 0).floor());
    idle(&mut sim, 2_000);
    assert_eq!(sim.body().death.map(|cause| cause.name()), Some("zombie"));
}

#[test]
fn sand_whose_floor_is_dug_away_falls() {
    let mut sim = scene();
    let floor = HERE.plus(2, 0, 0);
    sim.grid_mut().set(floor, blocks::DIRT);
    sim.grid_mut().set(floor.up(), blocks::SAND);
    dig(&mut sim, floor).unwrap();
    idle(&mut sim, 10);
    assert_eq!(sim.grid().block(floor), blocks::SAND);
}
