//! Wearing: armour and shields keep off what they do in the game, and wear by it.

use super::super::controls::{ControlOutcome, Controls, HandAction};
use super::super::sim::Simulation;
use super::{HERE, action, held, idle, item, scene};
use crate::armour::ArmourSlot;
use crate::enchant::{Enchantment, Enchants};
use crate::mob::MobKind;

const SUIT: [&str; 4] = [
    "iron_helmet",
    "iron_chestplate",
    "iron_leggings",
    "iron_boots",
];

fn wear(sim: &mut Simulation, name: &str) {
    sim.give(item(name), 1);
    assert_eq!(
        action(sim, HandAction::Hold { item: item(name) }),
        ControlOutcome::Done
    );
    assert_eq!(
        action(sim, HandAction::Wear { item: item(name) }),
        ControlOutcome::Done
    );
}

/// Health after the first blow of a zombie that stands to the south, with these keys held.
fn struck(sim: &mut Simulation, keys: &Controls) -> f32 {
    sim.body_mut().vitals.hunger = 10;
    sim.mobs_mut()
        .add(MobKind::Zombie, HERE.plus(0, 0, 1).floor());
    for _ in 0..60 {
        sim.step(keys);
        if sim.body().vitals.health < 20.0 {
            break;
        }
    }
    sim.body().vitals.health
}

#[test]
fn a_suit_of_iron_halves_a_blow_and_wears() {
    assert_eq!(struck(&mut scene(), &Controls::default()), 17.0);
    let mut sim = scene();
    SUIT.iter().for_each(|piece| wear(&mut sim, piece));
    let health = struck(&mut sim, &Controls::default());
    assert!((health - (20.0 - 1.38)).abs() < 1e-4, "{health}");
    let worn: Vec<u32> = sim.body().worn.iter().map(|stack| stack.damage).collect();
    assert_eq!(worn, [1, 1, 1, 1]);
}

#[test]
fn a_raised_shield_stops_what_comes_from_ahead_only() {
    let guard = |yaw: f32| Controls {
        guard: true,
        yaw,
        ..Controls::default()
    };
    let mut sim = scene();
    wear(&mut sim, "shield");
    // South is yaw 0.
    assert_eq!(struck(&mut sim, &guard(0.0)), 20.0);
    let left = sim.body().worn.at(ArmourSlot::OffHand).map(|s| s.damage);
    assert!(left.is_some_and(|damage| damage >= 4), "{left:?}");
    let mut sim = scene();
    wear(&mut sim, "shield");
    assert_eq!(struck(&mut sim, &guard(180.0)), 17.0);
}

#[test]
fn feather_falling_softens_a_fall_that_armour_does_not() {
    let fall = |level: Option<u8>| {
        let mut sim = scene();
        wear(&mut sim, "diamond_boots");
        if let Some(level) = level {
            let feather = Enchantment::named("feather_falling").unwrap();
            assert_eq!(
                action(&mut sim, HandAction::OpenInventory),
                ControlOutcome::Done
            );
            let off = HandAction::TakeOff {
                place: ArmourSlot::Feet,
            };
            assert_eq!(action(&mut sim, off), ControlOutcome::Done);
            let slots = &mut sim.body_mut().slots;
            let boots = slots.find(item("diamond_boots")).unwrap();
            let enchants = Enchants::default().with(feather, level);
            slots.stacks[boots].as_mut().unwrap().extra.enchants = enchants;
            let on = HandAction::Wear {
                item: item("diamond_boots"),
            };
            assert_eq!(action(&mut sim, on), ControlOutcome::Done);
            assert_eq!(action(&mut sim, HandAction::CloseGui), ControlOutcome::Done);
        }
        sim.body_mut().vitals.hunger = 10;
        sim.body_mut().at.y += 13.0;
        idle(&mut sim, 60);
        20.0 - sim.body().vitals.health
    };
    let (plain, feather) = (fall(None), fall(Some(4)));
    assert_eq!(plain, 10.0);
    assert!(
        (feather - 10.0 * (1.0 - 12.0 / 25.0)).abs() < 1e-3,
        "{feather}"
    );
}

#[test]
fn pieces_change_places_in_the_inventory_window_and_count_as_had() {
    let mut sim = scene();
    wear(&mut sim, "leather_helmet");
    sim.give(item("iron_helmet"), 1);
    let iron = || HandAction::Wear {
        item: item("iron_helmet"),
    };
    action(
        &mut sim,
        HandAction::Hold {
            item: item("iron_helmet"),
        },
    );
    assert!(matches!(
        action(&mut sim, iron()),
        ControlOutcome::Refused(_)
    ));
    assert_eq!(
        action(&mut sim, HandAction::OpenInventory),
        ControlOutcome::Done
    );
    assert_eq!(action(&mut sim, iron()), ControlOutcome::Done);
    assert_eq!(held(&sim, "leather_helmet"), 1);
    let counts = sim.body().counts();
    assert_eq!(
        (counts.count(item("iron_helmet")), counts.total()),
        (1, 2),
        "{counts}"
    );
    let stick = HandAction::Wear {
        item: item("stick"),
    };
    assert!(matches!(
        action(&mut sim, stick),
        ControlOutcome::Refused(_)
    ));
}
