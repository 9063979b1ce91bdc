//! What a step lacked: as the body reported it, as it was seen before, or as the plan had it.

use super::script::doing;
use super::{check, spec, stuck_at};
use crate::domain::experience::attempt::Stop;
use crate::domain::experience::diagnosis::FailureReason as R;
use pithead_world::action::{ActionFailure as F, GuiFault};
use pithead_world::observation::Gui;

/// What a wooden pickaxe took when one was made.
const PICKAXE: &str = "oak_planks=3,stick=2";

#[test]
fn a_craft_that_lacks_something_is_tool_missing_although_it_stands_still() {
    let pickaxe = || doing("craft", "wooden_pickaxe").seen(PICKAXE, 1, "crafting_table");
    let short = F::MissingIngredient {
        item: spec("wooden_pickaxe"),
        needs: spec("stick"),
        have: 0,
        need: 2,
    };
    check(
        &pickaxe()
            .holding("oak_planks=3")
            .near("crafting_table")
            .stand(20)
            .fails(short),
        R::ToolMissing,
    );
    let table = "crafting_table".parse().unwrap();
    let station = F::NoStation {
        item: spec("wooden_pickaxe"),
        station: table,
    };
    check(
        &pickaxe()
            .holding("oak_planks=3,stick=2")
            .stand(20)
            .fails(station),
        R::ToolMissing,
    );
    // Nothing reported: inferred from how it was made before.
    check(
        &pickaxe()
            .holding("oak_planks=3")
            .near("crafting_table")
            .stand(500)
            .stalls(),
        R::ToolMissing,
    );
    check(
        &pickaxe()
            .holding("oak_planks=3,stick=2")
            .stand(500)
            .stalls(),
        R::ToolMissing,
    );
    check(
        &pickaxe()
            .holding("oak_planks=3,stick=1")
            .stand(900)
            .stops(Stop::TimedOut),
        R::ToolMissing,
    );
    let recipe = F::NoRecipe {
        item: spec("bedrock"),
    };
    check(
        &doing("craft", "bedrock").stand(5).fails(recipe),
        R::ToolMissing,
    );
}

#[test]
fn what_nobody_saw_and_no_plan_names_is_not_called_missing() {
    let pickaxe = || doing("craft", "wooden_pickaxe").holding("oak_planks=3");
    check(&pickaxe().stand(500).stalls(), R::MonitorNeverTrue);
    // By what the plan made for it.
    check(
        &pickaxe().after("stick").stand(500).stalls(),
        R::ToolMissing,
    );
    let stands = || pickaxe().after("crafting_table").near("crafting_table");
    check(&stands().stand(500).stalls(), R::MonitorNeverTrue);
    let ore = || doing("mine", "iron_ore").near("iron_ore").stand(900);
    check(&ore().stalls(), R::NavStuck);
    check(&ore().after("stone_pickaxe").stalls(), R::ToolMissing);
    let iron = || doing("smelt", "iron_ingot").near("furnace").stand(500);
    check(&iron().stalls(), R::MonitorNeverTrue);
    let bread = || doing("grow", "wheat").stand(900);
    check(&bread().stops(Stop::TimedOut), R::MonitorNeverTrue);
    let sown = bread().after("wheat_seeds").stops(Stop::TimedOut);
    check(&sown, R::ToolMissing);
}

#[test]
fn a_craft_that_lacks_nothing_is_something_else() {
    let pickaxe = || {
        doing("craft", "wooden_pickaxe")
            .seen(PICKAXE, 1, "crafting_table")
            .holding("oak_planks=3,stick=2")
            .near("crafting_table")
    };
    check(&pickaxe().stand(500).stalls(), R::MonitorNeverTrue);
    check(&pickaxe().toggle(8, 400).stalls(), R::GuiBlocked);
    check(
        &pickaxe().window(Gui::Chest).stand(500).stalls(),
        R::GuiBlocked,
    );
    check(
        &pickaxe().stand(40).fails(F::GuiBlocked {
            gui: "chest".to_owned(),
            fault: GuiFault::default(),
        }),
        R::GuiBlocked,
    );
    check(&pickaxe().stand(40).fails(stuck_at()), R::NavStuck);
    check(&pickaxe().stand(40).ends_well(), R::MonitorNeverTrue);
}

#[test]
fn furnaces_fail_for_want_of_something_or_of_time() {
    let iron = || {
        let smelt = doing("smelt", "iron_ingot").wanting(3).near("furnace");
        smelt
            .seen("iron_ore=1", 1, "")
            .burns_seen(&["coal", "oak_planks"])
    };
    check(
        &iron().holding("coal=1").stand(500).stalls(),
        R::ToolMissing,
    );
    check(
        &iron().holding("iron_ore=3").stand(20).fails(F::NoFuel),
        R::ToolMissing,
    );
    check(
        &iron().holding("iron_ore=3").stand(500).stalls(),
        R::ToolMissing,
    );
    check(
        &iron().holding("iron_ore=3,coal=1").stand(500).stalls(),
        R::MonitorNeverTrue,
    );
    check(
        &iron()
            .holding("iron_ore=2,coal=1")
            .cook(900)
            .stops(Stop::TimedOut),
        R::Timeout,
    );
}
