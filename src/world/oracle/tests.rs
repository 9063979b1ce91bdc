//! What the oracle's orders take, and what they leave when they fail.

use super::OracleWorld;
use crate::action::{Action, ActionFailure, Target};
use crate::aids::{Controller, WorldAids};
use crate::counts::Counts;
use crate::family::ItemSpec;
use crate::ids::ActionId;
use crate::port::{Notice, Request, World, WorldSpec};

fn spec(name: &str) -> ItemSpec {
    name.parse().unwrap()
}

fn mine(item: &str, count: u32) -> Action {
    let item = spec(item);
    Action::Mine { item, count }
}

fn craft(item: &str, count: u32) -> Action {
    Action::craft(spec(item), count)
}

fn smelt(item: &str, count: u32) -> Action {
    Action::smelt(spec(item), count, None)
}

/// Gives the orders to a new world and returns the failures and what is held at the end.
fn play(orders: &[Action]) -> (Vec<Option<ActionFailure>>, Counts) {
    let mut world = OracleWorld::new();
    world.request(Request::Reset(WorldSpec::embedded(1, WorldAids::default())));
    let mut held = Counts::default();
    let mut failures = Vec::new();
    for (n, action) in (1..).zip(orders) {
        let (id, action) = (ActionId(n), action.clone());
        world.request(Request::Act { id, action });
        for notice in world.poll(10) {
            if let Notice::Acted { report, frame, .. } = notice {
                failures.push(report.failure);
                held = frame.inventory.clone();
            }
        }
    }
    (failures, held)
}

#[test]
fn what_an_order_takes_has_to_be_there() {
    let (failures, held) = play(&[
        craft("stick", 4),
        mine("oak_log", 3),
        craft("oak_planks", 12),
        craft("wooden_pickaxe", 1),
        mine("iron_ore", 1),
        mine("cobblestone", 1),
        craft("stick", 2),
        craft("wooden_pickaxe", 1),
        craft("crafting_table", 1),
        craft("wooden_pickaxe", 1),
        mine("cobblestone", 3),
        mine("iron_ore", 1),
    ]);
    let why: Vec<String> = failures
        .iter()
        .map(|f| f.as_ref().map_or("done".to_owned(), ToString::to_string))
        .collect();
    assert_eq!(
        why,
        [
            "stick needs 2 #planks, only 0 held",
            "done",
            "done",
            "wooden_pickaxe needs 2 stick, only 0 held",
            "found no iron_ore (searched around y 64)",
            "broke 1 stone with the bare hand and nothing dropped",
            "done",
            "wooden_pickaxe needs a crafting_table and none is near or carried",
            "done",
            "done",
            "done",
            "found no iron_ore (searched around y 64)",
        ]
    );
    // The table stands beside the body now.
    assert_eq!(held.count(spec("crafting_table")), 0);
    assert_eq!(held.count(spec("cobblestone")), 3);
}

#[test]
fn smelting_takes_a_furnace_and_fuel_and_leaves_nothing_half_done() {
    let ready = [
        mine("oak_log", 5),
        craft("oak_planks", 16),
        craft("crafting_table", 1),
        craft("stick", 8),
        craft("wooden_pickaxe", 1),
        mine("cobblestone", 11),
        craft("stone_pickaxe", 1),
        Action::dig_down(30),
        mine("iron_ore", 3),
    ];
    let (failures, held) = play(&[&ready[..], &[smelt("iron_ingot", 3)]].concat());
    assert!(matches!(
        failures.last(),
        Some(Some(ActionFailure::NoStation { .. }))
    ));
    assert_eq!(held.count(spec("iron_ore")), 3);
    let with_furnace = [&ready[..], &[craft("furnace", 1), smelt("iron_ingot", 3)]].concat();
    let (failures, held) = play(&with_furnace);
    assert!(failures.iter().all(Option::is_none), "{failures:?}");
    assert_eq!(held.count(spec("iron_ingot")), 3);
    let too_many = [&ready[..], &[craft("furnace", 1), smelt("iron_ingot", 4)]].concat();
    let (failures, held) = play(&too_many);
    assert!(failures.last().is_some_and(Option::is_some));
    assert_eq!(held.count(spec("iron_ore")), 3);
    assert_eq!(held.count(spec("iron_ingot")), 0);
}

#[test]
fn a_bucket_fills_once_and_what_lies_nowhere_is_not_found() {
    let fill = Action::Use {
        item: Some(spec("bucket")),
        on: Target::Block(crate::block::WATER),
        gain: Some(spec("water_bucket")),
        count: 1,
    };
    let (failures, _) = play(&[fill, mine("netherrack", 1)]);
    assert!(matches!(failures[0], Some(ActionFailure::NotHeld { .. })));
    assert!(matches!(failures[1], Some(ActionFailure::NoTarget { .. })));
}

#[test]
fn a_body_begins_with_what_it_was_given_and_not_with_more_than_it_can_carry() {
    let begun = |given: &str| {
        let mut spec = WorldSpec::embedded(7, WorldAids::default());
        spec.aids.controller = Controller::Oracle;
        spec.aids.given = given.parse().unwrap();
        let mut world = OracleWorld::new();
        world.request(Request::Reset(spec));
        world.poll(1).remove(0)
    };
    match begun("oak_log=4,stick=1") {
        Notice::Ready(frame) => assert_eq!(frame.inventory.to_string(), "oak_log=4,stick=1"),
        other => panic!("{other:?}"),
    }
    assert!(matches!(begun("stone_pickaxe=37"), Notice::Lost { .. }));
}

#[test]
fn a_building_takes_its_material_and_stands_at_once() {
    let mut world = OracleWorld::new();
    let given = "birch_planks=40".parse().unwrap();
    let aids = WorldAids {
        given,
        ..WorldAids::default()
    };
    world.request(Request::Reset(WorldSpec::embedded(1, aids)));
    world.poll(1);
    let mut build = |id| {
        world.request(Request::Act {
            id: ActionId(id),
            action: crate::testing::build("shelter"),
        });
        let acted = world.poll(10).into_iter().find_map(|notice| match notice {
            Notice::Acted { report, frame, .. } => Some((report.failure, *frame)),
            _ => None,
        });
        acted.unwrap()
    };
    let (failure, frame) = build(1);
    assert_eq!((failure, frame.inventory.total()), (None, 2));
    assert_eq!((frame.builds.len(), frame.builds[0].missing()), (1, 0));
    let (failure, _) = build(2);
    let text = failure.unwrap().to_string();
    assert!(text.contains("only 2 held"), "{text}");
}

#[test]
fn frames_count_the_sources_that_were_broken() {
    let mut world = OracleWorld::new();
    world.request(Request::Reset(WorldSpec::embedded(1, WorldAids::default())));
    for (n, item) in [(1, "oak_log"), (2, "iron_ore"), (3, "dirt")] {
        let action = mine(item, 2);
        world.request(Request::Act {
            id: ActionId(n),
            action,
        });
    }
    let broken = world.poll(10).into_iter().map(|notice| match notice {
        Notice::Acted { frame, .. } | Notice::Ready(frame) => frame.broken,
        other => panic!("{other:?}"),
    });
    // For ore it has no pickaxe.
    assert_eq!(broken.collect::<Vec<_>>(), [0, 2, 2, 4]);
}
