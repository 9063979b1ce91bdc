//! What enchantments change, a whole village, and works cancelled: the second half of the scenes of stations.
//!
//! Invariant tested: the same twice, nothing lost at any tick.

use super::controls::{AimTarget, ControlOutcome, Controls};
use super::grid::Grid;
use super::sim::Simulation;
use super::station_tests::{act, farmer, learn, library, offer};
use super::world::VoxelWorld;
use crate::action::{Action, ActionFailure, Target};
use crate::enchanting::book_of;
use crate::feat::Feat;
use crate::ids::ActionId;
use crate::mob::MobKind;
use crate::observation::{Gui, Pause};
use crate::port::{Notice, Request, World};
use crate::space::Pos;
use crate::testing::{HERE, block, enchant, held, item, land, play, some, trade, worn};
use crate::trade::Profession;

fn mine_with(enchantment: Option<(&str, u8)>, target: &str, seed_digs: u32) -> Simulation {
    let mut pick = worn("diamond_pickaxe", 0);
    if let Some((name, level)) = enchantment {
        pick.extra = book_of(name.parse().unwrap(), level).unwrap().extra;
    }
    let mut sim = land(&[], &[pick]);
    let at = HERE.plus(1, 0, 0);
    sim.step(&Controls::default());
    for _ in 0..seed_digs {
        sim.grid_mut().set(at, block(target));
        let controls = Controls {
            attack: true,
            aim: Some(AimTarget::Block(at)),
            ..Controls::default()
        };
        while !matches!(sim.step(&controls), ControlOutcome::Broke(..)) {}
    }
    sim
}

#[test]
fn enchantments_change_what_digging_takes_gives_and_wears() {
    let lies = |sim: &Simulation, name: &str| {
        let loose = sim.dropped().iter().filter(|d| d.stack.item.name() == name);
        loose.map(|d| d.stack.count).sum::<u32>() + sim.body().slots.count(item(name))
    };
    let plain = mine_with(None, "diamond_ore", 20);
    assert_eq!(lies(&plain, "diamond"), 20);
    assert!(plain.body().experience.level >= 5, "diamonds teach");
    let silk = mine_with(Some(("silk_touch", 1)), "diamond_ore", 20);
    assert_eq!(
        (lies(&silk, "diamond"), lies(&silk, "diamond_ore")),
        (0, 20)
    );
    assert_eq!(silk.body().experience.level, 0);
    assert!(
        lies(
            &mine_with(Some(("fortune", 3)), "diamond_ore", 20),
            "diamond"
        ) > 26
    );
    let quick = mine_with(Some(("efficiency", 5)), "diamond_ore", 20);
    assert!(
        quick.tick() * 2 < plain.tick(),
        "{} {}",
        quick.tick(),
        plain.tick()
    );
    let damage = |sim: &Simulation| sim.body().slots.stacks[0].unwrap().damage;
    let lasting = mine_with(Some(("unbreaking", 3)), "stone", 60);
    assert!((4..30).contains(&damage(&lasting)), "{}", damage(&lasting));
}

#[test]
fn a_village_of_the_land_trades_and_is_the_same_twice() {
    let play = || {
        let (_, found) = super::find::villages(8, Some(Profession::Farmer), 1);
        let middle = found[0].middle;
        let mut grid = Grid::new(8);
        grid.ensure_around(middle, 1);
        let start = Pos::new(
            middle.x + 3,
            grid.height(middle.x + 3, middle.z) + 1,
            middle.z,
        );
        let mut sim = Simulation::with_grid(grid, start.floor());
        let farmers: Vec<u64> = sim
            .villagers()
            .iter()
            .filter(|(_, one)| one.profession == Profession::Farmer)
            .map(|(mob, _)| mob)
            .collect();
        let (price, _) = offer(&sim, farmers[0], |_| true);
        sim.give(price.0, 64);
        sim.give(item("emerald"), 9);
        let (_, goods) = offer(&sim, farmers[0], |_| true);
        let (report, frame, world) = act(sim, trade(goods.item.name(), 1));
        let traded = frame.feats.count(Feat::Traded, goods.item);
        (
            report.failure,
            traded > 0,
            world.simulation().unwrap().checksum(),
        )
    };
    let (failure, traded, sum) = play();
    assert_eq!((failure, traded), (None, true));
    assert_eq!(play().2, sum);
}

#[test]
fn an_action_called_off_at_any_tick_leaves_a_closed_window_and_all_things() {
    for ticks in 1..60 {
        let mut sim = land(
            &library(),
            &[worn("iron_sword", 0), some("lapis_lazuli", 3)],
        );
        learn(&mut sim, 30);
        let mut world = VoxelWorld::from_simulation(sim, 20);
        world.request(Request::Act {
            id: ActionId(1),
            action: enchant("iron_sword"),
        });
        let mut ended = false;
        for _ in 0..ticks {
            let notices = world.poll(1);
            ended |= notices.iter().any(|n| matches!(n, Notice::Acted { .. }));
        }
        if !ended {
            world.request(Request::Cancel { id: ActionId(1) });
            while !world
                .poll(10)
                .iter()
                .any(|n| matches!(n, Notice::Acted { .. }))
            {}
        }
        let sim = world.simulation().unwrap();
        let slots = &sim.body().slots;
        assert_eq!(
            (sim.window().gui, slots.count(item("iron_sword"))),
            (Gui::Closed, 1)
        );
        let spent = 3 - slots.count(item("lapis_lazuli"));
        assert_eq!(
            30 - sim.body().experience.level,
            spent,
            "after {ticks} ticks"
        );
    }
}

/// The price in such things that a villager takes for an emerald, if it does.
fn price_in(sim: &Simulation, mob: u64, pays: &str) -> Option<u32> {
    let deals = sim.villagers().get(mob).unwrap().deals();
    let mut deals = deals
        .iter()
        .filter(|deal| deal.terms.get.item == item("emerald"));
    deals.find_map(|deal| {
        let mut price = deal.price();
        price
            .find(|(needs, _)| *needs == item(pays))
            .map(|(_, count)| count)
    })
}

/// A villager of this profession who takes such things for emeralds, so many blocks to the east or a few more; its price.
fn buyer(sim: &mut Simulation, who: Profession, pays: &str, from: i32) -> u32 {
    for x in from..from + 20 {
        let home = HERE.plus(x, 0, 0);
        let mut trial = land(&[], &[]);
        let mob = trial.add_villager(who, home);
        if price_in(&trial, mob, pays).is_some() {
            let mob = sim.add_villager(who, home);
            return price_in(sim, mob, pays).unwrap();
        }
    }
    panic!("no {who} takes {pays}");
}

#[test]
fn who_cannot_pay_asks_for_what_is_dug_before_what_is_hunted() {
    let mut sim = land(&[], &[]);
    let coal = buyer(&mut sim, Profession::Toolsmith, "coal", 3);
    buyer(&mut sim, Profession::Leatherworker, "leather", 8);
    let (report, _, _) = act(sim, trade("emerald", 2));
    let Some(ActionFailure::MissingIngredient { needs, need, .. }) = report.failure else {
        panic!("{report:?}");
    };
    assert_eq!((needs, need), (item("coal").into(), 2 * coal));
}

#[test]
fn who_stands_behind_glass_is_come_near_to() {
    let (pen, walls) = ((6, 2), [(5, 2), (7, 2), (6, 1), (6, 3)]);
    let glass = |(x, z): (i32, i32)| [0, 1].map(|y| (x, y, z, "glass"));
    let mut sim = land(&walls.map(glass).concat(), &[]);
    let mob = sim.add_villager(Profession::Farmer, HERE.plus(pen.0, 0, pen.1));
    let (price, goods) = offer(&sim, mob, |name| name == "emerald");
    sim.give(price.0, price.1);
    let (report, frame, _) = act(sim, trade("emerald", 1));
    assert_eq!(
        (report.failure, held(&frame, "emerald")),
        (None, goods.count)
    );
}

#[test]
fn who_comes_with_the_price_goes_back_to_where_it_was_asked() {
    let mut sim = land(&[], &[]);
    let coal = buyer(&mut sim, Profession::Toolsmith, "coal", 3);
    let mut world = VoxelWorld::from_simulation(sim, 20);
    let (report, _) = play(&mut world, trade("emerald", 1));
    assert!(report.failure.is_some());
    let away = Action::Goto {
        at: HERE.plus(-90, 0, 0),
        range: 4,
    };
    let (report, _) = play(&mut world, away);
    assert_eq!(report.failure, None);
    world.simulation_mut().unwrap().give(item("coal"), coal);
    let (report, frame) = play(&mut world, trade("emerald", 1));
    assert_eq!((report.failure, held(&frame, "emerald")), (None, 1));
    assert!(report.ticks < 1_000, "{} ticks", report.ticks);
}

#[test]
fn who_comes_at_dusk_waits_and_sleeps_in_the_own_bed_and_trades_in_the_morning() {
    const DUSK: u32 = 12_100;
    // Where the villagers sleep.
    let beds = [9, 12].map(|x| (x, 0, 3, "white_bed"));
    let mut sim = land(&beds, &[some("red_bed", 1)]);
    let coal = buyer(&mut sim, Profession::Toolsmith, "coal", 2);
    sim.give(item("coal"), coal);
    sim.pass_hours(DUSK);
    let mut world = VoxelWorld::from_simulation(sim, 20);
    let id = ActionId(1);
    let action = trade("emerald", 1);
    world.request(Request::Act { id, action });
    let (mut waited, mut report) = (0, None);
    while report.is_none() {
        for notice in world.poll(20) {
            match notice {
                Notice::Frame(frame) => waited += u32::from(frame.pause == Some(Pause::Night)),
                Notice::Acted { report: end, .. } => report = Some(end),
                _ => {}
            }
        }
    }
    assert_eq!(report.unwrap().failure, None);
    assert!(waited > 10, "{waited} frames of waiting for the night");
    let body = world.simulation().unwrap().body();
    assert_eq!(body.slots.count(item("red_bed")), 1);
    assert!(body.at.distance_flat(HERE.floor()) < 7.0, "{:?}", body.at);
}

#[test]
fn an_explorer_looks_for_villagers_like_for_any_mob() {
    let mut sim = land(&[], &[]);
    farmer(&mut sim);
    let targets = vec![Target::Mob(MobKind::Villager)];
    let (report, frame, _) = act(sim, Action::Explore { targets });
    assert_eq!(report.failure, None);
    assert!(frame.mobs.iter().any(|mob| mob.kind == MobKind::Villager));
}
