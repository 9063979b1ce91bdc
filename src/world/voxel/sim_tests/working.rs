//! Working: digging, placing, crafting, smelting, picking up.

use super::super::controls::{AimTarget, ControlOutcome, Controls, FurnaceSlot, HandAction};
use super::{HERE, action, dig, held, hold, idle, item, scene};
use crate::block as blocks;
use crate::item::ItemId;
use crate::observation::Gui;
use crate::space::Facing;

#[track_caller]
fn check_dig(block: &str, tool: &str, ticks: u32, gained: &[(&str, u32)]) {
    let mut sim = scene();
    let at = HERE.plus(1, 0, 0);
    sim.grid_mut().set(at, block.parse().unwrap());
    if let Some(tool) = ItemId::named(tool) {
        sim.give(tool, 1);
    }
    idle(&mut sim, 5);
    assert_eq!(dig(&mut sim, at), Ok(ticks), "{block} with {tool}");
    hold(
        &mut sim,
        &Controls {
            forward: 1,
            yaw: -90.0,
            ..Controls::default()
        },
        40,
    );
    for (name, count) in gained {
        assert_eq!(held(&sim, name), *count, "{name} from {block}");
    }
    let tools = u32::from(!tool.is_empty());
    let all: u32 = gained.iter().map(|(_, count)| count).sum();
    assert_eq!(sim.body().slots.counts().total(), u64::from(all + tools));
}

#[test]
fn blocks_break_in_their_time_and_drop_only_for_the_right_tool() {
    check_dig("stone", "", 150, &[]);
    check_dig("stone", "wooden_pickaxe", 23, &[("cobblestone", 1)]);
    check_dig("stone", "stone_pickaxe", 12, &[("cobblestone", 1)]);
    check_dig("oak_log", "", 60, &[("oak_log", 1)]);
    check_dig("iron_ore", "wooden_pickaxe", 150, &[]);
    check_dig("iron_ore", "stone_pickaxe", 23, &[("iron_ore", 1)]);
}

#[test]
fn what_is_far_or_hidden_cannot_be_dug() {
    let mut sim = scene();
    // With empty hands the first dirt picked up would change what is held and begin the work anew.
    sim.give(item("stick"), 1);
    let (near, behind, far) = (HERE.plus(1, 1, 0), HERE.plus(2, 1, 0), HERE.plus(6, 1, 0));
    for x in [1, 2, 6] {
        for y in 0..3 {
            sim.grid_mut().set(HERE.plus(x, y, 0), blocks::DIRT);
        }
    }
    assert_eq!(dig(&mut sim, behind), Err("out of reach or out of sight"));
    assert_eq!(dig(&mut sim, far), Err("out of reach or out of sight"));
    assert_eq!(dig(&mut sim, near), Ok(15));
    assert_eq!(dig(&mut sim, behind), Ok(15 + 5));
    assert_eq!(dig(&mut sim, near), Err("there is no block"));
}

#[test]
fn a_wooden_pickaxe_lasts_59_blocks() {
    let mut sim = scene();
    sim.give(item("wooden_pickaxe"), 1);
    let at = HERE.plus(1, 0, 0);
    for _ in 0..59 {
        assert_eq!(held(&sim, "wooden_pickaxe"), 1);
        sim.grid_mut().set(at, blocks::STONE);
        dig(&mut sim, at).unwrap();
    }
    assert_eq!(held(&sim, "wooden_pickaxe"), 0);
}

#[test]
fn a_gap_in_the_work_loses_it() {
    let mut sim = scene();
    let at = HERE.plus(1, 0, 0);
    sim.grid_mut().set(at, blocks::OAK_LOG);
    let controls = Controls {
        attack: true,
        aim: Some(AimTarget::Block(at)),
        ..Controls::default()
    };
    hold(&mut sim, &controls, 59);
    idle(&mut sim, 1);
    assert_eq!(dig(&mut sim, at), Ok(60));
}

#[test]
fn a_block_takes_the_place_of_snow_that_lies_on_the_ground() {
    let mut sim = scene();
    sim.give(item("crafting_table"), 1);
    let at = HERE.plus(2, 0, 0);
    // All around, so that the ground is nowhere in sight.
    for (x, z) in (-4..=4).flat_map(|x| (-4..=4).map(move |z| (x, z))) {
        sim.grid_mut().set(HERE.plus(x, 0, z), blocks::SNOW);
    }
    let place = HandAction::Place {
        against: at.down(),
        side: Facing::Up,
    };
    assert_eq!(action(&mut sim, place), ControlOutcome::Done);
    assert_eq!(sim.grid().block(at), blocks::CRAFTING_TABLE);
}

#[test]
fn a_block_is_put_down_beside_but_not_into_the_body() {
    let mut sim = scene();
    sim.give(item("dirt"), 2);
    let refused = action(
        &mut sim,
        HandAction::Place {
            against: HERE.down(),
            side: Facing::Up,
        },
    );
    assert_eq!(refused, ControlOutcome::Refused("the body is in the way"));
    let floor = HERE.plus(2, -1, 0);
    assert_eq!(
        action(
            &mut sim,
            HandAction::Place {
                against: floor,
                side: Facing::Up
            }
        ),
        ControlOutcome::Done
    );
    assert_eq!(
        (sim.grid().block(floor.up()), held(&sim, "dirt")),
        (blocks::DIRT, 1)
    );
    let hanging = HandAction::Place {
        against: HERE.plus(0, 3, 0),
        side: Facing::Up,
    };
    assert_eq!(
        action(&mut sim, hanging),
        ControlOutcome::Refused("nothing solid to put it against")
    );
}

#[test]
fn windows_open_one_at_a_time_and_keep_the_feet_still() {
    let mut sim = scene();
    let table = HERE.plus(1, 0, 0);
    sim.grid_mut().set(table, blocks::CRAFTING_TABLE);
    assert_eq!(
        action(&mut sim, HandAction::OpenInventory),
        ControlOutcome::Done
    );
    assert_eq!(
        action(&mut sim, HandAction::Open { at: table }),
        ControlOutcome::Refused("another window is open")
    );
    let from = sim.body().at;
    hold(
        &mut sim,
        &Controls {
            forward: 1,
            ..Controls::default()
        },
        10,
    );
    assert_eq!(sim.body().at, from);
    assert_eq!(action(&mut sim, HandAction::CloseGui), ControlOutcome::Done);
    assert_eq!(
        action(&mut sim, HandAction::Open { at: table }),
        ControlOutcome::Done
    );
    sim.grid_mut().set(table, blocks::AIR);
    idle(&mut sim, 1);
    let window = sim.window();
    assert_eq!(
        (window.gui, window.opened, window.closed),
        (Gui::Closed, 2, 2)
    );
}

#[test]
fn a_recipe_takes_its_clicks_and_its_grid() {
    let mut sim = scene();
    sim.give(item("oak_log"), 2);
    let planks = HandAction::CraftOnce {
        product: item("oak_planks"),
    };
    assert_eq!(
        action(&mut sim, planks.clone()),
        ControlOutcome::Refused("no crafting grid is open")
    );
    action(&mut sim, HandAction::OpenInventory);
    assert_eq!(action(&mut sim, planks.clone()), ControlOutcome::Working);
    assert_eq!(action(&mut sim, planks.clone()), ControlOutcome::Working);
    assert_eq!(
        action(&mut sim, planks),
        ControlOutcome::Crafted(item("oak_planks"), 4)
    );
    let pick = action(
        &mut sim,
        HandAction::CraftOnce {
            product: item("wooden_pickaxe"),
        },
    );
    assert_eq!(
        pick,
        ControlOutcome::Refused("the recipe needs a crafting table")
    );
    assert_eq!(
        (
            held(&sim, "oak_log"),
            held(&sim, "oak_planks"),
            sim.crafted().count(item("oak_planks"))
        ),
        (1, 4, 4)
    );
}

#[test]
fn eight_ores_and_one_coal_are_eight_ingots_after_eighty_seconds() {
    let mut sim = scene();
    let furnace = HERE.plus(1, 0, 0);
    sim.grid_mut().set(furnace, blocks::FURNACE);
    sim.give(item("iron_ore"), 8);
    sim.give(item("coal"), 1);
    action(&mut sim, HandAction::Open { at: furnace });
    let ore = HandAction::FurnacePut {
        slot: FurnaceSlot::Input,
        item: item("iron_ore").into(),
        count: 8,
    };
    assert_eq!(action(&mut sim, ore), ControlOutcome::Done);
    let coal = HandAction::FurnacePut {
        slot: FurnaceSlot::Fuel,
        item: item("coal").into(),
        count: 1,
    };
    assert_eq!(action(&mut sim, coal), ControlOutcome::Done);
    // The coal is in the fire already.
    assert_eq!(sim.container_items(), 8);
    idle(&mut sim, 1599);
    assert_eq!(
        action(
            &mut sim,
            HandAction::FurnaceTake {
                slot: FurnaceSlot::Output
            }
        ),
        ControlOutcome::Done
    );
    assert_eq!(
        (
            held(&sim, "iron_ingot"),
            sim.crafted().count(item("iron_ingot")),
            sim.container_items()
        ),
        (8, 8, 0)
    );
}

#[test]
fn a_broken_furnace_spills_what_was_in_it() {
    let mut sim = scene();
    let furnace = HERE.plus(1, 0, 0);
    sim.grid_mut().set(furnace, blocks::FURNACE);
    sim.give(item("wooden_pickaxe"), 1);
    sim.give(item("sand"), 5);
    action(&mut sim, HandAction::Open { at: furnace });
    action(
        &mut sim,
        HandAction::FurnacePut {
            slot: FurnaceSlot::Input,
            item: item("sand").into(),
            count: 5,
        },
    );
    action(&mut sim, HandAction::CloseGui);
    dig(&mut sim, furnace).unwrap();
    hold(
        &mut sim,
        &Controls {
            forward: 1,
            yaw: -90.0,
            ..Controls::default()
        },
        30,
    );
    assert_eq!((held(&sim, "sand"), held(&sim, "furnace")), (5, 1));
}

#[test]
fn thrown_items_are_picked_up_again_after_a_while() {
    let mut sim = scene();
    sim.give(item("dirt"), 10);
    assert_eq!(
        action(
            &mut sim,
            HandAction::Toss {
                item: item("dirt"),
                count: 4
            }
        ),
        ControlOutcome::Done
    );
    idle(&mut sim, 30);
    assert_eq!((held(&sim, "dirt"), sim.drops_in_sight().len()), (6, 1));
    hold(
        &mut sim,
        &Controls {
            forward: 1,
            ..Controls::default()
        },
        30,
    );
    assert_eq!((held(&sim, "dirt"), sim.dropped().len()), (10, 0));
}
