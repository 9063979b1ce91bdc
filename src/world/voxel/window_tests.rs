//! Windows: opening and closing take their ticks, and each can be kept shut or be shut from without.
//!
//! One table of the windows that belong to a block, one villager, and scripts that meet with it.

use super::controls::{AimTarget, ControlOutcome, Controls, HandAction};
use super::sim::Simulation;
use super::villagers;
use super::world::VoxelWorld;
use crate::action::{Action, ActionFailure, GuiFault};
use crate::block::{self as blocks, BlockId};
use crate::ids::ActionId;
use crate::observation::Gui;
use crate::port::{Notice, Request, World};
use crate::space::{Point, Pos};
use crate::testing::{
    HERE, block, craft, enchant, end, item, land, play, repair, smelt, some, take, trade, worn,
};
use crate::trade::Profession;

const BESIDE: Pos = HERE.plus(2, 0, 0);

/// Every window that a block opens, and a action that only it allows.
const WINDOWS: [(&str, Gui); 6] = [
    ("crafting_table", Gui::CraftingTable),
    ("furnace", Gui::Furnace),
    ("chest", Gui::Chest),
    ("enchanting_table", Gui::EnchantingTable),
    ("anvil", Gui::Anvil),
    ("grindstone", Gui::Grindstone),
];

/// A station two steps off, with wood in the pockets.
fn beside(station: &str) -> Simulation {
    let mut sim = land(&[(2, 0, 0, station)], &[some("oak_log", 4)]);
    sim.step(&Controls::default());
    sim
}

fn action(sim: &mut Simulation, action: HandAction) -> ControlOutcome {
    sim.step(&Controls {
        action: Some(action),
        ..Controls::default()
    })
}

fn open(sim: &mut Simulation) -> ControlOutcome {
    action(sim, HandAction::Open { at: BESIDE })
}

fn change(sim: &mut Simulation, at: Pos, into: BlockId) {
    sim.grid_mut().set(at, into);
}

/// Which window is open, how many were opened, how many closed.
fn state(sim: &Simulation) -> (Gui, u32, u32) {
    let window = sim.window();
    (window.gui, window.opened, window.closed)
}

fn refused(outcome: &ControlOutcome) -> bool {
    matches!(outcome, ControlOutcome::Refused(_))
}

#[test]
fn the_table_names_every_window_there_is() {
    let all = [
        Gui::Closed,
        Gui::Inventory,
        Gui::CraftingTable,
        Gui::Furnace,
        Gui::Chest,
        Gui::EnchantingTable,
        Gui::Anvil,
        Gui::Grindstone,
        Gui::Trade,
    ];
    for gui in all {
        let has_block = match gui {
            Gui::Closed | Gui::Inventory | Gui::Trade => false,
            Gui::CraftingTable | Gui::Furnace | Gui::Chest => true,
            Gui::EnchantingTable | Gui::Anvil | Gui::Grindstone => true,
        };
        assert_eq!(WINDOWS.iter().any(|(_, known)| *known == gui), has_block);
    }
    for (name, gui) in WINDOWS {
        assert_eq!(Gui::opened_by(block(name)), Some(gui));
    }
}

#[test]
fn each_window_takes_a_tick_to_open_and_one_to_close() {
    for (station, gui) in WINDOWS {
        let mut sim = beside(station);
        let begun = sim.tick();
        assert_eq!(open(&mut sim), ControlOutcome::Done);
        assert_eq!((state(&sim), sim.tick()), ((gui, 1, 0), begun + 1));
        assert!(refused(&open(&mut sim)), "{station} opens once");
        assert!(refused(&action(&mut sim, HandAction::OpenInventory)));
        let from = sim.body().at;
        let walk = Controls {
            forward: 1,
            ..Controls::default()
        };
        for _ in 0..10 {
            sim.step(&walk);
        }
        assert_eq!(sim.body().at, from, "keys go to the {station}");
        let dig = Controls {
            attack: true,
            aim: Some(AimTarget::Block(BESIDE)),
            ..Controls::default()
        };
        assert!(refused(&sim.step(&dig)));
        assert_eq!(action(&mut sim, HandAction::CloseGui), ControlOutcome::Done);
        assert_eq!(state(&sim), (Gui::Closed, 1, 1));
        assert!(refused(&action(&mut sim, HandAction::CloseGui)));
    }
    let mut sim = beside("dirt");
    assert_eq!(
        action(&mut sim, HandAction::OpenInventory),
        ControlOutcome::Done
    );
    assert_eq!(state(&sim), (Gui::Inventory, 1, 0));
    assert!(refused(&open(&mut sim)), "dirt has no window");
}

#[test]
fn what_is_walled_off_or_far_does_not_open() {
    for (station, _) in WINDOWS {
        let mut sim = beside(station);
        for y in 0..3 {
            for z in -3..=3 {
                sim.grid_mut().set(HERE.plus(1, y, z), blocks::STONE);
            }
        }
        assert!(refused(&open(&mut sim)), "{station} behind a wall");
        let mut sim = beside(station);
        let far = HERE.plus(7, 0, 0);
        sim.grid_mut().set(far, block(station));
        let at_far = HandAction::Open { at: far };
        assert!(refused(&action(&mut sim, at_far)), "{station} is far off");
        assert_eq!(state(&sim), (Gui::Closed, 0, 0));
    }
}

#[test]
fn only_the_lid_of_a_chest_is_held_down() {
    for (station, gui) in WINDOWS {
        for (above, holds) in [("stone", true), ("glass", false)] {
            let mut sim = beside(station);
            sim.grid_mut().set(BESIDE.up(), block(above));
            let stays_shut = gui == Gui::Chest && holds;
            assert_eq!(refused(&open(&mut sim)), stays_shut, "{station} {above}");
        }
    }
}

#[test]
fn a_window_shuts_when_its_station_is_gone_or_out_of_reach_or_the_body_dead() {
    let gone = |sim: &mut Simulation| change(sim, BESIDE, blocks::AIR);
    let changed = |sim: &mut Simulation| change(sim, BESIDE, blocks::STONE);
    let swept = |sim: &mut Simulation| sim.body_mut().at = HERE.plus(9, 0, 0).floor();
    let killed = |sim: &mut Simulation| {
        sim.body_mut().vitals.health = 0.5;
        sim.body_mut().vitals.air = -19;
        for y in 0..4 {
            sim.grid_mut().set(HERE.plus(0, y, 0), blocks::WATER);
        }
    };
    type Blow<'a> = (&'a str, &'a dyn Fn(&mut Simulation));
    let blows: [Blow<'_>; 4] = [
        ("gone", &gone),
        ("changed", &changed),
        ("swept off", &swept),
        ("killed", &killed),
    ];
    for (station, gui) in WINDOWS {
        for (how, blow) in blows {
            let mut sim = beside(station);
            open(&mut sim);
            assert_eq!(sim.window().gui, gui);
            blow(&mut sim);
            for _ in 0..60 {
                sim.step(&Controls::default());
                if !sim.window().gui.is_open() {
                    break;
                }
            }
            assert_eq!(state(&sim), (Gui::Closed, 1, 1), "{station}: {how}");
        }
    }
}

#[test]
fn what_was_in_a_station_that_breaks_while_open_is_not_lost() {
    let mut sim = beside("furnace");
    open(&mut sim);
    let put = HandAction::FurnacePut {
        slot: super::controls::FurnaceSlot::Input,
        item: item("oak_log").into(),
        count: 3,
    };
    assert_eq!(action(&mut sim, put), ControlOutcome::Done);
    let creeper = Point::new(BESIDE.centre().x + 1.0, BESIDE.floor().y, BESIDE.centre().z);
    sim.explode(creeper, 3.0);
    sim.step(&Controls::default());
    assert_eq!(sim.window().gui, Gui::Closed);
    let lies: u32 = sim
        .dropped()
        .iter()
        .map(|loose| loose.stack)
        .filter(|s| s.item == item("oak_log"))
        .map(|s| s.count)
        .sum();
    assert_eq!(lies + sim.body().slots.count(item("oak_log")), 4);
}

fn villager(sim: &mut Simulation, x: i32) -> u64 {
    sim.add_villager(Profession::Farmer, HERE.plus(x, 0, 0))
}

#[test]
fn a_villager_opens_its_window_only_awake_near_and_in_sight() {
    let mut sim = land(&[], &[]);
    let (mob, far) = (villager(&mut sim, 2), villager(&mut sim, 9));
    sim.step(&Controls::default());
    assert!(refused(&action(&mut sim, HandAction::UseOn { mob: far })));
    assert!(refused(&action(&mut sim, HandAction::UseOn { mob: 99 })));
    assert_eq!(
        action(&mut sim, HandAction::UseOn { mob }),
        ControlOutcome::Done
    );
    assert_eq!(state(&sim), (Gui::Trade, 1, 0));
    assert!(refused(&action(&mut sim, HandAction::OpenInventory)));
    // Night falls: it goes to sleep, and nobody wakes it.
    sim.pass_hours(12_000);
    sim.step(&Controls::default());
    assert_eq!(state(&sim), (Gui::Closed, 1, 1));
    let asleep = ControlOutcome::Refused("it is asleep");
    assert_eq!(action(&mut sim, HandAction::UseOn { mob }), asleep);
    sim.pass_hours(0);
    assert_eq!(
        action(&mut sim, HandAction::UseOn { mob }),
        ControlOutcome::Done
    );
    assert!(villagers::is_rest(23_999) && !villagers::is_rest(0));
    action(&mut sim, HandAction::CloseGui);
    for y in 0..3 {
        for z in -3..=3 {
            sim.grid_mut().set(HERE.plus(1, y, z), blocks::STONE);
        }
    }
    assert!(
        refused(&action(&mut sim, HandAction::UseOn { mob })),
        "walled off"
    );
}

#[test]
fn the_window_of_a_villager_that_dies_or_is_left_shuts() {
    for is_killed in [true, false] {
        let mut sim = land(&[], &[]);
        let mob = villager(&mut sim, 2);
        sim.step(&Controls::default());
        action(&mut sim, HandAction::UseOn { mob });
        assert_eq!(sim.window().gui, Gui::Trade);
        if is_killed {
            sim.mobs_mut().hit(mob, 100.0, HERE.floor(), 0);
        } else {
            sim.body_mut().at = HERE.plus(0, 0, 12).floor();
        }
        for _ in 0..2 {
            sim.step(&Controls::default());
        }
        assert_eq!(state(&sim), (Gui::Closed, 1, 1), "killed: {is_killed}");
        let offer = HandAction::Trade { offer: 0 };
        assert!(refused(&action(&mut sim, offer)));
    }
}

/// Plays an order, and after so many ticks something happens to the world.
fn disturbed(
    sim: Simulation,
    action: Action,
    ticks: u32,
    blow: impl Fn(&mut Simulation),
) -> Option<ActionFailure> {
    let mut world = VoxelWorld::from_simulation(sim, 20);
    let id = ActionId(1);
    world.request(Request::Act { id, action });
    for _ in 0..ticks {
        let notices = world.poll(1);
        if notices.iter().any(|n| matches!(n, Notice::Acted { .. })) {
            // Too late to be disturbed.
            return None;
        }
    }
    blow(world.simulation_mut().unwrap());
    let (report, frame) = end(&mut world, id);
    assert_eq!(frame.gui, Gui::Closed);
    report.failure
}

#[test]
fn scripts_say_that_a_window_was_kept_shut() {
    let mut sim = land(&[(5, 1, 0, "stone")], &[]);
    super::station_tests::chest_with(&mut sim, HERE.plus(5, 0, 0), &[some("bread", 3)]);
    let (report, _) = play(&mut VoxelWorld::from_simulation(sim, 20), take("bread", 1));
    let shut = |gui: &str| {
        Some(ActionFailure::GuiBlocked {
            gui: gui.to_owned(),
            fault: GuiFault::StaysShut,
        })
    };
    assert_eq!(report.failure, shut("chest"));
    // Behind walls: what comes out at night is not what is asked about here.
    let mut room = Vec::new();
    for (x, z) in (-3..=8).flat_map(|x| (-4..=4).map(move |z| (x, z))) {
        let is_wall = x == -3 || x == 8 || z == -4 || z == 4;
        let from = if is_wall { 0 } else { 3 };
        room.extend((from..=3).map(|y| (x, y, z, "stone")));
    }
    let mut sim = land(&room, &[]);
    villager(&mut sim, 4);
    sim.pass_hours(14_000);
    let (report, _) = play(
        &mut VoxelWorld::from_simulation(sim, 20),
        trade("emerald", 1),
    );
    assert_eq!(report.failure, shut("trade"));
}

#[test]
fn scripts_end_typed_when_their_station_vanishes_under_their_hands() {
    let at = HERE.plus(4, 0, 0);
    let takes_away = |sim: &mut Simulation| change(sim, at, blocks::AIR);
    let rows = [
        ("crafting_table", craft("wooden_pickaxe", 1)),
        ("furnace", smelt("iron_ingot", 8)),
        ("enchanting_table", enchant("iron_pickaxe")),
        ("anvil", repair("iron_helmet")),
    ];
    for (station, order) in rows {
        let mut failed = 0;
        for ticks in 1..60 {
            let carried = [
                some("oak_planks", 3),
                some("stick", 2),
                some("iron_ore", 8),
                some("coal", 1),
                some("lapis_lazuli", 3),
                worn("iron_pickaxe", 0),
                worn("iron_helmet", 100),
                some("iron_ingot", 3),
            ];
            let mut sim = land(&[(4, 0, 0, station)], &carried);
            sim.body_mut().experience.level = 30;
            let failure = disturbed(sim, order.clone(), ticks, takes_away);
            failed += u32::from(failure.is_some());
        }
        assert!(failed > 0, "{station}: it never mattered");
    }
}
