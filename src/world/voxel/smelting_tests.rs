//! Scenes at furnaces: several fires, what is burnt in them, and where they stand.

use super::cancel_tests::called_off_after;
use super::station_tests::act;
use super::world::VoxelWorld;
use crate::action::{Action, ActionFailure};
use crate::block as blocks;
use crate::ids::ActionId;
use crate::observation::Gui;
use crate::port::{Notice, Request, World};
use crate::testing::{HERE, held, land, play, smelt, some, spec, worn};

#[test]
fn kinds_of_fuel_that_only_suffice_together_are_burnt_one_after_the_other() {
    let carried = [
        some("clay_ball", 5),
        some("oak_planks", 2),
        some("birch_planks", 2),
        some("furnace", 1),
        worn("wooden_pickaxe", 0),
    ];
    let smelt = |count| Action::smelt(spec("brick"), count, Some(spec("#planks")));
    let (report, frame, _) = act(land(&[], &carried), smelt(5));
    assert_eq!(report.failure, None);
    assert_eq!(frame.inventory.count(spec("brick")), 5);
    assert_eq!(frame.inventory.count(spec("#planks")), 0);
}

/// The world of a smith with iron ore and three furnaces, and such fuels.
fn smithy(built: &[(i32, i32, i32, &str)], fuels: &[(&str, u32)]) -> VoxelWorld {
    smithy_with(3, built, fuels)
}

/// The same with so much iron ore.
fn smithy_with(ore: u32, built: &[(i32, i32, i32, &str)], fuels: &[(&str, u32)]) -> VoxelWorld {
    let mut carried = vec![some("furnace", 3), worn("stone_pickaxe", 0)];
    let ore = (0..ore).step_by(64).map(|from| (ore - from).min(64));
    carried.extend(ore.map(|count| some("iron_ore", count)));
    carried.extend(fuels.iter().map(|(name, count)| some(name, *count)));
    VoxelWorld::from_simulation(land(built, &carried), 20)
}

fn smelt_over_planks() -> Action {
    Action::smelt(spec("iron_ingot"), 3, Some(spec("#planks")))
}

#[test]
fn each_fire_may_burn_another_kind_and_coal_that_the_plan_can_spare() {
    let one_of_each = [("oak_planks", 1), ("birch_planks", 1), ("coal", 2)];
    let mut world = smithy(&[], &one_of_each);
    let (report, frame) = play(&mut world, smelt_over_planks());
    assert_eq!(report.failure, None);
    let left = ["iron_ingot", "oak_planks", "birch_planks", "coal"].map(|name| held(&frame, name));
    assert_eq!(left, [3, 0, 0, 1]);
    // Two fires are lit over planks; a third would take coal that is kept.
    let mut world = smithy(&[], &[("oak_planks", 2), ("birch_planks", 1), ("coal", 2)]);
    world.request(Request::Keep("coal=2".parse().unwrap()));
    let (report, frame) = play(&mut world, smelt_over_planks());
    assert_eq!((report.failure, held(&frame, "coal")), (None, 2));
}

#[test]
fn who_has_nothing_to_burn_puts_no_furnace_down() {
    let (report, frame) = play(&mut smithy(&[], &[]), smelt_over_planks());
    assert_eq!(report.failure, Some(ActionFailure::NoFuel));
    assert_eq!((report.broken, held(&frame, "furnace")), (Vec::new(), 3));
    // Nor looks for one.
    let (report, _, _) = act(land(&[], &[some("iron_ore", 3)]), smelt_over_planks());
    assert_eq!(report.failure, Some(ActionFailure::NoFuel));
}

#[test]
fn spare_coal_is_burnt_where_there_is_too_little_of_what_was_asked_for() {
    let mut world = smithy(&[], &[("oak_planks", 1), ("coal", 2)]);
    let (report, frame) = play(&mut world, smelt_over_planks());
    assert_eq!((report.failure, held(&frame, "iron_ingot")), (None, 3));
}

#[test]
fn no_heat_is_wasted_on_fires_where_fuel_is_short() {
    // One coal and two charcoal smelt 24 pieces. Two of 16 over the charcoal alone would leave five for no fuel.
    // Of nine coal three fires of 64 pieces would burn all and leave two pieces raw.
    let short: [(u32, &[(&str, u32)]); 2] =
        [(21, &[("coal", 1), ("charcoal", 2)]), (66, &[("coal", 9)])];
    for (ore, fuels) in short {
        let mut world = smithy_with(ore, &[], fuels);
        let (report, frame) = play(&mut world, smelt("iron_ingot", ore));
        assert_eq!((report.failure, held(&frame, "iron_ingot")), (None, ore));
    }
}

#[test]
fn furnaces_that_stay_are_not_taken_along() {
    let order = |furnaces_stay| match smelt_over_planks() {
        Action::Smelt {
            item, count, fuel, ..
        } => Action::Smelt {
            item,
            count,
            fuel,
            furnaces_stay,
        },
        other => other,
    };
    let planks = [("oak_planks", 3)];
    let (_, taken) = play(&mut smithy(&[], &planks), order(false));
    let (report, left) = play(&mut smithy(&[], &planks), order(true));
    let furnaces = [&taken, &left].map(|frame| held(frame, "furnace"));
    assert_eq!((report.failure, furnaces), (None, [3, 0]));
    assert!(left.tick < taken.tick);
    // Nothing to smelt a fourth of: nobody knows what comes next.
    let mut world = smithy(&[], &planks);
    let too_many = Action::Smelt {
        item: spec("iron_ingot"),
        count: 4,
        fuel: None,
        furnaces_stay: true,
    };
    let (report, frame) = play(&mut world, too_many);
    assert!(report.failure.is_some());
    assert_eq!(held(&frame, "furnace"), 3);
}

/// The furnaces broken by who smelts in a cell with such rock around it, where all three are lit and taken along.
#[track_caller]
fn broken_in(open: &[(i32, i32, i32)]) -> u32 {
    let cells = (-2..=2).flat_map(|x| (-2..=3).map(move |y| (x, y)));
    let cells = cells.flat_map(|(x, y)| (-2..=2).map(move |z| (x, y, z)));
    let rock = cells.map(|(x, y, z)| match open.contains(&(x, y, z)) {
        true => (x, y, z, "air"),
        false => (x, y, z, "stone"),
    });
    let built: Vec<_> = rock.collect();
    let planks = [("oak_planks", 3)];
    let (report, frame) = play(&mut smithy(&built, &planks), smelt_over_planks());
    assert_eq!(report.failure, None);
    assert_eq!(
        (held(&frame, "iron_ingot"), held(&frame, "furnace")),
        (3, 3)
    );
    let furnaces = report
        .broken
        .iter()
        .filter(|(block, _)| *block == blocks::FURNACE);
    furnaces.map(|(_, count)| count).sum()
}

#[test]
fn no_furnace_is_broken_to_get_at_another() {
    let body = [(0, 0, 0), (0, 1, 0)];
    // A step down on one side: one on top of the other would hide it.
    let step_down = [(0, -1, 1), (0, 0, 1), (0, 1, 1)];
    assert_eq!(broken_in(&[body.as_slice(), &step_down].concat()), 3);
    // A low hole on one side: the edge above would hide what stands in it, so that it stays empty.
    let hole = [(-1, 0, 0)];
    assert_eq!(broken_in(&[body.as_slice(), &hole].concat()), 3);
    // A cave that falls off on all sides but one: there is room on the ledges.
    let cave = [(1, -1, 0), (1, 0, 0), (1, 1, 0), (-1, 1, 0), (0, 1, 1)];
    assert_eq!(broken_in(&[body.as_slice(), &cave].concat()), 3);
}

#[test]
fn who_is_buried_at_the_fire_digs_the_head_free_and_goes_on() {
    let mut world = smithy(&[], &[("oak_planks", 6)]);
    let (id, action) = (ActionId(1), smelt_over_planks());
    world.request(Request::Act { id, action });
    let mut buried = 0;
    while world.tick() < 1_500 {
        for notice in world.poll(1) {
            match notice {
                Notice::Frame(frame) if frame.gui == Gui::Furnace && buried < 5 => {
                    let sim = world.simulation_mut().unwrap();
                    let head = sim.body().eyes().block();
                    if sim.grid().block(head) != blocks::GRAVEL {
                        sim.grid_mut().set(head, blocks::GRAVEL);
                        buried += 1;
                    }
                }
                Notice::Acted { report, frame, .. } => {
                    let got = held(&frame, "iron_ingot");
                    assert_eq!((report.failure, got, buried), (None, 3, 5));
                    assert!(frame.health > 10.0, "{}", frame.health);
                    return;
                }
                _ => (),
            }
        }
    }
    panic!("it does not end");
}

#[test]
fn what_an_order_that_was_called_off_left_in_the_fire_is_fetched_by_the_next() {
    let away = Action::Goto {
        at: HERE.plus(20, 0, 0),
        range: 1,
    };
    // While the furnaces are put down, and while the first pieces cook.
    for ticks in [15, 60, 150] {
        let mut world = smithy(&[], &[("oak_planks", 3)]);
        assert!(!called_off_after(&mut world, &smelt_over_planks(), ticks));
        let (report, _) = play(&mut world, away.clone());
        assert_eq!(report.failure, None);
        let (report, frame) = play(&mut world, smelt_over_planks());
        let got = (held(&frame, "iron_ingot"), held(&frame, "furnace"));
        assert_eq!((report.failure, got), (None, (3, 3)), "after {ticks}");
    }
}
