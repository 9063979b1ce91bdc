//! Scenes of danger played through the World port: lava, fire, the night, and what is put on against blows.

use super::grid::Grid;
use super::sim::Simulation;
use super::world::VoxelWorld;
use crate::action::{Action, ActionReport, Target};
use crate::block::{self as blocks, BlockId};
use crate::ids::ActionId;
use crate::item::ItemId;
use crate::mob::MobKind;
use crate::observation::{Frame, Pause};
use crate::port::{Notice, Request, World};
use crate::space::Pos;

const TOP: i32 = 40;
const HERE: Pos = Pos::new(8, TOP + 1, 8);

fn scene(built: &[(Pos, BlockId)], carried: &[(&str, u32)]) -> VoxelWorld {
    VoxelWorld::from_simulation(land(built, carried), 20)
}

fn land(built: &[(Pos, BlockId)], carried: &[(&str, u32)]) -> Simulation {
    let mut sim = Simulation::with_grid(Grid::flat(TOP), HERE.floor());
    for (at, block) in built {
        sim.grid_mut().set(*at, *block);
    }
    for (name, count) in carried {
        assert_eq!(sim.give(name.parse().unwrap(), *count), 0);
    }
    sim
}

/// Plays one action to its end, or cancels it after so many ticks.
fn play(world: &mut VoxelWorld, action: Action, ticks: u64) -> (ActionReport, Frame) {
    let id = ActionId(1);
    let end = world.tick() + ticks;
    world.request(Request::Act { id, action });
    loop {
        if world.tick() >= end {
            world.request(Request::Cancel { id });
        }
        for notice in world.poll(20) {
            if let Notice::Acted { report, frame, .. } = notice {
                return (report, *frame);
            }
        }
    }
}

fn sim(world: &mut VoxelWorld) -> &mut Simulation {
    world.simulation_mut().unwrap()
}

#[test]
fn a_miner_on_a_shore_of_lava_comes_to_no_harm() {
    let mut built = Vec::new();
    for x in 3..8 {
        for z in -2_i32..=2 {
            let is_shore = x == 3 || x == 7 || z.abs() == 2;
            let block = if is_shore {
                blocks::STONE
            } else {
                blocks::LAVA
            };
            built.push((HERE.plus(x, -1, z), block));
        }
    }
    built.extend((0..4).map(|y| (HERE.plus(-9, y, 0), blocks::STONE)));
    let mut world = scene(&built, &[("wooden_pickaxe", 1)]);
    let action = Action::Mine {
        item: "cobblestone".parse().unwrap(),
        count: 3,
    };
    let (report, frame) = play(&mut world, action, 3_000);
    assert_eq!((report.failure, frame.health), (None, 20.0));
}

#[test]
fn who_rests_behind_a_wall_stops_when_lava_comes_in() {
    let roof = (-6..=6).flat_map(|x| (-6..=6).map(move |z| (HERE.plus(x, 4, z), blocks::STONE)));
    let mut land = land(&roof.collect::<Vec<_>>(), &[("cobblestone", 20)]);
    let vitals = &mut land.body_mut().vitals;
    (vitals.health, vitals.saturation) = (5.0, 0.0);
    let zombie = HERE.plus(8, 0, 0).floor();
    let far = HERE.plus(0, 0, 200);
    land.mobs_mut().add(MobKind::Zombie, zombie);
    let mut world = VoxelWorld::from_simulation(land, 2);
    let id = ActionId(1);
    let action = Action::Goto { at: far, range: 8 };
    world.request(Request::Act { id, action });
    assert_eq!(pause_after(&mut world, 120), Some(Pause::Wounds));
    let feet = sim(&mut world).body().at.block();
    sim(&mut world).grid_mut().set(feet, blocks::LAVA);
    assert_eq!(pause_after(&mut world, 6), None);
}

#[test]
fn who_crafts_stops_the_lava_that_comes_in_first() {
    // A cell of stone; the block before the face gives way to lava.
    let cell = (-2..=2).flat_map(|x| (-2..=2).map(move |z| (x, z)));
    let walls = cell.filter(|at| *at != (0, 0));
    let walls = walls.flat_map(|(x, z)| (0..4).map(move |y| (HERE.plus(x, y, z), blocks::STONE)));
    let roof = [
        (HERE.plus(0, 2, 0), blocks::STONE),
        (HERE.plus(0, 0, 1), blocks::AIR),
    ];
    let built: Vec<_> = walls
        .chain(roof)
        .chain([(HERE.plus(1, 1, 0), blocks::LAVA)])
        .collect();
    let carried = [
        ("cobblestone", 20),
        ("stick", 20),
        ("crafting_table", 1),
        ("stone_pickaxe", 1),
    ];
    let mut world = scene(&built, &carried);
    let action = Action::Craft {
        item: "stone_pickaxe".parse().unwrap(),
        count: 5,
        table_stays: false,
    };
    let (report, frame) = play(&mut world, action, 1_000);
    assert_eq!((report.failure, frame.health), (None, 20.0));
}

/// What the body says that it waits for, so many ticks later.
fn pause_after(world: &mut VoxelWorld, ticks: u64) -> Option<Pause> {
    let end = world.tick() + ticks;
    let mut pause = None;
    while world.tick() < end {
        for notice in world.poll(2) {
            if let Notice::Frame(frame) = notice {
                pause = frame.pause;
            }
        }
    }
    pause
}

#[test]
fn who_burns_runs_to_the_water() {
    let pool: Vec<_> = (6..9)
        .flat_map(|x| (-1..=1).map(move |z| (HERE.plus(x, -1, z), blocks::WATER)))
        .collect();
    let mut world = scene(&pool, &[]);
    play(&mut world, Action::Wait { ticks: 100 }, 200);
    sim(&mut world).body_mut().vitals.burning = 300;
    let (_, frame) = play(&mut world, Action::Wait { ticks: 100 }, 200);
    assert_eq!(sim(&mut world).body().vitals.burning, 0);
    assert!(frame.health > 17.0, "{}", frame.health);
}

#[test]
fn the_unarmed_sit_the_night_out_in_a_closed_hole() {
    let mut world = scene(&[], &[("dirt", 8)]);
    sim(&mut world).pass_hours(13_000);
    let far = HERE.plus(40, 0, 0);
    let (_, frame) = play(&mut world, Action::Goto { at: far, range: 8 }, 1_500);
    let feet = frame.position.block();
    assert!(frame.underground && feet.y <= HERE.y - 3, "{feet:?}");
    let (_, frame) = play(&mut world, Action::Goto { at: far, range: 8 }, 12_000);
    assert!(
        !frame.underground && frame.health > 16.0,
        "{}",
        frame.health
    );
    assert!(!(13_000..23_000).contains(&frame.time), "{}", frame.time);
}

#[test]
fn what_is_done_with_animals_waits_for_the_day() {
    let mut world = scene(&[], &[("dirt", 8), ("shears", 1)]);
    sim(&mut world).pass_hours(13_000);
    let shear = Action::Use {
        item: Some("shears".parse().unwrap()),
        on: Target::Mob(MobKind::Sheep),
        gain: Some("white_wool".parse().unwrap()),
        count: 1,
    };
    let (_, frame) = play(&mut world, shear, 1_000);
    assert!(frame.underground, "{:?}", frame.position);
}

#[test]
fn where_the_ground_is_rock_a_hole_is_dug_farther_off() {
    let is_soil = |x: i32| (12..16).contains(&x);
    let cells = (-24..=24).flat_map(|x| (-24..=24).map(move |z| (x, z)));
    let rock: Vec<_> = cells
        .filter(|(x, _)| !is_soil(*x))
        .flat_map(|(x, z)| (1..=4).map(move |y| (HERE.plus(x, -y, z), blocks::STONE)))
        .collect();
    let mut world = scene(&rock, &[("dirt", 8)]);
    sim(&mut world).pass_hours(13_000);
    let far = HERE.plus(-40, 0, 0);
    let (_, frame) = play(&mut world, Action::Goto { at: far, range: 8 }, 1_500);
    let feet = frame.position.block();
    assert!(frame.underground && is_soil(feet.x - HERE.x), "{feet:?}");
}

fn hunt_for_flesh() -> Action {
    Action::Attack {
        mob: MobKind::Zombie,
        gain: Some("rotten_flesh".parse().unwrap()),
        count: 1,
        also: Vec::new(),
    }
}

#[test]
fn a_hunter_of_monsters_hides_until_the_morning_if_it_is_not_fit() {
    let mut world = scene(&[], &[("dirt", 8), ("wooden_sword", 1)]);
    sim(&mut world).pass_hours(13_000);
    let (_, frame) = play(&mut world, hunt_for_flesh(), 1_000);
    assert!(frame.underground, "{:?}", frame.position);
    let (_, frame) = play(&mut world, hunt_for_flesh(), 10_500);
    assert!(frame.time < 12_000 && !frame.underground, "{frame:?}");
}

#[test]
fn who_digs_a_hole_for_the_night_says_so_from_the_first_block() {
    let mut world = scene(&[], &[("dirt", 8), ("wooden_sword", 1)]);
    sim(&mut world).pass_hours(13_000);
    let (id, action) = (ActionId(1), hunt_for_flesh());
    world.request(Request::Act { id, action });
    let end = world.tick() + 400;
    let (mut digging, mut resting) = (0, 0);
    while world.tick() < end {
        for notice in world.poll(2) {
            let Notice::Frame(frame) = notice else {
                continue;
            };
            if frame.position.y > HERE.floor().y - 0.5 {
                continue;
            }
            assert_eq!(frame.pause, Some(Pause::Night), "{frame:?}");
            if frame.underground {
                resting += 1;
            } else {
                digging += 1;
            }
        }
    }
    assert!(digging > 1 && resting > 2, "{digging} {resting}");
}

#[test]
fn a_hunter_of_monsters_who_is_fit_stays_out_at_night() {
    let mut world = scene(&[], &[("dirt", 8), ("stone_sword", 1)]);
    sim(&mut world).pass_hours(13_000);
    let (_, frame) = play(&mut world, hunt_for_flesh(), 300);
    assert!(!frame.underground, "{:?}", frame.position);
}

/// What is left of a body with sword and shield after so many ticks of this action, begun with one mob so far to the east,
/// and whether the mob is left.
fn meet(mob: MobKind, away: i32, action: Action, ticks: u64) -> (VoxelWorld, Frame, bool) {
    let mut world = scene(&[], &[("stone_sword", 1), ("shield", 1)]);
    play(&mut world, Action::Wait { ticks: 40 }, 100);
    sim(&mut world).pass_hours(13_000);
    let met = sim(&mut world)
        .mobs_mut()
        .add(mob, HERE.plus(away, 0, 0).floor());
    let (_, frame) = play(&mut world, action, ticks);
    // Others come up in the night.
    let is_left = sim(&mut world).mobs().iter().any(|mob| mob.number == met);
    (world, frame, is_left)
}

#[test]
fn a_creeper_that_is_hunted_is_not_let_burst() {
    let hunt = Action::Attack {
        mob: MobKind::Creeper,
        gain: Some("gunpowder".parse().unwrap()),
        count: 1,
        also: Vec::new(),
    };
    let (mut world, frame, is_left) = meet(MobKind::Creeper, 12, hunt, 400);
    let sim = sim(&mut world);
    assert!((frame.health - 20.0).abs() < 1e-3, "{}", frame.health);
    assert!(!is_left, "it lives");
    let whole = (-16..=16).all(|x| sim.grid().block(HERE.plus(x, -1, 0)).is_solid());
    assert!(whole, "no crater");
}

#[test]
fn a_witch_is_run_from() {
    let (mut world, ..) = meet(MobKind::Witch, 11, Action::Wait { ticks: 1_000 }, 100);
    let sim = sim(&mut world);
    let witch = sim.mobs().iter().next().unwrap().position;
    assert!(witch.distance(sim.body().at) > 12.0, "{witch:?}");
}

/// How far from here a body with this in the pack is after five seconds, to which a zombie has come up at night.
fn run_from_a_zombie(carried: &[(&str, u32)]) -> f64 {
    let mut world = scene(&[], carried);
    play(&mut world, Action::Wait { ticks: 40 }, 100);
    sim(&mut world).pass_hours(18_000);
    sim(&mut world)
        .mobs_mut()
        .add(MobKind::Zombie, HERE.plus(5, 0, 0).floor());
    play(&mut world, Action::Wait { ticks: 1_000 }, 100);
    sim(&mut world).body().at.distance(HERE.floor())
}

#[test]
fn in_the_open_the_unarmed_run_where_the_armed_fight() {
    let (unarmed, armed) = (
        run_from_a_zombie(&[]),
        run_from_a_zombie(&[("stone_sword", 1)]),
    );
    assert!(unarmed > 8.0 && armed < 5.0, "{unarmed} and {armed}");
}

#[test]
fn a_hunter_of_monsters_lays_in_meat_by_day() {
    let mut world = scene(&[], &[("stone_sword", 1)]);
    for z in 0..3 {
        let at = HERE.plus(12, 0, z).floor();
        sim(&mut world).mobs_mut().add(MobKind::Pig, at);
    }
    let (_, frame) = play(&mut world, hunt_for_flesh(), 800);
    assert!(crate::testing::held(&frame, "porkchop") >= 2);
}

#[test]
fn a_hunter_of_monsters_takes_what_the_sun_has_left_of_one() {
    let mut world = scene(&[], &[("stone_sword", 1)]);
    let flesh = crate::testing::some("rotten_flesh", 1);
    let sim = sim(&mut world);
    sim.dropped.spill(flesh, HERE.plus(9, 0, 0), &mut sim.luck);
    let (report, frame) = play(&mut world, hunt_for_flesh(), 400);
    assert_eq!(report.failure, None);
    assert_eq!(crate::testing::held(&frame, "rotten_flesh"), 1);
}

#[test]
fn a_hole_that_was_left_half_dug_is_gone_on_with() {
    let mut world = scene(&[], &[("dirt", 8)]);
    sim(&mut world).pass_hours(13_000);
    let far = HERE.plus(40, 0, 0);
    let go = || Action::Goto { at: far, range: 8 };
    // Called off again and again while it digs: each order goes on with the same hole.
    for _ in 0..6 {
        play(&mut world, go(), 60);
    }
    let (_, frame) = play(&mut world, go(), 300);
    let feet = frame.position.block();
    assert!(frame.underground, "{feet:?}");
    assert_eq!(feet.y, HERE.y - 3, "one hole, three deep");
}

#[test]
fn a_swordsman_outfights_a_zombie_and_a_creeper() {
    for kind in [MobKind::Zombie, MobKind::Creeper, MobKind::Spider] {
        let mut world = scene(&[], &[("stone_sword", 1)]);
        sim(&mut world).pass_hours(18_000);
        let mobs = sim(&mut world).mobs_mut();
        let enemy = mobs.add(kind, HERE.plus(6, 0, 0).floor());
        let (_, frame) = play(&mut world, Action::Wait { ticks: 500 }, 600);
        assert!(frame.health > 12.0, "the {kind} won: {}", frame.health);
        let lives = sim(&mut world).mobs().get(enemy).is_some();
        assert!(!lives, "the {kind} lives");
    }
}

#[test]
fn the_best_armour_carried_is_put_on_and_still_counts() {
    let carried = [("leather_helmet", 1), ("iron_helmet", 1), ("shield", 1)];
    let mut world = scene(&[], &carried);
    let (_, frame) = play(&mut world, Action::Wait { ticks: 100 }, 200);
    let worn: Vec<&str> = frame.worn.iter().copied().map(ItemId::name).collect();
    assert_eq!(worn, ["iron_helmet", "shield"]);
    let had = |name: &str| frame.inventory.count(name.parse::<ItemId>().unwrap());
    assert_eq!((had("iron_helmet"), had("leather_helmet")), (1, 1));
}

/// What a hungry body that carries these and has to keep an apple is left with.
fn left_of(carried: &[(&str, u32)], hunger: u32) -> Frame {
    let mut world = scene(&[], carried);
    sim(&mut world).body_mut().vitals.hunger = hunger;
    let kept = "apple=1".parse().unwrap();
    world.request(Request::Keep(kept));
    play(&mut world, Action::Wait { ticks: 200 }, 400).1
}

#[test]
fn what_the_plan_needs_is_eaten_only_by_one_who_starves() {
    let left = |carried: &[(&str, u32)], hunger| left_of(carried, hunger).inventory.to_string();
    assert_eq!(left(&[("apple", 1)], 10), "apple=1");
    assert_eq!(left(&[("apple", 2)], 12), "apple=1", "one is over");
    assert_eq!(left(&[("apple", 1), ("bread", 1)], 12), "apple=1");
    assert_eq!(left(&[("apple", 1)], 2), "");
    let mut world = scene(&[], &[("apple", 1)]);
    sim(&mut world).body_mut().vitals.hunger = 10;
    world.request(Request::Keep("apple=1".parse().unwrap()));
    let (report, frame) = play(&mut world, Action::Eat, 100);
    assert_eq!(
        (report.failure, frame.inventory.is_empty()),
        (None, true),
        "an order is an order"
    );
}

#[test]
fn the_hungry_make_a_meal_of_one_of_two_pigs() {
    for (pigs, left) in [(2, 1), (1, 1)] {
        let mut world = scene(&[], &[("stone_sword", 1)]);
        sim(&mut world).body_mut().vitals.hunger = 9;
        for z in 0..pigs {
            let at = HERE.plus(6, 0, z).floor();
            sim(&mut world).mobs_mut().add(MobKind::Pig, at);
        }
        let (_, frame) = play(&mut world, Action::Wait { ticks: 600 }, 700);
        let alive = frame.mobs.iter().filter(|mob| mob.kind == MobKind::Pig);
        assert_eq!(alive.count(), left, "of {pigs}");
        assert_eq!(frame.hunger > 9.0, left < pigs as usize, "{}", frame.hunger);
    }
}

#[test]
fn a_traveller_with_a_bed_sleeps_through_the_night() {
    let mut world = scene(&[], &[("red_bed", 1), ("stone_sword", 1)]);
    sim(&mut world).pass_hours(13_000);
    let far = HERE.plus(60, 0, 0);
    let (_, frame) = play(&mut world, Action::Goto { at: far, range: 8 }, 1_500);
    assert!(frame.time < 2_000, "{}", frame.time);
    assert!(frame.position.block().distance(far) <= 8.5);
    assert_eq!(
        frame.inventory.count("red_bed".parse::<ItemId>().unwrap()),
        1
    );
}

#[test]
fn water_poured_over_lava_makes_obsidian_to_mine() {
    let mut built = Vec::new();
    for (x, z) in (3..8).flat_map(|x| (-2..=2).map(move |z| (x, z))) {
        built.push((HERE.plus(x, -2, z), blocks::STONE));
        let is_shore = x == 3 || x == 7 || z == -2 || z == 2;
        let pool = if is_shore {
            blocks::STONE
        } else {
            blocks::LAVA
        };
        built.push((HERE.plus(x, -1, z), pool));
    }
    let carried = [
        ("water_bucket", 1),
        ("diamond_pickaxe", 1),
        ("cobblestone", 16),
    ];
    let mut world = scene(&built, &carried);
    let action = Action::Mine {
        item: "obsidian".parse().unwrap(),
        count: 2,
    };
    let (report, frame) = play(&mut world, action, 4_000);
    assert_eq!((report.failure, frame.health), (None, 20.0));
    let had = |name: &str| frame.inventory.count(name.parse::<ItemId>().unwrap());
    assert_eq!((had("obsidian"), had("water_bucket")), (2, 1));
}

/// A body with these things at peace, and then a skeleton so far to the east; so many ticks later.
fn under_fire(
    built: &[(Pos, BlockId)],
    carried: &[(&str, u32)],
    away: i32,
    ticks: u64,
) -> VoxelWorld {
    let mut world = scene(built, carried);
    play(&mut world, Action::Wait { ticks: 40 }, 100);
    sim(&mut world)
        .mobs_mut()
        .add(MobKind::Skeleton, HERE.plus(away, 0, 0).floor());
    play(&mut world, Action::Wait { ticks: 1_000 }, ticks);
    world
}

#[test]
fn behind_a_shield_an_archer_is_killed_without_harm() {
    let mut world = under_fire(&[], &[("stone_sword", 1), ("shield", 1)], 11, 300);
    let sim = sim(&mut world);
    assert!(
        (sim.body().vitals.health - 20.0).abs() < 1e-3,
        "{:?}",
        sim.body().vitals
    );
    assert_eq!(sim.mobs().iter().count(), 0);
}

#[test]
fn who_has_no_arms_gets_out_of_the_sight_of_an_archer() {
    let wall: Vec<(Pos, BlockId)> = (0..5 * 3)
        .map(|n| (HERE.plus(2, n / 5, 2 + n % 5), blocks::STONE))
        .collect();
    let mut world = under_fire(&wall, &[], 11, 40);
    let z = sim(&mut world).body().at.z;
    assert!(z > f64::from(HERE.z + 2), "beside the wall: {z}");
}
