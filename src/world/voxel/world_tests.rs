//! Scenes played through the World port: what scripts do, how they fail, and that nothing differs twice.

use super::world::VoxelWorld;
use crate::action::{Action, ActionFailure};
use crate::block::{self as blocks, BlockId};
use crate::ids::ActionId;
use crate::observation::{Frame, Gui};
use crate::port::{Notice, Request, World, WorldSpec};
use crate::testing::{
    HERE, Scene, TOP, craft, held, interrupted, land, mine, play, smelt, spec, worn,
};

/// Flat land with these blocks, given from where the body stands, and these things in the pockets.
fn scene(built: &[(i32, i32, i32, BlockId)], carried: &[(&str, u32)]) -> VoxelWorld {
    let bare = Scene::new(carried);
    let built = built.iter().fold(bare, |scene, (x, y, z, block)| {
        scene.with(*x, *y, *z, *block)
    });
    built.world()
}

fn tree(x: i32, z: i32) -> Vec<(i32, i32, i32, BlockId)> {
    let leaves =
        [(1, 0), (-1, 0), (0, 1), (0, -1)].map(|(dx, dz)| (x + dx, 4, z + dz, blocks::OAK_LEAVES));
    (0..4)
        .map(|y| (x, y, z, blocks::OAK_LOG))
        .chain(leaves)
        .collect()
}

#[test]
fn walls_hide_what_is_behind_them() {
    let mut built = vec![(5, 0, 0, blocks::DIAMOND_ORE), (-5, 0, 0, blocks::GOLD_ORE)];
    built.extend((-9..=9).flat_map(|z| (0..12).map(move |y| (3, y, z, blocks::STONE))));
    let mut world = scene(&built, &[]);
    let (_, frame) = play(&mut world, Action::Wait { ticks: 200 });
    let named: Vec<BlockId> = frame.notable.iter().map(|sight| sight.block).collect();
    assert_eq!(named, [blocks::GOLD_ORE]);
}

#[test]
fn a_tree_gives_its_logs() {
    let mut world = scene(&tree(5, 2), &[]);
    let (report, frame) = play(&mut world, mine("#logs", 4));
    assert_eq!((report.failure, held(&frame, "oak_log")), (None, 4));
    assert!(
        report.broken.contains(&(blocks::OAK_LOG, 4)) && report.ticks < 1_000,
        "{}",
        report.ticks
    );
}

#[test]
fn stone_dug_by_hand_is_no_drop() {
    let built: Vec<_> = (0..6).map(|z| (3, 0, z, blocks::STONE)).collect();
    let (report, _) = play(&mut scene(&built, &[]), mine("cobblestone", 2));
    assert_eq!(
        report.failure,
        Some(ActionFailure::NoDrop {
            block: blocks::STONE,
            held: None,
            broken: 3
        })
    );
}

#[test]
fn ore_is_not_broken_for_nothing_once_the_pickaxe_for_it_broke() {
    let ores = [(2, 0, 0, "diamond_ore"), (2, 1, 0, "diamond_ore")];
    let carried = [worn("iron_pickaxe", 249), worn("wooden_pickaxe", 0)];
    let mut world = VoxelWorld::from_simulation(land(&ores, &carried), 20);
    let (report, frame) = play(&mut world, mine("diamond", 2));
    assert_eq!(held(&frame, "diamond"), 1);
    // The wooden one is whole, and of no use here.
    let failure = report.failure.unwrap();
    assert_eq!(
        failure,
        ActionFailure::WornOut {
            held: None,
            left: 0,
            broken: 1
        }
    );
    let said = failure.to_string();
    assert_eq!(said, "the last tool for it broke, after 1 block");
    assert_eq!(report.broken, [(blocks::DIAMOND_ORE, 1)]);
}

#[test]
fn crafting_says_what_is_lacking() {
    let table = craft("wooden_pickaxe", 1);
    let (report, _) = play(
        &mut scene(&[], &[("oak_planks", 3), ("stick", 2)]),
        table.clone(),
    );
    let item = spec("wooden_pickaxe");
    assert_eq!(
        report.failure,
        Some(ActionFailure::NoStation {
            item,
            station: blocks::CRAFTING_TABLE
        })
    );
    let (report, _) = play(&mut scene(&[], &[("oak_planks", 3), ("stick", 1)]), table);
    let needs = spec("stick");
    assert_eq!(
        report.failure,
        Some(ActionFailure::MissingIngredient {
            item,
            needs,
            have: 1,
            need: 2
        })
    );
    let (report, _) = play(&mut scene(&[], &[]), craft("dirt", 1));
    assert_eq!(
        report.failure,
        Some(ActionFailure::NoRecipe { item: spec("dirt") })
    );
}

#[test]
fn a_carried_table_is_used_and_taken_along_again() {
    let carried = [("oak_planks", 3), ("stick", 2), ("crafting_table", 1)];
    let (report, frame) = play(&mut scene(&[], &carried), craft("wooden_pickaxe", 1));
    assert_eq!(report.failure, None);
    assert_eq!(
        (
            held(&frame, "wooden_pickaxe"),
            held(&frame, "crafting_table"),
            frame.gui
        ),
        (1, 1, Gui::Closed)
    );
}

#[test]
fn a_table_that_stays_up_is_used_again_and_taken_along_by_the_last_who_crafts_at_it() {
    let carried = [("oak_planks", 5), ("stick", 3), ("crafting_table", 1)];
    let play_both = |table_stays| {
        let mut world = scene(&[], &carried);
        let (report, between) = play(
            &mut world,
            Action::Craft {
                item: spec("wooden_pickaxe"),
                count: 1,
                table_stays,
            },
        );
        assert_eq!((report.failure, between.gui), (None, Gui::Closed));
        let (report, end) = play(&mut world, craft("wooden_sword", 1));
        assert_eq!(report.failure, None);
        let tables = [&between, &end].map(|frame| held(frame, "crafting_table"));
        assert_eq!(held(&end, "wooden_sword"), 1);
        (tables, end.tick)
    };
    let (taken, carried_ticks) = play_both(false);
    let (stays, standing_ticks) = play_both(true);
    assert_eq!((taken, stays), ([1, 1], [0, 1]));
    // Broken by hand, it takes 75 ticks.
    assert!(
        standing_ticks + 75 <= carried_ticks,
        "{standing_ticks}, {carried_ticks}"
    );
}

#[test]
fn a_table_does_not_stay_up_after_a_failure() {
    // Six slabs can be made of these, and then no more.
    let carried = [("oak_planks", 3), ("crafting_table", 1)];
    let order = Action::Craft {
        item: spec("#wooden_slabs"),
        count: 12,
        table_stays: true,
    };
    let (report, frame) = play(&mut scene(&[], &carried), order);
    assert!(report.failure.is_some());
    assert_eq!(
        (held(&frame, "oak_slab"), held(&frame, "crafting_table")),
        (6, 1)
    );
}

#[test]
fn smelting_needs_fuel_and_a_furnace_and_gives_both_back() {
    let (report, _) = play(
        &mut scene(&[], &[("iron_ore", 2), ("furnace", 1)]),
        smelt("iron_ingot", 2),
    );
    assert_eq!(report.failure, Some(ActionFailure::NoFuel));
    let (report, _) = play(
        &mut scene(&[], &[("iron_ore", 2), ("coal", 1)]),
        smelt("iron_ingot", 2),
    );
    assert!(matches!(
        report.failure,
        Some(ActionFailure::NoStation {
            station: blocks::FURNACE,
            ..
        })
    ));
    let carried = [
        ("iron_ore", 2),
        ("coal", 1),
        ("furnace", 1),
        ("wooden_pickaxe", 1),
    ];
    let (report, frame) = play(&mut scene(&[], &carried), smelt("iron_ingot", 2));
    assert_eq!(
        (
            report.failure,
            held(&frame, "iron_ingot"),
            held(&frame, "furnace")
        ),
        (None, 2, 1)
    );
}

#[test]
fn going_down_and_up_again() {
    let mut world = scene(&[], &[("stone_pickaxe", 1)]);
    let (report, frame) = play(&mut world, Action::dig_down(TOP - 12));
    assert_eq!((report.failure, frame.underground), (None, true));
    let (report, frame) = play(&mut world, Action::GoUp { y: TOP + 1 });
    assert_eq!(report.failure, None);
    assert!(frame.position.y >= f64::from(TOP + 1));
}

#[test]
fn small_actions_succeed_or_say_why_not() {
    let mut world = scene(&[], &[("dirt", 2), ("bread", 1)]);
    let (report, frame) = play(&mut world, Action::Equip { item: spec("dirt") });
    assert_eq!(
        (report.failure, frame.held.map(|item| item.name())),
        (None, Some("dirt"))
    );
    let (report, _) = play(
        &mut world,
        Action::Equip {
            item: spec("stick"),
        },
    );
    assert_eq!(
        report.failure,
        Some(ActionFailure::NotHeld {
            item: spec("stick")
        })
    );
    let at = HERE.plus(3, 0, 3);
    let (report, _) = play(
        &mut world,
        Action::Place {
            item: spec("dirt"),
            at: Some(at),
        },
    );
    assert_eq!(
        (report.failure, world.simulation().unwrap().grid().block(at)),
        (None, blocks::DIRT)
    );
    let (report, frame) = play(
        &mut world,
        Action::Goto {
            at: HERE.plus(9, 0, -7),
            range: 0,
        },
    );
    assert_eq!(
        (report.failure, frame.position.block()),
        (None, HERE.plus(9, 0, -7))
    );
    world.simulation_mut().unwrap().body_mut().vitals.hunger = 8;
    let (report, frame) = play(&mut world, Action::Eat);
    assert_eq!((report.failure, frame.hunger), (None, 13.0));
}

#[test]
fn a_script_can_be_called_off_at_any_tick() {
    for ticks in 1..260 {
        let mut world = scene(&tree(4, 1), &[("crafting_table", 1)]);
        let action = if ticks % 2 == 0 {
            mine("#logs", 3)
        } else {
            craft("oak_planks", 1)
        };
        world.request(Request::Act {
            id: ActionId(7),
            action,
        });
        let mut acted = 0;
        for _ in 0..ticks {
            acted += world
                .poll(1)
                .iter()
                .filter(|notice| matches!(notice, Notice::Acted { .. }))
                .count();
            if acted > 0 {
                break;
            }
        }
        world.request(Request::Cancel { id: ActionId(7) });
        let after = world.poll(1);
        acted += after
            .iter()
            .filter(|notice| matches!(notice, Notice::Acted { .. }))
            .count();
        assert_eq!(acted, 1, "cancelled after {ticks}");
        let sim = world.simulation().unwrap();
        assert_eq!((sim.window().gui, sim.body().alive()), (Gui::Closed, true));
    }
}

#[test]
fn a_second_action_calls_the_first_off() {
    let mut world = scene(&tree(4, 1), &[]);
    assert_eq!(
        interrupted(&mut world, mine("#logs", 3), 30),
        [(1, Some(ActionFailure::Cancelled)), (2, None)]
    );
}

/// A real world up to the first tool; every frame on the way, and whether each action succeeded.
fn first_tool(seed: u64, poll: u32) -> (Vec<Frame>, Vec<Option<ActionFailure>>) {
    let mut world = VoxelWorld::new();
    world.request(Request::Reset(WorldSpec {
        kind: "voxel".to_owned(),
        seed,
        frame_ticks: 20,
        aids: crate::aids::WorldAids::default(),
        server: None,
    }));
    let mut frames = Vec::new();
    let mut ends = Vec::new();
    let plan = [
        mine("#logs", 3),
        craft("#planks", 12),
        craft("crafting_table", 1),
        craft("stick", 4),
        craft("wooden_pickaxe", 1),
    ];
    for (id, action) in (1..).zip(plan) {
        world.request(Request::Act {
            id: ActionId(id),
            action,
        });
        let before = ends.len();
        while ends.len() == before {
            for notice in world.poll(poll) {
                match notice {
                    Notice::Ready(frame) | Notice::Frame(frame) => frames.push(*frame),
                    Notice::Acted { report, frame, .. } => {
                        frames.push(*frame);
                        ends.push(report.failure);
                    }
                    Notice::Reacted(_) => panic!("the embedded world waits"),
                    Notice::Lost { because } => panic!("{because}"),
                }
            }
        }
    }
    (frames, ends)
}

#[test]
fn seed_7_leads_to_a_wooden_pickaxe_and_twice_the_same_way() {
    let (frames, ends) = first_tool(7, 1_000);
    let last = frames.last().unwrap();
    assert_eq!(ends, vec![None; 5]);
    assert_eq!(
        (held(last, "wooden_pickaxe"), held(last, "crafting_table")),
        (1, 1)
    );
    assert!(last.tick < 2_000, "{}", last.tick);
    assert!(
        frames
            .iter()
            .all(|frame| frame.mobs.len() <= 8 && frame.notable.len() <= 16)
    );
    let (again, _) = first_tool(7, 1_000);
    assert_eq!(frames.len(), again.len());
    assert!(frames.iter().zip(&again).all(|(a, b)| a == b));
    let (small_polls, _) = first_tool(7, 7);
    assert_eq!(
        small_polls.last().map(|frame| frame.checksum.clone()),
        Some(last.checksum.clone())
    );
}

#[test]
fn a_frame_has_the_checksum_of_its_tick_whenever_it_is_asked_for() {
    let mut world = VoxelWorld::new();
    world.request(Request::Reset(WorldSpec::embedded(7, Default::default())));
    let sum = |world: &VoxelWorld| world.simulation().unwrap().checksum().value();
    let mut kept = Vec::new();
    for _ in 0..30 {
        for notice in world.poll(10) {
            if let Notice::Ready(frame) | Notice::Frame(frame) = notice {
                kept.push((sum(&world), frame));
            }
        }
    }
    assert!(kept.len() > 20, "{}", kept.len());
    assert!(
        kept.iter()
            .all(|(then, frame)| frame.checksum.value() == *then)
    );
    assert_ne!(kept[0].0, sum(&world), "the world went on");
}

#[test]
fn a_swimmer_fits_through_a_passage_under_water_that_is_two_blocks_high() {
    // The nearest stone lies beyond one, at the bottom of a river.
    let mut world = VoxelWorld::new();
    let aids = crate::aids::WorldAids {
        biome: Some("plains".to_owned()),
        ..Default::default()
    };
    world.request(Request::Reset(WorldSpec {
        kind: "voxel".to_owned(),
        seed: 20_002,
        frame_ticks: 20,
        aids,
        server: None,
    }));
    let plan = [
        mine("#logs", 3),
        craft("#planks", 9),
        craft("stick", 4),
        craft("crafting_table", 1),
        craft("wooden_pickaxe", 1),
        mine("cobblestone", 3),
    ];
    let mut ends = Vec::new();
    for (id, action) in (1..).zip(plan) {
        world.request(Request::Act {
            id: ActionId(id),
            action,
        });
        while ends.len() < id as usize {
            for notice in world.poll(100) {
                if let Notice::Acted { report, frame, .. } = notice {
                    ends.push((report.failure, frame.tick));
                }
            }
        }
    }
    assert!(
        ends.iter().all(|(failure, _)| failure.is_none()),
        "{ends:?}"
    );
    let ticks = ends[5].1 - ends[4].1;
    // Who floats too high turns back seven times, and needs 1,229.
    assert!(ticks < 600, "{ticks}");
}

#[test]
fn a_body_begins_with_what_it_was_given_and_can_use_it() {
    let spec = |given: &str| {
        let aids = crate::aids::WorldAids {
            given: given.parse().unwrap(),
            ..crate::aids::WorldAids::default()
        };
        WorldSpec::embedded(7, aids)
    };
    let mut world = VoxelWorld::new();
    world.request(Request::Reset(spec("oak_planks=4")));
    world.request(Request::Act {
        id: ActionId(1),
        action: craft("crafting_table", 1),
    });
    let (report, frame) = crate::testing::end(&mut world, ActionId(1));
    assert_eq!(report.failure, None);
    assert_eq!(frame.inventory.to_string(), "crafting_table=1");
    let mut world = VoxelWorld::new();
    world.request(Request::Reset(spec("iron_pickaxe=37")));
    match world.poll(1).remove(0) {
        Notice::Lost { because } => assert!(because.contains("36 slots"), "{because}"),
        other => panic!("{other:?}"),
    }
}
