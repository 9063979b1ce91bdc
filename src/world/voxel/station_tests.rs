//! Scenes of stations, chests, villagers: played through the World port, by the rules, with nothing from nowhere.

use super::controls::{ControlOutcome, Controls, HandAction};
use super::sim::Simulation;
use super::world::VoxelWorld;
use crate::action::{Action, ActionFailure, ActionReport, GuiFault};
use crate::block as blocks;
use crate::enchanting::book_of;
use crate::extra::Colour;
use crate::feat::Feat;
use crate::inventory::Stack;
use crate::item::ItemId;
use crate::observation::{Frame, Gui};
use crate::port::World;
use crate::space::Pos;
use crate::testing::{
    HERE, enchant, held, item, land, play, repair, some, spec, take, trade, worn,
};
use crate::trade::Profession;

pub(super) fn act(sim: Simulation, action: Action) -> (ActionReport, Frame, VoxelWorld) {
    let mut world = VoxelWorld::from_simulation(sim, 20);
    let (report, frame) = play(&mut world, action);
    (report, frame, world)
}

fn action(sim: &mut Simulation, action: &HandAction) -> ControlOutcome {
    let mut outcome = ControlOutcome::Working;
    for _ in 0..8 {
        outcome = sim.step(&Controls {
            action: Some(action.clone()),
            ..Controls::default()
        });
        if outcome != ControlOutcome::Working {
            break;
        }
    }
    outcome
}

pub(super) fn chest_with(sim: &mut Simulation, at: Pos, stacks: &[Stack]) {
    sim.grid_mut().set(at, blocks::CHEST);
    for stack in stacks {
        let chest = sim.chests.entry(at).or_default();
        assert_eq!(chest.slots.add(*stack), None);
    }
}

#[test]
fn loot_is_taken_from_chest_to_chest_and_no_more_than_wanted() {
    let mut sim = land(&[], &[]);
    chest_with(
        &mut sim,
        HERE.plus(5, 0, 0),
        &[some("bread", 3), some("bone", 9)],
    );
    chest_with(&mut sim, HERE.plus(-5, 0, 3), &[some("bread", 4)]);
    let (report, frame, world) = act(sim, take("bread", 5));
    assert_eq!((report.failure, held(&frame, "bread")), (None, 5));
    assert_eq!((held(&frame, "bone"), frame.gui), (0, Gui::Closed));
    assert_eq!(frame.feats.count(Feat::Looted, item("bread")), 5);
    let sim = world.simulation().unwrap();
    let left: u32 = sim.chests.values().map(super::chest::Chest::items).sum();
    assert_eq!(left, 9 + 7 - 5);
}

#[test]
fn a_lid_that_is_held_down_blocks_the_window() {
    let mut sim = land(&[(5, 1, 0, "stone")], &[]);
    chest_with(&mut sim, HERE.plus(5, 0, 0), &[some("bread", 3)]);
    let (report, frame, _) = act(sim, take("bread", 1));
    let gui = "chest".to_owned();
    let fault = GuiFault::StaysShut;
    let failure = report.failure.unwrap();
    assert_eq!(failure, ActionFailure::GuiBlocked { gui, fault });
    assert_eq!(failure.to_string(), "the chest window does not open");
    let old = serde_json::from_str::<ActionFailure>(r#"{"why":"gui_blocked","gui":"chest"}"#);
    assert_eq!(old.unwrap().to_string(), "the chest window stays open");
    assert_eq!(held(&frame, "bread"), 0);
}

#[test]
fn what_is_put_away_is_in_the_chest_that_was_carried() {
    let sim = land(&[], &[some("chest", 1), some("cobblestone", 70)]);
    let put = Action::Put {
        item: spec("cobblestone"),
        count: 66,
    };
    let (report, frame, world) = act(sim, put);
    assert_eq!((report.failure, held(&frame, "cobblestone")), (None, 4));
    let sim = world.simulation().unwrap();
    assert_eq!(sim.chests.values().next().unwrap().items(), 66);
}

pub(super) fn farmer(sim: &mut Simulation) -> u64 {
    sim.add_villager(Profession::Farmer, HERE.plus(6, 0, 2))
}

/// What the villager asks and gives, of the first offer that fits.
pub(super) fn offer(
    sim: &Simulation,
    mob: u64,
    fits: impl Fn(&str) -> bool,
) -> ((ItemId, u32), Stack) {
    let deals = sim.villagers().get(mob).unwrap().deals().to_vec();
    let deal = deals.iter().find(|deal| fits(deal.terms.get.item.name()));
    let deal = deal.unwrap_or_else(|| panic!("{deals:?}"));
    (deal.price().next().unwrap(), deal.terms.get)
}

#[test]
fn a_farmer_buys_the_harvest_and_teaches_a_little() {
    let mut sim = land(&[], &[]);
    let mob = farmer(&mut sim);
    let ((asked, count), _) = offer(&sim, mob, |name| name == "emerald");
    for _ in 0..3 {
        sim.give(asked, count);
    }
    let (report, frame, mut world) = act(sim, trade("emerald", 2));
    assert_eq!((report.failure, held(&frame, "emerald")), (None, 2));
    assert_eq!(frame.inventory.count(asked), count);
    assert_eq!(frame.feats.count(Feat::Traded, item("emerald")), 2);
    // The orbs come over from the farmer.
    World::poll(&mut world, 60);
    let learnt = world.simulation().unwrap().body().experience;
    assert!(learnt.points + learnt.level * 7 >= 6);
    assert!(world.simulation().unwrap().villagers().get(mob).is_some());
}

#[test]
fn offers_run_out_and_come_back_after_work_at_a_higher_price() {
    let mut sim = land(&[], &[]);
    let mob = sim.add_villager(Profession::Farmer, HERE.plus(2, 0, 0));
    let ((asked, count), _) = offer(&sim, mob, |name| name == "emerald");
    let at = sim.villagers().get(mob).unwrap().deals();
    let number = at
        .iter()
        .position(|deal| deal.price().next() == Some((asked, count)));
    let number = number.unwrap();
    assert_eq!(
        action(&mut sim, &HandAction::UseOn { mob }),
        ControlOutcome::Done
    );
    for n in 0..16 {
        sim.body_mut().slots = crate::inventory::Slots::default();
        sim.give(asked, count);
        let outcome = action(&mut sim, &HandAction::Trade { offer: number });
        assert_eq!(outcome, ControlOutcome::Done, "exchange {n}");
    }
    sim.give(asked, 64);
    let used_up = ControlOutcome::Refused("that offer is used up");
    assert_eq!(
        action(&mut sim, &HandAction::Trade { offer: number }),
        used_up
    );
    let before = sim.checksum();
    for _ in 0..24_000 {
        sim.step(&Controls::default());
    }
    assert_ne!(sim.checksum(), before);
    let deal = sim.villagers().get(mob).unwrap().deals()[number];
    assert_eq!(deal.left(), deal.terms.uses);
    assert!(sim.villagers().get(mob).unwrap().rank > 1, "it has learnt");
}

#[test]
fn what_cannot_be_paid_is_named() {
    let mut sim = land(&[], &[]);
    let mob = farmer(&mut sim);
    let goods = |name: &str| name != "emerald";
    let deals = sim.villagers().get(mob).unwrap().deals().to_vec();
    let Some(deal) = deals.iter().find(|deal| goods(deal.terms.get.item.name())) else {
        // This farmer only buys; then the emerald is what cannot be paid for.
        let (report, ..) = act(sim, trade("emerald", 1));
        assert!(matches!(
            report.failure,
            Some(ActionFailure::MissingIngredient { .. })
        ));
        return;
    };
    let name = deal.terms.get.item.name();
    let (report, frame, _) = act(sim, trade(name, 1));
    let needs = spec("emerald");
    assert!(
        matches!(report.failure, Some(ActionFailure::MissingIngredient { needs: n, have: 0, .. }) if n == needs),
        "{:?}",
        report.failure
    );
    assert_eq!(frame.gui, Gui::Closed);
}

#[test]
fn nobody_sells_iron() {
    let (report, ..) = act(land(&[], &[]), trade("iron_ingot", 1));
    assert!(matches!(
        report.failure,
        Some(ActionFailure::Invalid { .. })
    ));
}

/// A table in the middle of a full room of bookshelves.
pub(super) fn library() -> Vec<(i32, i32, i32, &'static str)> {
    let ring = (-2..=2).flat_map(|x| (-2_i32..=2).map(move |z| (x, z)));
    let shelves = ring.filter(|(x, z): &(i32, i32)| x.abs().max(z.abs()) == 2);
    // The side towards the body stays open.
    let shelves = shelves.filter(|(x, _)| *x > -2);
    let mut built: Vec<_> = shelves
        .flat_map(|(x, z)| (0..2).map(move |y| (x + 4, y, z, "bookshelf")))
        .collect();
    built.push((4, 0, 0, "enchanting_table"));
    built
}

pub(super) fn learn(sim: &mut Simulation, level: u32) {
    sim.body_mut().experience.level = level;
}

#[test]
fn a_table_enchants_for_levels_and_lapis() {
    let mut sim = land(
        &library(),
        &[worn("iron_pickaxe", 0), some("lapis_lazuli", 5)],
    );
    learn(&mut sim, 30);
    let (report, frame, world) = act(sim, enchant("iron_pickaxe"));
    assert_eq!(report.failure, None);
    assert_eq!(
        (held(&frame, "lapis_lazuli"), frame.experience.level),
        (2, 27)
    );
    assert_eq!(frame.feats.count(Feat::Enchanted, item("iron_pickaxe")), 1);
    let slots = &world.simulation().unwrap().body().slots;
    let made = slots.stacks[slots.find(item("iron_pickaxe")).unwrap()].unwrap();
    assert!(!made.extra.enchants.is_empty());
}

#[test]
fn a_book_becomes_an_enchanted_one_and_an_anvil_puts_it_on() {
    let mut sim = land(&library(), &[some("book", 2), some("lapis_lazuli", 3)]);
    learn(&mut sim, 3);
    let (report, frame, _) = act(sim, enchant("book"));
    assert_eq!((report.failure, held(&frame, "enchanted_book")), (None, 1));
    assert_eq!(held(&frame, "book"), 1);
    let silk = book_of("silk_touch".parse().unwrap(), 1).unwrap();
    let mut sim = land(&[(3, 0, 0, "anvil")], &[worn("iron_pickaxe", 3), silk]);
    learn(&mut sim, 5);
    let (report, frame, world) = act(sim, enchant("iron_pickaxe"));
    assert_eq!((report.failure, frame.experience.level), (None, 1));
    assert_eq!(held(&frame, "enchanted_book"), 0);
    let slots = &world.simulation().unwrap().body().slots;
    let made = slots.stacks[slots.find(item("iron_pickaxe")).unwrap()].unwrap();
    assert_eq!(
        (made.extra.enchants.named("silk_touch"), made.damage),
        (1, 3)
    );
}

#[test]
fn enchanting_says_what_is_lacking() {
    let fails = |carried: &[Stack], level: u32, built: &[(i32, i32, i32, &str)]| {
        let mut sim = land(built, carried);
        learn(&mut sim, level);
        act(sim, enchant("iron_axe")).0.failure.unwrap()
    };
    let axe = worn("iron_axe", 0);
    let lapis = some("lapis_lazuli", 3);
    let full = library();
    assert_eq!(
        fails(&[], 9, &full),
        ActionFailure::NotHeld {
            item: spec("iron_axe")
        }
    );
    let short = fails(&[axe], 9, &full);
    assert!(
        matches!(short, ActionFailure::MissingIngredient { needs, .. } if needs == spec("lapis_lazuli"))
    );
    let unlearnt = ActionFailure::TooFewLevels { have: 0, need: 1 };
    assert_eq!(fails(&[axe, lapis], 0, &full), unlearnt);
    let nowhere = fails(&[axe, lapis], 9, &[]);
    assert!(
        matches!(nowhere, ActionFailure::NoStation { station, .. } if station == blocks::ENCHANTING_TABLE)
    );
}

#[test]
fn two_worn_helmets_make_one_in_the_hand() {
    let sim = land(&[], &[worn("iron_helmet", 100), worn("iron_helmet", 80)]);
    let (report, frame, world) = act(sim, repair("iron_helmet"));
    assert_eq!((report.failure, held(&frame, "iron_helmet")), (None, 1));
    assert_eq!(frame.feats.count(Feat::Repaired, item("iron_helmet")), 1);
    let slots = &world.simulation().unwrap().body().slots;
    let made = slots.stacks[slots.find(item("iron_helmet")).unwrap()].unwrap();
    assert_eq!(made.damage, 165 - 65 - 85 - 8);
}

#[test]
fn an_anvil_mends_with_ingots_for_levels() {
    let mut sim = land(
        &[(3, 0, 0, "anvil")],
        &[worn("iron_helmet", 100), some("iron_ingot", 3)],
    );
    learn(&mut sim, 4);
    let (report, frame, _) = act(sim, repair("iron_helmet"));
    assert_eq!((report.failure, held(&frame, "iron_ingot")), (None, 0));
    assert_eq!(frame.experience.level, 1);
    let (report, ..) = act(land(&[], &[worn("iron_helmet", 9)]), repair("iron_helmet"));
    assert!(matches!(
        report.failure,
        Some(ActionFailure::MissingIngredient { .. })
    ));
}

#[test]
fn a_grindstone_gives_points_for_what_it_takes_off() {
    let mut sword = worn("iron_sword", 0);
    sword.extra = book_of("sharpness".parse().unwrap(), 4).unwrap().extra;
    let mut sim = land(&[(2, 0, 0, "grindstone")], &[sword]);
    sim.step(&Controls::default());
    let at = HERE.plus(2, 0, 0);
    assert_eq!(
        action(&mut sim, &HandAction::Open { at }),
        ControlOutcome::Done
    );
    let grind = HandAction::Grind {
        slot: 0,
        with: None,
    };
    assert_eq!(action(&mut sim, &grind), ControlOutcome::Done);
    assert_eq!(sim.body().slots.stacks[0], Some(worn("iron_sword", 0)));
    for _ in 0..60 {
        sim.step(&Controls::default());
    }
    assert!(sim.body().experience.level >= 1);
    assert!(matches!(
        action(&mut sim, &grind),
        ControlOutcome::Refused(_)
    ));
}

#[test]
fn dyed_leather_is_washed_in_a_cauldron() {
    let chestplate = some("leather_chestplate", 1);
    let sim = land(
        &[(2, 0, 0, "cauldron")],
        &[chestplate, some("red_dye", 1), some("water_bucket", 1)],
    );
    let dye = Action::Dye {
        item: spec("leather_chestplate"),
        dye: spec("red_dye"),
    };
    let (report, frame, mut world) = act(sim, dye);
    assert_eq!((report.failure, held(&frame, "red_dye")), (None, 0));
    let sim = world.simulation_mut().unwrap();
    assert_eq!(
        sim.body().slots.stacks[0].unwrap().extra.colour,
        Colour::of_dye(item("red_dye"))
    );
    let at = HERE.plus(2, 0, 0);
    let in_hand = |sim: &mut Simulation, name: &str| {
        assert_eq!(
            action(sim, &HandAction::Hold { item: item(name) }),
            ControlOutcome::Done
        );
    };
    in_hand(sim, "leather_chestplate");
    assert!(matches!(
        action(sim, &HandAction::Use { at: Some(at) }),
        ControlOutcome::Refused(_)
    ));
    in_hand(sim, "water_bucket");
    assert_eq!(
        action(sim, &HandAction::Use { at: Some(at) }),
        ControlOutcome::Done
    );
    assert_eq!(
        (sim.grid().stage(at), sim.body().slots.count(item("bucket"))),
        (Some(3), 1)
    );
    in_hand(sim, "leather_chestplate");
    assert_eq!(
        action(sim, &HandAction::Use { at: Some(at) }),
        ControlOutcome::Done
    );
    assert_eq!(sim.grid().stage(at), Some(2));
    assert_eq!(
        sim.feats().count(Feat::Washed, item("leather_chestplate")),
        1
    );
    assert!(matches!(
        action(sim, &HandAction::Use { at: Some(at) }),
        ControlOutcome::Refused(_)
    ));
}
