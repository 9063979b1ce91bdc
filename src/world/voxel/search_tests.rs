//! Scenes of searches: what was seen far off is gone back to, and what stands before the eyes is no wall.

use super::dropped::DroppedItems;
use super::grid::Grid;
use super::life::mob::Mob;
use super::sim::Simulation;
use super::station_tests::act;
use super::terrain::biome::Biome;
use super::world::VoxelWorld;
use crate::action::{Action, ActionFailure, ActionReport, Target};
use crate::aids::SenseLevel;
use crate::block as blocks;
use crate::ids::ActionId;
use crate::mob::MobKind;
use crate::observation::Frame;
use crate::port::{Notice, Request, World};
use crate::space::{Point, Pos};
use crate::testing::{HERE, block, end, held, kill, land, mine, play, some, spec, watch, worn};

#[test]
fn who_stands_in_reeds_still_digs_what_is_beyond() {
    let reeds = [(0, 0, 0, "sugar_cane"), (0, 1, 0, "sugar_cane")];
    let walls = (-1..=1).flat_map(|x| (-1..=1).map(move |z| (x, z)));
    let walls = walls.filter(|at| *at != (0, 0));
    let walls = walls.flat_map(|(x, z)| (0..3).map(move |y| (x, y, z, "dirt")));
    let built: Vec<_> = reeds.into_iter().chain(walls).collect();
    let (report, _, _) = act(
        land(&built, &[]),
        Action::Goto {
            at: Pos::new(16, 41, 8),
            range: 2,
        },
    );
    assert_eq!(report.failure, None);
}

#[test]
fn who_stands_on_a_trodden_path_or_a_field_gets_on() {
    for ground in ["grass_path", "farmland"] {
        let built: Vec<_> = (-2..=9).map(|x| (x, -1, 0, ground)).collect();
        let to = Action::Goto {
            at: Pos::new(22, 41, 8),
            range: 2,
        };
        let (report, _, _) = act(land(&built, &[]), to);
        assert_eq!(report.failure, None, "{ground}");
    }
}

#[test]
fn a_hunt_goes_on_until_there_is_enough() {
    let mut sim = land(&[], &[worn("iron_sword", 0)]);
    for x in [3.0, 4.0, 5.0] {
        sim.mobs_mut()
            .add(MobKind::Chicken, Point::new(8.5 + x, 41.0, 8.5 + x));
    }
    let hunt = Action::Attack {
        mob: MobKind::Chicken,
        gain: Some(spec("chicken")),
        count: 3,
        also: Vec::new(),
    };
    let (report, frame, _) = act(sim, hunt);
    assert_eq!(report.failure, None);
    assert_eq!(frame.inventory.count(spec("chicken")), 3);
}

#[test]
fn an_animal_in_sight_that_cannot_be_got_at_is_reported_with_what_is_between() {
    // A glass cage all around it that no hand gets through: it is seen and not reached.
    let cage = (-1..=1).flat_map(|x| (-1..=1).map(move |z| (x, z)));
    let walls = cage.clone().filter(|at| *at != (0, 0));
    let walls = walls.flat_map(|(x, z)| (0..3).map(move |y| (6 + x, y, z, "barrier")));
    let lid = cage.map(|(x, z)| (6 + x, 3, z, "barrier"));
    let built: Vec<_> = walls.chain(lid).collect();
    let mut sim = land(&built, &[]);
    sim.mobs_mut()
        .add(MobKind::Cow, Point::new(14.5, 41.0, 8.5));
    let (report, _, _) = act(sim, kill(MobKind::Cow));
    let Some(ActionFailure::NoPath { to, blocked_by }) = report.failure else {
        panic!("{:?}", report.failure);
    };
    assert_eq!(
        (to, blocked_by),
        (Pos::new(14, 41, 8), Some(block("barrier")))
    );
    assert!(report.ticks > 0, "it was tried");
}

#[test]
fn a_herd_that_was_seen_is_gone_back_to() {
    const AWAY: i32 = 80;
    let mut sim = land(&[], &[worn("iron_sword", 0)]);
    for z in [6.5, 8.5, 10.5] {
        sim.mobs_mut().add(MobKind::Cow, Point::new(28.5, 41.0, z));
    }
    let mut world = VoxelWorld::from_simulation(sim, 20);
    let away = Action::Goto {
        at: HERE.plus(-AWAY, 0, 0),
        range: 2,
    };
    assert_eq!(play(&mut world, away).0.failure, None);
    let (report, _) = play(&mut world, kill(MobKind::Cow));
    assert_eq!(report.failure, None);
    // A hundred blocks at a run, and the fight.
    assert!(report.ticks < 700, "{}", report.ticks);
}

/// Of the ticks of a hunt in which the prey was near and out of reach, those in which the body sprinted, and all.
fn sprinted(kind: MobKind, x: f64) -> (u32, u32) {
    const NEAR: std::ops::Range<f64> = 4.0..11.0;
    let mut sim = land(&[], &[]);
    sim.mobs_mut().add(kind, HERE.floor().plus(x, 0.0, 0.0));
    let mut world = VoxelWorld::from_simulation(sim, 20);
    let (id, action) = (ActionId(1), kill(kind));
    world.request(Request::Act { id, action });
    let (mut sprinted, mut all) = (0, 0);
    loop {
        let notices = world.poll(1);
        let sim = world.simulation().unwrap();
        let body = sim.body();
        let gap = |mob: &Mob| mob.position.distance(body.at);
        if sim.mobs().iter().any(|mob| NEAR.contains(&gap(mob))) {
            sprinted += u32::from(body.sprinting);
            all += 1;
        }
        if notices.iter().any(|n| matches!(n, Notice::Acted { .. })) {
            return (sprinted, all);
        }
    }
}

#[test]
fn prey_that_flees_is_sprinted_after() {
    let kinds = [MobKind::Pig, MobKind::Sheep, MobKind::Cow].into_iter();
    let hunts = kinds.flat_map(|kind| [6.0, 8.0, 10.0].map(|x| sprinted(kind, x)));
    let (sprinted, all) = hunts.fold((0, 0), |sum, hunt| (sum.0 + hunt.0, sum.1 + hunt.1));
    // One who follows a planned way stops between its parts.
    assert!(sprinted * 20 >= all * 19, "{sprinted} of {all}");
}

/// The same order carried out with a player's senses.
fn as_player(sim: Simulation, action: Action) -> ActionReport {
    play(&mut VoxelWorld::sensed(sim, 20, SenseLevel::Player), action).0
}

#[test]
fn what_comes_into_sight_while_looking_around_ends_the_look() {
    let mut sim = land(&[], &[]);
    sim.mobs_mut()
        .add(MobKind::Chicken, Point::new(8.5, 41.0, -16.5));
    let targets = vec![Target::Mob(MobKind::Chicken)];
    let report = as_player(sim, Action::Explore { targets });
    assert_eq!(report.failure, None);
    assert!(report.ticks < 10, "it went on turning: {}", report.ticks);
}

#[test]
fn prey_that_is_out_of_sight_on_the_way_is_followed_to_where_it_was_last_seen() {
    // A wall with a pane before the eyes: the way leads round its end, and hides the pig for over sixty ticks.
    let wall = (-20..=20).flat_map(|z| (0..4).map(move |y| (6, y, z)));
    let built: Vec<_> = wall
        .map(|(x, y, z)| (x, y, z, if z == 0 { "barrier" } else { "bedrock" }))
        .collect();
    let mut sim = land(&built, &[worn("iron_sword", 0)]);
    sim.mobs_mut()
        .add(MobKind::Pig, Point::new(20.5, 41.0, 8.5));
    let hunt = kill(MobKind::Pig);
    let report = as_player(sim, hunt);
    assert_eq!(report.failure, None);
}

#[test]
fn whoever_stands_under_a_branch_is_not_underground() {
    for (roof, is_under) in [("oak_log", false), ("oak_leaves", false), ("stone", true)] {
        let built = [(0, 4, 0, roof)];
        let (_, frame, _) = act(land(&built, &[]), Action::Wait { ticks: 5 });
        assert_eq!(frame.underground, is_under, "{roof}");
    }
}

/// Carries out an order in natural land for so many ticks: all frames, and the report if it ended before.
fn carries_out(sim: Simulation, action: Action, ticks: u64) -> (Vec<Frame>, Option<ActionReport>) {
    watch(&mut VoxelWorld::from_simulation(sim, 20), action, ticks)
}

#[test]
fn prey_that_floats_between_lily_pads_is_struck() {
    let pond = (-2..=2).flat_map(|x| (-2..=2).map(move |z| (x + 5, z)));
    let water = pond.clone().map(|(x, z)| (x, -1, z, "water"));
    let pads = pond.filter(|at| *at != (5, 0));
    let pads = pads.map(|(x, z)| (x, 0, z, "lily_pad"));
    let built: Vec<_> = water.chain(pads).collect();
    let mut sim = land(&built, &[worn("iron_sword", 0)]);
    sim.mobs_mut().add_slime(1, Point::new(13.5, 41.0, 8.5));
    let action = kill(MobKind::Slime);
    let (_, report) = carries_out(sim, action, 400);
    assert_eq!(report.map(|report| report.failure), Some(None));
}

#[test]
fn an_enderman_is_watched_until_it_carries_what_is_wanted_and_killed_for_it() {
    let around = (-4..=4).flat_map(|x| (-4..=4).map(move |z| (x, z)));
    let around = around.filter(|(x, z)| (x + z) % 2 != 0);
    let turf: Vec<_> = around.map(|(x, z)| (x + 8, 0, z, "grass_block")).collect();
    let mut sim = land(&turf, &[worn("iron_sword", 0)]);
    sim.mobs_mut()
        .add(MobKind::Enderman, Point::new(16.5, 41.0, 8.5));
    let wanted = spec("grass_block");
    let action = Action::Attack {
        mob: MobKind::Enderman,
        gain: Some(wanted),
        count: 1,
        also: Vec::new(),
    };
    let (_, report) = carries_out(sim, action, 2_000);
    let gained = report.map(|report| report.gained.count(wanted));
    assert_eq!(gained, Some(1));
}

/// A body in such land, with what it takes to search the rock.
fn miner(seed: u64, biome: Biome) -> Simulation {
    let mut sim = Simulation::new_in(seed, biome).unwrap();
    for (name, count) in [
        ("iron_pickaxe", 1),
        ("stone_pickaxe", 3),
        ("cobblestone", 64),
    ] {
        assert_eq!(sim.give(name.parse().unwrap(), count), 0);
    }
    sim
}

#[test]
fn who_wants_emeralds_goes_to_the_mountains_and_digs_there() {
    const TICKS: u64 = 8_000;
    let sim = miner(16, Biome::Forest);
    let item = spec("emerald");
    let (frames, report) = carries_out(sim, Action::Mine { item, count: 1 }, TICKS);
    let mut deep = frames.iter().filter(|frame| frame.position.y < 30.0);
    let first = deep.next().map(|frame| &frame.biome);
    assert_eq!(
        first.map(String::as_str),
        Some(Biome::Mountains.name()),
        "{report:?}"
    );
    let elsewhere = deep.find(|frame| frame.biome != Biome::Mountains.name());
    assert_eq!(elsewhere, None, "{report:?}");
}

#[test]
fn a_tunnel_for_emeralds_turns_back_where_the_mountains_end() {
    let mountains = Biome::Mountains.name();
    let (mut deep, mut elsewhere) = (0, 0);
    for seed in [5, 7, 12] {
        let sim = miner(seed, Biome::Mountains);
        let item = spec("emerald");
        let (frames, _) = carries_out(sim, Action::Mine { item, count: 9 }, 6_000);
        let below = frames.iter().filter(|frame| frame.position.y < 30.0);
        let (inside, outside): (Vec<_>, Vec<_>) = below.partition(|frame| frame.biome == mountains);
        deep += inside.len() + outside.len();
        elsewhere += outside.len();
    }
    assert!(deep > 100 && elsewhere * 6 < deep, "{elsewhere} of {deep}");
}

#[test]
fn who_wants_lava_and_is_deep_below_looks_for_it_there() {
    let mut sim = Simulation::new_in(11, Biome::Plains).unwrap();
    for (name, count) in [("bucket", 1), ("stone_pickaxe", 6), ("cobblestone", 64)] {
        assert_eq!(sim.give(name.parse().unwrap(), count), 0);
    }
    let mut world = VoxelWorld::from_simulation(sim, 20);
    let (report, _) = play(&mut world, Action::dig_down(12));
    assert_eq!(report.failure, None);
    let fill = Action::Use {
        item: Some(spec("bucket")),
        on: Target::Block(blocks::LAVA),
        gain: Some(spec("lava_bucket")),
        count: 1,
    };
    let (report, frame) = play(&mut world, fill);
    assert_eq!(report.failure, None);
    assert!(frame.position.y < 20.0, "{:?}", frame.position);
}

#[test]
fn who_is_below_comes_up_to_walk_over_the_land_instead_of_tunnelling_there() {
    let mut sim = land(&[], &[worn("stone_pickaxe", 0)]);
    sim.give("cobblestone".parse().unwrap(), 32);
    let mut world = VoxelWorld::from_simulation(sim, 20);
    let (report, _) = play(&mut world, Action::dig_down(24));
    assert_eq!(report.failure, None);
    let over_land = Action::Goto {
        at: Pos::new(88, 62, 8),
        range: 30,
    };
    let (report, frame) = play(&mut world, over_land);
    assert_eq!(report.failure, None);
    assert!(!frame.underground, "{:?}", frame.position);
    let broken: u32 = report.broken.iter().map(|(_, count)| count).sum();
    assert!(broken < 60, "{broken}; a tunnel there takes more than 100");
}

#[test]
fn a_tunnel_below_the_bed_of_a_sea_goes_down_into_the_rock() {
    let layers = [(-4, "sand"), (-3, "sand"), (-2, "sand"), (-1, "water")];
    let sea = (-20..=20).flat_map(|x| (-20..=20).map(move |z| (x, z)));
    let sea = sea.flat_map(|(x, z)| layers.map(|(y, name)| (x, y, z, name)));
    // A passage in the rock from which the bed is seen.
    let passage = (-1..=1).flat_map(|x| [(x, -7, 0, "air"), (x, -8, 0, "air")]);
    let panes = [(0, -5, 0, "glass"), (0, -6, 0, "glass")];
    let built: Vec<_> = sea.chain(passage).chain(panes).collect();
    let mut sim = land(&built, &[worn("stone_pickaxe", 0)]);
    sim.body_mut().at = HERE.plus(0, -8, 0).floor();
    let item = spec("iron_ore");
    let (frames, _) = carries_out(sim, Action::Mine { item, count: 1 }, 600);
    let heights = frames.iter().map(|frame| frame.position.block().y);
    assert!(heights.min().unwrap() < HERE.y - 12);
}

#[test]
fn who_breaks_a_log_by_the_water_goes_ashore_for_it() {
    let pond = (-2..=2).flat_map(|x| (-2..=2).map(move |z| (x, z)));
    let water = pond.flat_map(|(x, z)| [-1, -2].map(|y| (x, y, z, "water")));
    let log = [(4, 0, 0, "oak_log")];
    let built: Vec<_> = water.chain(log).collect();
    let (report, frame, _) = act(land(&built, &[]), mine("oak_log", 1));
    assert_eq!((report.failure, held(&frame, "oak_log")), (None, 1));
    // A swimmer takes 300 ticks for the log alone.
    assert!(report.ticks < 200, "{}", report.ticks);
}

#[test]
fn who_cannot_break_a_log_for_the_water_says_so() {
    // At the bottom of a well, before a log in its wall that takes longer than the breath.
    let rock = (-1..=3).flat_map(|x| (-1..=1).flat_map(move |z| (0..4).map(move |y| (x, y, z))));
    let is_water = |(x, y, z): &(i32, i32, i32)| *z == 0 && (*x == 0 || (*x == 1 && *y < 2));
    let rock = rock.map(|at| (at, if is_water(&at) { "water" } else { "bedrock" }));
    let log = [(2, 0, 0, "oak_log")];
    let built: Vec<_> = rock
        .map(|((x, y, z), name)| (x, y, z, name))
        .chain(log)
        .collect();
    let (report, ..) = act(land(&built, &[]), mine("oak_log", 1));
    let failure = report.failure.unwrap();
    assert_eq!(
        failure.to_string(),
        "could not break oak_log from in the water"
    );
}

#[test]
fn who_loses_a_log_in_the_water_says_so() {
    let lake = (-4..=4).flat_map(|x| (-4..=4).map(move |z| (x + 6, z)));
    let water = lake.flat_map(|(x, z)| (1..=4).map(move |y| (x, -y, z, "water")));
    let log = HERE.plus(6, -1, 0);
    let built: Vec<_> = water.chain([(6, -1, 0, "oak_log")]).collect();
    let mut world = VoxelWorld::from_simulation(land(&built, &[]), 20);
    let (id, action) = (ActionId(1), mine("oak_log", 1));
    world.request(Request::Act { id, action });
    while world.simulation().unwrap().grid().block(log) == blocks::OAK_LOG {
        world.poll(1);
    }
    // What drifts away is out of sight before it is reached.
    world.simulation_mut().unwrap().dropped = DroppedItems::default();
    let failure = end(&mut world, id).0.failure.unwrap();
    assert_eq!(failure.to_string(), "lost 1 oak_log in the water");
}

#[test]
fn who_digs_down_beside_a_pond_goes_to_dry_ground_first() {
    const DRY: i32 = 8;
    let pond = (2..=6).flat_map(|x| (-2..=2).map(move |z| (x, z)));
    let water = pond.flat_map(|(x, z)| [-1, -2].map(|y| (x, y, z, "water")));
    let built: Vec<_> = water.collect();
    let sim = land(&built, &[worn("stone_pickaxe", 0)]);
    let (_, _, mut world) = act(sim, Action::Wait { ticks: 40 });
    let (report, _) = play(&mut world, Action::dig_down(32));
    assert_eq!(report.failure, None);
    let grid = world.simulation().unwrap().grid();
    let dug = (-30..=30).flat_map(|x| (-30..=30).map(move |z| (x, z)));
    let dug: Vec<_> = dug
        .filter(|(x, z)| grid.block(HERE.plus(*x, -1, *z)) == blocks::AIR)
        .collect();
    assert!(!dug.is_empty());
    let gap = |(x, z): &(i32, i32)| {
        let (dx, dz) = (*x - (*x).clamp(2, 6), *z - (*z).clamp(-2, 2));
        dx * dx + dz * dz
    };
    assert!(dug.iter().all(|at| gap(at) >= DRY * DRY), "{dug:?}");
}

#[test]
fn who_digs_down_in_a_cave_beside_water_digs_there() {
    let start = HERE.plus(0, -20, 0);
    let cave = (-14..3).flat_map(|x| (-1..=1).map(move |z| (x, z)));
    let cave = cave.flat_map(|(x, z)| (0..3).map(move |up| (x, up - 20, z, "air")));
    let built: Vec<_> = cave.chain([(2, -21, 0, "water")]).collect();
    let mut sim = land(&built, &[worn("stone_pickaxe", 0)]);
    sim.body_mut().at = start.floor();
    let (_, _, mut world) = act(sim, Action::Wait { ticks: 40 });
    let (_, frame) = play(&mut world, Action::dig_down(start.y - 4));
    assert!(frame.position.distance(start.floor()) < 8.0, "{frame:?}");
}

#[test]
fn what_the_plan_needs_is_built_with_last_of_all() {
    let sim = land(&[], &[some("cobblestone", 4), some("dirt", 8)]);
    let mut world = VoxelWorld::from_simulation(sim, 20);
    world.request(Request::Keep("cobblestone=4".parse().unwrap()));
    let (report, frame) = play(&mut world, Action::GoUp { y: 44 });
    assert_eq!(report.failure, None);
    assert_eq!(
        (held(&frame, "cobblestone"), held(&frame, "dirt") < 8),
        (4, true)
    );
}

/// Whether gold is found in a cave off all four ways that a tunnel may go, with this in its far corner.
fn finds_cave(told_by: &[(i32, i32, i32, &'static str)]) -> bool {
    let down = -20;
    let niche = [(0, down, 0, "air"), (0, down + 1, 0, "air")];
    let cave = (5..=9).flat_map(|x| (5..=9).map(move |z| (x, z)));
    let cave = cave.flat_map(|(x, z)| (0..3).map(move |up| (x, down + up, z, "air")));
    let ore = [(10, down + 1, 7, "gold_ore")];
    let built = niche.into_iter().chain(cave).chain(ore);
    let built: Vec<_> = built.chain(told_by.iter().copied()).collect();
    let mut sim = land(&built, &[worn("iron_pickaxe", 0)]);
    sim.body_mut().at = HERE.plus(0, down, 0).floor();
    let item = spec("gold_ore");
    let (_, report) = carries_out(sim, Action::Mine { item, count: 1 }, 1_500);
    report.is_some_and(|report| report.failure.is_none())
}

#[test]
fn a_search_below_ground_goes_to_the_cave_in_which_lava_is_heard() {
    assert!(finds_cave(&[(9, -21, 9, "lava")]));
}

#[test]
fn a_search_below_ground_goes_to_the_cave_in_which_water_runs() {
    // Out of the wall of the cave, over its floor.
    assert!(finds_cave(&[(10, -20, 9, "water")]));
    assert!(!finds_cave(&[]), "it is found without a sound, too");
}

#[test]
fn who_searches_beyond_a_river_swims_through_it() {
    const SEA_LEVEL: i32 = 62;
    // Land with a river all around, twelve blocks wide.
    let (near, far) = (16_i32, 28_i32);
    let mut sim = Simulation::with_grid(Grid::flat(SEA_LEVEL), Pos::new(0, 63, 0).floor());
    for (x, z) in (-far..=far).flat_map(|x| (-far..=far).map(move |z| (x, z))) {
        if x.abs().max(z.abs()) > near {
            for y in [SEA_LEVEL, SEA_LEVEL - 1, SEA_LEVEL - 2] {
                sim.grid_mut().set(Pos::new(x, y, z), blocks::WATER);
            }
        }
    }
    let (frames, _) = carries_out(sim, mine("carrot", 1), 900);
    let from_middle = |at: Point| at.x.abs().max(at.z.abs());
    let farthest = frames.iter().map(|frame| from_middle(frame.position));
    assert!(farthest.fold(0.0, f64::max) > f64::from(far) + 8.0);
}
