//! Clicking: the right button on blocks and living things, the rod, the bed, and what is conserved.

use super::super::body::fishing_line::Float;
use super::super::controls::{ControlOutcome, Controls, HandAction};
use super::super::sim::Simulation;
use super::{HERE, action, dig, held, hold, idle, item, scene};
use crate::block as blocks;
use crate::counts::Counts;
use crate::mob::MobKind;
use crate::rng::Rng;
use crate::space::{Facing, Pos};

const BESIDE: Pos = HERE.plus(2, 0, 0);

fn click(sim: &mut Simulation, at: Pos) -> ControlOutcome {
    action(sim, HandAction::Use { at: Some(at) })
}

fn take(sim: &mut Simulation, name: &str) {
    sim.give(item(name), 1);
    assert_eq!(
        action(sim, HandAction::Hold { item: item(name) }),
        ControlOutcome::Done
    );
}

fn refused(outcome: &ControlOutcome) -> bool {
    matches!(outcome, ControlOutcome::Refused(_))
}

#[test]
fn tilled_ground_bears_a_crop_that_gives_its_harvest_only_when_ripe() {
    for (stage, wheat) in [(0, 0), (6, 0), (7, 1)] {
        let mut sim = scene();
        take(&mut sim, "wooden_hoe");
        let soil = BESIDE.down();
        assert_eq!(click(&mut sim, soil), ControlOutcome::Done);
        assert_eq!(sim.grid().block(soil), blocks::FARMLAND);
        assert!(refused(&click(&mut sim, soil)), "it is tilled already");
        take(&mut sim, "wheat_seeds");
        let side = Facing::Up;
        let against = soil;
        assert_eq!(
            action(&mut sim, HandAction::Place { against, side }),
            ControlOutcome::Done
        );
        assert_eq!(
            (sim.grid().block(BESIDE), held(&sim, "wheat_seeds")),
            (blocks::WHEAT, 0)
        );
        sim.grid_mut().set_stage(BESIDE, Some(stage));
        dig(&mut sim, BESIDE).unwrap();
        let fell = |name: &str| {
            let loose = sim.dropped().iter().filter(|d| d.stack.item == item(name));
            loose.map(|d| d.stack.count).sum::<u32>()
        };
        assert_eq!(fell("wheat"), wheat, "stage {stage}");
        assert!(stage == 7 || fell("wheat_seeds") == 1, "stage {stage}");
    }
}

#[test]
fn seeds_want_tilled_ground() {
    let mut sim = scene();
    take(&mut sim, "wheat_seeds");
    let (against, side) = (BESIDE.down(), Facing::Up);
    assert!(refused(&action(
        &mut sim,
        HandAction::Place { against, side }
    )));
    assert_eq!(held(&sim, "wheat_seeds"), 1);
}

#[test]
fn bone_meal_is_spent_only_where_it_is_of_use() {
    let mut sim = scene();
    take(&mut sim, "bone_meal");
    sim.grid_mut().set(BESIDE, blocks::STONE);
    assert!(refused(&click(&mut sim, BESIDE)));
    assert_eq!(held(&sim, "bone_meal"), 1);
    sim.grid_mut().set(BESIDE, blocks::OAK_SAPLING);
    assert_eq!(click(&mut sim, BESIDE), ControlOutcome::Done);
    assert_eq!(held(&sim, "bone_meal"), 0);
}

#[test]
fn a_path_is_trodden_fire_lit_and_cake_eaten() {
    let mut sim = scene();
    take(&mut sim, "iron_shovel");
    assert_eq!(click(&mut sim, BESIDE.down()), ControlOutcome::Done);
    assert_eq!(sim.grid().block(BESIDE.down()), blocks::GRASS_PATH);
    take(&mut sim, "flint_and_steel");
    let ground = HERE.plus(-2, -1, 0);
    assert_eq!(click(&mut sim, ground), ControlOutcome::Done);
    assert_eq!(sim.grid().block(ground.up()), blocks::FIRE);
    let cake = HERE.plus(0, 0, 2);
    sim.grid_mut().set(cake, "cake".parse().unwrap());
    assert!(refused(&click(&mut sim, cake)), "not hungry");
    for slice in 1..=7 {
        sim.body_mut().vitals.hunger = 10;
        assert_eq!(click(&mut sim, cake), ControlOutcome::Done, "slice {slice}");
        assert_eq!(sim.body().vitals.hunger, 12);
    }
    assert_eq!(sim.grid().block(cake), blocks::AIR);
}

#[test]
fn living_things_give_once_and_only_within_reach() {
    let mut sim = scene();
    let near = sim.mobs_mut().add(MobKind::Sheep, BESIDE.floor());
    let far = sim
        .mobs_mut()
        .add(MobKind::Sheep, HERE.plus(6, 0, 0).floor());
    take(&mut sim, "shears");
    assert!(refused(&action(&mut sim, HandAction::UseOn { mob: far })));
    assert_eq!(
        action(&mut sim, HandAction::UseOn { mob: near }),
        ControlOutcome::Done
    );
    assert!(
        refused(&action(&mut sim, HandAction::UseOn { mob: near })),
        "it is shorn"
    );
    let wool: u32 = sim.dropped().iter().map(|d| d.stack.count).sum();
    assert!((1..=3).contains(&wool));
    assert_eq!(sim.body().slots.held().map(|stack| stack.damage), Some(1));
}

/// An angler at a pond, and the keys to look at it and to cast.
fn angler() -> (Simulation, Controls, Controls) {
    let mut sim = scene();
    for (x, z) in (-3..=3).flat_map(|z| (2..=8).map(move |x| (x, z))) {
        for y in [-1, -2] {
            sim.grid_mut().set(HERE.plus(x, y, z), blocks::WATER);
        }
    }
    idle(&mut sim, 10);
    take(&mut sim, "fishing_rod");
    let aim = Controls {
        yaw: -90.0,
        pitch: 25.0,
        ..Controls::default()
    };
    let cast = Controls {
        action: Some(HandAction::Use { at: None }),
        ..aim
    };
    (sim, aim, cast)
}

/// Casts and waits for the bite; the ticks it took.
fn bite(sim: &mut Simulation, aim: &Controls, cast: &Controls) -> u32 {
    sim.step(cast);
    let bites = |_: &u32| {
        sim.step(aim);
        matches!(sim.bobber().unwrap().float, Float::Bitten { .. })
    };
    (1..2_000).find(bites).unwrap()
}

#[test]
fn lure_shortens_the_wait_and_a_catch_teaches() {
    let (mut sim, aim, cast) = angler();
    let selected = sim.body().slots.selected;
    let rod = sim.body_mut().slots.stacks[selected].as_mut().unwrap();
    rod.extra.enchants = rod.extra.enchants.with("lure".parse().unwrap(), 3);
    for catch in 1..=6 {
        let waited = bite(&mut sim, &aim, &cast);
        assert!(
            waited <= 300 + 80 + 40,
            "a plain rod waits up to 600: {waited}"
        );
        sim.step(&cast);
        let learnt = sim.body().experience;
        assert!(learnt.level * 7 + learnt.points >= catch, "{learnt:?}");
    }
}

#[test]
fn the_hook_holds_only_while_the_fish_bites() {
    let (mut sim, aim, cast) = angler();
    assert_eq!(sim.step(&cast), ControlOutcome::Done);
    hold(&mut sim, &aim, 30);
    assert!(matches!(sim.bobber().unwrap().float, Float::Waiting { .. }));
    assert_eq!(sim.step(&cast), ControlOutcome::Done);
    assert!(sim.bobber().is_none() && sim.dropped().is_empty());
    assert_eq!(sim.body().slots.held().map(|stack| stack.damage), Some(0));
    let waited = bite(&mut sim, &aim, &cast);
    // Five to thirty seconds of waiting, then the nibbling.
    assert!((120..=720).contains(&waited), "{waited}");
    sim.step(&cast);
    assert_eq!(sim.dropped().len(), 1);
    assert_eq!(sim.body().slots.held().map(|stack| stack.damage), Some(1));
    hold(&mut sim, &aim, 40);
    assert!(sim.dropped().is_empty(), "it flies to the angler");
    assert!(sim.body().slots.counts().total() >= 2);
}

#[test]
fn one_sleeps_at_night_undisturbed() {
    let mut sim = scene();
    sim.grid_mut().set(BESIDE, "red_bed".parse().unwrap());
    assert_eq!(
        click(&mut sim, BESIDE),
        ControlOutcome::Refused("the body can sleep only at night")
    );
    sim.pass_hours(13_000);
    let zombie = sim
        .mobs_mut()
        .add(MobKind::Zombie, HERE.plus(-6, 0, 0).floor());
    assert_eq!(
        click(&mut sim, BESIDE),
        ControlOutcome::Refused("there are monsters nearby")
    );
    while sim.mobs().get(zombie).is_some() {
        sim.mobs_mut().hit(zombie, 100.0, HERE.floor(), 0);
        sim.body_mut().vitals.health = 20.0;
        idle(&mut sim, 1);
    }
    assert_eq!(click(&mut sim, BESIDE), ControlOutcome::Done);
    idle(&mut sim, 50);
    assert!(sim.is_asleep());
    let forward = Controls {
        forward: 1,
        ..Controls::default()
    };
    sim.step(&forward);
    assert!(
        !sim.is_asleep() && sim.time_of_day() > 13_000,
        "a key wakes"
    );
    assert_eq!(click(&mut sim, BESIDE), ControlOutcome::Done);
    idle(&mut sim, 100);
    assert!(
        !sim.is_asleep() && sim.time_of_day() < 20,
        "{}",
        sim.time_of_day()
    );
}

/// What there is of each thing, carried or lying about.
fn all(sim: &Simulation) -> Counts {
    let mut all = sim.body().slots.counts();
    for loose in sim.dropped() {
        all.add(loose.stack.item, loose.stack.count);
    }
    all
}

/// What may come of one click besides what is used up.
fn may_come(name: &str) -> bool {
    let filled = [
        "milk_bucket",
        "water_bucket",
        "bucket",
        "mushroom_stew",
        "potion",
    ];
    let grown = ["red_mushroom", "pumpkin_seeds", "sweet_berries"];
    filled.contains(&name) || grown.contains(&name) || name.ends_with("_wool")
}

#[test]
fn clicks_create_nothing_but_what_the_rules_say() {
    let kinds = [
        MobKind::Sheep,
        MobKind::Cow,
        MobKind::Mooshroom,
        MobKind::Pig,
    ];
    let things = [
        "shears",
        "bucket",
        "bowl",
        "bone_meal",
        "wheat_seeds",
        "wheat",
        "carrot",
        "iron_hoe",
        "iron_axe",
        "iron_shovel",
        "glass_bottle",
        "lime_dye",
        "red_dye",
        "snowball",
    ];
    let mut sim = scene();
    for (n, kind) in kinds.into_iter().enumerate() {
        sim.mobs_mut()
            .add(kind, HERE.plus(n as i32 - 2, 0, 2).floor());
    }
    for (x, name) in [
        (-2, "pumpkin"),
        (-1, "oak_log"),
        (0, "sweet_berry_bush"),
        (1, "water"),
        (2, "oak_sapling"),
    ] {
        sim.grid_mut()
            .set(HERE.plus(x, 0, -2), name.parse().unwrap());
    }
    for name in things {
        sim.give(item(name), item(name).facts().stack_max.min(16));
    }
    let mut rng = Rng::new(11);
    for tick in 0..6_000 {
        let thing = item(things[rng.below(things.len() as u64) as usize]);
        action(&mut sim, HandAction::Hold { item: thing });
        let held = sim.body().held();
        let mut span = |span: i64| rng.between(-span, span) as i32;
        let at = HERE.plus(span(2), span(1), span(2));
        let click = if rng.chance(0.5) {
            HandAction::Use { at: Some(at) }
        } else {
            let mob = 1 + rng.below(4);
            HandAction::UseOn { mob }
        };
        let before = all(&sim);
        let outcome = action(&mut sim, click);
        let came = all(&sim).delta(&before);
        for (what, by) in came {
            let fair = by < 0 && Some(what) == held || by > 0 && may_come(what.name());
            assert!(
                outcome == ControlOutcome::Done && fair,
                "tick {tick}: {by} {what} by {held:?}"
            );
        }
        sim.body_mut().vitals = super::super::body::vitals::Vitals::default();
    }
}
