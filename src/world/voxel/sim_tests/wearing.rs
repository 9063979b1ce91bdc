//! Wearing: armour and shields keep off what they do in the game, and wear by it.

use super::super::controls::{Controls, Deed, Outcome};
use super::super::sim::Simulation;
use super::{HERE, deed, held, idle, item, scene};
use crate::armour::Place;
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
    assert_eq!(deed(sim, Deed::Hold { item: item(name) }), Outcome::Done);
    assert_eq!(deed(sim, Deed::Wear { item: item(name) }), Outcome::Done);
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
    let left = sim.body().worn.at(Place::OffHand).map(|s| s.damage);
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
            assert_eq!(deed(&mut sim, Deed::OpenInventory), Outcome::Done);
            let off = Deed::TakeOff { place: Place::Feet };
            assert_eq!(deed(&mut sim, off), Outcome::Done);
            let slots = &mut sim.body_mut().slots;
            let boots = slots.find(item("diamond_boots")).unwrap();
            let enchants = Enchants::default().with(feather, level);
            slots.stacks[boots].as_mut().unwrap().extra.enchants = enchants;
            let on = Deed::Wear {
                item: item("diamond_boots"),
            };
            assert_eq!(deed(&mut sim, on), Outcome::Done);
            assert_eq!(deed(&mut sim, Deed::CloseGui), Outcome::Done);
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
    let iron = || Deed::Wear {
        item: item("iron_helmet"),
    };
    deed(
        &mut sim,
        Deed::Hold {
            item: item("iron_helmet"),
        },
    );
    assert!(matches!(deed(&mut sim, iron()), Outcome::Refused(_)));
    assert_eq!(deed(&mut sim, Deed::OpenInventory), Outcome::Done);
    assert_eq!(deed(&mut sim, iron()), Outcome::Done);
    assert_eq!(held(&sim, "leather_helmet"), 1);
    let counts = sim.body().counts();
    assert_eq!(
        (counts.count(item("iron_helmet")), counts.total()),
        (1, 2),
        "{counts}"
    );
    let stick = Deed::Wear {
        item: item("stick"),
    };
    assert!(matches!(deed(&mut sim, stick), Outcome::Refused(_)));
}
