//! Tests of building by blueprints, through the World port.

use crate::action::{Action, ActionFailure, Unbuilt};
use crate::block as blocks;
use crate::blueprint::BuildSight;
use crate::ids::ActionId;
use crate::observation::Frame;
use crate::port::{Request, World};
use crate::testing::{HERE, Scene, TOP, build, held, play, spec};

#[track_caller]
fn the_build(frame: &Frame) -> &BuildSight {
    match frame.builds.as_slice() {
        [build] => build,
        builds => panic!("{builds:?}"),
    }
}

#[track_caller]
fn is_built(scene: Scene, name: &str, of: u32) -> Frame {
    let mut world = scene.world();
    let (report, frame) = play(&mut world, build(name));
    let sight = the_build(&frame).clone();
    assert_eq!(
        report.failure, None,
        "after {} ticks, {sight:?}",
        report.ticks
    );
    assert_eq!((sight.stands, sight.of, sight.missing()), (of, of, 0));
    // What the body believes is what the world holds.
    let grid = world.simulation().unwrap().grid();
    let Action::Build { blocks, clear, .. } = build(name) else {
        panic!("an order to build")
    };
    for (item, [x, y, z]) in blocks {
        let block = grid.block(sight.at.plus(x, y, z));
        assert!(
            block.item().is_some_and(|made| item.matches(made)),
            "{item} at {x} {y} {z}: {}",
            block.name()
        );
    }
    for [x, y, z] in clear {
        assert!(
            !grid.block(sight.at.plus(x, y, z)).is_solid(),
            "{x} {y} {z} must be free"
        );
    }
    frame
}

#[test]
fn the_blueprints_of_the_program_are_built_on_open_ground() {
    let shelter = is_built(
        Scene::new(&[("oak_planks", 20), ("birch_planks", 18)]),
        "shelter",
        38,
    );
    assert_eq!(held(&shelter, "#planks"), 0);
    is_built(
        Scene::new(&[("iron_block", 4), ("carved_pumpkin", 1)]),
        "iron_golem",
        5,
    );
    let frame = is_built(
        Scene::new(&[("obsidian", 15), ("dirt", 8)]),
        "portal_frame",
        14,
    );
    assert_eq!(held(&frame, "obsidian"), 1);
}

#[test]
fn without_earth_for_a_scaffold_some_is_dug() {
    is_built(Scene::new(&[("obsidian", 14)]), "portal_frame", 14);
}

#[test]
fn grass_flowers_and_leaves_make_way() {
    let mut scene = Scene::new(&[("oak_planks", 38)]);
    for x in -9..=9 {
        for z in -9..=9 {
            let block = match (x + 2 * z) % 5 {
                0 => blocks::GRASS,
                1 => blocks::POPPY,
                2 | -2 => blocks::OAK_LEAVES,
                _ => continue,
            };
            if (x, z) != (0, 0) {
                scene = scene.with(x, 0, z, block);
            }
        }
    }
    is_built(scene, "shelter", 38);
}

#[test]
fn hilly_ground_is_made_flat_enough() {
    let mut scene = Scene::new(&[("oak_planks", 38)]);
    for x in -30_i32..=30 {
        for z in -30_i32..=30 {
            // Steps of one block, everywhere.
            let height = (x.div_euclid(3) + z.div_euclid(4)).rem_euclid(2);
            if height == 1 && (x, z) != (0, 0) {
                scene = scene.with(x, 0, z, blocks::GRASS_BLOCK);
            }
        }
    }
    is_built(scene, "shelter", 38);
}

#[test]
fn too_little_material_is_named_before_anything_is_put_down() {
    let because = Unbuilt::Short {
        item: spec("#planks"),
        have: 37,
        need: 38,
    };
    let failure = ActionFailure::Unbuilt {
        because,
        stands: 0,
        of: 38,
    };
    let (report, frame) = Scene::new(&[("oak_planks", 37)]).plays(build("shelter"));
    assert_eq!(report.failure.as_ref(), Some(&failure));
    assert_eq!((held(&frame, "oak_planks"), frame.builds.len()), (37, 0));
    let text = failure.to_string();
    assert_eq!(
        text,
        "38 #planks are missing, only 37 held; 0 of 38 blocks stand"
    );
}

#[test]
fn where_nothing_is_dry_there_is_no_site() {
    let scene = Scene::new(&[("oak_planks", 38)])
        .pond(-40, -40, 80)
        .with(0, -1, 0, blocks::STONE);
    let (report, _) = scene.plays(build("shelter"));
    let failure = ActionFailure::Unbuilt {
        because: Unbuilt::NoSite,
        stands: 0,
        of: 38,
    };
    assert_eq!(report.failure, Some(failure));
}

#[test]
fn a_second_try_goes_on_with_what_stands() {
    for ticks in [150, 400, 900] {
        let mut world = Scene::new(&[("oak_planks", 38)]).world();
        world.request(Request::Act {
            id: ActionId(7),
            action: build("shelter"),
        });
        world.poll(ticks);
        world.request(Request::Cancel { id: ActionId(7) });
        world.poll(20);
        let (report, frame) = play(&mut world, build("shelter"));
        assert_eq!(
            report.failure, None,
            "called off after {ticks}: {:?}",
            frame.builds
        );
        assert_eq!(
            (the_build(&frame).missing(), held(&frame, "oak_planks")),
            (0, 0)
        );
        // A third order finds it whole.
        let (report, frame) = play(&mut world, build("shelter"));
        assert_eq!((report.failure, the_build(&frame).stands), (None, 38));
    }
}

#[test]
fn a_block_that_is_lost_is_seen_to_be_missing() {
    let mut world = Scene::new(&[("oak_planks", 39)]).world();
    let (_, frame) = play(&mut world, build("shelter"));
    let at = the_build(&frame).at;
    assert!(at.y > TOP && at != HERE);
    let hole = at.plus(0, 2, 0);
    let sim = world.simulation_mut().unwrap();
    sim.grid_mut().set(hole, blocks::AIR);
    let (_, frame) = play(&mut world, Action::Wait { ticks: 60 });
    let sight = the_build(&frame);
    assert!(sight.stands <= 38, "{sight:?}");
    let (report, frame) = play(&mut world, build("shelter"));
    assert_eq!((report.failure, the_build(&frame).missing()), (None, 0));
}
