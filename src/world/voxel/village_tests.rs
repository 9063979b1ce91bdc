//! What enchantments change, a whole village, and works cancelled: the second half of the scenes of stations.
//!
//! Invariant tested: the same twice, nothing lost at any tick.

use super::controls::{AimTarget, ControlOutcome, Controls};
use super::grid::Grid;
use super::sim::Simulation;
use super::station_tests::{act, farmer, learn, library, offer};
use super::world::VoxelWorld;
use crate::action::{Action, Target};
use crate::enchanting::book_of;
use crate::feat::Feat;
use crate::ids::ActionId;
use crate::mob::MobKind;
use crate::observation::Gui;
use crate::port::{Notice, Request, World};
use crate::space::Pos;
use crate::testing::{HERE, block, enchant, item, land, some, trade, worn};
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
        let (_, found) = super::find::villages(7, Some(Profession::Farmer), 1);
        let middle = found[0].middle;
        let mut grid = Grid::new(7);
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

#[test]
fn an_explorer_looks_for_villagers_like_for_any_mob() {
    let mut sim = land(&[], &[]);
    farmer(&mut sim);
    let targets = vec![Target::Mob(MobKind::Villager)];
    let (report, frame, _) = act(sim, Action::Explore { targets });
    assert_eq!(report.failure, None);
    assert!(frame.mobs.iter().any(|mob| mob.kind == MobKind::Villager));
}
