//! Husbandry played through the World port: using, fishing, growing, breeding, sleeping, building, raw keys.

use crate::action::{Action, ActionFailure, Unbuilt};
use crate::block as blocks;
use crate::ids::ActionId;
use crate::keys::KeyPresses;
use crate::mob::MobKind;
use crate::port::{Request, World};
use crate::rng::Rng;
use crate::space::Pos;
use crate::testing::{HERE, Scene, grow, held, on_block, on_mob, play, spec};

/// Late in the evening: dusk is at 12,542.
const EVENING: u32 = 12_400;
/// Places that are not in sight yet, whichever way one goes.
const FAR: [(i32, i32); 4] = [(60, 0), (-60, 0), (0, 60), (0, -60)];

#[test]
fn sheep_are_shorn() {
    let scene = Scene::new(&[("shears", 1)]).mob(MobKind::Sheep, 4, 2);
    let (report, frame) = scene.plays(on_mob("shears", MobKind::Sheep, "white_wool", 1));
    assert_eq!(report.failure, None);
    assert!((1..=3).contains(&frame.inventory.count(spec("white_wool"))));
}

#[test]
fn a_shorn_sheep_does_not_give_twice() {
    let scene = Scene::new(&[("shears", 1)]).mob(MobKind::Sheep, 3, 0);
    let mut world = scene.world();
    play(
        &mut world,
        on_mob("shears", MobKind::Sheep, "white_wool", 1),
    );
    let sim = world.simulation().unwrap();
    assert!(sim.mobs().iter().all(|mob| mob.coat.shorn));
}

#[test]
fn past_a_shorn_sheep_one_with_wool_is_looked_for() {
    let scene = Scene::new(&[("shears", 1)]).mob(MobKind::Sheep, 2, 0);
    let far = FAR.into_iter();
    let mut scene = far.fold(scene, |scene, (x, z)| scene.mob(MobKind::Sheep, x, z));
    let near = scene.sim.mobs().near(HERE.floor(), 4.0)[0].number;
    assert!(scene.sim.mobs_mut().shear(near, &mut Rng::new(1)).is_some());
    let (report, frame) = scene.plays(on_mob("shears", MobKind::Sheep, "#wool", 1));
    assert_eq!(report.failure, None, "after {} ticks", report.ticks);
    assert!(held(&frame, "#wool") >= 1);
}

#[test]
fn past_a_calf_a_cow_is_looked_for() {
    let scene = Scene::new(&[("wheat", 2), ("bucket", 1)]).mob(MobKind::Cow, 4, 2);
    let mut world = scene.mob(MobKind::Cow, 4, 3).world();
    let (report, _) = play(&mut world, Action::Breed { mob: MobKind::Cow });
    assert_eq!(report.failure, None);
    let mobs = world.simulation_mut().unwrap().mobs_mut();
    let grown: Vec<u64> = mobs
        .iter()
        .filter(|mob| !mob.is_baby(mobs.tick()))
        .map(|mob| mob.number)
        .collect();
    for number in grown {
        mobs.hit(number, 100.0, HERE.floor(), 0);
    }
    for (x, z) in FAR {
        mobs.add(MobKind::Cow, HERE.plus(x, 0, z).floor());
    }
    let milk = on_mob("bucket", MobKind::Cow, "milk_bucket", 1);
    let (report, frame) = play(&mut world, milk);
    assert_eq!(report.failure, None, "after {} ticks", report.ticks);
    assert_eq!(held(&frame, "milk_bucket"), 1);
}

#[test]
fn sheep_are_dyed_and_shorn() {
    let scene = Scene::new(&[("shears", 1), ("lime_dye", 1)]).mob(MobKind::Sheep, 4, 2);
    let mut world = scene.world();
    let (report, frame) = play(&mut world, on_mob("lime_dye", MobKind::Sheep, "", 1));
    assert_eq!(
        (report.failure, frame.inventory.count(spec("lime_dye"))),
        (None, 0)
    );
    let (report, frame) = play(&mut world, on_mob("shears", MobKind::Sheep, "lime_wool", 1));
    assert_eq!(report.failure, None);
    assert!(frame.inventory.count(spec("lime_wool")) >= 1);
}

#[test]
fn cows_and_mooshrooms_are_milked() {
    let cow = Scene::new(&[("bucket", 2)]).mob(MobKind::Cow, 4, 2);
    cow.yields(
        on_mob("bucket", MobKind::Cow, "milk_bucket", 2),
        "milk_bucket",
        2,
    );
    let stew = Scene::new(&[("bowl", 1)]).mob(MobKind::Mooshroom, 4, 2);
    let action = on_mob("bowl", MobKind::Mooshroom, "mushroom_stew", 1);
    stew.yields(action, "mushroom_stew", 1);
}

#[test]
fn vessels_are_filled() {
    let pond = || Scene::new(&[("bucket", 1), ("glass_bottle", 3)]).pond(4, 2, 3);
    pond().yields(
        on_block("bucket", "water", "water_bucket", 1),
        "water_bucket",
        1,
    );
    pond().yields(on_block("glass_bottle", "water", "potion", 3), "potion", 3);
    let lava = Scene::new(&[("bucket", 1)]).with(3, -1, 0, blocks::LAVA);
    lava.yields(
        on_block("bucket", "lava", "lava_bucket", 1),
        "lava_bucket",
        1,
    );
}

#[test]
fn tools_turn_blocks_into_others() {
    let log = Scene::new(&[("stone_axe", 1)]).with(3, 0, 1, blocks::OAK_LOG);
    let strip = on_block("stone_axe", "oak_log", "stripped_oak_log", 1);
    log.yields(strip, "stripped_oak_log", 1);
    let pumpkin = Scene::new(&[("shears", 1)]).with(3, 0, 1, blocks::PUMPKIN);
    let carve = on_block("shears", "pumpkin", "carved_pumpkin", 1);
    pumpkin.yields(carve, "carved_pumpkin", 1);
    let pumpkin = Scene::new(&[("shears", 1)]).with(3, 0, 1, blocks::PUMPKIN);
    let seeds = on_block("shears", "pumpkin", "pumpkin_seeds", 1);
    pumpkin.yields(seeds, "pumpkin_seeds", 4);
    let (report, _) =
        Scene::new(&[("wooden_hoe", 1)]).plays(on_block("wooden_hoe", "grass_block", "", 2));
    assert_eq!(report.failure, None);
}

#[test]
fn shears_cut_what_hands_destroy() {
    let hedge = |x| {
        Scene::new(&[("shears", 1)])
            .with(x, 0, 1, blocks::OAK_LEAVES)
            .with(x, 0, 3, blocks::GRASS)
    };
    hedge(3).yields(
        on_block("shears", "oak_leaves", "oak_leaves", 1),
        "oak_leaves",
        1,
    );
    let action = Action::Mine {
        item: spec("grass"),
        count: 1,
    };
    hedge(3).yields(action, "grass", 1);
}

#[test]
fn berries_are_picked_with_the_bare_hand() {
    let bush = Scene::new(&[]).with(3, 0, 1, blocks::SWEET_BERRY_BUSH);
    let mut world = {
        let mut bush = bush;
        bush.sim.grid_mut().set_stage(HERE.plus(3, 0, 1), Some(3));
        bush.world()
    };
    let (report, frame) = play(
        &mut world,
        on_block("", "sweet_berry_bush", "sweet_berries", 1),
    );
    assert_eq!(report.failure, None);
    assert!((2..=3).contains(&frame.inventory.count(spec("sweet_berries"))));
    let sim = world.simulation().unwrap();
    assert_eq!(
        sim.grid().block(HERE.plus(3, 0, 1)),
        blocks::SWEET_BERRY_BUSH
    );
}

#[test]
fn what_is_not_held_or_not_there_is_said() {
    let item = spec("shears");
    Scene::new(&[]).mob(MobKind::Sheep, 3, 0).fails(
        on_mob("shears", MobKind::Sheep, "white_wool", 1),
        &ActionFailure::NotHeld { item },
    );
    let item = spec("fishing_rod");
    let cod = || Action::Fish {
        item: spec("cod"),
        count: 1,
    };
    Scene::new(&[])
        .pond(3, 3, 4)
        .fails(cod(), &ActionFailure::NotHeld { item });
    let item = spec("wheat_seeds");
    Scene::new(&[("wooden_hoe", 1)]).fails(grow("wheat", 1), &ActionFailure::NotHeld { item });
    let item = spec("wooden_hoe");
    Scene::new(&[("wheat_seeds", 1)]).fails(grow("wheat", 1), &ActionFailure::NotHeld { item });
    let item = spec("wheat");
    let breed = Action::Breed { mob: MobKind::Cow };
    Scene::new(&[("wheat", 1)])
        .mob(MobKind::Cow, 3, 0)
        .fails(breed, &ActionFailure::NotHeld { item });
    let item = spec("#beds");
    let mut night = Scene::new(&[]);
    night.sim.pass_hours(EVENING);
    night.fails(Action::Sleep, &ActionFailure::NotHeld { item });
}

#[test]
fn eggs_are_waited_for() {
    let hens = (0..6).fold(Scene::new(&[]), |scene, z| {
        scene.mob(MobKind::Chicken, 4, z - 3)
    });
    let (report, frame) = hens.plays(on_mob("", MobKind::Chicken, "egg", 1));
    assert_eq!(report.failure, None);
    assert!(frame.inventory.count(spec("egg")) >= 1);
}

#[test]
fn a_rod_brings_up_fish() {
    let scene = Scene::new(&[("fishing_rod", 1)]).pond(4, 2, 7);
    let action = Action::Fish {
        item: spec("cod"),
        count: 2,
    };
    let report = scene.yields(action, "cod", 2);
    assert!(report.ticks >= 240, "two bites in {} ticks", report.ticks);
}

#[test]
fn wheat_is_grown_from_seed_on_a_field_of_all_the_seeds_there_are() {
    let scene = Scene::new(&[("wooden_hoe", 1), ("wheat_seeds", 4), ("red_bed", 1)]).pond(5, 5, 2);
    let mut world = scene.world();
    let (report, frame) = play(&mut world, grow("wheat", 2));
    assert_eq!(report.failure, None, "after {} ticks", report.ticks);
    assert!(frame.inventory.count(spec("wheat")) >= 2);
    assert!(report.ticks > 3_000, "ripe after {} ticks", report.ticks);
    let grid = world.simulation().unwrap().grid();
    let around = (-8..=8).flat_map(|x| (-8..=8).map(move |z| HERE.plus(x, 0, z)));
    let left = around.filter(|at| grid.block(*at) == blocks::WHEAT).count();
    assert!(left >= 2, "{left} plants besides the two that were ripe");
}

#[test]
fn bone_meal_saves_the_wait() {
    let carried = [("stone_hoe", 1), ("wheat_seeds", 1), ("bone_meal", 8)];
    let report = Scene::new(&carried).pond(5, 5, 2).plays(grow("wheat", 1)).0;
    assert_eq!(report.failure, None);
    assert!(report.ticks < 600, "{}", report.ticks);
}

#[test]
fn roots_canes_trees_and_fruit_are_grown() {
    let cane = Scene::new(&[("sugar_cane", 1), ("red_bed", 1)]).pond(5, 5, 2);
    assert_eq!(cane.plays(grow("sugar_cane", 1)).0.failure, None);
    let carrots = Scene::new(&[("stone_hoe", 1), ("carrot", 1), ("bone_meal", 8)]).pond(5, 5, 2);
    assert_eq!(carrots.plays(grow("carrot", 1)).0.failure, None);
    let tree = Scene::new(&[("oak_sapling", 1), ("bone_meal", 32), ("stone_axe", 1)]);
    let report = tree.plays(grow("oak_log", 3)).0;
    assert_eq!(report.failure, None, "after {} ticks", report.ticks);
    assert!(
        report.ticks < 2_400,
        "fed, not waited for: {}",
        report.ticks
    );
    let melon = Scene::new(&[
        ("stone_hoe", 1),
        ("melon_seeds", 1),
        ("bone_meal", 16),
        ("red_bed", 1),
    ])
    .pond(5, 5, 2);
    assert_eq!(melon.plays(grow("melon_slice", 3)).0.failure, None);
}

#[test]
fn two_fed_cows_have_young() {
    let scene = Scene::new(&[("wheat", 2)])
        .mob(MobKind::Cow, 4, 2)
        .mob(MobKind::Cow, -4, 3);
    let mut world = scene.world();
    let (report, frame) = play(&mut world, Action::Breed { mob: MobKind::Cow });
    assert_eq!(
        (report.failure, frame.inventory.count(spec("wheat"))),
        (None, 0)
    );
    assert_eq!(
        world
            .simulation()
            .unwrap()
            .mobs()
            .iter()
            .filter(|mob| mob.kind == MobKind::Cow)
            .count(),
        3
    );
}

#[test]
fn a_night_is_slept_through_in_ones_own_bed() {
    let mut scene = Scene::new(&[("red_bed", 1)]);
    scene.sim.pass_hours(EVENING);
    let (report, frame) = scene.plays(Action::Sleep);
    assert_eq!(report.failure, None);
    assert!(
        frame.time < 1_000 && report.ticks < 600,
        "{} after {}",
        frame.time,
        report.ticks
    );
    assert_eq!(frame.inventory.count(spec("red_bed")), 1);
}

#[test]
fn by_day_nobody_sleeps() {
    let (report, _) = Scene::new(&[("red_bed", 1)]).plays(Action::Sleep);
    assert!(matches!(
        report.failure,
        Some(ActionFailure::Invalid { .. })
    ));
}

#[test]
fn blocks_are_built_where_they_belong() {
    let planks = spec("oak_planks");
    let tower = [[0, 0, 0], [0, 1, 0], [1, 0, 0], [0, 2, 0]];
    let action = Action::Build {
        blocks: tower.iter().map(|at| (planks, *at)).collect(),
        clear: Vec::new(),
        blueprint: None,
    };
    let mut world = Scene::new(&[("oak_planks", 4)]).world();
    let (report, frame) = play(&mut world, action.clone());
    assert_eq!((report.failure, frame.inventory.count(planks)), (None, 0));
    let grid = world.simulation().unwrap().grid();
    let is_planks = |at: Pos| grid.block(at) == blocks::OAK_PLANKS;
    let cells = (-10..=10).flat_map(|z| (-10..=10).map(move |x| HERE.plus(x, 0, z)));
    let stands = |at: &Pos| tower.iter().all(|[x, y, z]| is_planks(at.plus(*x, *y, *z)));
    assert!(cells.into_iter().any(|at| stands(&at)));
    let short = ActionFailure::Unbuilt {
        because: Unbuilt::Short {
            item: planks,
            have: 3,
            need: 4,
        },
        stands: 0,
        of: 4,
    };
    Scene::new(&[("oak_planks", 3)]).fails(action, &short);
}

#[test]
fn raw_keys_dig_place_and_walk() {
    let look_down = KeyPresses {
        camera: [0.0, 90.0],
        ..KeyPresses::default()
    };
    let dig = KeyPresses {
        attack: true,
        ..KeyPresses::default()
    };
    let keys: Vec<KeyPresses> = std::iter::once(look_down)
        .chain(std::iter::repeat_n(dig, 40))
        .chain(std::iter::repeat_n(KeyPresses::default(), 20))
        .collect();
    let mut world = Scene::new(&[]).world();
    let (report, frame) = play(&mut world, Action::Raw { keys });
    assert_eq!((report.failure, report.ticks), (None, 61));
    assert_eq!(frame.inventory.count(spec("dirt")), 1);
    let hotbar = KeyPresses {
        hotbar: Some(1),
        camera: [0.0, -50.0],
        ..KeyPresses::default()
    };
    let place = KeyPresses {
        r#use: true,
        ..KeyPresses::default()
    };
    let (_, frame) = play(
        &mut world,
        Action::Raw {
            keys: vec![hotbar, place],
        },
    );
    assert_eq!(frame.inventory.count(spec("dirt")), 0);
}

#[test]
fn every_action_can_be_cancelled_at_any_tick_and_is_reproducible() {
    let scene = || {
        Scene::new(&[
            ("stone_hoe", 1),
            ("wheat_seeds", 2),
            ("bone_meal", 8),
            ("fishing_rod", 1),
            ("shears", 1),
            ("wheat", 2),
            ("oak_planks", 4),
        ])
        .pond(4, 4, 5)
        .mob(MobKind::Sheep, -4, 2)
        .mob(MobKind::Sheep, -5, -2)
    };
    let planks = spec("oak_planks");
    let orders = [
        on_mob("shears", MobKind::Sheep, "white_wool", 1),
        grow("wheat", 1),
        Action::Fish {
            item: spec("cod"),
            count: 1,
        },
        Action::Breed {
            mob: MobKind::Sheep,
        },
        Action::Build {
            blocks: vec![(planks, [0, 0, 0]), (planks, [0, 1, 0])],
            clear: Vec::new(),
            blueprint: None,
        },
    ];
    for order in orders {
        for ticks in (0..240).step_by(7) {
            let run = || {
                let mut world = scene().world();
                let before = world.simulation().unwrap().checksum();
                world.request(Request::Act {
                    id: ActionId(1),
                    action: order.clone(),
                });
                world.poll(ticks);
                world.request(Request::Cancel { id: ActionId(1) });
                world.poll(40);
                let sim = world.simulation().unwrap();
                assert!(sim.body().alive() && sim.body().at.is_finite());
                (before, sim.checksum())
            };
            assert_eq!(run(), run(), "{} cancelled after {ticks}", order.name());
        }
    }
}
