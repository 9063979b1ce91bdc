//! Scenes with infested stone: who breaks it, what comes out, what calls more out, and how a body copes.

use super::controls::{AimTarget, ControlOutcome, Controls};
use super::seen::Seen;
use super::sim::Simulation;
use super::world::VoxelWorld;
use crate::action::Action;
use crate::aids::SenseLevel;
use crate::block::{self as blocks, BlockId};
use crate::enchant::Enchants;
use crate::inventory::Stack;
use crate::mob::MobKind;
use crate::observation::Frame;
use crate::space::Pos;
use crate::testing::{HERE, Scene, held, land, mine, play, some, watch};

const BESIDE: Pos = Pos::new(HERE.x + 1, HERE.y + 1, HERE.z);

fn silverfish(sim: &Simulation) -> usize {
    let fish = |mob: &&super::life::mob::Mob| mob.kind == MobKind::Silverfish;
    sim.mobs().iter().filter(fish).count()
}

/// Breaks a block at the first blow; the scene after it.
fn broken(block: BlockId, tool: Option<Stack>) -> Simulation {
    let mut sim = land(&[(1, 1, 0, block.name())], tool.as_slice());
    sim.step(&Controls::default());
    let blow = Controls {
        attack: true,
        aim: Some(AimTarget::Block(BESIDE)),
        ..Controls::default()
    };
    assert_eq!(sim.step(&blow), ControlOutcome::Broke(BESIDE, block));
    sim
}

fn lying(sim: &Simulation) -> Vec<&'static str> {
    let loose = sim.dropped().iter();
    loose.map(|drop| drop.stack.item.name()).collect()
}

#[test]
fn a_silverfish_comes_out_of_what_is_broken_without_silk_touch() {
    let sim = broken(blocks::INFESTED_STONE, Some(some("iron_pickaxe", 1)));
    assert_eq!((silverfish(&sim), lying(&sim)), (1, vec![]));
    let fish = sim.mobs().iter().next().unwrap();
    assert!(fish.position.distance(BESIDE.floor()) < 0.1);
    // A tool does not wear by what breaks at once.
    assert_eq!(sim.body().slots.held().unwrap().damage, 0);

    let mut silken = some("iron_pickaxe", 1);
    silken.extra.enchants = Enchants::default().with("silk_touch".parse().unwrap(), 1);
    let sim = broken(blocks::INFESTED_STONE, Some(silken));
    assert_eq!((silverfish(&sim), lying(&sim)), (0, vec!["stone"]));
}

#[test]
fn one_in_a_low_hole_sees_the_body_and_comes_out() {
    let rock = (2..=4).flat_map(|x| (-3..=3).flat_map(move |z| (0..3).map(move |y| (x, y, z))));
    let rock: Vec<_> = rock.map(|(x, y, z)| (x, y, z, "bedrock")).collect();
    let mut sim = land(&rock, &[]);
    // Two blocks deep, so that one who looked from higher up would look into the rock.
    for x in [2, 3] {
        sim.grid_mut().set(HERE.plus(x, 0, 0), blocks::AIR);
    }
    let inside = HERE.plus(3, 0, 0).floor();
    sim.mobs_mut().add(MobKind::Silverfish, inside);
    for _ in 0..60 {
        sim.step(&Controls::default());
    }
    assert!(sim.body().vitals.health < 20.0, "it bites");
}

#[test]
fn a_blast_lets_them_out_too() {
    let mut sim = land(&[(6, 0, 0, "infested_stone")], &[]);
    sim.explode(HERE.plus(6, 1, 0).centre(), 3.0);
    assert_eq!(silverfish(&sim), 1);
}

/// Hits a silverfish in a heap of blocks: how many of its kind live two seconds later, and how many blocks are left.
fn called(heap: BlockId, damage: f32) -> (usize, usize) {
    let mut sim = land(&[], &[]);
    let places: Vec<Pos> = (0..4).map(|n| HERE.plus(8 + n, 0, 0)).collect();
    for at in &places {
        sim.grid_mut().set(*at, heap);
    }
    let from = HERE.plus(7, 0, 3).floor();
    let number = sim.mobs_mut().add(MobKind::Silverfish, from);
    sim.mobs_mut().hit(number, damage, from, 0);
    for _ in 0..40 {
        sim.step(&Controls::default());
        // Nobody fights here.
        sim.body_mut().vitals.health = 20.0;
    }
    let stands = |at: &&Pos| sim.grid().block(**at) == heap;
    (silverfish(&sim), places.iter().filter(stands).count())
}

#[test]
fn one_that_was_hit_and_lives_calls_others_out_of_their_stone() {
    let (fish, left) = called(blocks::INFESTED_STONE, 1.0);
    assert!((2..=5).contains(&fish), "{fish}");
    assert_eq!(left, 4 - (fish - 1), "each broke its own block");
    assert_eq!(called(blocks::INFESTED_STONE, 8.0), (0, 4), "the dead");
    assert_eq!(called(blocks::STONE, 1.0), (1, 4));
}

#[test]
fn infested_stone_is_remembered_as_stone() {
    let mut seen = Seen::default();
    assert!(seen.note(BESIDE, blocks::INFESTED_STONE));
    assert_eq!(seen.block(BESIDE), Some(blocks::STONE));
    assert!(!seen.note(BESIDE, blocks::STONE), "no news");
    assert_eq!(seen.take_fresh(), [(BESIDE, blocks::STONE)]);
}

#[test]
fn a_miner_takes_infested_stone_for_stone_and_kills_what_comes_out() {
    // Only the last of the wall are stone.
    let blocks = |x| match x {
        0..6 => blocks::INFESTED_STONE,
        _ => blocks::STONE,
    };
    let wall = (0..9).flat_map(|x| (0..2).map(move |y| (x, y)));
    let carried = [("stone_pickaxe", 1), ("iron_sword", 1)];
    let scene = wall.fold(Scene::new(&carried), |scene, (x, y)| {
        scene.with(x - 4, y, 4, blocks(x))
    });
    let mut world = scene.world();
    let (frames, report) = watch(&mut world, mine("cobblestone", 6), 10_000);
    assert_eq!(report.unwrap().failure, None);
    assert!(held(frames.last().unwrap(), "cobblestone") >= 6);
    let named = frames.iter().flat_map(|frame| &frame.seen.0);
    let infested = named.filter(|(_, block)| *block == blocks::INFESTED_STONE);
    assert_eq!(infested.count(), 0);
    let met = |frame: &Frame| frame.mobs.iter().any(|mob| mob.kind == MobKind::Silverfish);
    assert!(frames.iter().any(met), "some were let out");
    let (_, rested) = play(&mut world, Action::Wait { ticks: 200 });
    assert!(!met(&rested) && rested.health > 10.0, "{}", rested.health);
}

/// The health of a body that stands among so many silverfish for so long.
fn beset(carried: &[(&str, u32)], level: SenseLevel) -> (f32, usize) {
    let mut scene = Scene::new(carried);
    for (x, z) in [(4, 0), (-3, 3), (0, -5)] {
        scene = scene.mob(MobKind::Silverfish, x, z);
    }
    let mut world = VoxelWorld::sensed(scene.sim, 20, level);
    let (_, frame) = play(&mut world, Action::Wait { ticks: 600 });
    let left = silverfish(world.simulation_mut().unwrap());
    (frame.health, left)
}

#[test]
fn a_body_with_a_sword_kills_three_of_them() {
    for level in [SenseLevel::Scout, SenseLevel::Player] {
        let (health, left) = beset(&[("stone_sword", 1)], level);
        assert_eq!(left, 0, "{level:?}");
        assert!(health >= 12.0, "{level:?}: {health}");
    }
}
