//! Scenes of where the feet go: past holes at a run, down onto what may fall, and through the roof of a cave.

use super::world::VoxelWorld;
use crate::action::Action;
use crate::block::{self as blocks, BlockId};
use crate::testing::{HERE, Scene, TOP, play, spec};

fn scene(built: &[(i32, i32, i32, BlockId)], carried: &[(&str, u32)]) -> VoxelWorld {
    let scene = Scene::new(carried);
    let put =
        |scene: Scene, (x, y, z, block): &(i32, i32, i32, BlockId)| scene.with(*x, *y, *z, *block);
    let mut scene = built.iter().fold(scene, put);
    // As if the land had always been so: nothing falls by itself.
    scene.sim.grid_mut().take_disturbed(&mut Vec::new());
    scene.world()
}

#[test]
fn who_runs_over_the_land_keeps_off_the_holes_beside_the_way() {
    let holes = (1..30).flat_map(|x| [x * 11 / 30 - 2, x * 11 / 30 + 2].map(|z| (x, z)));
    let holes: Vec<_> = holes
        .flat_map(|(x, z)| (1..9).map(move |down| (x, -down, z, blocks::AIR)))
        .collect();
    for holes in [&[][..], &holes] {
        let go = Action::Goto {
            at: HERE.plus(30, 0, 11),
            range: 1,
        };
        let (report, frame) = play(&mut scene(holes, &[]), go);
        assert_eq!((report.failure, frame.health), (None, 20.0));
        // 32 blocks: at a run 114 ticks, at a walk 148.
        assert!(!holes.is_empty() || report.ticks < 130, "{}", report.ticks);
    }
}

#[test]
fn who_runs_leaps_where_there_is_room_and_takes_single_steps_up_and_down_in_its_stride() {
    const FAR: i32 = 40;
    let wide = || (0..=FAR).flat_map(|x| (-3..=3).map(move |z| (x, z)));
    // Up a step for eight blocks, and down again for eight.
    let terraces = wide().filter(|(x, _)| x / 8 % 2 == 1);
    let terraces: Vec<_> = terraces.map(|(x, z)| (x, 0, z, blocks::DIRT)).collect();
    let roof: Vec<_> = wide().map(|(x, z)| (x, 2, z, blocks::GLASS)).collect();
    let beds: Vec<_> = wide().map(|(x, z)| (x, -1, z, blocks::FARMLAND)).collect();
    // There, and back over ground that is known.
    let ticks = |built: &[_]| {
        let mut world = scene(built, &[]);
        let ways = [FAR, 0].map(|x| {
            let at = HERE.plus(x, 0, 0);
            let (report, frame) = play(&mut world, Action::Goto { at, range: 1 });
            assert_eq!((report.failure, frame.health), (None, 20.0));
            report.ticks
        });
        ways[1]
    };
    // At a run 40 blocks take 143 ticks, and in leaps 113.
    let [open, roofed, field, steps] = [&[][..], &roof, &beds, &terraces].map(ticks);
    assert!(open < 130 && steps < 150, "{open} {steps}");
    assert!(roofed > open && field > open, "{roofed} {field} {open}");
}

#[test]
fn who_jumps_up_a_step_does_not_fly_into_the_gorge_behind_it() {
    const DEEP: i32 = 25;
    const WIDE: i32 = 24;
    for (step, ledge) in (6..=12).flat_map(|step| (1..=4).map(move |ledge| (step, ledge))) {
        let edge = step + ledge;
        let high = (step..edge).flat_map(|x| (-WIDE..=WIDE).map(move |z| (x, 0, z, blocks::DIRT)));
        let gorge = (edge..edge + 8).flat_map(|x| (-WIDE..=WIDE).map(move |z| (x, z)));
        let gorge = gorge.flat_map(|(x, z)| (1..=DEEP).map(move |down| (x, -down, z, blocks::AIR)));
        let built: Vec<_> = high.chain(gorge).collect();
        let at = HERE.plus(edge + 12, 0, 0);
        let (_, frame) = play(&mut scene(&built, &[]), Action::Goto { at, range: 2 });
        assert_eq!(frame.health, 20.0, "{step} {ledge}");
    }
}

#[test]
fn gravel_that_hangs_over_a_cave_is_not_stepped_on_once_it_was_dug_at() {
    const GRAVEL: i32 = 7;
    let cave = (-6..=6).flat_map(|x| (-6..=6).map(move |z| (x, z)));
    let built: Vec<_> = cave
        .flat_map(|(x, z)| {
            let open = (GRAVEL + 1..GRAVEL + 20).map(move |down| (x, -down, z, blocks::AIR));
            open.chain([(x, -GRAVEL, z, blocks::GRAVEL)])
        })
        .collect();
    let dig = Action::dig_down(TOP - 5);
    let (_, frame) = play(&mut scene(&built, &[("stone_pickaxe", 1)]), dig);
    assert_eq!(frame.position.y, f64::from(TOP - 5), "it did not fall");
}

#[test]
fn who_digs_down_into_a_cave_falls_onto_a_floor_that_is_seen_and_not_into_a_pit() {
    const ROOF: i32 = 9;
    let dig_into = |height: i32| {
        let wide = (-14..=14).flat_map(|x| (-14..=14).map(move |z| (x, z)));
        let built: Vec<_> = wide
            .flat_map(|(x, z)| (ROOF..ROOF + height).map(move |down| (x, -down, z, blocks::AIR)))
            .collect();
        let dig = Action::dig_down(TOP - 24);
        play(&mut scene(&built, &[("iron_pickaxe", 1)]), dig)
    };
    let (report, _) = dig_into(5);
    assert_eq!(report.failure, None);
    // The first hole shows the floor; nothing more of the roof is dug away.
    assert!(report.ticks < 600, "{}", report.ticks);
    let (_, frame) = dig_into(14);
    assert_eq!(frame.health, 20.0);
}

#[test]
fn a_way_past_lava_beside_the_head_is_not_planned_again_and_again() {
    const DEEP: i32 = -10;
    let stairs = [
        (0, 0),
        (1, 0),
        (2, 0),
        (0, -1),
        (1, -1),
        (-1, -1),
        (-2, -1),
        (-2, -2),
        (-3, -2),
    ];
    let stairs = stairs.map(|(up, z)| (0, DEEP + up, z, blocks::AIR));
    let built = [&stairs[..], &[(-1, DEEP + 1, -1, blocks::LAVA)]].concat();
    for (x, z) in [(-48, 0), (48, 0), (0, -48), (0, 48)] {
        let carried = [("cobblestone", 30), ("iron_pickaxe", 1)];
        let mut world = scene(&built, &carried);
        world.simulation_mut().unwrap().body_mut().at = HERE.plus(0, DEEP, 0).floor();
        let at = HERE.plus(x, DEEP, z);
        let (report, frame) = play(&mut world, Action::Goto { at, range: 24 });
        assert_eq!((report.failure, frame.health), (None, 20.0), "{at}");
    }
}

#[test]
fn who_stands_on_a_single_stone_over_a_gorge_gets_off_it_over_planks() {
    const WIDE: i32 = 6;
    let gorge = (-WIDE..=WIDE).flat_map(|x| (-WIDE..=WIDE).map(move |z| (x, z)));
    let gorge = gorge.filter(|place| *place != (0, 0));
    let built: Vec<_> = gorge
        .flat_map(|(x, z)| (1..=TOP - 2).map(move |down| (x, -down, z, blocks::AIR)))
        .chain((2..=TOP - 2).map(|down| (0, -down, 0, blocks::AIR)))
        .collect();
    let go = || Action::Goto {
        at: HERE.plus(20, 0, 0),
        range: 2,
    };
    let mut world = scene(&built, &[("oak_planks", 9)]);
    // At first they are kept.
    assert!(play(&mut world, go()).0.failure.is_some());
    play(&mut world, go());
    let (report, frame) = play(&mut world, go());
    assert!(report.failure.is_none(), "{report:?}");
    let planks = frame.inventory.count(spec("oak_planks"));
    assert!(
        planks < 9 && frame.health == 20.0,
        "{planks} {report:?} {:?}",
        frame.health
    );
    let (report, frame) = play(&mut scene(&built, &[]), go());
    assert!(report.failure.is_some() && frame.health == 20.0);
}

#[test]
fn who_swims_under_a_roof_turns_back_while_the_breath_lasts() {
    // A passage full of water below bedrock, far longer than a breath; the body stands over its mouth.
    const LONG: i32 = 60;
    let rock = (-2..=LONG + 2).flat_map(|x| (-2..=2).map(move |z| (x, z)));
    let rock = rock.flat_map(|(x, z)| (-4..=3).map(move |y| (x, y, z, blocks::BEDROCK)));
    let ends = [0, LONG].map(|x| [(x, 0, 0, blocks::AIR), (x, 1, 0, blocks::AIR)]);
    let water = (0..=LONG).flat_map(|x| [-1, -2].map(|y| (x, y, 0, blocks::WATER)));
    let built: Vec<_> = rock
        .chain(ends.into_iter().flatten())
        .chain(water)
        .collect();
    let mut world = scene(&built, &[]);
    let vitals = &mut world.simulation_mut().unwrap().body_mut().vitals;
    (vitals.hunger, vitals.saturation) = (10, 0.0);
    let at = HERE.plus(LONG, 0, 0);
    let (report, frame) = play(&mut world, Action::Goto { at, range: 1 });
    assert!(report.failure.is_some());
    assert_eq!(frame.health, 20.0);
}

#[test]
fn who_digs_up_looks_before_jumping_to_where_lava_hangs() {
    const HIGH: i32 = 12;
    const LAVA: i32 = 5;
    let wide = (-3..=3).flat_map(|x| (-3..=3).map(move |z| (x, z)));
    let rock = wide.flat_map(|(x, z)| (0..HIGH).map(move |y| (x, y, z, blocks::STONE)));
    let mut built: Vec<_> = rock.collect();
    built.extend([0, 1].map(|y| (0, y, 0, blocks::AIR)));
    built.push((0, LAVA, 0, blocks::LAVA));
    let carried = [("stone_pickaxe", 1), ("cobblestone", 32)];
    let mut world = scene(&built, &carried);
    let up = Action::GoUp { y: HERE.y + HIGH };
    let (report, frame) = play(&mut world, up);
    assert_eq!((report.failure, frame.health), (None, 20.0));
}
