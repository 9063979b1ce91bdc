//! What holds of every world at every tick, whatever was done in it.
//!
//! Invariant: names the first thing that is wrong and where.

use super::super::controls::FurnaceSlot;
use super::super::sim::Simulation;
use crate::block as blocks;
use crate::inventory::Stack;
use crate::observation::Gui;

#[track_caller]
fn check_stack(stack: &Stack, place: &str) {
    let facts = stack.item.facts();
    let item = stack.item.name();
    let fits = (1..=facts.stack_max).contains(&stack.count);
    assert!(fits, "{place}: {} {item}", stack.count);
    let worn = facts.durability.is_none_or(|uses| stack.damage < uses);
    assert!(worn, "{place}: {item} at {}", stack.damage);
}

/// Panics if the world is none that the rules allow.
#[track_caller]
pub(in crate::voxel) fn check(sim: &Simulation) {
    let body = sim.body();
    assert!(body.at.is_finite() && body.velocity.is_finite());
    assert!(
        sim.grid().is_loaded(body.feet()),
        "off the land: {:?}",
        body.at
    );
    let vitals = &body.vitals;
    assert!((0.0..=20.0).contains(&vitals.health) && vitals.hunger <= 20);
    assert_eq!(body.alive(), vitals.health > 0.0);
    for stack in body.slots.stacks.iter().flatten() {
        check_stack(stack, "slots");
    }
    for loose in sim.dropped() {
        check_stack(&loose.stack, "loose");
        assert!(loose.at.is_finite());
    }
    for (at, furnace) in &sim.furnaces {
        assert_eq!(sim.grid().block(*at), blocks::FURNACE, "furnace at {at}");
        for slot in [FurnaceSlot::Input, FurnaceSlot::Fuel, FurnaceSlot::Output] {
            furnace
                .slot(slot)
                .iter()
                .for_each(|stack| check_stack(stack, "furnace"));
        }
    }
    for (at, chest) in &sim.chests {
        assert_eq!(sim.grid().block(*at), blocks::CHEST, "chest at {at}");
        let stacks = chest.slots.stacks.iter().flatten();
        stacks.for_each(|stack| check_stack(stack, "chest"));
    }
    check_window(sim);
}

#[track_caller]
fn check_window(sim: &Simulation) {
    let window = sim.window();
    let is_open = window.gui.is_open();
    assert_eq!(window.opened, window.closed + u32::from(is_open));
    let station = window
        .at
        .and_then(|at| Gui::opened_by(sim.grid().block(at)));
    match window.gui {
        Gui::Closed | Gui::Inventory => assert!(window.at.is_none() && window.mob.is_none()),
        Gui::Trade => {
            let mob = window.mob.expect("a trade has a trader");
            assert!(sim.villagers().get(mob).is_some());
        }
        gui => assert_eq!(station, Some(gui), "its block stands"),
    }
}
