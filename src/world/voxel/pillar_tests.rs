//! Scenes on pillars: what comes on foot is struck from above, and nobody climbs before an archer.

use crate::action::Action;
use crate::mob::MobKind;
use crate::observation::Frame;
use crate::testing::{HERE, Scene, held, kill, watch};

fn highest(frames: &[Frame]) -> i32 {
    let heights = frames.iter().map(|frame| frame.position.block().y);
    heights.max().unwrap_or(HERE.y) - HERE.y
}

#[test]
fn a_husk_is_hunted_from_a_pillar_without_harm_and_the_blocks_are_taken_along() {
    let scene = Scene::new(&[("dirt", 4)]).mob(MobKind::Husk, 7, 0);
    let (report, frame) = scene.plays(kill(MobKind::Husk));
    assert_eq!((report.failure, frame.health), (None, 20.0));
    assert_eq!(held(&frame, "dirt"), 4);
}

#[test]
fn who_comes_on_foot_from_afar_is_let_come_to_the_pillar() {
    let scene = Scene::new(&[("stone_sword", 1), ("dirt", 4)]).mob(MobKind::Husk, 14, 0);
    let mut world = scene.world();
    let (frames, report) = watch(&mut world, kill(MobKind::Husk), 900);
    assert_eq!(highest(&frames), 2);
    assert_eq!(frames.last().unwrap().health, 20.0);
    assert_eq!(report.map(|report| report.failure), Some(None));
}

#[test]
fn who_is_weak_is_safe_from_husks_on_a_pillar_and_kills_them() {
    let mut scene = Scene::new(&[("stone_sword", 1), ("cobblestone", 4)])
        .mob(MobKind::Husk, 7, 0)
        .mob(MobKind::Husk, 0, 9);
    let vitals = &mut scene.sim.body_mut().vitals;
    (vitals.health, vitals.saturation, vitals.hunger) = (4.0, 0.0, 10);
    let mut world = scene.world();
    let (frames, _) = watch(&mut world, Action::Wait { ticks: 1_000 }, 900);
    assert_eq!(highest(&frames), 2);
    assert!(frames.last().unwrap().health >= 4.0);
    assert_eq!(world.simulation().unwrap().mobs().iter().count(), 0);
}

#[test]
fn nobody_climbs_in_the_sight_of_an_archer() {
    let scene = Scene::new(&[("stone_sword", 1), ("cobblestone", 4)])
        .mob(MobKind::Husk, 7, 0)
        .mob(MobKind::Stray, 0, 14);
    let mut world = scene.world();
    let (frames, _) = watch(&mut world, kill(MobKind::Husk), 100);
    assert!(highest(&frames) < 2);
}
